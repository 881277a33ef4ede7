//===- SplitReduction.cpp - Long reductions in two launches ---------------===//
//
// A reduction with many terms and few results is computed in parts, one thread
// a part, which a second launch combines; no barrier is needed.
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace mlir::ks;

namespace {
/// How parts of one result are combined.
enum class Combine {
  None,
  Sum,        ///< From zero.
  Idempotent, ///< A binary operation for which the initial value may count
              ///< often.
  Arithmetic, ///< A binary operation from its neutral element.
  Argument ///< The index that belongs to the extremum in the result before it.
};
} // namespace

/// The operation with the carried value as one operand that gives result
/// `index`.
static Operation *binaryOf(linalg::LinalgOp op, unsigned index) {
  BlockArgument carried =
      op.getMatchingBlockArgument(op.getDpsInitOperand(index));
  Operation *yielded =
      op.getBlock()->getTerminator()->getOperand(index).getDefiningOp();
  if (!yielded || yielded->getNumOperands() != 2 ||
      yielded->getBlock() != op.getBlock())
    return nullptr;
  bool first = yielded->getOperand(0) == carried,
       second = yielded->getOperand(1) == carried;
  return first != second ? yielded : nullptr;
}

static Combine combineKind(linalg::LinalgOp op, unsigned index) {
  if (reductionKind(op, index) == ReductionKind::Sum)
    return Combine::Sum;
  BlockArgument carried =
      op.getMatchingBlockArgument(op.getDpsInitOperand(index));
  if (Operation *binary = binaryOf(op, index)) {
    // The extremum's carried value may also be compared, for the index beside
    // it.
    if (isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
            arith::MinNumFOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
            arith::MinUIOp, arith::AndIOp, arith::OrIOp>(binary))
      return llvm::all_of(carried.getUsers(),
                          [&](Operation *user) {
                            return user == binary ||
                                   isa<arith::CmpFOp, arith::CmpIOp>(user);
                          })
                 ? Combine::Idempotent
                 : Combine::None;
    if (isa<arith::MulFOp, arith::AddIOp, arith::MulIOp, arith::XOrIOp>(
            binary) &&
        carried.hasOneUse())
      return Combine::Arithmetic;
    return Combine::None;
  }
  // select(cmp(x, extremum), candidate, carried)
  Value yielded = op.getBlock()->getTerminator()->getOperand(index);
  auto select = yielded.getDefiningOp<arith::SelectOp>();
  if (index == 0 || !select || select.getFalseValue() != carried ||
      !carried.hasOneUse())
    return Combine::None;
  BlockArgument extremum =
      op.getMatchingBlockArgument(op.getDpsInitOperand(index - 1));
  Operation *binary = binaryOf(op, index - 1);
  Operation *compare = select.getCondition().getDefiningOp();
  if (!binary || !isa_and_nonnull<arith::CmpFOp, arith::CmpIOp>(compare))
    return Combine::None;
  Value x = binary->getOperand(0) == extremum ? binary->getOperand(1)
                                              : binary->getOperand(0);
  return compare->getOperand(0) == x && compare->getOperand(1) == extremum
             ? Combine::Argument
             : Combine::None;
}

bool mlir::ks::canSplit(linalg::LinalgOp op, bool &ordered) {
  ordered = false;
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    Combine kind = combineKind(op, i);
    Type type =
        cast<RankedTensorType>(op->getResult(i).getType()).getElementType();
    if (kind == Combine::None || isa<ComplexType>(type) || type.isF16() ||
        type.isBF16())
      return false;
    ordered |= kind == Combine::Argument;
  }
  // The carried values of an index and of its extremum must be used nowhere
  // else.
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    BlockArgument carried =
        op.getMatchingBlockArgument(op.getDpsInitOperand(i));
    bool hasIndex = i + 1 < op->getNumResults() &&
                    combineKind(op, i + 1) == Combine::Argument;
    if (llvm::range_size(carried.getUses()) > (hasIndex ? 2 : 1))
      return false;
  }
  return true;
}

SmallVector<Index>
Evaluator::wholeLoops(ArrayRef<std::optional<Index>> loops) const {
  SmallVector<Index> whole;
  for (const std::optional<Index> &index : loops)
    whole.push_back(index ? *index : Index(0));
  return whole;
}

