//===- CudaReplay.h - Runs of a plan as CUDA graphs -------------*- C++ -*-===//
//
// A kernel in a graph costs the host far less than a launch of its own. A graph
// holds the addresses that it was captured with; callers whose allocator hands
// out the same ones again and again (PyTorch's does) so run the same graph. A
// few graphs are kept, by the addresses of the call. Addresses get a graph when
// they are seen a second time: once is no sign that they recur.
//
//===----------------------------------------------------------------------===//
#ifndef KS_DEVICE_CUDAREPLAY_H
#define KS_DEVICE_CUDAREPLAY_H

#include "CudaDriver.h"
#include "ks/Device/Device.h"

#include <array>
#include <atomic>
#include <mutex>
#include <vector>

namespace mlir::ks {

/// The graphs of one program. What cannot be done by a graph is enqueued
/// plainly, so that nothing that fails here is an error of the caller's.
class CudaReplay {
public:
  /// `driver` must outlive this.
  explicit CudaReplay(const cuda::Driver &driver) : driver(driver) {}
  CudaReplay(const CudaReplay &) = delete;
  CudaReplay &operator=(const CudaReplay &) = delete;

  /// Allows graphs if they pay for `plan` and the driver knows them.
  void initialize(const LaunchPlan &plan);
  /// As DeviceProgram::replay.
  Status run(const BaseAddresses &bases, StreamHandle stream,
             const Enqueue &enqueue);
  /// Destroys the graphs and the stream. Where a program goes without it, as
  /// while a stream is captured, they stay.
  void release();

private:
  static constexpr size_t kGraphs = 4, kMisses = 8;
  /// A graph is captured at the price of so many runs that are replayed, and
  /// there is credit for a few, so that addresses that recur too rarely do not
  /// have graphs built and thrown away for ever.
  static constexpr unsigned kPrice = 8, kCredit = 8 * kPrice;

  using Key = std::vector<void *>; ///< All base addresses; never empty.
  struct Graph {
    Key key;
    cuda::CUgraphExec executable = nullptr;
  };

  bool replayed(const BaseAddresses &bases, StreamHandle stream,
                const Enqueue &enqueue);
  cuda::CUgraphExec find(const BaseAddresses &bases);
  bool isDue(const BaseAddresses &bases);
  cuda::CUgraphExec capture(const Enqueue &enqueue);
  void keep(const BaseAddresses &bases, cuda::CUgraphExec executable);
  void dropGraphs();

  const cuda::Driver &driver;
  std::atomic<bool> enabled = false;
  std::mutex mutex;                  ///< Of what follows.
  std::vector<Graph> graphs;         ///< The last used comes first.
  std::array<Key, kMisses> misses;   ///< The last ones; empty if none.
  size_t nextMiss = 0;               ///< The oldest of them.
  unsigned credit = kCredit;         ///< In replayed runs.
  cuda::CUstream captured = nullptr; ///< Nothing ever runs there.
};

} // namespace mlir::ks

#endif // KS_DEVICE_CUDAREPLAY_H
