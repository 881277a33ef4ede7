//===- Reduction.cpp - Linalg operations, elementwise and reducing --------===//
//
// See Evaluator.h. A reduction's loops run in row-major order. Sums go through
// blocks of at most 16 elements, other results are carried as they are.
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mlir::ks;

FailureOr<SmallVector<std::optional<unsigned>>>
mlir::ks::resultLoops(linalg::LinalgOp op, unsigned index) {
  AffineMap map = op.getIndexingMapMatchingResult(op->getResult(index));
  SmallVector<std::optional<unsigned>> loops;
  llvm::SmallBitVector seen(map.getNumDims());
  for (AffineExpr expr : map.getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      if (seen[dim.getPosition()])
        return failure();
      seen.set(dim.getPosition());
      loops.push_back(dim.getPosition());
    } else if (isa<AffineConstantExpr>(expr)) {
      loops.push_back(std::nullopt);
    } else {
      return failure();
    }
  }
  return loops;
}

int64_t mlir::ks::reductionSize(linalg::LinalgOp op) {
  if (op->getNumResults() == 0)
    return 1;
  auto fixed = resultLoops(op, 0);
  if (failed(fixed))
    return 1;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (std::optional<unsigned> loop : *fixed)
    if (loop)
      sizes[*loop] = 1;
  int64_t product = 1;
  for (int64_t size : sizes)
    product *= size;
  return product;
}

/// The value added to the carried one, if the result is a sum.
static Value sumAddend(linalg::LinalgOp op, unsigned index) {
  BlockArgument carried =
      op.getMatchingBlockArgument(op.getDpsInitOperand(index));
  Value yielded = op.getBlock()->getTerminator()->getOperand(index);
  auto add = yielded.getDefiningOp<arith::AddFOp>();
  if (!add || add->getBlock() != op.getBlock() || !carried.hasOneUse() ||
      !add->hasOneUse())
    return {};
  if (add.getLhs() == carried)
    return add.getRhs();
  return add.getRhs() == carried ? add.getLhs() : Value();
}

ReductionKind mlir::ks::reductionKind(linalg::LinalgOp op, unsigned index) {
  return sumAddend(op, index) ? ReductionKind::Sum : ReductionKind::General;
}

Type Evaluator::sumType(Type type) const {
  if (scalars.getDomain() == Domain::Reference)
    return b.getF64Type();
  return type.isF16() || type.isBF16() ? Type(b.getF32Type()) : type;
}

Value Evaluator::toSumType(Value value, Type type) {
  Type wide = sumType(type);
  return value.getType() == wide
             ? value
             : arith::ExtFOp::create(b, loc, wide, value).getResult();
}

SmallVector<Value> Evaluator::beginSum(const Scalar &initial, Type type) {
  Type wide = sumType(type);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(wide));
  SmallVector<Value> sum{toSumType(initial.value, type), zero};
  if (scalars.getDomain() == Domain::Reference) {
    sum.push_back(scalars.boundOrZero(loc, initial));
    sum.push_back(math::AbsFOp::create(b, loc, initial.value));
  }
  return sum;
}

void Evaluator::addToSum(MutableArrayRef<Value> sum, Value blockSum) {
  // Knuth's two-sum: s + e = sum + blockSum exactly.
  auto add = [&](Value x, Value y) -> Value {
    return arith::AddFOp::create(b, loc, x, y);
  };
  auto sub = [&](Value x, Value y) -> Value {
    return arith::SubFOp::create(b, loc, x, y);
  };
  Value s = add(sum[0], blockSum);
  Value t = sub(s, sum[0]);
  Value error = add(sub(sum[0], sub(s, t)), sub(blockSum, t));
  sum[0] = s;
  sum[1] = add(sum[1], error);
}

