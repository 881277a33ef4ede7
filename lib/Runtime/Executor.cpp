//===- Executor.cpp - Runs a launch plan on a device ----------------------===//
//
// Each buffer is an allocation of its own with a guard band on both sides.
//
//===----------------------------------------------------------------------===//

#include "ks/Runtime/Executor.h"
#include "ks/Runtime/LoadedProgram.h"

#include <algorithm>
#include <array>

namespace mlir::ks {

namespace {
constexpr uint64_t kGuardBytes = 512; // Keeps the buffers 256-byte aligned.

using Guard = std::array<uint8_t, kGuardBytes>;

/// What a guard band holds: bytes that change from one to the next, and
/// none that memory is likely to be filled with.
Guard guardPattern() {
  Guard guard;
  for (size_t i = 0; i < guard.size(); ++i)
    guard[i] = static_cast<uint8_t>(0x81 + i * 37 % 127);
  return guard;
}

struct Buffer {
  BufferDesc desc;
  uint64_t bytes = 0;
  DeviceAddress allocation = 0;
  bool allocated = false;

  DeviceAddress data() const { return allocation + kGuardBytes; }
};

} // namespace

struct Executor::State {
  State(Device &device, const LaunchPlan &plan) : device(device), plan(plan) {}
  ~State();

  Status provide(Buffer &buffer);
  Status provideAll();
  Status enqueue() {
    return program->run({inputAddresses.data(), outputAddresses.data(),
                         reinterpret_cast<void *>(workspace.data())},
                        device.stream());
  }
  /// Waits for the run; a failed check is an error.
  Status finish();
  Result<bool> intact(const Buffer &buffer);
  Result<std::vector<Tensor>> read(const std::vector<Buffer> &buffers);
  Result<Tensor> readPart(const std::vector<Buffer> &buffers, size_t index,
                          int64_t first, int64_t count);

