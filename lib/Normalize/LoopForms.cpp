//===- LoopForms.cpp - Counted loops in their plainest form ---------------===//
//
// Rows are read and written without their leading dimension; what a loop
// carries in vain is not carried; an accumulator that every iteration adds a
// row to until it is full starts without a value; and what does not change in a
// loop is computed before it.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/CountedLoop.h"
#include "ks/Normalize/Patterns.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
using namespace mlir::ks;

/// `value` in the shape of `type`, which has as many elements.
static Value reshape(OpBuilder &builder, Location loc, Value value,
                     RankedTensorType type) {
  auto from = cast<RankedTensorType>(value.getType());
  if (from.getShape() == type.getShape())
    return value;
  auto groups = getReassociationIndicesForReshape(from, type);
  if (groups && from.getRank() > type.getRank())
    return tensor::CollapseShapeOp::create(builder, loc, type, value, *groups);
  if (groups)
    return tensor::ExpandShapeOp::create(builder, loc, type, value, *groups);
  auto flat =
      RankedTensorType::get(type.getNumElements(), type.getElementType());
  return reshape(builder, loc, reshape(builder, loc, value, flat), type);
}

namespace {

struct ReadPlainRow : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
    RankedTensorType whole = op.getSourceType();
    if (!loop || !coversRow(op, whole, loop.getInductionVar()) ||
        isRow(op, loop))
      return failure();
    auto type = RankedTensorType::get(whole.getShape().drop_front(),
                                      whole.getElementType());
    Value row = tensor::ExtractSliceOp::create(
        rewriter, op.getLoc(), type, op.getSource(), op.getMixedOffsets(),
        op.getMixedSizes(), op.getMixedStrides());
    rewriter.replaceOp(op, reshape(rewriter, op.getLoc(), row, op.getType()));
    return success();
  }
};

struct WritePlainRow : OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const override {
    auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
    RankedTensorType whole = op.getDestType();
    if (!loop || !coversRow(op, whole, loop.getInductionVar()) ||
        isRow(op, loop))
      return failure();
    auto type = RankedTensorType::get(whole.getShape().drop_front(),
                                      whole.getElementType());
    Value row = reshape(rewriter, op.getLoc(), op.getSource(), type);
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
        op, row, op.getDest(), op.getMixedOffsets(), op.getMixedSizes(),
        op.getMixedStrides());
    return success();
  }
};

/// A full accumulator holds nothing of what it started from.
struct ForgetAccumulatorStart : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::ForOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<int64_t> iterations = iterationsOf(op);
    if (!iterations)
      return failure();
    bool changed = false;
    for (auto [i, init] : llvm::enumerate(op.getInitArgsMutable())) {
      auto insert = accumulation(op, i);
      if (!insert || init.get().getDefiningOp<tensor::EmptyOp>() ||
          *iterations < insert.getDestType().getDimSize(0))
        continue;
      RankedTensorType type = insert.getDestType();
      Value empty = tensor::EmptyOp::create(
          rewriter, op.getLoc(), type.getShape(), type.getElementType());
      rewriter.modifyOpInPlace(op, [&] { init.set(empty); });
      changed = true;
    }
    return success(changed);
  }
};

/// What a loop carries, but no result that is read depends on, is yielded as it
/// is; MLIR's own patterns then do away with it.
struct DropUnreadCarried : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::ForOp op,
                                PatternRewriter &rewriter) const override {
    BitVector read = carriedThatIsRead(op);
    Operation *yield = op.getBody()->getTerminator();
    bool changed = false;
    for (auto [i, operand] : llvm::enumerate(yield->getOpOperands())) {
      Value carried = op.getRegionIterArg(i);
      if (read[i] || operand.get() == carried)
        continue;
      rewriter.modifyOpInPlace(yield, [&] { operand.set(carried); });
      changed = true;
    }
    return success(changed);
  }

private:
  static BitVector carriedThatIsRead(scf::ForOp op) {
    BitVector read(op.getNumResults());
    SmallVector<Value> pending;
    auto add = [&](unsigned i) {
      if (read[i])
        return;
      read.set(i);
      pending.push_back(op.getYieldedValues()[i]);
    };
    for (OpResult result : op.getResults())
      if (!result.use_empty())
        add(result.getResultNumber());
    for (Operation &inner : op.getBody()->without_terminator())
      if (!isPure(&inner) && inner.use_empty())
        pending.append(inner.operand_begin(), inner.operand_end());
    llvm::SmallPtrSet<Operation *, 16> seen;
    while (!pending.empty()) {
      Value value = pending.pop_back_val();
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        if (argument.getOwner() == op.getBody() && argument.getArgNumber() > 0)
          add(argument.getArgNumber() - 1);
        continue;
      }
      Operation *source = value.getDefiningOp();
      if (!op->isProperAncestor(source) || !seen.insert(source).second)
        continue;
      source->walk([&](Operation *inner) {
        pending.append(inner->operand_begin(), inner->operand_end());
      });
    }
    return read;
  }
};

} // namespace

void mlir::ks::populateLoopFormPatterns(RewritePatternSet &patterns) {
  patterns.add<ReadPlainRow, WritePlainRow, ForgetAccumulatorStart,
               DropUnreadCarried>(patterns.getContext());
}

void mlir::ks::hoistInvariants(ModuleOp module) {
  module.walk([](scf::ForOp loop) { moveLoopInvariantCode(loop); });
}
