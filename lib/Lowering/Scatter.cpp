//===- Scatter.cpp - tm_tensor.scatter, without atomics -------------------===//
//
// With unique indices each update element is one thread's work; how rows meet
// otherwise is in OrderedScatter.cpp.
//
//===----------------------------------------------------------------------===//

#include "Scatter.h"

#include "KernelEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::ks;

FailureOr<ScatterTarget> ScatterTarget::of(tm_tensor::ScatterOp op) {
  ScatterTarget target;
  target.original = cast<RankedTensorType>(op.getOriginal().getType());
  target.updates = cast<RankedTensorType>(op.getUpdates().getType());
  target.rows = target.updates.getDimSize(0);
  target.windowStart =
      target.original.getRank() - (target.updates.getRank() - 1);
  for (int64_t dim : op.getDimensionMap()) {
    target.mappedSizes.push_back(target.original.getDimSize(dim));
    if (dim >= target.windowStart &&
        target.updates.getDimSize(1 + dim - target.windowStart) != 1)
      return op.emitError("windows wider than one along an indexed dimension "
                          "are not supported");
  }
  for (int64_t dim = 0; dim < target.original.getRank(); ++dim) {
    bool mapped = llvm::is_contained(op.getDimensionMap(), dim);
    if (!mapped && (dim < target.windowStart ||
                    target.updates.getDimSize(1 + dim - target.windowStart) !=
                        target.original.getDimSize(dim)))
      return op.emitError(
          "windows narrower than the original are not supported");
  }
  return target;
}

FailureOr<std::pair<SmallVector<Index>, Value>>
mlir::ks::scatterIndices(Evaluator &evaluator, tm_tensor::ScatterOp op,
                         const ScatterTarget &target, const Index &row) {
  Location loc = op.getLoc();
  OpBuilder &b = evaluator.getBuilder();
  IndexBuilder &indices = evaluator.getIndices();
  SmallVector<Index> result;
  Value inside;
  for (auto [column, size] : llvm::enumerate(target.mappedSizes)) {
    auto scalar = evaluator.element(op.getIndices(), {row, Index(column)});
    if (failed(scalar))
      return failure();
    // Compare in the indices' own type: a narrowed index could wrap around.
    Value raw = scalar->value;
    Value zero =
        arith::ConstantOp::create(b, loc, b.getIntegerAttr(raw.getType(), 0));
    Value limit = arith::ConstantOp::create(
        b, loc, b.getIntegerAttr(raw.getType(), size));
    Value low =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, raw, zero);
    Value high =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, raw, limit);
    Value both = arith::AndIOp::create(b, loc, low, high);
    inside =
        inside ? arith::AndIOp::create(b, loc, inside, both).getResult() : both;
    Value safe = arith::SelectOp::create(b, loc, both, raw, zero);
    result.push_back(indices.from(safe));
  }
  return std::make_pair(result, inside);
}

FailureOr<Scalar>
mlir::ks::scatterCombine(Evaluator &evaluator, tm_tensor::ScatterOp op,
                         const Scalar &update,
                         llvm::function_ref<FailureOr<Scalar>()> old) {
  Block &body = op.getRegion().front();
  llvm::DenseMap<Value, Scalar> known;
  known[body.getArgument(0)] = update;
  if (!body.getArgument(1).use_empty()) {
    auto value = old();
    if (failed(value))
      return failure();
    known[body.getArgument(1)] = *value;
  }
  return evaluator.regionValue(body.getTerminator()->getOperand(0), known, {});
}

LogicalResult KernelEmitter::emitUniqueScatter(tm_tensor::ScatterOp op,
                                               Storage result) {
  auto target = ScatterTarget::of(op);
  if (failed(target))
    return failure();
  Location loc = op.getLoc();
  ArrayRef<int64_t> shape = target->original.getShape();
  if (domain == Domain::Reference)
    result.hasBound = true;
  LogicalResult copied =
      emitLaunch(loc, target->original.getNumElements(),
                 [&](Evaluator &evaluator, const Index &id) -> LogicalResult {
                   auto at = evaluator.getIndices().delinearize(id, shape);
                   auto value = evaluator.element(op.getOriginal(), at);
                   if (failed(value))
                     return failure();
                   store(evaluator, result, id, *value);
                   return success();
                 });
  inMemory[op->getResult(0)] = result;
  if (failed(copied))
    return failure();
  return emitLaunch(
      loc, target->updates.getNumElements(),
      [&](Evaluator &evaluator, const Index &id) -> LogicalResult {
        IndexBuilder &indices = evaluator.getIndices();
        auto from = indices.delinearize(id, target->updates.getShape());
        auto where = scatterIndices(evaluator, op, *target, from[0]);
        if (failed(where))
          return failure();
        SmallVector<Index> to(shape.size(), Index(0));
        for (unsigned dim = target->windowStart; dim < shape.size(); ++dim)
          to[dim] = from[1 + dim - target->windowStart];
        for (auto [dim, index] : llvm::zip(op.getDimensionMap(), where->first))
          to[dim] = index;
        auto ifOp =
            scf::IfOp::create(b, loc, where->second, /*withElseRegion=*/false);
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(ifOp.thenBlock());
        evaluator.pushScope();
        auto update = evaluator.element(op.getUpdates(), from);
        if (failed(update))
          return failure();
        auto value = scatterCombine(evaluator, op, *update, [&] {
          return evaluator.element(op.getOriginal(), to);
        });
        if (failed(value))
          return failure();
        store(evaluator, result, indices.linearize(to, shape), *value);
        evaluator.popScope();
        return success();
      });
}

LogicalResult KernelEmitter::emitScatter(tm_tensor::ScatterOp op) {
  Storage result = storageFor(op->getResult(0));
  return op.getUniqueIndices() ? emitUniqueScatter(op, result)
                               : emitOrderedScatter(op, result);
}
