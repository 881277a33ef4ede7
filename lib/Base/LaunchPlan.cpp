//===- LaunchPlan.cpp - What a compiled graph does at run time ------------===//
//
// Plans come from files, too, so that validate() believes nothing: it holds
// every number of a plan against the plan's buffers.
//
//===----------------------------------------------------------------------===//

#include "ks/Base/LaunchPlan.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace mlir::ks {

using Space = LaunchArg::Space;

static constexpr std::string_view kKinds[] = {"input", "parameter", "buffer",
                                              "constant", "random"};

std::string_view name(InputKind kind) {
  return kKinds[static_cast<size_t>(kind)];
}

std::optional<InputKind> parseInputKind(std::string_view name) {
  const auto *found = std::find(std::begin(kKinds), std::end(kKinds), name);
  if (found == std::end(kKinds))
    return std::nullopt;
  return static_cast<InputKind>(found - std::begin(kKinds));
}

std::optional<int64_t> byteSize(const BufferDesc &desc) {
  std::optional<int64_t> count = numElements(desc.shape);
  int64_t bytes = 0;
  if (!count ||
      __builtin_mul_overflow(*count, int64_t(byteWidth(desc.dtype)), &bytes))
    return std::nullopt;
  return bytes;
}

bool isMutated(const LaunchPlan &plan, size_t index) {
  return std::any_of(
      plan.mutated.begin(), plan.mutated.end(),
      [&](const Mutation &mutation) { return mutation.input == index; });
}

bool readsInput(const LaunchPlan &plan, size_t index) {
  auto takes = [&](const LaunchArg &arg) {
    return arg.space == Space::Input && arg.index == index;
  };
  for (const Launch &launch : plan.launches)
    if (std::any_of(launch.args.begin(), launch.args.end(), takes))
      return true;
  return std::any_of(plan.copies.begin(), plan.copies.end(),
                     [&](const Copy &copy) { return takes(copy.from); });
}

ResultDesc placeOfResult(const LaunchPlan &plan, size_t result) {
  uint32_t output = static_cast<uint32_t>(result);
  for (const Mutation &mutation : plan.mutated) {
    if (mutation.result == result)
      return {ResultDesc::Of::Input, mutation.input, std::nullopt};
    output -= mutation.result < result;
  }
  return {ResultDesc::Of::Output, output, std::nullopt};
}

const BufferDesc &bufferOf(const LaunchPlan &plan, const ResultDesc &result) {
  return result.of == ResultDesc::Of::Output ? plan.outputs[result.index]
                                             : plan.inputs[result.index];
}

void append(LaunchPlan &plan, Launch launch) {
  Step step;
  step.index = static_cast<uint32_t>(plan.launches.size());
  plan.steps.push_back(step);
  plan.launches.push_back(std::move(launch));
}

void append(LaunchPlan &plan, Copy copy) {
  Step step;
  step.kind = Step::Kind::Copy;
  step.index = static_cast<uint32_t>(plan.copies.size());
  plan.steps.push_back(step);
  plan.copies.push_back(copy);
}

//===----------------------------------------------------------------------===//
// Validation
//===----------------------------------------------------------------------===//

namespace {
/// What CUDA takes (CUDA C++ Programming Guide, "Technical Specifications per
/// Compute Capability"): sizes of a grid, and threads of a block.
constexpr uint32_t kMaxGrid[] = {0x7fffffff, 65535, 65535};
constexpr uint64_t kMaxThreads = 1024;
/// More iterations than this would not end.
constexpr int64_t kMaxCount = std::numeric_limits<int32_t>::max();

class Validator {
public:
  explicit Validator(const LaunchPlan &plan) : plan(plan) {}

  Status run() {
    if (Status status = checkBuffers(); !status)
      return status;
    if (Status status = checkMutations(); !status)
      return status;
    if (Status status = checkResults(); !status)
      return status;
    return checkSteps();
  }

private:
  Status checkBuffers();
  Status checkMutations();
  Status checkResults();
  Status checkSteps();
  Status checkStep(const Step &step, int64_t count, const std::string &what);
  /// `bytes` from `arg` on lie within its buffer in every iteration.
  Status checkPlace(const LaunchArg &arg, int64_t bytes, int64_t count,
                    const std::string &what) const;
  std::optional<int64_t> sizeOf(const LaunchArg &arg) const;

