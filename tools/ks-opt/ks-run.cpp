//===- ks-run.cpp - Runs a graph ------------------------------------------===//
//
// Runs an optimised module, or an imported one through the plain lowering, on
// arrays from a file or on random ones; compares with expected results or with
// the float64 reference; times. Ends with 1 where a result is not within the
// numbers rule.
//
//===----------------------------------------------------------------------===//
#include "RunOutputs.h"
#include "Tools.h"
#include "ks/Base/TensorFile.h"
#include "ks/Evaluate/Inputs.h"
#include "ks/Evaluate/Timing.h"
#include "ks/Lowering/Lowering.h"
#include "ks/Passes/Input.h"
#include "ks/Passes/Passes.h"
#include "ks/Passes/Register.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::ks;
namespace cl = llvm::cl;

namespace {
/// The command line. A struct, so that ks-opt does not get these options too.
struct Options {
  cl::OptionCategory category{"ks-run options"};
  cl::opt<std::string> input{cl::Positional, cl::desc("MODULE.mlir"),
                             cl::Required, cl::cat(category)};
  cl::opt<std::string> args{
      "args",
      cl::desc("Take arg0, arg1, ... from this npz or safetensors file "
               "(default: that of --expect)"),
      cl::value_desc("file"), cl::cat(category)};
  cl::opt<uint64_t> random{
      "random",
      cl::desc(
          "Draw the arguments from this seed (0 where no file is given): "
          "floats "
          "from a normal law, 8-bit integers from [-100, 100], others from "
          "[0, n), n the smallest dimension of an argument above 1, at most "
          "64; zeros where the graph's checks refuse that"),
      cl::value_desc("seed"), cl::cat(category)};
  cl::opt<std::string> save{"save",
                            cl::desc("Write out0, out1, ... to this file"),
                            cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> expect{
      "expect",
      cl::desc("Compare output K with outK of this file, where it has one"),
      cl::value_desc("file"), cl::cat(category)};
  cl::opt<bool> check{"check",
                      cl::desc("Run the float64 reference too (default: with "
                               "--expect and with random arguments)"),
                      cl::cat(category)};
  cl::opt<unsigned> time{"time", cl::desc("Time this many runs"),
                         cl::value_desc("runs"), cl::cat(category)};
  cl::opt<std::string> device{"device",
                              cl::desc("auto (default), cuda or host"),
                              cl::init("auto"), cl::cat(category)};
  cl::opt<std::string> chip{
      "chip", cl::desc("NVPTX chip to compile for (default: the device's)"),
      cl::cat(category)};
  cl::opt<std::string> ptxas{"ptxas", cl::desc("Path of ptxas"),
                             cl::cat(category)};
};

/// One invocation.
class Run {
public:
  explicit Run(const Options &options) : options(options) {
    registerDialects(registry);
    context = std::make_unique<MLIRContext>(registry);
    context->loadAllAvailableDialects();
    // Errors come without the operation that they are about printed in full.
    context->printOpOnDiagnostic(false);
    handler = std::make_unique<SourceMgrDiagnosticHandler>(
        sources, context.get(), llvm::errs());
  }
  bool run();

private:
  bool prepare();
  bool compile(bool reference, LaunchPlan &result);
  bool readArguments(std::vector<Tensor> &result);
  bool execute(Executor &executor);
  bool report(Executor &executor);
  bool time(Executor &executor);
  bool fail(const llvm::Twine &message) {
    llvm::errs() << "error: " << message << "\n";
    return false;
  }

