//===- MergeSort.cpp - tm_tensor.sort: merges, one launch each ------------===//
//
// Runs of length 1, 2, 4, ... are merged pairwise, one launch a length. A
// thread finds by binary search how many of the records before its own come
// from the first run (its co-rank; Deo and Sarkar, 1991), and merges from
// there: one record, or a few where there are enough threads anyway, since then
// one search serves them all. Records that may stay in either order keep the
// one they have.
//
//===----------------------------------------------------------------------===//

#include "MergeSort.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ks;

/// Records that a thread merges, in sorts of at least that many elements.
static constexpr int64_t mergedRecords = 8, manyElements = 1 << 16;

FailureOr<SmallVector<KernelEmitter::Storage>> KernelEmitter::emitMergeSort(
    Location loc, ArrayRef<int64_t> shape, unsigned dim, ArrayRef<Type> types,
    const SortInput &input, ArrayRef<Storage> results) {
  int64_t size = shape[dim], elements = ShapedType::getNumElements(shape);
  unsigned steps = 0;
  while ((int64_t(1) << steps) < size)
    ++steps;

  SmallVector<Storage> source, target;
  for (unsigned step = 0; step < std::max(steps, 1u); ++step) {
    bool last = step + 1 >= steps;
    target.clear();
    for (auto [component, type] : llvm::enumerate(types))
      target.push_back(last ? results[component]
                            : newTemporary(type, elements));
    int64_t run = int64_t(1) << step;
    // A thread's records lie in one pair of runs.
    int64_t merged = elements >= manyElements && 2 * run >= mergedRecords
                         ? mergedRecords
                         : 1;
    SmallVector<int64_t> threads(shape);
    threads[dim] = llvm::divideCeil(size, merged);
    LogicalResult result = emitLaunch(
        loc, ShapedType::getNumElements(threads),
        [&](Evaluator &evaluator, const Index &id) -> LogicalResult {
          IndexBuilder &indices = evaluator.getIndices();
          auto create = [&](auto op, const Index &x, const Index &y) {
            return Index(
                decltype(op)::create(b, loc, indices.get(x), indices.get(y))
                    .getResult());
          };
          auto minimum = [&](const Index &x, const Index &y) {
            return create(arith::MinSIOp(), x, y);
          };
          auto maximum = [&](const Index &x, const Index &y) {
            return create(arith::MaxSIOp(), x, y);
          };
          auto minus = [&](const Index &x, const Index &y) {
            return create(arith::SubIOp(), x, y);
          };
          auto less = [&](const Index &x, const Index &y) -> Value {
            return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                         indices.get(x), indices.get(y));
          };
          SmallVector<Index> at = indices.delinearize(id, threads);
          auto readAt = [&](unsigned component,
                            const Index &where) -> FailureOr<Scalar> {
            SmallVector<Index> from(at);
            from[dim] = where;
            if (source.empty())
              return input.read(evaluator, component, from);
            return load(evaluator, types[component], source[component],
                        indices.linearize(from, shape));
          };
          Index position = indices.mul(at[dim], merged);
          // The pair of runs: [first, second) and [second, end).
          Index first = indices.mul(indices.div(position, 2 * run), 2 * run);
          Index second = minimum(indices.add(first, run), Index(size));
          Index end = minimum(indices.add(first, 2 * run), Index(size));
          Index rank = minus(position, first);
          Index lengthA = minus(second, first), lengthB = minus(end, second);

          auto comesFirst = [&](const Index &a,
                                const Index &c) -> FailureOr<Value> {
            // Positions outside of the runs are not used, but must be readable.
            Index whereA = minimum(indices.add(first, a), Index(size - 1));
            Index whereB = maximum(
                minimum(indices.add(second, c), Index(size - 1)), Index(0));
            return input.before(
                evaluator,
                [&](unsigned component) { return readAt(component, whereA); },
                [&](unsigned component) { return readAt(component, whereB); });
          };
          Index low = maximum(minus(rank, lengthB), Index(0));
          Index high = minimum(rank, lengthA);
          SmallVector<Value> bounds{indices.get(low), indices.get(high)};
          auto found = evaluator.loop(
              Index(0), Index(step + 1), 1, bounds,
              [&](Index, ValueRange range) -> FailureOr<SmallVector<Value>> {
                Index lo(range[0]), hi(range[1]);
                Index middle = indices.div(indices.add(lo, hi), 2);
                auto take =
                    comesFirst(middle, indices.add(minus(rank, middle), -1));
                if (failed(take))
                  return failure();
                Value open = less(lo, hi);
                Value up = arith::AndIOp::create(b, loc, open, *take);
                Value next = indices.get(indices.add(middle, 1));
                Value lower =
                    arith::SelectOp::create(b, loc, up, next, range[0]);
                Value no =
                    arith::ConstantOp::create(b, loc, b.getBoolAttr(false));
                Value stay = arith::SelectOp::create(b, loc, open, *take, no);
                Value keep = arith::SelectOp::create(b, loc, stay, range[1],
                                                     indices.get(middle));
                Value upper =
                    arith::SelectOp::create(b, loc, open, keep, range[1]);
                return SmallVector<Value>{lower, upper};
              });
          if (failed(found))
            return failure();
          // Merges the record at `rank + number`; gives how many of the first
          // run are before the next one.
          auto merge = [&](const Index &number,
                           Value before) -> FailureOr<Value> {
            Index i(before);
            Index j = minus(indices.add(rank, number), i);
            auto prefers = comesFirst(i, j);
            if (failed(prefers))
              return failure();
            Value hasA = less(i, lengthA);
            Value noB =
                arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge,
                                      indices.get(j), indices.get(lengthB));
            Value takeA = arith::AndIOp::create(
                b, loc, hasA, arith::OrIOp::create(b, loc, noB, *prefers));
            Value from = arith::SelectOp::create(
                b, loc, takeA, indices.get(indices.add(first, i)),
                indices.get(indices.add(second, j)));
            SmallVector<Index> to(at);
            to[dim] = indices.add(position, number);
            Index offset = indices.linearize(to, shape);
            for (unsigned component = 0; component < types.size();
                 ++component) {
              auto value = readAt(component, Index(from));
              if (failed(value))
                return failure();
              store(evaluator, target[component], offset, *value);
            }
            return arith::SelectOp::create(
                       b, loc, takeA, indices.get(indices.add(i, 1)), before)
                .getResult();
          };
          if (merged == 1)
            return LogicalResult(merge(Index(0), (*found)[0]));
          Index count = minimum(Index(merged), minus(Index(size), position));
          return LogicalResult(evaluator.loop(
              Index(0), count, 1, (*found)[0],
              [&](Index number,
                  ValueRange before) -> FailureOr<SmallVector<Value>> {
                auto next = merge(number, before[0]);
                if (failed(next))
                  return failure();
                return SmallVector<Value>{*next};
              }));
        });
    if (failed(result))
      return failure();
    source = target;
  }
  return target;
}

