//===- Tensor.cpp - Element types and their conversions -------------------===//
//
// Widths and names of element types, sizes of shapes with overflow checked, and
// the conversions between binary16, bfloat16 and binary32, all in integer
// arithmetic so that they do not depend on the compiler's or the machine's half
// support.
//
//===----------------------------------------------------------------------===//

#include "ks/Base/Tensor.h"

#include <bit>
#include <cstring>

namespace mlir::ks {

namespace {
struct TypeInfo {
  DType type;
  size_t width;
  std::string_view name;
};
constexpr TypeInfo kTypes[] = {
    {DType::F64, 8, "f64"}, {DType::F32, 4, "f32"},
    {DType::F16, 2, "f16"}, {DType::BF16, 2, "bf16"},
    {DType::I64, 8, "i64"}, {DType::I32, 4, "i32"},
    {DType::I16, 2, "i16"}, {DType::I8, 1, "i8"},
    {DType::Bool, 1, "i1"}, {DType::C64, 8, "complex<f32>"},
};
} // namespace

template <typename T> static T load(const Tensor &tensor, int64_t index) {
  T value;
  std::memcpy(&value, tensor.bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

size_t byteWidth(DType type) { return kTypes[static_cast<size_t>(type)].width; }

std::string_view name(DType type) {
  return kTypes[static_cast<size_t>(type)].name;
}

std::optional<DType> parseDType(std::string_view name) {
  for (const TypeInfo &info : kTypes)
    if (info.name == name)
      return info.type;
  return std::nullopt;
}

bool isFloat(DType type) {
  return type == DType::F64 || type == DType::F32 || type == DType::F16 ||
         type == DType::BF16;
}

std::optional<int64_t> numElements(const std::vector<int64_t> &shape) {
  bool empty = false;
  for (int64_t dim : shape) {
    if (dim < 0)
      return std::nullopt;
    empty |= dim == 0;
  }
  if (empty)
    return 0;
  int64_t count = 1;
  for (int64_t dim : shape)
    if (__builtin_mul_overflow(count, dim, &count))
      return std::nullopt;
  return count;
}

std::string describe(DType type, const std::vector<int64_t> &shape) {
  std::string text;
  for (int64_t dim : shape)
    text += std::to_string(dim) + "x";
  return text.append(name(type));
}

double elementAsDouble(const Tensor &tensor, int64_t index) {
  switch (tensor.dtype) {
  case DType::F64:
    return load<double>(tensor, index);
  case DType::F32:
  case DType::C64:
    return load<float>(tensor, index);
  case DType::F16:
    return halfToFloat(load<uint16_t>(tensor, index));
  case DType::BF16:
    return bfloatToFloat(load<uint16_t>(tensor, index));
  case DType::I64:
    return static_cast<double>(load<int64_t>(tensor, index));
  case DType::I32:
    return load<int32_t>(tensor, index);
  case DType::I16:
    return load<int16_t>(tensor, index);
  case DType::I8:
    return load<int8_t>(tensor, index);
  case DType::Bool:
    return load<uint8_t>(tensor, index);
  }
  return 0;
}

float halfToFloat(uint16_t bits) {
  uint32_t sign = uint32_t(bits & 0x8000) << 16;
  uint32_t exponent = (bits >> 10) & 31, mantissa = bits & 0x3ff;
  if (exponent == 31) // Infinity, or a NaN made quiet.
    return std::bit_cast<float>(sign | 0x7f800000u | mantissa << 13 |
                                (mantissa ? 0x400000u : 0u));
  if (exponent == 0) { // Zero or subnormal: mantissa * 2^-24, exactly.
    float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return std::bit_cast<float>(std::bit_cast<uint32_t>(magnitude) | sign);
  }
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
}

uint16_t floatToHalf(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint32_t sign = (bits >> 16) & 0x8000, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000)
    return static_cast<uint16_t>(sign | 0x7e00 | ((magnitude >> 13) & 0x1ff));
  if (magnitude >= 0x477ff000) // From 65520 on it rounds to infinity.
    return static_cast<uint16_t>(sign | 0x7c00);
  // The result's last bit weighs 2^-10 of the value, or 2^-24 if that is
  // subnormal.
  uint32_t exponent = magnitude >> 23;
  if (exponent < 102) // Below 2^-25: zero.
    return static_cast<uint16_t>(sign);
  uint32_t significand = (magnitude & 0x7fffff) | 0x800000;
  unsigned shift = exponent < 113 ? 126 - exponent : 13;
  uint32_t kept = significand >> shift,
           rest = significand & ((1u << shift) - 1);
  uint32_t half = 1u << (shift - 1);
  kept += rest > half || (rest == half && (kept & 1));
  // A normal significand carries its leading 1 (0x400) into the exponent.
  uint32_t base = exponent < 113 ? 0 : (exponent - 113) << 10;
  return static_cast<uint16_t>(sign | (base + kept));
}

float bfloatToFloat(uint16_t bits) {
  uint32_t wide = uint32_t(bits) << 16;
  if ((wide & 0x7fffffff) > 0x7f800000)
    wide |= 0x400000;
  return std::bit_cast<float>(wide);
}

uint16_t floatToBfloat(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return static_cast<uint16_t>(bits >> 16 | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

} // namespace mlir::ks