  Device &device;
  const LaunchPlan &plan;
  std::unique_ptr<LoadedProgram> program;
  std::vector<Buffer> inputs, outputs;
  Buffer workspace;
  std::vector<void *> inputAddresses, outputAddresses;
};

Executor::State::~State() {
  // Errors here have nobody to go to; after one that sticks all of these fail.
  auto release = [&](Buffer &buffer) {
    if (buffer.allocated)
      (void)device.release(buffer.allocation);
  };
  std::for_each(inputs.begin(), inputs.end(), release);
  std::for_each(outputs.begin(), outputs.end(), release);
  release(workspace);
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

Status Executor::State::provide(Buffer &buffer) {
  uint64_t total = 0;
  if (__builtin_add_overflow(buffer.bytes, 2 * kGuardBytes, &total))
    return Error{"a buffer of " + std::to_string(buffer.bytes) +
                 " bytes is too large"};
  Result<DeviceAddress> address = device.allocate(total);
  if (!address)
    return address.takeError();
  buffer.allocation = *address;
  buffer.allocated = true;
  Guard guard = guardPattern();
  if (Status status = device.copyIn(*address, guard.data(), kGuardBytes);
      !status)
    return status;
  return device.copyIn(buffer.data() + buffer.bytes, guard.data(), kGuardBytes);
}

Status Executor::State::provideAll() {
  auto add = [&](const std::vector<BufferDesc> &descs, const char *what,
                 std::vector<Buffer> &buffers,
                 std::vector<void *> &addresses) -> Status {
    for (const BufferDesc &desc : descs) {
      std::string name =
          std::string(what) + " " + std::to_string(buffers.size());
      buffers.push_back({desc, static_cast<uint64_t>(*byteSize(desc))});
      if (Status status = provide(buffers.back()); !status)
        return Error{name + " (" + describe(desc.dtype, desc.shape) +
                     "): " + status.error()};
      addresses.push_back(reinterpret_cast<void *>(buffers.back().data()));
    }
    return {};
  };
  if (Status status = add(plan.inputs, "argument", inputs, inputAddresses);
      !status)
    return status;
  if (Status status = add(plan.outputs, "output", outputs, outputAddresses);
      !status)
    return status;
  workspace.bytes = plan.workspaceBytes;
  if (Status status = provide(workspace); !status)
    return Error{"the workspace: " + status.error()};
  return {};
}

Executor::Executor(std::unique_ptr<State> state) : state(std::move(state)) {}
Executor::~Executor() = default;

Result<std::unique_ptr<Executor>> Executor::create(Device &device,
                                                   const LaunchPlan &plan) {
  auto state = std::make_unique<State>(device, plan);
  Result<std::unique_ptr<LoadedProgram>> program =
      LoadedProgram::load(device, plan);
  if (!program)
    return program.takeError();
  state->program = std::move(*program);
  if (Status status = state->provideAll(); !status)
    return status.takeError();
  return std::unique_ptr<Executor>(new Executor(std::move(state)));
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

Status Executor::setInputs(const std::vector<Tensor> &inputs) {
  const std::vector<Buffer> &buffers = state->inputs;
  if (inputs.size() != buffers.size())
    return Error{"expected " + std::to_string(buffers.size()) +
                 " arguments, got " + std::to_string(inputs.size())};
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Tensor &tensor = inputs[i];
    const BufferDesc &desc = buffers[i].desc;
    if (tensor.dtype != desc.dtype || tensor.shape != desc.shape)
      return Error{"argument " + std::to_string(i) + ": expected " +
                   describe(desc.dtype, desc.shape) + ", got " +
                   describe(tensor.dtype, tensor.shape)};
    if (tensor.bytes.size() != buffers[i].bytes)
      return Error{"argument " + std::to_string(i) + ": expected " +
                   std::to_string(buffers[i].bytes) + " bytes, got " +
                   std::to_string(tensor.bytes.size())};
  }
  for (size_t i = 0; i < inputs.size(); ++i)
    if (Status status = state->device.copyIn(
            buffers[i].data(), inputs[i].bytes.data(), inputs[i].bytes.size());
        !status)
      return Error{"argument " + std::to_string(i) + ": " + status.error()};
  return {};
}

Status Executor::poison(uint8_t byte) {
  for (const Buffer &buffer : state->outputs)
    if (Status status = state->device.fill(buffer.data(), byte, buffer.bytes);
        !status)
      return status;
  return state->device.fill(state->workspace.data(), byte,
                            state->workspace.bytes);
}

Result<std::vector<Tensor>>
Executor::State::read(const std::vector<Buffer> &buffers) {
  std::vector<Tensor> tensors;
  for (const Buffer &buffer : buffers) {
    Tensor tensor{buffer.desc.dtype, buffer.desc.shape, {}};
    tensor.bytes.resize(buffer.bytes);
    if (Status status =
            device.copyOut(tensor.bytes.data(), buffer.data(), buffer.bytes);
        !status)
      return status.takeError();
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

Result<std::vector<Tensor>> Executor::outputs() {
  return state->read(state->outputs);
}

Result<std::vector<Tensor>> Executor::readInputs() {
  return state->read(state->inputs);
}

Result<Tensor> Executor::State::readPart(const std::vector<Buffer> &buffers,
                                         size_t index, int64_t first,
                                         int64_t count) {
  if (index >= buffers.size())
    return Error{"there is no buffer " + std::to_string(index)};
  const Buffer &buffer = buffers[index];
  int64_t width = static_cast<int64_t>(byteWidth(buffer.desc.dtype));
  int64_t elements = static_cast<int64_t>(buffer.bytes) / width;
  if (first < 0 || count < 0 || first > elements || count > elements - first)
    return Error{"a part lies outside of its buffer"};
  Tensor tensor{buffer.desc.dtype, {count}, {}};
  tensor.bytes.resize(count * width);
  if (Status status =
          device.copyOut(tensor.bytes.data(), buffer.data() + first * width,
                         tensor.bytes.size());
      !status)
    return status.takeError();
  return tensor;
}

Result<Tensor> Executor::readOutput(size_t index, int64_t first,
                                    int64_t count) {
  return state->readPart(state->outputs, index, first, count);
}

Result<Tensor> Executor::readInput(size_t index, int64_t first, int64_t count) {
  return state->readPart(state->inputs, index, first, count);
}

Result<Tensor> Executor::readResult(size_t index, int64_t first,
                                    int64_t count) {
  ResultDesc place = placeOfResult(state->plan, index);
  return place.of == ResultDesc::Of::Output
             ? readOutput(place.index, first, count)
             : readInput(place.index, first, count);
}

Result<std::vector<Tensor>> Executor::results() {
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < numResults(state->plan); ++i) {
    const BufferDesc &desc =
        bufferOf(state->plan, placeOfResult(state->plan, i));
    Result<Tensor> tensor = readResult(i, 0, *numElements(desc.shape));
    if (!tensor)
      return tensor.takeError();
    tensor->shape = desc.shape;
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

Result<bool> Executor::State::intact(const Buffer &buffer) {
  Guard pattern = guardPattern(), guard;
  for (DeviceAddress address :
       {buffer.allocation, buffer.data() + buffer.bytes}) {
    if (Status status = device.copyOut(guard.data(), address, kGuardBytes);
        !status)
      return status.takeError();
    if (guard != pattern)
      return false;
  }
  return true;
}

Result<bool> Executor::guardsIntact() {
  std::vector<const Buffer *> buffers = {&state->workspace};
  for (const std::vector<Buffer> *list : {&state->inputs, &state->outputs})
    for (const Buffer &buffer : *list)
      buffers.push_back(&buffer);
  for (const Buffer *buffer : buffers) {
    Result<bool> intact = state->intact(*buffer);
    if (!intact || !*intact)
      return intact;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

Status Executor::State::finish() {
  if (Status status = device.synchronize(); !status)
    return status;
  if (std::optional<std::string> failed = program->takeFailedCheck())
    return Error{std::move(*failed)};
  return {};
}

Status Executor::run() {
  if (Status status = state->enqueue(); !status)
    return status;
  return state->finish();
}

Result<std::vector<double>> Executor::time(unsigned repeats) {
  std::vector<double> seconds;
  for (unsigned i = 0; i < repeats; ++i) {
    // Not waited for: while the device flushes, the launches are queued up.
    if (Status status = state->device.flushCache(); !status)
      return status.takeError();
    Result<double> elapsed =
        state->device.elapsed([&] { return state->enqueue(); });
    if (!elapsed)
      return elapsed.takeError();
    seconds.push_back(*elapsed);
  }
  if (Status status = state->finish(); !status)
    return status.takeError();
  return seconds;
}

} // namespace mlir::ks