/// Where neighbours in the order lie within their bounds of each other, their
/// places could be exchanged: the key may be off by its neighbours' bounds, and
/// payloads are unknown.
LogicalResult KernelEmitter::markAmbiguous(Location loc,
                                           ArrayRef<int64_t> shape,
                                           unsigned dim, ArrayRef<Type> types,
                                           MutableArrayRef<Storage> sorted,
                                           MutableArrayRef<Storage> results) {
  return emitLaunch(
      loc, ShapedType::getNumElements(shape),
      [&](Evaluator &evaluator, const Index &id) -> LogicalResult {
        IndexBuilder &indices = evaluator.getIndices();
        ScalarEmitter &scalars = evaluator.getScalars();
        SmallVector<Index> at = indices.delinearize(id, shape);
        Scalar key = load(evaluator, types[0], sorted[0], id);
        Value doubt = scalars.f64(loc, 0),
              widest = scalars.boundOrZero(loc, key);
        for (int64_t side : {-1, 1}) {
          Index next = indices.add(at[dim], side);
          Value low = arith::MaxSIOp::create(b, loc, indices.get(next),
                                             indices.get(Index(0)));
          Value inside = arith::MinSIOp::create(
              b, loc, low, indices.get(Index(shape[dim] - 1)));
          SmallVector<Index> where(at);
          where[dim] = Index(inside);
          Scalar other = load(evaluator, types[0], sorted[0],
                              indices.linearize(where, shape));
          widest = arith::MaximumFOp::create(b, loc, widest,
                                             scalars.boundOrZero(loc, other));
          Value far = arith::SubFOp::create(b, loc, key.value, other.value);
          Value negated = arith::NegFOp::create(b, loc, far);
          far = arith::MaximumFOp::create(b, loc, far, negated);
          Value slack =
              arith::AddFOp::create(b, loc, scalars.boundOrZero(loc, key),
                                    scalars.boundOrZero(loc, other));
          Value close = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLE,
                                              far, slack);
          Value isOther = arith::CmpIOp::create(
              b, loc, arith::CmpIPredicate::ne, inside, indices.get(at[dim]));
          close = arith::AndIOp::create(b, loc, close, isOther);
          doubt = arith::SelectOp::create(b, loc, close,
                                          scalars.f64(loc, INFINITY), doubt);
        }
        key.bound = arith::MulFOp::create(b, loc, widest, scalars.f64(loc, 2));
        store(evaluator, results[0], id, key);
        for (unsigned component = 1; component < types.size(); ++component) {
          Scalar payload =
              load(evaluator, types[component], sorted[component], id);
          payload.bound = arith::AddFOp::create(
              b, loc, scalars.boundOrZero(loc, payload), doubt);
          store(evaluator, results[component], id, payload);
        }
        return success();
      });
}

