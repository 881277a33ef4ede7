//===- FakeDriver.h - The CUDA driver that is made up -----------*- C++ -*-===//
//
// What ../Device/Inputs/FakeCuda.c records, and a plan to run on it.
//
//===----------------------------------------------------------------------===//
#ifndef KS_TEST_UNIT_RUNTIME_FAKEDRIVER_H
#define KS_TEST_UNIT_RUNTIME_FAKEDRIVER_H

#include "CApi.h"

#include <dlfcn.h>

namespace test {

/// As in FakeCuda.c.
struct LaunchRecord {
  const char *kernel;
  unsigned grid[3], block[3];
  void *stream;
  unsigned long params[8];
};

struct FakeDriver {
  FakeDriver() {
    ::setenv("KS_CUDA_DRIVER", FAKE_CUDA, 1);
    library = ::dlopen(FAKE_CUDA, RTLD_NOW);
  }
  ~FakeDriver() { ::unsetenv("KS_CUDA_DRIVER"); }
  template <typename T> T &variable(const char *name) {
    return *static_cast<T *>(::dlsym(library, name));
  }
  int &launches() { return variable<int>("fakeLaunches"); }
  LaunchRecord &launch(int number) {
    return variable<LaunchRecord[8]>("fakeLaunchLog")[number % 8];
  }
  void *library = nullptr;
};

/// A loop of two steps between two copies.
inline mlir::ks::LaunchPlan loopPlan() {
  using namespace mlir::ks;
  using Space = LaunchArg::Space;
  LaunchPlan plan;
  plan.function = "main";
  plan.chip = "sm_90a";
  plan.cubin = {'c', 0};
  plan.inputs = {{DType::F32, {8}}, {DType::F32, {8}}};
  plan.outputs = {{DType::F32, {3, 8}}};
  plan.mutated = {{1, 1}};
  plan.workspaceBytes = 64;
  append(plan, Copy{{Space::Input, 0}, {Space::Workspace}, 32});
  plan.steps.push_back({Step::Kind::Loop, 0, 3, 1});
  append(plan, Launch{"step",
                      {1, 2, 3},
                      {32, 2, 1},
                      {{Space::Workspace, 0, 0, 0, 32},
                       {Space::Workspace, 0, 32, 0, -32},
                       {Space::Output, 0, 0, 32},
                       {Space::Input, 1, 4}}});
  append(plan, Copy{{Space::Workspace, 0, 32}, {Space::Input, 1}, 32});
  return plan;
}

} // namespace test

#endif // KS_TEST_UNIT_RUNTIME_FAKEDRIVER_H
