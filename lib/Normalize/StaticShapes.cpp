//===- StaticShapes.cpp - What is static in truth -------------------------===//
//
// torch.roll arrives as slices cast to a dynamic size and joined to a static
// one. What a loop carries has the size that it starts with.
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

/// Carries the tensor from before the cast that hides its size.
struct LoopOfCasts : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::ForOp op,
                                PatternRewriter &rewriter) const override {
    for (unsigned i = 0; i < op.getNumRegionIterArgs(); ++i) {
      auto cast = op.getInitArgs()[i].getDefiningOp<tensor::CastOp>();
      auto type = cast ? dyn_cast<RankedTensorType>(cast.getSource().getType())
                       : nullptr;
      if (!type || !type.hasStaticShape() || cast.getType().hasStaticShape())
        continue;
      rewriter.modifyOpInPlace(op, [&] { carry(op, i, cast, rewriter); });
      return success();
    }
    return failure();
  }

private:
  static void carry(scf::ForOp op, unsigned number, tensor::CastOp cast,
                    PatternRewriter &rewriter) {
    Type declared = cast.getType(), type = cast.getSource().getType();
    Operation *yield = op.getBody()->getTerminator();
    auto castTo = [&](Type to, Value value) {
      return tensor::CastOp::create(rewriter, op.getLoc(), to, value);
    };
    auto retype = [&](Value value) {
      value.setType(type);
      auto hidden = castTo(declared, value);
      rewriter.replaceAllUsesExcept(value, hidden, hidden);
    };
    op.getInitArgsMutable()[number].set(cast.getSource());
    rewriter.setInsertionPointToStart(op.getBody());
    retype(op.getRegionIterArg(number));
    rewriter.setInsertionPoint(yield);
    yield->setOperand(number, castTo(type, yield->getOperand(number)));
    rewriter.setInsertionPointAfter(op);
    retype(op.getResult(number));
  }
};

} // namespace

void mlir::ks::populateStaticShapePatterns(RewritePatternSet &patterns) {
  patterns.add<ConcatOfCasts, LoopOfCasts>(patterns.getContext());
}
