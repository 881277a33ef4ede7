//===- Passes.h - The road and the agent as passes --------------*- C++ -*-===//
//
// Declarations of the passes that Passes.td defines, and the part of the road
// that they share.
//
//===----------------------------------------------------------------------===//
#ifndef KS_PASSES_PASSES_H
#define KS_PASSES_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mlir::ks {

#define GEN_PASS_DECL
#include "ks/Passes/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ks/Passes/Passes.h.inc"

/// True if `module` is cut: it holds private functions and a host function that
/// calls them.
bool isCut(ModuleOp module);

/// ks-normalize and ks-cut-kernels.
void buildCutPipeline(OpPassManager &manager);

/// Takes an imported module to a cut one; a cut one stays as it is. For tools:
/// passes run buildCutPipeline themselves. Errors are emitted.
LogicalResult cutGraph(ModuleOp module);

/// The NVPTX chip to compile for on a GPU of `architecture`, "sm_90" say: from
/// sm_90 on the one with the architecture's own instructions, "sm_90a".
std::string chipForArchitecture(StringRef architecture);

} // namespace mlir::ks

#endif // KS_PASSES_PASSES_H
