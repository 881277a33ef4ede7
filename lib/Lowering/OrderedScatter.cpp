//===- OrderedScatter.cpp - Scatters whose rows may meet ------------------===//
//
// Rows are sorted by the place they go to, stably, and each element of the
// result folds the rows that meet in it in their order, found by binary search:
// deterministic, and linear but for the logarithm. Where many rows may meet,
// blocks of rows of one place are folded first, by threads of their own. Where
// the last one wins, only that is read.
//
//===----------------------------------------------------------------------===//

#include "MergeSort.h"
#include "Scatter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::ks;

/// Sorted rows in a block, and the fewest rows for which there are blocks.
static constexpr int64_t blockRows = 256, manyRows = 4096;

/// True if rows can be combined with each other before they meet the original:
/// the body is one associative operation of both.
static bool combinesRows(tm_tensor::ScatterOp op) {
  Block &body = op.getRegion().front();
  Operation *combiner = body.getTerminator()->getOperand(0).getDefiningOp();
  return isa_and_nonnull<arith::AddFOp, arith::AddIOp, arith::MulFOp,
                         arith::MulIOp, arith::MaximumFOp, arith::MinimumFOp,
                         arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
                         arith::MinUIOp, arith::AndIOp, arith::OrIOp>(
             combiner) &&
         combiner->getBlock() == &body &&
         llvm::all_of(body.getArguments(), [&](BlockArgument argument) {
           return argument.hasOneUse() &&
                  *argument.getUsers().begin() == combiner;
         });
}

static Value toI64(IndexBuilder &indices, OpBuilder &b, Location loc,
                   const Index &index) {
  Value value = indices.get(index);
  return value.getType().isInteger(64)
             ? value
             : arith::ExtUIOp::create(b, loc, b.getI64Type(), value)
                   .getResult();
}

namespace {

/// Reads sorted rows and folds ranges of them into one element of a window.
class RowFolder {
public:
  RowFolder(Evaluator &evaluator, tm_tensor::ScatterOp op,
            const ScatterTarget &target, bool isReference)
      : evaluator(evaluator), op(op), target(target), isReference(isReference) {
  }

  SmallVector<Value> begin(const Scalar &scalar) {
    SmallVector<Value> state{scalar.value};
    if (isReference)
      state.push_back(evaluator.getScalars().boundOrZero(op.getLoc(), scalar));
    return state;
  }
  Scalar value(ValueRange state) const {
    return {state[0], isReference ? state[1] : Value()};
  }
  FailureOr<SmallVector<Value>> add(ValueRange state, const Scalar &update) {
    auto combined =
        scatterCombine(evaluator, op, update,
                       [&]() -> FailureOr<Scalar> { return value(state); });
    if (failed(combined))
      return failure();
    return begin(*combined);
  }

  /// The update of a row at the original's indices `at` of windows.
  FailureOr<Scalar> update(Value row, ArrayRef<Index> at) {
    SmallVector<Index> from{evaluator.getIndices().from(row)};
    for (unsigned dim = target.windowStart; dim < at.size(); ++dim)
      from.push_back(llvm::is_contained(op.getDimensionMap(), dim) ? Index(0)
                                                                   : at[dim]);
    return evaluator.element(op.getUpdates(), from);
  }

  /// Adds the sorted rows [from, to).
  FailureOr<SmallVector<Value>>
  addRows(const Index &from, const Index &to, ValueRange state,
          ArrayRef<Index> at, llvm::function_ref<Value(const Index &)> row) {
    return evaluator.loop(
        from, to, 1, state,
        [&](Index i, ValueRange values) -> FailureOr<SmallVector<Value>> {
          auto scalar = update(row(i), at);
          if (failed(scalar))
            return failure();
          return add(values, *scalar);
        });
  }

private:
  Evaluator &evaluator;
  tm_tensor::ScatterOp op;
  const ScatterTarget &target;
  bool isReference;
};

} // namespace

