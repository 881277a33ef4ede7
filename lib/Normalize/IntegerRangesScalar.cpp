//===- IntegerRangesScalar.cpp - Ranges of index arithmetic ---------------===//
//
// The scalar half of IntegerRanges: interval arithmetic, and selects that a
// comparison of their own operand guards, as in `i < 0 ? i + n : i`.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/IntegerRanges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::ks;

using MaybeRange = std::optional<IntegerRange>;

/// `low` to `high` if all of it fits the signed range of `type`.
static MaybeRange fitting(__int128 low, __int128 high, Type type) {
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  __int128 limit = static_cast<__int128>(1) << (width - 1);
  if (type.isInteger(1))
    return low >= 0 && high <= 1
               ? MaybeRange(IntegerRange{int64_t(low), int64_t(high)})
               : std::nullopt;
  if (low < -limit || high >= limit)
    return std::nullopt;
  return IntegerRange{static_cast<int64_t>(low), static_cast<int64_t>(high)};
}

static int64_t floorDivide(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

/// Two-operand arithmetic. Divisors must be positive.
static MaybeRange binary(Operation *op, IntegerRange a, IntegerRange b) {
  using Wide = __int128;
  Type type = op->getResult(0).getType();
  bool natural = a.low >= 0 && b.low >= 0;
  if (isa<arith::AddIOp>(op))
    return fitting(Wide(a.low) + b.low, Wide(a.high) + b.high, type);
  if (isa<arith::SubIOp>(op))
    return fitting(Wide(a.low) - b.high, Wide(a.high) - b.low, type);
  if (isa<arith::MulIOp>(op)) {
    Wide corners[] = {Wide(a.low) * b.low, Wide(a.low) * b.high,
                      Wide(a.high) * b.low, Wide(a.high) * b.high};
    return fitting(*std::min_element(corners, corners + 4),
                   *std::max_element(corners, corners + 4), type);
  }
  if (isa<arith::MaxSIOp>(op) || (natural && isa<arith::MaxUIOp>(op)))
    return IntegerRange{std::max(a.low, b.low), std::max(a.high, b.high)};
  if (isa<arith::MinSIOp>(op) || (natural && isa<arith::MinUIOp>(op)))
    return IntegerRange{std::min(a.low, b.low), std::min(a.high, b.high)};
  if (isa<arith::AndIOp>(op) && natural)
    return type.isInteger(1) ? IntegerRange{a.low & b.low, a.high & b.high}
                             : IntegerRange{0, std::min(a.high, b.high)};
  if (isa<arith::OrIOp>(op) && type.isInteger(1))
    return IntegerRange{a.low | b.low, a.high | b.high};
  if (isa<arith::XOrIOp>(op) && type.isInteger(1) && a.low == a.high &&
      b.low == b.high)
    return IntegerRange{a.low ^ b.low, a.low ^ b.low};
  if (b.low < 1 || type.isInteger(1))
    return std::nullopt;
  if (isa<arith::RemSIOp>(op) || (natural && isa<arith::RemUIOp>(op)))
    return IntegerRange{a.low < 0 ? std::max(a.low, 1 - b.high) : 0,
                        a.high > 0 ? std::min(a.high, b.high - 1) : 0};
  if (isa<arith::FloorDivSIOp>(op))
    return IntegerRange{floorDivide(a.low, a.low < 0 ? b.low : b.high),
                        floorDivide(a.high, a.high < 0 ? b.high : b.low)};
  if (isa<arith::DivSIOp>(op) || (natural && isa<arith::DivUIOp>(op)))
    return IntegerRange{a.low / (a.low < 0 ? b.low : b.high),
                        a.high / (a.high < 0 ? b.high : b.low)};
  return std::nullopt;
}

MaybeRange IntegerRanges::ofScalar(Operation *op) {
  llvm::APInt constant;
  Type type = op->getResult(0).getType();
  if (matchPattern(op, m_ConstantInt(&constant))) {
    int64_t value =
        type.isInteger(1) ? constant.getZExtValue() : constant.getSExtValue();
    return IntegerRange{value, value};
  }
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    auto structured = index->getParentOfType<linalg::LinalgOp>();
    int64_t size = structured.getStaticLoopRanges()[index.getDim()];
    return ShapedType::isDynamic(size)
               ? MaybeRange()
               : IntegerRange{0, std::max<int64_t>(size - 1, 0)};
  }
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return of(extract.getTensor());
  if (isa<arith::SelectOp>(op))
    return ofSelect(op);
  if (isa<arith::CmpIOp>(op))
    return ofCompare(op);
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp, arith::ExtUIOp>(
          op)) {
    MaybeRange range = of(op->getOperand(0));
    if (!range)
      return std::nullopt;
    bool fromBool = op->getOperand(0).getType().isInteger(1);
    if (fromBool && !isa<arith::ExtUIOp>(op))
      return IntegerRange{-range->high, -range->low};
    if (isa<arith::ExtUIOp>(op) && range->low < 0)
      return std::nullopt;
    return fitting(range->low, range->high, type);
  }
  if (op->getNumOperands() != 2 || op->getNumResults() != 1)
    return std::nullopt;
  MaybeRange a = of(op->getOperand(0)), b = of(op->getOperand(1));
  return a && b ? binary(op, *a, *b) : std::nullopt;
}

