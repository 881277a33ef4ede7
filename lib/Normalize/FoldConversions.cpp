//===- FoldConversions.cpp - Constants met across a conversion ------------===//
//
// PyTorch's scalars are float64. They reach a float32 computation as a
// truncated constant, or by comparing an extended value with them. Both have an
// exact form in the narrower type, so that no float64 instruction is left.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ks;
using llvm::APFloat;

namespace {

/// The fold of arith.truncf gives up where the constant is not representable.
struct TruncateConstant : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    APFloat value(0.0);
    auto type = dyn_cast<FloatType>(op.getType());
    bool nearest =
        op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even) ==
        arith::RoundingMode::to_nearest_even;
    if (!type || !nearest || !matchPattern(op.getIn(), m_ConstantFloat(&value)))
      return failure();
    bool lost = false;
    value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &lost);
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, rewriter.getFloatAttr(type, value));
    return success();
  }
};

/// extf(x) < c is x < c', with c' the smallest narrow value not below c;
/// likewise for the other orders. An equality with what is not representable
/// never holds.
struct CompareExtended : OpRewritePattern<arith::CmpFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::CmpFOp op,
                                PatternRewriter &rewriter) const override {
    using P = arith::CmpFPredicate;
    auto extension = op.getLhs().getDefiningOp<arith::ExtFOp>();
    APFloat value(0.0);
    if (!extension || !matchPattern(op.getRhs(), m_ConstantFloat(&value)) ||
        value.isNaN())
      return failure();
    auto type = dyn_cast<FloatType>(extension.getIn().getType());
    if (!type)
      return failure();
    APFloat::roundingMode mode = APFloat::rmNearestTiesToEven;
    bool equality = false;
    switch (op.getPredicate()) {
    case P::OLT:
    case P::ULT:
    case P::OGE:
    case P::UGE:
      mode = APFloat::rmTowardPositive;
      break;
    case P::OLE:
    case P::ULE:
    case P::OGT:
    case P::UGT:
      mode = APFloat::rmTowardNegative;
      break;
    default:
      equality = true;
    }
    bool lost = false;
    value.convert(type.getFloatSemantics(), mode, &lost);
    if (lost && equality)
      return failure();
    Value bound = arith::ConstantOp::create(rewriter, op.getLoc(),
                                            rewriter.getFloatAttr(type, value));
    rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, op.getPredicate(),
                                               extension.getIn(), bound);
    return success();
  }
};

/// The fold of math.sqrt does not know half precision. The root in float64,
/// rounded, is the correctly rounded one of any narrower type.
struct RootOfConstant : OpRewritePattern<math::SqrtOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::SqrtOp op,
                                PatternRewriter &rewriter) const override {
    APFloat value(0.0);
    auto type = dyn_cast<FloatType>(op.getType());
    if (!type || type.getWidth() > 32 ||
        !matchPattern(op.getOperand(), m_ConstantFloat(&value)))
      return failure();
    double root =
        std::sqrt(rewriter.getFloatAttr(type, value).getValueAsDouble());
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, rewriter.getFloatAttr(type, root));
    return success();
  }
};

} // namespace

void mlir::ks::populateFoldConversionPatterns(RewritePatternSet &patterns) {
  patterns.add<TruncateConstant, CompareExtended, RootOfConstant>(
      patterns.getContext());
}
