//===- RaiseLoops.cpp - Scalars that a loop carries -----------------------===//
//
// A loop of kernels carries tensors: scalars become tensors of rank 0. The
// counter itself is known to the host alone, where it chooses rows; what
// computes with it reads it from a table of all its values, by row.
//
//===----------------------------------------------------------------------===//
#include "RaiseScalars.h"

#include "ks/Normalize/CountedLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::ks;

/// `value` as an element of a tensor may be: no index.
static Value toElement(OpBuilder &builder, Location loc, Value value) {
  if (!value.getType().isIndex())
    return value;
  return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), value);
}

static Value fromElement(OpBuilder &builder, Location loc, Value tensor,
                         Type type) {
  Value element = tensor::ExtractOp::create(builder, loc, tensor, ValueRange());
  if (element.getType() == type)
    return element;
  return arith::IndexCastOp::create(builder, loc, type, element);
}

/// Gives `value` the type of a tensor, and its readers the element.
static void raiseValue(RewriterBase &rewriter, Value value,
                       RankedTensorType type) {
  Type scalar = value.getType();
  auto uses = llvm::to_vector(llvm::make_pointer_range(value.getUses()));
  value.setType(type);
  if (uses.empty())
    return;
  Value element = fromElement(rewriter, value.getLoc(), value, scalar);
  for (OpOperand *use : uses)
    use->set(element);
}

static void raiseCarried(RewriterBase &rewriter, scf::ForOp loop,
                         unsigned number) {
  Type scalar = loop.getInitArgs()[number].getType();
  if (!scalar.isFloat() && !scalar.isSignlessInteger() && !scalar.isIndex())
    return;
  auto raise = [&](OpOperand &operand) {
    rewriter.setInsertionPoint(operand.getOwner());
    Location loc = operand.getOwner()->getLoc();
    operand.set(
        spread(rewriter, loc, toElement(rewriter, loc, operand.get()), {}));
  };
  OpOperand &init = loop.getInitArgsMutable()[number];
  raise(init);
  raise(loop.getBody()->getTerminator()->getOpOperand(number));
  auto type = cast<RankedTensorType>(init.get().getType());
  rewriter.setInsertionPointToStart(loop.getBody());
  raiseValue(rewriter, loop.getRegionIterArg(number), type);
  rewriter.setInsertionPointAfter(loop);
  raiseValue(rewriter, loop.getResult(number), type);
}

/// True if the counter only chooses a row in this use.
static bool choosesRow(OpOperand &use, scf::ForOp loop) {
  Operation *op = use.getOwner();
  if (auto read = dyn_cast<tensor::ExtractSliceOp>(op))
    return coversRow(read, read.getSourceType(), loop.getInductionVar());
  if (auto write = dyn_cast<tensor::InsertSliceOp>(op))
    return coversRow(write, write.getDestType(), loop.getInductionVar());
  return false;
}

static void raiseCounter(RewriterBase &rewriter, scf::ForOp loop) {
  std::optional<int64_t> iterations = iterationsOf(loop);
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : loop.getInductionVar().getUses())
    if (!choosesRow(use, loop))
      uses.push_back(&use);
  if (!iterations || uses.empty())
    return;
  Location loc = loop.getLoc();
  Type i64 = rewriter.getI64Type();
  rewriter.setInsertionPoint(loop);
  Value table =
      generateTensor(rewriter, loc, RankedTensorType::get(*iterations, i64),
                     [&](OpBuilder &builder, ValueRange indices) {
                       return toElement(builder, loc, indices[0]);
                     });
  rewriter.setInsertionPointToStart(loop.getBody());
  OpFoldResult one = rewriter.getIndexAttr(1);
  Value row = tensor::ExtractSliceOp::create(
      rewriter, loc, RankedTensorType::get({}, i64), table,
      OpFoldResult(loop.getInductionVar()), one, one);
  Value counter =
      fromElement(rewriter, loc, row, loop.getInductionVar().getType());
  for (OpOperand *use : uses)
    use->set(counter);
}

void mlir::ks::raiseLoop(RewriterBase &rewriter, scf::ForOp loop) {
  for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i)
    raiseCarried(rewriter, loop, i);
  raiseCounter(rewriter, loop);
}
