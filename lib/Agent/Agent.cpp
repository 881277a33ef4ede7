//===- Agent.cpp - The loop over kernels and candidates -------------------===//
//
// See Agent.h. Short-term memory is the set of fingerprints tried for a kernel;
// it outlives promotions, so nothing is built twice.
//
//===----------------------------------------------------------------------===//
#include "ks/Agent/Agent.h"

#include "ks/Support/Hashing.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::ks;
namespace json = llvm::json;

static json::Object toObject(const Knobs &knobs) {
  return json::Object{{"block_size", knobs.blockSize},
                      {"elements_per_thread", knobs.elementsPerThread},
                      {"index_bits", knobs.indexBits},
                      {"unroll", knobs.unroll}};
}

static std::string printed(Location loc) {
  std::string text;
  llvm::raw_string_ostream out(text);
  LocationAttr(loc).print(out);
  return text;
}

/// Why a trial did not commit, in a few words.
static std::string reasonOf(const TrialResult &result) {
  std::string text(name(result.outcome));
  if (!result.reason.empty())
    text += ": " + result.reason;
  else if (result.timing.incumbent.median > 0)
    text += llvm::formatv(": {0:f2} of the incumbent's time, 95 % in {1:f2} to "
                          "{2:f2}",
                          result.timing.ratio.median, result.timing.ratio.low,
                          result.timing.ratio.high);
  return text;
}

std::string Agent::label() const {
  return "checked: " + device.kind +
         (device.measures ? ", timed: measured on " + device.name
                          : ", timed: estimate");
}

TrialJob Agent::newJob() const {
  TrialJob job;
  job.device = device.kind;
  job.chip = options.chip;
  job.ptxas = options.ptxas;
  job.seed = options.seed;
  job.deterministic = options.deterministic;
  // What is only an estimate is not worth much time.
  if (!device.measures)
    job.timingSeconds = 0.4;
  return job;
}

/// Evaluates `job` and leaves its files in the folder `path` of the run.
Result<TrialResult> Agent::runTrial(const std::string &path, TrialJob job) {
  Result<std::string> place = folder.makeFolder(path);
  if (!place)
    return place.takeError();
  job.folder = *place;
  if (Status status = folder.write(path + "/kernel.mlir", job.candidate);
      !status)
    return status.takeError();
  TrialResult result = evaluator.evaluate(job);
  std::string report;
  for (const KernelResources &r : result.resources)
    report += llvm::formatv(
        "{0}: {1} registers, {2} bytes spilled, {3} bytes of shared memory\n",
        r.kernel, r.registers, r.spillBytes, r.sharedBytes);
  if (Status status = folder.write(path + "/ptxas.txt", report); !status)
    return status.takeError();
  if (Status status = folder.write(path + "/log.txt", reasonOf(result) + "\n" +
                                                          result.diagnostics);
      !status)
    return status.takeError();
  return result;
}

