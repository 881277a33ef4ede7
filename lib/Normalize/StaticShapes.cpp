//===- StaticShapes.cpp - Concatenations of what is static in truth -------===//
//
// torch.roll arrives as slices cast to a dynamic size and joined to a static
// one.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/Patterns.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::ks;

namespace {

/// Reads the operands of a concatenation from before casts that hide a size.
struct ConcatOfCasts : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> inputs;
    bool changed = false;
    for (Value input : op.getInputs()) {
      auto cast = input.getDefiningOp<tensor::CastOp>();
      auto source = cast
                        ? dyn_cast<RankedTensorType>(cast.getSource().getType())
                        : nullptr;
      bool better =
          source && source.hasStaticShape() && !cast.getType().hasStaticShape();
      inputs.push_back(better ? cast.getSource() : input);
      changed |= better;
    }
    if (!changed)
      return failure();
    RankedTensorType inferred = tensor::ConcatOp::inferResultType(
        op.getDim(), llvm::to_vector(ValueRange(inputs).getTypes()));
    RankedTensorType declared = op.getResultType();
    auto better = tensor::preservesStaticInformation(inferred, declared)
                      ? declared
                      : inferred;
    if (!tensor::CastOp::areCastCompatible(inferred, declared))
      return failure();
    Value concat = tensor::ConcatOp::create(rewriter, op.getLoc(), better,
                                            op.getDim(), inputs);
    if (better != declared)
      concat = tensor::CastOp::create(rewriter, op.getLoc(), declared, concat);
    rewriter.replaceOp(op, concat);
    return success();
  }
};

} // namespace

void mlir::ks::populateStaticShapePatterns(RewritePatternSet &patterns) {
  patterns.add<ConcatOfCasts>(patterns.getContext());
}
