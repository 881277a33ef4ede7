//===- CApi.cpp - The C API -----------------------------------------------===//
//
// See KSRuntime.h: handles are C++ objects, errors become a code and a message
// of the thread. What a program needs is shared with the handles that it was
// made from, so that they may be closed in any order.
//
//===----------------------------------------------------------------------===//

#include "ks/Base/Package.h"
#include "ks/Runtime/KSRuntime.h"
#include "ks/Runtime/LoadedProgram.h"

#include <string>
#include <utility>

using namespace mlir::ks;

struct ks_device {
  std::shared_ptr<Device> device;
  std::string kind, name, architecture;
};

struct ks_package {
  std::shared_ptr<const Package> package;
};

struct ks_program {
  // In this order: the program goes first.
  std::shared_ptr<Device> device;
  std::shared_ptr<const Package> package;
  std::unique_ptr<LoadedProgram> program;
};

// The dtypes of both sides are the same numbers.
static_assert(int(DType::F64) == KS_F64 && int(DType::F32) == KS_F32 &&
              int(DType::F16) == KS_F16 && int(DType::BF16) == KS_BF16 &&
              int(DType::I64) == KS_I64 && int(DType::I32) == KS_I32 &&
              int(DType::I16) == KS_I16 && int(DType::I8) == KS_I8 &&
              int(DType::Bool) == KS_BOOL && int(DType::C64) == KS_C64);

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static std::string &lastError() {
  thread_local std::string message;
  return message;
}

static ks_status fail(ks_status code, std::string message) {
  lastError() = std::move(message);
  return code;
}

/// An error of a device or its driver.
static ks_status failDevice(const std::string &message) {
  bool memory = message.find("CUDA_ERROR_OUT_OF_MEMORY") != std::string::npos ||
                message.find("cannot allocate") != std::string::npos;
  return fail(memory ? KS_ERROR_OUT_OF_MEMORY : KS_ERROR_DEVICE, message);
}

static ks_status outcome(const Status &status) {
  return status ? KS_OK : failDevice(status.error());
}

static ks_status failNull(const char *function, const char *what) {
  return fail(KS_ERROR_ARGUMENT,
              std::string(function) + ": " + what + " is null");
}

