//===- TransposedConvolution.cpp - Convolutions of stuffed images ---------===//
//
// See TransposedConvolution.h. Named convolutions and generic ones are one:
// only indexing maps and the body are looked at.
//
//===----------------------------------------------------------------------===//
#include "TransposedConvolution.h"

#include "Origin.h"
#include "Products.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::ks;

template <typename Slice> static bool isStaticOfRank(Slice op, int64_t rank) {
  return op.getOffsets().empty() && op.getSizes().empty() &&
         op.getStrides().empty() &&
         op.getSourceType().getRank() == op.getType().getRank() &&
         op.getType().getRank() == rank;
}

namespace {

/// How an image was spread out: element x of dimension d went to position
/// spacings[d] * x + offsets[d], of which there may be fewer than the image
/// wants.
struct Spread {
  Value image;
  SmallVector<ReassociationIndices> expansion;
  SmallVector<int64_t> offsets, spacings;
};

} // namespace

/// The operand as it is.
static Spread plainSpread(Value operand) {
  int64_t rank = cast<RankedTensorType>(operand.getType()).getRank();
  return {operand,
          {},
          SmallVector<int64_t>(rank, 0),
          SmallVector<int64_t>(rank, 1)};
}

/// Looks through splitting of dimensions other than windows, crops, and zeros
/// put around or between.
static Spread spreadOf(Value operand, AffineMap map) {
  Spread spread;
  Value inner = operand;
  if (auto expand = inner.getDefiningOp<tensor::ExpandShapeOp>()) {
    spread.expansion = expand.getReassociationIndices();
    inner = expand.getSrc();
    for (ArrayRef<int64_t> group : spread.expansion)
      if (group.size() > 1 && llvm::any_of(group, [&](int64_t dim) {
            return !isa<AffineDimExpr>(map.getResult(dim));
          }))
        return plainSpread(operand);
  }
  int64_t rank = cast<RankedTensorType>(inner.getType()).getRank();
  spread.image = inner;
  spread.offsets.assign(rank, 0);
  spread.spacings.assign(rank, 1);
  SmallVector<int64_t> cropped(rank, 0);
  while (auto slice = inner.getDefiningOp<tensor::ExtractSliceOp>()) {
    if (!isStaticOfRank(slice, rank) || !slice.hasUnitStride())
      return spread;
    for (auto [sum, offset] : llvm::zip(cropped, slice.getStaticOffsets()))
      sum += offset;
    inner = slice.getSource();
  }
  ArrayRef<int64_t> offsets;
  if (auto insert = inner.getDefiningOp<tensor::InsertSliceOp>();
      insert && isStaticOfRank(insert, rank) &&
      isZeroTensor(insert.getDest())) {
    spread.image = insert.getSource();
    spread.spacings.assign(insert.getStaticStrides().begin(),
                           insert.getStaticStrides().end());
    offsets = insert.getStaticOffsets();
  } else if (auto pad = inner.getDefiningOp<tensor::PadOp>();
             pad && pad.getLow().empty() && pad.getHigh().empty()) {
    Value padding = pad.getConstantPaddingValue();
    if (!padding || !isZeroTensor(padding))
      return spread;
    spread.image = pad.getSource();
    offsets = pad.getStaticLow();
  } else {
    return spread;
  }
  for (auto [dim, offset] : llvm::enumerate(offsets))
    spread.offsets[dim] = offset - cropped[dim];
  return spread;
}

/// Adds the terms of a sum of multiples of loops; false if `expr` is another.
static bool addTerms(AffineExpr expr, MutableArrayRef<int64_t> factors) {
  int64_t factor = 1;
  if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr)) {
    if (expr.getKind() == AffineExprKind::Add)
      return addTerms(binary.getLHS(), factors) &&
             addTerms(binary.getRHS(), factors);
    auto number = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (expr.getKind() != AffineExprKind::Mul || !number)
      return false;
    factor = number.getValue();
    expr = binary.getLHS();
  }
  auto dim = dyn_cast<AffineDimExpr>(expr);
  if (dim)
    factors[dim.getPosition()] += factor;
  return static_cast<bool>(dim);
}

