//===- ExecutorTests.cpp - Runs a launch plan on the CPU ------------------===//
//
// A plan of two launches with a temporary in the workspace, its checks, and
// kernels that write where they should not.
//
//===----------------------------------------------------------------------===//

#include "Test.h"
#include "ks/Base/File.h"
#include "ks/Runtime/Executor.h"

#include <cstring>

using namespace mlir::ks;
using Space = LaunchArg::Space;

int main() { return test::runTests(); }

static LaunchPlan emptyPlan() {
  LaunchPlan plan;
  plan.function = "main";
  Result<std::string> object = readFile(KERNELS_OBJECT);
  if (object)
    plan.hostObject.assign(object->begin(), object->end());
  return plan;
}

/// out = 2 * (in + 1) on 4x8 floats.
static LaunchPlan chainPlan() {
  LaunchPlan plan = emptyPlan();
  plan.inputs = {{DType::F32, {4, 8}}};
  plan.outputs = {{DType::F32, {4, 8}}};
  plan.workspaceBytes = 32 * 4;
  plan.checks = {"first", "an element is negative"};
  append(plan, Launch{"increment",
                      {4, 1, 1},
                      {8, 1, 1},
                      {{Space::Input, 0, 0},
                       {Space::Workspace, 0, 0},
                       {Space::Status, 0, 0}}});
  append(plan, Launch{"twice",
                      {2, 1, 1},
                      {16, 1, 1},
                      {{Space::Workspace, 0, 0}, {Space::Output, 0, 0}}});
  return plan;
}

static Tensor floats(std::vector<int64_t> shape, float first) {
  Tensor tensor{DType::F32, std::move(shape), {}};
  tensor.bytes.resize(static_cast<size_t>(*numElements(tensor.shape)) * 4);
  for (size_t i = 0; i < tensor.bytes.size() / 4; ++i) {
    float value = first + static_cast<float>(i);
    std::memcpy(&tensor.bytes[4 * i], &value, 4);
  }
  return tensor;
}

/// A device and an executor of `plan` on it, or the error.
struct Fixture {
  explicit Fixture(LaunchPlan given) : plan(std::move(given)) {
    Result<std::unique_ptr<Device>> host = createHostDevice(2);
    if (!host)
      return;
    device = std::move(*host);
    Result<std::unique_ptr<Executor>> created = Executor::create(*device, plan);
    if (created)
      executor = std::move(*created);
    else
      error = created.error();
  }
  LaunchPlan plan;
  std::unique_ptr<Device> device;
  std::unique_ptr<Executor> executor;
  std::string error;
};

TEST(runsAChain) {
  Fixture it(chainPlan());
  CHECK_EQ(it.error, "");
  REQUIRE_OK(it.executor->setInputs({floats({4, 8}, 1)}));
  REQUIRE_OK(it.executor->poison(0xff));
  Result<std::vector<Tensor>> poisoned = it.executor->outputs();
  REQUIRE_OK(poisoned);
  CHECK((*poisoned)[0].bytes == std::vector<uint8_t>(128, 0xff));
  REQUIRE_OK(it.executor->run()); // The poisoned status word is cleared.
  Result<std::vector<Tensor>> outputs = it.executor->outputs();
  REQUIRE_OK(outputs);
  CHECK_EQ(outputs->size(), 1u);
  for (int64_t i = 0; i < 32; ++i)
    CHECK_EQ(elementAsDouble((*outputs)[0], i), 2.0 * (double(i) + 2));
  Result<std::vector<Tensor>> inputs = it.executor->readInputs();
  REQUIRE_OK(inputs);
  CHECK((*inputs)[0].bytes == floats({4, 8}, 1).bytes);
  Result<bool> intact = it.executor->guardsIntact();
  REQUIRE_OK(intact);
  CHECK(*intact);
  Result<std::vector<double>> times = it.executor->time(3);
  REQUIRE_OK(times);
  CHECK_EQ(times->size(), 3u);
}

/// A recurrence as it is lowered: state[t + 1] = state[t] + 1 in a double
/// buffer, row t of the output is twice state[t + 1], and the last state
/// becomes the new value of argument 1.
TEST(loopsAndCopies) {
  for (int64_t count : {0, 1, 2, 5}) {
    LaunchPlan plan = emptyPlan();
    plan.inputs = {{DType::F32, {4}}, {DType::F32, {4}}};
    plan.outputs = {{DType::F32, {5, 4}}};
    plan.mutated = {{1, 1}};
    plan.workspaceBytes = 3 * 16 + 8;
    append(plan, Copy{{Space::Input, 0}, {Space::Workspace, 0, 0}, 16});
    plan.steps.push_back({Step::Kind::Loop, 0, count, 3});
    append(plan, Launch{"increment",
                        {1, 1, 1},
                        {4, 1, 1},
                        {{Space::Workspace, 0, 0, 0, 16},
                         {Space::Workspace, 0, 16, 0, -16},
                         {Space::Status}}});
    append(plan, Launch{"twice",
                        {1, 1, 1},
                        {4, 1, 1},
                        {{Space::Workspace, 0, 16, 0, -16},
                         {Space::Workspace, 0, 32}}});
    append(plan,
           Copy{{Space::Workspace, 0, 32}, {Space::Output, 0, 0, 16}, 16});
    int64_t last = count % 2 * 16; // The parity at which the state ends.
    append(plan, Copy{{Space::Workspace, 0, last}, {Space::Input, 1}, 16});
    Fixture it(plan);
    CHECK_EQ(it.error, "");
    REQUIRE_OK(it.executor->setInputs({floats({4}, 1), floats({4}, 100)}));
    REQUIRE_OK(it.executor->poison(0));
    REQUIRE_OK(it.executor->run());
    Result<std::vector<Tensor>> outputs = it.executor->outputs();
    REQUIRE_OK(outputs);
    for (int64_t t = 0; t < 5; ++t)
      for (int64_t i = 0; i < 4; ++i)
        CHECK_EQ(elementAsDouble((*outputs)[0], 4 * t + i),
                 t < count ? 2.0 * double(i + t + 2) : 0.0);
    Result<std::vector<Tensor>> inputs = it.executor->readInputs();
    REQUIRE_OK(inputs);
    for (int64_t i = 0; i < 4; ++i) {
      CHECK_EQ(elementAsDouble((*inputs)[0], i), double(i + 1));
      CHECK_EQ(elementAsDouble((*inputs)[1], i), double(i + 1 + count));
    }
    Result<bool> intact = it.executor->guardsIntact();
    REQUIRE_OK(intact);
    CHECK(*intact);
  }
}

