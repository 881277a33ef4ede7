//===- Agent.h - The loop over kernels and candidates -----------*- C++ -*-===//
//
// For each distinct kernel of a cut module: the default knobs are the
// incumbent; candidates of the policy go through the gate in a worker process;
// what is better is committed. Everything is written down as it happens, so
// that what was committed survives the death of the run.
//
//===----------------------------------------------------------------------===//
#ifndef KS_AGENT_AGENT_H
#define KS_AGENT_AGENT_H

#include "ks/Agent/Policy.h"
#include "ks/Evaluate/Evaluator.h"
#include "ks/Support/EventLog.h"
#include "ks/Support/RunFolder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <string>
#include <vector>

namespace mlir::ks {

struct AgentOptions {
  unsigned budget =
      12; ///< Trials for each distinct kernel, the default's included.
  uint64_t seed = 0; ///< Of the inputs.
  bool deterministic = true;
  std::string chip;
  std::string ptxas;
};

/// One trial, when it is over.
struct TrialReport {
  std::string kernel;    ///< Name of the kernel function.
  unsigned kernelNumber; ///< From 1.
  unsigned kernelCount;
  unsigned number; ///< From 0, the default's.
  unsigned budget;
  Knobs knobs;
  std::string why;
  TrialResult result;
  bool committed;
  bool estimated; ///< Times say nothing about the hardware compiled for.
};

/// What became of one kernel.
struct KernelOutcome {
  std::string kernel;
  Knobs knobs;           ///< Committed.
  bool verified = false; ///< The default passed the gate.
};

class Agent {
public:
  /// What is written during the run goes to `folder` and `events`.
  Agent(AgentOptions options, DeviceInfo device, Evaluator &evaluator,
        RunFolder &folder, EventLog &events)
      : options(std::move(options)), device(std::move(device)),
        evaluator(evaluator), folder(folder), events(events) {}

  /// Called after each trial.
  std::function<void(const TrialReport &)> onTrial;

  /// Optimises every kernel of `module`, a cut one, and sets the committed
  /// knobs on it. An error is one of the run's own files; trials never fail.
  Result<std::vector<KernelOutcome>> optimise(ModuleOp module);

  /// Checks the whole program with the committed knobs against the one without;
  /// if it is wrong or no faster, the knobs go back to their defaults, and the
  /// result is that of those.
  Result<TrialResult> checkProgram(ModuleOp module);

  /// "checked: host, timed: estimate"
  std::string label() const;

private:
  Result<KernelOutcome> optimiseKernel(func::FuncOp kernel, unsigned number,
                                       unsigned count);
  Result<TrialResult> runTrial(const std::string &path, TrialJob job);
  TrialJob newJob() const;

  AgentOptions options;
  DeviceInfo device;
  Evaluator &evaluator;
  RunFolder &folder;
  EventLog &events;
};

/// True if committed knobs are not to stay, given how the whole program did
/// with them, on a device whose times are measurements or not. What only an
/// estimate favours has to show in the whole as well.
bool goesBack(Outcome outcome, bool measures);

/// The kernels of a cut module, in the order of their definition.
SmallVector<func::FuncOp> kernelsOf(ModuleOp module);

/// The text of a module with one host function that calls `kernel` alone, with
/// the knobs given, or without any.
std::string isolate(func::FuncOp kernel, const Knobs *knobs);

} // namespace mlir::ks

#endif // KS_AGENT_AGENT_H
