//===- GpuTests.cpp - A plan on a real GPU --------------------------------===//
//
// The executor through the real CUDA driver, its run-time compiler included.
// Where there is no GPU these tests say so and pass; Device/CudaDeviceTests.cpp
// tests against a driver that is made up.
//
//===----------------------------------------------------------------------===//

#include "Test.h"
#include "ks/Runtime/Executor.h"

#include <cstring>

using namespace mlir::ks;
using Space = LaunchArg::Space;

/// out[i] = in[i] + 1, one element a thread, of args {in, out}.
static constexpr const char *kIncrement = R"(
.version 7.0
.target sm_80
.address_size 64
.visible .entry increment(.param .u64 in, .param .u64 out) {
  .reg .u64 %p<4>;
  .reg .u32 %r<5>;
  .reg .f32 %f<2>;
  ld.param.u64 %p0, [in];
  ld.param.u64 %p1, [out];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  mul.wide.u32 %p2, %r3, 4;
  add.u64 %p0, %p0, %p2;
  add.u64 %p1, %p1, %p2;
  ld.global.f32 %f0, [%p0];
  add.f32 %f1, %f0, 0f3F800000;
  st.global.f32 [%p1], %f1;
  ret;
}
)";

static LaunchPlan gpuPlan() {
  LaunchPlan plan;
  plan.function = "main";
  plan.chip = "sm_80";
  std::string text = kIncrement;
  plan.ptx.assign(text.begin(), text.end());
  plan.inputs = {{DType::F32, {64, 256}}};
  plan.outputs = {{DType::F32, {64, 256}}};
  append(plan, Launch{"increment",
                      {64, 1, 1},
                      {256, 1, 1},
                      {{Space::Input, 0, 0}, {Space::Output, 0, 0}}});
  return plan;
}

/// The GPU, or null with the reason printed.
static std::unique_ptr<Device> gpu() {
  std::string why;
  if (!cudaAvailable(&why)) {
    std::cerr << "skipped, no GPU: " << why << std::endl;
    return nullptr;
  }
  Result<std::unique_ptr<Device>> device = createCudaDevice();
  if (device)
    return std::move(*device);
  test::fail(__FILE__, __LINE__, device.error());
  return nullptr;
}

TEST(runsOnTheGpu) {
  std::unique_ptr<Device> device = gpu();
  if (!device)
    return;
  std::cerr << device->name() << ", " << device->architecture() << std::endl;
  LaunchPlan plan = gpuPlan();
  Result<std::unique_ptr<Executor>> executor = Executor::create(*device, plan);
  REQUIRE_OK(executor);
  Tensor input{DType::F32, {64, 256}, std::vector<uint8_t>(64 * 256 * 4)};
  for (size_t i = 0; i < 64 * 256; ++i) {
    float value = static_cast<float>(i);
    std::memcpy(&input.bytes[4 * i], &value, 4);
  }
  REQUIRE_OK((*executor)->setInputs({input}));
  REQUIRE_OK((*executor)->poison(0xff));
  REQUIRE_OK((*executor)->run());
  Result<std::vector<Tensor>> outputs = (*executor)->outputs();
  REQUIRE_OK(outputs);
  for (int64_t i = 0; i < 64 * 256; ++i)
    CHECK_EQ(elementAsDouble((*outputs)[0], i), double(i) + 1);
  Result<bool> intact = (*executor)->guardsIntact();
  REQUIRE_OK(intact);
  CHECK(*intact);
  Result<std::vector<double>> times = (*executor)->time(20);
  REQUIRE_OK(times);
  for (double seconds : *times)
    CHECK(seconds > 1e-7 && seconds < 1e-2);
}

TEST(strayWritesOnTheGpu) {
  std::unique_ptr<Device> device = gpu();
  if (!device)
    return;
  LaunchPlan plan = gpuPlan();
  plan.launches[0].args[1].offset = 4; // The last thread writes behind the end.
  Result<std::unique_ptr<Executor>> executor = Executor::create(*device, plan);
  REQUIRE_OK(executor);
  REQUIRE_OK((*executor)->run());
  Result<bool> intact = (*executor)->guardsIntact();
  REQUIRE_OK(intact);
  CHECK(!*intact);
}

TEST(compileErrorsOnTheGpu) {
  std::unique_ptr<Device> device = gpu();
  if (!device)
    return;
  LaunchPlan plan = gpuPlan();
  std::string text = "not PTX";
  plan.ptx.assign(text.begin(), text.end());
  Result<std::unique_ptr<Executor>> executor = Executor::create(*device, plan);
  CHECK(!executor);
  if (!executor)
    CHECK_HAS(executor.error(),
              "cuModuleLoadDataEx failed for the PTX of sm_80 on sm_");
}

/// Last: from then on the process's context is of no use.
TEST(stickyErrorsOnTheGpu) {
  std::unique_ptr<Device> device = gpu();
  if (!device)
    return;
  LaunchPlan plan = gpuPlan();
  Result<std::unique_ptr<DeviceProgram>> program = device->load(plan);
  REQUIRE_OK(program);
  void *before = nullptr;
  REQUIRE_OK((*program)->enter(before));
  DeviceAddress args[] = {8, 8};
  REQUIRE_OK((*program)->launch(0, args, device->stream()));
  (*program)->leave(before);
  Status status = device->synchronize();
  CHECK(!status);
  if (!status)
    CHECK_HAS(status.error(),
              "failed after kernel increment: CUDA_ERROR_ILLEGAL_ADDRESS");
  if (!status)
    CHECK_HAS(status.error(), "sticky: the context is lost");
}
