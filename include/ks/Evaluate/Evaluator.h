//===- Evaluator.h - Candidates in a worker process -------------*- C++ -*-===//
//
// The parent's side: sends jobs to a worker process and takes what becomes of
// it, a crash, a hang or a garbled answer included, as the result of the trial.
//
//===----------------------------------------------------------------------===//
#ifndef KS_EVALUATE_EVALUATOR_H
#define KS_EVALUATE_EVALUATOR_H

#include "ks/Evaluate/Trial.h"
#include "ks/Support/Subprocess.h"

#include <memory>
#include <string>

namespace mlir::ks {

/// The path of ks-worker: $KS_WORKER, beside this program or library (or in the
/// bin folder next to its own), or in PATH; empty if there is none.
std::string findWorker();

class Evaluator {
public:
  struct Options {
    std::string worker;  ///< Path of ks-worker.
    std::string logFile; ///< What workers print; empty: to standard error.
    double trialSeconds = 120; ///< A trial that takes longer is a hang.
  };
  explicit Evaluator(Options options) : options(std::move(options)) {}

  /// Starts a worker and opens the device; the error names what is missing.
  Result<DeviceInfo> open(const std::string &kind);

  /// Never fails as such: what goes wrong is the result's outcome.
  TrialResult evaluate(const TrialJob &job);

  /// How many workers were started.
  unsigned workers() const { return started; }

private:
  /// One message to the worker, which is started if need be.
  Result<llvm::json::Object> ask(llvm::json::Object request, double seconds);

  Options options;
  std::string device;
  std::unique_ptr<Subprocess> worker;
  unsigned started = 0;
};

} // namespace mlir::ks

#endif // KS_EVALUATE_EVALUATOR_H
