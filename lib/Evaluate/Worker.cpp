//===- Worker.cpp - The process that meets the candidates -----------------===//
//
// A trial in its order: compile, compare the code with the incumbent's, check,
// time. The environment variable KS_TEST_FAULT, which only this file reads,
// makes a candidate go wrong on purpose, so that tests can watch the gate and
// the loop: KIND or KIND@TEXT, where TEXT occurs in the candidate's module.
//
//===----------------------------------------------------------------------===//
#include "ks/Evaluate/Worker.h"

#include "Checker.h"
#include "Program.h"
#include "ks/Base/File.h"
#include "ks/Support/Hashing.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

using namespace mlir;
using namespace mlir::ks;

namespace {
class Stopwatch {
public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
        .count();
  }

private:
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
};
} // namespace

/// Flops and elements beyond which the reference takes too long: about half a
/// minute for each law on two CPU cores, and on an H200.
static double defaultMaxFlops(const Device &device) {
  return device.kind() == "cuda" ? 1e13 : 2e9;
}

/// Acts out the faults of a whole process; gives those of a run.
static Fault takeFault(const TrialJob &job) {
  const char *setting = std::getenv("KS_TEST_FAULT");
  if (!setting)
    return Fault::None;
  auto [kind, text] = StringRef(setting).split('@');
  if (!StringRef(job.candidate).contains(text))
    return Fault::None;
  if (kind == "crash")
    std::raise(SIGSEGV);
  if (kind == "exit")
    std::_Exit(7);
  while (kind == "hang")
    std::this_thread::sleep_for(std::chrono::hours(1));
  if (kind == "wrong")
    return Fault::Wrong;
  if (kind == "partial")
    return Fault::Partial;
  if (kind == "unsteady")
    return Fault::Unsteady;
  if (kind == "input")
    return Fault::Input;
  return Fault::None;
}

struct Worker::State {
  DialectRegistry registry;
  std::unique_ptr<MLIRContext> context;
  std::unique_ptr<Device> device;

  /// What is kept from job to job, under what it was made of.
  std::string referenceKey;
  std::unique_ptr<Program> reference;
  std::unique_ptr<Checker> checker;
  std::string incumbentKey;
  std::unique_ptr<Program> incumbent;
  std::unique_ptr<Executor> incumbentRun;

  LoweringOptions optionsFor(const TrialJob &job) const;
  Status prepareReference(const TrialJob &job, std::string &diagnostics);
  Status prepareIncumbent(const TrialJob &job, std::string &diagnostics);
  Status time(Executor &candidate, const TrialJob &job, TrialResult &result);
  void trial(const TrialJob &job, TrialResult &result);
};

Worker::Worker() : state(std::make_unique<State>()) {
  registerLoweringDialects(state->registry);
}
Worker::~Worker() = default;

Result<DeviceInfo> Worker::open(const std::string &kind) {
  DeviceInfo info;
  Result<std::unique_ptr<Device>> device = createDevice(kind, &info.note);
  if (!device)
    return device.takeError();
  state->device = std::move(*device);
  info.kind = state->device->kind();
  info.name = state->device->name();
  info.architecture = state->device->architecture();
  info.measures = state->device->measures();
  return info;
}

LoweringOptions Worker::State::optionsFor(const TrialJob &job) const {
  LoweringOptions options;
  options.host = device->kind() == "host";
  options.cuda = !options.host || !job.chip.empty();
  if (!job.chip.empty())
    options.chip = job.chip;
  options.ptxas = job.ptxas;
  return options;
}

Status Worker::State::prepareReference(const TrialJob &job,
                                       std::string &diagnostics) {
  std::string key =
      fingerprint(job.reference + "\n" + std::to_string(job.seed) + "\n" +
                  std::to_string(job.maxCompared));
  if (key == referenceKey)
    return {};
  checker.reset();
  referenceKey.clear();
  LoweringOptions options = optionsFor(job);
  options.cuda = !options.host;
  options.reference = true;
  Result<Program> program =
      compileText(job.reference, *context, options, diagnostics);
  if (!program)
    return Error{"the reference does not compile: " + program.error()};
  reference = std::make_unique<Program>(std::move(*program));
  Result<std::unique_ptr<Checker>> made =
      Checker::create(*device, reference->plan, job.seed, job.maxCompared);
  if (!made)
    return made.takeError();
  checker = std::move(*made);
  referenceKey = key;
  return {};
}

Status Worker::State::prepareIncumbent(const TrialJob &job,
                                       std::string &diagnostics) {
  std::string key = fingerprint(job.incumbent);
  if (key == incumbentKey)
    return {};
  incumbentRun.reset();
  incumbentKey.clear();
  Result<Program> program =
      compileText(job.incumbent, *context, optionsFor(job), diagnostics);
  if (!program)
    return Error{"the incumbent does not compile: " + program.error()};
  incumbent = std::make_unique<Program>(std::move(*program));
  Result<std::unique_ptr<Executor>> made =
      Executor::create(*device, incumbent->plan);
  if (!made)
    return made.takeError();
  incumbentRun = std::move(*made);
  incumbentKey = key;
  return {};
}

