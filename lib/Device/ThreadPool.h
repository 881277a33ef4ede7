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
  /// returns when all are done. One call at a time. Every thread has the
  /// default floating-point environment meanwhile.
  void run(int64_t count, const std::function<void(int64_t, int64_t)> &body);

private:
  static void *enter(void *self);
  void wait();
  void work();

  std::vector<pthread_t> threads;
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
