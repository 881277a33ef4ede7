//===- RaiseTransposedConvolutions.cpp - No products with stuffed zeros ---===//
//
// A convolution of an image that was spread out with zeros is computed from the
// image itself. In each spatial dimension the outputs fall into as many phases
// as elements are spaced; those of a phase take every so-manieth tap. So the
// weight is split into phases, and one linalg.generic computes all of them:
//
//   Y[n, o, j, r] += X[n, c, j - dilation * k] * W[c, o, k, r]
//
// The phases are woven by a collapse and cut to size. The flip of the weight is
// gone: the image is walked backwards in its stead. Where phases have unequally
// many taps, both factors of the products that are too many are zero, so that
// an infinite element of the image reaches no output that PyTorch keeps from
// it.
//
//===----------------------------------------------------------------------===//
#include "Reshaper.h"
#include "TransposedConvolution.h"
#include "ks/Normalize/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::ks;

namespace {

class Raiser {
public:
  Raiser(PatternRewriter &rewriter, TransposedConvolution found,
         SmallVector<WindowPlan> plans)
      : rewriter(rewriter), match(std::move(found)), plans(std::move(plans)),
        loc(match.op.getLoc()), context(rewriter.getContext()) {}

  Value raise();

private:
  AffineExpr newLoop(int64_t size, utils::IteratorType kind);
  void makeLoops();
  Value makeImage(SmallVectorImpl<AffineExpr> &indices);
  Value makeWeight(SmallVectorImpl<AffineExpr> &indices);
  void makeBody(OpBuilder &builder, Location loc, ValueRange arguments);
  Value weave(Value sums);
  Value gather(Value phased);
  Value spread(Value outputs);
  Value addInit(Value sums);

  /// The window whose `output` or `tap` a loop of the convolution is.
  std::optional<unsigned> windowOf(unsigned loop, bool tap) const {
    for (auto [i, window] : llvm::enumerate(match.windows))
      if ((tap ? window.tap : window.output) == loop)
        return i;
    return std::nullopt;
  }
  /// The loop that each dimension of the result is.
  SmallVector<unsigned> resultLoops() {
    SmallVector<unsigned> loops;
    for (AffineExpr expr : match.op.getIndexingMapsArray()[2].getResults())
      loops.push_back(cast<AffineDimExpr>(expr).getPosition());
    return loops;
  }
  Value emptyLike(ArrayRef<int64_t> shape, Type element) {
    return tensor::EmptyOp::create(rewriter, loc, shape, element);
  }
  Value zeros(ArrayRef<int64_t> shape, Type element) {
    Value zero = arith::ConstantOp::create(rewriter, loc, element,
                                           rewriter.getZeroAttr(element));
    return linalg::FillOp::create(rewriter, loc, zero,
                                  emptyLike(shape, element))
        .getResult(0);
  }

  PatternRewriter &rewriter;
  TransposedConvolution match;
  SmallVector<WindowPlan> plans;
  Location loc;
  MLIRContext *context;

  SmallVector<int64_t> sizes;
  SmallVector<utils::IteratorType> kinds;
  SmallVector<AffineExpr> replaced; ///< Loops of the convolution, in new ones.
  SmallVector<AffineExpr> phase;    ///< Of each window; null if it has one.
};

} // namespace

AffineExpr Raiser::newLoop(int64_t size, utils::IteratorType kind) {
  sizes.push_back(size);
  kinds.push_back(kind);
  return getAffineDimExpr(sizes.size() - 1, context);
}

/// The new loops: those of the result's dimensions in order, each with its
/// phases, and then what is reduced.
void Raiser::makeLoops() {
  SmallVector<int64_t> oldSizes = match.op.getStaticLoopRanges();
  replaced.resize(match.op.getNumLoops());
  phase.resize(plans.size());
  for (unsigned loop : resultLoops()) {
    std::optional<unsigned> window = windowOf(loop, /*tap=*/false);
    bool changes = window && !plans[*window].isPlain;
    replaced[loop] = newLoop(changes ? plans[*window].extent : oldSizes[loop],
                             utils::IteratorType::parallel);
    if (changes && plans[*window].phases > 1)
      phase[*window] =
          newLoop(plans[*window].phases, utils::IteratorType::parallel);
  }
  for (unsigned loop = 0; loop < replaced.size(); ++loop) {
    if (replaced[loop])
      continue;
    std::optional<unsigned> window = windowOf(loop, /*tap=*/true);
    // A window of one tap has no loop over it.
    replaced[loop] =
        window && match.windows[*window].taps == 1
            ? getAffineConstantExpr(0, context)
            : newLoop(window ? plans[*window].taps : oldSizes[loop],
                      utils::IteratorType::reduction);
  }
}

