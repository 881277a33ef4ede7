//===- LowerToCubin.cpp - The lowering as a pass --------------------------===//
//
// Options to LoweringOptions.
//
//===----------------------------------------------------------------------===//
#include "ks/Lowering/Lowering.h"
#include "ks/Passes/Passes.h"
#include "ks/Passes/Register.h"

#include "mlir/Pass/PassManager.h"

namespace mlir::ks {
#define GEN_PASS_DEF_LOWERTOCUBIN
#include "ks/Passes/Passes.h.inc"
} // namespace mlir::ks

using namespace mlir;
using namespace mlir::ks;

namespace {
struct LowerToCubin : public ks::impl::LowerToCubinBase<LowerToCubin> {
  using LowerToCubinBase::LowerToCubinBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registerDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!package.empty() && failed(checkOptions(module.getLoc())))
      return signalPassFailure();
    if (!isCut(module)) {
      OpPassManager manager(ModuleOp::getOperationName());
      buildCutPipeline(manager);
      if (failed(runPipeline(manager, module)))
        return signalPassFailure();
    }
    LoweringOptions options;
    options.cuda = cuda;
    options.host = host;
    options.chip = chip;
    options.ptxas = ptxas;
    options.reference = reference;
    if (failed(lowerProgram(module, options)) ||
        (!package.empty() &&
         failed(writePackageFile(module, {package, packageAppend}))))
      signalPassFailure();
  }

private:
  LogicalResult checkOptions(Location loc) {
    if (reference)
      return emitError(loc, "package=")
             << package << ": a reference is no program to be packed";
    if (!cuda && !host)
      return emitError(loc, "package=")
             << package << ": there is no code with cuda=false and host=false";
    return ks::checkPackage(loc, {package, packageAppend});
  }
};
} // namespace
