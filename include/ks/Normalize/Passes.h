//===- Passes.h - Passes of the normalize library ---------------*- C++ -*-===//
//
// Declarations of the passes that Passes.td defines.
//
//===----------------------------------------------------------------------===//
#ifndef KS_NORMALIZE_PASSES_H
#define KS_NORMALIZE_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::ks {

#define GEN_PASS_DECL
#include "ks/Normalize/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ks/Normalize/Passes.h.inc"

} // namespace mlir::ks

#endif // KS_NORMALIZE_PASSES_H
