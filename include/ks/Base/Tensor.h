//===- Tensor.h - Element types and tensors in host memory ------*- C++ -*-===//
//
// What a tensor file, a launch plan and a device agree on: element types,
// shapes and bytes in row-major order. A bool in memory is one byte, 0 or 1.
//
//===----------------------------------------------------------------------===//
#ifndef KS_BASE_TENSOR_H
#define KS_BASE_TENSOR_H

#include "ks/Base/Result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mlir::ks {

enum class DType : uint8_t {
  F64,
  F32,
  F16,
  BF16,
  I64,
  I32,
  I16,
  I8,
  Bool,
  C64
};

/// Bytes of one element in memory.
size_t byteWidth(DType type);

/// MLIR's spelling: f32, i64, ..., "i1" for Bool, "complex<f32>" for C64.
std::string_view name(DType type);

/// The inverse of name().
std::optional<DType> parseDType(std::string_view name);

bool isFloat(DType type);

/// The number of elements of `shape`; none if it does not fit 63 bits or a
/// dimension is negative. A rank-0 shape has one element.
std::optional<int64_t> numElements(const std::vector<int64_t> &shape);

/// "3x5xf32"; "f32" for rank 0.
std::string describe(DType type, const std::vector<int64_t> &shape);

/// A dense row-major tensor that owns its bytes.
struct Tensor {
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  std::vector<uint8_t> bytes;

  int64_t size() const {
    return static_cast<int64_t>(bytes.size() / byteWidth(dtype));
  }
};

/// Element `index` of `tensor` widened to double (integers exactly up to 2^53;
/// of a complex tensor, component `index`, two for each element).
double elementAsDouble(const Tensor &tensor, int64_t index);

/// Conversions of single values, rounding to nearest even, NaN kept quiet.
float halfToFloat(uint16_t bits);
uint16_t floatToHalf(float value);
float bfloatToFloat(uint16_t bits);
uint16_t floatToBfloat(float value);

} // namespace mlir::ks

#endif // KS_BASE_TENSOR_H
