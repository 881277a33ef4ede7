//===- LaunchPlan.h - What a compiled graph does at run time ----*- C++ -*-===//
//
// A compiled host function as flat data: its buffers, and the steps in order.
// Everything a device needs to run it, and nothing of LLVM or MLIR.
//
// Host ABI: inputs, outputs (destination-passing), one workspace, one stream.
// An output or the workspace overlaps nothing else; a mutated input overlaps no
// other buffer; any other input may be passed twice. The status word is no part
// of them: whoever loads the program owns it; a kernel whose check k (counted
// from one) fails stores k there, and the results are then undefined.
//
//===----------------------------------------------------------------------===//
#ifndef KS_BASE_LAUNCHPLAN_H
#define KS_BASE_LAUNCHPLAN_H

#include "ks/Base/Tensor.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mlir::ks {

/// What an input is to the model that was exported.
enum class InputKind : uint8_t { Input, Parameter, Buffer, Constant, Random };

/// "input", "parameter", "buffer", "constant", "random".
std::string_view name(InputKind kind);
std::optional<InputKind> parseInputKind(std::string_view name);

/// A buffer that the caller provides, dense and row-major.
struct BufferDesc {
  DType dtype = DType::F32;
  std::vector<int64_t> shape = {};
  /// Of an input: its name in the model ("layers.0.weight"), if known.
  std::string name = {};
  InputKind kind = InputKind::Input; ///< Inputs only.

  bool operator==(const BufferDesc &) const = default;
};

/// The bytes of a buffer; none if they do not fit 63 bits.
std::optional<int64_t> byteSize(const BufferDesc &desc);

/// A place in a buffer. In iteration t of a loop it lies at
/// offset + t * stride + (t odd ? flip : 0) bytes; outside of loops t is 0.
struct LaunchArg {
  enum class Space : uint8_t { Input, Output, Workspace, Status };
  Space space = Space::Input;
  uint32_t index = 0; ///< Which input or output; 0 for the others.
  int64_t offset = 0;
  int64_t stride = 0;
  int64_t flip = 0;

  bool operator==(const LaunchArg &) const = default;
};

/// What CUDA takes: 32764 bytes of parameters (CUDA C++ Programming Guide,
/// "__global__ Function Parameters").
inline constexpr size_t maxLaunchArgs = 4095;

/// One kernel launch. Sizes in blocks and threads, each at least one.
struct Launch {
  std::string kernel; ///< Symbol in the cubin and in the host object.
  std::array<uint32_t, 3> grid = {1, 1, 1};
  std::array<uint32_t, 3> block = {1, 1, 1};
  std::vector<LaunchArg> args;

  bool operator==(const Launch &) const = default;
};

/// A copy on the device; source and destination do not overlap.
struct Copy {
  LaunchArg from, to;
  uint64_t bytes = 0;

  bool operator==(const Copy &) const = default;
};

/// Launches and copies run in order. A loop runs the `length` steps after it
/// `count` times; these hold no loop.
struct Step {
  enum class Kind : uint8_t { Launch, Copy, Loop };
  Kind kind = Kind::Launch;
  uint32_t index = 0;  ///< Into launches or copies.
  int64_t count = 0;   ///< Of a loop; 0 skips its steps.
  uint32_t length = 0; ///< Of a loop.

  bool operator==(const Step &) const = default;
};

/// The function's result `result` is no output but the new value of an input:
/// a Copy at the end writes it there.
struct Mutation {
  uint32_t result = 0;
  uint32_t input = 0;

  bool operator==(const Mutation &) const = default;
};

/// A view of a buffer as PyTorch means it, in elements.
struct View {
  std::vector<int64_t> sizes, strides;
  int64_t offset = 0;

  bool operator==(const View &) const = default;
};

/// One of the values that the caller sees: an output or an input (mutated or
/// returned as it is), or a view of its memory.
struct ResultDesc {
  enum class Of : uint8_t { Output, Input };
  Of of = Of::Output;
  uint32_t index = 0;
  std::optional<View> view = {};

  bool operator==(const ResultDesc &) const = default;
};

struct LaunchPlan {
  std::string function; ///< Name of the host function.
  std::vector<BufferDesc> inputs;
  /// The function's results that are no mutations, in order.
  std::vector<BufferDesc> outputs;
  std::vector<Mutation> mutated; ///< By ascending result.
  std::vector<ResultDesc> results;
  uint64_t workspaceBytes = 0;
  std::vector<Step> steps;
  std::vector<Launch> launches;
  std::vector<Copy> copies;
  /// The messages of the run-time checks, the status word's value less one.
  std::vector<std::string> checks;
  /// JSON that the Python package wrote and alone understands.
  std::string python;
  /// Programs; empty when the plan was not compiled for that kind of device.
  std::string chip; ///< Of the cubin, e.g. "sm_90a".
  std::vector<uint8_t> cubin;
  std::vector<uint8_t> ptx; ///< Text, for cards the cubin does not fit.
  std::vector<uint8_t>
      hostObject; ///< A relocatable ELF object, see HostLoader.h.

  bool operator==(const LaunchPlan &) const = default;
};

/// True if input `index` is written.
bool isMutated(const LaunchPlan &plan, size_t index);

/// True if a step takes input `index`.
bool readsInput(const LaunchPlan &plan, size_t index);

/// The function's results: outputs, and new values of mutated inputs.
inline size_t numResults(const LaunchPlan &plan) {
  return plan.outputs.size() + plan.mutated.size();
}

/// Where result `result` of the function is: an output or a mutated input. It
/// is below numResults().
ResultDesc placeOfResult(const LaunchPlan &plan, size_t result);

/// Adds a step for `launch` or `copy` at the end.
void append(LaunchPlan &plan, Launch launch);
void append(LaunchPlan &plan, Copy copy);

/// Checks everything that a plan's parts say about each other: places lie
/// within their buffers in every iteration, only what may be written is a
/// copy's destination, counts and sizes are in range. Errors name the part.
/// Whether the kernels keep to their buffers is theirs.
Status validate(const LaunchPlan &plan);

/// Checks that `view` lies within a buffer of this shape.
Status validate(const View &view, const BufferDesc &buffer);

/// The buffer that a result is, or is a view of.
const BufferDesc &bufferOf(const LaunchPlan &plan, const ResultDesc &result);

} // namespace mlir::ks

#endif // KS_BASE_LAUNCHPLAN_H
