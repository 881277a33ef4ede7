//===- Program.h - A compiled candidate -------------------------*- C++ -*-===//
//
// From a module's text to a launch plan, with what the compiler said kept.
//
//===----------------------------------------------------------------------===//
#ifndef KS_LIB_EVALUATE_PROGRAM_H
#define KS_LIB_EVALUATE_PROGRAM_H

#include "ks/Base/LaunchPlan.h"
#include "ks/Lowering/Lowering.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace mlir::ks {

struct Program {
  LaunchPlan plan;
  std::vector<KernelResources> resources;
  std::string code; ///< Fingerprint of what runs on the device, and how.
  WorkCount work;
};

/// Parses, lowers and reads the plan. An error is the compiler's first one; all
/// it said is added to `diagnostics`.
Result<Program> compileText(llvm::StringRef text, MLIRContext &context,
                            const LoweringOptions &options,
                            std::string &diagnostics);

} // namespace mlir::ks

#endif // KS_LIB_EVALUATE_PROGRAM_H
