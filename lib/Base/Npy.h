//===- Npy.h - The header of NumPy's array files ----------------*- C++ -*-===//
//
// numpy.lib.format, versions 1.0 to 3.0: a magic string, a length and a Python
// dictionary that gives the element type, the order and the shape.
//
//===----------------------------------------------------------------------===//
#ifndef KS_BASE_NPY_H
#define KS_BASE_NPY_H

#include "ks/Base/Tensor.h"

#include <functional>
#include <string>

namespace mlir::ks {

struct NpyHeader {
  DType dtype = DType::F32;
  bool fortranOrder = false;
  std::vector<int64_t> shape;
  uint64_t bytes = 0; ///< Of the data that follows.
};

/// Reads a header; `read(to, count)` gives the next bytes of the file, of which
/// there are `available`.
Result<NpyHeader>
readNpyHeader(const std::function<Status(void *, size_t)> &read,
              uint64_t available);

/// The header, version 1.0 (2.0 if that is too short), for data in C order.
/// There is none for bfloat16.
Result<std::string> writeNpyHeader(DType dtype,
                                   const std::vector<int64_t> &shape);

} // namespace mlir::ks

#endif // KS_BASE_NPY_H
