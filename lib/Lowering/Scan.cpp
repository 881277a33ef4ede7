//===- Scan.cpp - tm_tensor.scan: threads that run along lines ------------===//
//
// A thread runs along one line and writes every element, so that the work is
// linear. Sums are carried with their compensation. Few long lines are cut into
// parts: threads combine the elements of a part, a thread of each line runs
// along what they found, and threads run along the parts from there.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ks;

/// Fewer and longer lines than these are cut into parts.
static constexpr int64_t splitLines = 8192, splitLength = 4096;

namespace {

/// The running value of a scan, as loops carry it: the sum's accumulators, or
/// the value and, in the reference domain, its bound.
class Running {
public:
  Running(Evaluator &evaluator, tm_tensor::ScanOp op, Domain domain)
      : evaluator(evaluator), b(evaluator.getBuilder()), op(op),
        loc(op.getLoc()), type(cast<RankedTensorType>(op.getInput().getType())),
        isReference(domain == Domain::Reference), isSum(isSumOf(op)) {}

  SmallVector<Value> begin(const Scalar &first) const {
    if (isSum)
      return evaluator.beginSum(first, type.getElementType());
    SmallVector<Value> state{first.value};
    if (isReference)
      state.push_back(evaluator.getScalars().boundOrZero(loc, first));
    return state;
  }

  Scalar value(ArrayRef<Value> state) const {
    if (isSum)
      return evaluator.endSum(state, type.getElementType(),
                              type.getDimSize(op.getDimension()));
    return {state[0], isReference ? state[1] : Value()};
  }

  /// The type in which parts are kept, and what a part came to: sums of half
  /// types as they are carried.
  static Type partTypeOf(tm_tensor::ScanOp op) {
    Type element = getElementTypeOrSelf(op.getInput().getType());
    return isSumOf(op) && element.getIntOrFloatBitWidth() < 32
               ? Float32Type::get(op.getContext())
               : element;
  }
  Scalar part(ArrayRef<Value> state) const {
    return isSum ? evaluator.endSum(state, partTypeOf(op),
                                    type.getDimSize(op.getDimension()))
                 : value(state);
  }

  FailureOr<SmallVector<Value>> advance(ArrayRef<Value> state,
                                        const Scalar &next) const {
    if (isSum) {
      SmallVector<Value> sum(state);
      evaluator.addToSum(
          sum, evaluator.toSumType(next.value, type.getElementType()));
      if (isReference) {
        sum[2] = arith::AddFOp::create(
            b, loc, sum[2], evaluator.getScalars().boundOrZero(loc, next));
        sum[3] = arith::AddFOp::create(
            b, loc, sum[3], math::AbsFOp::create(b, loc, next.value));
      }
      return sum;
    }
    llvm::DenseMap<Value, Scalar> known;
    known[body().getArgument(0)] = value(state);
    known[body().getArgument(1)] = next;
    auto combined = evaluator.regionValue(yielded(), known, {});
    if (failed(combined))
      return failure();
    return begin(*combined);
  }

  /// Indices of element `i` of `line`.
  SmallVector<Index> at(ArrayRef<Index> line, const Index &i) const {
    SmallVector<Index> full(line);
    full.insert(full.begin() + op.getDimension(), i);
    return full;
  }
  Index offset(ArrayRef<Index> line, const Index &i) const {
    return evaluator.getIndices().linearize(at(line, i), type.getShape());
  }

  /// The value of element 0.
  FailureOr<Scalar> first(ArrayRef<Index> line) const {
    return op.getInclusive()
               ? evaluator.element(op.getInput(), at(line, Index(0)))
               : evaluator.element(op.getAccumulator(), line);
  }
  /// What element `i`, not the first, adds to the one before it.
  FailureOr<Scalar> step(ArrayRef<Index> line, const Index &i) const {
    Index source = op.getInclusive() ? i : evaluator.getIndices().add(i, -1);
    return evaluator.element(op.getInput(), at(line, source));
  }

  /// Combines the steps of [from, to); `visit` sees each element's value.
  FailureOr<SmallVector<Value>>
  run(ArrayRef<Index> line, const Index &from, const Index &to,
      ValueRange state,
      llvm::function_ref<void(const Index &, const Scalar &)> visit) const {
    return evaluator.loop(
        from, to, 1, state,
        [&](Index i, ValueRange values) -> FailureOr<SmallVector<Value>> {
          auto next = step(line, i);
          if (failed(next))
            return failure();
          auto advanced = advance(SmallVector<Value>(values), *next);
          if (succeeded(advanced))
            visit(i, value(*advanced));
          return advanced;
        });
  }

private:
  static bool isSumOf(tm_tensor::ScanOp op) {
    Block &body = op.getRegion().front();
    auto add =
        body.getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
    return add && add->getBlock() == &body &&
           isa<BlockArgument>(add.getLhs()) &&
           isa<BlockArgument>(add.getRhs()) && add.getLhs() != add.getRhs();
  }
  Block &body() const { return op.getRegion().front(); }
  Value yielded() const { return body().getTerminator()->getOperand(0); }

  Evaluator &evaluator;
  OpBuilder &b;
  mutable tm_tensor::ScanOp op;
  Location loc;
  RankedTensorType type;
  bool isReference, isSum;
};

} // namespace

static void ignore(const Index &, const Scalar &) {}

