//===- ReferenceScalar.cpp - Float64 scalars with an error bound ----------===//
//
// The reference domain's floats: value and first-order running error bound of
// each operation. Math functions count the maximal error, in units in the last
// place, that the CUDA C++ Programming Guide gives for the float32 function
// (section "Mathematical Functions"), since those are what a kernel calls.
//
//===----------------------------------------------------------------------===//

#include "Scalar.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::ks;

double mlir::ks::unitRoundoff(FloatType type) {
  // The significand's precision counts the hidden bit.
  unsigned precision =
      llvm::APFloat::semanticsPrecision(type.getFloatSemantics());
  return std::ldexp(1.0, -static_cast<int>(precision));
}

/// Largest error of CUDA's float32 function of that name, in units in the last
/// place; 1 for what is correctly rounded.
static double errorInUlps(StringRef name) {
  return llvm::StringSwitch<double>(name)
      .Cases({"math.exp", "math.exp2", "math.log10"}, 2)
      .Cases({"math.sin", "math.cos", "math.tanh", "math.erf", "math.rsqrt"}, 2)
      .Cases({"math.tan", "math.powf", "math.fpowi", "math.erfc"}, 4)
      .Cases({"math.atan", "math.asin", "math.acos", "math.cosh"}, 2)
      .Cases(
          {"math.atan2", "math.sinh", "math.asinh", "math.atanh", "math.acosh"},
          4)
      .Default(1);
}

Value ScalarEmitter::absolute(Location loc, Value value) {
  if (isa<FloatType>(value.getType()))
    return math::AbsFOp::create(b, loc, value);
  return complex::AbsOp::create(b, loc, value);
}

Value ScalarEmitter::settle(Location loc, Value bound, Value value) {
  Value isNaN =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, bound, bound);
  Value magnitude = absolute(loc, value);
  Value infinity = f64(loc, INFINITY);
  Value finite = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT,
                                       magnitude, infinity);
  Value instead =
      arith::SelectOp::create(b, loc, finite, infinity, f64(loc, 0.0));
  return arith::SelectOp::create(b, loc, isNaN, instead, bound);
}

Scalar ScalarEmitter::round(Location loc, Scalar scalar, FloatType type,
                            double factor, bool exactIfRepresentable,
                            Value mostError) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  double u = unitRoundoff(type);
  auto select = [&](Value condition, Value yes, Value no) -> Value {
    return arith::SelectOp::create(b, loc, condition, yes, no);
  };
  auto compare = [&](arith::CmpFPredicate predicate, Value x,
                     Value y) -> Value {
    return arith::CmpFOp::create(b, loc, predicate, x, y);
  };
  auto add = [&](Value x, Value y) -> Value {
    return arith::AddFOp::create(b, loc, x, y);
  };
  Value zero = f64(loc, 0), infinity = f64(loc, INFINITY);
  Value magnitude = math::AbsFOp::create(b, loc, scalar.value);

  // Below the normal numbers the error is half the least subnormal.
  double least = APFloat::getSmallest(semantics).convertToDouble() / 2 * factor;
  Value error =
      add(arith::MulFOp::create(b, loc, magnitude, f64(loc, u * factor)),
          f64(loc, least));
  if (mostError)
    error = arith::MinNumFOp::create(b, loc, error, mostError);
  // A result that needs no rounding gets none, as long as it is certain.
  if (exactIfRepresentable && !type.isF64()) {
    Value narrow = arith::TruncFOp::create(b, loc, type, scalar.value);
    Value back = arith::ExtFOp::create(b, loc, b.getF64Type(), narrow);
    Value exact = compare(arith::CmpFPredicate::OEQ, back, scalar.value);
    if (scalar.bound) {
      Value certain = compare(arith::CmpFPredicate::OEQ, scalar.bound, zero);
      exact = arith::AndIOp::create(b, loc, exact, certain);
    }
    error = select(exact, zero, error);
  }
  Value bound = scalar.bound ? add(scalar.bound, error) : error;

  if (!type.isF64()) {
    // Half a unit above the largest finite number rounds to infinity.
    double largest = APFloat::getLargest(semantics).convertToDouble();
    Value limit = f64(loc, largest * (1 + u / 2));
    Value over = compare(arith::CmpFPredicate::OGE, magnitude, limit);
    Value overBound = zero;
    if (scalar.bound) {
      // Whether a number within its bound of the limit does is not known.
      Value gap = math::AbsFOp::create(
          b, loc, arith::SubFOp::create(b, loc, magnitude, limit));
      Value reach = arith::MulFOp::create(b, loc, scalar.bound, f64(loc, 4));
      Value near = compare(arith::CmpFPredicate::OLE, gap, reach);
      Value isInfinite =
          compare(arith::CmpFPredicate::OEQ, magnitude, infinity);
      overBound = select(isInfinite, zero, select(near, infinity, zero));
      bound = select(near, infinity, bound);
    }
    Value signedInfinity =
        math::CopySignOp::create(b, loc, infinity, scalar.value);
    scalar.value = select(over, signedInfinity, scalar.value);
    bound = select(over, overBound, bound);
  }
  // The bound of what is infinite, or NaN, is moot.
  Value finite = compare(arith::CmpFPredicate::OLT, magnitude, infinity);
  scalar.bound = select(finite, bound, zero);
  return scalar;
}

