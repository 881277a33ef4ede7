//===- CudaDeviceTests.cpp - What the CUDA device does about errors -------===//
//
// With a driver that fails on request (Inputs/FakeCuda.c), so that it runs
// where there is no GPU.
//
//===----------------------------------------------------------------------===//

#include "Test.h"
#include "ks/Device/Device.h"

#include <dlfcn.h>

using namespace mlir::ks;

/// An environment variable for the length of a test; the driver is the fake one
/// unless it says otherwise.
class Environment {
public:
  Environment(std::string name = "FAKE_CUDA_DEVICES",
              const std::string &value = "1")
      : name(std::move(name)) {
    ::setenv("KS_CUDA_DRIVER", FAKE_CUDA, 1);
    ::setenv(this->name.c_str(), value.c_str(), 1);
  }
  Environment(const Environment &) = delete;
  ~Environment() { ::unsetenv(name.c_str()); }

private:
  std::string name;
};

template <typename T> static T &fakeVariable(const char *name) {
  return *static_cast<T *>(::dlsym(::dlopen(FAKE_CUDA, RTLD_NOW), name));
}

static LaunchPlan planWithBoth(const std::string &kernel = "k") {
  LaunchPlan plan;
  append(plan, Launch{kernel, {2, 3, 4}, {32, 1, 1}, {{}, {}}});
  plan.function = "f";
  plan.chip = "sm_90a";
  plan.cubin = {'c', 'u', 'b', 'i', 'n', 0};
  plan.ptx = {'p', 't', 'x'};
  return plan;
}

TEST(noDriver) {
  Environment environment("KS_CUDA_DRIVER", "/nonexistent/libcuda.so");
  std::string why;
  CHECK(!cudaAvailable(&why));
  CHECK_HAS(why, "no CUDA driver: /nonexistent/libcuda.so");
  CHECK_HAS(createDevice("cuda").error(), "no CUDA driver");
  std::string note;
  Result<std::unique_ptr<Device>> device = createDevice("auto", &note);
  REQUIRE_OK(device);
  CHECK_EQ((*device)->kind(), "host");
  CHECK_HAS(note, "no GPU, running on the CPU: no CUDA driver");
  CHECK_HAS(createDevice("tpu").error(), "unknown device 'tpu'");
}

TEST(notADriver) {
  Environment environment("KS_CUDA_DRIVER", "libm.so.6");
  std::string why;
  CHECK(!cudaAvailable(&why));
  CHECK_HAS(why, "'libm.so.6' has no cuInit");
}

TEST(noDevice) {
  std::string why;
  {
    Environment environment("FAKE_CUDA_FAIL", "cuInit=100");
    CHECK(!cudaAvailable(&why));
    CHECK_HAS(
        why,
        "cuInit failed: CUDA_ERROR_NO_DEVICE (the fake driver was told to)");
    CHECK_HAS(createDevice("cuda").error(), "CUDA_ERROR_NO_DEVICE");
  }
  Environment environment("FAKE_CUDA_DEVICES", "0");
  CHECK(!cudaAvailable(&why));
  CHECK_HAS(why, "reports no GPU");
  CHECK_HAS(createDevice("cuda").error(), "reports no GPU");
}

TEST(autoTakesTheGpu) {
  Environment environment;
  std::string note;
  CHECK(cudaAvailable());
  Result<std::unique_ptr<Device>> device = createDevice("auto", &note);
  REQUIRE_OK(device);
  CHECK_EQ((*device)->kind(), "cuda");
  CHECK_EQ((*device)->name(), "Fake GPU");
  CHECK_EQ((*device)->architecture(), "sm_90");
  CHECK((*device)->measures());
  CHECK_EQ(note, "");
}

