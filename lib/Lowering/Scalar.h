//===- Scalar.h - Scalars in one of two number domains ----------*- C++ -*-===//
//
// The plain lowering computes with scalars in one of two domains. In the native
// domain a scalar is a value of its own type. In the reference domain a float
// is a float64 value and a running bound of its absolute error: each operation
// adds u|y| and the operands' bounds times |dy/dx| to first order, with u the
// unit roundoff of the type that the program declares. Integers and bools are
// exact values whose bound says by how much a comparison within its operands'
// bounds could have changed them. A complex number's bound is one of its
// modulus.
//
//===----------------------------------------------------------------------===//
#ifndef KS_LIB_LOWERING_SCALAR_H
#define KS_LIB_LOWERING_SCALAR_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"

namespace mlir::ks {

enum class Domain { Native, Reference };

struct Scalar {
  Value value;
  Value bound; ///< float64; null if exact (always, in the native domain).
};

/// Unit roundoff of a float type: half the distance of 1 to the next number.
double unitRoundoff(FloatType type);

class ScalarEmitter {
public:
  ScalarEmitter(OpBuilder &builder, Domain domain)
      : b(builder), domain(domain) {}

  Domain getDomain() const { return domain; }
  /// The type in which a scalar of `type` is computed.
  Type computeType(Type type) const;

  /// The scalar operation `op` (arith, math, complex) on `operands`. Emits an
  /// error that names the operation if it is not known.
  FailureOr<SmallVector<Scalar>> emit(Operation *op, ArrayRef<Scalar> operands);

  /// A constant of `type`: a number's attribute, or a complex one's two parts.
  Scalar constant(Location loc, Type type, Attribute value);
  Scalar zero(Location loc, Type type);
  /// The bound, a zero where it is null.
  Value boundOrZero(Location loc, const Scalar &scalar);
  Value f64(Location loc, double value);

  /// How far apart two scalars can be: |x - y| and the larger bound, in
  /// float64.
  Value distance(Location loc, const Scalar &x, const Scalar &y);

  /// `scalar`, just computed in float64, rounded to `type`: overflow becomes
  /// infinity, and `factor` * u|y| goes on the bound; with
  /// `exactIfRepresentable` not where the value is certain and a number of
  /// `type`.
  Scalar round(Location loc, Scalar scalar, FloatType type, double factor = 1,
               bool exactIfRepresentable = false, Value mostError = {});

private:
  FailureOr<SmallVector<Scalar>> emitNative(Operation *op,
                                            ArrayRef<Scalar> operands);
  FailureOr<Scalar> emitReference(Operation *op, ArrayRef<Scalar> operands);
  FailureOr<Scalar> emitReferenceFloat(Operation *op,
                                       ArrayRef<Scalar> operands);
  FailureOr<Scalar> emitReferenceInteger(Operation *op,
                                         ArrayRef<Scalar> operands);
  FailureOr<Scalar> emitReferenceComplex(Operation *op,
                                         ArrayRef<Scalar> operands);
  FailureOr<Scalar> emitReferenceConversion(Operation *op,
                                            ArrayRef<Scalar> operands);
  Scalar emitReferenceCompare(Operation *op, ArrayRef<Scalar> operands);
  Scalar emitReferenceSelect(Operation *op, ArrayRef<Scalar> operands);
  /// A bound that is NaN says nothing of a finite value, and is moot for
  /// others.
  Value settle(Location loc, Value bound, Value value);
  Value absolute(Location loc, Value value);

  OpBuilder &b;
  Domain domain;
};

} // namespace mlir::ks

#endif // KS_LIB_LOWERING_SCALAR_H