/// What is left of x in `x predicate y` if that is true; an empty interval (low
/// > high) if it cannot be.
static IntegerRange restrict(arith::CmpIPredicate predicate, IntegerRange x,
                             IntegerRange y) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return {std::max(x.low, y.low), std::min(x.high, y.high)};
  case P::slt:
    return {x.low,
            std::min(x.high, y.high == INT64_MIN ? INT64_MIN : y.high - 1)};
  case P::sle:
    return {x.low, std::min(x.high, y.high)};
  case P::sgt:
    return {std::max(x.low, y.low == INT64_MAX ? INT64_MAX : y.low + 1),
            x.high};
  case P::sge:
    return {std::max(x.low, y.low), x.high};
  default:
    return x;
  }
}

MaybeRange IntegerRanges::ofCompare(Operation *op) {
  using P = arith::CmpIPredicate;
  auto compare = cast<arith::CmpIOp>(op);
  MaybeRange x = of(compare.getLhs()), y = of(compare.getRhs());
  if (!x || !y || compare.getLhs().getType().isInteger(1))
    return std::nullopt;
  P predicate = compare.getPredicate();
  if (x->low >= 0 &&
      y->low >= 0) // Then the unsigned orders are the signed ones.
    switch (predicate) {
    case P::ult:
      predicate = P::slt;
      break;
    case P::ule:
      predicate = P::sle;
      break;
    case P::ugt:
      predicate = P::sgt;
      break;
    case P::uge:
      predicate = P::sge;
      break;
    default:
      break;
    }
  auto answer = [](bool always, bool never) {
    return always  ? MaybeRange({1, 1})
           : never ? MaybeRange({0, 0})
                   : MaybeRange({0, 1});
  };
  bool disjoint = x->high < y->low || y->high < x->low;
  bool equal = x->low == x->high && *x == *y;
  switch (predicate) {
  case P::eq:
    return answer(equal, disjoint);
  case P::ne:
    return answer(disjoint, equal);
  case P::slt:
    return answer(x->high < y->low, x->low >= y->high);
  case P::sle:
    return answer(x->high <= y->low, x->low > y->high);
  case P::sgt:
    return answer(x->low > y->high, x->high <= y->low);
  case P::sge:
    return answer(x->low >= y->high, x->high < y->low);
  default:
    return std::nullopt;
  }
}

/// The first comparison in a conjunction.
static arith::CmpIOp leadingCompare(Value condition) {
  while (auto both = condition.getDefiningOp<arith::AndIOp>())
    condition = both.getLhs();
  return condition.getDefiningOp<arith::CmpIOp>();
}

MaybeRange IntegerRanges::ofSelect(Operation *op) {
  auto select = cast<arith::SelectOp>(op);
  Value condition = select.getCondition();
  MaybeRange truth = of(condition);
  if (truth && truth->low == truth->high)
    return of(truth->low ? select.getTrueValue() : select.getFalseValue());
  arith::CmpIOp first = leadingCompare(condition);
  MaybeRange all = first ? of(first.getLhs()) : std::nullopt;
  if (!all)
    return hull({select.getTrueValue(), select.getFalseValue()});

  // Where the condition holds all of its comparisons hold; where it does not,
  // one of them does not: the hull of what each leaves.
  Value x = first.getLhs();
  IntegerRange holds = *all, fails{INT64_MAX, INT64_MIN};
  std::function<void(Value)> visit = [&](Value term) {
    if (auto both = term.getDefiningOp<arith::AndIOp>()) {
      visit(both.getLhs());
      visit(both.getRhs());
      return;
    }
    auto compare = term.getDefiningOp<arith::CmpIOp>();
    MaybeRange y =
        compare && compare.getLhs() == x ? of(compare.getRhs()) : std::nullopt;
    IntegerRange rest = *all;
    if (y) {
      holds = restrict(compare.getPredicate(), holds, *y);
      // A comparison with several values tells of its failure what it tells of
      // one.
      rest = restrict(arith::invertPredicate(compare.getPredicate()), *all, *y);
    }
    fails = {std::min(fails.low, rest.low), std::max(fails.high, rest.high)};
  };
  visit(condition);
  MaybeRange ifTrue, ifFalse;
  bool mayHold = holds.low <= holds.high, mayFail = fails.low <= fails.high;
  if (mayHold && !(ifTrue = under(x, holds, select.getTrueValue())))
    return std::nullopt;
  if (mayFail && !(ifFalse = under(x, fails, select.getFalseValue())))
    return std::nullopt;
  if (!ifTrue || !ifFalse)
    return ifTrue ? ifTrue : ifFalse;
  return IntegerRange{std::min(ifTrue->low, ifFalse->low),
                      std::max(ifTrue->high, ifFalse->high)};
}
