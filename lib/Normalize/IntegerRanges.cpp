//===- IntegerRanges.cpp - Ranges of integers in a tensor graph -----------===//
//
// Structured operations and tensors: what their elements may be. The arithmetic
// of their bodies is in IntegerRangesScalar.cpp. A running value of a reduction
// is taken to stay in the hull of its start and of what the body makes of that
// hull; if that does not settle within a few rounds (sums), nothing is known.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/IntegerRanges.h"
#include "ks/Normalize/TMTensor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ks;

using MaybeRange = std::optional<IntegerRange>;

/// The deepest chain of operations that a query follows, and the longest
/// constant that it reads.
static constexpr unsigned maxDepth = 64;
static constexpr int64_t maxConstant = 1 << 20;

/// Every value of an integer type.
static IntegerRange allOf(Type type) {
  if (type.isInteger(1))
    return {0, 1};
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return {llvm::minIntN(width), llvm::maxIntN(width)};
}

MaybeRange IntegerRanges::of(Value value) {
  Type element = getElementTypeOrSelf(value);
  if (!element.isIndex() &&
      (!element.isSignlessInteger() || element.getIntOrFloatBitWidth() > 64))
    return std::nullopt;
  for (auto &[assumed, range] : llvm::reverse(assumptions))
    if (assumed == value)
      return range;
  if (depth >= maxDepth)
    return allOf(element);

  // A tensor's elements do not depend on what is assumed within a body.
  bool isTensor = isa<RankedTensorType>(value.getType());
  SmallVector<std::pair<Value, IntegerRange>> outer;
  if (isTensor)
    std::swap(outer, assumptions);
  MaybeRange result;
  if (auto it = known.find(value); assumptions.empty() && it != known.end()) {
    result = it->second;
  } else {
    ++depth;
    result = compute(value);
    --depth;
    if (assumptions.empty())
      known[value] = result;
  }
  if (isTensor)
    std::swap(outer, assumptions);
  return result;
}

MaybeRange IntegerRanges::compute(Value value) {
  MaybeRange result;
  if (auto argument = dyn_cast<BlockArgument>(value))
    result = ofArgument(argument);
  else if (isa<RankedTensorType>(value.getType()))
    result = ofTensor(cast<OpResult>(value));
  else
    result = ofScalar(value.getDefiningOp());
  return result ? result : allOf(getElementTypeOrSelf(value));
}

MaybeRange IntegerRanges::under(Value assumed, IntegerRange range,
                                Value value) {
  assumptions.push_back({assumed, range});
  MaybeRange result = of(value);
  assumptions.pop_back();
  return result;
}

MaybeRange IntegerRanges::hull(ValueRange values) {
  MaybeRange result;
  for (Value value : values) {
    MaybeRange range = of(value);
    if (!range)
      return std::nullopt;
    result = result ? IntegerRange{std::min(result->low, range->low),
                                   std::max(result->high, range->high)}
                    : *range;
  }
  return result;
}

MaybeRange IntegerRanges::ofArgument(BlockArgument argument) {
  auto op =
      dyn_cast_or_null<linalg::LinalgOp>(argument.getOwner()->getParentOp());
  if (!op)
    return std::nullopt;
  OpOperand &operand = op->getOpOperand(argument.getArgNumber());
  if (op.isDpsInput(&operand))
    return of(operand.get());
  return ofInit(op, argument.getArgNumber() - op.getNumDpsInputs());
}

MaybeRange IntegerRanges::ofInit(linalg::LinalgOp op, unsigned index) {
  OpOperand *init = op.getDpsInitOperand(index);
  MaybeRange range = of(init->get());
  if (op.getNumReductionLoops() == 0 || !range)
    return range;
  Value argument = op.getMatchingBlockArgument(init);
  Value yielded = op.getMatchingYieldValue(init)->get();
  for (int round = 0; round < 4; ++round) {
    MaybeRange next = under(argument, *range, yielded);
    if (!next)
      return std::nullopt;
    IntegerRange both{std::min(range->low, next->low),
                      std::max(range->high, next->high)};
    if (both == *range)
      return range;
    range = both;
  }
  return std::nullopt;
}

/// The least and the greatest element of a constant.
static MaybeRange ofConstant(DenseIntElementsAttr elements) {
  if (elements.empty() ||
      (!elements.isSplat() && elements.getNumElements() > maxConstant))
    return std::nullopt;
  bool isBool = elements.getElementType().isInteger(1);
  auto number = [&](const llvm::APInt &value) {
    return isBool ? static_cast<int64_t>(value.getZExtValue())
                  : value.getSExtValue();
  };
  int64_t first = number(*elements.value_begin<llvm::APInt>());
  IntegerRange range{first, first};
  if (!elements.isSplat())
    for (const llvm::APInt &value : elements.getValues<llvm::APInt>()) {
      range.low = std::min(range.low, number(value));
      range.high = std::max(range.high, number(value));
    }
  return range;
}

MaybeRange IntegerRanges::ofTensor(OpResult result) {
  Operation *op = result.getOwner();
  DenseIntElementsAttr elements;
  if (matchPattern(op, m_Constant(&elements)))
    return ofConstant(elements);
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    OpOperand *init = structured.getDpsInitOperand(result.getResultNumber());
    if (structured.getNumReductionLoops() != 0)
      return ofInit(structured, result.getResultNumber());
    Value yielded = structured.getMatchingYieldValue(init)->get();
    if (structured.getMatchingIndexingMap(init).isPermutation())
      return of(yielded);
    return hull({init->get(), yielded});
  }
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
          tensor::ExtractSliceOp, tensor::CastOp>(op))
    return of(op->getOperand(0));
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return hull({insert.getSource(), insert.getDest()});
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return hull(concat.getInputs());
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    if (Value padding = pad.getConstantPaddingValue())
      return hull({pad.getSource(), padding});
  if (auto sort = dyn_cast<tm_tensor::SortOp>(op))
    return of(sort.getOutputs()[result.getResultNumber()]);
  return std::nullopt;
}