TEST(memoryAndLaunches) {
  Environment environment;
  int &allocations = fakeVariable<int>("fakeAllocations");
  int before = allocations;
  {
    Result<std::unique_ptr<Device>> device = createDevice("cuda");
    REQUIRE_OK(device);
    Result<DeviceAddress> address = (*device)->allocate(16);
    REQUIRE_OK(address);
    REQUIRE_OK((*device)->fill(*address, 3, 16));
    uint8_t bytes[2] = {1, 2};
    REQUIRE_OK((*device)->copyIn(*address, bytes, 2));
    REQUIRE_OK((*device)->copyOut(bytes, *address + 1, 2));
    CHECK(bytes[0] == 2 && bytes[1] == 3);
    LaunchPlan plan = planWithBoth();
    Result<std::unique_ptr<DeviceProgram>> program = (*device)->load(plan);
    REQUIRE_OK(program);
    int launches = fakeVariable<int>("fakeLaunches");
    DeviceAddress args[] = {*address, *address + 8};
    Result<double> seconds = (*device)->elapsed(
        [&] { return (*program)->launch(0, args, (*device)->stream()); });
    REQUIRE_OK(seconds);
    CHECK(std::abs(*seconds - 1.5e-3) < 1e-9);
    CHECK_EQ(fakeVariable<int>("fakeLaunches"), launches + 1);
    CHECK_EQ((*program)->takeStatus(), 0u); // This plan has no status word.
    CHECK_HAS((*device)->load(planWithBoth("missing")).error(),
              "cuModuleGetFunction failed for kernel missing after kernel k: "
              "CUDA_ERROR_NOT_FOUND");
    REQUIRE_OK((*device)->flushCache());
    REQUIRE_OK((*device)->flushCache());
    CHECK_EQ(allocations, before + 2); // The cache's displacer is made once.
    REQUIRE_OK((*device)->release(*address));
  }
  CHECK_EQ(allocations, before);
}

/// Kernels are found and loaded with the program, so that a launch asks the
/// driver for nothing but itself, on whatever stream it is told.
TEST(launchesCallTheDriverOnce) {
  Environment environment;
  Result<std::unique_ptr<Device>> device = createDevice("cuda");
  REQUIRE_OK(device);
  LaunchPlan plan = planWithBoth();
  append(plan,
         Launch{"fail", {1, 1, 1}, {64, 1, 1}, {{LaunchArg::Space::Status}}});
  append(plan, plan.launches[0]);
  int loaded = fakeVariable<int>("fakeFunctionsLoaded");
  Result<std::unique_ptr<DeviceProgram>> program = (*device)->load(plan);
  REQUIRE_OK(program);
  CHECK_EQ(fakeVariable<int>("fakeFunctionsLoaded"), loaded + 2);
  CHECK_EQ(fakeVariable<int>("fakeCaptureMode"), 0); // As it was before.

  // Another context is current, and is so again afterwards.
  void *&context = fakeVariable<void *>("fakeContext");
  char other;
  context = &other;
  void *before = nullptr;
  REQUIRE_OK((*program)->enter(before));
  CHECK(context != &other);
  int calls = fakeVariable<int>("fakeCalls");
  DeviceAddress args[] = {(*program)->statusAddress(), 16};
  char stream;
  REQUIRE_OK((*program)->launch(0, args, &stream));
  REQUIRE_OK((*program)->launch(1, args, nullptr));
  CHECK_EQ(fakeVariable<int>("fakeCalls"), calls + 2);
  (*program)->leave(before);
  CHECK(context == &other);
  context = nullptr;

  CHECK_EQ((*program)->takeStatus(), 2u);
  CHECK_EQ((*program)->takeStatus(), 0u);
  // The error of another stream's kernel is not laid at this launch's door.
  auto set = Environment("FAKE_CUDA_FAIL", "cuMemAlloc_v2=2");
  CHECK((*device)->allocate(1).error().find("after") == std::string::npos);
}

TEST(devicesByNumber) {
  Environment environment("FAKE_CUDA_DEVICES", "2");
  REQUIRE_OK(createCudaDevice(1));
  CHECK_HAS(createCudaDevice(2).error(),
            "there is no GPU 2: the CUDA driver reports 2");
  CHECK_HAS(createCudaDevice(-1).error(), "there is no GPU -1");
}