/// Times the candidate, in turns with the incumbent if there is one.
Status Worker::State::time(Executor &candidate, const TrialJob &job,
                           TrialResult &result) {
  Executor *other = job.incumbent.empty() ? nullptr : incumbentRun.get();
  if (other) {
    // The same inputs for both: data may decide the time.
    Result<std::vector<Tensor>> inputs = candidate.readInputs();
    if (!inputs)
      return inputs.takeError();
    if (Status status = other->setInputs(*inputs); !status)
      return status;
  }
  std::vector<double> mine, theirs;
  auto once = [](Executor &executor, std::vector<double> &times) -> Status {
    Result<std::vector<double>> taken = executor.time(1);
    if (!taken)
      return taken.takeError();
    times.push_back(taken->at(0));
    return {};
  };
  auto pair = [&](bool otherFirst) -> Status {
    if (other && otherFirst)
      if (Status status = once(*other, theirs); !status)
        return status;
    if (Status status = once(candidate, mine); !status)
      return status;
    if (other && !otherFirst)
      return once(*other, theirs);
    return {};
  };

  // The first pair warms up and tells how many fit into the time.
  Stopwatch watch;
  if (Status status = pair(false); !status)
    return status;
  double each = std::max(watch.seconds(), 1e-6);
  mine.clear();
  theirs.clear();
  size_t pairs = std::clamp<double>(job.timingSeconds / each, 7, 51);
  for (size_t i = 0; i < pairs; ++i)
    if (Status status = pair(i % 2); !status)
      return status;
  result.pairs = static_cast<unsigned>(pairs);
  if (other)
    result.timing = judgePairs(mine, theirs);
  else
    result.timing.candidate = medianInterval(mine);
  return {};
}

/// True if a law compared something of every result that has elements.
static bool sawEverything(const TrialResult &result, const LaunchPlan &plan) {
  for (size_t output = 0; output < numResults(plan); ++output) {
    const BufferDesc &desc = bufferOf(plan, placeOfResult(plan, output));
    if (numElements(desc.shape).value_or(0) == 0)
      continue;
    if (llvm::none_of(result.checks, [&](const LawCheck &check) {
          return output < check.outputs.size() &&
                 check.outputs[output].compared >
                     check.outputs[output].unbounded;
        }))
      return false;
  }
  return true;
}

void Worker::State::trial(const TrialJob &job, TrialResult &result) {
  auto end = [&](Outcome outcome, std::string reason) {
    result.outcome = outcome;
    result.reason = std::move(reason);
  };
  Fault fault = takeFault(job);
  Stopwatch compiling;
  Result<Program> program =
      compileText(job.candidate, *context, optionsFor(job), result.diagnostics);
  result.compileSeconds = compiling.seconds();
  if (!program)
    return end(Outcome::Failed, program.error());
  result.resources = program->resources;
  result.code = program->code;
  result.work = program->work;
  if (!job.folder.empty() && !program->plan.ptx.empty())
    if (Status status =
            writeFile(job.folder + "/kernel.ptx",
                      {reinterpret_cast<const char *>(program->plan.ptx.data()),
                       program->plan.ptx.size()});
        !status)
      return end(Outcome::Failed, status.error());

  if (!job.incumbent.empty()) {
    if (Status status = prepareIncumbent(job, result.diagnostics); !status)
      return end(Outcome::Failed, status.error());
    if (incumbent->code == program->code)
      return end(Outcome::NotBetter, "same code as the incumbent");
  }

  Stopwatch checking;
  double limit = job.maxFlops > 0 ? job.maxFlops : defaultMaxFlops(*device);
  if (program->work.flops + program->work.bytes > limit)
    return end(Outcome::Unchecked, "too large for the " + device->kind());
  if (Status status = prepareReference(job, result.diagnostics); !status)
    return end(Outcome::Unchecked, status.error());
  Result<std::unique_ptr<Executor>> executor =
      Executor::create(*device, program->plan);
  if (!executor)
    return end(Outcome::Failed, executor.error());
  std::string why;
  Result<bool> right = checker->check(
      **executor, program->plan, job.deterministic, fault, result.checks, why);
  result.checkSeconds = checking.seconds();
  if (!right)
    return end(Outcome::Failed, right.error());
  if (!*right)
    return end(Outcome::Wrong, why);
  if (!sawEverything(result, program->plan))
    return end(Outcome::Unchecked, "the reference gives no bound");

  if (Status status = time(**executor, job, result); !status)
    return end(Outcome::Failed, status.error());
  if (job.incumbent.empty())
    return end(Outcome::Passed, "");
  switch (result.timing.speed) {
  case Speed::Better:
    return end(Outcome::Better, "");
  case Speed::NotBetter:
    return end(Outcome::NotBetter, "");
  case Speed::Inconclusive:
    return end(Outcome::Inconclusive, "");
  }
}

bool Worker::lost() const {
  if (const char *setting = std::getenv("KS_TEST_FAULT"))
    if (StringRef(setting) == "lost")
      return true;
  return state->device && !state->device->synchronize();
}

TrialResult Worker::run(const TrialJob &job) {
  TrialResult result;
  if (!state->device) {
    if (Result<DeviceInfo> info = open(job.device); !info) {
      result.reason = info.error();
      return result;
    }
  }
  // Types and attributes live as long as their context: a new one for each job.
  state->context = std::make_unique<MLIRContext>(
      state->registry, MLIRContext::Threading::DISABLED);
  state->context->loadAllAvailableDialects();
  state->trial(job, result);
  state->context.reset();
  return result;
}
