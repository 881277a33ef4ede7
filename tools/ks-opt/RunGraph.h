//===- RunGraph.h - The compiler behind ks-run ------------------*- C++ -*-===//
//
// A module, imported or lowered, and the plans that can be made from it: of the
// program, and of its float64 reference. A run of a package has no need of it.
//
//===----------------------------------------------------------------------===//
#ifndef KS_TOOLS_RUNGRAPH_H
#define KS_TOOLS_RUNGRAPH_H

#include "RunOptions.h"
#include "ks/Device/Device.h"
#include "ks/Lowering/Lowering.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>
#include <string>

namespace mlir::ks {

/// What fails is printed.
class RunGraph {
public:
  explicit RunGraph(const RunOptions &options);

  bool read(const std::string &path);
  /// The program for `device`; compiled where the module holds no code for it.
  bool program(const Device &device, LaunchPlan &plan);
  bool reference(const Device &device, LaunchPlan &plan) {
    return compile(device, /*reference=*/true, plan);
  }
  const WorkCount &work() const { return count; }

private:
  bool compile(const Device &device, bool reference, LaunchPlan &plan);

  const RunOptions &options;
  DialectRegistry registry;
  std::unique_ptr<MLIRContext> context;
  llvm::SourceMgr sources;
  std::unique_ptr<SourceMgrDiagnosticHandler> handler;
  std::string path;
  OwningOpRef<ModuleOp> module;
  std::string source; ///< The cut module's text.
  WorkCount count;
};

} // namespace mlir::ks

#endif // KS_TOOLS_RUNGRAPH_H
