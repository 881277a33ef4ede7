//===- ReducePowers.cpp - Powers with constant exponents ------------------===//
//
// x**2 arrives as math.fpowi with an i64 exponent, norms as math.powf with 2
// and 0.5. As PyTorch does, they become products and square roots; a product of
// two or three factors is as exact as the power.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::ks;

static constexpr int64_t maxExponent = 8;

/// x to the power of n, by squaring; n from 1.
static Value power(OpBuilder &builder, Location loc, Value x, int64_t n) {
  Value result;
  for (Value square = x;;
       square = arith::MulFOp::create(builder, loc, square, square)) {
    if (n & 1)
      result =
          result ? arith::MulFOp::create(builder, loc, result, square) : square;
    if (!(n >>= 1))
      return result;
  }
}

namespace {

struct ReduceIntegerPower : OpRewritePattern<math::FPowIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::FPowIOp op,
                                PatternRewriter &rewriter) const override {
    llvm::APInt exponent;
    if (!isa<FloatType>(op.getType()) ||
        !matchPattern(op.getRhs(), m_ConstantInt(&exponent)) ||
        exponent.getBitWidth() > 64)
      return failure();
    int64_t n = exponent.getSExtValue();
    if (n < -maxExponent || n > maxExponent)
      return failure();
    Location loc = op.getLoc();
    Value result;
    if (n != 0)
      result = power(rewriter, loc, op.getLhs(), std::abs(n));
    if (n <= 0) {
      Value one = arith::ConstantOp::create(
          rewriter, loc, rewriter.getFloatAttr(op.getType(), 1.0));
      result = result ? arith::DivFOp::create(rewriter, loc, one, result) : one;
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct ReduceFloatPower : OpRewritePattern<math::PowFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::PowFOp op,
                                PatternRewriter &rewriter) const override {
    llvm::APFloat exponent(0.0);
    if (!isa<FloatType>(op.getType()) ||
        !matchPattern(op.getRhs(), m_ConstantFloat(&exponent)))
      return failure();
    Value x = op.getLhs();
    if (exponent.isExactlyValue(0.5)) {
      rewriter.replaceOpWithNewOp<math::SqrtOp>(op, x);
      return success();
    }
    for (int64_t n : {1, 2, 3})
      if (exponent.isExactlyValue(n)) {
        rewriter.replaceOp(op, power(rewriter, op.getLoc(), x, n));
        return success();
      }
    return failure();
  }
};

} // namespace

void mlir::ks::populateReducePowerPatterns(RewritePatternSet &patterns) {
  patterns.add<ReduceIntegerPower, ReduceFloatPower>(patterns.getContext());
}
