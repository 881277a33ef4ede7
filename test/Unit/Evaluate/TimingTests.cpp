// The verdict on paired times.
#include "Test.h"

#include "ks/Evaluate/Timing.h"

#include <cmath>

using namespace mlir::ks;

TEST(intervals_of_the_median) {
  MedianInterval few = medianInterval({3, 1, 2});
  CHECK_EQ(few.median, 2);
  CHECK(std::isinf(few.low) && std::isinf(few.high));
  // P(Binomial(10, 1/2) < 2) = 1.07 %: the second and the ninth.
  MedianInterval ten = medianInterval({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  CHECK_EQ(ten.median, 5.5);
  CHECK_EQ(ten.low, 2);
  CHECK_EQ(ten.high, 9);
  // Six are the fewest: the extremes.
  MedianInterval six = medianInterval({1, 2, 3, 4, 5, 6});
  CHECK_EQ(six.low, 1);
  CHECK_EQ(six.high, 6);
}

TEST(verdicts) {
  std::vector<double> base(11, 10.0), faster(11, 9.0), slower(11, 11.0),
      hardly(11, 9.95);
  CHECK(judgePairs(faster, base).speed == Speed::Better);
  CHECK(judgePairs(slower, base).speed == Speed::NotBetter);
  CHECK(judgePairs(base, base).speed == Speed::NotBetter);
  // A gain below one percent is none.
  CHECK(judgePairs(hardly, base).speed == Speed::NotBetter);
  std::vector<double> noisy = {5, 15, 5, 15, 5, 15, 5, 15, 5, 15, 5};
  CHECK(judgePairs(noisy, base).speed == Speed::Inconclusive);
  // A drift that meets both is no noise.
  std::vector<double> drifting, incumbent;
  for (int i = 0; i < 11; ++i) {
    incumbent.push_back(10 + i);
    drifting.push_back((10 + i) * 0.9);
  }
  CHECK(judgePairs(drifting, incumbent).speed == Speed::Better);
}