LogicalResult KernelEmitter::emitScan(tm_tensor::ScanOp op) {
  auto type = cast<RankedTensorType>(op.getInput().getType());
  int64_t length = type.getDimSize(op.getDimension());
  SmallVector<int64_t> lineShape(type.getShape());
  lineShape.erase(lineShape.begin() + op.getDimension());
  int64_t lines = ShapedType::getNumElements(lineShape);

  Storage storages[2] = {storageFor(op->getResult(0)), Storage()};
  bool wantsLast = !op->getResult(1).use_empty();
  if (wantsLast)
    storages[1] = storageFor(op->getResult(1));
  // Exactness of the output is known only after the loop; the reference has
  // bounds.
  if (domain == Domain::Reference)
    storages[0].hasBound = true;

  LogicalResult result = success();
  if (lines < splitLines && length >= splitLength)
    result = emitSplitScan(op, lineShape, storages, wantsLast);
  else
    result = emitLaunch(
        op.getLoc(), length == 0 ? 0 : lines,
        [&](Evaluator &evaluator, const Index &id) -> LogicalResult {
          Running running(evaluator, op, domain);
          auto line = evaluator.getIndices().delinearize(id, lineShape);
          auto first = running.first(line);
          if (failed(first))
            return failure();
          auto put = [&](const Index &i, const Scalar &value) {
            store(evaluator, storages[0], running.offset(line, i), value);
          };
          SmallVector<Value> state = running.begin(*first);
          put(Index(0), running.value(state));
          auto last = running.run(line, Index(1), Index(length), state, put);
          if (failed(last))
            return failure();
          if (wantsLast)
            store(evaluator, storages[1], id, running.value(*last));
          return success();
        });
  inMemory[op->getResult(0)] = storages[0];
  if (wantsLast)
    inMemory[op->getResult(1)] = storages[1];
  return result;
}

/// Part p of a line begins at element p * size, whose value the second launch
/// finds: that of the part before it, and the steps up to this one, which the
/// first launch combined.
LogicalResult KernelEmitter::emitSplitScan(tm_tensor::ScanOp op,
                                           ArrayRef<int64_t> lineShape,
                                           MutableArrayRef<Storage> storages,
                                           bool wantsLast) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getInput().getType());
  int64_t length = type.getDimSize(op.getDimension());
  int64_t lines = ShapedType::getNumElements(lineShape);
  int64_t size =
      static_cast<int64_t>(std::ceil(std::sqrt(static_cast<double>(length))));
  int64_t parts = llvm::divideCeil(length, size);
  Type partType = Running::partTypeOf(op);
  Storage steps = newTemporary(partType, lines * (parts - 1)),
          starts = newTemporary(partType, lines * parts);
  if (domain == Domain::Reference)
    steps.hasBound = starts.hasBound = true;

  LogicalResult combined = emitLaunch(
      loc, lines * (parts - 1),
      [&](Evaluator &evaluator, const Index &id) -> LogicalResult {
        Running running(evaluator, op, domain);
        IndexBuilder &indices = evaluator.getIndices();
        auto line = indices.delinearize(indices.div(id, parts - 1), lineShape);
        Index begin = indices.mul(indices.rem(id, parts - 1), size);
        auto first = running.step(line, indices.add(begin, 1));
        if (failed(first))
          return failure();
        auto all = running.run(line, indices.add(begin, 2),
                               indices.add(begin, size + 1),
                               running.begin(*first), ignore);
        if (failed(all))
          return failure();
        store(evaluator, steps, id, running.part(*all));
        return success();
      });
  LogicalResult begun = emitLaunch(
      loc, lines, [&](Evaluator &evaluator, const Index &id) -> LogicalResult {
        Running running(evaluator, op, domain);
        IndexBuilder &indices = evaluator.getIndices();
        auto first = running.first(indices.delinearize(id, lineShape));
        if (failed(first))
          return failure();
        auto put = [&](const Index &part, ArrayRef<Value> state) {
          store(evaluator, starts, indices.add(indices.mul(id, parts), part),
                running.part(state));
        };
        SmallVector<Value> state = running.begin(*first);
        put(Index(0), state);
        auto all = evaluator.loop(
            Index(1), Index(parts), 1, state,
            [&](Index part,
                ValueRange values) -> FailureOr<SmallVector<Value>> {
              Index before = indices.add(indices.mul(id, parts - 1),
                                         indices.add(part, -1));
              auto advanced =
                  running.advance(SmallVector<Value>(values),
                                  load(evaluator, partType, steps, before));
              if (succeeded(advanced))
                put(part, *advanced);
              return advanced;
            });
        return LogicalResult(all);
      });
  LogicalResult written = emitLaunch(
      loc, lines * parts,
      [&](Evaluator &evaluator, const Index &id) -> LogicalResult {
        Running running(evaluator, op, domain);
        IndexBuilder &indices = evaluator.getIndices();
        Index part = indices.rem(id, parts), row = indices.div(id, parts);
        auto line = indices.delinearize(row, lineShape);
        Index begin = indices.mul(part, size);
        Value end = arith::MinSIOp::create(
            b, loc, indices.get(indices.add(begin, size)),
            indices.get(Index(length)));
        auto put = [&](const Index &i, const Scalar &value) {
          store(evaluator, storages[0], running.offset(line, i), value);
        };
        SmallVector<Value> state =
            running.begin(load(evaluator, partType, starts, id));
        put(begin, running.value(state));
        auto last =
            running.run(line, indices.add(begin, 1), Index(end), state, put);
        if (failed(last) || !wantsLast)
          return LogicalResult(last);
        Value isLast = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                             indices.get(part),
                                             indices.get(Index(parts - 1)));
        auto ifOp = scf::IfOp::create(b, loc, isLast, /*withElseRegion=*/false);
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(ifOp.thenBlock());
        store(evaluator, storages[1], row, running.value(*last));
        return success();
      });
  return failure(failed(combined) || failed(begun) || failed(written));
}