LogicalResult KernelEmitter::emitSort(tm_tensor::SortOp op) {
  Block &body = op.getRegion().front();
  ValueRange operands = op.getOutputs();
  auto type = cast<RankedTensorType>(operands[0].getType());
  SmallVector<Type> types;
  for (Value operand : operands)
    types.push_back(cast<RankedTensorType>(operand.getType()).getElementType());
  SortInput input;
  input.read = [&](Evaluator &evaluator, unsigned component,
                   ArrayRef<Index> at) {
    return evaluator.element(operands[component], at);
  };
  input.before = [&](Evaluator &evaluator, SortInput::Record a,
                     SortInput::Record c) -> FailureOr<Value> {
    llvm::DenseMap<Value, Scalar> known;
    for (unsigned component = 0; component < types.size(); ++component) {
      BlockArgument left = body.getArgument(2 * component);
      BlockArgument right = body.getArgument(2 * component + 1);
      if (!left.use_empty()) {
        auto value = a(component);
        if (failed(value))
          return failure();
        known[left] = *value;
      }
      if (!right.use_empty()) {
        auto value = c(component);
        if (failed(value))
          return failure();
        known[right] = *value;
      }
    }
    auto holds =
        evaluator.regionValue(body.getTerminator()->getOperand(0), known, {});
    if (failed(holds))
      return failure();
    return holds->value;
  };

  SmallVector<Storage> results;
  for (Value result : op->getResults())
    results.push_back(result.use_empty() ? newTemporary(types[results.size()],
                                                        type.getNumElements())
                                         : storageFor(result));
  if (type.getNumElements() > 0) {
    bool mark = domain == Domain::Reference && isa<FloatType>(types[0]);
    SmallVector<Storage> sortedInto = results;
    if (mark)
      for (auto [storage, elementType] : llvm::zip(sortedInto, types))
        storage = newTemporary(elementType, type.getNumElements());
    auto sorted = emitMergeSort(op.getLoc(), type.getShape(), op.getDimension(),
                                types, input, sortedInto);
    if (failed(sorted))
      return failure();
    if (!mark)
      results = *sorted;
    else if (failed(markAmbiguous(op.getLoc(), type.getShape(),
                                  op.getDimension(), types, *sorted, results)))
      return failure();
  }
  for (auto [result, storage] : llvm::zip(op->getResults(), results))
    inMemory[result] = storage;
  return success();
}