/// Fails the function that it stands in if `pointer` is null.
#define KS_REQUIRE(pointer)                                                    \
  do {                                                                         \
    if (!(pointer))                                                            \
      return failNull(__func__, #pointer);                                     \
  } while (false)

int ks_abi_version(void) { return KS_ABI_VERSION; }

const char *ks_last_error(void) { return lastError().c_str(); }

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

static DeviceAddress addressOf(const void *pointer) {
  return reinterpret_cast<DeviceAddress>(pointer);
}

ks_status ks_device_open(const char *kind, int ordinal, ks_device **device) {
  KS_REQUIRE(kind);
  KS_REQUIRE(device);
  std::string name = kind;
  if (name != "cuda" && name != "host")
    return fail(KS_ERROR_ARGUMENT,
                "unknown device '" + name + "': it is cuda or host");
  if (name == "host" && ordinal != 0)
    return fail(KS_ERROR_UNSUPPORTED,
                "there is no host device " + std::to_string(ordinal));
  Result<std::unique_ptr<Device>> opened =
      name == "cuda" ? createCudaDevice(ordinal) : createHostDevice();
  if (!opened)
    return fail(KS_ERROR_UNSUPPORTED, opened.error());
  std::shared_ptr<Device> shared = std::move(*opened);
  *device = new ks_device{shared, shared->kind(), shared->name(),
                          shared->architecture()};
  return KS_OK;
}

void ks_device_close(ks_device *device) { delete device; }

const char *ks_device_kind(const ks_device *device) {
  return device ? device->kind.c_str() : "";
}

const char *ks_device_name(const ks_device *device) {
  return device ? device->name.c_str() : "";
}

const char *ks_device_architecture(const ks_device *device) {
  return device ? device->architecture.c_str() : "";
}

ks_status ks_device_allocate(ks_device *device, uint64_t bytes,
                             void **address) {
  KS_REQUIRE(device);
  KS_REQUIRE(address);
  Result<DeviceAddress> allocated = device->device->allocate(bytes);
  if (!allocated)
    return failDevice(allocated.error());
  *address = reinterpret_cast<void *>(*allocated);
  return KS_OK;
}

ks_status ks_device_free(ks_device *device, void *address) {
  KS_REQUIRE(device);
  if (!address)
    return KS_OK;
  return outcome(device->device->release(addressOf(address)));
}

ks_status ks_device_copy_in(ks_device *device, void *to, const void *from,
                            uint64_t bytes, void *stream) {
  KS_REQUIRE(device);
  if (bytes == 0)
    return KS_OK;
  KS_REQUIRE(to);
  KS_REQUIRE(from);
  return outcome(device->device->copyIn(addressOf(to), from, bytes, stream));
}

ks_status ks_device_copy_out(ks_device *device, void *to, const void *from,
                             uint64_t bytes, void *stream) {
  KS_REQUIRE(device);
  if (bytes == 0)
    return KS_OK;
  KS_REQUIRE(to);
  KS_REQUIRE(from);
  return outcome(device->device->copyOut(to, addressOf(from), bytes, stream));
}

ks_status ks_device_synchronize(ks_device *device, void *stream) {
  KS_REQUIRE(device);
  return outcome(device->device->synchronize(stream));
}

//===----------------------------------------------------------------------===//
// Packages
//===----------------------------------------------------------------------===//

static ks_status open(const InputFile &file, ks_package **package) {
  Result<Package> read = readPackage(file);
  if (!read)
    return fail(KS_ERROR_FILE, read.error());
  *package = new ks_package{std::make_shared<const Package>(std::move(*read))};
  return KS_OK;
}

ks_status ks_package_open(const char *path, ks_package **package) {
  KS_REQUIRE(path);
  KS_REQUIRE(package);
  Result<InputFile> file = InputFile::open(path);
  if (!file)
    return fail(KS_ERROR_FILE, file.error());
  return open(*file, package);
}

ks_status ks_package_from_memory(const void *bytes, size_t size,
                                 const char *name, ks_package **package) {
  KS_REQUIRE(bytes);
  KS_REQUIRE(package);
  return open(InputFile::fromMemory(name ? name : "<memory>",
                                    {static_cast<const char *>(bytes), size}),
              package);
}

void ks_package_close(ks_package *package) { delete package; }

const char *ks_package_producer(const ks_package *package) {
  return package ? package->package->producer.c_str() : "";
}

size_t ks_package_num_variants(const ks_package *package) {
  return package ? package->package->variants.size() : 0;
}

/// The plan of a variant; null if there is none.
static const LaunchPlan *planOf(const ks_package *package, size_t variant) {
  if (variant >= ks_package_num_variants(package))
    return nullptr;
  return &package->package->variants[variant];
}

/// As planOf; null comes with an error.
static const LaunchPlan *demandPlan(const char *function,
                                    const ks_package *package, size_t variant) {
  const LaunchPlan *plan = planOf(package, variant);
  if (!package)
    failNull(function, "package");
  else if (!plan)
    fail(KS_ERROR_ARGUMENT, std::string(function) + ": there is no variant " +
                                std::to_string(variant));
  return plan;
}

static ks_status failIndex(const char *function, size_t index) {
  return fail(KS_ERROR_ARGUMENT,
              std::string(function) +
                  ": index out of range: " + std::to_string(index));
}

ks_status ks_package_find(const ks_package *package, size_t count,
                          const size_t *ranks, const int64_t *const *shapes,
                          size_t *variant) {
  KS_REQUIRE(package);
  KS_REQUIRE(variant);
  if (count) {
    KS_REQUIRE(ranks);
    KS_REQUIRE(shapes);
  }
  auto takes = [&](const LaunchPlan &plan) {
    if (plan.inputs.size() != count)
      return false;
    for (size_t i = 0; i < count; ++i) {
      const std::vector<int64_t> &shape = plan.inputs[i].shape;
      if (shape.size() != ranks[i] ||
          !std::equal(shape.begin(), shape.end(), shapes[i]))
        return false;
    }
    return true;
  };
  const std::vector<LaunchPlan> &variants = package->package->variants;
  for (size_t i = 0; i < variants.size(); ++i) {
    if (!takes(variants[i]))
      continue;
    *variant = i;
    return KS_OK;
  }
  std::string given;
  for (size_t i = 0; i < count; ++i) {
    given += i ? ", " : "";
    for (size_t d = 0; d < ranks[i]; ++d)
      given += (d ? "x" : "") + std::to_string(shapes[i][d]);
    given += ranks[i] ? "" : "scalar";
  }
  return fail(KS_ERROR_NO_VARIANT, "no variant of the package takes " +
                                       std::to_string(count) +
                                       " inputs of the shapes (" + given + ")");
}

const char *ks_package_python(const ks_package *package, size_t variant) {
  const LaunchPlan *plan = planOf(package, variant);
  return plan ? plan->python.c_str() : "";
}

uint64_t ks_package_workspace_bytes(const ks_package *package, size_t variant) {
  const LaunchPlan *plan = planOf(package, variant);
  return plan ? plan->workspaceBytes : 0;
}

uint64_t ks_package_num_launches(const ks_package *package, size_t variant) {
  const LaunchPlan *plan = planOf(package, variant);
  uint64_t launches = 0, times = 1;
  size_t loopEnd = 0;
  for (size_t i = 0; plan && i < plan->steps.size(); ++i) {
    const Step &step = plan->steps[i];
    if (i >= loopEnd)
      times = 1;
    if (step.kind == Step::Kind::Launch)
      launches += times;
    if (step.kind != Step::Kind::Loop)
      continue;
    times = static_cast<uint64_t>(step.count);
    loopEnd = i + 1 + step.length;
  }
  return launches;
}

size_t ks_package_num_inputs(const ks_package *package, size_t variant) {
  const LaunchPlan *plan = planOf(package, variant);
  return plan ? plan->inputs.size() : 0;
}

size_t ks_package_num_outputs(const ks_package *package, size_t variant) {
  const LaunchPlan *plan = planOf(package, variant);
  return plan ? plan->outputs.size() : 0;
}

size_t ks_package_num_results(const ks_package *package, size_t variant) {
  const LaunchPlan *plan = planOf(package, variant);
  return plan ? plan->results.size() : 0;
}

/// The plan, if entry `index` of its `list` can be told to `to`; null if not,
/// with the error set.
template <typename T>
static const LaunchPlan *
demandEntry(const char *function, const ks_package *package, size_t variant,
            std::vector<T> LaunchPlan::*list, size_t index, const void *to,
            const char *what) {
  const LaunchPlan *plan = demandPlan(function, package, variant);
  if (plan && !to)
    failNull(function, what);
  else if (plan && index >= (plan->*list).size())
    failIndex(function, index);
  else
    return plan;
  return nullptr;
}

static ks_buffer describeBuffer(const BufferDesc &desc, const char *kind,
                                bool mutated) {
  ks_buffer buffer;
  buffer.name = desc.name.c_str();
  buffer.kind = kind;
  buffer.dtype = static_cast<ks_dtype>(desc.dtype);
  buffer.mutated = mutated;
  buffer.rank = desc.shape.size();
  buffer.shape = desc.shape.data();
  buffer.bytes = static_cast<uint64_t>(*byteSize(desc));
  return buffer;
}

ks_status ks_package_input(const ks_package *package, size_t variant,
                           size_t index, ks_buffer *buffer) {
  const LaunchPlan *plan = demandEntry(
      __func__, package, variant, &LaunchPlan::inputs, index, buffer, "buffer");
  if (!plan)
    return KS_ERROR_ARGUMENT;
  const BufferDesc &desc = plan->inputs[index];
  // The names of the kinds are literals.
  *buffer =
      describeBuffer(desc, name(desc.kind).data(), isMutated(*plan, index));
  return KS_OK;
}

ks_status ks_package_output(const ks_package *package, size_t variant,
                            size_t index, ks_buffer *buffer) {
  const LaunchPlan *plan =
      demandEntry(__func__, package, variant, &LaunchPlan::outputs, index,
                  buffer, "buffer");
  if (!plan)
    return KS_ERROR_ARGUMENT;
  *buffer = describeBuffer(plan->outputs[index], "", false);
  return KS_OK;
}

ks_status ks_package_result(const ks_package *package, size_t variant,
                            size_t index, ks_result *result) {
  const LaunchPlan *plan =
      demandEntry(__func__, package, variant, &LaunchPlan::results, index,
                  result, "result");
  if (!plan)
    return KS_ERROR_ARGUMENT;
  const ResultDesc &desc = plan->results[index];
  bool isInput = desc.of == ResultDesc::Of::Input;
  const std::vector<int64_t> &shape =
      (isInput ? plan->inputs : plan->outputs)[desc.index].shape;
  *result = {
      isInput, desc.index, desc.view.has_value(), shape.size(), shape.data(),
      nullptr, 0};
  if (desc.view) {
    result->rank = desc.view->sizes.size();
    result->sizes = desc.view->sizes.data();
    result->strides = desc.view->strides.data();
    result->offset = desc.view->offset;
  }
  return KS_OK;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

ks_status ks_program_load(const ks_package *package, size_t variant,
                          ks_device *device, ks_program **program) {
  const LaunchPlan *plan = demandPlan(__func__, package, variant);
  if (!plan)
    return KS_ERROR_ARGUMENT;
  KS_REQUIRE(device);
  KS_REQUIRE(program);
  if (Status status = device->device->supports(*plan); !status)
    return fail(KS_ERROR_UNSUPPORTED, status.error());
  Result<std::unique_ptr<LoadedProgram>> loaded =
      LoadedProgram::load(*device->device, *plan);
  if (!loaded)
    return failDevice(loaded.error());
  *program =
      new ks_program{device->device, package->package, std::move(*loaded)};
  return KS_OK;
}

void ks_program_unload(ks_program *program) { delete program; }

ks_status ks_program_run(const ks_program *program, void *const *inputs,
                         void *const *outputs, void *workspace, void *stream) {
  KS_REQUIRE(program);
  CallBuffers call{inputs, outputs, workspace};
  if (Status status = program->program->checkCall(call); !status)
    return fail(KS_ERROR_ARGUMENT, status.error());
  return outcome(program->program->run(call, stream));
}

ks_status ks_program_replay(ks_program *program, void *const *inputs,
                            void *const *outputs, void *workspace,
                            void *stream) {
  KS_REQUIRE(program);
  CallBuffers call{inputs, outputs, workspace};
  if (Status status = program->program->checkCall(call); !status)
    return fail(KS_ERROR_ARGUMENT, status.error());
  return outcome(program->program->replay(call, stream));
}

const char *ks_program_check(ks_program *program) {
  if (!program)
    return nullptr;
  std::optional<std::string> failed = program->program->takeFailedCheck();
  if (!failed)
    return nullptr;
  lastError() = std::move(*failed);
  return lastError().c_str();
}
