//===- Register.h - What the tools know by name -----------------*- C++ -*-===//
//
// The dialects and passes that ks-opt, ks-run, ks-worker and the plugin
// register: those of this project, and those of MLIR that an imported graph or
// a compiled program uses. MLIR's register-everything functions would link
// every back-end.
//
//===----------------------------------------------------------------------===//
#ifndef KS_PASSES_REGISTER_H
#define KS_PASSES_REGISTER_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::ks {

/// Dialects of imported graphs, of every stage of the road, and of the output.
void registerDialects(DialectRegistry &registry);

/// The passes of this project.
void registerPasses();

/// MLIR's own passes of general use: canonicalize, cse, linalg and tensor ones.
void registerUpstreamPasses();

} // namespace mlir::ks

#endif // KS_PASSES_REGISTER_H
