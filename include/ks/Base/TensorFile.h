//===- TensorFile.h - npz and safetensors files -----------------*- C++ -*-===//
//
// Named tensors in files: NumPy's npz (stored or deflated, zip64, npy 1.0-3.0,
// C and Fortran order) and safetensors, which alone can hold bfloat16. Files
// are untrusted: every length is checked before it is used. Writing replaces
// the file in one step, or leaves nothing behind.
//
//===----------------------------------------------------------------------===//
#ifndef KS_BASE_TENSORFILE_H
#define KS_BASE_TENSORFILE_H

#include "ks/Base/Tensor.h"

#include <string>
#include <utility>
#include <vector>

namespace mlir::ks {

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

/// Reads every tensor of `path`; the format is told by the file's first bytes.
/// Errors name the file and, where one is at fault, the array.
Result<NamedTensors> readTensorFile(const std::string &path);

/// Writes `tensors`; the format is told by the name's end (.npz, .safetensors).
/// `compressed` deflates an npz. A bfloat16 tensor in an npz is an error.
Status writeTensorFile(const std::string &path, const NamedTensors &tensors,
                       bool compressed = false);

} // namespace mlir::ks

#endif // KS_BASE_TENSORFILE_H