Scalar Evaluator::endSum(ArrayRef<Value> sum, Type type, int64_t terms) {
  Value total = arith::AddFOp::create(b, loc, sum[0], sum[1]);
  // An infinite sum makes its compensation NaN; the sum itself is then the
  // answer.
  Value isNaN =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, sum[1], sum[1]);
  Value value = arith::SelectOp::create(b, loc, isNaN, sum[0], total);
  if (scalars.getDomain() == Domain::Native) {
    if (value.getType() != type)
      value = arith::TruncFOp::create(b, loc, type, value);
    return {value, {}};
  }
  // depth * u * sum of magnitudes, the depth that of a binary tree.
  auto floatType = cast<FloatType>(type);
  FloatType carried =
      floatType.getWidth() < 32 ? cast<FloatType>(b.getF32Type()) : floatType;
  double depth = std::max(
      1.0,
      std::ceil(std::log2(static_cast<double>(std::max<int64_t>(terms, 2)))));
  Value unit = scalars.f64(loc, depth * unitRoundoff(carried));
  Value spread = arith::MulFOp::create(b, loc, sum[3], unit);
  Value bound = arith::AddFOp::create(b, loc, sum[2], spread);
  Scalar result = scalars.round(loc, {value, bound}, floatType);
  // A sum over something unknown is unknown, infinite or not.
  Value infinity = scalars.f64(loc, INFINITY);
  Value unknown = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ,
                                        sum[2], infinity);
  result.bound =
      arith::SelectOp::create(b, loc, unknown, infinity, result.bound);
  return result;
}

FailureOr<SmallVector<Scalar>> Evaluator::initialValues(linalg::LinalgOp op,
                                                        ArrayRef<Index> loops) {
  SmallVector<Scalar> initial;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    SmallVector<Index> at;
    for (AffineExpr expr : op.getMatchingIndexingMap(&init).getResults()) {
      FailureOr<Index> index = indices.apply(expr, loops);
      if (failed(index))
        return op.emitError("an indexing map that is not supported");
      at.push_back(*index);
    }
    auto scalar = element(init.get(), at);
    if (failed(scalar))
      return failure();
    initial.push_back(*scalar);
  }
  return initial;
}

//===----------------------------------------------------------------------===//
// Carried state: for each result in turn, a sum's accumulators or the value
// and, in the reference domain, its bound. In a block a sum has its block's sum
// in place of sum and compensation.
//===----------------------------------------------------------------------===//

static Type resultType(linalg::LinalgOp op, unsigned i) {
  return cast<RankedTensorType>(op->getResult(i).getType()).getElementType();
}

SmallVector<Value> Evaluator::beginState(linalg::LinalgOp op,
                                         ArrayRef<Scalar> initial) {
  SmallVector<Value> state;
  for (auto [i, scalar] : llvm::enumerate(initial)) {
    if (reductionKind(op, i) == ReductionKind::Sum) {
      state.append(beginSum(scalar, resultType(op, i)));
      continue;
    }
    state.push_back(scalar.value);
    if (scalars.getDomain() == Domain::Reference)
      state.push_back(scalars.boundOrZero(loc, scalar));
  }
  return state;
}

SmallVector<Value> Evaluator::openBlock(linalg::LinalgOp op, ValueRange state) {
  bool reference = scalars.getDomain() == Domain::Reference;
  SmallVector<Value> block;
  unsigned at = 0;
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    if (reductionKind(op, i) == ReductionKind::Sum) {
      Type wide = sumType(resultType(op, i));
      block.push_back(arith::ConstantOp::create(b, loc, b.getZeroAttr(wide)));
      if (reference)
        block.append({state[at + 2], state[at + 3]});
      at += sumWidth();
    } else {
      block.push_back(state[at++]);
      if (reference)
        block.push_back(state[at++]);
    }
  }
  return block;
}

SmallVector<Value> Evaluator::closeBlock(linalg::LinalgOp op, ValueRange state,
                                         ValueRange blockState) {
  bool reference = scalars.getDomain() == Domain::Reference;
  SmallVector<Value> result;
  unsigned at = 0, inBlock = 0;
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    if (reductionKind(op, i) == ReductionKind::Sum) {
      Value sum[2] = {state[at], state[at + 1]};
      addToSum(sum, blockState[inBlock++]);
      result.append({sum[0], sum[1]});
      if (reference) {
        result.append({blockState[inBlock], blockState[inBlock + 1]});
        inBlock += 2;
      }
      at += sumWidth();
    } else {
      result.push_back(blockState[inBlock++]);
      if (reference)
        result.push_back(blockState[inBlock++]);
      at += reference ? 2 : 1;
    }
  }
  return result;
}