  const Options &options;
  DialectRegistry registry;
  std::unique_ptr<MLIRContext> context;
  llvm::SourceMgr sources;
  std::unique_ptr<SourceMgrDiagnosticHandler> handler;
  std::unique_ptr<Device> device;
  std::string argumentFile; ///< Empty: random arguments.
  std::string source;       ///< The cut module's text.
  OwningOpRef<ModuleOp> module;
  WorkCount work;
  LaunchPlan plan;
  std::vector<Tensor> inputs;
};
} // namespace

/// Reads the module and opens the device; sets source, work, plan.
bool Run::prepare() {
  module = parseModuleFile(options.input, *context, sources, llvm::errs());
  if (!module)
    return false;
  std::string note;
  Result<std::unique_ptr<Device>> opened = createDevice(options.device, &note);
  if (!opened)
    return fail("--device=" + options.device + ": " + opened.error());
  device = std::move(*opened);
  if (!note.empty())
    llvm::errs() << "note: " << note << "\n";

  if (isLowered(*module)) {
    auto text = (*module)->getAttrOfType<StringAttr>("ks.source");
    if (text)
      source = text.str();
    FailureOr<LaunchPlan> found = planFromModule(*module);
    if (failed(found))
      return false;
    plan = std::move(*found);
  } else {
    if (failed(cutGraph(*module)))
      return false;
    llvm::raw_string_ostream stream(source);
    (*module)->print(stream, OpPrintingFlags().enableDebugInfo());
  }
  if (!source.empty()) {
    OwningOpRef<ModuleOp> cut = parseModuleText(
        source, options.input + " (ks.source)", *context, llvm::errs());
    if (!cut)
      return fail("the attribute ks.source of " + options.input +
                  " does not parse");
    work = countWork(*cut);
  }
  bool ready = device->kind() == "cuda"
                   ? !plan.cubin.empty() || !plan.ptx.empty()
                   : !plan.hostObject.empty();
  return ready || compile(/*reference=*/false, plan);
}

/// Lowers `source` for the device.
bool Run::compile(bool reference, LaunchPlan &result) {
  if (source.empty())
    return fail(options.input + " has no code for the " + device->kind() +
                " device and no attribute ks.source to compile it from");
  LoweringOptions lowering;
  lowering.reference = reference;
  lowering.host = device->kind() == "host";
  lowering.cuda = !lowering.host;
  lowering.ptxas = options.ptxas;
  if (!options.chip.empty())
    lowering.chip = options.chip;
  else if (lowering.cuda)
    lowering.chip = chipForArchitecture(device->architecture());
  OwningOpRef<ModuleOp> copy =
      parseSourceString<ModuleOp>(source, context.get());
  if (!copy || failed(lowerProgram(*copy, lowering)))
    return false;
  FailureOr<LaunchPlan> made = planFromModule(*copy);
  if (failed(made))
    return false;
  result = std::move(*made);
  return true;
}

bool Run::readArguments(std::vector<Tensor> &result) {
  if (argumentFile.empty()) {
    result = makeInputs(plan.inputs, Law::Normal, options.random,
                        safeIndexRange(plan.inputs));
    return true;
  }
  Result<NamedTensors> file = readTensorFile(argumentFile);
  if (!file)
    return fail(file.error());
  for (size_t i = 0; i < plan.inputs.size(); ++i) {
    std::string name = "arg" + std::to_string(i);
    Tensor *found = findTensor(*file, name);
    const BufferDesc &wanted = plan.inputs[i];
    if (!found && !readsInput(plan, i)) {
      // Python scalars that the export has folded are arguments still.
      result.push_back({wanted.dtype, wanted.shape, {}});
      result.back().bytes.resize(numElements(wanted.shape).value_or(0) *
                                 byteWidth(wanted.dtype));
      continue;
    }
    if (!found)
      return fail(argumentFile + ": no array '" + name +
                  "'; the function takes " + llvm::Twine(plan.inputs.size()) +
                  " arguments");
    if (found->dtype != wanted.dtype || found->shape != wanted.shape)
      return fail(argumentFile + ": '" + name + "' is " +
                  describe(found->dtype, found->shape) +
                  ", and the function takes " +
                  describe(wanted.dtype, wanted.shape));
    result.push_back(std::move(*found));
  }
  std::string next = "arg" + std::to_string(plan.inputs.size());
  if (findTensor(*file, next))
    return fail(argumentFile + ": has '" + next + "', but the function takes " +
                llvm::Twine(plan.inputs.size()) + " arguments");
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
    if (again || !argumentFile.empty() || plan.checks.empty())
      return fail(status.error());
    llvm::errs() << "note: " << status.error()
                 << "; trying again with zeros for integers\n";
    inputs = makeInputs(plan.inputs, Law::Normal, options.random, 1);
  }
}

/// What the reference does in some minutes, when nobody asked for it.
static double maxReferenceFlops(const Device &device) {
  return device.kind() == "cuda" ? 1e14 : 2e10;
}

bool Run::report(Executor &executor) {
  NamedTensors expected;
  if (!options.expect.empty()) {
    Result<NamedTensors> file = readTensorFile(options.expect);
    if (!file)
      return fail(file.error());
    expected = std::move(*file);
  }
  bool check = options.check || !options.expect.empty() || argumentFile.empty();
  if (options.check.getNumOccurrences() && !options.check &&
      options.expect.empty())
    check = false;
  if (check && !options.check && options.expect.empty() &&
      work.flops > maxReferenceFlops(*device)) {
    llvm::errs() << llvm::formatv(
        "note: {0:f1} GFLOP are too many to run the float64 reference on the "
        "{1} device; --check runs it\n",
        work.flops * 1e-9, device->kind());
    check = false;
  }

  LaunchPlan referencePlan;
  std::unique_ptr<Executor> reference;
  if (check) {
    if (!compile(/*reference=*/true, referencePlan))
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
  if (work.bytes > 0 || work.flops > 0)
    llvm::outs() << llvm::formatv(", {0:f2} GB/s, {1:f4} TFLOP/s",
                                  work.bytes / interval.median * 1e-9,
                                  work.flops / interval.median * 1e-12);
  llvm::outs() << " on " << device->name() << "\n";
  if (!device->measures())
    llvm::outs() << "      (the CPU's code; it says nothing about a GPU)\n";
  return true;
}

bool Run::run() {
  bool random = options.random.getNumOccurrences();
  if (random && !options.args.empty())
    return fail("--args and --random exclude each other");
  argumentFile = options.args;
  if (argumentFile.empty() && !random)
    argumentFile = options.expect;
  // A file that cannot be written is told before the work.
  if (!options.save.empty() && !checkOutput(options.save, llvm::errs()))
    return false;
  if (!prepare() || !readArguments(inputs))
    return false;
  Result<std::unique_ptr<Executor>> executor = Executor::create(*device, plan);
  if (!executor)
    return fail(executor.error());
  if (!execute(**executor))
    return false;
  if (!options.save.empty()) {
    Result<std::vector<Tensor>> outputs = (*executor)->results();
    if (!outputs)
      return fail(outputs.error());
    NamedTensors named;
    for (auto [i, tensor] : llvm::enumerate(*outputs))
      named.emplace_back("out" + std::to_string(i), std::move(tensor));
    if (Status status = writeTensorFile(options.save, named); !status)
      return fail(status.error());
  }
  bool right = report(**executor);
  if (options.time && !time(**executor))
    return false;
  return right;
}

int mlir::ks::runMain(int argc, char **argv) {
  Options options;
  cl::HideUnrelatedOptions(options.category);
  if (!cl::ParseCommandLineOptions(argc, argv,
                                   "Runs a graph that ks-opt compiled, or an "
                                   "imported one\n",
                                   &llvm::errs()))
    return 1;
  bool right = Run(options).run();
  // What standard output could not take is an error too.
  return writeOutput("-", "", llvm::errs()) && right ? 0 : 1;
}
