//===- Inputs.cpp - Random inputs -----------------------------------------===//
//
// SplitMix64 for bits; a sum of uniforms is close enough to a normal law and,
// unlike logarithms, the same to the last bit everywhere.
//
//===----------------------------------------------------------------------===//
#include "ks/Evaluate/Inputs.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace mlir::ks;

std::string_view mlir::ks::name(Law law) {
  switch (law) {
  case Law::Normal:
    return "normal";
  case Law::Uniform:
    return "uniform";
  case Law::Wide:
    return "wide";
  case Law::Ones:
    return "ones";
  }
  return "";
}

int64_t mlir::ks::safeIndexRange(const std::vector<BufferDesc> &inputs) {
  int64_t range = 64;
  for (const BufferDesc &input : inputs)
    for (int64_t size : input.shape)
      if (size >= 2)
        range = std::min(range, size);
  return range;
}

namespace {
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t bits() { // Steele, Lea, Flood: SplitMix64.
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double normal() {
    double sum = 0;
    for (int i = 0; i < 12; ++i)
      sum += uniform();
    return sum - 6;
  }
  int64_t below(int64_t range) {
    return range > 1 ? static_cast<int64_t>(bits() % range) : 0;
  }

private:
  uint64_t state;
};
} // namespace

static double draw(Random &random, Law law) {
  switch (law) {
  case Law::Normal:
    return random.normal();
  case Law::Uniform:
    return random.uniform();
  case Law::Wide:
    return std::ldexp(random.normal(), static_cast<int>(random.below(17)) - 8);
  case Law::Ones:
    return 1;
  }
  return 0;
}

template <typename T>
static void store(std::vector<uint8_t> &bytes, int64_t index, T value) {
  std::memcpy(bytes.data() + index * sizeof(T), &value, sizeof(T));
}

/// Draws `count` elements (components of a complex tensor).
static void fill(Tensor &tensor, int64_t count, Law law, Random &random,
                 int64_t indexRange) {
  for (int64_t i = 0; i < count; ++i) {
    switch (tensor.dtype) {
    case DType::F64:
      store(tensor.bytes, i, draw(random, law));
      break;
    case DType::F32:
    case DType::C64:
      store(tensor.bytes, i, static_cast<float>(draw(random, law)));
      break;
    case DType::F16:
      store(tensor.bytes, i,
            floatToHalf(static_cast<float>(draw(random, law))));
      break;
    case DType::BF16:
      store(tensor.bytes, i,
            floatToBfloat(static_cast<float>(draw(random, law))));
      break;
    case DType::I64:
      store(tensor.bytes, i, random.below(indexRange));
      break;
    case DType::I32:
      store(tensor.bytes, i, static_cast<int32_t>(random.below(indexRange)));
      break;
    case DType::I16:
      store(tensor.bytes, i, static_cast<int16_t>(random.below(indexRange)));
      break;
    case DType::I8:
      store(tensor.bytes, i, static_cast<int8_t>(random.below(201) - 100));
      break;
    case DType::Bool:
      store(tensor.bytes, i, static_cast<uint8_t>(random.below(2)));
      break;
    }
  }
}

std::vector<Tensor> mlir::ks::makeInputs(const std::vector<BufferDesc> &inputs,
                                         Law law, uint64_t seed,
                                         int64_t indexRange) {
  constexpr int64_t stretch = 1048573;
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < inputs.size(); ++i) {
    Random random(seed * 0x2545f4914f6cdd1d + i * 0x9e3779b97f4a7c15 +
                  static_cast<uint64_t>(law));
    Tensor tensor{inputs[i].dtype, inputs[i].shape, {}};
    int64_t elements = numElements(tensor.shape).value_or(0);
    int64_t width = static_cast<int64_t>(byteWidth(tensor.dtype));
    int64_t parts = tensor.dtype == DType::C64 ? 2 : 1;
    tensor.bytes.resize(elements * width);
    fill(tensor, std::min(elements, stretch) * parts, law, random, indexRange);
    for (int64_t done = stretch; done < elements; done += stretch)
      std::memcpy(tensor.bytes.data() + done * width, tensor.bytes.data(),
                  std::min(stretch, elements - done) * width);
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}