SmallVector<Scalar> Evaluator::endState(linalg::LinalgOp op, ValueRange state,
                                        int64_t terms) {
  SmallVector<Scalar> results;
  SmallVector<Value> values(state);
  unsigned at = 0;
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    if (reductionKind(op, i) == ReductionKind::Sum) {
      results.push_back(endSum(ArrayRef(values).slice(at, sumWidth()),
                               resultType(op, i), terms));
      at += sumWidth();
      continue;
    }
    Scalar scalar{values[at++], {}};
    if (scalars.getDomain() == Domain::Reference)
      scalar.bound = values[at++];
    results.push_back(scalar);
  }
  return results;
}

/// One evaluation of the body in a block.
FailureOr<SmallVector<Value>> Evaluator::step(linalg::LinalgOp op,
                                              ArrayRef<Index> loops,
                                              ValueRange carried) {
  bool reference = scalars.getDomain() == Domain::Reference;
  llvm::DenseMap<Value, Scalar> known;
  unsigned at = 0;
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    bool isSum = reductionKind(op, i) == ReductionKind::Sum;
    if (!isSum) {
      BlockArgument argument =
          op.getMatchingBlockArgument(op.getDpsInitOperand(i));
      known[argument] = {carried[at], reference ? carried[at + 1] : Value()};
    }
    at += reference ? (isSum ? 3 : 2) : 1;
  }
  for (auto assertOp : op.getBlock()->getOps<cf::AssertOp>())
    if (failed(check(assertOp, known, loops)))
      return failure();
  SmallVector<Value> next;
  at = 0;
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    Type type = resultType(op, i);
    if (Value addend = sumAddend(op, i)) {
      auto scalar = regionValue(addend, known, loops);
      if (failed(scalar))
        return failure();
      next.push_back(arith::AddFOp::create(b, loc, carried[at],
                                           toSumType(scalar->value, type)));
      if (reference) {
        Value bound = carried[at + 1];
        if (scalar->bound)
          bound = arith::AddFOp::create(b, loc, bound, scalar->bound);
        Value magnitude = math::AbsFOp::create(b, loc, scalar->value);
        next.append(
            {bound, arith::AddFOp::create(b, loc, carried[at + 2], magnitude)});
      }
      at += reference ? 3 : 1;
      continue;
    }
    auto scalar = regionValue(op.getBlock()->getTerminator()->getOperand(i),
                              known, loops);
    if (failed(scalar))
      return failure();
    next.push_back(scalar->value);
    if (reference)
      next.push_back(scalars.boundOrZero(loc, *scalar));
    at += reference ? 2 : 1;
  }
  return next;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The reduction's loops from the outside in: those around blocks, the tiled
/// one, and those of a block.
struct Evaluator::Nest {
  SmallVector<unsigned> outer, inner;
  std::optional<unsigned> tiled;
  SmallVector<int64_t> sizes;
};

FailureOr<SmallVector<Value>> Evaluator::block(linalg::LinalgOp op,
                                               const Nest &nest, unsigned depth,
                                               SmallVector<Index> &loops,
                                               ValueRange state) {
  if (depth == nest.inner.size())
    return step(op, loops, state);
  unsigned dim = nest.inner[depth];
  bool innermost = depth + 1 == nest.inner.size();
  int64_t factor = innermost ? std::gcd(unroll, nest.sizes[dim]) : 1;
  return loop(Index(0), Index(nest.sizes[dim]), factor, state,
              [&](Index i, ValueRange values) -> FailureOr<SmallVector<Value>> {
                SmallVector<Value> current(values);
                for (int64_t copy = 0; copy < factor; ++copy) {
                  loops[dim] = indices.add(i, copy);
                  auto next = block(op, nest, depth + 1, loops, current);
                  if (failed(next))
                    return failure();
                  current = *next;
                }
                return current;
              });
}

