//===- Bytes.h - Little-endian numbers in byte strings ----------*- C++ -*-===//
//
// The file formats of this library are little-endian, and so are the machines
// it runs on.
//
//===----------------------------------------------------------------------===//
#ifndef KS_BASE_BYTES_H
#define KS_BASE_BYTES_H

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace mlir::ks {

static_assert(std::endian::native == std::endian::little);

/// The number at `offset`, which the caller has checked to lie within `bytes`.
template <typename T> T get(std::string_view bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

inline void put16(std::string &to, uint16_t value) {
  to.append(reinterpret_cast<const char *>(&value), sizeof value);
}
inline void put32(std::string &to, uint32_t value) {
  to.append(reinterpret_cast<const char *>(&value), sizeof value);
}
inline void put64(std::string &to, uint64_t value) {
  to.append(reinterpret_cast<const char *>(&value), sizeof value);
}

} // namespace mlir::ks

#endif // KS_BASE_BYTES_H
