//===- AffineIndices.cpp - Computed indices as affine expressions ---------===//
//
// See AffineIndices.h. Every intermediate value stays within 2^52 of zero, so
// that nothing here can overflow; what the program computes has to fit the type
// that it computes it in.
//
//===----------------------------------------------------------------------===//
#include "AffineIndices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::ks;

static constexpr int64_t limit = int64_t(1) << 52;
/// The deepest chain of operations that is followed, and the longest constant
/// that is read.
static constexpr unsigned maxDepth = 64;
static constexpr int64_t maxConstant = 1 << 16;

AffineIndices::AffineIndices(linalg::LinalgOp op)
    : op(op), sizes(op.getStaticLoopRanges()) {
  for (auto [loop, size] : llvm::enumerate(sizes))
    identity.push_back(size == 1 ? constant(0)
                                 : getAffineDimExpr(loop, op->getContext()));
}

AffineExpr AffineIndices::constant(int64_t value) const {
  return getAffineConstantExpr(value, op->getContext());
}

IntegerRange AffineIndices::rangeOf(AffineExpr expr) const {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return {0, sizes[dim.getPosition()] - 1};
  if (auto number = dyn_cast<AffineConstantExpr>(expr))
    return {number.getValue(), number.getValue()};
  auto binary = cast<AffineBinaryOpExpr>(expr);
  IntegerRange a = rangeOf(binary.getLHS()), b = rangeOf(binary.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return {a.low + b.low, a.high + b.high};
  case AffineExprKind::Mul: // By a constant.
    return {std::min(a.low * b.low, a.high * b.low),
            std::max(a.low * b.low, a.high * b.low)};
  case AffineExprKind::FloorDiv: // What is divided is not negative.
    return {a.low / b.low, a.high / b.low};
  default:
    return {0, std::min(a.high, b.low - 1)};
  }
}

bool AffineIndices::fits(AffineExpr expr, Type type) const {
  IntegerRange range = rangeOf(expr);
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return range.low >= -limit && range.high <= limit && width > 1 &&
         (width >= 64 || (range.low >= llvm::minIntN(width) &&
                          range.high <= llvm::maxIntN(width)));
}

AffineExpr AffineIndices::divide(AffineExpr lhs, int64_t rhs) const {
  IntegerRange range = rangeOf(lhs);
  if (range.low < 0 || rhs <= 0)
    return nullptr;
  if (range.low / rhs == range.high / rhs)
    return constant(range.low / rhs);
  return lhs.floorDiv(rhs);
}

AffineExpr AffineIndices::remainder(AffineExpr lhs, int64_t rhs) const {
  AffineExpr quotient = divide(lhs, rhs);
  if (!quotient)
    return nullptr;
  if (auto number = dyn_cast<AffineConstantExpr>(quotient))
    return lhs - number.getValue() * rhs;
  return lhs % rhs;
}

AffineExpr AffineIndices::scalar(Value value, linalg::LinalgOp parent,
                                 Loops loops) {
  if (depth >= maxDepth || !value.getType().isIntOrIndexOrFloat())
    return nullptr;
  ++depth;
  AffineExpr result = whole(value, parent, loops);
  --depth;
  return result && (isa<FloatType>(value.getType()) ||
                    fits(result, value.getType()))
             ? result
             : AffineExpr();
}

AffineExpr AffineIndices::whole(Value value, linalg::LinalgOp parent,
                                Loops loops) {
  llvm::APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.isSignedIntN(48) ? constant(number.getSExtValue())
                                   : AffineExpr();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (!parent || argument.getOwner() != parent.getBlock() ||
        argument.getArgNumber() >= parent.getNumDpsInputs())
      return nullptr;
    OpOperand *input = parent.getDpsInputOperand(argument.getArgNumber());
    if (!isa<RankedTensorType>(input->get().getType()))
      return scalar(input->get(), nullptr, {});
    SmallVector<AffineExpr> at;
    for (AffineExpr expr : parent.getMatchingIndexingMap(input).getResults())
      at.push_back(expr.replaceDims(loops));
    return element(input->get(), at);
  }
  Operation *inner = value.getDefiningOp();
  if (auto index = dyn_cast<linalg::IndexOp>(inner))
    return inner->getParentOp() == parent.getOperation() ? loops[index.getDim()]
                                                         : AffineExpr();
  if (isa<FloatType>(value.getType()))
    return floorOf(value, parent, loops);
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp, arith::FPToSIOp>(
          inner))
    return scalar(inner->getOperand(0), parent, loops);
  if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(inner)) {
    AffineExpr expr = scalar(inner->getOperand(0), parent, loops);
    return expr && rangeOf(expr).low >= 0 ? expr : AffineExpr();
  }
  if (isa<arith::SelectOp, arith::MinSIOp, arith::MaxSIOp>(inner))
    return choice(inner, parent, loops);
  return inner->getNumOperands() == 2 ? arithmetic(inner, parent, loops)
                                      : AffineExpr();
}

