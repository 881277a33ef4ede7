//===- ReferenceInteger.cpp - Integers, comparisons and conversions -------===//
//
// The reference domain's integers and bools. They are computed as they are; a
// comparison whose operands lie within their bounds of each other is ambiguous
// (bound 1), and a choice made by it is bounded by the distance of the options.
//
//===----------------------------------------------------------------------===//

#include "Scalar.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ks;

/// |x - y| in float64, of floats or integers; infinity where it is NaN.
static Value gap(OpBuilder &b, Location loc, Value x, Value y) {
  Type f64 = b.getF64Type();
  auto widen = [&](Value v) -> Value {
    if (v.getType().isIndex())
      v = arith::IndexCastOp::create(b, loc, b.getI64Type(), v);
    if (v.getType().isInteger(1))
      return arith::UIToFPOp::create(b, loc, f64, v);
    if (isa<IntegerType>(v.getType()))
      return arith::SIToFPOp::create(b, loc, f64, v);
    return v;
  };
  Value difference = arith::SubFOp::create(b, loc, widen(x), widen(y));
  Value magnitude = math::AbsFOp::create(b, loc, difference);
  Value isNaN = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO,
                                      magnitude, magnitude);
  Value infinity =
      arith::ConstantOp::create(b, loc, b.getF64FloatAttr(INFINITY));
  return arith::SelectOp::create(b, loc, isNaN, infinity, magnitude);
}

Value ScalarEmitter::distance(Location loc, const Scalar &x, const Scalar &y) {
  if (isa<ComplexType>(x.value.getType()))
    return f64(loc, INFINITY);
  Value widest = arith::MaximumFOp::create(b, loc, boundOrZero(loc, x),
                                           boundOrZero(loc, y));
  return arith::AddFOp::create(b, loc, gap(b, loc, x.value, y.value), widest);
}

Scalar ScalarEmitter::emitReferenceCompare(Operation *op,
                                           ArrayRef<Scalar> operands) {
  Location loc = op->getLoc();
  Value x = operands[0].value, y = operands[1].value;
  Value value;
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    value = arith::CmpFOp::create(b, loc, compare.getPredicate(), x, y);
  else
    value = arith::CmpIOp::create(b, loc,
                                  cast<arith::CmpIOp>(op).getPredicate(), x, y);
  if (!operands[0].bound && !operands[1].bound)
    return {value, {}};
  Value slack = arith::AddFOp::create(b, loc, boundOrZero(loc, operands[0]),
                                      boundOrZero(loc, operands[1]));
  Value far = gap(b, loc, x, y);
  Value close =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLE, far, slack);
  Value unsettled = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT,
                                          slack, f64(loc, 0));
  close = arith::AndIOp::create(b, loc, close, unsettled);
  return {value,
          arith::SelectOp::create(b, loc, close, f64(loc, 1.0), f64(loc, 0.0))};
}

Scalar ScalarEmitter::emitReferenceSelect(Operation *op,
                                          ArrayRef<Scalar> operands) {
  Location loc = op->getLoc();
  const Scalar &condition = operands[0], &x = operands[1], &y = operands[2];
  Value value =
      arith::SelectOp::create(b, loc, condition.value, x.value, y.value);
  Value bound;
  if (x.bound || y.bound)
    bound = arith::SelectOp::create(b, loc, condition.value,
                                    boundOrZero(loc, x), boundOrZero(loc, y));
  if (!condition.bound)
    return {value, bound};
  Value either = distance(loc, x, y);
  Value ambiguous = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT,
                                          condition.bound, f64(loc, 0));
  bound = bound ? bound : f64(loc, 0.0);
  return {value, arith::SelectOp::create(b, loc, ambiguous, either, bound)};
}

FailureOr<Scalar>
ScalarEmitter::emitReferenceConversion(Operation *op,
                                       ArrayRef<Scalar> operands) {
  Location loc = op->getLoc();
  Type result = op->getResult(0).getType();
  Value x = operands[0].value, bound = operands[0].bound;
  if (isa<arith::ExtFOp>(op))
    return Scalar{x, bound};
  if (isa<arith::TruncFOp>(op))
    return round(loc, {x, bound}, cast<FloatType>(result), 1, true);
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op)) {
    Value value;
    if (isa<arith::SIToFPOp>(op))
      value = arith::SIToFPOp::create(b, loc, b.getF64Type(), x);
    else
      value = arith::UIToFPOp::create(b, loc, b.getF64Type(), x);
    // Integers that fit the significand convert exactly.
    auto type = cast<FloatType>(result);
    unsigned bits = x.getType().getIntOrFloatBitWidth();
    if (bits < llvm::APFloat::semanticsPrecision(type.getFloatSemantics()))
      return Scalar{value, bound};
    return round(loc, {value, bound}, type, 1, true);
  }
  auto convert = [&](Value v) -> Value {
    if (isa<arith::FPToSIOp>(op))
      return arith::FPToSIOp::create(b, loc, result, v);
    return arith::FPToUIOp::create(b, loc, result, v);
  };
  Value value = convert(x);
  if (!bound)
    return Scalar{value, {}};
  Value high =
      math::TruncOp::create(b, loc, arith::AddFOp::create(b, loc, x, bound));
  Value low =
      math::TruncOp::create(b, loc, arith::SubFOp::create(b, loc, x, bound));
  return Scalar{value, gap(b, loc, high, low)};
}

FailureOr<Scalar>
ScalarEmitter::emitReferenceInteger(Operation *op, ArrayRef<Scalar> operands) {
  if (!isa<arith::ArithDialect, math::MathDialect>(op->getDialect()))
    return op->emitError("is not supported inside a computation");
  Location loc = op->getLoc();
  SmallVector<Value> values;
  bool exact = true;
  for (const Scalar &operand : operands) {
    values.push_back(operand.value);
    exact &= !operand.bound;
  }
  OperationState state(loc, op->getName());
  state.addOperands(values);
  state.addTypes(op->getResultTypes());
  if (Attribute properties = op->getPropertiesAsAttribute())
    state.propertiesAttr = properties;
  Value value = b.create(state)->getResult(0);
  if (exact)
    return Scalar{value, {}};
  if (operands.size() == 1 && !isa<arith::BitcastOp>(op))
    return Scalar{value, operands[0].bound};
  Value first = boundOrZero(loc, operands[0]);
  Value second =
      operands.size() > 1 ? boundOrZero(loc, operands[1]) : f64(loc, 0);
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return Scalar{value, arith::AddFOp::create(b, loc, first, second)};
  if (isa<arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp>(op) ||
      value.getType().isInteger(1))
    return Scalar{value, arith::MaximumFOp::create(b, loc, first, second)};
  // Anything else tells nothing once an operand is uncertain.
  Value sum = arith::AddFOp::create(b, loc, first, second);
  Value uncertain = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT,
                                          sum, f64(loc, 0));
  Value bound = arith::SelectOp::create(b, loc, uncertain, f64(loc, INFINITY),
                                        f64(loc, 0));
  return Scalar{value, bound};
}
