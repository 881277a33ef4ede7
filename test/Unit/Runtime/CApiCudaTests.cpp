//===- CApiCudaTests.cpp - What a run asks of the CUDA driver -------------===//
//
// With a driver that is made up (../Device/Inputs/FakeCuda.c) and records what
// is launched.
//
//===----------------------------------------------------------------------===//

#include "FakeDriver.h"

using namespace mlir::ks;
using namespace test;
using Space = LaunchArg::Space;

TEST(launchesOnTheCallersStream) {
  FakeDriver driver;
  Loaded it({loopPlan()}, true, "cuda");
  CHECK_EQ(std::string(ks_device_architecture(it.device)), "sm_90");
  CHECK_EQ(ks_package_num_launches(it.package, 0), 3u);
  driver.variable<int>("fakeNumParams") = 4;
  int first = driver.launches(), calls = driver.variable<int>("fakeCalls");
  Floats in(8, 1), state(8, 2), out(24, 0), workspace(16, 0);
  auto stream = reinterpret_cast<void *>(0x1234);
  CHECK_EQ(
      it.run({in.data(), state.data()}, {out.data()}, workspace.data(), stream),
      KS_OK);
  CHECK_EQ(driver.launches(), first + 3);
  auto number = [](const void *pointer) {
    return reinterpret_cast<unsigned long>(pointer);
  };
  for (int t = 0; t < 3; ++t) {
    LaunchRecord &record = driver.launch(first + t);
    CHECK_EQ(std::string(record.kernel), "step");
    CHECK(record.stream == stream);
    CHECK(record.grid[0] == 1 && record.grid[1] == 2 && record.grid[2] == 3);
    CHECK(record.block[0] == 32 && record.block[1] == 2);
    CHECK_EQ(record.params[0], number(&workspace[t % 2 * 8]));
    CHECK_EQ(record.params[1], number(&workspace[8 - t % 2 * 8]));
    CHECK_EQ(record.params[2], number(&out[static_cast<size_t>(t) * 8]));
    CHECK_EQ(record.params[3], number(&state[1]));
  }
  CHECK_EQ(workspace[0], 1.0f); // The copies were made.
  CHECK_EQ(state[0], 0.0f);
  // Two copies, three launches, and for the thread's context: what it is, set
  // it, set it back. Nothing waits, allocates or looks up.
  CHECK_EQ(driver.variable<int>("fakeCalls"), calls + 2 + 3 + 3);
  CHECK(driver.variable<void *>("fakeContext") == nullptr);
  driver.variable<int>("fakeNumParams") = 0;
}

TEST(statusWordOnAGpu) {
  FakeDriver driver;
  int allocations = driver.variable<int>("fakeAllocations");
  {
    LaunchPlan plan = loopPlan();
    plan.checks = {"first", "second"};
    append(plan, Launch{"fail", {1, 1, 1}, {1, 1, 1}, {{Space::Status}}});
    Loaded it({plan}, true, "cuda");
    Floats in(8, 1), state(8, 2), out(24, 0), workspace(16, 0);
    CHECK(ks_program_check(it.program) == nullptr);
    CHECK_EQ(it.run({in.data(), state.data()}, {out.data()}, workspace.data()),
             KS_OK);
    CHECK_EQ(std::string(ks_program_check(it.program)), "second");
    CHECK(ks_program_check(it.program) == nullptr);
  }
  CHECK_EQ(driver.variable<int>("fakeAllocations"), allocations);
}

TEST(errorsOfTheDriver) {
  FakeDriver driver;
  Loaded it({loopPlan()}, true, "cuda");
  Floats in(8, 1), state(8, 2), out(24, 0), workspace(16, 0);
  auto failing = [](const char *spec) { ::setenv("FAKE_CUDA_FAIL", spec, 1); };
  failing("cuLaunchKernel=700");
  CHECK_EQ(it.run({in.data(), state.data()}, {out.data()}, workspace.data()),
           KS_ERROR_DEVICE);
  CHECK_HAS(
      std::string(ks_last_error()),
      "cuLaunchKernel failed for kernel step: CUDA_ERROR_ILLEGAL_ADDRESS");
  failing("cuMemAlloc_v2=2");
  void *memory = nullptr;
  CHECK_EQ(ks_device_allocate(it.device, 8, &memory), KS_ERROR_OUT_OF_MEMORY);
  ks_program *program = nullptr;
  failing("cuModuleGetFunction=500");
  CHECK_EQ(ks_program_load(it.package, 0, it.device, &program),
           KS_ERROR_DEVICE);
  ks_device *device = nullptr;
  failing("cuInit=100");
  CHECK_EQ(ks_device_open("cuda", 0, &device), KS_ERROR_UNSUPPORTED);
  ::unsetenv("FAKE_CUDA_FAIL");
  CHECK_EQ(ks_device_open("cuda", 7, &device), KS_ERROR_UNSUPPORTED);
  CHECK_HAS(std::string(ks_last_error()), "there is no GPU 7");
  LaunchPlan plan = loopPlan();
  plan.chip = "sm_80";
  Loaded other({plan}, false, "cuda");
  CHECK_EQ(ks_program_load(other.package, 0, it.device, &program),
           KS_ERROR_UNSUPPORTED);
  CHECK_HAS(std::string(ks_last_error()),
            "'main' holds no code for sm_90, only for sm_80");
}
