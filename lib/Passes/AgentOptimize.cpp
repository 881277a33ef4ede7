//===- AgentOptimize.cpp - The whole road, with the agent on it -----------===//
//
// Ties together: the cut, the worker, the agent's loop, the lowering of what
// was committed, and the report.
//
//===----------------------------------------------------------------------===//
#include "Progress.h"
#include "ks/Agent/Agent.h"
#include "ks/Lowering/Lowering.h"
#include "ks/Passes/Passes.h"
#include "ks/Passes/Register.h"
#include "ks/Report/Report.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"

#include <optional>

namespace mlir::ks {
#define GEN_PASS_DEF_AGENTOPTIMIZE
#include "ks/Passes/Passes.h.inc"
} // namespace mlir::ks

using namespace mlir;
using namespace mlir::ks;
namespace json = llvm::json;

namespace {
struct AgentOptimize : public ks::impl::AgentOptimizeBase<AgentOptimize> {
  using AgentOptimizeBase::AgentOptimizeBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registerDialects(registry);
  }

  void runOnOperation() override {
    if (failed(run(getOperation())))
      signalPassFailure();
  }

private:
  LogicalResult run(ModuleOp module);
  LogicalResult checkOptions(ModuleOp module);
};
} // namespace

LogicalResult AgentOptimize::checkOptions(ModuleOp module) {
  if (device != "auto" && device != "cuda" && device != "host")
    return emitError(module.getLoc(), "device=")
           << device << ": expected auto, cuda or host";
  if (policy != "table")
    return emitError(module.getLoc(), "policy=")
           << policy << ": expected table";
  if (budget == 0)
    return emitError(module.getLoc(),
                     "budget=0: the default itself takes one trial");
  if (!package.empty() &&
      failed(checkPackage(module.getLoc(), {package, packageAppend})))
    return failure();
  if (findPtxas(ptxas).empty()) {
    if (!ptxas.empty())
      return emitError(module.getLoc(), "ptxas=")
             << ptxas << ": no such program";
    return emitError(module.getLoc(), "ptxas not found in " +
                                          describePtxasSearch() +
                                          "; ptxas=PATH names one");
  }
  return success();
}

static LogicalResult fail(ModuleOp module, const std::string &message) {
  // Not the operation's own emitError: that would print the whole module.
  return emitError(module.getLoc()) << message;
}

LogicalResult AgentOptimize::run(ModuleOp module) {
  if (failed(checkOptions(module)))
    return failure();
  Progress progress(llvm::errs());
  if (!isCut(module)) {
    progress.doing("cutting the graph into kernels");
    OpPassManager manager(ModuleOp::getOperationName());
    buildCutPipeline(manager);
    if (failed(runPipeline(manager, module)))
      return failure();
  }

  if (llvm::none_of(module.getOps<func::FuncOp>(), [](func::FuncOp function) {
        return function.isPublic() && !function.isExternal();
      }))
    return fail(module, "the module has no public function to compile");

  Result<RunFolder> folder = RunFolder::create(outDir);
  if (!folder)
    return fail(module, folder.error());
  Result<EventLog> events = EventLog::open(folder->file("events.jsonl"));
  if (!events)
    return fail(module, events.error());

  Evaluator::Options evaluation;
  evaluation.worker = findWorker();
  evaluation.logFile = folder->file("worker.log");
  evaluation.trialSeconds = trialSeconds;
  Evaluator evaluator(evaluation);
  Result<DeviceInfo> opened = evaluator.open(device);
  if (!opened)
    return fail(module, "device=" + device + ": " + opened.error());
  if (!opened->note.empty()) {
    progress.say(opened->note + "; times are estimates");
    remark::analysis(module.getLoc(),
                     remark::RemarkOpts::name("device").category("ks-agent"))
        << opened->note;
  }

  AgentOptions options;
  options.budget = budget;
  options.seed = seed;
  options.deterministic = deterministic;
  options.chip = chip.getValue();
  if (options.chip.empty())
    options.chip = opened->kind == "cuda"
                       ? chipForArchitecture(opened->architecture)
                       : LoweringOptions().chip;
  options.ptxas = ptxas;
  Agent agent(options, *opened, evaluator, *folder, *events);
  agent.onTrial = [&](const TrialReport &report) { progress.trial(report); };
  if (Status status = events->append(
          "run", json::Object{{"run", folder->name()},
                              {"version", KS_VERSION},
                              {"device", ks::toJSON(*opened)},
                              {"label", agent.label()},
                              {"chip", options.chip},
                              {"budget", static_cast<int64_t>(budget)},
                              {"seed", static_cast<int64_t>(seed)},
                              {"deterministic", deterministic.getValue()},
                              {"policy", policy.getValue()}});
      !status)
    return fail(module, status.error());

  Result<std::vector<KernelOutcome>> outcomes = agent.optimise(module);
  if (!outcomes)
    return fail(module, outcomes.error());
  progress.doing("checking the whole program");
  Result<TrialResult> program = agent.checkProgram(module);
  if (!program)
    return fail(module, program.error());

  if (program->outcome == Outcome::Wrong ||
      program->outcome == Outcome::Failed ||
      program->outcome == Outcome::Crashed)
    emitWarning(module.getLoc(), "the program is not verified: ")
        << ks::name(program->outcome) << ": " << program->reason;

  progress.doing("lowering");
  LoweringOptions lowering;
  lowering.host = host || opened->kind == "host";
  lowering.chip = options.chip;
  lowering.ptxas = ptxas;
  if (failed(lowerProgram(module, lowering)))
    return failure();
  if (!package.empty() &&
      failed(writePackageFile(module, {package, packageAppend})))
    return failure();

  if (Status status = events->append("end", json::Object{}, /*durable=*/true);
      !status)
    return fail(module, status.error());
  auto log = readEvents(folder->file("events.jsonl"));
  if (!log)
    return fail(module, log.error());
  json::Object report = makeReport(*log);
  std::string summary = summarise(report);
  if (Status status = folder->write(
          "report.json",
          llvm::formatv("{0:2}\n", json::Value(std::move(report))).str());
      !status)
    return fail(module, status.error());
  progress.say(summary + "report: " + folder->file("report.json"));
  return success();
}