/// Records of (place, row), sorted by place; rows outside go to the end.
FailureOr<SmallVector<KernelEmitter::Storage>>
KernelEmitter::sortRows(tm_tensor::ScatterOp op, const ScatterTarget &target) {
  Location loc = op.getLoc();
  Type i64 = b.getI64Type();
  SmallVector<Storage> sorted{newTemporary(i64, target.rows),
                              newTemporary(i64, target.rows)};
  if (target.rows == 0)
    return sorted;
  SortInput input;
  input.read = [&](Evaluator &evaluator, unsigned component,
                   ArrayRef<Index> at) -> FailureOr<Scalar> {
    IndexBuilder &indices = evaluator.getIndices();
    if (component == 1)
      return Scalar{toI64(indices, b, loc, at[0]), {}};
    auto where = scatterIndices(evaluator, op, target, at[0]);
    if (failed(where))
      return failure();
    Value place = toI64(indices, b, loc,
                        indices.linearize(where->first, target.mappedSizes));
    Value last =
        arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(INT64_MAX));
    return Scalar{arith::SelectOp::create(b, loc, where->second, place, last),
                  {}};
  };
  input.before = [&](Evaluator &, SortInput::Record a,
                     SortInput::Record c) -> FailureOr<Value> {
    auto left = a(0), right = c(0);
    if (failed(left) || failed(right))
      return failure();
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, left->value,
                                 right->value)
        .getResult();
  };
  return emitMergeSort(loc, {target.rows}, 0, {i64, i64}, input, sorted);
}

/// Folds each block whose rows all go to one place.
FailureOr<KernelEmitter::Storage>
KernelEmitter::foldBlocks(tm_tensor::ScatterOp op, const ScatterTarget &target,
                          ArrayRef<Storage> sorted) {
  Location loc = op.getLoc();
  Type i64 = b.getI64Type();
  SmallVector<int64_t> shape(target.updates.getShape());
  shape[0] = target.rows / blockRows;
  Storage folded = newTemporary(target.updates.getElementType(),
                                ShapedType::getNumElements(shape));
  folded.hasBound = domain == Domain::Reference;
  LogicalResult result = emitLaunch(
      loc, ShapedType::getNumElements(shape),
      [&](Evaluator &evaluator, const Index &id) -> LogicalResult {
        IndexBuilder &indices = evaluator.getIndices();
        auto where = indices.delinearize(id, shape);
        Index begin = indices.mul(where[0], blockRows);
        Index last = indices.add(begin, blockRows - 1);
        Value isOne =
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                  load(evaluator, i64, sorted[0], begin).value,
                                  load(evaluator, i64, sorted[0], last).value);
        auto ifOp = scf::IfOp::create(b, loc, isOne, /*withElseRegion=*/false);
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(ifOp.thenBlock());
        evaluator.pushScope();
        RowFolder folder(evaluator, op, target, domain == Domain::Reference);
        auto row = [&](const Index &i) {
          return load(evaluator, i64, sorted[1], i).value;
        };
        // As indices of the original, of which only windows count.
        SmallVector<Index> at(target.original.getRank(), Index(0));
        for (unsigned dim = target.windowStart; dim < at.size(); ++dim)
          at[dim] = where[1 + dim - target.windowStart];
        auto first = folder.update(row(begin), at);
        if (failed(first))
          return failure();
        auto all =
            folder.addRows(indices.add(begin, 1), indices.add(begin, blockRows),
                           folder.begin(*first), at, row);
        if (failed(all))
          return failure();
        store(evaluator, folded, id, folder.value(*all));
        evaluator.popScope();
        return success();
      });
  if (failed(result))
    return failure();
  return folded;
}

