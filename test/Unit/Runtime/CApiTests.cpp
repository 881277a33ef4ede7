//===- CApiTests.cpp - Programs through the C API -------------------------===//
//
// On the CPU: what a call may do with its buffers, and what it may not; checks;
// threads; packages that are damaged. CApiCudaTests.cpp has what is particular
// to GPUs.
//
//===----------------------------------------------------------------------===//

#include "CApi.h"
#include "ks/Base/File.h"

#include <cstring>
#include <thread>

using namespace mlir::ks;
using namespace test;
using Space = LaunchArg::Space;

/// out = 2 * (in + 1) on n floats, with a temporary in the workspace and a
/// check: 2 where an element of `in` is negative.
static LaunchPlan chainPlan(int64_t n = 32) {
  LaunchPlan plan = hostPlan();
  plan.inputs = {{DType::F32, {n}, "x"}};
  plan.outputs = {{DType::F32, {n}}};
  plan.results = {{ResultDesc::Of::Output, 0}};
  plan.workspaceBytes = static_cast<uint64_t>(4 * n);
  plan.checks = {"first", "an element is negative"};
  uint32_t grid = static_cast<uint32_t>(n / 8);
  append(plan,
         Launch{"increment",
                {grid, 1, 1},
                {8, 1, 1},
                {{Space::Input, 0}, {Space::Workspace}, {Space::Status}}});
  append(plan, Launch{"twice",
                      {grid, 1, 1},
                      {8, 1, 1},
                      {{Space::Workspace}, {Space::Output, 0}}});
  return plan;
}

/// out = a + b; b becomes a + b, too, if it is mutated.
static LaunchPlan addPlan(bool mutates) {
  LaunchPlan plan = hostPlan();
  plan.inputs = {{DType::F32, {8}, "a"},
                 {DType::F32, {8}, "b", InputKind::Buffer}};
  plan.outputs = {{DType::F32, {8}}};
  plan.results = {{ResultDesc::Of::Output, 0, View{{2, 2}, {4, 1}, 1}}};
  append(plan,
         Launch{"add",
                {1, 1, 1},
                {8, 1, 1},
                {{Space::Input, 0}, {Space::Input, 1}, {Space::Output, 0}}});
  if (mutates) {
    plan.mutated = {{1, 1}};
    plan.results.push_back({ResultDesc::Of::Input, 1});
    append(plan, Copy{{Space::Output, 0}, {Space::Input, 1}, 32});
  }
  return plan;
}

TEST(runsAndDescribes) {
  Loaded it({chainPlan()});
  CHECK_EQ(std::string(ks_device_kind(it.device)), "host");
  CHECK_EQ(std::string(ks_device_architecture(it.device)), "x86-64");
  CHECK(*ks_device_name(it.device));
  CHECK_EQ(ks_package_num_variants(it.package), 1u);
  CHECK_EQ(std::string(ks_package_producer(it.package)), "test");
  CHECK_EQ(ks_package_workspace_bytes(it.package, 0), 128u);
  CHECK_EQ(ks_package_num_launches(it.package, 0), 2u);
  ks_buffer buffer;
  CHECK_EQ(ks_package_input(it.package, 0, 0, &buffer), KS_OK);
  CHECK_EQ(std::string(buffer.name), "x");
  CHECK_EQ(std::string(buffer.kind), "input");
  CHECK(buffer.dtype == KS_F32 && buffer.rank == 1 && buffer.shape[0] == 32 &&
        buffer.bytes == 128 && !buffer.mutated);
  CHECK_EQ(ks_package_input(it.package, 0, 1, &buffer), KS_ERROR_ARGUMENT);
  CHECK_HAS(std::string(ks_last_error()), "index out of range: 1");
  CHECK_EQ(ks_package_output(it.package, 1, 0, &buffer), KS_ERROR_ARGUMENT);
  CHECK_HAS(std::string(ks_last_error()), "there is no variant 1");

  Floats in(32, 1), out(32, 0), workspace(32, 0);
  CHECK_EQ(it.run({in.data()}, {out.data()}, workspace.data()), KS_OK);
  CHECK_EQ(out[31], 4.0f);
  CHECK(ks_program_check(it.program) == nullptr);
}