FailureOr<SmallVector<Scalar>>
Evaluator::neutralValues(linalg::LinalgOp op,
                         ArrayRef<std::optional<Index>> loops) {
  auto neutral = initialValues(op, wholeLoops(loops));
  if (failed(neutral))
    return failure();
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    Type type =
        cast<RankedTensorType>(op->getResult(i).getType()).getElementType();
    if (combineKind(op, i) == Combine::Sum) {
      (*neutral)[i] = scalars.zero(loc, type);
    } else if (combineKind(op, i) == Combine::Arithmetic) {
      bool one = isa<arith::MulFOp, arith::MulIOp>(binaryOf(op, i));
      (*neutral)[i] = one ? scalars.constant(loc, type, b.getOneAttr(type))
                          : scalars.zero(loc, type);
    }
  }
  return neutral;
}

FailureOr<SmallVector<Scalar>> Evaluator::combineParts(
    linalg::LinalgOp op, const SmallVector<std::optional<Index>> &fixed,
    int64_t count, llvm::function_ref<SmallVector<Scalar>(Index)> part) {
  bool reference = scalars.getDomain() == Domain::Reference;
  auto initial = initialValues(op, wholeLoops(fixed));
  if (failed(initial))
    return failure();
  auto state = loop(
      Index(0), Index(count), 1, beginState(op, *initial),
      [&](Index p, ValueRange values) -> FailureOr<SmallVector<Value>> {
        SmallVector<Scalar> parts = part(p);
        SmallVector<Value> next;
        unsigned at = 0, extremumAt = 0;
        for (unsigned i = 0; i < op->getNumResults(); ++i) {
          if (combineKind(op, i) == Combine::Sum) {
            SmallVector<Value> sum(values.begin() + at,
                                   values.begin() + at + sumWidth());
            addToSum(sum, parts[i].value);
            if (reference) // The parts' bounds hold their depth already.
              sum[2] = arith::AddFOp::create(
                  b, loc, sum[2], scalars.boundOrZero(loc, parts[i]));
            next.append(sum);
            at += sumWidth();
            continue;
          }
          Scalar carried{values[at], reference ? values[at + 1] : Value()};
          FailureOr<SmallVector<Scalar>> result = failure();
          if (combineKind(op, i) == Combine::Argument) {
            Operation *select =
                op.getBlock()->getTerminator()->getOperand(i).getDefiningOp();
            Operation *compare = select->getOperand(0).getDefiningOp();
            Scalar extremum{values[extremumAt],
                            reference ? values[extremumAt + 1] : Value()};
            auto condition = scalars.emit(compare, {parts[i - 1], extremum});
            if (succeeded(condition))
              result =
                  scalars.emit(select, {condition->front(), parts[i], carried});
          } else {
            result = scalars.emit(binaryOf(op, i), {parts[i], carried});
          }
          if (failed(result))
            return failure();
          next.push_back(result->front().value);
          if (reference)
            next.push_back(scalars.boundOrZero(loc, result->front()));
          extremumAt = at;
          at += reference ? 2 : 1;
        }
        return next;
      });
  if (failed(state))
    return failure();
  return endState(op, *state, reductionSize(op));
}

FailureOr<SmallVector<Scalar>>
Evaluator::computePart(linalg::LinalgOp op,
                       SmallVector<std::optional<Index>> fixed, Index begin,
                       Index end, int64_t stride, ArrayRef<Scalar> neutral) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<Index> loops;
  SmallVector<unsigned> reduced;
  SmallVector<int64_t> reducedSizes;
  for (auto [dim, index] : llvm::enumerate(fixed)) {
    loops.push_back(index ? *index : Index(0));
    if (!index) {
      reduced.push_back(dim);
      reducedSizes.push_back(sizes[dim]);
    }
  }
  auto state = loop(
      begin, end, blockTerms * stride, beginState(op, neutral),
      [&](Index start, ValueRange values) -> FailureOr<SmallVector<Value>> {
        Value last = indices.get(indices.add(start, blockTerms * stride));
        Index blockEnd(
            arith::MinSIOp::create(b, loc, last, indices.get(end)).getResult());
        auto inside = loop(start, blockEnd, stride, openBlock(op, values),
                           [&](Index i, ValueRange inner) {
                             SmallVector<Index> parts =
                                 indices.delinearize(i, reducedSizes);
                             for (auto [dim, part] : llvm::zip(reduced, parts))
                               loops[dim] = part;
                             return step(op, loops, inner);
                           });
        if (failed(inside))
          return failure();
        return closeBlock(op, values, *inside);
      });
  if (failed(state))
    return failure();
  return endState(op, *state, reductionSize(op));
}
