//===- ThreadPool.h - Threads that wait for loops to share ------*- C++ -*-===//
//
// A fixed set of threads that runs one loop at a time, together with its
// caller.
//
//===----------------------------------------------------------------------===//
#ifndef KS_DEVICE_THREADPOOL_H
#define KS_DEVICE_THREADPOOL_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <pthread.h>
#include <sys/types.h>
#include <vector>

namespace mlir::ks {

class ThreadPool {
public:
  /// `threads` in all, the caller's among them; fewer where the system refuses.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  /// Calls `body(begin, end)` for ranges that cover [0, count) once each, and
  /// returns when all are done. Every thread has the default floating-point
  /// environment meanwhile. A caller that finds the threads busy with another's
  /// loop, or that is a forked copy of their process, runs its loop alone.
  void run(int64_t count, const std::function<void(int64_t, int64_t)> &body);

private:
  static void *enter(void *self);
  void wait();
  void work();

  void share(int64_t total, const std::function<void(int64_t, int64_t)> &body);

  std::vector<pthread_t> threads;
  pid_t owner;           ///< The process that has the threads.
  std::mutex oneAtATime; ///< Held by the caller whose loop is shared.
  std::mutex mutex;
  std::condition_variable wake, done;
  uint64_t loop = 0;  ///< Counts the loops.
  size_t running = 0; ///< Threads that have not finished the present one.
  bool stop = false;

  const std::function<void(int64_t, int64_t)> *body = nullptr;
  int64_t count = 0, chunk = 1;
  std::atomic<int64_t> next{0};
};

} // namespace mlir::ks

#endif // KS_DEVICE_THREADPOOL_H
