//===- WorkCount.cpp - Operations and least bytes of a graph --------------===//
//
// Counts arithmetic and math operations of linalg bodies once for each point of
// their iteration space (a multiply-add is two), through calls of kernels, and
// for each iteration of a counted loop.
//
//===----------------------------------------------------------------------===//

#include "ks/Lowering/Lowering.h"
#include "ks/Normalize/CountedLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::ks;

/// How often `op`, an operation of a function, runs in one run of that.
static double timesOf(Operation *op) {
  double times = 1;
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>())
    times *= static_cast<double>(iterationsOf(loop).value_or(1));
  return times;
}

static double flopsOf(func::FuncOp function) {
  double flops = 0;
  auto module = function->getParentOfType<ModuleOp>();
  function.walk([&](Operation *op) {
    if (auto call = dyn_cast<func::CallOp>(op)) {
      auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
      if (callee && callee != function && !callee.isExternal())
        flops += timesOf(op) * flopsOf(callee);
      return;
    }
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp || op->getNumRegions() == 0)
      return;
    double points = 1;
    for (int64_t size : linalgOp.getStaticLoopRanges())
      points *= std::max<int64_t>(size, 0);
    double inBody = 0;
    for (Operation &inner : *linalgOp.getBlock())
      if (isa<math::MathDialect>(inner.getDialect()) ||
          isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
              arith::MaximumFOp, arith::MinimumFOp, arith::NegFOp>(inner))
        inBody += 1;
    flops += timesOf(op) * points * inBody;
  });
  return flops;
}

WorkCount mlir::ks::countWork(ModuleOp module) {
  WorkCount count;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isPrivate() || function.isExternal())
      continue;
    count.flops += flopsOf(function);
    auto addBytes = [&](TypeRange types) {
      for (Type type : types)
        if (auto tensor = dyn_cast<RankedTensorType>(type);
            tensor && tensor.hasStaticShape()) {
          Type element = tensor.getElementType();
          double bits = 0;
          if (auto complexType = dyn_cast<ComplexType>(element))
            bits = 2.0 * complexType.getElementType().getIntOrFloatBitWidth();
          else
            bits = std::max<double>(8, element.getIntOrFloatBitWidth());
          count.bytes += tensor.getNumElements() * bits / 8;
        }
    };
    addBytes(function.getArgumentTypes());
    addBytes(function.getResultTypes());
  }
  return count;
}