/// The elements of the image that are read, with zeros around them.
Value Raiser::makeImage(SmallVectorImpl<AffineExpr> &indices) {
  for (AffineExpr expr : match.op.getIndexingMapsArray()[0].getResults())
    indices.push_back(expr.replaceDims(replaced));
  Reshaper image(rewriter, loc, match.image);
  for (auto [window, plan] : llvm::zip(match.windows, plans)) {
    AffineExpr output = replaced[window.output], tap = replaced[window.tap];
    unsigned position = match.expansion.empty()
                            ? window.imageDim
                            : match.expansion[window.imageDim][0];
    auto [first, last] = plan.imageRange(window);
    image.window(window.imageDim, first, last);
    if (!plan.isPlain)
      indices[position] = output - tap * plan.dilation + (plan.start - first);
  }
  image.apply();
  if (!match.expansion.empty()) {
    auto operand =
        cast<RankedTensorType>(match.op->getOperand(0).getType()).getShape();
    SmallVector<int64_t> shape(operand);
    for (const ConvolutionWindow &window : match.windows)
      shape[match.expansion[window.imageDim][0]] =
          image.getShape()[window.imageDim];
    image.expand(shape, match.expansion);
  }
  return image.get();
}

/// The weight with its taps split into phases.
Value Raiser::makeWeight(SmallVectorImpl<AffineExpr> &indices) {
  Reshaper weight(rewriter, loc, match.weight);
  SmallVector<int64_t> shape;
  SmallVector<ReassociationIndices> groups;
  for (auto [dim, expr] : llvm::enumerate(match.weightMap.getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    std::optional<unsigned> window =
        loop ? windowOf(loop.getPosition(), /*tap=*/true) : std::nullopt;
    groups.push_back({static_cast<int64_t>(shape.size())});
    indices.push_back(expr.replaceDims(replaced));
    if (!window || !phase[*window]) {
      shape.push_back(weight.getShape()[dim]);
      continue;
    }
    const WindowPlan &plan = plans[*window];
    weight.window(dim, -plan.lead, plan.phases * plan.taps - plan.lead - 1);
    groups.back().push_back(shape.size() + 1);
    shape.append({plan.taps, plan.phases});
    indices.push_back(phase[*window]);
  }
  weight.apply();
  weight.expand(shape, groups);
  return weight.get();
}

/// The convolution's body; the image counts as zero where the weight is padded.
void Raiser::makeBody(OpBuilder &builder, Location loc, ValueRange arguments) {
  Value element = arguments[0], inside;
  auto require = [&](arith::CmpIPredicate predicate, Value lhs, int64_t rhs) {
    Value bound = arith::ConstantIndexOp::create(builder, loc, rhs);
    Value holds = arith::CmpIOp::create(builder, loc, predicate, lhs, bound);
    inside =
        inside ? arith::AndIOp::create(builder, loc, inside, holds).getResult()
               : holds;
  };
  for (auto [i, window] : llvm::enumerate(match.windows)) {
    const WindowPlan &plan = plans[i];
    if (!plan.isRagged(window) || !isa<FloatType>(element.getType()))
      continue;
    auto loop = [&](AffineExpr expr) -> Value {
      return linalg::IndexOp::create(builder, loc,
                                     cast<AffineDimExpr>(expr).getPosition());
    };
    Value count = arith::ConstantIndexOp::create(builder, loc, plan.phases);
    Value first =
        arith::MulIOp::create(builder, loc, loop(replaced[window.tap]), count);
    Value tap = arith::AddIOp::create(builder, loc, first, loop(phase[i]));
    if (plan.lead > 0)
      require(arith::CmpIPredicate::sge, tap, plan.lead);
    if (plan.phases * plan.taps > plan.lead + window.taps)
      require(arith::CmpIPredicate::slt, tap, plan.lead + window.taps);
  }
  if (inside) {
    Value zero =
        arith::ConstantOp::create(builder, loc, element.getType(),
                                  builder.getZeroAttr(element.getType()));
    element = arith::SelectOp::create(builder, loc, inside, element, zero);
  }
  IRMapping mapping;
  Block *old = match.op.getBlock();
  for (auto [from, to] : llvm::zip(old->getArguments(), arguments))
    mapping.map(from, to);
  mapping.map(old->getArgument(0), element);
  for (Operation &inner : old->without_terminator())
    builder.clone(inner, mapping);
  linalg::YieldOp::create(builder, loc,
                          mapping.lookup(old->getTerminator()->getOperand(0)));
}

/// Joins element and phase to an output, where that is their order.
Value Raiser::weave(Value sums) {
  Reshaper result(rewriter, loc, sums);
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (unsigned loop : resultLoops()) {
    std::optional<unsigned> window = windowOf(loop, /*tap=*/false);
    groups.push_back({next++});
    if (!window || !phase[*window])
      continue;
    if (plans[*window].dilation > 1)
      groups.push_back({next++});
    else
      groups.back().push_back(next++);
  }
  result.collapse(groups);
  next = 0;
  for (unsigned loop : resultLoops()) {
    std::optional<unsigned> window = windowOf(loop, /*tap=*/false);
    unsigned dim = next++;
    if (!window || !phase[*window])
      continue;
    const WindowPlan &plan = plans[*window];
    if (plan.dilation > 1) {
      ++next;
      continue;
    }
    int64_t first = plan.first + plan.lead - plan.phases * plan.start;
    result.window(dim, first, first + plan.count - 1);
  }
  result.apply();
  return result.get();
}

/// With a dilation, output q is of phase r where dilation * r = q modulo the
/// number of phases.
Value Raiser::gather(Value phased) {
  SmallVector<AffineExpr> indices;
  SmallVector<int64_t> shape;
  auto type = cast<RankedTensorType>(phased.getType());
  bool isNeeded = false;
  unsigned next = 0;
  for (unsigned loop : resultLoops()) {
    AffineExpr dim = getAffineDimExpr(shape.size(), context);
    std::optional<unsigned> window = windowOf(loop, /*tap=*/false);
    if (!window || !phase[*window] || plans[*window].dilation == 1) {
      indices.push_back(dim);
      shape.push_back(type.getDimSize(next++));
      continue;
    }
    const WindowPlan &plan = plans[*window];
    int64_t inverse = 1;
    while (inverse * plan.dilation % plan.phases != 1)
      ++inverse;
    // A multiple of the phases makes every term positive.
    int64_t turns = llvm::divideFloorSigned(plan.first, plan.phases);
    AffineExpr q = dim + (plan.first - turns * plan.phases);
    AffineExpr r = (q * inverse) % plan.phases;
    int64_t slack = plan.dilation; // dilation * r / phases is below it.
    AffineExpr j =
        (q - r * plan.dilation + slack * plan.phases).floorDiv(plan.phases);
    indices.append({j + (turns - slack - plan.start), r});
    shape.push_back(plan.count);
    next += 2;
    isNeeded = true;
  }
  if (!isNeeded)
    return phased;
  SmallVector<AffineMap> maps{
      AffineMap::get(shape.size(), 0, indices, context),
      AffineMap::getMultiDimIdentityMap(shape.size(), context)};
  SmallVector<utils::IteratorType> parallel(shape.size(),
                                            utils::IteratorType::parallel);
  Value init = emptyLike(shape, type.getElementType());
  return linalg::GenericOp::create(
             rewriter, loc, init.getType(), phased, init, maps, parallel,
             [](OpBuilder &builder, Location loc, ValueRange arguments) {
               linalg::YieldOp::create(builder, loc, arguments[0]);
             })
      .getResult(0);
}

/// Outputs that no tap reaches are zero.
Value Raiser::spread(Value outputs) {
  auto type = cast<RankedTensorType>(match.op->getResult(0).getType());
  SmallVector<int64_t> offsets(type.getRank(), 0), strides(type.getRank(), 1);
  bool isNeeded = false;
  for (auto [dim, loop] : llvm::enumerate(resultLoops())) {
    std::optional<unsigned> window = windowOf(loop, /*tap=*/false);
    if (!window || plans[*window].isPlain)
      continue;
    const WindowPlan &plan = plans[*window];
    offsets[dim] = plan.every * plan.first - plan.shift;
    strides[dim] = plan.every;
    isNeeded |= plan.every > 1 || plan.count != type.getDimSize(dim);
  }
  if (!isNeeded)
    return outputs;
  auto attributes = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(context, values);
  };
  return tensor::InsertSliceOp::create(
      rewriter, loc, outputs, zeros(type.getShape(), type.getElementType()),
      attributes(offsets),
      attributes(cast<RankedTensorType>(outputs.getType()).getShape()),
      attributes(strides));
}

