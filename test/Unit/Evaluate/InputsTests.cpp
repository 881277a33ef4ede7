// Random inputs: the same for a seed, in range, repeated when large.
#include "Test.h"

#include "ks/Evaluate/Inputs.h"

#include <cmath>

using namespace mlir::ks;

TEST(a_seed_and_a_law_decide) {
  std::vector<BufferDesc> descs = {{DType::F32, {100}}, {DType::F32, {100}}};
  auto a = makeInputs(descs, Law::Normal, 7, 2);
  auto b = makeInputs(descs, Law::Normal, 7, 2);
  auto c = makeInputs(descs, Law::Normal, 8, 2);
  auto d = makeInputs(descs, Law::Uniform, 7, 2);
  CHECK(a[0].bytes == b[0].bytes);
  CHECK(a[0].bytes != a[1].bytes);
  CHECK(a[0].bytes != c[0].bytes);
  CHECK(a[0].bytes != d[0].bytes);
}

TEST(laws_have_their_moments) {
  std::vector<BufferDesc> descs = {{DType::F64, {20000}}};
  Tensor normal = makeInputs(descs, Law::Normal, 1, 1)[0];
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < normal.size(); ++i) {
    double x = elementAsDouble(normal, i);
    sum += x;
    squares += x * x;
  }
  CHECK(std::fabs(sum / 20000) < 0.03);
  CHECK(std::fabs(squares / 20000 - 1) < 0.03);
  Tensor uniform = makeInputs(descs, Law::Uniform, 1, 1)[0];
  for (int64_t i = 0; i < uniform.size(); ++i) {
    double x = elementAsDouble(uniform, i);
    CHECK(x >= 0 && x < 1);
  }
}

TEST(integers_are_in_range) {
  std::vector<BufferDesc> descs = {{DType::I64, {1000}},
                                   {DType::F32, {5, 3}},
                                   {DType::I8, {1000}},
                                   {DType::Bool, {1000}}};
  CHECK_EQ(safeIndexRange(descs), 3);
  auto tensors = makeInputs(descs, Law::Wide, 3, 3);
  bool two = false;
  for (int64_t i = 0; i < 1000; ++i) {
    double index = elementAsDouble(tensors[0], i);
    CHECK(index >= 0 && index < 3);
    two |= index == 2;
    CHECK(std::fabs(elementAsDouble(tensors[2], i)) <= 100);
    double flag = elementAsDouble(tensors[3], i);
    CHECK(flag == 0 || flag == 1);
  }
  CHECK(two);
}

TEST(large_and_empty_tensors) {
  std::vector<BufferDesc> descs = {{DType::F16, {3000000}},
                                   {DType::F32, {0, 4}}};
  auto tensors = makeInputs(descs, Law::Normal, 1, 1);
  CHECK_EQ(tensors[0].size(), 3000000);
  CHECK(elementAsDouble(tensors[0], 0) == elementAsDouble(tensors[0], 1048573));
  CHECK_EQ(tensors[1].size(), 0);
}
