//===- Cut.cpp - From an imported module to a cut one ---------------------===//
//
// The first half of the road, which every tool walks, and for what it is.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/Passes.h"
#include "ks/Passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

bool mlir::ks::isCut(ModuleOp module) {
  return llvm::any_of(module.getOps<func::FuncOp>(), [](func::FuncOp function) {
    return function->hasAttr("ks.kernel");
  });
}

void mlir::ks::buildCutPipeline(OpPassManager &manager) {
  manager.addPass(createNormalize());
  manager.addPass(createCutKernels());
}

LogicalResult mlir::ks::cutGraph(ModuleOp module) {
  if (isCut(module))
    return success();
  PassManager manager(module.getContext());
  buildCutPipeline(manager);
  return manager.run(module);
}

std::string mlir::ks::chipForArchitecture(StringRef architecture) {
  unsigned capability = 0;
  StringRef number = architecture;
  if (!number.consume_front("sm_") || number.getAsInteger(10, capability))
    return architecture.str();
  return architecture.str() + (capability >= 90 ? "a" : "");
}