LogicalResult KernelEmitter::emitOrderedScatter(tm_tensor::ScatterOp op,
                                                Storage result) {
  auto target = ScatterTarget::of(op);
  if (failed(target))
    return failure();
  Location loc = op.getLoc();
  Type i64 = b.getI64Type();
  int64_t rows = target->rows;
  ArrayRef<int64_t> shape = target->original.getShape();
  auto sorted = sortRows(op, *target);
  if (failed(sorted))
    return failure();
  std::optional<Storage> blocks;
  if (rows >= manyRows && combinesRows(op)) {
    auto folded = foldBlocks(op, *target, *sorted);
    if (failed(folded))
      return failure();
    blocks = *folded;
  }
  bool lastWins = op.getRegion().front().getArgument(1).use_empty();

  if (domain == Domain::Reference)
    result.hasBound = true;
  LogicalResult folded = emitLaunch(
      loc, target->original.getNumElements(),
      [&](Evaluator &evaluator, const Index &id) -> LogicalResult {
        IndexBuilder &indices = evaluator.getIndices();
        auto at = indices.delinearize(id, shape);
        auto original = evaluator.element(op.getOriginal(), at);
        if (failed(original))
          return failure();
        if (rows == 0) {
          store(evaluator, result, id, *original);
          return success();
        }
        SmallVector<Index> mapped;
        for (int64_t dim : op.getDimensionMap())
          mapped.push_back(at[dim]);
        Value place = toI64(indices, b, loc,
                            indices.linearize(mapped, target->mappedSizes));
        unsigned steps = 1;
        while ((int64_t(1) << steps) <= rows)
          ++steps;
        // The first sorted record that `isBefore` does not hold for.
        auto search = [&](arith::CmpIPredicate isBefore) -> Index {
          SmallVector<Value> range{indices.get(Index(0)),
                                   indices.get(Index(rows))};
          auto found = evaluator.loop(
              Index(0), Index(steps), 1, range,
              [&](Index, ValueRange bounds) -> FailureOr<SmallVector<Value>> {
                Index middle = indices.div(
                    indices.add(Index(bounds[0]), Index(bounds[1])), 2);
                Value safe = arith::MinSIOp::create(
                    b, loc, indices.get(middle), indices.get(Index(rows - 1)));
                Scalar key = load(evaluator, i64, (*sorted)[0], Index(safe));
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
          return Index((*found)[0]);
        };
        auto maximum = [&](const Index &x, const Index &y) {
          return Index(
              arith::MaxSIOp::create(b, loc, indices.get(x), indices.get(y))
                  .getResult());
        };
        auto minimum = [&](const Index &x, const Index &y) {
          return Index(
              arith::MinSIOp::create(b, loc, indices.get(x), indices.get(y))
                  .getResult());
        };
        RowFolder folder(evaluator, op, *target, domain == Domain::Reference);
        auto row = [&](const Index &i) {
          return load(evaluator, i64, (*sorted)[1], i).value;
        };
        Index begin = search(arith::CmpIPredicate::slt),
              end = search(arith::CmpIPredicate::sle);
        if (lastWins)
          begin = maximum(begin, indices.add(end, -1));
        FailureOr<SmallVector<Value>> state = folder.begin(*original);
        if (blocks) {
          // Rows up to a whole block, whole blocks, and the rows after them.
          Index firstBlock =
              indices.div(indices.add(begin, blockRows - 1), blockRows);
          Index lastBlock = maximum(firstBlock, indices.div(end, blockRows));
          Index head = minimum(end, indices.mul(firstBlock, blockRows));
          state = folder.addRows(begin, head, *state, at, row);
          if (failed(state))
            return failure();
          SmallVector<int64_t> blockShape(target->updates.getShape());
          blockShape[0] = rows / blockRows;
          state = evaluator.loop(
              firstBlock, lastBlock, 1, *state,
              [&](Index block, ValueRange values) {
                SmallVector<Index> from{block};
                for (unsigned dim = target->windowStart; dim < at.size(); ++dim)
                  from.push_back(llvm::is_contained(op.getDimensionMap(), dim)
                                     ? Index(0)
                                     : at[dim]);
                return folder.add(
                    values, load(evaluator, target->updates.getElementType(),
                                 *blocks, indices.linearize(from, blockShape)));
              });
          if (failed(state))
            return failure();
          begin = maximum(head, indices.mul(lastBlock, blockRows));
        }
        state = folder.addRows(begin, end, *state, at, row);
        if (failed(state))
          return failure();
        store(evaluator, result, id, folder.value(*state));
        return success();
      });
  inMemory[op->getResult(0)] = result;
  return folded;
}