/// stride * output + dilation * tap, or false.
static bool parseWindow(AffineExpr expr, linalg::LinalgOp op,
                        ConvolutionWindow &window) {
  unsigned loops = op.getNumLoops();
  SmallVector<int64_t> flat(loops, 0);
  if (!addTerms(expr, flat))
    return false;
  bool hasOutput = false, hasTap = false;
  for (unsigned loop = 0; loop < loops; ++loop) {
    if (flat[loop] == 0)
      continue;
    bool isTap =
        op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
    if (flat[loop] < 0 || (isTap ? hasTap : hasOutput))
      return false;
    (isTap ? window.tap : window.output) = loop;
    (isTap ? window.dilation : window.stride) = flat[loop];
    (isTap ? hasTap : hasOutput) = true;
  }
  return hasOutput && hasTap;
}

/// Whether the weight's index `expr` is taps - 1 - tap (true) or tap (false).
static std::optional<bool> isFlipped(AffineExpr expr,
                                     const ConvolutionWindow &window) {
  AffineExpr tap = getAffineDimExpr(window.tap, expr.getContext());
  if (expr == tap)
    return false;
  if (simplifyAffineExpr(expr + tap, window.tap + 1, 0) ==
      getAffineConstantExpr(window.taps - 1, expr.getContext()))
    return true;
  return std::nullopt;
}

/// Reads off the weight's map which taps are flipped; false if it is indexed by
/// anything but loops and flipped taps.
static bool readWeight(TransposedConvolution &match) {
  Value operand = match.op->getOperand(1);
  match.weight = operand;
  match.weightMap = match.op.getIndexingMapsArray()[1];
  if (std::optional<Origin> origin = originOf(operand)) {
    match.weight = origin->source;
    match.weightMap = simplifyAffineMap(origin->map.compose(match.weightMap));
  }
  SmallVector<AffineExpr> indices(match.weightMap.getResults());
  for (ConvolutionWindow &window : match.windows) {
    bool found = false;
    for (AffineExpr &index : indices) {
      if (!index.isFunctionOfDim(window.tap))
        continue;
      std::optional<bool> flipped = isFlipped(index, window);
      if (!flipped || found)
        return false;
      window.flipped = *flipped;
      found = true;
      index = getAffineDimExpr(window.tap, index.getContext());
    }
    if (!found && window.taps != 1)
      return false;
  }
  match.weightMap = AffineMap::get(match.weightMap.getNumDims(), 0, indices,
                                   match.op->getContext());
  return match.weightMap.isProjectedPermutation(/*allowZeroInResults=*/true);
}

