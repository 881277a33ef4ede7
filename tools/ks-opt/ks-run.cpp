//===- ks-run.cpp - Runs a graph ------------------------------------------===//
//
// Runs a package, an optimised module, or an imported one through the plain
// lowering, on arrays from files or on random ones; compares with expected
// results or with the float64 reference; times. Ends with 1 where a result is
// not within the numbers rule.
//
//===----------------------------------------------------------------------===//
#include "RunArguments.h"
#include "RunGraph.h"
#include "RunOptions.h"
#include "RunOutputs.h"
#include "Tools.h"
#include "ks/Base/Package.h"
#include "ks/Evaluate/Inputs.h"
#include "ks/Evaluate/Timing.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::ks;

namespace {
/// One invocation.
class Run {
public:
  explicit Run(const RunOptions &options) : options(options) {}
  bool run();

private:
  bool checkOptions();
  bool openDevice();
  bool prepare();
  bool preparePackage(const InputFile &file);
  bool execute(Executor &executor);
  bool save(Executor &executor);
  bool wantsReference() const;
  bool report(Executor &executor);
  bool time(Executor &executor);
  bool fail(const llvm::Twine &message) {
    llvm::errs() << "error: " << message << "\n";
    return false;
  }
  void note(const llvm::Twine &message) {
    llvm::errs() << "note: " << message << "\n";
  }

  const RunOptions &options;
  std::unique_ptr<Device> device;
  /// The module, or that of --reference; null for a package by itself.
  std::unique_ptr<RunGraph> graph;
  bool isPackage = false;
  RunArguments arguments;
  LaunchPlan plan;
  std::vector<Tensor> inputs;
};
} // namespace

bool Run::checkOptions() {
  if (options.random.getNumOccurrences() && !options.args.empty())
    return fail("--args and --random exclude each other");
  // A file that cannot be written is told before the work.
  return options.save.empty() || checkOutput(options.save, llvm::errs());
}

bool Run::openDevice() {
  std::string why;
  Result<std::unique_ptr<Device>> opened = createDevice(options.device, &why);
  if (!opened)
    return fail("--device=" + options.device + ": " + opened.error());
  device = std::move(*opened);
  if (!why.empty())
    note(why);
  return true;
}

bool Run::preparePackage(const InputFile &file) {
  isPackage = true;
  Result<Package> package = readPackage(file);
  if (!package)
    return fail(package.error());
  size_t count = package->variants.size(), variant = options.variant;
  if (!options.variant.getNumOccurrences()) {
    Result<size_t> chosen = arguments.choose(package->variants);
    if (!chosen)
      return fail(chosen.error());
    variant = *chosen;
    if (count > 1)
      note("variant " + llvm::Twine(variant) + " of " + llvm::Twine(count));
  }
  if (variant >= count)
    return fail("--variant=" + llvm::Twine(variant) + ": " + file.path() +
                " has " + llvm::Twine(count));
  plan = std::move(package->variants[variant]);
  if (!options.reference.empty()) {
    graph = std::make_unique<RunGraph>(options);
    return graph->read(options.reference);
  }
  if (options.check)
    return fail("--check: a package holds no reference; --reference names the "
                "module that it was made from");
  return true;
}

/// Reads what is to be run, and the arguments; sets the plan.
bool Run::prepare() {
  std::string argumentFile = options.args;
  if (argumentFile.empty() && !options.random.getNumOccurrences())
    argumentFile = options.expect;
  Result<RunArguments> opened =
      RunArguments::open(argumentFile, options.weights, options.random);
  if (!opened)
    return fail(opened.error());
  arguments = std::move(*opened);

  Result<InputFile> file = InputFile::open(options.input);
  if (file && looksLikePackage(*file)) {
    if (!preparePackage(*file) || !openDevice())
      return false;
  } else {
    if (!options.reference.empty())
      return fail("--reference is for packages: a module has its own");
    if (options.variant.getNumOccurrences())
      return fail("--variant is for packages");
    graph = std::make_unique<RunGraph>(options);
    if (!graph->read(options.input) || !openDevice() ||
        !graph->program(*device, plan))
      return false;
  }
  Result<std::vector<Tensor>> made =
      arguments.make(plan, safeIndexRange(plan.inputs));
  if (!made)
    return fail(made.error());
  inputs = std::move(*made);
  return true;
}

/// Runs once; random indices that a check refuses become zeros.
bool Run::execute(Executor &executor) {
  for (bool again = false;; again = true) {
    if (Status status = executor.setInputs(inputs); !status)
      return fail(status.error());
    if (Status status = executor.poison(0xff); !status)
      return fail(status.error());
    Status status = executor.run();
    if (status)
      return true;
    if (again || !arguments.random() || plan.checks.empty())
      return fail(status.error());
    note(status.error() + "; trying again with zeros for integers");
    Result<std::vector<Tensor>> zeros = arguments.make(plan, 1);
    if (!zeros)
      return fail(zeros.error());
    inputs = std::move(*zeros);
  }
}

