//===- CApi.h - What tests of the C API share -------------------*- C++ -*-===//
//
// Packages made of plans, and a program of one with all that it needs.
//
//===----------------------------------------------------------------------===//
#ifndef KS_TEST_UNIT_RUNTIME_CAPI_H
#define KS_TEST_UNIT_RUNTIME_CAPI_H

#include "Test.h"
#include "ks/Base/Package.h"
#include "ks/Runtime/KSRuntime.h"

#include <cstdlib>
#include <new>

namespace test {

/// Floats that are aligned as a workspace must be.
template <typename T> struct Aligned {
  using value_type = T;
  Aligned() = default;
  template <typename U> Aligned(const Aligned<U> &) {}
  T *allocate(size_t count) {
    return static_cast<T *>(
        ::operator new(count * sizeof(T), std::align_val_t(256)));
  }
  void deallocate(T *at, size_t) {
    ::operator delete(at, std::align_val_t(256));
  }
  bool operator==(const Aligned &) const { return true; }
};
using Floats = std::vector<float, Aligned<float>>;

/// A plan with the kernels of Inputs/PlanKernels.c.
inline mlir::ks::LaunchPlan hostPlan() {
  mlir::ks::LaunchPlan plan;
  plan.function = "main";
  if (auto object = mlir::ks::readFile(KERNELS_OBJECT))
    plan.hostObject.assign(object->begin(), object->end());
  return plan;
}

inline std::string packageOf(const std::vector<mlir::ks::LaunchPlan> &plans) {
  Scratch scratch;
  auto file = mlir::ks::OutputFile::create(scratch / "a.ksp");
  if (!file || !mlir::ks::writePackage(*file, {"test", plans}) ||
      !file->commit(/*durable=*/false))
    return "";
  return *mlir::ks::readFile(scratch / "a.ksp");
}

struct Loaded {
  explicit Loaded(const std::vector<mlir::ks::LaunchPlan> &plans,
                  bool load = true, const char *kind = "host") {
    std::string bytes = packageOf(plans);
    ks_status status = ks_package_from_memory(bytes.data(), bytes.size(),
                                              "test.ksp", &package);
    if (status == KS_OK)
      status = ks_device_open(kind, 0, &device);
    if (status == KS_OK && load)
      status = ks_program_load(package, 0, device, &program);
    if (status != KS_OK)
      fail(__FILE__, __LINE__, ks_last_error());
  }
  ~Loaded() {
    ks_program_unload(program);
    ks_package_close(package);
    ks_device_close(device);
  }
  Loaded(const Loaded &) = delete;
  Loaded &operator=(const Loaded &) = delete;

  ks_status run(const std::vector<void *> &inputs,
                const std::vector<void *> &outputs, void *workspace,
                void *stream = nullptr) const {
    return ks_program_run(program, inputs.data(), outputs.data(), workspace,
                          stream);
  }
  ks_status replay(const std::vector<void *> &inputs,
                   const std::vector<void *> &outputs, void *workspace,
                   void *stream = nullptr) const {
    return ks_program_replay(program, inputs.data(), outputs.data(), workspace,
                             stream);
  }

  ks_device *device = nullptr;
  ks_package *package = nullptr;
  ks_program *program = nullptr;
};

} // namespace test

#endif // KS_TEST_UNIT_RUNTIME_CAPI_H
