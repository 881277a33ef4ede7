//===- Cancellation.cpp - Sums that may need their float64 ----------------===//
//
// A statistic, in two passes, adds squares, magnitudes and the values
// themselves, and subtracts a mean from a value: float32 serves. Two traits of
// a value tell other sums: a reduction went into it, or a product of two
// different values did. They are followed forward through the function and the
// bodies of its operations.
//
//===----------------------------------------------------------------------===//
#include "Cancellation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::ks;

namespace {

enum Trait : unsigned { Reduced = 1, Product = 2 };

class Provenance {
public:
  void visit(Operation *op);

  SmallVector<Operation *> found;

private:
  unsigned of(Value value) const { return traits.lookup(value); }
  void add(Value value, unsigned more) {
    if (more && getElementTypeOrSelf(value).isF64())
      traits[value] |= more;
  }
  void visitBody(linalg::LinalgOp op);
  void visitSum(Operation *op);

  DenseMap<Value, unsigned> traits;
};

} // namespace

static bool isConstant(Value value) {
  return matchPattern(value, m_Constant());
}

void Provenance::visitSum(Operation *op) {
  Value a = op->getOperand(0), b = op->getOperand(1);
  bool reduced = of(a) & of(b) & Reduced;
  bool product = (of(a) | of(b)) & Product && !isConstant(a) && !isConstant(b);
  if (op->getResult(0).getType().isF64() && (reduced || product))
    found.push_back(op);
}

/// Gives the results of a structured operation what its body yields; the body
/// is walked after the operation itself.
void Provenance::visitBody(linalg::LinalgOp op) {
  for (OpOperand *input : op.getDpsInputOperands())
    add(op.getMatchingBlockArgument(input), of(input->get()));
  for (OpOperand &init : op.getDpsInitsMutable())
    add(op.getMatchingBlockArgument(&init), of(init.get()));
}

void Provenance::visit(Operation *op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return visitBody(structured);
  if (isa<linalg::YieldOp>(op)) {
    auto parent = dyn_cast<linalg::LinalgOp>(op->getParentOp());
    bool reduces = !parent || parent.getNumReductionLoops() != 0;
    for (auto [result, value] :
         llvm::zip(op->getParentOp()->getResults(), op->getOperands()))
      add(result, of(value) | (reduces ? Reduced : 0));
    return;
  }
  if (isa<arith::AddFOp, arith::SubFOp>(op))
    visitSum(op);
  unsigned all = 0;
  for (Value operand : op->getOperands())
    all |= of(operand);
  if (isa<arith::MulFOp>(op) && op->getOperand(0) != op->getOperand(1) &&
      !isConstant(op->getOperand(0)) && !isConstant(op->getOperand(1)))
    all |= Product;
  for (Value result : op->getResults())
    add(result, all);
}

SmallVector<Operation *> mlir::ks::findCancellations(func::FuncOp function) {
  Provenance provenance;
  function.walk<WalkOrder::PreOrder>(
      [&](Operation *op) { provenance.visit(op); });
  return std::move(provenance.found);
}
