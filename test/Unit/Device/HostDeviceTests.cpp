//===- HostDeviceTests.cpp - The CPU as a device --------------------------===//
//
// Memory, launches spread over threads, and the errors of both.
//
//===----------------------------------------------------------------------===//

#include "Test.h"
#include "ThreadPool.h"
#include "ks/Base/File.h"
#include "ks/Device/Device.h"

#include <cfenv>
#include <cmath>
#include <immintrin.h>
#include <sys/wait.h>
#include <thread>

using namespace mlir::ks;

TEST(loopsCoverEveryIndexOnce) {
  for (unsigned threads : {1u, 2u, 5u}) {
    ThreadPool pool(threads);
    for (int64_t count : {0, 1, 2, 7, 1000, 100000}) {
      std::vector<std::atomic<int>> hits(static_cast<size_t>(count));
      pool.run(count, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
          ++hits[static_cast<size_t>(i)];
      });
      CHECK(std::all_of(hits.begin(), hits.end(),
                        [](const auto &hit) { return hit == 1; }));
    }
  }
  ThreadPool pool(4); // Many short loops: a thread that is late must not miss
                      // or repeat one.
  std::atomic<int64_t> sum{0};
  for (int i = 0; i < 20000; ++i)
    pool.run(3, [&](int64_t begin, int64_t end) { sum += end - begin; });
  CHECK_EQ(sum.load(), 60000);
}

TEST(memory) {
  Result<std::unique_ptr<Device>> device = createHostDevice(2);
  REQUIRE_OK(device);
  Result<DeviceAddress> a = (*device)->allocate(0),
                        b = (*device)->allocate(1000);
  REQUIRE_OK(a);
  REQUIRE_OK(b);
  CHECK(*a != *b);
  CHECK_EQ(*b % 256, 0u);
  REQUIRE_OK((*device)->fill(*b, 7, 1000));
  uint8_t bytes[3] = {1, 2, 3};
  REQUIRE_OK((*device)->copyIn(*b + 1, bytes, 3));
  REQUIRE_OK((*device)->copyOut(bytes, *b, 3));
  CHECK(bytes[0] == 7 && bytes[1] == 1 && bytes[2] == 2);
  CHECK(!(*device)->allocate(~uint64_t(0)));
  CHECK(!(*device)->allocate(~uint64_t(0) / 2));
  REQUIRE_OK((*device)->release(*b));
  CHECK(!(*device)->release(*b));
  CHECK(!(*device)->measures());
  REQUIRE_OK((*device)->flushCache());
}

TEST(launches) {
  Result<std::unique_ptr<Device>> device = createHostDevice(2);
  REQUIRE_OK(device);
  LaunchPlan plan;
  plan.function = "f";
  constexpr uint32_t kGrid = 1000, kBlock = 32;
  append(plan, Launch{"map", {kGrid, 1, 1}, {kBlock, 1, 1}, {}});
  CHECK_HAS((*device)->load(plan).error(), "'f' holds no code for the CPU");
  Result<std::string> object = readFile(KERNELS_OBJECT);
  REQUIRE_OK(object);
  plan.hostObject.assign(object->begin(), object->end());
  Result<std::unique_ptr<DeviceProgram>> program = (*device)->load(plan);
  REQUIRE_OK(program);

  std::vector<float> in(kGrid * kBlock), out(in.size());
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<float>(i);
  std::vector<DeviceAddress> args = {
      reinterpret_cast<DeviceAddress>(in.data()),
      reinterpret_cast<DeviceAddress>(out.data())};
  Result<double> seconds = (*device)->elapsed(
      [&] { return (*program)->launch(0, args.data(), nullptr); });
  REQUIRE_OK(seconds);
  CHECK(*seconds > 0);
  REQUIRE_OK((*device)->synchronize());
  const float factors[] = {2, 3, std::exp(1.0f)};
  for (size_t i = 0; i < in.size(); ++i)
    CHECK_EQ(out[i], in[i] * factors[i % 3]);

  REQUIRE_OK((*program)->copy(args[1], args[0], 40, nullptr));
  CHECK_EQ(out[9], 9.0f);
  *reinterpret_cast<uint64_t *>((*program)->statusAddress()) = 3;
  CHECK_EQ((*program)->takeStatus(), 3u);
  CHECK_EQ((*program)->takeStatus(), 0u);

  plan.launches[0].kernel = "none";
  CHECK_HAS((*device)->load(plan).error(), "no kernel 'none'");
  plan.launches[0] = {"map", {1, 2, 1}, {1, 1, 1}, {}};
  CHECK_HAS((*device)->load(plan).error(), "grids of one dimension");
}

/// Two callers at a time: one shares its loop, the other runs alone.
TEST(loopsOfSeveralThreads) {
  ThreadPool pool(3);
  std::atomic<int64_t> sum{0};
  auto many = [&] {
    for (int i = 0; i < 5000; ++i)
      pool.run(10, [&](int64_t begin, int64_t end) { sum += end - begin; });
  };
  std::thread a(many), b(many);
  many();
  a.join();
  b.join();
  CHECK_EQ(sum.load(), 150000);
}

/// A forked process has no threads but its own.
TEST(loopsAfterFork) {
  ThreadPool pool(3);
  std::atomic<int64_t> sum{0};
  pid_t child = ::fork();
  pool.run(100, [&](int64_t begin, int64_t end) { sum += end - begin; });
  if (child == 0)
    ::_exit(sum.load() == 100 ? 0 : 1);
  CHECK_EQ(sum.load(), 100);
  int status = -1;
  CHECK_EQ(::waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
}

/// Loops run in the default floating-point environment, whatever the caller's,
/// which is there again afterwards: rounding, flags, denormals.
TEST(loopsRoundToNearest) {
  for (unsigned threads : {1u, 3u}) {
    ThreadPool pool(threads);
    for (bool unusual : {false, true}) {
      unsigned before = _mm_getcsr();
      if (unusual) {
        std::fesetround(FE_UPWARD);
        _mm_setcsr(_mm_getcsr() | _MM_DENORMALS_ZERO_ON | _MM_FLUSH_ZERO_ON);
      }
      std::feclearexcept(FE_ALL_EXCEPT);
      unsigned set = _mm_getcsr();
      std::atomic<int> wrong{0};
      pool.run(100, [&](int64_t, int64_t) {
        volatile float tiny = 1e-40f, third = 1.0f;
        wrong += std::fegetround() != FE_TONEAREST || tiny * 1.0f == 0;
        third = third / 3; // Raises the flag "inexact".
      });
      CHECK_EQ(wrong.load(), 0);
      CHECK_EQ(_mm_getcsr(), set);
      CHECK_EQ(std::fegetround(), unusual ? FE_UPWARD : FE_TONEAREST);
      std::fesetround(FE_TONEAREST);
      _mm_setcsr(before);
    }
  }
}
