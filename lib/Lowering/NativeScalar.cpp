//===- NativeScalar.cpp - Scalars as the program declares them ------------===//
//
// The native domain: operations are cloned. Math functions of half types are
// computed in float32 and rounded once.
//
//===----------------------------------------------------------------------===//

#include "Scalar.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::ks;

static bool isHalf(Type type) { return type.isF16() || type.isBF16(); }

Type ScalarEmitter::computeType(Type type) const {
  if (domain == Domain::Native)
    return type;
  if (isa<FloatType>(type))
    return b.getF64Type();
  if (isa<ComplexType>(type))
    return ComplexType::get(b.getF64Type());
  return type;
}

Value ScalarEmitter::f64(Location loc, double value) {
  return arith::ConstantOp::create(b, loc, b.getF64FloatAttr(value));
}

Value ScalarEmitter::boundOrZero(Location loc, const Scalar &scalar) {
  return scalar.bound ? scalar.bound : f64(loc, 0.0);
}

Scalar ScalarEmitter::constant(Location loc, Type type, Attribute value) {
  Type compute = computeType(type);
  if (auto complexType = dyn_cast<ComplexType>(compute)) {
    SmallVector<Attribute> parts;
    for (Attribute part : cast<ArrayAttr>(value))
      parts.push_back(b.getFloatAttr(complexType.getElementType(),
                                     cast<FloatAttr>(part).getValueAsDouble()));
    return {complex::ConstantOp::create(b, loc, compute, b.getArrayAttr(parts)),
            {}};
  }
  if (auto number = dyn_cast<FloatAttr>(value); number && compute != type) {
    APFloat wide = number.getValue();
    bool lossy;
    wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
    return {arith::ConstantOp::create(b, loc, b.getFloatAttr(compute, wide)),
            {}};
  }
  return {arith::ConstantOp::create(b, loc, cast<TypedAttr>(value)), {}};
}

Scalar ScalarEmitter::zero(Location loc, Type type) {
  Type compute = computeType(type);
  if (auto complexType = dyn_cast<ComplexType>(compute)) {
    Attribute part = b.getFloatAttr(complexType.getElementType(), 0.0);
    return {complex::ConstantOp::create(b, loc, compute,
                                        b.getArrayAttr({part, part})),
            {}};
  }
  return {arith::ConstantOp::create(b, loc, b.getZeroAttr(compute)), {}};
}

/// The divisor of an integer division, made harmless: a CPU stops the process
/// at a division by zero or one that overflows, which the graph leaves
/// undefined. By one instead, the latter gives the wrapped quotient.
static Value harmlessDivisor(OpBuilder &b, Location loc, Value dividend,
                             Value divisor, bool isSigned) {
  Type type = divisor.getType();
  auto constant = [&](TypedAttr value) -> Value {
    return arith::ConstantOp::create(b, loc, value);
  };
  auto equals = [&](Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x, y);
  };
  Value harmful = equals(divisor, constant(b.getZeroAttr(type)));
  auto integer = dyn_cast<IntegerType>(type);
  if (isSigned && integer) {
    unsigned width = integer.getWidth();
    Value most =
        constant(b.getIntegerAttr(type, APInt::getSignedMinValue(width)));
    Value minusOne = constant(b.getIntegerAttr(type, APInt::getAllOnes(width)));
    Value overflows = arith::AndIOp::create(b, loc, equals(dividend, most),
                                            equals(divisor, minusOne));
    harmful = arith::OrIOp::create(b, loc, harmful, overflows);
  }
  return arith::SelectOp::create(b, loc, harmful, constant(b.getOneAttr(type)),
                                 divisor);
}

FailureOr<SmallVector<Scalar>> ScalarEmitter::emit(Operation *op,
                                                   ArrayRef<Scalar> operands) {
  bool isSigned = isa<arith::DivSIOp, arith::RemSIOp, arith::FloorDivSIOp,
                      arith::CeilDivSIOp>(op);
  SmallVector<Scalar, 2> divided;
  if (isSigned || isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op)) {
    divided.assign(operands.begin(), operands.end());
    divided[1].value = harmlessDivisor(b, op->getLoc(), operands[0].value,
                                       operands[1].value, isSigned);
    operands = divided;
  }
  if (op->getNumRegions() != 0 || op->getNumResults() == 0)
    return op->emitError("is not supported inside a computation");
  if (auto constantOp = dyn_cast<arith::ConstantOp>(op))
    return SmallVector<Scalar>{
        constant(op->getLoc(), constantOp.getType(), constantOp.getValue())};
  if (auto constantOp = dyn_cast<complex::ConstantOp>(op))
    return SmallVector<Scalar>{
        constant(op->getLoc(), constantOp.getType(), constantOp.getValue())};
  if (domain == Domain::Native)
    return emitNative(op, operands);
  FailureOr<Scalar> scalar = emitReference(op, operands);
  if (failed(scalar))
    return failure();
  return SmallVector<Scalar>{*scalar};
}

FailureOr<SmallVector<Scalar>>
ScalarEmitter::emitNative(Operation *op, ArrayRef<Scalar> operands) {
  if (!isa<arith::ArithDialect, math::MathDialect, complex::ComplexDialect>(
          op->getDialect()))
    return op->emitError("is not supported inside a computation");
  Location loc = op->getLoc();
  SmallVector<Value> values;
  for (const Scalar &operand : operands)
    values.push_back(operand.value);

  if (auto power = dyn_cast<math::FPowIOp>(op)) {
    // Powers with an integer exponent beyond what normalisation unrolls.
    Type type = power.getType(), wide = isHalf(type) ? b.getF32Type() : type;
    Value base = values[0];
    if (wide != type)
      base = arith::ExtFOp::create(b, loc, wide, base);
    Value exponent = arith::SIToFPOp::create(b, loc, wide, values[1]);
    Value result = math::PowFOp::create(b, loc, base, exponent);
    if (wide != type)
      result = arith::TruncFOp::create(b, loc, type, result);
    return SmallVector<Scalar>{{result, {}}};
  }

  bool widen = isa<math::MathDialect>(op->getDialect()) &&
               op->getNumResults() == 1 && isHalf(op->getResult(0).getType());
  if (widen)
    for (Value &value : values)
      if (isHalf(value.getType()))
        value = arith::ExtFOp::create(b, loc, b.getF32Type(), value);

  OperationState state(loc, op->getName());
  state.addOperands(values);
  state.addAttributes(op->getAttrs());
  if (Attribute properties = op->getPropertiesAsAttribute())
    state.propertiesAttr = properties;
  if (widen)
    state.addTypes(b.getF32Type());
  else
    state.addTypes(op->getResultTypes());
  Operation *created = b.create(state);
  SmallVector<Scalar> results;
  for (Value result : created->getResults()) {
    if (widen)
      result =
          arith::TruncFOp::create(b, loc, op->getResult(0).getType(), result);
    results.push_back({result, {}});
  }
  return results;
}
