//===- Origin.h - Where the elements of a rearranged tensor are -*- C++ -*-===//
//
// A transpose, a broadcast, a flip or a copy only says where an element is
// found. This reads it off the operation.
//
//===----------------------------------------------------------------------===//
#ifndef KS_LIB_NORMALIZE_ORIGIN_H
#define KS_LIB_NORMALIZE_ORIGIN_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Value.h"

#include <optional>

namespace mlir::ks {

struct Origin {
  Value source;
  AffineMap map; ///< From the indices of the tensor to those of `source`.
};

/// The origin of the elements of `tensor`, if a transpose, a broadcast or an
/// elementwise linalg.generic that yields an input makes it.
std::optional<Origin> originOf(Value tensor);

} // namespace mlir::ks

#endif // KS_LIB_NORMALIZE_ORIGIN_H