FailureOr<SmallVector<Value>> Evaluator::nest(linalg::LinalgOp op,
                                              const Nest &nest, unsigned depth,
                                              SmallVector<Index> &loops,
                                              ValueRange state) {
  if (depth < nest.outer.size()) {
    unsigned dim = nest.outer[depth];
    return loop(Index(0), Index(nest.sizes[dim]), 1, state,
                [&](Index i, ValueRange values) {
                  loops[dim] = i;
                  return this->nest(op, nest, depth + 1, loops, values);
                });
  }
  if (!nest.tiled) {
    auto inside = block(op, nest, 0, loops, openBlock(op, state));
    if (failed(inside))
      return failure();
    return closeBlock(op, state, *inside);
  }
  unsigned dim = *nest.tiled;
  int64_t size = nest.sizes[dim];
  int64_t factor = size % blockTerms == 0 ? std::gcd(unroll, blockTerms) : 1;
  return loop(
      Index(0), Index(size), blockTerms, state,
      [&](Index start, ValueRange values) -> FailureOr<SmallVector<Value>> {
        Index end = indices.add(start, blockTerms);
        if (size % blockTerms != 0)
          end = Index(arith::MinSIOp::create(b, loc, indices.get(end),
                                             indices.get(Index(size)))
                          .getResult());
        SmallVector<Value> opened = openBlock(op, values);
        auto inside = loop(
            start, end, factor, opened,
            [&](Index i, ValueRange inner) -> FailureOr<SmallVector<Value>> {
              SmallVector<Value> current(inner);
              for (int64_t copy = 0; copy < factor; ++copy) {
                loops[dim] = indices.add(i, copy);
                auto next = step(op, loops, current);
                if (failed(next))
                  return failure();
                current = *next;
              }
              return current;
            });
        if (failed(inside))
          return failure();
        return closeBlock(op, values, *inside);
      });
}

FailureOr<SmallVector<Scalar>>
Evaluator::compute(linalg::LinalgOp op,
                   SmallVector<std::optional<Index>> fixed) {
  MemoKey key{op.getOperation(), {}};
  for (const std::optional<Index> &index : fixed)
    key.second.push_back(index ? index->key() : ~uintptr_t(0));
  for (auto &scope : memo)
    if (auto it = scope.find(key); it != scope.end())
      return it->second;

  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<Index> loops;
  SmallVector<unsigned> reduced;
  int64_t terms = 1;
  for (auto [dim, index] : llvm::enumerate(fixed)) {
    loops.push_back(index ? *index : Index(0));
    if (!index && sizes[dim] != 1) {
      reduced.push_back(dim);
      terms *= sizes[dim];
    }
  }

  SmallVector<Scalar> results;
  if (reduced.empty()) {
    llvm::DenseMap<Value, Scalar> known;
    for (auto assertOp : op.getBlock()->getOps<cf::AssertOp>())
      if (failed(check(assertOp, known, loops)))
        return failure();
    for (Value yielded : op.getBlock()->getTerminator()->getOperands()) {
      auto scalar = regionValue(yielded, known, loops);
      if (failed(scalar))
        return failure();
      results.push_back(*scalar);
    }
  } else {
    auto initial = initialValues(op, loops);
    if (failed(initial))
      return failure();
    Nest nestOf;
    nestOf.sizes = sizes;
    int64_t inBlock = 1;
    while (!reduced.empty() && inBlock * sizes[reduced.back()] <= blockTerms) {
      inBlock *= sizes[reduced.back()];
      nestOf.inner.insert(nestOf.inner.begin(), reduced.pop_back_val());
    }
    if (nestOf.inner.empty())
      nestOf.tiled = reduced.pop_back_val();
    nestOf.outer = reduced;
    auto state = nest(op, nestOf, 0, loops, beginState(op, *initial));
    if (failed(state))
      return failure();
    results = endState(op, *state, terms);
  }
  memo.back()[key] = results;
  return results;
}
