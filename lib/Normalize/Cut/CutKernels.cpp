//===- CutKernels.cpp - The pass ks-cut-kernels ---------------------------===//
#include "ks/Normalize/Cut.h"

#include "ks/Normalize/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

namespace mlir::ks {
#define GEN_PASS_DEF_CUTKERNELS
#include "ks/Normalize/Passes.h.inc"
} // namespace mlir::ks

using namespace mlir;
using namespace mlir::ks;

/// True if the block holds calls, and what goes with them, alone, as this pass
/// leaves it.
static bool isCut(Block &block) {
  return llvm::all_of(block, [](Operation &op) {
    auto loop = dyn_cast<scf::ForOp>(op);
    return loop ? isCut(*loop.getBody())
                : isa<func::CallOp, func::ReturnOp, scf::YieldOp,
                      arith::ConstantIndexOp, tensor::EmptyOp>(op) ||
                      staysInHost(&op);
  });
}

static bool isCut(func::FuncOp func) {
  bool calls = false;
  func.walk([&](func::CallOp) { calls = true; });
  return calls && isCut(func.getBody().front());
}

/// Results that nothing reads are not computed, nor are the checks on the way:
/// a linalg operation without results is such a check alone.
static void eraseUnread(Block &block) {
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops)) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (op->use_empty() &&
        (loop || op->getNumResults() > 0 || isa<linalg::LinalgOp>(op)))
      op->erase();
    else if (loop)
      eraseUnread(*loop.getBody());
  }
}

namespace {

struct CutKernels : public ks::impl::CutKernelsBase<CutKernels> {
  using CutKernelsBase::CutKernelsBase;

  LogicalResult cut(func::FuncOp func) {
    if (!llvm::hasSingleElement(func.getBody()))
      return func.emitError("a function that is cut has one block");
    Block &body = func.getBody().front();
    eraseUnread(body);
    separateHostValues(body);
    SmallVector<Block *> pending = {&body};
    std::vector<CutBlock> blocks;
    CutLimits limits;
    limits.units = maxOps;
    for (auto loop : body.getOps<scf::ForOp>())
      pending.push_back(loop.getBody());
    for (Block *block : pending) {
      FailureOr<UnitGraph> graph = buildUnitGraph(*block);
      if (failed(graph))
        return failure();
      std::vector<Group> groups = cutGreedily(*graph, limits);
      blocks.push_back({block, std::move(*graph), std::move(groups)});
    }
    outlineKernels(func, blocks);
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