Result<KernelOutcome> Agent::optimiseKernel(func::FuncOp kernel,
                                            unsigned number, unsigned count) {
  std::string name = kernel.getName().str();
  KernelTraits traits = traitsOf(kernel);
  TrialJob job = newJob();
  job.reference = isolate(kernel, nullptr);
  std::string print = fingerprint(job.reference);
  if (Status status = events.append(
          "kernel", json::Object{{"kernel", name},
                                 {"fingerprint", print},
                                 {"location", printed(kernel.getLoc())},
                                 {"reduces", traits.reduces},
                                 {"elements", traits.elements}});
      !status)
    return status.takeError();

  KernelOutcome outcome{name, Knobs(), false};
  llvm::StringSet<> tried;
  Proposal next{outcome.knobs, "the default"};
  for (unsigned trial = 0; trial < options.budget; ++trial) {
    tried.insert(describe(next.knobs));
    job.candidate = isolate(kernel, &next.knobs);
    job.incumbent = trial ? isolate(kernel, &outcome.knobs) : "";
    std::string path = llvm::formatv("kernels/{0}/{1}", name, trial);
    Result<TrialResult> result = runTrial(path, job);
    if (!result)
      return result.takeError();

    bool commits = trial ? result->outcome == Outcome::Better
                         : result->outcome == Outcome::Passed;
    json::Object record = ks::toJSON(*result);
    record["kernel"] = name;
    record["trial"] = static_cast<int64_t>(trial);
    record["fingerprint"] = fingerprint(job.candidate);
    record["knobs"] = toObject(next.knobs);
    record["why"] = next.why;
    record["files"] = path;
    if (Status status = events.append("trial", std::move(record)); !status)
      return status.takeError();
    auto remark = remark::RemarkOpts::name(trial ? "candidate" : "default")
                      .category("ks-agent")
                      .function(kernel.getName());
    if (commits) {
      outcome.verified = true;
      outcome.knobs = next.knobs;
      if (Status status =
              events.append("commit",
                            json::Object{{"kernel", name},
                                         {"trial", static_cast<int64_t>(trial)},
                                         {"knobs", toObject(next.knobs)}},
                            /*durable=*/true);
          !status)
        return status.takeError();
      remark::passed(kernel.getLoc(), remark)
          << "committed " + describe(next.knobs) + ": " + reasonOf(*result) +
                 " (" + label() + ")";
    } else {
      remark::missed(kernel.getLoc(), remark)
          << "rejected " + describe(next.knobs) + ": " + reasonOf(*result) +
                 " (" + label() + ")";
    }
    if (onTrial)
      onTrial({name, number, count, trial, options.budget, next.knobs, next.why,
               *result, commits, !device.measures});
    // A kernel whose plain form is not known to be right has no yardstick.
    if (!outcome.verified)
      break;

    std::vector<Proposal> proposals = proposeFrom(outcome.knobs, traits);
    auto fresh = llvm::find_if(proposals, [&](const Proposal &proposal) {
      return !tried.contains(describe(proposal.knobs));
    });
    if (fresh == proposals.end())
      break;
    next = *fresh;
  }
  return outcome;
}

Result<std::vector<KernelOutcome>> Agent::optimise(ModuleOp module) {
  std::vector<KernelOutcome> outcomes;
  SmallVector<func::FuncOp> kernels = kernelsOf(module);
  for (auto [i, kernel] : llvm::enumerate(kernels)) {
    Result<KernelOutcome> outcome =
        optimiseKernel(kernel, i + 1, kernels.size());
    if (!outcome)
      return outcome.takeError();
    outcome->knobs.set(kernel);
    outcomes.push_back(std::move(*outcome));
  }
  return outcomes;
}

static std::string textOf(ModuleOp module, bool withKnobs) {
  OwningOpRef<ModuleOp> copy(module.clone());
  if (!withKnobs)
    for (func::FuncOp kernel : kernelsOf(*copy))
      kernel->removeAttr("ks.knobs");
  std::string text;
  llvm::raw_string_ostream out(text);
  copy->print(out);
  return text;
}

bool mlir::ks::goesBack(Outcome outcome, bool measures) {
  switch (outcome) {
  case Outcome::Passed:
  case Outcome::Better:
  case Outcome::Unchecked:
    return false;
  case Outcome::Inconclusive:
    return !measures;
  case Outcome::NotBetter:
  case Outcome::Wrong:
  case Outcome::Failed:
  case Outcome::Crashed:
    return true;
  }
  return true;
}

Result<TrialResult> Agent::checkProgram(ModuleOp module) {
  TrialJob job = newJob();
  job.reference = textOf(module, false);
  job.candidate = textOf(module, true);
  bool changed = llvm::any_of(kernelsOf(module), [](func::FuncOp kernel) {
    FailureOr<Knobs> knobs = Knobs::get(kernel);
    return succeeded(knobs) && *knobs != Knobs();
  });
  if (changed)
    job.incumbent = job.reference;
  Result<TrialResult> result = runTrial("program", job);
  if (!result)
    return result;
  if (changed && goesBack(result->outcome, device.measures)) {
    if (Status status =
            events.append("revert", ks::toJSON(*result), /*durable=*/true);
        !status)
      return status.takeError();
    for (func::FuncOp kernel : kernelsOf(module))
      kernel->removeAttr("ks.knobs");
    job.candidate = job.reference;
    job.incumbent.clear();
    result = runTrial("program", job);
    if (!result)
      return result;
  }
  if (Status status = events.append("program", ks::toJSON(*result)); !status)
    return status.takeError();
  return result;
}
