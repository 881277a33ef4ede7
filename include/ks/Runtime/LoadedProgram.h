//===- LoadedProgram.h - A launch plan, ready to run ------------*- C++ -*-===//
//
// A plan on a device, without buffers: what the C API calls a program, and what
// the Executor runs too, so that what is tested is what others run.
//
//===----------------------------------------------------------------------===//
#ifndef KS_RUNTIME_LOADEDPROGRAM_H
#define KS_RUNTIME_LOADEDPROGRAM_H

#include "ks/Base/LaunchPlan.h"
#include "ks/Device/Device.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir::ks {

/// The buffers of one run: an address for each input and output of the plan.
struct CallBuffers {
  void *const *inputs = nullptr;
  void *const *outputs = nullptr;
  void *workspace = nullptr;
};

/// May be used by several threads at a time.
class LoadedProgram {
public:
  /// Checks the plan and loads its code. `plan` and `device` must outlive the
  /// result.
  static Result<std::unique_ptr<LoadedProgram>> load(Device &device,
                                                     const LaunchPlan &plan);

  /// An error that names the buffer, if one is null, not aligned to its
  /// elements (the workspace: to 256 bytes), or overlaps another where either
  /// is written.
  Status checkCall(const CallBuffers &call) const;
  /// Enqueues one run on `stream`. The call must be right.
  Status run(const CallBuffers &call, StreamHandle stream) const;
  /// The same, by means of DeviceProgram::replay.
  Status replay(const CallBuffers &call, StreamHandle stream);
  /// The message of a run-time check that failed in work that is done, which is
  /// forgotten then.
  std::optional<std::string> takeFailedCheck() const;

private:
  LoadedProgram(const LaunchPlan &plan, std::unique_ptr<DeviceProgram> program);

  /// What a call must give for a buffer.
  struct Demand {
    uint64_t bytes = 0;
    uint64_t alignment = 1;
    bool written = false;
  };
  size_t numBuffers() const { return demands.size(); }
  void *addressOf(const CallBuffers &call, size_t buffer) const;
  std::string nameOf(size_t buffer) const;
  bool anyOverlap(const CallBuffers &call) const;
  Status explain(const CallBuffers &call) const;
  Status runSteps(const CallBuffers &call, StreamHandle stream) const;

  const LaunchPlan &plan;
  std::unique_ptr<DeviceProgram> program;
  std::vector<Demand> demands; ///< Of inputs, outputs, workspace, in order.
  size_t numWritten = 0;
};

} // namespace mlir::ks

#endif // KS_RUNTIME_LOADEDPROGRAM_H