AffineExpr AffineIndices::arithmetic(Operation *inner, linalg::LinalgOp parent,
                                     Loops loops) {
  AffineExpr a = scalar(inner->getOperand(0), parent, loops),
             b = a ? scalar(inner->getOperand(1), parent, loops) : a;
  if (!a || !b)
    return nullptr;
  if (isa<arith::AddIOp>(inner))
    return a + b;
  if (isa<arith::SubIOp>(inner))
    return a - b;
  if (isa<arith::MulIOp>(inner) && isa<AffineConstantExpr>(a))
    std::swap(a, b);
  auto number = dyn_cast<AffineConstantExpr>(b);
  if (!number)
    return nullptr;
  int64_t c = number.getValue();
  if (isa<arith::MulIOp>(inner)) {
    IntegerRange range = rangeOf(a);
    __int128 most = std::max(std::abs(range.low), std::abs(range.high));
    return most * std::abs(c) <= limit ? a * c : AffineExpr();
  }
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(inner))
    return divide(a, c);
  if (isa<arith::RemSIOp, arith::RemUIOp>(inner))
    return remainder(a, c);
  return nullptr;
}

/// What a comparison is in every iteration, if it is the same.
std::optional<bool>
AffineIndices::compare(Operation *inner, linalg::LinalgOp parent, Loops loops) {
  using P = arith::CmpIPredicate;
  auto op = dyn_cast_or_null<arith::CmpIOp>(inner);
  AffineExpr a = op ? scalar(op.getLhs(), parent, loops) : AffineExpr(),
             b = a ? scalar(op.getRhs(), parent, loops) : a;
  if (!b)
    return std::nullopt;
  IntegerRange gap = rangeOf(simplifyAffineExpr(a - b, sizes.size(), 0));
  auto decide = [](bool always, bool never) {
    return always || never ? std::optional(always) : std::nullopt;
  };
  switch (op.getPredicate()) {
  case P::slt:
    return decide(gap.high < 0, gap.low >= 0);
  case P::sle:
    return decide(gap.high <= 0, gap.low > 0);
  case P::sgt:
    return decide(gap.low > 0, gap.high <= 0);
  case P::sge:
    return decide(gap.low >= 0, gap.high < 0);
  default:
    return std::nullopt;
  }
}

AffineExpr AffineIndices::choice(Operation *inner, linalg::LinalgOp parent,
                                 Loops loops) {
  if (auto select = dyn_cast<arith::SelectOp>(inner)) {
    llvm::APInt known;
    std::optional<bool> holds;
    if (matchPattern(select.getCondition(), m_ConstantInt(&known)))
      holds = !known.isZero();
    else
      holds = compare(select.getCondition().getDefiningOp(), parent, loops);
    return holds
               ? scalar(*holds ? select.getTrueValue() : select.getFalseValue(),
                        parent, loops)
               : AffineExpr();
  }
  AffineExpr a = scalar(inner->getOperand(0), parent, loops),
             b = a ? scalar(inner->getOperand(1), parent, loops) : a;
  if (!b)
    return nullptr;
  IntegerRange gap = rangeOf(simplifyAffineExpr(a - b, sizes.size(), 0));
  if (gap.low < 0 && gap.high > 0)
    return nullptr;
  return isa<arith::MaxSIOp>(inner) == (gap.low >= 0) ? a : b;
}

