//===- LoadedProgram.cpp - A launch plan, ready to run --------------------===//
//
// The path of a call is short and allocates nothing: addresses are computed
// into the stack and handed to the device. What is slow and pleasant, such as
// messages, happens when something is wrong.
//
//===----------------------------------------------------------------------===//

#include "ks/Runtime/LoadedProgram.h"

#include <algorithm>

namespace mlir::ks {

static constexpr uint64_t kWorkspaceAlignment = 256;

LoadedProgram::LoadedProgram(const LaunchPlan &plan,
                             std::unique_ptr<DeviceProgram> program)
    : plan(plan), program(std::move(program)) {
  auto add = [&](const BufferDesc &desc, bool written) {
    demands.push_back({static_cast<uint64_t>(*byteSize(desc)),
                       byteWidth(desc.dtype), written});
  };
  for (size_t i = 0; i < plan.inputs.size(); ++i)
    add(plan.inputs[i], isMutated(plan, i));
  for (const BufferDesc &output : plan.outputs)
    add(output, true);
  demands.push_back({plan.workspaceBytes, kWorkspaceAlignment, true});
  numWritten = static_cast<size_t>(
      std::count_if(demands.begin(), demands.end(),
                    [](const Demand &demand) { return demand.written; }));
}

Result<std::unique_ptr<LoadedProgram>>
LoadedProgram::load(Device &device, const LaunchPlan &plan) {
  if (Status status = validate(plan); !status)
    return Error{"'" + plan.function + "': " + status.error()};
  Result<std::unique_ptr<DeviceProgram>> program = device.load(plan);
  if (!program)
    return program.takeError();
  return std::unique_ptr<LoadedProgram>(
      new LoadedProgram(plan, std::move(*program)));
}

//===----------------------------------------------------------------------===//
// The rules of a call
//===----------------------------------------------------------------------===//

namespace {
struct Span {
  uint64_t begin, end;
};
} // namespace

static bool liesBefore(const Span &a, const Span &b) {
  return a.begin < b.begin;
}

inline void *LoadedProgram::addressOf(const CallBuffers &call,
                                      size_t buffer) const {
  size_t inputs = plan.inputs.size();
  if (buffer < inputs)
    return call.inputs[buffer];
  return buffer - inputs < plan.outputs.size() ? call.outputs[buffer - inputs]
                                               : call.workspace;
}

/// True if a buffer that is written overlaps another. In the number of buffers
/// n log n, and allocates only for a great many.
bool LoadedProgram::anyOverlap(const CallBuffers &call) const {
  constexpr size_t kFew = 64;
  Span few[kFew];
  std::vector<Span> many(numWritten > kFew ? numWritten : 0);
  Span *written = numWritten > kFew ? many.data() : few, *end = written;
  auto spanOf = [&](size_t buffer) {
    uint64_t begin = reinterpret_cast<uint64_t>(addressOf(call, buffer));
    return Span{begin, begin + demands[buffer].bytes};
  };
  for (size_t i = 0; i < numBuffers(); ++i)
    if (demands[i].written && demands[i].bytes)
      *end++ = spanOf(i);
  std::sort(written, end, liesBefore);
  for (Span *span = written; span + 1 < end; ++span)
    if (span->end > span[1].begin)
      return true;
  for (size_t i = 0; i < numBuffers(); ++i) {
    if (demands[i].written || !demands[i].bytes)
      continue;
    // The last that begins before this one ends: those before it end earlier.
    Span span = spanOf(i);
    Span *after = std::lower_bound(written, end, Span{span.end, 0}, liesBefore);
    if (after != written && after[-1].end > span.begin)
      return true;
  }
  return false;
}

Status LoadedProgram::checkCall(const CallBuffers &call) const {
  if ((!call.inputs && !plan.inputs.empty()) ||
      (!call.outputs && !plan.outputs.empty()))
    return Error{"'" + plan.function + "': no " +
                 (call.inputs || plan.inputs.empty() ? "outputs" : "inputs") +
                 " are given"};
  bool right = true;
  for (size_t i = 0; i < numBuffers(); ++i) {
    uint64_t address = reinterpret_cast<uint64_t>(addressOf(call, i));
    const Demand &demand = demands[i];
    right &=
        !demand.bytes || (address && (address & (demand.alignment - 1)) == 0 &&
                          address <= ~demand.bytes);
  }
  if (right && !anyOverlap(call))
    return {};
  return explain(call);
}

std::string LoadedProgram::nameOf(size_t buffer) const {
  size_t inputs = plan.inputs.size(), outputs = plan.outputs.size();
  if (buffer >= inputs + outputs)
    return "the workspace";
  if (buffer >= inputs)
    return "output " + std::to_string(buffer - inputs);
  const std::string &name = plan.inputs[buffer].name;
  return "argument " + std::to_string(buffer) +
         (name.empty() ? "" : " ('" + name + "')");
}

/// Says what is wrong with `call`.
Status LoadedProgram::explain(const CallBuffers &call) const {
  auto wrong = [&](size_t buffer, const std::string &what) {
    return Error{"'" + plan.function + "': " + nameOf(buffer) + " " + what};
  };
  auto addressAt = [&](size_t buffer) {
    return reinterpret_cast<uint64_t>(addressOf(call, buffer));
  };
  for (size_t i = 0; i < numBuffers(); ++i) {
    if (!demands[i].bytes)
      continue;
    if (!addressAt(i))
      return wrong(i, "is null");
    if (addressAt(i) % demands[i].alignment)
      return wrong(i, "is not aligned to " +
                          std::to_string(demands[i].alignment) + " bytes");
    if (addressAt(i) > ~demands[i].bytes)
      return wrong(i, "does not fit the address space");
    for (size_t j = 0; j < i; ++j) {
      bool apart = addressAt(i) + demands[i].bytes <= addressAt(j) ||
                   addressAt(j) + demands[j].bytes <= addressAt(i);
      if (apart || !demands[j].bytes ||
          !(demands[i].written || demands[j].written))
        continue;
      return wrong(i, "overlaps " + nameOf(j) + ", and " +
                          nameOf(demands[i].written ? i : j) + " is written");
    }
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

Status LoadedProgram::runSteps(const CallBuffers &call,
                               StreamHandle stream) const {
  static_assert(sizeof(void *) == sizeof(DeviceAddress));
  void *status = reinterpret_cast<void *>(program->statusAddress());
  // In the order of LaunchArg::Space.
  void *const *const bases[] = {call.inputs, call.outputs, &call.workspace,
                                &status};
  auto addressAt = [&](const LaunchArg &arg, int64_t t) {
    void *base = bases[static_cast<size_t>(arg.space)][arg.index];
    return reinterpret_cast<DeviceAddress>(base) +
           static_cast<uint64_t>(arg.offset + t * arg.stride +
                                 (t & 1) * arg.flip);
  };
  auto runStep = [&](const Step &step, int64_t t) -> Status {
    if (step.kind == Step::Kind::Copy) {
      const Copy &copy = plan.copies[step.index];
      return program->copy(addressAt(copy.to, t), addressAt(copy.from, t),
                           copy.bytes, stream);
    }
    DeviceAddress args[maxLaunchArgs];
    DeviceAddress *next = args;
    for (const LaunchArg &arg : plan.launches[step.index].args)
      *next++ = addressAt(arg, t);
    return program->launch(step.index, args, stream);
  };
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    const Step &step = plan.steps[i];
    if (step.kind != Step::Kind::Loop) {
      if (Status ran = runStep(step, 0); !ran)
        return ran;
      continue;
    }
    for (int64_t t = 0; t < step.count; ++t)
      for (size_t j = i + 1; j <= i + step.length; ++j)
        if (Status ran = runStep(plan.steps[j], t); !ran)
          return ran;
    i += step.length;
  }
  return {};
}

Status LoadedProgram::run(const CallBuffers &call, StreamHandle stream) const {
  void *before = nullptr;
  if (Status entered = program->enter(before); !entered)
    return entered;
  Status status = runSteps(call, stream);
  program->leave(before);
  return status;
}

Status LoadedProgram::replay(const CallBuffers &call, StreamHandle stream) {
  void *before = nullptr;
  if (Status entered = program->enter(before); !entered)
    return entered;
  // What differs between calls most often comes first.
  BaseAddresses bases = {{{call.outputs, plan.outputs.size()},
                          {&call.workspace, 1},
                          {call.inputs, plan.inputs.size()}}};
  Status status = program->replay(
      bases, stream, [&](StreamHandle to) { return runSteps(call, to); });
  program->leave(before);
  return status;
}

std::optional<std::string> LoadedProgram::takeFailedCheck() const {
  uint64_t word = program->takeStatus();
  if (word == 0)
    return std::nullopt;
  if (word <= plan.checks.size())
    return plan.checks[word - 1];
  return "'" + plan.function + "' left the unknown status " +
         std::to_string(word);
}

} // namespace mlir::ks
