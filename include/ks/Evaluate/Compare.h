//===- Compare.h - Results against the reference ----------------*- C++ -*-===//
//
// The numbers rule: a float is right within 4 times the reference's running
// error bound, an integer within that bound (0 is exact); NaN where the
// reference has NaN, infinities where it has them or where the element type
// cannot hold the value.
//
//===----------------------------------------------------------------------===//
#ifndef KS_EVALUATE_COMPARE_H
#define KS_EVALUATE_COMPARE_H

#include "ks/Base/Tensor.h"

#include <string>

namespace mlir::ks {

/// What a comparison found. `error` and `allowed` are those of the element
/// where their ratio is greatest.
struct OutputCheck {
  int64_t elements = 0;
  int64_t compared = 0;
  int64_t misses = 0;
  int64_t unbounded = 0; ///< Compared ones for which the bound says nothing,
  double unboundedError = 0; ///< and the largest error among them.
  int64_t worst = -1;        ///< Index of that element.
  double error = 0;
  double allowed = 0;
  double got = 0;      ///< What stands there,
  double expected = 0; ///< and what should.

  bool passed() const { return misses == 0; }
  /// "max error 1.2e-07 allowed 3.4e-07 ok", or "... MISS (3 of 15)"
  std::string describe() const;
};

/// The factor between the error bound and the allowed error.
constexpr double allowedBounds = 4;

/// Compares every element. `expected` has the elements of `actual` in its own
/// element type or a wider one (of a complex number, two values in a row);
/// `bound` is f64 with one value for each, or empty: exact. `first` is the
/// index of the tensors' first element in the whole output, for messages.
OutputCheck compareOutput(const Tensor &actual, const Tensor &expected,
                          const Tensor &bound, int64_t first = 0);

/// Takes `part`, a comparison of more elements of the same output, into
/// `whole`.
void merge(OutputCheck &whole, const OutputCheck &part);

} // namespace mlir::ks

#endif // KS_EVALUATE_COMPARE_H
