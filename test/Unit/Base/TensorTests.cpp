//===- TensorTests.cpp - Element types and conversions --------------------===//
//
// The half conversions against the compiler's own, over every half and every
// interesting float.
//
//===----------------------------------------------------------------------===//

#include "Test.h"
#include "ks/Base/Tensor.h"

#include <bit>
#include <cmath>

using namespace mlir::ks;

int main() { return test::runTests(); }

TEST(everyHalfWidens) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float ours = halfToFloat(static_cast<uint16_t>(bits));
    float theirs = static_cast<float>(
        std::bit_cast<_Float16>(static_cast<uint16_t>(bits)));
    CHECK(std::isnan(theirs) ? std::isnan(ours)
                             : std::bit_cast<uint32_t>(ours) ==
                                   std::bit_cast<uint32_t>(theirs));
    if (!std::isnan(ours))
      CHECK_EQ(floatToHalf(ours), bits);
  }
}

TEST(floatsNarrowToNearestEven) {
  // Every half, the midpoint to its successor, and the floats next to both.
  for (uint32_t bits = 0; bits < 0x7c00; ++bits) {
    float low = halfToFloat(static_cast<uint16_t>(bits));
    float high = bits + 1 == 0x7c00
                     ? 65536.0f
                     : halfToFloat(static_cast<uint16_t>(bits + 1));
    float middle = low + (high - low) / 2;
    for (float center : {low, middle})
      for (float value : {std::nextafter(center, -1.0f), center,
                          std::nextafter(center, 1e9f)})
        for (float x : {value, -value})
          CHECK_EQ(floatToHalf(x),
                   std::bit_cast<uint16_t>(static_cast<_Float16>(x)));
  }
  CHECK_EQ(floatToHalf(INFINITY), 0x7c00);
  CHECK_EQ(floatToHalf(1e30f), 0x7c00);
  CHECK_EQ(floatToHalf(1e-30f), 0);
  CHECK(std::isnan(halfToFloat(floatToHalf(NAN))));
  CHECK(
      std::isnan(halfToFloat(floatToHalf(std::bit_cast<float>(0x7f800001u)))));
}

TEST(bfloatRounds) {
  CHECK_EQ(floatToBfloat(1.0f), 0x3f80);
  CHECK_EQ(floatToBfloat(std::bit_cast<float>(0x3f808000u)),
           0x3f80); // Ties to even,
  CHECK_EQ(floatToBfloat(std::bit_cast<float>(0x3f818000u)),
           0x3f82); // both ways.
  CHECK_EQ(floatToBfloat(std::bit_cast<float>(0x3f808001u)), 0x3f81);
  CHECK_EQ(floatToBfloat(std::bit_cast<float>(0x7f7fffffu)), 0x7f80);
  CHECK(std::isnan(
      bfloatToFloat(floatToBfloat(std::bit_cast<float>(0x7f800001u)))));
  for (uint32_t bits = 0; bits < 0x10000; ++bits)
    if (float value = bfloatToFloat(static_cast<uint16_t>(bits));
        !std::isnan(value))
      CHECK_EQ(floatToBfloat(value), bits);
}

TEST(namesAndWidths) {
  for (DType type :
       {DType::F64, DType::F32, DType::F16, DType::BF16, DType::I64, DType::I32,
        DType::I16, DType::I8, DType::Bool, DType::C64})
    CHECK(parseDType(name(type)) == type);
  CHECK(!parseDType("u8"));
  CHECK_EQ(name(DType::Bool), "i1");
  CHECK_EQ(byteWidth(DType::Bool), 1u);
  CHECK_EQ(byteWidth(DType::C64), 8u);
  CHECK_EQ(describe(DType::F32, {3, 5}), "3x5xf32");
  CHECK_EQ(describe(DType::C64, {}), "complex<f32>");
}

TEST(sizes) {
  CHECK(numElements({}) == 1);
  CHECK(numElements({3, 5}) == 15);
  CHECK(numElements({int64_t(1) << 40, int64_t(1) << 40, 0}) == 0);
  CHECK(!numElements({int64_t(1) << 40, int64_t(1) << 40}));
  CHECK(!numElements({-1, 0}));
}

TEST(elements) {
  Tensor tensor{DType::I16, {2}, {0xff, 0xff, 0x02, 0x01}};
  CHECK_EQ(tensor.size(), 2);
  CHECK_EQ(elementAsDouble(tensor, 0), -1.0);
  CHECK_EQ(elementAsDouble(tensor, 1), 258.0);
  Tensor complex{DType::C64, {1}, {0, 0, 0x80, 0x3f, 0, 0, 0, 0x40}};
  CHECK_EQ(elementAsDouble(complex, 0), 1.0);
  CHECK_EQ(elementAsDouble(complex, 1), 2.0);
}
