//===- KSPlugin.cpp - The passes in stock mlir-opt ------------------------===//
//
// A pass plugin (`--load-pass-plugin`) and a dialect plugin
// (`--load-dialect-plugin`, for tm_tensor) in one library. Not for ks-opt,
// which has registered all this already.
//
//===----------------------------------------------------------------------===//
#include "ks/Passes/Register.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "KernelSkill", KS_VERSION,
          [] { mlir::ks::registerPasses(); }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "KernelSkill", KS_VERSION,
          [](mlir::DialectRegistry *registry) {
            mlir::ks::registerDialects(*registry);
          }};
}
