//===- Executor.h - Runs a launch plan on a device --------------*- C++ -*-===//
//
// A loaded program with buffers of its own, run one call at a time and waited
// for: what checks and times programs. Buffers keep what a run writes: a
// mutated input starts the next run with its new value.
//
//===----------------------------------------------------------------------===//
#ifndef KS_RUNTIME_EXECUTOR_H
#define KS_RUNTIME_EXECUTOR_H

#include "ks/Base/LaunchPlan.h"
#include "ks/Device/Device.h"

#include <memory>
#include <vector>

namespace mlir::ks {

/// A plan that is loaded on a device, with buffers for one call at a time.
class Executor {
public:
  /// Loads the program and allocates every buffer. `plan` and `device` must
  /// outlive the executor.
  static Result<std::unique_ptr<Executor>> create(Device &device,
                                                  const LaunchPlan &plan);
  ~Executor();

  /// Copies `inputs` in; an error names the argument whose dtype or shape is
  /// wrong.
  Status setInputs(const std::vector<Tensor> &inputs);
  /// Fills outputs and workspace with `byte`, so that what is not written
  /// shows.
  Status poison(uint8_t byte);
  /// One run, waited for; a failed run-time check is an error with its message.
  Status run();
  /// Seconds of each of `repeats` runs, the cache flushed before each.
  Result<std::vector<double>> time(unsigned repeats);
  Result<std::vector<Tensor>> outputs();
  /// The inputs as they are on the device now.
  Result<std::vector<Tensor>> readInputs();
  /// `count` elements from `first` on of one output or input, as a tensor of
  /// rank 1: for buffers too large to be looked at whole.
  Result<Tensor> readOutput(size_t index, int64_t first, int64_t count);
  Result<Tensor> readInput(size_t index, int64_t first, int64_t count);
  /// The same of the function's result `index`: an output, or the new value of
  /// a mutated input.
  Result<Tensor> readResult(size_t index, int64_t first, int64_t count);
  /// All of the function's results.
  Result<std::vector<Tensor>> results();
  /// True if a byte outside of the buffers, but within their guard bands of 512
  /// bytes on both sides, was written since creation.
  Result<bool> guardsIntact();

private:
  struct State;
  explicit Executor(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace mlir::ks

#endif // KS_RUNTIME_EXECUTOR_H