/// What the sums were to start from comes after them.
Value Raiser::addInit(Value sums) {
  Value init = match.op.getDpsInitOperand(0)->get();
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    if (matchPattern(fill.getInputs()[0], m_AnyZeroFloat()) ||
        matchPattern(fill.getInputs()[0], m_Zero()))
      return sums;
  auto type = cast<RankedTensorType>(sums.getType());
  SmallVector<AffineMap> maps(
      3, AffineMap::getMultiDimIdentityMap(type.getRank(), context));
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  Value empty = emptyLike(type.getShape(), type.getElementType());
  return linalg::GenericOp::create(
             rewriter, loc, type, ValueRange{sums, init}, empty, maps, parallel,
             [](OpBuilder &builder, Location loc, ValueRange arguments) {
               Value sum = isa<FloatType>(arguments[0].getType())
                               ? arith::AddFOp::create(
                                     builder, loc, arguments[0], arguments[1])
                                     .getResult()
                               : arith::AddIOp::create(
                                     builder, loc, arguments[0], arguments[1])
                                     .getResult();
               linalg::YieldOp::create(builder, loc, sum);
             })
      .getResult(0);
}

Value Raiser::raise() {
  makeLoops();
  SmallVector<AffineExpr> imageIndices, weightIndices, resultIndices;
  Value image = makeImage(imageIndices), weight = makeWeight(weightIndices);
  SmallVector<int64_t> shape;
  for (auto [loop, kind] : llvm::enumerate(kinds))
    if (kind == utils::IteratorType::parallel) {
      resultIndices.push_back(getAffineDimExpr(loop, context));
      shape.push_back(sizes[loop]);
    }
  Type element = getElementTypeOrSelf(match.op->getResult(0).getType());
  Value init = zeros(shape, element);
  SmallVector<AffineMap> maps;
  for (ArrayRef<AffineExpr> indices :
       {ArrayRef(imageIndices), ArrayRef(weightIndices),
        ArrayRef(resultIndices)})
    maps.push_back(
        simplifyAffineMap(AffineMap::get(sizes.size(), 0, indices, context)));
  Value sums =
      linalg::GenericOp::create(
          rewriter, loc, init.getType(), ValueRange{image, weight}, init, maps,
          kinds,
          [&](OpBuilder &builder, Location inner, ValueRange arguments) {
            makeBody(builder, inner, arguments);
          })
          .getResult(0);
  return addInit(spread(gather(weave(sums))));
}

namespace {

struct RaiseTransposedConvolution
    : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<TransposedConvolution> match = matchTransposedConvolution(op);
    if (!match)
      return failure();
    SmallVector<WindowPlan> plans;
    for (const ConvolutionWindow &window : match->windows) {
      FailureOr<WindowPlan> plan = planWindow(window);
      if (failed(plan))
        return failure();
      plans.push_back(*plan);
    }
    rewriter.replaceOp(op, Raiser(rewriter, *match, std::move(plans)).raise());
    return success();
  }
};

} // namespace

void mlir::ks::populateRaiseTransposedConvolutionPatterns(
    RewritePatternSet &patterns) {
  patterns.add<RaiseTransposedConvolution>(patterns.getContext());
}
