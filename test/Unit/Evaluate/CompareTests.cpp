// The numbers rule at its edges: what is within the bound, NaN, infinities,
// underflow, integers, complex numbers.
#include "Test.h"

#include "ks/Evaluate/Compare.h"

#include <cmath>
#include <cstring>

using namespace mlir::ks;

namespace {
template <typename T> Tensor tensor(DType type, const std::vector<T> &values) {
  Tensor result{
      type,
      {static_cast<int64_t>(values.size() * sizeof(T) / byteWidth(type))},
      {}};
  result.bytes.resize(values.size() * sizeof(T));
  std::memcpy(result.bytes.data(), values.data(), result.bytes.size());
  return result;
}

OutputCheck check(std::vector<float> got, std::vector<double> expected,
                  std::vector<double> bound) {
  return compareOutput(tensor(DType::F32, got), tensor(DType::F64, expected),
                       tensor(DType::F64, bound));
}
constexpr double inf = HUGE_VAL;
} // namespace

TEST(floats_within_four_bounds) {
  CHECK(check({1.0f}, {1 + 3.9e-7}, {1e-7}).passed());
  CHECK(!check({1.0f}, {1 + 5e-7}, {1e-7}).passed());
  CHECK(check({1.0f}, {1}, {0}).passed());
  CHECK(!check({1.0f}, {1 + 1e-9}, {0}).passed());
  // The smallest step of the type is always allowed.
  CHECK(check({0.0f}, {1e-39}, {0}).passed());
}

TEST(the_worst_is_the_one_of_the_greatest_ratio) {
  OutputCheck result = check({1, 2, 3}, {1.1, 2.01, 3}, {1, 0.001, 1});
  CHECK_EQ(result.misses, 1);
  CHECK_EQ(result.worst, 1);
  CHECK(std::fabs(result.error - 0.01) < 1e-9);
  CHECK_HAS(result.describe(),
            "MISS (1 of 3, worst at 1: got 2, expected 2.01)");
  result = check({1, 2}, {1, 2}, {1, 1});
  CHECK_HAS(result.describe(), "max error 0 allowed 4 ok");
}

TEST(nan_and_infinity_must_match) {
  CHECK(check({NAN}, {NAN}, {NAN}).passed());
  CHECK(!check({1}, {NAN}, {0}).passed());
  CHECK(!check({NAN}, {1}, {1}).passed());
  CHECK(check({INFINITY}, {inf}, {inf}).passed());
  CHECK(!check({-INFINITY}, {inf}, {0}).passed());
  CHECK(!check({3e38f}, {inf}, {0}).passed());
  CHECK(!check({INFINITY}, {1}, {1}).passed());
  // What the type cannot hold becomes infinite.
  CHECK(check({INFINITY}, {1e39}, {1e30}).passed());
  CHECK(!check({-INFINITY}, {1e39}, {1e30}).passed());
}

TEST(an_infinite_bound_says_nothing_and_is_counted) {
  OutputCheck result = check({7, 1}, {1, 1}, {inf, 0});
  CHECK(result.passed());
  CHECK_EQ(result.unbounded, 1);
  CHECK_HAS(result.describe(), "1 without a bound");
}

TEST(integers_are_exact_unless_the_bound_says_otherwise) {
  auto ints = [](std::vector<int64_t> got, std::vector<int64_t> expected,
                 std::vector<double> bound) {
    return compareOutput(tensor(DType::I64, got), tensor(DType::I64, expected),
                         tensor(DType::F64, bound));
  };
  constexpr int64_t large = (int64_t(1) << 62) + 1;
  CHECK(ints({large}, {large}, {0}).passed());
  CHECK(!ints({large}, {large - 1}, {0}).passed());
  CHECK(ints({5}, {2}, {1}).passed());
  CHECK(ints({5}, {2}, {inf}).passed());
}

TEST(halves_use_their_own_range) {
  std::vector<uint16_t> half = {floatToHalf(INFINITY), floatToHalf(1)};
  Tensor got = tensor(DType::F16, half);
  CHECK(compareOutput(got, tensor<double>(DType::F64, {65600, 1}),
                      tensor<double>(DType::F64, {20, 0}))
            .passed());
}

TEST(complex_numbers_have_a_bound_for_each_or_for_both) {
  Tensor got = tensor<float>(DType::C64, {1, 2, 3, 4});
  Tensor expected = tensor<double>(DType::F64, {1, 2, 3, 4.1});
  CHECK(compareOutput(got, expected, tensor<double>(DType::F64, {0, 1}))
            .passed());
  CHECK(!compareOutput(got, expected, tensor<double>(DType::F64, {1, 0}))
             .passed());
  CHECK_EQ(
      compareOutput(got, expected, tensor<double>(DType::F64, {1, 0})).worst,
      1);
}

TEST(another_number_of_elements_is_a_miss) {
  CHECK(!check({1, 2}, {1}, {1}).passed());
}

TEST(pieces_merge) {
  OutputCheck whole;
  merge(whole, check({1, 2}, {1, 2.5}, {1, 1}));
  merge(whole, compareOutput(tensor<float>(DType::F32, {5}),
                             tensor<double>(DType::F64, {6}),
                             tensor<double>(DType::F64, {0}), 2));
  CHECK_EQ(whole.compared, 3);
  CHECK_EQ(whole.misses, 1);
  CHECK_EQ(whole.worst, 2);
}

int main() { return test::runTests(); }
