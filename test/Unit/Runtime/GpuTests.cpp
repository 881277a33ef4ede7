//===- GpuTests.cpp - A plan on a real GPU --------------------------------===//
//
// The executor through the real CUDA driver, its run-time compiler included.
// Where there is no GPU these tests say so and pass; Device/CudaDeviceTests.cpp
// tests against a driver that is made up.
//
//===----------------------------------------------------------------------===//

#include "CApi.h"
#include "ks/Runtime/Executor.h"

#include <cstring>
#include <dlfcn.h>

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

/// The same of args {in, out, status}; check 1 fails where in[i] is negative.
static constexpr const char *kChecked = R"(
.version 7.0
.target sm_80
.address_size 64
.visible .entry increment(.param .u64 in, .param .u64 out, .param .u64 status) {
  .reg .u64 %p<4>;
  .reg .u32 %r<5>;
  .reg .f32 %f<2>;
  .reg .pred %negative;
  ld.param.u64 %p0, [in];
  ld.param.u64 %p1, [out];
  ld.param.u64 %p3, [status];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  mul.wide.u32 %p2, %r3, 4;
  add.u64 %p0, %p0, %p2;
  add.u64 %p1, %p1, %p2;
  ld.global.f32 %f0, [%p0];
  setp.lt.f32 %negative, %f0, 0f00000000;
  @%negative st.global.u64 [%p3], 1;
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

/// A plan that adds 1 three times: a loop with a double buffer, a copy of the
/// last value, which is the new value of the input, and a check.
static LaunchPlan checkedPlan() {
  LaunchPlan plan = gpuPlan();
  std::string text = kChecked;
  plan.ptx.assign(text.begin(), text.end());
  plan.inputs = plan.outputs = {{DType::F32, {1024}}};
  plan.mutated = {{1, 0}};
  plan.workspaceBytes = 2 * 4096;
  plan.checks = {"an element is negative"};
  plan.launches.clear();
  plan.steps.clear();
  append(plan, Copy{{Space::Input, 0}, {Space::Workspace}, 4096});
  plan.steps.push_back({Step::Kind::Loop, 0, 3, 1});
  append(plan, Launch{"increment",
                      {4, 1, 1},
                      {256, 1, 1},
                      {{Space::Workspace, 0, 0, 0, 4096},
                       {Space::Workspace, 0, 4096, 0, -4096},
                       {Space::Status}}});
  append(plan, Copy{{Space::Workspace, 0, 4096}, {Space::Output, 0}, 4096});
  append(plan, Copy{{Space::Workspace, 0, 4096}, {Space::Input, 0}, 4096});
  return plan;
}

namespace {
/// What a caller with a stream and graphs of its own uses of the driver.
struct Graphs {
  Graphs() {
    void *library = ::dlopen("libcuda.so.1", RTLD_NOW);
    auto find = [&](auto &entry, const char *name) {
      entry = reinterpret_cast<std::decay_t<decltype(entry)>>(
          ::dlsym(library, name));
    };
    find(retain, "cuDevicePrimaryCtxRetain");
    find(setCurrent, "cuCtxSetCurrent");
    find(createStream, "cuStreamCreate");
    find(begin, "cuStreamBeginCapture_v2");
    find(end, "cuStreamEndCapture");
    find(instantiate, "cuGraphInstantiateWithFlags");
    find(launch, "cuGraphLaunch");
  }
  int (*retain)(void **, int);
  int (*setCurrent)(void *);
  int (*createStream)(void **, unsigned);
  int (*begin)(void *, int);
  int (*end)(void *, void **);
  int (*instantiate)(void **, void *, unsigned long long);
  int (*launch)(void *, void *);
};
} // namespace

/// The first run of a program is captured, and replayed; checks are read
/// without a wait for anything but the stream.
TEST(firstRunInAGraph) {
  if (!gpu())
    return;
  test::Loaded it({checkedPlan()}, true, "cuda");
  Graphs cuda;
  void *context = nullptr, *stream = nullptr, *graph = nullptr,
       *executable = nullptr, *in = nullptr, *out = nullptr,
       *workspace = nullptr;
  CHECK_EQ(cuda.retain(&context, 0), 0);
  CHECK_EQ(cuda.setCurrent(context), 0);
  CHECK_EQ(cuda.createStream(&stream, 1), 0);
  CHECK_EQ(ks_device_allocate(it.device, 4096, &in), KS_OK);
  CHECK_EQ(ks_device_allocate(it.device, 4096, &out), KS_OK);
  CHECK_EQ(ks_device_allocate(it.device, 8192, &workspace), KS_OK);
  std::vector<float> values(1024, 5);
  CHECK_EQ(ks_device_copy_in(it.device, in, values.data(), 4096, stream),
           KS_OK);
  CHECK_EQ(cuda.begin(stream, /*CU_STREAM_CAPTURE_MODE_GLOBAL*/ 0), 0);
  CHECK_EQ(it.run({in}, {out}, workspace, stream), KS_OK);
  CHECK_EQ(cuda.end(stream, &graph), 0);
  CHECK_EQ(cuda.instantiate(&executable, graph, 0), 0);
  for (float wanted : {8.0f, 11.0f}) {
    CHECK_EQ(cuda.launch(executable, stream), 0);
    CHECK_EQ(ks_device_copy_out(it.device, values.data(), out, 4096, stream),
             KS_OK);
    CHECK_EQ(values[1023], wanted);
    CHECK(ks_program_check(it.program) == nullptr);
  }
  // On the default stream, and with a check that fails.
  values.assign(1024, -2);
  CHECK_EQ(ks_device_copy_in(it.device, in, values.data(), 4096, nullptr),
           KS_OK);
  CHECK_EQ(it.run({in}, {out}, workspace), KS_OK);
  CHECK_EQ(ks_device_synchronize(it.device, nullptr), KS_OK);
  const char *message = ks_program_check(it.program);
  CHECK_EQ(std::string(message ? message : ""), "an element is negative");
  CHECK(ks_program_check(it.program) == nullptr);
  for (void *memory : {in, out, workspace})
    CHECK_EQ(ks_device_free(it.device, memory), KS_OK);
}

/// Runs that are replayed compute as others do, on several streams and when the
/// values change.
TEST(replaysOnTheGpu) {
  if (!gpu())
    return;
  test::Loaded it({checkedPlan()}, true, "cuda");
  Graphs cuda;
  void *context = nullptr, *streams[3] = {}, *in = nullptr, *out = nullptr,
       *workspace = nullptr;
  CHECK_EQ(cuda.retain(&context, 0), 0);
  CHECK_EQ(cuda.setCurrent(context), 0);
  for (int i : {0, 1}) // The third is the default stream.
    CHECK_EQ(cuda.createStream(&streams[i], 1), 0);
  CHECK_EQ(ks_device_allocate(it.device, 4096, &in), KS_OK);
  CHECK_EQ(ks_device_allocate(it.device, 4096, &out), KS_OK);
  CHECK_EQ(ks_device_allocate(it.device, 8192, &workspace), KS_OK);
  for (int i = 0; i < 12; ++i) {
    void *stream = streams[i % 3];
    std::vector<float> values(1024, static_cast<float>(i == 10 ? -9 : i));
    CHECK_EQ(ks_device_copy_in(it.device, in, values.data(), 4096, stream),
             KS_OK);
    CHECK_EQ(it.replay({in}, {out}, workspace, stream), KS_OK);
    CHECK_EQ(it.replay({in}, {out}, workspace, stream), KS_OK);
    for (void *result : {in, out}) {
      CHECK_EQ(
          ks_device_copy_out(it.device, values.data(), result, 4096, stream),
          KS_OK);
      CHECK_EQ(values[1023], static_cast<float>(i == 10 ? -3 : i + 6));
    }
    CHECK_EQ(ks_program_check(it.program) != nullptr, i == 10);
  }
  for (void *memory : {in, out, workspace})
    CHECK_EQ(ks_device_free(it.device, memory), KS_OK);
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
