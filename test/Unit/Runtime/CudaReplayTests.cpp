//===- CudaReplayTests.cpp - When runs are CUDA graphs --------------------===//
//
// ks_program_replay with a driver that is made up, which counts what is done to
// graphs, and launches what they hold.
//
//===----------------------------------------------------------------------===//

#include "FakeDriver.h"

#include <thread>

using namespace mlir::ks;
using namespace test;

namespace {
/// Buffers for a run of loopPlan.
struct Buffers {
  Floats in = Floats(8, 1), state = Floats(8, 2), out = Floats(24, 0),
         workspace = Floats(16, 0);
};

struct Replay {
  explicit Replay(LaunchPlan plan = loopPlan()) : it({plan}, true, "cuda") {
    driver.variable<int>("fakeNumParams") = 4;
    start();
  }
  ~Replay() {
    ::unsetenv("FAKE_CUDA_FAIL");
    driver.variable<int>("fakeNumParams") = 0;
  }
  static void fail(const char *spec) { ::setenv("FAKE_CUDA_FAIL", spec, 1); }

  /// From here on things are counted.
  void start() {
    launches = driver.launches();
    graphs = total("fakeGraphLaunches");
    built = total("fakeInstantiations");
  }
  int total(const char *name) { return driver.variable<int>(name); }
  /// True if since start() so many runs were right, so many of them by graphs,
  /// of which so many were built.
  bool were(int runs, int byGraph, int builds) {
    bool right = driver.launches() == launches + 3 * runs &&
                 total("fakeGraphLaunches") == graphs + byGraph &&
                 total("fakeInstantiations") == built + builds;
    start();
    return right;
  }
  /// A run, which copies its input; false if it did not.
  bool run(Buffers &buffers, void *stream = nullptr) {
    static float value = 0;
    buffers.in.assign(8, ++value);
    return it.replay({buffers.in.data(), buffers.state.data()},
                     {buffers.out.data()}, buffers.workspace.data(),
                     stream) == KS_OK &&
           buffers.workspace[7] == value;
  }

  FakeDriver driver;
  Loaded it;
  int launches = 0, graphs = 0, built = 0;
};
} // namespace

TEST(aGraphFromTheSecondTimeOn) {
  Replay replay;
  Buffers buffers;
  auto stream = reinterpret_cast<void *>(0x1234);
  CHECK(replay.run(buffers, stream));
  CHECK(replay.were(1, 0, 0));
  CHECK(replay.run(buffers, stream));
  CHECK(replay.were(1, 1, 1));
  int calls = replay.total("fakeCalls"), first = replay.driver.launches();
  CHECK(replay.run(buffers, stream));
  CHECK(replay.were(1, 1, 0));
  // The thread's context: what it is, set, and set back; whether the stream is
  // captured; into the thread's mode of captures and out of it; the launch; and
  // in the made up driver, nothing for what the graph holds.
  CHECK_EQ(replay.total("fakeCalls"), calls + 3 + 1 + 2 + 1);
  for (int t = 0; t < 3; ++t) {
    LaunchRecord &record = replay.driver.launch(first + t);
    CHECK_EQ(std::string(record.kernel), "step");
    CHECK(record.stream == stream);
    CHECK(record.grid[1] == 2 && record.block[0] == 32);
    CHECK_EQ(record.params[2], reinterpret_cast<unsigned long>(
                                   &buffers.out[static_cast<size_t>(t) * 8]));
  }
  // On another stream too.
  CHECK(replay.run(buffers));
  CHECK(replay.were(1, 1, 0));
  CHECK(replay.driver.launch(first + 3).stream == nullptr);
  CHECK(replay.driver.variable<void *>("fakeContext") == nullptr);
  CHECK_EQ(replay.total("fakeGraphs"), 0);
}

TEST(everyAddressIsPartOfTheKey) {
  Replay replay;
  Buffers one, other;
  for (int i = 0; i < 3; ++i)
    CHECK(replay.run(one));
  CHECK(replay.were(3, 2, 1));
  for (Floats Buffers::*buffer :
       {&Buffers::in, &Buffers::state, &Buffers::out, &Buffers::workspace}) {
    std::swap(one.*buffer, other.*buffer);
    CHECK(replay.run(one));
    CHECK(replay.were(1, 0, 0));
    std::swap(one.*buffer, other.*buffer);
    CHECK(replay.run(one));
    CHECK(replay.were(1, 1, 0));
  }
}