bool Run::save(Executor &executor) {
  Result<std::vector<Tensor>> results = executor.results();
  if (!results)
    return fail(results.error());
  NamedTensors named;
  for (auto [i, tensor] : llvm::enumerate(*results))
    named.emplace_back("out" + std::to_string(i), std::move(tensor));
  if (Status status = writeTensorFile(options.save, named); !status)
    return fail(status.error());
  return true;
}

/// What the reference does in some minutes, when nobody asked for it.
static double maxReferenceFlops(const Device &device) {
  return device.kind() == "cuda" ? 1e14 : 2e10;
}

bool Run::wantsReference() const {
  if (!graph)
    return false;
  if (options.check || !options.expect.empty() || !options.reference.empty())
    return true;
  if (options.check.getNumOccurrences() || !arguments.random())
    return false;
  if (graph->work().flops <= maxReferenceFlops(*device))
    return true;
  llvm::errs() << llvm::formatv(
      "note: {0:f1} GFLOP are too many to run the float64 reference on the "
      "{1} device; --check runs it\n",
      graph->work().flops * 1e-9, device->kind());
  return false;
}

bool Run::report(Executor &executor) {
  NamedTensors expected;
  if (!options.expect.empty()) {
    Result<NamedTensors> file = readTensorFile(options.expect);
    if (!file)
      return fail(file.error());
    expected = std::move(*file);
  }
  if (isPackage && !graph)
    note(options.expect.empty()
             ? "a package holds no reference: nothing is compared"
             : "a package holds no reference: what is expected is compared "
               "within the tolerances of torch.testing.assert_close");

  LaunchPlan referencePlan;
  std::unique_ptr<Executor> reference;
  if (wantsReference()) {
    if (!graph->reference(*device, referencePlan))
      return false;
    Result<std::unique_ptr<Executor>> made =
        Executor::create(*device, referencePlan);
    if (!made)
      return fail("the reference: " + made.error());
    reference = std::move(*made);
    Status status = reference->setInputs(inputs);
    if (status)
      status = reference->run();
    if (!status)
      return fail("the reference: " + status.error());
  }
  RunOutputs outputs{plan,          executor, reference.get(),
                     referencePlan, expected, options.expect};
  Result<bool> right = outputs.print(llvm::outs());
  if (!right)
    return fail(right.error());
  return *right;
}

bool Run::time(Executor &executor) {
  // The first runs load code and data.
  if (Result<std::vector<double>> warm = executor.time(2); !warm)
    return fail(warm.error());
  Result<std::vector<double>> times = executor.time(options.time);
  if (!times)
    return fail(times.error());
  MedianInterval interval = medianInterval(*times);
  llvm::outs() << llvm::formatv("time: median {0:f1} us",
                                interval.median * 1e6);
  if (times->size() >= 6)
    llvm::outs() << llvm::formatv(", 95 % interval {0:f1} to {1:f1} us",
                                  interval.low * 1e6, interval.high * 1e6);
  llvm::outs() << llvm::formatv(", {0} runs", times->size());
  if (graph && (graph->work().bytes > 0 || graph->work().flops > 0))
    llvm::outs() << llvm::formatv(", {0:f2} GB/s, {1:f4} TFLOP/s",
                                  graph->work().bytes / interval.median * 1e-9,
                                  graph->work().flops / interval.median *
                                      1e-12);
  llvm::outs() << " on " << device->name() << "\n";
  if (!device->measures())
    llvm::outs() << "      (the CPU's code; it says nothing about a GPU)\n";
  return true;
}

bool Run::run() {
  if (!checkOptions() || !prepare())
    return false;
  Result<std::unique_ptr<Executor>> executor = Executor::create(*device, plan);
  if (!executor)
    return fail(executor.error());
  if (!execute(**executor))
    return false;
  if (!options.save.empty() && !save(**executor))
    return false;
  bool right = report(**executor);
  if (options.time && !time(**executor))
    return false;
  return right;
}

int mlir::ks::runMain(int argc, char **argv) {
  RunOptions options;
  cl::HideUnrelatedOptions(options.category);
  if (!cl::ParseCommandLineOptions(argc, argv,
                                   "Runs a package or graph that ks-opt "
                                   "compiled, or an imported graph\n",
                                   &llvm::errs()))
    return 1;
  bool right = Run(options).run();
  // What standard output could not take is an error too.
  return writeOutput("-", "", llvm::errs()) && right ? 0 : 1;
}