std::optional<TransposedConvolution>
mlir::ks::matchTransposedConvolution(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || !isSumOfProducts(op) ||
      op.hasDynamicShape())
    return std::nullopt;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  AffineMap image = op.getIndexingMapsArray()[0],
            written = op.getIndexingMapsArray()[2];
  if (llvm::any_of(sizes, [](int64_t size) { return size < 1; }) ||
      !written.isProjectedPermutation() ||
      written.getNumResults() != op.getNumParallelLoops())
    return std::nullopt;

  TransposedConvolution match;
  match.op = op;
  Spread spread = spreadOf(op->getOperand(0), image);
  match.image = spread.image;
  match.expansion = spread.expansion;
  // The spread-out image's dimension of each dimension of the operand that is a
  // window.
  SmallVector<unsigned> spreadDim(image.getNumResults());
  for (unsigned dim = 0; dim < spread.offsets.size(); ++dim)
    spreadDim[spread.expansion.empty() ? dim : spread.expansion[dim][0]] = dim;
  auto imageType = cast<RankedTensorType>(spread.image.getType());
  llvm::SmallBitVector inWindow(spread.offsets.size());
  for (auto [dim, expr] : llvm::enumerate(image.getResults())) {
    if (isa<AffineDimExpr>(expr))
      continue;
    ConvolutionWindow window;
    if (!parseWindow(expr, op, window))
      return std::nullopt;
    window.imageDim = spreadDim[dim];
    window.outputs = sizes[window.output];
    window.taps = sizes[window.tap];
    window.offset = spread.offsets[window.imageDim];
    window.spacing = spread.spacings[window.imageDim];
    window.size = imageType.getDimSize(window.imageDim);
    inWindow.set(window.imageDim);
    match.windows.push_back(window);
  }
  // Elsewhere the image has to be as it was.
  auto operandType = cast<RankedTensorType>(op->getOperand(0).getType());
  for (unsigned dim = 0; dim < inWindow.size(); ++dim) {
    int64_t size = 1;
    if (spread.expansion.empty())
      size = operandType.getDimSize(dim);
    else
      for (int64_t part : spread.expansion[dim])
        size *= operandType.getDimSize(part);
    if (!inWindow[dim] &&
        (spread.offsets[dim] != 0 || imageType.getDimSize(dim) != size))
      return std::nullopt;
  }
  if (!readWeight(match))
    return std::nullopt;
  bool isTransposed = false;
  for (const ConvolutionWindow &window : match.windows) {
    bool active = window.flipped || window.spacing > 1;
    if (active && (window.stride != 1 || (window.taps > 1 && !window.flipped)))
      return std::nullopt;
    isTransposed |= active;
  }
  return isTransposed ? std::optional(match) : std::nullopt;
}

static int64_t floorDivide(int64_t a, int64_t b) {
  return llvm::divideFloorSigned(a, b);
}

static FailureOr<WindowPlan> planTaps(const ConvolutionWindow &window) {
  WindowPlan plan;
  if (!window.flipped && window.spacing == 1) {
    plan.isPlain = true;
    plan.count = window.outputs;
    plan.taps = window.taps;
    return plan;
  }
  // With the weight's own tap: o + shift = spacing * x + dilation * tap.
  plan.shift = window.dilation * (window.taps - 1) - window.offset;
  plan.every = window.taps == 1 ? window.spacing
                                : std::gcd(window.spacing, window.dilation);
  plan.dilation = window.taps == 1 ? 1 : window.dilation / plan.every;
  plan.phases = window.spacing / plan.every;
  plan.first = -floorDivide(-plan.shift, plan.every);
  int64_t last = floorDivide(window.outputs - 1 + plan.shift, plan.every);
  plan.count = last - plan.first + 1;
  if (plan.count < 1)
    return failure();

  // As few taps as can be, then no outputs that are cropped at the beginning.
  auto tapsFor = [&](int64_t lead) {
    return llvm::divideCeil(window.taps + lead, plan.phases);
  };
  if (plan.dilation == 1) {
    int64_t aligned = -plan.first % plan.phases;
    aligned += aligned < 0 ? plan.phases : 0;
    if (tapsFor(aligned) == tapsFor(0))
      plan.lead = aligned;
  }
  plan.taps = tapsFor(plan.lead);
  plan.start = floorDivide(
      plan.first + plan.lead -
          (plan.dilation == 1 ? 0 : plan.dilation * (plan.phases - 1)),
      plan.phases);
  plan.extent = floorDivide(last + plan.lead, plan.phases) - plan.start + 1;
  return plan;
}

FailureOr<WindowPlan> mlir::ks::planWindow(const ConvolutionWindow &window) {
  FailureOr<WindowPlan> plan = planTaps(window);
  if (failed(plan))
    return failure();
  auto [first, last] = plan->imageRange(window);
  if (last < 0 || first >= window.size)
    return failure();
  return plan;
}
