//===- IntegerRanges.h - Ranges of integers in a tensor graph ---*- C++ -*-===//
//
// A range analysis on demand for index arithmetic: of a scalar in the body of a
// structured operation, or of all elements of a tensor. It knows the sizes of
// loops, constants, and through which operations elements pass unchanged.
//
//===----------------------------------------------------------------------===//
#ifndef KS_NORMALIZE_INTEGERRANGES_H
#define KS_NORMALIZE_INTEGERRANGES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Value.h"

#include <optional>

namespace mlir::ks {

/// An interval of signed values, both ends included. An i1 is 0 or 1.
struct IntegerRange {
  int64_t low, high;

  bool operator==(const IntegerRange &) const = default;
};

/// Holds results between queries; use one as long as the IR does not change.
class IntegerRanges {
public:
  /// The range of a scalar integer or index, or of a tensor's elements: that of
  /// the type if no more is known, none if it is no integer of at most 64 bits.
  std::optional<IntegerRange> of(Value value);

private:
  std::optional<IntegerRange> compute(Value value);
  std::optional<IntegerRange> ofArgument(BlockArgument argument);
  std::optional<IntegerRange> ofTensor(OpResult result);
  std::optional<IntegerRange> ofScalar(Operation *op);
  std::optional<IntegerRange> ofSelect(Operation *op);
  std::optional<IntegerRange> ofCompare(Operation *op);
  std::optional<IntegerRange> ofInit(linalg::LinalgOp op, unsigned index);
  std::optional<IntegerRange> hull(ValueRange values);

  /// `of` where `value`'s range is known to be `range`.
  std::optional<IntegerRange> under(Value assumed, IntegerRange range,
                                    Value value);

  DenseMap<Value, std::optional<IntegerRange>> known;
  SmallVector<std::pair<Value, IntegerRange>> assumptions;
  unsigned depth = 0;
};

} // namespace mlir::ks

#endif // KS_NORMALIZE_INTEGERRANGES_H