FailureOr<Scalar> ScalarEmitter::emitReference(Operation *op,
                                               ArrayRef<Scalar> operands) {
  if (isa<arith::CmpFOp, arith::CmpIOp>(op))
    return emitReferenceCompare(op, operands);
  if (isa<arith::SelectOp>(op))
    return emitReferenceSelect(op, operands);
  if (isa<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp,
          arith::FPToSIOp, arith::FPToUIOp>(op))
    return emitReferenceConversion(op, operands);
  if (isa<complex::ComplexDialect>(op->getDialect()))
    return emitReferenceComplex(op, operands);
  Type type = op->getResult(0).getType();
  if (isa<FloatType>(type) &&
      isa<arith::ArithDialect, math::MathDialect>(op->getDialect()))
    return emitReferenceFloat(op, operands);
  if (isa<IntegerType, IndexType>(type))
    return emitReferenceInteger(op, operands);
  return op->emitError("is not supported inside a computation");
}

FailureOr<Scalar> ScalarEmitter::emitReferenceFloat(Operation *op,
                                                    ArrayRef<Scalar> operands) {
  Location loc = op->getLoc();
  auto type = cast<FloatType>(op->getResult(0).getType());
  StringRef name = op->getName().getStringRef();
  Type f64Type = b.getF64Type();
  auto make = [&](StringRef opName, ValueRange values) -> Value {
    OperationState state(loc, opName);
    state.addOperands(values);
    state.addTypes(f64Type);
    return b.create(state)->getResult(0);
  };
  auto mul = [&](Value x, Value y) { return make("arith.mulf", {x, y}); };
  auto add = [&](Value x, Value y) { return make("arith.addf", {x, y}); };
  auto div = [&](Value x, Value y) { return make("arith.divf", {x, y}); };
  auto abs = [&](Value x) { return make("math.absf", {x}); };
  auto minimum = [&](Value x, Value y) {
    return make("arith.minnumf", {x, y});
  };
  auto maximum = [&](Value x, Value y) {
    return make("arith.maximumf", {x, y});
  };
  /// x * bound, or null where the bound is.
  auto scale = [&](Value x, Value bound) {
    return bound ? mul(x, bound) : Value();
  };
  auto sum = [&](Value x, Value y) { return !x ? y : !y ? x : add(x, y); };

  Value x = operands[0].value, bx = operands[0].bound;
  Value y = operands.size() > 1 ? operands[1].value : Value();
  Value by = operands.size() > 1 ? operands[1].bound : Value();

  // Exact operations: the sign, and a choice of operands.
  if (isa<arith::NegFOp, math::AbsFOp>(op))
    return Scalar{make(name, {x}), bx};
  if (isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
          arith::MinNumFOp>(op)) {
    Value bound;
    if (bx || by) {
      // The bound of the one that is certain to be taken, else the larger.
      Value left = boundOrZero(loc, operands[0]);
      Value right = boundOrZero(loc, operands[1]);
      Value gap = make("arith.subf", {x, y});
      if (isa<arith::MinimumFOp, arith::MinNumFOp>(op))
        gap = make("arith.negf", {gap});
      Value reach = add(left, right);
      Value takesLeft =
          arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, gap, reach);
      Value takesRight = arith::CmpFOp::create(
          b, loc, arith::CmpFPredicate::OLT, gap, make("arith.negf", {reach}));
      bound = arith::SelectOp::create(b, loc, takesRight, right,
                                      maximum(left, right));
      bound = arith::SelectOp::create(b, loc, takesLeft, left, bound);
    }
    return Scalar{make(name, {x, y}), bound};
  }
  if (isa<math::CopySignOp>(op))
    return Scalar{make(name, {x, y}), bx};
  // Steps: what the ends of the interval give.
  if (isa<math::FloorOp, math::CeilOp, math::RoundOp, math::RoundEvenOp,
          math::TruncOp>(op)) {
    Value value = make(name, {x});
    if (!bx)
      return Scalar{value, {}};
    Value high = make(name, {add(x, bx)}),
          low = make(name, {make("arith.subf", {x, bx})});
    return Scalar{value, settle(loc, make("arith.subf", {high, low}), value)};
  }

  Value value;
  if (auto power = dyn_cast<math::FPowIOp>(op)) {
    Value exponent = arith::SIToFPOp::create(b, loc, f64Type, y);
    value = make("math.powf", {x, exponent});
    y = exponent;
    by = {};
    name = "math.powf";
  } else {
    SmallVector<Value> values;
    for (const Scalar &operand : operands)
      values.push_back(operand.value);
    value = make(name, values);
  }

  Value bound;
  if (name == "arith.addf" || name == "arith.subf") {
    bound = sum(bx, by);
  } else if (name == "arith.mulf") {
    bound = sum(scale(abs(y), bx), scale(abs(x), by));
    // Where both have cancelled the product of the doubts is what is left.
    if (bx && by)
      bound = add(bound, mul(f64(loc, 4), mul(bx, by)));
  } else if (name == "arith.divf") {
    Value part = sum(bx, scale(abs(value), by));
    bound = part ? div(part, abs(y)) : Value();
  } else if (name == "math.fma") {
    bound = sum(sum(scale(abs(y), bx), scale(abs(x), by)), operands[2].bound);
  } else if (name == "math.powf") {
    Value base = scale(abs(div(y, x)), bx), exponent;
    if (by)
      exponent = mul(abs(make("math.log", {abs(x)})), by);
    Value part = sum(base, exponent);
    bound = part ? mul(abs(value), part) : Value();
  } else if (name == "math.atan2") {
    Value square = add(mul(x, x), mul(y, y));
    Value part = sum(scale(abs(y), bx), scale(abs(x), by));
    bound = part ? div(part, square) : Value();
  } else if (name == "arith.remf") {
    bound = bx || by ? f64(loc, INFINITY) : Value();
  } else if (bx) {
    // Functions of one argument: |f'(x)| times the bound.
    Value one = f64(loc, 1.0), slope;
    Value square = mul(x, x), squared = mul(value, value);
    if (name == "math.exp") // Its growth is no matter of first order.
      bound = mul(abs(value), make("math.expm1", {bx}));
    else if (name == "math.exp2")
      bound = mul(abs(value), make("math.expm1", {mul(bx, f64(loc, M_LN2))}));
    else if (name == "math.expm1")
      slope = add(abs(value), one);
    else if (name == "math.log")
      slope = div(one, abs(x));
    else if (name == "math.log2")
      slope = div(f64(loc, M_LOG2E), abs(x));
    else if (name == "math.log10")
      slope = div(f64(loc, M_LOG10E), abs(x));
    else if (name == "math.log1p")
      slope = div(one, abs(add(x, one)));
    else if (name == "math.rsqrt")
      slope = div(mul(f64(loc, 0.5), abs(value)), abs(x));
    else if (name == "math.sin" || name == "math.cos" || name == "math.atan" ||
             name == "math.asinh")
      slope = one;
    else if (name == "math.tan")
      slope = add(one, squared);
    else if (name == "math.tanh")
      slope = abs(make("arith.subf", {one, squared}));
    else if (name == "math.erf" || name == "math.erfc")
      slope = mul(f64(loc, M_2_SQRTPI),
                  make("math.exp", {make("arith.negf", {square})}));
    else if (name == "math.sinh" || name == "math.cosh")
      slope = add(abs(value), one);
    else if (name == "math.cbrt")
      slope = div(f64(loc, 1.0 / 3), squared);
    else if (name == "math.sqrt") {
      // At zero the derivative is no guide: the root of the bound is.
      Value root = make("math.sqrt", {bx});
      Value linear = div(mul(f64(loc, 0.5), bx), value);
      bound = make("arith.minnumf", {root, linear});
    } else if (name == "math.asin" || name == "math.acos" ||
               name == "math.acosh" || name == "math.atanh")
      slope = f64(loc, INFINITY);
    else
      return op->emitError("has no error bound in the reference");
    if (slope)
      bound = mul(slope, bx);
  } else if (!isa<math::ExpOp, math::Exp2Op, math::ExpM1Op, math::LogOp,
                  math::Log2Op, math::Log10Op, math::Log1pOp, math::RsqrtOp,
                  math::SqrtOp, math::SinOp, math::CosOp, math::TanOp,
                  math::TanhOp, math::ErfOp, math::ErfcOp, math::SinhOp,
                  math::CoshOp, math::CbrtOp, math::AtanOp, math::AsinOp,
                  math::AcosOp, math::AsinhOp, math::AcoshOp, math::AtanhOp>(
                 op)) {
    return op->emitError("is not supported inside a computation");
  }
  // Next to a pole the slope is no guide: a number that may be zero has any
  // logarithm or reciprocal.
  bool hasPole = isa<math::LogOp, math::Log2Op, math::Log10Op, math::Log1pOp,
                     math::RsqrtOp, math::PowFOp, math::FPowIOp>(op);
  Value doubt = isa<arith::DivFOp>(op) ? by : hasPole ? bx : Value();
  if (doubt) {
    Value gap = isa<arith::DivFOp>(op)   ? y
                : isa<math::Log1pOp>(op) ? add(x, f64(loc, 1))
                                         : x;
    Value reaches = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT,
                                          abs(gap), mul(doubt, f64(loc, 4)));
    bound = arith::SelectOp::create(b, loc, reaches, f64(loc, INFINITY), bound);
  }
  if (bound && !isa<arith::AddFOp, arith::SubFOp>(op))
    bound = settle(loc, bound, value);
  bool isArithmetic = isa<arith::ArithDialect>(op->getDialect());
  // A sum is rounded to the nearest number, so by no more than it takes to lose
  // one operand: a mask's -3e38 swallows what is added to it.
  Value mostError;
  if (isa<arith::AddFOp, arith::SubFOp>(op)) {
    Value first = bx ? add(abs(x), bx) : abs(x);
    Value second = by ? add(abs(y), by) : abs(y);
    mostError = minimum(first, second);
  }
  Scalar result =
      round(loc, {value, bound}, type,
            errorInUlps(op->getName().getStringRef()), isArithmetic, mostError);
  // What comes of the unknown is unknown even if it is infinite or NaN; and so
  // is infinity times, or over, what may be zero or of either sign, and the
  // value at a pole of what may lie beside it.
  bool scales = isa<arith::MulFOp, arith::DivFOp>(op) || hasPole;
  Value finite = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT,
                                       abs(result.value), f64(loc, INFINITY));
  for (const Scalar &operand : operands) {
    if (!operand.bound)
      continue;
    Value limit = scales ? mul(operand.bound, f64(loc, 4)) : operand.bound;
    Value against = scales
                        ? minimum(abs(operand.value),
                                  f64(loc, std::numeric_limits<double>::max()))
                        : f64(loc, std::numeric_limits<double>::max());
    Value unsure = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT,
                                         against, limit);
    Value unknown = arith::SelectOp::create(b, loc, unsure, f64(loc, INFINITY),
                                            result.bound);
    result.bound =
        arith::SelectOp::create(b, loc, finite, result.bound, unknown);
  }
  return result;
}