TEST(handlesCloseInAnyOrder) {
  Loaded it({chainPlan()});
  ks_package_close(std::exchange(it.package, nullptr));
  ks_device_close(std::exchange(it.device, nullptr));
  Floats in(32, 1), out(32, 0), workspace(32, 0);
  CHECK_EQ(it.run({in.data()}, {out.data()}, workspace.data()), KS_OK);
  CHECK_EQ(out[0], 4.0f);
  ks_package_close(nullptr);
  ks_device_close(nullptr);
  ks_program_unload(nullptr);
}

TEST(oneBufferForTwoInputs) {
  Loaded it({addPlan(false)});
  Floats in(8, 3), out(8, 0);
  CHECK_EQ(it.run({in.data(), in.data()}, {out.data()}, nullptr), KS_OK);
  CHECK_EQ(out[7], 6.0f);
  // Inputs that overlap in part are only read, too.
  Floats longer(10, 2);
  CHECK_EQ(it.run({longer.data(), &longer[2]}, {out.data()}, nullptr), KS_OK);
  CHECK_EQ(out[0], 4.0f);
}

TEST(mutatedInputs) {
  Loaded it({addPlan(true)});
  ks_buffer buffer;
  CHECK_EQ(ks_package_input(it.package, 0, 1, &buffer), KS_OK);
  CHECK(buffer.mutated);
  CHECK_EQ(std::string(buffer.kind), "buffer");
  Floats a(8, 1), b(8, 5), out(8, 0);
  for (int i = 1; i <= 3; ++i) {
    CHECK_EQ(it.run({a.data(), b.data()}, {out.data()}, nullptr), KS_OK);
    CHECK_EQ(out[0], 5.0f + static_cast<float>(i));
    CHECK_EQ(b[7], 5.0f + static_cast<float>(i));
  }
  CHECK_EQ(it.run({a.data(), a.data()}, {out.data()}, nullptr),
           KS_ERROR_ARGUMENT);
  CHECK_HAS(std::string(ks_last_error()),
            "'main': argument 1 ('b') overlaps argument 0 ('a'), and argument "
            "1 ('b') is written");
  CHECK_EQ(a[0], 1.0f); // Nothing was run.
}

TEST(results) {
  Loaded it({addPlan(true)});
  CHECK_EQ(ks_package_num_results(it.package, 0), 2u);
  ks_result result;
  CHECK_EQ(ks_package_result(it.package, 0, 0, &result), KS_OK);
  CHECK(!result.is_input && result.index == 0 && result.is_view &&
        result.rank == 2 && result.sizes[1] == 2 && result.strides[0] == 4 &&
        result.offset == 1);
  CHECK_EQ(ks_package_result(it.package, 0, 1, &result), KS_OK);
  CHECK(result.is_input && result.index == 1 && !result.is_view &&
        result.rank == 1 && result.sizes[0] == 8 && !result.strides);
  CHECK_EQ(ks_package_result(it.package, 0, 2, &result), KS_ERROR_ARGUMENT);
}

TEST(wrongCalls) {
  Loaded it({chainPlan()});
  Floats in(40, 1), out(40, 0), workspace(64, 0);
  auto error = [&](void *input, void *output, void *scratch) {
    ks_status status = it.run({input}, {output}, scratch);
    return status == KS_OK ? "" : std::string(ks_last_error());
  };
  CHECK_EQ(error(in.data(), out.data(), workspace.data()), "");
  CHECK_HAS(error(nullptr, out.data(), workspace.data()),
            "argument 0 ('x') is null");
  CHECK_HAS(error(in.data(), nullptr, workspace.data()), "output 0 is null");
  CHECK_HAS(error(in.data(), out.data(), nullptr), "the workspace is null");
  CHECK_HAS(error(in.data(), out.data(), &workspace[1]),
            "the workspace is not aligned to 256 bytes");
  CHECK_HAS(error(reinterpret_cast<char *>(in.data()) + 1, out.data(),
                  workspace.data()),
            "argument 0 ('x') is not aligned to 4 bytes");
  CHECK_HAS(error(in.data(), in.data(), workspace.data()),
            "output 0 overlaps argument 0 ('x'), and output 0 is written");
  CHECK_HAS(error(in.data(), &in[8], workspace.data()), "output 0 overlaps");
  CHECK_HAS(error(&in[1], in.data(), workspace.data()), "output 0 overlaps");
  CHECK_HAS(error(in.data(), workspace.data(), workspace.data()),
            "the workspace overlaps output 0");
  CHECK_HAS(error(&workspace[31], out.data(), workspace.data()),
            "the workspace overlaps argument 0 ('x')");
  // Side by side is not overlapping.
  CHECK_EQ(error(&workspace[32], out.data(), workspace.data()), "");
  CHECK_HAS(error(in.data(), reinterpret_cast<void *>(~uint64_t(0) - 3),
                  workspace.data()),
            "output 0 does not fit the address space");
  CHECK_EQ(ks_program_run(it.program, nullptr, nullptr, nullptr, nullptr),
           KS_ERROR_ARGUMENT);
  CHECK_HAS(std::string(ks_last_error()), "no inputs are given");
  CHECK_EQ(ks_program_run(nullptr, nullptr, nullptr, nullptr, nullptr),
           KS_ERROR_ARGUMENT);
  CHECK_HAS(std::string(ks_last_error()), "program is null");
}

