//===- FoldSplats.cpp - Uniform operands become scalars in the body -------===//
//
// A splat constant, a filled tensor or a rank-0 constant that a body reads
// holds one value wherever it is read: the body takes the value itself. An
// initial value that the body does not read is no input of the computation,
// only a shape.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/Patterns.h"
#include "ks/Normalize/TMTensor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::ks;

/// The scalar that every element of `tensor` equals; null if none is known.
/// Looks through operations that only rearrange elements.
static Value uniformValue(OpBuilder &builder, Location loc, Value tensor) {
  Operation *op = tensor.getDefiningOp();
  while (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                         tensor::ExtractSliceOp>(op))
    op = op->getOperand(0).getDefiningOp();
  if (auto fill = dyn_cast_or_null<linalg::FillOp>(op)) {
    Value value = fill.getInputs()[0];
    return value.getType() == getElementTypeOrSelf(tensor) ? value : Value();
  }
  SplatElementsAttr splat;
  if (!op || !matchPattern(op, m_Constant(&splat)))
    return nullptr;
  Type type = splat.getElementType();
  if (isa<ComplexType>(type)) {
    if (auto parts = dyn_cast<ArrayAttr>(splat.getSplatValue<Attribute>()))
      return complex::ConstantOp::create(builder, loc, type, parts);
    return nullptr;
  }
  if (!type.isIntOrIndexOrFloat())
    return nullptr;
  return arith::ConstantOp::create(
      builder, loc, cast<TypedAttr>(splat.getSplatValue<Attribute>()));
}

/// Makes the initial value `init`, which nothing reads, an empty tensor.
static bool forget(OpOperand &init, PatternRewriter &rewriter) {
  auto type = dyn_cast<RankedTensorType>(init.get().getType());
  if (!type || !type.hasStaticShape() || type.getEncoding() ||
      init.get().getDefiningOp<tensor::EmptyOp>())
    return false;
  Operation *op = init.getOwner();
  Value empty = tensor::EmptyOp::create(rewriter, op->getLoc(), type.getShape(),
                                        type.getElementType());
  rewriter.modifyOpInPlace(op, [&] { init.set(empty); });
  return true;
}

namespace {

struct FoldSplatOperand : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    bool changed = false;
    for (OpOperand *input : op.getDpsInputOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(input);
      if (argument.use_empty() ||
          !isa<RankedTensorType>(input->get().getType()))
        continue;
      if (Value value = uniformValue(rewriter, op.getLoc(), input->get())) {
        rewriter.modifyOpInPlace(
            op, [&] { rewriter.replaceAllUsesWith(argument, value); });
        changed = true;
      }
    }
    return success(changed);
  }
};

struct ForgetUnreadInit : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    bool changed = false;
    for (OpOperand &init : op.getDpsInitsMutable()) {
      // What the loops do not write keeps the initial value.
      if (op.getMatchingBlockArgument(&init).use_empty() &&
          op.getMatchingIndexingMap(&init).isPermutation())
        changed |= forget(init, rewriter);
    }
    return success(changed);
  }
};

/// A scan writes all of its output, and an inclusive one starts from its input.
struct ForgetUnreadScanInit : OpRewritePattern<tm_tensor::ScanOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tm_tensor::ScanOp op,
                                PatternRewriter &rewriter) const override {
    bool changed = false;
    for (OpOperand &init : op.getOutputsMutable()) {
      bool read = init.get() == op.getAccumulator() && !op.getInclusive();
      if (!read)
        changed |= forget(init, rewriter);
    }
    return success(changed);
  }
};

/// A splat is written where it is needed, not kept in the program's image.
struct SplatToFill : OpRewritePattern<arith::ConstantOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ConstantOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type || type.getEncoding() ||
        !type.getElementType().isIntOrIndexOrFloat())
      return failure();
    Value scalar = uniformValue(rewriter, op.getLoc(), op.getResult());
    if (!scalar)
      return failure();
    Value empty = tensor::EmptyOp::create(
        rewriter, op.getLoc(), type.getShape(), type.getElementType());
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, scalar, empty);
    return success();
  }
};

} // namespace

void mlir::ks::populateFoldSplatPatterns(RewritePatternSet &patterns) {
  patterns.add<FoldSplatOperand, ForgetUnreadInit, ForgetUnreadScanInit,
               SplatToFill>(patterns.getContext());
}