TEST(chipsThatFit) {
  struct Case {
    const char *chip, *arch, *image;
  };
  for (Case it : {Case{"sm_90a", "90", "cubin"},
                  {"sm_90", "90", "cubin"},
                  {"sm_80", "86", "cubin"},
                  {"sm_86", "80", "ptx"},
                  {"sm_90a", "100", "ptx"},
                  {"sm_100a", "103", "ptx"},
                  {"sm_100f", "103", "cubin"},
                  {"sm_100", "103", "cubin"},
                  {"gfx90a", "90", "ptx"},
                  {"", "90", "ptx"}}) {
    Environment environment("FAKE_CUDA_ARCH", it.arch);
    Result<std::unique_ptr<Device>> device = createDevice("cuda");
    REQUIRE_OK(device);
    LaunchPlan plan = planWithBoth();
    plan.chip = it.chip;
    REQUIRE_OK((*device)->load(plan));
    CHECK_EQ(std::string(fakeVariable<char[64]>("fakeLastImage")), it.image);
  }
  Environment environment("FAKE_CUDA_ARCH", "80");
  Result<std::unique_ptr<Device>> device = createDevice("cuda");
  REQUIRE_OK(device);
  LaunchPlan plan = planWithBoth();
  plan.ptx.clear();
  CHECK_HAS((*device)->load(plan).error(),
            "'f' holds no code for sm_80, only for sm_90a");
  plan.cubin.clear();
  CHECK_HAS((*device)->load(plan).error(), "'f' holds no code for sm_80");
}

TEST(errorsSayWhatFailed) {
  Environment environment;
  Result<std::unique_ptr<Device>> device = createDevice("cuda");
  REQUIRE_OK(device);
  LaunchPlan plan = planWithBoth();
  Result<std::unique_ptr<DeviceProgram>> program = (*device)->load(plan);
  REQUIRE_OK(program);
  DeviceAddress args[] = {0, 0};
  auto launch = [&] {
    return (*program)->launch(0, args, (*device)->stream());
  };
  auto failing = [&](const std::string &spec) {
    return Environment("FAKE_CUDA_FAIL", spec);
  };
  {
    auto set = failing("cuMemAlloc_v2=2");
    CHECK_EQ((*device)->allocate(4096).error(),
             "cuMemAlloc failed for 4096 bytes: CUDA_ERROR_OUT_OF_MEMORY (the "
             "fake driver was told to)");
  }
  {
    auto set = failing("cuLaunchKernel=1");
    std::string error = launch().error();
    CHECK_HAS(error,
              "cuLaunchKernel failed for kernel k: CUDA_ERROR_INVALID_VALUE");
    CHECK(error.find("sticky") == std::string::npos);
    REQUIRE_OK((*device)->synchronize());
  }
  {
    auto set = failing("cuStreamSynchronize=700");
    REQUIRE_OK(launch());
    CHECK_HAS((*device)->synchronize().error(),
              "cuStreamSynchronize failed after kernel k: "
              "CUDA_ERROR_ILLEGAL_ADDRESS (the fake "
              "driver was told to); sticky: the context is lost");
  }
  {
    auto set = failing("cuModuleLoadDataEx=218");
    CHECK_HAS((*device)->load(planWithBoth()).error(),
              "cuModuleLoadDataEx failed for the cubin of sm_90a on sm_90: "
              "CUDA_ERROR_INVALID_PTX "
              "(the fake driver was told to): ptxas application ptx input, "
              "line 1; fatal");
  }
  {
    auto set = failing("cuEventRecord=777"); // A code without a name.
    CHECK_HAS((*device)->elapsed([] { return Status(); }).error(),
              "cuEventRecord failed: error 777");
  }
  for (const char *entry :
       {"cuDevicePrimaryCtxRetain", "cuCtxSetCurrent", "cuStreamCreate",
        "cuEventCreate", "cuDeviceGetAttribute"}) {
    auto set = failing(std::string(entry) + "=2");
    CHECK_HAS(createDevice("cuda").error(), "CUDA_ERROR_OUT_OF_MEMORY");
  }
}