FailureOr<Scalar>
ScalarEmitter::emitReferenceComplex(Operation *op, ArrayRef<Scalar> operands) {
  Location loc = op->getLoc();
  Type resultType = op->getResult(0).getType();
  SmallVector<Value> values;
  Value bound;
  for (const Scalar &operand : operands) {
    values.push_back(operand.value);
    if (operand.bound)
      bound =
          bound
              ? arith::AddFOp::create(b, loc, bound, operand.bound).getResult()
              : operand.bound;
  }
  OperationState state(loc, op->getName());
  state.addOperands(values);
  state.addTypes(computeType(resultType));
  if (Attribute properties = op->getPropertiesAsAttribute())
    state.propertiesAttr = properties;
  Value value = b.create(state)->getResult(0);
  if (isa<complex::CreateOp, complex::ReOp, complex::ImOp, complex::NegOp,
          complex::ConjOp>(op))
    return Scalar{value, bound};
  if (isa<complex::EqualOp, complex::NotEqualOp>(op))
    return Scalar{value, bound ? f64(loc, 1.0) : Value()};
  FloatType part =
      isa<ComplexType>(resultType)
          ? cast<FloatType>(cast<ComplexType>(resultType).getElementType())
          : cast<FloatType>(resultType);
  auto scaled = [&](const Scalar &other, Value by) -> Value {
    return arith::MulFOp::create(b, loc, absolute(loc, other.value), by);
  };
  if (isa<complex::MulOp>(op) && bound) {
    Value left = scaled(operands[1], boundOrZero(loc, operands[0]));
    Value right = scaled(operands[0], boundOrZero(loc, operands[1]));
    bound = arith::AddFOp::create(b, loc, left, right);
  } else if (isa<complex::DivOp>(op) && bound) {
    Value right = arith::MulFOp::create(b, loc, absolute(loc, value),
                                        boundOrZero(loc, operands[1]));
    Value top =
        arith::AddFOp::create(b, loc, boundOrZero(loc, operands[0]), right);
    bound =
        arith::DivFOp::create(b, loc, top, absolute(loc, operands[1].value));
  } else if (isa<complex::ExpOp>(op) && bound) {
    bound = arith::MulFOp::create(b, loc, absolute(loc, value), bound);
  } else if (!isa<complex::AddOp, complex::SubOp, complex::AbsOp>(op) &&
             bound) {
    bound = f64(loc, INFINITY);
  }
  if (bound)
    bound = settle(loc, bound, value);
  // The modulus' own rounding: a few roundings of the parts.
  Value unit = f64(loc, 4 * unitRoundoff(part));
  Value error = arith::MulFOp::create(b, loc, absolute(loc, value), unit);
  bound =
      bound ? arith::AddFOp::create(b, loc, bound, error).getResult() : error;
  return Scalar{value, bound};
}