  const LaunchPlan &plan;
  std::vector<int64_t> inputBytes, outputBytes;
};
} // namespace

Status Validator::checkBuffers() {
  auto check = [](const std::vector<BufferDesc> &descs, const char *what,
                  std::vector<int64_t> &sizes) -> Status {
    for (const BufferDesc &desc : descs) {
      std::optional<int64_t> bytes = byteSize(desc);
      if (!bytes)
        return Error{what + (" " + std::to_string(sizes.size())) +
                     ": the size of " + describe(desc.dtype, desc.shape) +
                     " does not fit 64 bits"};
      sizes.push_back(*bytes);
    }
    return {};
  };
  if (plan.workspaceBytes > uint64_t(std::numeric_limits<int64_t>::max()))
    return Error{"a workspace of " + std::to_string(plan.workspaceBytes) +
                 " bytes is too large"};
  if (Status status = check(plan.inputs, "argument", inputBytes); !status)
    return status;
  return check(plan.outputs, "output", outputBytes);
}

Status Validator::checkMutations() {
  size_t results = numResults(plan);
  std::vector<bool> seen(plan.inputs.size());
  for (size_t i = 0; i < plan.mutated.size(); ++i) {
    const Mutation &mutation = plan.mutated[i];
    std::string what = "mutation " + std::to_string(i);
    if (mutation.input >= plan.inputs.size() || mutation.result >= results)
      return Error{what + ": there is no such argument or result"};
    if (seen[mutation.input] ||
        (i && mutation.result <= plan.mutated[i - 1].result))
      return Error{what + ": its argument or result is not its own"};
    seen[mutation.input] = true;
  }
  return {};
}

Status Validator::checkResults() {
  for (size_t i = 0; i < plan.results.size(); ++i) {
    const ResultDesc &result = plan.results[i];
    std::string what = "result " + std::to_string(i);
    const std::vector<BufferDesc> &buffers =
        result.of == ResultDesc::Of::Output ? plan.outputs : plan.inputs;
    if (result.index >= buffers.size())
      return Error{what + ": there is no such buffer"};
    if (result.view)
      if (Status status = validate(*result.view, buffers[result.index]);
          !status)
        return Error{what + ": " + status.error()};
  }
  return {};
}

std::optional<int64_t> Validator::sizeOf(const LaunchArg &arg) const {
  if (arg.space == Space::Input && arg.index < inputBytes.size())
    return inputBytes[arg.index];
  if (arg.space == Space::Output && arg.index < outputBytes.size())
    return outputBytes[arg.index];
  if (arg.space == Space::Workspace && arg.index == 0)
    return static_cast<int64_t>(plan.workspaceBytes);
  if (arg.space == Space::Status && arg.index == 0)
    return 8;
  return std::nullopt;
}

Status Validator::checkPlace(const LaunchArg &arg, int64_t bytes, int64_t count,
                             const std::string &what) const {
  Error outside{what + ": an argument lies outside of the plan's buffers"};
  std::optional<int64_t> size = sizeOf(arg);
  if (!size)
    return outside;
  if (arg.space == Space::Status && (arg.offset || arg.stride || arg.flip))
    return Error{what + ": the status word has no parts"};
  // The place is linear in t, once for the even and once for the odd t: the
  // first and the last of each are the extremes.
  for (int64_t t : {int64_t(0), int64_t(1), count - 2, count - 1}) {
    int64_t place = 0;
    if (t < 0 || t >= count)
      continue;
    if (__builtin_mul_overflow(arg.stride, t, &place) ||
        __builtin_add_overflow(place, arg.offset, &place) ||
        (t % 2 && __builtin_add_overflow(place, arg.flip, &place)) ||
        place < 0 || place > *size || bytes > *size - place)
      return outside;
  }
  return {};
}

