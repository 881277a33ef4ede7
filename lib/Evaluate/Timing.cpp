//===- Timing.cpp - Is it faster? -----------------------------------------===//
//
// Order statistics of paired measurements.
//
//===----------------------------------------------------------------------===//
#include "ks/Evaluate/Timing.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

using namespace mlir::ks;

/// The greatest k such that the k-th smallest and k-th greatest of `count`
/// values hold the median between them with at least 95 %; 0 if there is none.
/// That is the greatest with P(Binomial(count, 1/2) < k) <= 2.5 %.
static size_t sideRank(size_t count) {
  double term = std::pow(0.5, static_cast<double>(count)), tail = 0;
  size_t k = 0;
  while (k < count && tail + term <= 0.025) {
    tail += term;
    term *= static_cast<double>(count - k) / static_cast<double>(k + 1);
    ++k;
  }
  return k;
}

MedianInterval mlir::ks::medianInterval(std::vector<double> values) {
  MedianInterval result;
  if (values.empty())
    return result;
  std::sort(values.begin(), values.end());
  size_t n = values.size();
  result.median = (values[(n - 1) / 2] + values[n / 2]) / 2;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  size_t k = sideRank(n);
  result.low = k ? values[k - 1] : -infinity;
  result.high = k ? values[n - k] : infinity;
  return result;
}

std::string_view mlir::ks::name(Speed speed) {
  switch (speed) {
  case Speed::Better:
    return "better";
  case Speed::NotBetter:
    return "not better";
  case Speed::Inconclusive:
    return "inconclusive";
  }
  return "";
}

PairedTiming mlir::ks::judgePairs(const std::vector<double> &candidate,
                                  const std::vector<double> &incumbent) {
  assert(candidate.size() == incumbent.size());
  std::vector<double> ratios;
  for (size_t i = 0; i < candidate.size(); ++i)
    ratios.push_back(candidate[i] / incumbent[i]);
  PairedTiming result{medianInterval(candidate), medianInterval(incumbent),
                      medianInterval(ratios), Speed::Inconclusive};
  if (result.ratio.high < 1 - minimalGain)
    result.speed = Speed::Better;
  else if (result.ratio.low >= 1 - minimalGain)
    result.speed = Speed::NotBetter;
  return result;
}
