//===- Products.cpp - Sums of products ------------------------------------===//
//
// See Products.h.
//
//===----------------------------------------------------------------------===//
#include "Products.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::ks;

/// The argument of the body that `value` is, widened or not.
static BlockArgument widened(Value value) {
  while (isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(
      value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return dyn_cast<BlockArgument>(value);
}

bool mlir::ks::isSumOfProducts(linalg::LinalgOp op) {
  if (op->getNumRegions() != 1 || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0)
    return false;
  Block *body = op.getBlock();
  Operation *sum = body->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(sum))
    return false;
  for (bool swap : {false, true}) {
    Operation *product = sum->getOperand(swap).getDefiningOp();
    if (sum->getOperand(!swap) == body->getArgument(2) &&
        isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product)) {
      BlockArgument a = widened(product->getOperand(0)),
                    b = widened(product->getOperand(1));
      return a && b && a.getOwner() == body && b.getOwner() == body &&
             a.getArgNumber() + b.getArgNumber() == 1;
    }
  }
  return false;
}

bool mlir::ks::isZeroTensor(Value value) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    value = fill.getInputs()[0];
  return matchPattern(value, m_PosZeroFloat()) || matchPattern(value, m_Zero());
}