TEST(fewGraphsAreKept) {
  Replay replay;
  Buffers buffers[5];
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 4; ++i)
      CHECK(replay.run(buffers[i]));
  CHECK(replay.were(8, 4, 4));
  CHECK(replay.run(buffers[0]));
  CHECK(replay.were(1, 1, 0));
  // A fifth takes the place of the second, which was used least recently.
  CHECK(replay.run(buffers[4]));
  CHECK(replay.run(buffers[4]));
  CHECK(replay.were(2, 1, 1));
  CHECK_EQ(replay.total("fakeExecutables"), 4);
  for (int i : {0, 2, 3, 4})
    CHECK(replay.run(buffers[i]));
  CHECK(replay.were(4, 4, 0));
  CHECK(replay.run(buffers[1]));
  CHECK(replay.were(1, 0, 0));
}

TEST(onlyTheLastMissesAreKnown) {
  Replay replay;
  Buffers buffers[9];
  for (int round = 0; round < 3; ++round)
    for (Buffers &each : buffers)
      CHECK(replay.run(each));
  CHECK(replay.were(27, 0, 0));
}

/// Eight buffers in turns, none of which would find its graph again, do not
/// have graphs built for ever.
TEST(graphsThatDoNotPay) {
  Replay replay;
  Buffers buffers[8];
  for (int round = 0; round < 40; ++round)
    for (Buffers &each : buffers)
      CHECK(replay.run(each));
  int built = replay.total("fakeInstantiations") - replay.built;
  int launched = replay.total("fakeGraphLaunches") - replay.graphs;
  CHECK(built <= 8 + launched / 8);
  CHECK(launched > 40);
}

TEST(aStreamThatIsCaptured) {
  Replay replay;
  Buffers buffers;
  auto stream = reinterpret_cast<void *>(0x1234);
  void *&foreign = replay.driver.variable<void *>("fakeForeignCapture");
  foreign = stream;
  for (int i = 0; i < 3; ++i)
    CHECK(replay.run(buffers, stream));
  CHECK(replay.were(3, 0, 0));
  foreign = nullptr;
  for (int i = 0; i < 3; ++i)
    CHECK(replay.run(buffers, stream));
  CHECK(replay.were(3, 2, 1));
  foreign = stream; // A graph would be there.
  CHECK(replay.run(buffers, stream));
  CHECK(replay.were(1, 0, 0));
  foreign = nullptr;
  Replay::fail("cuStreamIsCapturing=906");
  CHECK(replay.run(buffers, stream));
  CHECK(replay.were(1, 0, 0));
}

TEST(graphsThatCannotBeBuilt) {
  for (const char *entry :
       {"cuStreamCreate=2", "cuStreamBeginCapture_v2=1", "cuStreamEndCapture=1",
        "cuGraphInstantiateWithFlags=2", "cuGraphLaunch=2"}) {
    Replay replay;
    Buffers buffers, others;
    CHECK(replay.run(buffers));
    Replay::fail(entry);
    CHECK(replay.run(buffers));
    CHECK(replay.run(buffers));
    ::unsetenv("FAKE_CUDA_FAIL");
    replay.built = replay.total("fakeInstantiations"); // Before cuGraphLaunch.
    for (int i = 0; i < 3; ++i) {
      CHECK(replay.run(buffers));
      CHECK(replay.run(others));
    }
    CHECK(replay.were(9, 0, 0));
    CHECK_EQ(replay.total("fakeGraphs"), 0);
    CHECK_EQ(replay.total("fakeExecutables"), 0);
  }
}

TEST(aGraphThatNoLongerLaunches) {
  Replay replay;
  Buffers buffers;
  for (int i = 0; i < 3; ++i)
    CHECK(replay.run(buffers));
  Replay::fail("cuGraphLaunch=700");
  CHECK(replay.run(buffers));
  CHECK_EQ(replay.total("fakeExecutables"), 0);
  // The plain launches tell of errors.
  Replay::fail("cuLaunchKernel=700");
  CHECK(!replay.run(buffers));
  CHECK_HAS(
      std::string(ks_last_error()),
      "cuLaunchKernel failed for kernel step: CUDA_ERROR_ILLEGAL_ADDRESS");
}

