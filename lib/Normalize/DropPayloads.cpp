//===- DropPayloads.cpp - What a sort carries for nobody ------------------===//
//
// torch.sort and torch.topk carry the elements' positions along, often only for
// them to be thrown away. A sorted operand that nothing reads, the order
// included, is left out.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/Patterns.h"
#include "ks/Normalize/TMTensor.h"

using namespace mlir;
using namespace mlir::ks;

namespace {

struct DropPayload : OpRewritePattern<tm_tensor::SortOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tm_tensor::SortOp op,
                                PatternRewriter &rewriter) const override {
    Block &body = op.getRegion().front();
    SmallVector<Value> operands;
    SmallVector<Type> types;
    SmallVector<unsigned> kept;
    BitVector dropped(body.getNumArguments());
    for (auto [i, operand] : llvm::enumerate(op.getOutputs())) {
      if (op->getResult(i).use_empty() && body.getArgument(2 * i).use_empty() &&
          body.getArgument(2 * i + 1).use_empty()) {
        dropped.set(2 * i, 2 * i + 2);
        continue;
      }
      kept.push_back(i);
      operands.push_back(operand);
      types.push_back(operand.getType());
    }
    if (dropped.none() || kept.empty())
      return failure();
    auto narrower =
        tm_tensor::SortOp::create(rewriter, op.getLoc(), types, ValueRange(),
                                  operands, op.getDimension());
    rewriter.modifyOpInPlace(op, [&] { body.eraseArguments(dropped); });
    rewriter.inlineRegionBefore(op.getRegion(), narrower.getRegion(),
                                narrower.getRegion().begin());
    for (auto [i, result] : llvm::enumerate(narrower->getResults()))
      rewriter.replaceAllUsesWith(op->getResult(kept[i]), result);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mlir::ks::populateDropPayloadPatterns(RewritePatternSet &patterns) {
  patterns.add<DropPayload>(patterns.getContext());
}
