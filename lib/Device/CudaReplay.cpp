//===- CudaReplay.cpp - Runs of a plan as CUDA graphs ---------------------===//
//
// See CudaReplay.h.
//
// One executable graph may be launched on several streams: CUDA lets none of
// its launches begin before the one before it is done. That takes nothing from
// callers, since outputs and workspace are part of the key: two calls that may
// run at the same time have different ones, and so different graphs.
//
//===----------------------------------------------------------------------===//

#include "CudaReplay.h"

#include <algorithm>

namespace mlir::ks {

using namespace cuda;

/// What one run enqueues.
static uint64_t countWork(const LaunchPlan &plan) {
  uint64_t work = 0, times = 1;
  size_t loopEnd = 0;
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    const Step &step = plan.steps[i];
    if (i >= loopEnd)
      times = 1;
    if (step.kind != Step::Kind::Loop) {
      work += times;
      continue;
    }
    times = static_cast<uint64_t>(step.count);
    loopEnd = i + 1 + step.length;
  }
  return work;
}

void CudaReplay::initialize(const LaunchPlan &plan) {
  // A graph of one kernel costs as much as its launch; building one of a great
  // many takes long, and memory of the device.
  constexpr uint64_t kFewest = 2, kMost = 20000;
  uint64_t work = countWork(plan);
  enabled = work >= kFewest && work <= kMost && driver.cuStreamIsCapturing &&
            driver.cuStreamBeginCapture && driver.cuStreamEndCapture &&
            driver.cuGraphInstantiateWithFlags && driver.cuGraphLaunch &&
            driver.cuGraphExecDestroy && driver.cuGraphDestroy;
}

Status CudaReplay::run(const BaseAddresses &bases, StreamHandle stream,
                       const Enqueue &enqueue) {
  if (replayed(bases, stream, enqueue))
    return {};
  return enqueue(stream);
}

/// True if a graph was launched; if not, nothing was enqueued.
bool CudaReplay::replayed(const BaseAddresses &bases, StreamHandle handle,
                          const Enqueue &enqueue) {
  if (!enabled.load(std::memory_order_relaxed))
    return false;
  // A capture of the caller's takes the kernels themselves. An error tells of a
  // capture too: of one that the default stream would break.
  CUstream stream = static_cast<CUstream>(handle);
  int capturing = 0;
  if (driver.cuStreamIsCapturing(stream, &capturing) != 0 || capturing != 0)
    return false;
  // Held over the launch: a graph may be launched by one thread at a time, and
  // must not be dropped before.
  std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
  if (!lock || !enabled.load(std::memory_order_relaxed))
    return false;
  // A first launch may allocate, which the capture of another stream forbids.
  RelaxedCapture relaxed(driver);
  CUgraphExec executable = find(bases);
  if (!executable) {
    if (!isDue(bases))
      return false;
    executable = capture(enqueue);
    if (executable)
      keep(bases, executable);
  }
  if (executable && driver.cuGraphLaunch(executable, stream) == 0)
    return true;
  // Whatever it was would be met again. If it was no fault of the graph's, the
  // plain launches report it.
  enabled = false;
  dropGraphs();
  return false;
}

/// True if `key` is that of `bases`.
static bool matches(const std::vector<void *> &key,
                    const BaseAddresses &bases) {
  auto at = key.begin();
  for (std::span<void *const> list : bases) {
    if (static_cast<size_t>(key.end() - at) < list.size() ||
        !std::equal(list.begin(), list.end(), at))
      return false;
    at += static_cast<std::ptrdiff_t>(list.size());
  }
  return at == key.end();
}

/// Makes `key` that of `bases`.
static void assign(std::vector<void *> &key, const BaseAddresses &bases) {
  key.clear();
  for (std::span<void *const> list : bases)
    key.insert(key.end(), list.begin(), list.end());
}

/// The graph of these addresses, which is the last used then; null if none.
CUgraphExec CudaReplay::find(const BaseAddresses &bases) {
  for (auto graph = graphs.begin(); graph != graphs.end(); ++graph) {
    if (!matches(graph->key, bases))
      continue;
    std::rotate(graphs.begin(), graph, graph + 1);
    credit = std::min(credit + 1, kCredit);
    return graphs.front().executable;
  }
  return nullptr;
}

/// True if these addresses, which have no graph, are to get one; else they are
/// remembered.
bool CudaReplay::isDue(const BaseAddresses &bases) {
  for (Key &miss : misses) {
    if (!matches(miss, bases))
      continue;
    if (credit < kPrice)
      return false;
    credit -= kPrice;
    miss.clear();
    return true;
  }
  assign(misses[nextMiss], bases);
  nextMiss = (nextMiss + 1) % kMisses;
  return false;
}

/// A graph of what `enqueue` enqueues; null if anything fails.
CUgraphExec CudaReplay::capture(const Enqueue &enqueue) {
  if (!captured && driver.cuStreamCreate(&captured, kStreamNonBlocking) != 0) {
    captured = nullptr;
    return nullptr;
  }
  if (driver.cuStreamBeginCapture(captured, kCaptureThreadLocal) != 0)
    return nullptr;
  bool whole = static_cast<bool>(enqueue(captured));
  CUgraph graph = nullptr;
  if (driver.cuStreamEndCapture(captured, &graph) != 0 || !graph)
    return nullptr;
  CUgraphExec executable = nullptr;
  if (!whole || driver.cuGraphInstantiateWithFlags(&executable, graph, 0) != 0)
    executable = nullptr;
  driver.cuGraphDestroy(graph);
  return executable;
}

/// Keeps a graph in place of the least recently used.
void CudaReplay::keep(const BaseAddresses &bases, CUgraphExec executable) {
  if (graphs.size() < kGraphs) {
    graphs.emplace_back();
  } else {
    // If it still runs, CUDA frees it when it is done.
    driver.cuGraphExecDestroy(graphs.back().executable);
  }
  std::rotate(graphs.begin(), graphs.end() - 1, graphs.end());
  assign(graphs.front().key, bases);
  graphs.front().executable = executable;
}

void CudaReplay::dropGraphs() {
  for (const Graph &graph : graphs)
    driver.cuGraphExecDestroy(graph.executable);
  graphs.clear();
}

void CudaReplay::release() {
  dropGraphs();
  if (captured)
    driver.cuStreamDestroy(captured);
  captured = nullptr;
}

} // namespace mlir::ks
