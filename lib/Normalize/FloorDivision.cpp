//===- FloorDivision.cpp - Integer division by way of float64 -------------===//
//
// torch.div(rounding_mode="floor") of integers arrives as fptosi(floor(a / b))
// on float64. For operands below 2^52 the rounded quotient has the floor of the
// exact one, so it is an integer division, whose range is also known.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/IntegerRanges.h"
#include "ks/Normalize/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::ks;

namespace {

struct FloorDivision : OpRewritePattern<arith::FPToSIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::FPToSIOp op,
                                PatternRewriter &rewriter) const override {
    auto floor = op.getIn().getDefiningOp<math::FloorOp>();
    auto quotient =
        floor ? floor.getOperand().getDefiningOp<arith::DivFOp>() : nullptr;
    if (!quotient || !quotient.getType().isF64())
      return failure();
    auto a = quotient.getLhs().getDefiningOp<arith::SIToFPOp>();
    Value b = integer(quotient.getRhs(), op.getType(), rewriter);
    if (!a || !b || a.getIn().getType() != op.getType() ||
        !op.getType().isInteger(64))
      return failure();
    IntegerRanges ranges;
    std::optional<IntegerRange> dividend = ranges.of(a.getIn()),
                                divisor = ranges.of(b);
    constexpr int64_t limit = int64_t(1) << 52;
    if (!dividend || !divisor || dividend->low <= -limit ||
        dividend->high >= limit || divisor->low < 1 || divisor->high >= limit)
      return failure();
    rewriter.replaceOpWithNewOp<arith::FloorDivSIOp>(op, a.getIn(), b);
    return success();
  }

private:
  /// The integer of `type` that the float64 `value` was made from.
  static Value integer(Value value, Type type, OpBuilder &builder) {
    if (auto conversion = value.getDefiningOp<arith::SIToFPOp>())
      return conversion.getIn().getType() == type ? conversion.getIn()
                                                  : Value();
    auto constant = value.getDefiningOp<arith::ConstantOp>();
    auto attr =
        constant ? dyn_cast<FloatAttr>(constant.getValue()) : FloatAttr();
    if (!attr || !attr.getValue().isInteger() ||
        std::abs(attr.getValueAsDouble()) > 1e15)
      return nullptr;
    return arith::ConstantOp::create(
        builder, constant.getLoc(),
        builder.getIntegerAttr(type, attr.getValueAsDouble()));
  }
};

} // namespace

void mlir::ks::populateFloorDivisionPatterns(RewritePatternSet &patterns) {
  patterns.add<FloorDivision>(patterns.getContext());
}