TEST(failedChecks) {
  Fixture it(chainPlan());
  REQUIRE_OK(it.executor->setInputs({floats({4, 8}, -5)}));
  CHECK_EQ(it.executor->run().error(), "an element is negative");
  CHECK_EQ(it.executor->time(1).error(), "an element is negative");
  REQUIRE_OK(it.executor->setInputs({floats({4, 8}, 0)}));
  REQUIRE_OK(it.executor->run()); // A failure does not stay.
  LaunchPlan plan = chainPlan();
  plan.checks.clear();
  Fixture unknown(plan);
  REQUIRE_OK(unknown.executor->setInputs({floats({4, 8}, -5)}));
  CHECK_EQ(unknown.executor->run().error(), "'main' left the unknown status 2");
}

TEST(wrongInputs) {
  Fixture it(chainPlan());
  auto error = [&](const std::vector<Tensor> &inputs) {
    return it.executor->setInputs(inputs).error();
  };
  CHECK_EQ(error({}), "expected 1 arguments, got 0");
  CHECK_EQ(error({floats({4, 7}, 0)}),
           "argument 0: expected 4x8xf32, got 4x7xf32");
  Tensor tensor = floats({4, 8}, 0);
  tensor.dtype = DType::I32;
  CHECK_EQ(error({tensor}), "argument 0: expected 4x8xf32, got 4x8xi32");
  tensor = floats({4, 8}, 0);
  tensor.bytes.pop_back();
  CHECK_EQ(error({tensor}), "argument 0: expected 128 bytes, got 127");
}

TEST(strayWritesAreNoticed) {
  for (int64_t distance : {-512, -1, 3, 514, 0, 2}) {
    LaunchPlan plan = emptyPlan();
    plan.inputs = {{DType::I64, {}}};
    plan.outputs = {{DType::I8, {3}}};
    append(plan, Launch{"stray",
                        {1, 1, 1},
                        {1, 1, 1},
                        {{Space::Output, 0, 0}, {Space::Input, 0, 0}}});
    Fixture it(plan);
    Tensor where{DType::I64, {}, std::vector<uint8_t>(8)};
    std::memcpy(where.bytes.data(), &distance, 8);
    REQUIRE_OK(it.executor->setInputs({where}));
    REQUIRE_OK(it.executor->run());
    Result<bool> intact = it.executor->guardsIntact();
    REQUIRE_OK(intact);
    CHECK_EQ(*intact, distance >= 0 && distance < 3);
  }
}

TEST(emptyBuffers) {
  LaunchPlan plan = emptyPlan();
  plan.hostObject.clear(); // Without launches none is needed.
  plan.inputs = {{DType::F32, {0, 3}}};
  plan.outputs = {{DType::F64, {2, 0}}, {DType::Bool, {}}};
  Fixture it(plan);
  CHECK_EQ(it.error, "");
  REQUIRE_OK(it.executor->setInputs({floats({0, 3}, 0)}));
  REQUIRE_OK(it.executor->poison(1));
  REQUIRE_OK(it.executor->run());
  Result<std::vector<Tensor>> outputs = it.executor->outputs();
  REQUIRE_OK(outputs);
  CHECK((*outputs)[0].bytes.empty());
  CHECK_EQ((*outputs)[1].bytes.size(), 1u);
  Result<bool> intact = it.executor->guardsIntact();
  REQUIRE_OK(intact);
  CHECK(*intact);
}

TEST(wrongPlans) {
  LaunchPlan plan = chainPlan();
  plan.workspaceBytes = ~uint64_t(0);
  CHECK_HAS(Fixture(plan).error, "'main': a workspace of 18446744073709551615");
  plan = chainPlan();
  plan.launches[1].args[1].index = 1;
  CHECK_HAS(Fixture(plan).error, "kernel 'twice': an argument lies outside");
  plan = chainPlan();
  plan.launches[1].args[0].offset = 1000;
  CHECK_HAS(Fixture(plan).error, "kernel 'twice': an argument lies outside");
  plan = chainPlan();
  plan.outputs[0].shape = {int64_t(1) << 40, int64_t(1) << 40};
  CHECK_HAS(Fixture(plan).error, "output 0: the size of");
  plan.outputs[0].shape = {int64_t(1) << 58};
  CHECK_HAS(Fixture(plan).error,
            "output 0 (288230376151711744xf32): host device: cannot allocate");
  plan = chainPlan();
  plan.hostObject.clear();
  CHECK_HAS(Fixture(plan).error, "'main' holds no code for the CPU");
  plan = chainPlan();
  plan.launches[0].kernel = "none";
  CHECK_HAS(Fixture(plan).error, "no kernel 'none'");
}
