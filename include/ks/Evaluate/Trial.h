//===- Trial.h - One candidate through the gate -----------------*- C++ -*-===//
//
// What is asked of a worker and what it answers, as plain data that travels as
// JSON. A candidate is compiled, checked against the float64 reference on
// several laws of inputs, and timed in turns with the incumbent.
//
//===----------------------------------------------------------------------===//
#ifndef KS_EVALUATE_TRIAL_H
#define KS_EVALUATE_TRIAL_H

#include "ks/Evaluate/Compare.h"
#include "ks/Evaluate/Timing.h"
#include "ks/Lowering/Lowering.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace mlir::ks {

/// The question. The modules are cut ones, with knobs on their kernels.
struct TrialJob {
  std::string reference; ///< What the candidate has to compute; knobs ignored.
  std::string candidate;
  std::string incumbent; ///< What it is timed against; empty: timed alone.
  std::string device = "host";
  std::string chip; ///< Also compile for this NVPTX chip; may be empty on host.
  std::string ptxas;  ///< As LoweringOptions::ptxas.
  std::string folder; ///< Where the PTX is left; empty: nowhere.
  uint64_t seed = 0;
  bool deterministic = true; ///< Two runs must agree to the bit.
  double maxFlops = 0;       ///< More is not checked; 0: the device's default.
  int64_t maxCompared = int64_t(1) << 26; ///< Elements compared on the CPU.
  double timingSeconds = 2;               ///< About that much time for timing.
};

enum class Outcome {
  Passed,       ///< Right; there was no incumbent.
  Better,       ///< Right and faster: the only outcome that commits.
  NotBetter,    ///< Right.
  Inconclusive, ///< Right; the timing does not tell.
  Wrong,        ///< It ran, and the gate found a fault.
  Failed,       ///< It did not compile or did not run.
  Crashed,      ///< The worker died, hung or answered garbage.
  Unchecked,    ///< Too large for the reference on this device.
};

std::string_view name(Outcome outcome);

/// One law of inputs.
struct LawCheck {
  std::string law;
  uint64_t seed = 0;
  bool rejected = false; ///< The graph's own checks refuse these inputs.
  std::vector<OutputCheck> outputs;
};

/// The answer.
struct TrialResult {
  Outcome outcome = Outcome::Failed;
  std::string reason;      ///< One line; empty where the outcome says it all.
  std::string diagnostics; ///< What the compiler said.
  std::string code;        ///< Fingerprint of the program and its launches.
  std::vector<KernelResources> resources;
  std::vector<LawCheck> checks;
  unsigned pairs = 0; ///< Measurements that `timing` rests on.
  PairedTiming timing;
  WorkCount work;
  double compileSeconds = 0;
  double checkSeconds = 0;

  bool right() const { return outcome <= Outcome::Inconclusive; }
};

llvm::json::Object toJSON(const TrialJob &job);
llvm::json::Object toJSON(const TrialResult &result);
bool fromJSON(const llvm::json::Value &value, TrialJob &job,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, TrialResult &result,
              llvm::json::Path path);

/// What a worker says of the device that it opened.
struct DeviceInfo {
  std::string kind;         ///< cuda or host.
  std::string name;         ///< NVIDIA H200, or the CPU's.
  std::string architecture; ///< sm_90, or x86-64.
  bool measures = false;    ///< Times are those of the hardware compiled for.
  std::string note;         ///< Why `auto` did not take a GPU.
};

llvm::json::Object toJSON(const DeviceInfo &info);
bool fromJSON(const llvm::json::Value &value, DeviceInfo &info,
              llvm::json::Path path);

} // namespace mlir::ks

#endif // KS_EVALUATE_TRIAL_H
