//===- CheckLoops.cpp - Which loops a cut graph can hold ------------------===//
//
// Counted loops on tensors, not in one another, and in them rows at the loop's
// own counter. The host function turns these into offsets; anything else would
// have to be computed by it.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/CountedLoop.h"
#include "ks/Normalize/Patterns.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::ks;

LogicalResult mlir::ks::checkLoop(scf::ForOp loop) {
  if (!isa<func::FuncOp>(loop->getParentOp()))
    return loop.emitOpError("in another loop is not supported");
  if (!iterationsOf(loop))
    return loop.emitOpError(
        "is supported only from 0 in steps of one to a constant");
  return success();
}

LogicalResult mlir::ks::checkRow(Operation *op, scf::ForOp loop) {
  int64_t iterations = *iterationsOf(loop), rows = 0;
  if (auto read = dyn_cast<tensor::ExtractSliceOp>(op)) {
    Operation *source = read.getSource().getDefiningOp();
    if (source && source->getBlock() == loop.getBody())
      return op->emitOpError("reads the row of a tensor that the loop itself "
                             "computes, which is not supported");
    rows = read.getSourceType().getDimSize(0);
  } else {
    auto write = cast<tensor::InsertSliceOp>(op);
    bool accumulates = false;
    for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i)
      accumulates |= accumulation(loop, i) == write;
    if (!accumulates)
      return op->emitOpError(
          "writes the row of what is no accumulator: a tensor that the loop "
          "carries, that nothing else in it reads, and that it yields in the "
          "same place");
    rows = write.getDestType().getDimSize(0);
  }
  if (iterations > rows)
    return op->emitOpError("goes past the last row: ")
           << iterations << " iterations, " << rows << " rows";
  return success();
}
