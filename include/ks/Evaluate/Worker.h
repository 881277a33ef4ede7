//===- Worker.h - The process that meets the candidates ---------*- C++ -*-===//
//
// What ks-worker runs: one device, jobs one after another. What is the same
// from job to job (the reference and its results, the incumbent) is kept.
//
//===----------------------------------------------------------------------===//
#ifndef KS_EVALUATE_WORKER_H
#define KS_EVALUATE_WORKER_H

#include "ks/Evaluate/Trial.h"

#include <memory>

namespace mlir::ks {

class Worker {
public:
  Worker();
  ~Worker();

  /// Opens `kind` (auto, cuda, host), or says why it cannot.
  Result<DeviceInfo> open(const std::string &kind);

  /// One candidate through the gate. What goes wrong is an outcome.
  TrialResult run(const TrialJob &job);

  /// True if the device takes no more work, as after a CUDA error that sticks.
  bool lost() const;

private:
  struct State;
  std::unique_ptr<State> state;
};

/// Serves the parent over the message socket until it closes it. Requests are
/// {"open": kind} and {"trial": job}; answers {"device": info}, {"result":
/// result} or {"error": message}. The exit status of the process.
int serveWorker();

} // namespace mlir::ks

#endif // KS_EVALUATE_WORKER_H