/// More written buffers than are sorted on the stack, in a shuffled order.
TEST(manyWrittenBuffers) {
  LaunchPlan plan = hostPlan();
  constexpr size_t kCount = 300;
  plan.outputs.assign(kCount, {DType::F32, {8}});
  plan.inputs.assign(kCount, {DType::F32, {8}});
  Loaded it({plan});
  Floats memory(16 * kCount, 0);
  std::vector<void *> inputs, outputs;
  for (size_t i = 0; i < kCount; ++i) {
    size_t place = i * 7 % kCount;
    outputs.push_back(&memory[16 * place]);
    inputs.push_back(&memory[16 * place + 8]);
  }
  CHECK_EQ(it.run(inputs, outputs, nullptr), KS_OK);
  inputs[123] = outputs[45];
  CHECK_EQ(it.run(inputs, outputs, nullptr), KS_ERROR_ARGUMENT);
  CHECK_HAS(std::string(ks_last_error()), "output 45 overlaps argument 123");
}

/// A plan without anything to do, whose buffers hold nothing, takes nulls.
TEST(emptyBuffersMayBeNull) {
  LaunchPlan plan;
  plan.function = "main";
  plan.inputs = {{DType::F32, {0, 3}}};
  plan.outputs = {{DType::F64, {2, 0}}};
  Loaded it({plan});
  CHECK_EQ(it.run({nullptr}, {nullptr}, nullptr), KS_OK);
}

TEST(failedChecksStayUntilTheyAreRead) {
  Loaded it({chainPlan()});
  Floats bad(32, -1), good(32, 1), out(32, 0), workspace(32, 0);
  CHECK_EQ(it.run({bad.data()}, {out.data()}, workspace.data()), KS_OK);
  CHECK_EQ(it.run({good.data()}, {out.data()}, workspace.data()), KS_OK);
  const char *message = ks_program_check(it.program);
  CHECK_EQ(std::string(message ? message : ""), "an element is negative");
  CHECK(ks_program_check(it.program) == nullptr);
}