TEST(errorsWhileCapturing) {
  Replay replay;
  Buffers buffers;
  CHECK(replay.run(buffers));
  Replay::fail("cuLaunchKernel=700");
  CHECK(!replay.run(buffers));
  CHECK_HAS(std::string(ks_last_error()), "cuLaunchKernel failed");
  CHECK_EQ(replay.total("fakeGraphs"), 0);
  CHECK_EQ(replay.total("fakeInstantiations"), replay.built);
}

TEST(unloadDestroysTheGraphs) {
  FakeDriver driver;
  int streams = driver.variable<int>("fakeStreams");
  {
    Replay replay;
    Buffers buffers[2];
    CHECK_EQ(replay.total("fakeStreams"), streams + 1); // The device's.
    for (int i = 0; i < 4; ++i)
      CHECK(replay.run(buffers[i % 2]));
    CHECK_EQ(replay.total("fakeExecutables"), 2);
    CHECK_EQ(replay.total("fakeStreams"), streams + 2);
  }
  CHECK_EQ(driver.variable<int>("fakeExecutables"), 0);
  CHECK_EQ(driver.variable<int>("fakeGraphs"), 0);
  CHECK_EQ(driver.variable<int>("fakeStreams"), streams);
}

/// Plans of one step, and of a great many.
TEST(plansThatAreNotReplayed) {
  for (int64_t count : {int64_t(0), int64_t(1), int64_t(20001)}) {
    LaunchPlan plan = loopPlan();
    plan.steps.clear();
    plan.copies.clear();
    plan.mutated.clear();
    plan.outputs = {{DType::F32, {20001}}};
    plan.launches[0].args = {{LaunchArg::Space::Output, 0, 0, 4}};
    plan.steps = {{Step::Kind::Loop, 0, count, 1}, {Step::Kind::Launch}};
    Replay replay(plan);
    replay.driver.variable<int>("fakeNumParams") = 1;
    Floats in(8, 0), state(8, 0), out(20001, 0), workspace(16, 0);
    for (int i = 0; i < 3; ++i)
      CHECK_EQ(replay.it.replay({in.data(), state.data()}, {out.data()},
                                workspace.data()),
               KS_OK);
    CHECK_EQ(replay.driver.launches(),
             replay.launches + 3 * static_cast<int>(count));
    CHECK_EQ(replay.total("fakeGraphLaunches"), replay.graphs);
  }
}

/// Two threads with buffers of their own, and one that changes them.
TEST(replayFromThreads) {
  Replay replay;
  constexpr int kRuns = 500;
  bool right[3] = {true, true, true};
  auto work = [&](int thread) {
    Buffers buffers[6];
    for (int i = 0; i < kRuns; ++i) {
      Buffers &each = buffers[thread == 2 ? i / 3 % 6 : 0];
      each.in.assign(8, static_cast<float>(i + 1));
      bool ran =
          replay.it.replay({each.in.data(), each.state.data()},
                           {each.out.data()}, each.workspace.data()) == KS_OK;
      right[thread] &= ran && each.workspace[7] == static_cast<float>(i + 1);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back(work, i);
  for (std::thread &thread : threads)
    thread.join();
  for (bool each : right)
    CHECK(each);
  CHECK_EQ(replay.driver.launches(), replay.launches + 3 * 3 * kRuns);
  CHECK(replay.total("fakeGraphLaunches") > replay.graphs);
  CHECK(replay.total("fakeExecutables") <= 4);
}

TEST(replayChecksItsCall) {
  Replay replay;
  Buffers buffers;
  void *inputs[] = {buffers.in.data(), buffers.state.data()};
  void *outputs[] = {buffers.in.data()};
  CHECK_EQ(ks_program_replay(nullptr, inputs, outputs, nullptr, nullptr),
           KS_ERROR_ARGUMENT);
  CHECK_EQ(ks_program_replay(replay.it.program, inputs, outputs,
                             buffers.workspace.data(), nullptr),
           KS_ERROR_ARGUMENT);
  CHECK_HAS(std::string(ks_last_error()), "overlaps");
  CHECK(replay.were(0, 0, 0));
}