/// b + sum of a[k] * at[k] if all elements of a constant are of that form.
static AffineExpr sequence(DenseIntElementsAttr elements,
                           ArrayRef<AffineExpr> at, MLIRContext *context) {
  ArrayRef<int64_t> shape = elements.getType().getShape();
  int64_t count = elements.getNumElements();
  if (count == 0 || count > maxConstant ||
      elements.getElementType().getIntOrFloatBitWidth() == 1)
    return nullptr;
  auto values = elements.getValues<llvm::APInt>();
  auto number = [&](int64_t i) {
    return (*(values.begin() + i)).getSExtValue();
  };
  for (const llvm::APInt &value : values)
    if (!value.isSignedIntN(32))
      return nullptr;
  SmallVector<int64_t> steps(shape.size(), 0);
  AffineExpr expr = getAffineConstantExpr(number(0), context);
  int64_t stride = count;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    stride /= size;
    steps[dim] = size > 1 ? number(stride) - number(0) : 0;
    expr = expr + at[dim] * steps[dim];
  }
  for (int64_t i = 0; i < count; ++i) {
    int64_t expected = number(0), rest = i;
    for (int64_t dim = shape.size(); dim-- > 0; rest /= shape[dim])
      expected += rest % shape[dim] * steps[dim];
    if (number(i) != expected)
      return nullptr;
  }
  return expr;
}

AffineExpr AffineIndices::elementOfView(Operation *view,
                                        ArrayRef<AffineExpr> at) {
  SmallVector<AffineExpr> inner;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(view)) {
    ArrayRef<int64_t> shape = expand.getResultType().getShape();
    for (ArrayRef<int64_t> group : expand.getReassociationIndices()) {
      AffineExpr position = constant(0);
      for (int64_t dim : group)
        position = position * shape[dim] + at[dim];
      inner.push_back(position);
    }
    return element(expand.getSrc(), inner);
  }
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(view)) {
    ArrayRef<int64_t> shape = collapse.getSrcType().getShape();
    inner.assign(shape.size(), AffineExpr());
    for (auto [group, position] :
         llvm::zip(collapse.getReassociationIndices(), at)) {
      AffineExpr rest = position;
      for (int64_t dim : llvm::reverse(group)) {
        inner[dim] = dim == group.front() ? rest : remainder(rest, shape[dim]);
        rest = dim == group.front() ? rest : divide(rest, shape[dim]);
        if (!inner[dim] || !rest)
          return nullptr;
      }
    }
    return element(collapse.getSrc(), inner);
  }
  auto slice = cast<tensor::ExtractSliceOp>(view);
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  unsigned next = 0;
  for (unsigned dim = 0; dim < dropped.size(); ++dim) {
    int64_t offset = slice.getStaticOffsets()[dim],
            stride = slice.getStaticStrides()[dim];
    if (ShapedType::isDynamic(offset) || ShapedType::isDynamic(stride))
      return nullptr;
    AffineExpr position = dropped[dim] ? constant(0) : at[next++];
    inner.push_back(position * stride + offset);
  }
  return element(slice.getSource(), inner);
}

AffineExpr AffineIndices::element(Value tensor, ArrayRef<AffineExpr> at) {
  Operation *producer = tensor.getDefiningOp();
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!producer || depth >= maxDepth || !type.hasStaticShape())
    return nullptr;
  DenseIntElementsAttr elements;
  if (matchPattern(producer, m_Constant(&elements)))
    return sequence(elements, at, op->getContext());
  ++depth;
  AffineExpr result;
  auto structured = dyn_cast<linalg::LinalgOp>(producer);
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
          tensor::ExtractSliceOp>(producer)) {
    result = elementOfView(producer, at);
  } else if (structured && structured.hasPureTensorSemantics() &&
             structured.getNumParallelLoops() == structured.getNumLoops()) {
    OpOperand *init =
        structured.getDpsInitOperand(cast<OpResult>(tensor).getResultNumber());
    AffineMap written = structured.getMatchingIndexingMap(init);
    if (written.isPermutation()) {
      SmallVector<AffineExpr> loops;
      for (AffineExpr expr : inversePermutation(written).getResults())
        loops.push_back(at[cast<AffineDimExpr>(expr).getPosition()]);
      result = scalar(structured.getMatchingYieldValue(init)->get(), structured,
                      loops);
    }
  }
  --depth;
  return result;
}
