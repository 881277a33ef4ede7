//===- CountedLoop.cpp - The counted loops of a graph ---------------------===//
//
// See CountedLoop.h.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/CountedLoop.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::ks;

std::optional<int64_t> mlir::ks::iterationsOf(scf::ForOp loop) {
  if (!loop.getInductionVar().getType().isIndex() ||
      !isConstantIntValue(loop.getLowerBound(), 0) ||
      !isConstantIntValue(loop.getStep(), 1))
    return std::nullopt;
  std::optional<int64_t> count = getConstantIntValue(loop.getUpperBound());
  return count && *count < 0 ? 0 : count;
}

bool mlir::ks::coversRow(OffsetSizeAndStrideOpInterface slice,
                         RankedTensorType whole, Value counter) {
  if (whole.getRank() == 0 || !whole.hasStaticShape() ||
      !slice.hasUnitStride() ||
      llvm::dyn_cast_if_present<Value>(slice.getMixedOffsets()[0]) != counter ||
      !isConstantIntValue(slice.getMixedSizes()[0], 1))
    return false;
  for (int64_t dim = 1; dim < whole.getRank(); ++dim)
    if (!isConstantIntValue(slice.getMixedOffsets()[dim], 0) ||
        !isConstantIntValue(slice.getMixedSizes()[dim], whole.getDimSize(dim)))
      return false;
  return true;
}

bool mlir::ks::isRow(tensor::ExtractSliceOp slice, scf::ForOp loop) {
  RankedTensorType whole = slice.getSourceType();
  return coversRow(slice, whole, loop.getInductionVar()) &&
         slice.getType().getShape() == whole.getShape().drop_front();
}

bool mlir::ks::isRow(tensor::InsertSliceOp slice, scf::ForOp loop) {
  RankedTensorType whole = slice.getDestType();
  return coversRow(slice, whole, loop.getInductionVar()) &&
         slice.getSourceType().getShape() == whole.getShape().drop_front();
}

scf::ForOp mlir::ks::loopOfRow(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  if (!loop)
    return nullptr;
  auto extract = dyn_cast<tensor::ExtractSliceOp>(op);
  auto insert = dyn_cast<tensor::InsertSliceOp>(op);
  return (extract && isRow(extract, loop)) || (insert && isRow(insert, loop))
             ? loop
             : nullptr;
}

tensor::InsertSliceOp mlir::ks::accumulation(scf::ForOp loop, unsigned number) {
  Value carried = loop.getRegionIterArg(number);
  auto insert =
      loop.getYieldedValues()[number].getDefiningOp<tensor::InsertSliceOp>();
  bool writes = insert && insert->getParentOp() == loop &&
                isRow(insert, loop) && insert.getDest() == carried &&
                insert.getSource() != carried && carried.hasOneUse() &&
                insert->hasOneUse();
  return writes ? insert : tensor::InsertSliceOp();
}

Value mlir::ks::withoutReshapes(Value tensor) {
  while (Operation *op = tensor.getDefiningOp()) {
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      break;
    tensor = op->getOperand(0);
  }
  return tensor;
}