TEST(threadsRunOneProgram) {
  Loaded it({chainPlan(8000)});
  std::atomic<int> wrong{0};
  auto work = [&](float value) {
    Floats in(8000, value), out(8000, 0), workspace(8000, 0);
    for (int i = 0; i < 200; ++i) {
      std::fill(out.begin(), out.end(), 0.0f);
      if (it.run({in.data()}, {out.data()}, workspace.data()) != KS_OK)
        ++wrong;
      for (float element : out)
        wrong += element != 2 * (value + 1);
      // Errors are the thread's own.
      if (it.run({nullptr}, {out.data()}, workspace.data()) == KS_OK)
        ++wrong;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back(work, static_cast<float>(i));
  for (std::thread &thread : threads)
    thread.join();
  CHECK_EQ(wrong.load(), 0);
}

TEST(variantsByShape) {
  LaunchPlan scalar = hostPlan();
  scalar.inputs = {{DType::F32, {}}};
  Loaded it({chainPlan(32), chainPlan(64), scalar});
  auto find = [&](const std::vector<std::vector<int64_t>> &shapes) {
    std::vector<size_t> ranks;
    std::vector<const int64_t *> dims;
    for (const std::vector<int64_t> &shape : shapes) {
      ranks.push_back(shape.size());
      dims.push_back(shape.data());
    }
    size_t variant = 99;
    ks_status status = ks_package_find(it.package, shapes.size(), ranks.data(),
                                       dims.data(), &variant);
    return status == KS_OK ? static_cast<int>(variant) : -status;
  };
  CHECK_EQ(find({{32}}), 0);
  CHECK_EQ(find({{64}}), 1);
  CHECK_EQ(find({{}}), 2);
  CHECK_EQ(find({{33}}), -KS_ERROR_NO_VARIANT);
  CHECK_EQ(find({{32}, {2, 3}}), -KS_ERROR_NO_VARIANT);
  CHECK_EQ(std::string(ks_last_error()),
           "no variant of the package takes 2 inputs of the shapes (32, 2x3)");
  CHECK_EQ(find({}), -KS_ERROR_NO_VARIANT);
}

TEST(packagesThatCannotBeOpened) {
  ks_package *package = nullptr;
  CHECK_EQ(ks_package_open("/nonexistent/a.ksp", &package), KS_ERROR_FILE);
  CHECK_HAS(std::string(ks_last_error()), "'/nonexistent/a.ksp'");
  CHECK_EQ(ks_package_from_memory("PK", 2, "a.ksp", &package), KS_ERROR_FILE);
  CHECK_HAS(std::string(ks_last_error()), "cannot read package 'a.ksp'");
  CHECK_EQ(ks_package_open(nullptr, &package), KS_ERROR_ARGUMENT);
  CHECK_EQ(std::string(ks_last_error()), "ks_package_open: path is null");
  std::string bytes = packageOf({chainPlan()});
  bytes[bytes.find("increment")] ^= 1;
  CHECK_EQ(
      ks_package_from_memory(bytes.data(), bytes.size(), nullptr, &package),
      KS_ERROR_FILE);
  CHECK_HAS(std::string(ks_last_error()),
            "cannot read package '<memory>': member '0/plan.json': its "
            "checksum does not match");
  CHECK(package == nullptr);
}

TEST(programsThatCannotBeLoaded) {
  Loaded it({chainPlan()});
  ks_program *program = nullptr;
  auto load = [&](const LaunchPlan &plan) {
    Loaded other({plan}, /*load=*/false);
    return ks_program_load(other.package, 0, it.device, &program);
  };
  LaunchPlan plan = chainPlan();
  plan.hostObject.clear();
  CHECK_EQ(load(plan), KS_ERROR_UNSUPPORTED);
  CHECK_EQ(std::string(ks_last_error()), "'main' holds no code for the CPU");
  plan = chainPlan();
  plan.launches[0].kernel = "none";
  CHECK_EQ(load(plan), KS_ERROR_DEVICE);
  CHECK_HAS(std::string(ks_last_error()), "has no kernel 'none'");
  plan = chainPlan();
  plan.hostObject.resize(100);
  CHECK_EQ(load(plan), KS_ERROR_DEVICE);
  CHECK_HAS(std::string(ks_last_error()), "host object:");
  CHECK(program == nullptr);
}

TEST(devicesAndMemory) {
  ks_device *device = nullptr;
  CHECK_EQ(ks_device_open("tpu", 0, &device), KS_ERROR_ARGUMENT);
  CHECK_HAS(std::string(ks_last_error()), "unknown device 'tpu'");
  CHECK_EQ(ks_device_open("host", 1, &device), KS_ERROR_UNSUPPORTED);
  CHECK_EQ(ks_device_open("host", 0, &device), KS_OK);
  void *memory = nullptr, *none = nullptr;
  CHECK_EQ(ks_device_allocate(device, 100, &memory), KS_OK);
  CHECK_EQ(ks_device_allocate(device, 0, &none), KS_OK);
  CHECK(memory && none && reinterpret_cast<uint64_t>(memory) % 256 == 0);
  CHECK_EQ(ks_device_allocate(device, ~uint64_t(0), &none),
           KS_ERROR_OUT_OF_MEMORY);
  int values[2] = {1, 2}, back[2] = {};
  CHECK_EQ(ks_device_copy_in(device, memory, values, 8, nullptr), KS_OK);
  CHECK_EQ(ks_device_copy_out(device, back, memory, 8, nullptr), KS_OK);
  CHECK_EQ(back[1], 2);
  CHECK_EQ(ks_device_copy_in(device, nullptr, values, 8, nullptr),
           KS_ERROR_ARGUMENT);
  CHECK_EQ(ks_device_copy_in(device, nullptr, nullptr, 0, nullptr), KS_OK);
  CHECK_EQ(ks_device_synchronize(device, nullptr), KS_OK);
  CHECK_EQ(ks_device_free(device, memory), KS_OK);
  CHECK_EQ(ks_device_free(device, memory), KS_ERROR_DEVICE);
  CHECK_EQ(ks_device_free(device, nullptr), KS_OK);
  ks_device_close(device);
  CHECK_EQ(ks_abi_version(), KS_ABI_VERSION);
}
