//===- Scatter.cpp - tm_tensor.scatter, without atomics -------------------===//
//
// With unique indices each update element is one thread's work. Otherwise rows
// are sorted by the place they go to, stably, and each element of the result
// folds the rows that meet in it in their order, found by binary search:
// deterministic, and linear but for the logarithm.
//
//===----------------------------------------------------------------------===//

#include "MergeSort.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::ks;

namespace {
/// Shapes of a scatter, and where its rows go.
struct Target {
  RankedTensorType original, updates;
  SmallVector<int64_t> mappedSizes; ///< Sizes of the indexed dimensions.
  unsigned windowStart = 0; ///< The first original dimension with a window.
  int64_t rows = 0;
};
} // namespace

static FailureOr<Target> targetOf(tm_tensor::ScatterOp op) {
  Target target;
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

/// The indices of `row`, and a check that they are inside.
static FailureOr<std::pair<SmallVector<Index>, Value>>
rowIndices(OpBuilder &b, Evaluator &evaluator, tm_tensor::ScatterOp op,
           const Target &target, const Index &row) {
  Location loc = op.getLoc();
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

static FailureOr<Scalar> combine(Evaluator &evaluator, tm_tensor::ScatterOp op,
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
  auto target = targetOf(op);
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
        auto where = rowIndices(b, evaluator, op, *target, from[0]);
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
        auto value = combine(evaluator, op, *update, [&] {
          return evaluator.element(op.getOriginal(), to);
        });
        if (failed(value))
          return failure();
        store(evaluator, result, indices.linearize(to, shape), *value);
        evaluator.popScope();
        return success();
      });
}

LogicalResult KernelEmitter::emitOrderedScatter(tm_tensor::ScatterOp op,
                                                Storage result) {
  auto target = targetOf(op);
  if (failed(target))
    return failure();
  Location loc = op.getLoc();
  Type i64 = b.getI64Type();
  int64_t rows = target->rows;
  ArrayRef<int64_t> shape = target->original.getShape();
  auto toI64 = [&](IndexBuilder &indices, const Index &index) -> Value {
    Value value = indices.get(index);
    return value.getType() == i64
               ? value
               : arith::ExtUIOp::create(b, loc, i64, value).getResult();
  };
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  };

  // Records of (place, row), sorted by place; rows outside go to the end.
  SmallVector<Storage> sorted{newTemporary(i64, rows), newTemporary(i64, rows)};
  if (rows > 0) {
    SortInput input;
    input.read = [&](Evaluator &evaluator, unsigned component,
                     ArrayRef<Index> at) -> FailureOr<Scalar> {
      IndexBuilder &indices = evaluator.getIndices();
      if (component == 1)
        return Scalar{toI64(indices, at[0]), {}};
      auto where = rowIndices(b, evaluator, op, *target, at[0]);
      if (failed(where))
        return failure();
      Value place =
          toI64(indices, indices.linearize(where->first, target->mappedSizes));
      return Scalar{arith::SelectOp::create(b, loc, where->second, place,
                                            constant(INT64_MAX)),
                    {}};
    };
    input.before = [&](Evaluator &, SortInput::Record a,
                       SortInput::Record c) -> FailureOr<Value> {
      auto left = a(0), right = c(0);
      if (failed(left) || failed(right))
        return failure();
      return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle,
                                   left->value, right->value)
          .getResult();
    };
    auto done = emitMergeSort(loc, {rows}, 0, {i64, i64}, input, sorted);
    if (failed(done))
      return failure();
    sorted = *done;
  }

  if (domain == Domain::Reference)
    result.hasBound = true;
  LogicalResult folded = emitLaunch(
      loc, target->original.getNumElements(),
      [&](Evaluator &evaluator, const Index &id) -> LogicalResult {
        IndexBuilder &indices = evaluator.getIndices();
        ScalarEmitter &scalars = evaluator.getScalars();
        auto at = indices.delinearize(id, shape);
        SmallVector<Index> mapped;
        for (int64_t dim : op.getDimensionMap())
          mapped.push_back(at[dim]);
        Value place =
            toI64(indices, indices.linearize(mapped, target->mappedSizes));
        unsigned steps = 1;
        while ((int64_t(1) << steps) <= rows)
          ++steps;
        // The first sorted record that `isBefore` does not hold for.
        auto search = [&](arith::CmpIPredicate isBefore) -> Value {
          SmallVector<Value> range{indices.get(Index(0)),
                                   indices.get(Index(rows))};
          auto found = evaluator.loop(
              Index(0), Index(steps), 1, range,
              [&](Index, ValueRange bounds) -> FailureOr<SmallVector<Value>> {
                Index middle = indices.div(
                    indices.add(Index(bounds[0]), Index(bounds[1])), 2);
                Value safe = arith::MinSIOp::create(
                    b, loc, indices.get(middle), indices.get(Index(rows - 1)));
                Scalar key = load(evaluator, i64, sorted[0], Index(safe));
                Value open = arith::CmpIOp::create(
                    b, loc, arith::CmpIPredicate::slt, bounds[0], bounds[1]);
                Value before =
                    arith::CmpIOp::create(b, loc, isBefore, key.value, place);
                Value up = arith::AndIOp::create(b, loc, open, before);
                Value next = indices.get(indices.add(middle, 1));
                Value low =
                    arith::SelectOp::create(b, loc, up, next, bounds[0]);
                Value high = arith::SelectOp::create(b, loc, before, bounds[1],
                                                     indices.get(middle));
                high = arith::SelectOp::create(b, loc, open, high, bounds[1]);
                return SmallVector<Value>{low, high};
              });
          return (*found)[0];
        };
        auto original = evaluator.element(op.getOriginal(), at);
        if (failed(original))
          return failure();
        if (rows == 0) {
          store(evaluator, result, id, *original);
          return success();
        }
        bool reference = domain == Domain::Reference;
        SmallVector<Value> state{original->value};
        if (reference)
          state.push_back(scalars.boundOrZero(loc, *original));
        Value begin = search(arith::CmpIPredicate::slt),
              end = search(arith::CmpIPredicate::sle);
        auto folded = evaluator.loop(
            Index(begin), Index(end), 1, state,
            [&](Index i, ValueRange values) -> FailureOr<SmallVector<Value>> {
              Scalar row = load(evaluator, i64, sorted[1], i);
              SmallVector<Index> from{indices.from(row.value)};
              for (unsigned dim = target->windowStart; dim < shape.size();
                   ++dim)
                from.push_back(llvm::is_contained(op.getDimensionMap(), dim)
                                   ? Index(0)
                                   : at[dim]);
              auto update = evaluator.element(op.getUpdates(), from);
              if (failed(update))
                return failure();
              auto value =
                  combine(evaluator, op, *update, [&]() -> FailureOr<Scalar> {
                    return Scalar{values[0], reference ? values[1] : Value()};
                  });
              if (failed(value))
                return failure();
              SmallVector<Value> next{value->value};
              if (reference)
                next.push_back(scalars.boundOrZero(loc, *value));
              return next;
            });
        if (failed(folded))
          return failure();
        store(evaluator, result, id,
              {(*folded)[0], reference ? (*folded)[1] : Value()});
        return success();
      });
  inMemory[op->getResult(0)] = result;
  return folded;
}

LogicalResult KernelEmitter::emitScatter(tm_tensor::ScatterOp op) {
  Storage result = storageFor(op->getResult(0));
  return op.getUniqueIndices() ? emitUniqueScatter(op, result)
                               : emitOrderedScatter(op, result);
}
