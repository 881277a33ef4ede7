//===- Compare.cpp - Results against the reference ------------------------===//
//
// Element-wise comparison, see Compare.h for the rule. The allowed error of a
// float also takes the smallest step of its type: near zero a rounding error is
// absolute, and hardware may flush what is smaller still.
//
//===----------------------------------------------------------------------===//
#include "ks/Evaluate/Compare.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

using namespace mlir::ks;

static bool isInteger(DType type) {
  return !isFloat(type) && type != DType::C64;
}

static int64_t components(const Tensor &tensor) {
  return tensor.size() * (tensor.dtype == DType::C64 ? 2 : 1);
}

static int64_t elementAsInteger(const Tensor &tensor, int64_t index) {
  auto read = [&](auto value) {
    std::memcpy(&value, tensor.bytes.data() + index * sizeof(value),
                sizeof(value));
    return static_cast<int64_t>(value);
  };
  switch (tensor.dtype) {
  case DType::I64:
    return read(int64_t());
  case DType::I32:
    return read(int32_t());
  case DType::I16:
    return read(int16_t());
  case DType::I8:
    return read(int8_t());
  default:
    return read(uint8_t());
  }
}

namespace {
/// The range of an element type, as far as a comparison needs it.
struct FloatRange {
  double largest; ///< Values beyond it may be infinite.
  double step;    ///< Errors up to this are those of underflow.
};
} // namespace

static FloatRange rangeOf(DType type) {
  switch (type) {
  case DType::F16:
    return {65504, 0x1p-24};
  case DType::BF16:
    return {0x1.fep127, 0x1p-126};
  case DType::F32:
  case DType::C64:
    return {std::numeric_limits<float>::max(), 0x1p-126};
  default:
    return {std::numeric_limits<double>::max(), 0x1p-1022};
  }
}

namespace {
enum class Verdict { Right, Wrong, Unknown };
} // namespace

/// Judges the float `got`; sets `error` and `allowed`.
static Verdict judge(double got, double expected, double bound,
                     FloatRange range, double &error, double &allowed) {
  allowed = allowedBounds * bound + range.step;
  error = std::fabs(got - expected);
  if (std::isnan(expected) ? std::isnan(got) : got == expected) {
    error = 0;
    return Verdict::Right;
  }
  // Infinite and NaN results can be as uncertain as others: zero times
  // infinity.
  if (!std::isfinite(bound))
    return Verdict::Unknown;
  if (!std::isfinite(expected))
    return Verdict::Wrong;
  if (std::isinf(got) && std::signbit(got) == std::signbit(expected) &&
      std::fabs(expected) + allowed > range.largest) {
    error = 0;
    return Verdict::Right;
  }
  return error <= allowed ? Verdict::Right : Verdict::Wrong;
}

OutputCheck mlir::ks::compareOutput(const Tensor &actual,
                                    const Tensor &expected, const Tensor &bound,
                                    int64_t first) {
  OutputCheck check;
  int64_t count = components(actual);
  check.elements = check.compared = actual.size();
  if (components(expected) != count) {
    check.misses = check.elements;
    return check;
  }
  bool integers = isInteger(actual.dtype) && isInteger(expected.dtype);
  FloatRange range = rangeOf(actual.dtype);
  int64_t parts = actual.size() ? count / actual.size() : 1;
  int64_t perBound = bound.size() == count ? 1 : parts;
  double worstRatio = -1;
  for (int64_t i = 0; i < count; ++i) {
    double limit =
        bound.bytes.empty() ? 0 : elementAsDouble(bound, i / perBound);
    double got, want, error, allowed;
    Verdict verdict;
    if (integers) {
      int64_t a = elementAsInteger(actual, i),
              e = elementAsInteger(expected, i);
      got = a, want = e;
      error = a == e ? 0 : std::fmax(1, std::fabs(got - want));
      allowed = allowedBounds * limit;
      verdict = a == e                  ? Verdict::Right
                : !std::isfinite(limit) ? Verdict::Unknown
                : error <= allowed      ? Verdict::Right
                                        : Verdict::Wrong;
    } else {
      got = elementAsDouble(actual, i), want = elementAsDouble(expected, i);
      verdict = judge(got, want, limit, range, error, allowed);
    }
    if (verdict == Verdict::Unknown) {
      ++check.unbounded;
      check.unboundedError = std::fmax(check.unboundedError, error);
      continue;
    }
    check.misses += verdict == Verdict::Wrong;
    // A miss that is NaN, or where nothing is allowed, is as bad as can be.
    double ratio = verdict == Verdict::Right
                       ? (allowed > 0 ? std::fmin(error / allowed, 1) : 0)
                       : (error / allowed > 1 ? error / allowed : HUGE_VAL);
    if (ratio > worstRatio) {
      worstRatio = ratio;
      check.worst = first + i / parts;
      check.error = error;
      check.allowed = allowed;
      check.got = got;
      check.expected = want;
    }
  }
  return check;
}

static double badness(const OutputCheck &check) {
  if (check.worst < 0)
    return -1;
  double ratio = check.error / check.allowed;
  return std::isnan(ratio) ? (check.misses ? HUGE_VAL : 0) : ratio;
}

void mlir::ks::merge(OutputCheck &whole, const OutputCheck &part) {
  bool worse = badness(part) > badness(whole);
  OutputCheck sum = worse ? part : whole;
  sum.elements = std::max(whole.elements, part.elements);
  sum.compared = whole.compared + part.compared;
  sum.misses = whole.misses + part.misses;
  sum.unbounded = whole.unbounded + part.unbounded;
  sum.unboundedError = std::fmax(whole.unboundedError, part.unboundedError);
  whole = sum;
}

std::string OutputCheck::describe() const {
  char line[256];
  std::snprintf(line, sizeof(line), "max error %.3g allowed %.3g ", error,
                allowed);
  std::string text = line;
  if (misses) {
    std::snprintf(line, sizeof(line),
                  "MISS (%lld of %lld, worst at %lld: got %.9g, expected %.9g)",
                  static_cast<long long>(misses),
                  static_cast<long long>(compared),
                  static_cast<long long>(worst), got, expected);
    text += line;
  } else {
    text += "ok";
  }
  if (compared != elements)
    text += ", " + std::to_string(compared) + " of " +
            std::to_string(elements) + " compared";
  if (unbounded) {
    std::snprintf(line, sizeof(line),
                  ", %lld without a bound (errors up to %.3g)",
                  static_cast<long long>(unbounded), unboundedError);
    text += line;
  }
  return text;
}
