//===- AffineIndices.h - Computed indices as affine expressions -*- C++ -*-===//
//
// Index arithmetic in the body of a structured operation, read back as affine
// expressions of the loops: through casts, constants that form a sequence, and
// the operations that computed an operand from indices alone.
//
//===----------------------------------------------------------------------===//
#ifndef KS_LIB_NORMALIZE_AFFINEINDICES_H
#define KS_LIB_NORMALIZE_AFFINEINDICES_H

#include "ks/Normalize/IntegerRanges.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AffineExpr.h"

#include <optional>

namespace mlir::ks {

/// Reads scalars in the body of one operation of static loops, none of which is
/// empty. Expressions are exact: every division is of what is not negative, and
/// nothing wraps around. A loop of one iteration is the constant 0.
class AffineIndices {
public:
  explicit AffineIndices(linalg::LinalgOp op);

  /// The integer `value`, or the floor of a float that is not negative, as an
  /// expression of the loops; null if it is none.
  AffineExpr of(Value value) { return scalar(value, op, identity); }

  /// The least and the greatest value of an expression over all iterations.
  IntegerRange rangeOf(AffineExpr expr) const;

private:
  using Loops = ArrayRef<AffineExpr>;
  AffineExpr scalar(Value value, linalg::LinalgOp parent, Loops loops);
  AffineExpr arithmetic(Operation *op, linalg::LinalgOp parent, Loops loops);
  AffineExpr choice(Operation *op, linalg::LinalgOp parent, Loops loops);
  AffineExpr whole(Value value, linalg::LinalgOp parent, Loops loops);
  AffineExpr floorOf(Value value, linalg::LinalgOp parent, Loops loops);
  AffineExpr element(Value tensor, ArrayRef<AffineExpr> at);
  AffineExpr elementOfView(Operation *view, ArrayRef<AffineExpr> at);
  AffineExpr constant(int64_t value) const;
  AffineExpr divide(AffineExpr lhs, int64_t rhs) const;
  AffineExpr remainder(AffineExpr lhs, int64_t rhs) const;
  std::optional<bool> compare(Operation *op, linalg::LinalgOp parent,
                              Loops loops);
  bool fits(AffineExpr expr, Type type) const;

  linalg::LinalgOp op;
  SmallVector<int64_t> sizes;
  SmallVector<AffineExpr> identity;
  unsigned depth = 0;
};

} // namespace mlir::ks

#endif // KS_LIB_NORMALIZE_AFFINEINDICES_H
