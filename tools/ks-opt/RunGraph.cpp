//===- RunGraph.cpp - The compiler behind ks-run --------------------------===//
//
// See RunGraph.h.
//
//===----------------------------------------------------------------------===//
#include "RunGraph.h"

#include "ks/Passes/Input.h"
#include "ks/Passes/Passes.h"
#include "ks/Passes/Register.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::ks;

static bool fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  return false;
}

RunGraph::RunGraph(const RunOptions &options) : options(options) {
  registerDialects(registry);
  context = std::make_unique<MLIRContext>(registry);
  context->loadAllAvailableDialects();
  // Errors come without the operation that they are about printed in full.
  context->printOpOnDiagnostic(false);
  handler = std::make_unique<SourceMgrDiagnosticHandler>(sources, context.get(),
                                                         llvm::errs());
}

bool RunGraph::read(const std::string &file) {
  path = file;
  module = parseModuleFile(path, *context, sources, llvm::errs());
  if (!module)
    return false;
  if (isLowered(*module)) {
    if (auto text = (*module)->getAttrOfType<StringAttr>("ks.source"))
      source = text.str();
  } else {
    if (failed(cutGraph(*module)))
      return false;
    llvm::raw_string_ostream stream(source);
    (*module)->print(stream, OpPrintingFlags().enableDebugInfo());
  }
  if (source.empty())
    return true;
  OwningOpRef<ModuleOp> cut =
      parseModuleText(source, path + " (ks.source)", *context, llvm::errs());
  if (!cut)
    return fail("the attribute ks.source of " + path + " does not parse");
  count = countWork(*cut);
  return true;
}

bool RunGraph::program(const Device &device, LaunchPlan &plan) {
  if (isLowered(*module)) {
    FailureOr<LaunchPlan> found = planFromModule(*module);
    if (failed(found))
      return false;
    plan = std::move(*found);
  }
  bool ready = device.kind() == "cuda"
                   ? !plan.cubin.empty() || !plan.ptx.empty()
                   : !plan.hostObject.empty();
  return ready || compile(device, /*reference=*/false, plan);
}

bool RunGraph::compile(const Device &device, bool reference, LaunchPlan &plan) {
  if (source.empty())
    return fail(path + " has no code for the " + device.kind() +
                " device and no attribute ks.source to compile it from");
  LoweringOptions lowering;
  lowering.reference = reference;
  lowering.host = device.kind() == "host";
  lowering.cuda = !lowering.host;
  lowering.ptxas = options.ptxas;
  if (!options.chip.empty())
    lowering.chip = options.chip;
  else if (lowering.cuda)
    lowering.chip = chipForArchitecture(device.architecture());
  OwningOpRef<ModuleOp> copy =
      parseSourceString<ModuleOp>(source, context.get());
  if (!copy || failed(lowerProgram(*copy, lowering)))
    return false;
  FailureOr<LaunchPlan> made = planFromModule(*copy);
  if (failed(made))
    return false;
  plan = std::move(*made);
  return true;
}
