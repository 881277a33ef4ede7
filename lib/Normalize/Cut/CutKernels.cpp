//===- CutKernels.cpp - The pass ks-cut-kernels ---------------------------===//
#include "ks/Normalize/Cut.h"

#include "ks/Normalize/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

namespace mlir::ks {
#define GEN_PASS_DEF_CUTKERNELS
#include "ks/Normalize/Passes.h.inc"
} // namespace mlir::ks

using namespace mlir;
using namespace mlir::ks;

/// True if the function holds calls alone, as this pass leaves it.
static bool isCut(func::FuncOp func) {
  return llvm::any_of(func.getBody().front(), llvm::IsaPred<func::CallOp>) &&
         llvm::all_of(func.getBody().front(),
                      llvm::IsaPred<func::CallOp, func::ReturnOp>);
}

/// Results that nothing reads are not computed, nor are the checks on the way:
/// a linalg operation without results is such a check alone.
static void eraseUnread(Block &block) {
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty() &&
        (op->getNumResults() > 0 || isa<linalg::LinalgOp>(op)))
      op->erase();
}

namespace {

struct CutKernels : public ks::impl::CutKernelsBase<CutKernels> {
  using CutKernelsBase::CutKernelsBase;

  LogicalResult cut(func::FuncOp func) {
    if (!llvm::hasSingleElement(func.getBody()))
      return func.emitError("a function that is cut has one block");
    eraseUnread(func.getBody().front());
    separateResults(func);
    FailureOr<UnitGraph> graph = buildUnitGraph(func);
    if (failed(graph))
      return failure();
    CutLimits limits;
    limits.units = maxOps;
    outlineKernels(func, *graph, cutGreedily(*graph, limits));
    return success();
  }

  void runOnOperation() override {
    SmallVector<func::FuncOp> functions;
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (!func.isExternal() && !func->hasAttr(kernelAttr) && !isCut(func))
        functions.push_back(func);
    for (func::FuncOp func : functions)
      if (failed(cut(func)))
        return signalPassFailure();
  }
};

} // namespace