Status Validator::checkStep(const Step &step, int64_t count,
                            const std::string &what) {
  if (step.kind == Step::Kind::Copy) {
    if (step.index >= plan.copies.size())
      return Error{what + ": there is no copy " + std::to_string(step.index)};
    const Copy &copy = plan.copies[step.index];
    std::string place = "copy " + std::to_string(step.index);
    bool writable =
        copy.to.space != Space::Status &&
        (copy.to.space != Space::Input || isMutated(plan, copy.to.index));
    if (!writable || copy.from.space == Space::Status)
      return Error{place + ": it may not read or write there"};
    if (copy.bytes > uint64_t(std::numeric_limits<int64_t>::max()))
      return Error{place + ": it is too large"};
    int64_t bytes = static_cast<int64_t>(copy.bytes);
    if (Status status = checkPlace(copy.from, bytes, count, place); !status)
      return status;
    return checkPlace(copy.to, bytes, count, place);
  }
  if (step.index >= plan.launches.size())
    return Error{what + ": there is no launch " + std::to_string(step.index)};
  const Launch &launch = plan.launches[step.index];
  std::string place = "kernel '" + launch.kernel + "'";
  uint64_t threads = 1;
  for (size_t i = 0; i < 3; ++i) {
    if (launch.grid[i] == 0 || launch.grid[i] > kMaxGrid[i] ||
        launch.block[i] == 0 || launch.block[i] > kMaxThreads)
      return Error{place + ": a size of its launch is out of range"};
    threads *= launch.block[i];
  }
  if (threads > kMaxThreads)
    return Error{place + ": a block of " + std::to_string(threads) +
                 " threads is too large"};
  if (launch.args.size() > maxLaunchArgs)
    return Error{place + ": it has more than " + std::to_string(maxLaunchArgs) +
                 " arguments"};
  for (const LaunchArg &arg : launch.args)
    if (Status status = checkPlace(arg, 0, count, place); !status)
      return status;
  return {};
}

Status Validator::checkSteps() {
  int64_t count = 1;
  size_t loopEnd = 0;
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    const Step &step = plan.steps[i];
    std::string what = "step " + std::to_string(i);
    if (i >= loopEnd)
      count = 1;
    if (step.kind != Step::Kind::Loop) {
      if (Status status = checkStep(step, count, what); !status)
        return status;
      continue;
    }
    if (i < loopEnd)
      return Error{what + ": a loop within a loop"};
    if (step.count < 0 || step.count > kMaxCount ||
        step.length > plan.steps.size() - i - 1)
      return Error{what + ": a loop of " + std::to_string(step.count) +
                   " times " + std::to_string(step.length) + " steps"};
    count = step.count;
    loopEnd = i + 1 + step.length;
  }
  return {};
}

Status validate(const View &view, const BufferDesc &buffer) {
  if (view.sizes.size() != view.strides.size())
    return Error{"a view of " + std::to_string(view.sizes.size()) +
                 " sizes and " + std::to_string(view.strides.size()) +
                 " strides"};
  int64_t last = view.offset;
  bool empty = false, outside = last < 0;
  for (size_t i = 0; i < view.sizes.size(); ++i) {
    int64_t reach = 0;
    outside |= view.sizes[i] < 0 || view.strides[i] < 0;
    empty |= view.sizes[i] == 0;
    outside |= __builtin_mul_overflow(std::max<int64_t>(view.sizes[i] - 1, 0),
                                      view.strides[i], &reach) ||
               __builtin_add_overflow(last, reach, &last);
  }
  int64_t elements = numElements(buffer.shape).value_or(0);
  if (outside || (empty ? view.offset > elements : last >= elements))
    return Error{"its view lies outside of " +
                 describe(buffer.dtype, buffer.shape)};
  if (!numElements(view.sizes))
    return Error{"its view's size does not fit 64 bits"};
  return {};
}

Status validate(const LaunchPlan &plan) { return Validator(plan).run(); }

} // namespace mlir::ks
