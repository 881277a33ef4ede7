//===- Inputs.h - Random inputs ---------------------------------*- C++ -*-===//
//
// Inputs by law and seed, the same on every machine. Integers are small and not
// negative, so that they are in range where a graph uses them as indices.
//
//===----------------------------------------------------------------------===//
#ifndef KS_EVALUATE_INPUTS_H
#define KS_EVALUATE_INPUTS_H

#include "ks/Base/LaunchPlan.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace mlir::ks {

/// How floats are drawn. Each finds other mistakes: cancellation, lost carries,
/// overflow, and elements that are dropped or taken twice.
enum class Law : uint8_t {
  Normal,  ///< Standard normal.
  Uniform, ///< In [0, 1).
  Wide,    ///< Normal times a power of two in [-8, 8].
  Ones,    ///< All 1.
};

std::string_view name(Law law);

/// The integers that inputs of these shapes may hold without leaving the range
/// of an index into any of them: the smallest dimension of at least 2, at
/// most 64.
int64_t safeIndexRange(const std::vector<BufferDesc> &inputs);

/// One tensor for each of `inputs`. Integers of 16 bits and more are drawn from
/// [0, indexRange), those of 8 bits from [-100, 100], bools from {0, 1}.
/// Tensors of more than about a million elements repeat a drawn stretch of
/// prime length.
std::vector<Tensor> makeInputs(const std::vector<BufferDesc> &inputs, Law law,
                               uint64_t seed, int64_t indexRange);

} // namespace mlir::ks

#endif // KS_EVALUATE_INPUTS_H
