//===- Scan.cpp - tm_tensor.scan: one thread a line -----------------------===//
//
// Each thread runs along one line and writes every element, so that the work is
// linear. Sums are carried with their compensation.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::ks;

LogicalResult KernelEmitter::emitScan(tm_tensor::ScanOp op) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getInput().getType());
  Type elementType = type.getElementType();
  unsigned dim = op.getDimension();
  int64_t length = type.getDimSize(dim);
  SmallVector<int64_t> lineShape(type.getShape());
  lineShape.erase(lineShape.begin() + dim);
  int64_t lines = ShapedType::getNumElements(lineShape);

  Storage storages[2] = {storageFor(op->getResult(0)), Storage()};
  bool wantsLast = !op->getResult(1).use_empty();
  if (wantsLast)
    storages[1] = storageFor(op->getResult(1));
  // Exactness of the output is known only after the loop; the reference has
  // bounds.
  if (domain == Domain::Reference)
    storages[0].hasBound = true;

  Block &body = op.getRegion().front();
  Value yielded = body.getTerminator()->getOperand(0);
  auto add = yielded.getDefiningOp<arith::AddFOp>();
  bool isSum = add && add->getBlock() == &body &&
               isa<BlockArgument>(add.getLhs()) &&
               isa<BlockArgument>(add.getRhs()) && add.getLhs() != add.getRhs();

  LogicalResult result = emitLaunch(
      loc, length == 0 ? 0 : lines,
      [&](Evaluator &evaluator, const Index &id) -> LogicalResult {
        IndexBuilder &indices = evaluator.getIndices();
        ScalarEmitter &scalars = evaluator.getScalars();
        bool reference = domain == Domain::Reference;
        SmallVector<Index> line = indices.delinearize(id, lineShape);
        auto at = [&](const Index &i) {
          SmallVector<Index> full(line);
          full.insert(full.begin() + dim, i);
          return full;
        };
        auto offset = [&](const Index &i) {
          return indices.linearize(at(i), type.getShape());
        };

        // State: the sum's accumulators, or the value and its bound.
        auto begin = [&](const Scalar &first) -> SmallVector<Value> {
          if (isSum)
            return evaluator.beginSum(first, elementType);
          SmallVector<Value> state{first.value};
          if (reference)
            state.push_back(scalars.boundOrZero(loc, first));
          return state;
        };
        auto value = [&](ArrayRef<Value> state) -> Scalar {
          if (isSum)
            return evaluator.endSum(state, elementType, length);
          return {state[0], reference ? state[1] : Value()};
        };
        auto advance =
            [&](ArrayRef<Value> state,
                const Scalar &next) -> FailureOr<SmallVector<Value>> {
          if (isSum) {
            SmallVector<Value> sum(state);
            evaluator.addToSum(sum,
                               evaluator.toSumType(next.value, elementType));
            if (reference) {
              sum[2] = arith::AddFOp::create(b, loc, sum[2],
                                             scalars.boundOrZero(loc, next));
              sum[3] = arith::AddFOp::create(
                  b, loc, sum[3], math::AbsFOp::create(b, loc, next.value));
            }
            return sum;
          }
          llvm::DenseMap<Value, Scalar> known;
          known[body.getArgument(0)] = value(state);
          known[body.getArgument(1)] = next;
          auto combined = evaluator.regionValue(yielded, known, {});
          if (failed(combined))
            return failure();
          return begin(*combined);
        };

        FailureOr<Scalar> first =
            op.getInclusive() ? evaluator.element(op.getInput(), at(Index(0)))
                              : evaluator.element(op.getAccumulator(), line);
        if (failed(first))
          return failure();
        SmallVector<Value> state = begin(*first);
        store(evaluator, storages[0], offset(Index(0)), value(state));
        auto last = evaluator.loop(
            Index(1), Index(length), 1, state,
            [&](Index i, ValueRange values) -> FailureOr<SmallVector<Value>> {
              Index source = op.getInclusive() ? i : indices.add(i, -1);
              auto next = evaluator.element(op.getInput(), at(source));
              if (failed(next))
                return failure();
              auto advanced = advance(SmallVector<Value>(values), *next);
              if (failed(advanced))
                return failure();
              store(evaluator, storages[0], offset(i), value(*advanced));
              return advanced;
            });
        if (failed(last))
          return failure();
        if (wantsLast)
          store(evaluator, storages[1], id, value(*last));
        return success();
      });
  inMemory[op->getResult(0)] = storages[0];
  if (wantsLast)
    inMemory[op->getResult(1)] = storages[1];
  return result;
}
