//===- Timing.h - Is it faster? ---------------------------------*- C++ -*-===//
//
// Two programs are run in turns, so that a clock that drifts or a neighbour
// that wakes up meets both. The verdict rests on the ratios of the pairs: the
// median with its distribution-free 95 % interval (the order statistics of the
// sign test), which assumes nothing about the shape of the noise.
//
//===----------------------------------------------------------------------===//
#ifndef KS_EVALUATE_TIMING_H
#define KS_EVALUATE_TIMING_H

#include <string_view>
#include <vector>

namespace mlir::ks {

/// A median, and an interval that covers the true one in 95 % of the cases.
/// With fewer than six values there is no such interval: it is infinite.
struct MedianInterval {
  double median = 0;
  double low = 0;
  double high = 0;
};

MedianInterval medianInterval(std::vector<double> values);

enum class Speed { Better, NotBetter, Inconclusive };

std::string_view name(Speed speed);

/// A candidate is better only if it is by this much: less is not worth a
/// change.
constexpr double minimalGain = 0.01;

/// The candidate's time over the incumbent's, pair by pair, and what follows:
/// better if the whole interval lies below 1 - minimalGain, not better if the
/// whole lies above that, else inconclusive.
struct PairedTiming {
  MedianInterval candidate;
  MedianInterval incumbent;
  MedianInterval ratio;
  Speed speed = Speed::Inconclusive;
};

/// `candidate` and `incumbent` are of one length; element i of each was taken
/// one after the other.
PairedTiming judgePairs(const std::vector<double> &candidate,
                        const std::vector<double> &incumbent);

} // namespace mlir::ks

#endif // KS_EVALUATE_TIMING_H
