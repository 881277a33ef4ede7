//===- FoldExtracts.cpp - Gathers at affine indices become operands -------===//
//
// Flips, permutes, selections and narrowings arrive as tensor.extract in a body
// that computes the indices. Where those are affine in the loops and inside of
// the tensor, the tensor is an operand like any other: a part of it, cut out as
// a view, under an indexing map. Then the rest of the compiler knows where the
// elements lie, and consumers read them there.
//
//===----------------------------------------------------------------------===//
#include "AffineIndices.h"
#include "ks/Normalize/Patterns.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::ks;

namespace {

/// An operand that takes the place of an extraction.
struct View {
  SmallVector<OpFoldResult> offsets, sizes, strides;
  SmallVector<int64_t> shape;      ///< Without the dimensions that are dropped.
  SmallVector<AffineExpr> indices; ///< Of what is left.
  bool isWhole = true;
};

} // namespace

/// step * dim + offset with a positive step: then a slice is read by `dim`.
static std::optional<std::tuple<AffineDimExpr, int64_t, int64_t>>
asProgression(AffineExpr expr) {
  int64_t offset = 0, step = 1;
  if (auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
      sum && sum.getKind() == AffineExprKind::Add) {
    auto number = dyn_cast<AffineConstantExpr>(sum.getRHS());
    if (!number)
      return std::nullopt;
    offset = number.getValue();
    expr = sum.getLHS();
  }
  if (auto product = dyn_cast<AffineBinaryOpExpr>(expr);
      product && product.getKind() == AffineExprKind::Mul) {
    step = cast<AffineConstantExpr>(product.getRHS()).getValue();
    expr = product.getLHS();
  }
  auto dim = dyn_cast<AffineDimExpr>(expr);
  if (!dim || step < 1 || offset < 0)
    return std::nullopt;
  return std::tuple(dim, step, offset);
}

/// The view of `type` that has element `indices` where the loops say; none if
/// an index may be outside.
static std::optional<View> viewOf(RankedTensorType type,
                                  ArrayRef<AffineExpr> indices,
                                  const AffineIndices &affine,
                                  MLIRContext *context) {
  View view;
  auto attr = [&](int64_t value) -> OpFoldResult {
    return IntegerAttr::get(IndexType::get(context), value);
  };
  for (auto [size, index] : llvm::zip(type.getShape(), indices)) {
    IntegerRange range = affine.rangeOf(index);
    if (range.low < 0 || range.high >= size)
      return std::nullopt;
    int64_t offset = 0, length = size, step = 1;
    AffineExpr expr = index;
    bool dropped = false;
    if (auto number = dyn_cast<AffineConstantExpr>(index); number && size > 1) {
      std::tie(offset, length, dropped) =
          std::tuple(number.getValue(), 1, true);
    } else if (auto progression = asProgression(index)) {
      std::tie(expr, step, offset) = *progression;
      length = affine.rangeOf(expr).high + 1;
    }
    view.offsets.push_back(attr(offset));
    view.sizes.push_back(attr(length));
    view.strides.push_back(attr(step));
    view.isWhole &= length == size;
    if (!dropped) {
      view.shape.push_back(length);
      view.indices.push_back(expr);
    }
  }
  return view;
}

namespace {

struct FoldExtract : OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractOp op,
                                PatternRewriter &rewriter) const override {
    auto generic = dyn_cast<linalg::GenericOp>(op->getParentOp());
    auto type = op.getTensor().getType();
    if (!generic || !generic.hasPureTensorSemantics() ||
        !type.hasStaticShape() || type.getEncoding() ||
        llvm::any_of(generic.getStaticLoopRanges(),
                     [](int64_t size) { return size < 1; }))
      return failure();
    AffineIndices affine(cast<linalg::LinalgOp>(generic.getOperation()));
    SmallVector<AffineExpr> indices;
    for (Value value : op.getIndices()) {
      AffineExpr expr = affine.of(value);
      if (!expr)
        return failure();
      indices.push_back(simplifyAffineExpr(expr, generic.getNumLoops(), 0));
    }
    std::optional<View> view =
        viewOf(type, indices, affine, rewriter.getContext());
    if (!view)
      return failure();

    rewriter.setInsertionPoint(generic);
    Value source = op.getTensor();
    if (!view->isWhole)
      source = tensor::ExtractSliceOp::create(
          rewriter, generic.getLoc(),
          RankedTensorType::get(view->shape, type.getElementType()), source,
          view->offsets, view->sizes, view->strides);
    addInput(generic, source,
             AffineMap::get(generic.getNumLoops(), 0, view->indices,
                            rewriter.getContext()),
             op, rewriter);
    return success();
  }

private:
  /// Rebuilds `generic` with one more input, which is what `op` is.
  static void addInput(linalg::GenericOp generic, Value source, AffineMap map,
                       tensor::ExtractOp op, PatternRewriter &rewriter) {
    SmallVector<Value> inputs(generic.getInputs());
    SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
    unsigned position = inputs.size();
    inputs.push_back(source);
    maps.insert(maps.begin() + position, map);
    auto wider = linalg::GenericOp::create(
        rewriter, generic.getLoc(), generic.getResultTypes(), inputs,
        generic.getOutputs(), maps, generic.getIteratorTypesArray());
    Block *body = generic.getBody();
    Value element = body->insertArgument(position, op.getType(), op.getLoc());
    rewriter.replaceOp(op, element);
    rewriter.inlineRegionBefore(generic.getRegion(), wider.getRegion(),
                                wider.getRegion().begin());
    rewriter.replaceOp(generic, wider.getResults());
  }
};

} // namespace

void mlir::ks::populateFoldExtractPatterns(RewritePatternSet &patterns) {
  patterns.add<FoldExtract>(patterns.getContext());
}
