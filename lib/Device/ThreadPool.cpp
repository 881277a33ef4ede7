//===- ThreadPool.cpp - Threads that wait for loops to share --------------===//
//
// A loop is cut into a few ranges a thread, which the threads take as they get
// free, so that uneven ranges even out.
//
//===----------------------------------------------------------------------===//

#include "ThreadPool.h"

#include <algorithm>
#include <cfenv>
#include <immintrin.h>
#include <unistd.h>

namespace mlir::ks {

static constexpr int64_t kRangesPerThread = 8;

namespace {
/// The default floating-point environment for a scope. Callers mostly have it
/// already; to ask is a tenth of the price of setting it.
class DefaultEnvironment {
public:
  DefaultEnvironment() : status(_mm_getcsr()) {
    uint16_t control = 0;
    asm volatile("fnstcw %0" : "=m"(control));
    changed = (status & ~kFlags) != kDefaultStatus || control != kDefaultX87;
    if (!changed)
      return;
    std::fegetenv(&environment);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultEnvironment() {
    if (changed)
      std::fesetenv(&environment);
    else
      _mm_setcsr(status);
  }
  DefaultEnvironment(const DefaultEnvironment &) = delete;
  DefaultEnvironment &operator=(const DefaultEnvironment &) = delete;

private:
  // Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1,
  // sections 8.1.5 and 10.2.3.
  static constexpr unsigned kFlags = 0x3f, kDefaultStatus = 0x1f80;
  static constexpr uint16_t kDefaultX87 = 0x37f;
  unsigned status; ///< MXCSR
  bool changed;
  std::fenv_t environment;
};
} // namespace

ThreadPool::ThreadPool(unsigned count) : owner(::getpid()) {
  for (unsigned i = 1; i < count; ++i) {
    pthread_t thread;
    if (::pthread_create(&thread, nullptr, &ThreadPool::enter, this) != 0)
      break;
    threads.push_back(thread);
  }
}

ThreadPool::~ThreadPool() {
  if (owner != ::getpid())
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    stop = true;
  }
  wake.notify_all();
  for (pthread_t thread : threads)
    ::pthread_join(thread, nullptr);
}

void *ThreadPool::enter(void *self) {
  static_cast<ThreadPool *>(self)->wait();
  return nullptr;
}

void ThreadPool::wait() {
  std::fesetenv(FE_DFL_ENV); // A thread inherits its creator's.
  std::unique_lock<std::mutex> lock(mutex);
  for (uint64_t seen = 0;;) {
    wake.wait(lock, [&] { return stop || loop != seen; });
    if (stop)
      return;
    seen = loop;
    lock.unlock();
    work();
    lock.lock();
    if (--running == 0)
      done.notify_one();
  }
}

void ThreadPool::work() {
  for (;;) {
    int64_t begin = next.fetch_add(chunk, std::memory_order_relaxed);
    if (begin >= count)
      return;
    (*body)(begin, std::min(count, begin + chunk));
  }
}

void ThreadPool::share(int64_t total,
                       const std::function<void(int64_t, int64_t)> &loopBody) {
  int64_t ranges = static_cast<int64_t>(threads.size() + 1) * kRangesPerThread;
  {
    std::lock_guard<std::mutex> lock(mutex);
    body = &loopBody;
    count = total;
    chunk = std::max<int64_t>(1, total / ranges);
    next.store(0, std::memory_order_relaxed);
    running = threads.size();
    ++loop;
  }
  wake.notify_all();
  work();
  std::unique_lock<std::mutex> lock(mutex);
  done.wait(lock, [&] { return running == 0; });
}

void ThreadPool::run(int64_t total,
                     const std::function<void(int64_t, int64_t)> &loopBody) {
  DefaultEnvironment environment;
  bool alone = threads.empty() || total <= 1 || owner != ::getpid();
  std::unique_lock<std::mutex> turn(oneAtATime, std::defer_lock);
  if (!alone && turn.try_lock())
    share(total, loopBody);
  else if (total > 0)
    loopBody(0, total);
}

} // namespace mlir::ks
