//===- FoldIndexingMaps.cpp - Rearrangements become indexing maps ---------===//
//
// A transpose, a broadcast or a copy only says where an element is found. A
// consumer that has indexing maps reads it there itself. Matrix products take
// part: with a transposed operand they become a linalg.generic with that map.
// Convolutions and poolings keep their names.
//
//===----------------------------------------------------------------------===//
#include "Origin.h"
#include "ks/Normalize/Patterns.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace mlir::ks;

/// The origin of a result of an elementwise linalg.generic that yields an
/// input.
static std::optional<Origin> originOfGeneric(linalg::GenericOp op,
                                             OpResult result) {
  if (op.getNumParallelLoops() != op.getNumLoops())
    return std::nullopt;
  OpOperand *init = op.getDpsInitOperand(result.getResultNumber());
  AffineMap written = op.getMatchingIndexingMap(init);
  auto argument =
      dyn_cast<BlockArgument>(op.getMatchingYieldValue(init)->get());
  if (!written.isPermutation() || !argument ||
      argument.getOwner() != op.getBody() ||
      argument.getArgNumber() >= op.getNumDpsInputs())
    return std::nullopt;
  OpOperand *input = op.getDpsInputOperand(argument.getArgNumber());
  if (!isa<RankedTensorType>(input->get().getType()))
    return std::nullopt;
  return Origin{input->get(), op.getMatchingIndexingMap(input).compose(
                                  inversePermutation(written))};
}

std::optional<Origin> mlir::ks::originOf(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (auto generic = dyn_cast_or_null<linalg::GenericOp>(op))
    return originOfGeneric(generic, cast<OpResult>(tensor));
  MLIRContext *context = tensor.getContext();
  if (auto transpose = dyn_cast_or_null<linalg::TransposeOp>(op)) {
    // Dimension i of the result is dimension permutation[i] of the source.
    AffineMap map =
        AffineMap::getPermutationMap(transpose.getPermutation(), context);
    return Origin{transpose.getInput(), inversePermutation(map)};
  }
  if (auto broadcast = dyn_cast_or_null<linalg::BroadcastOp>(op)) {
    int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
    SmallVector<AffineExpr> dims;
    for (int64_t d = 0; d < rank; ++d)
      if (!llvm::is_contained(broadcast.getDimensions(), d))
        dims.push_back(getAffineDimExpr(d, context));
    return Origin{broadcast.getInput(), AffineMap::get(rank, 0, dims, context)};
  }
  return std::nullopt;
}

/// The loops' sizes must follow from the operands: each loop stands alone in
/// some map.
static bool definesLoops(ArrayRef<AffineMap> maps, MLIRContext *context) {
  return static_cast<bool>(inversePermutation(concatAffineMaps(maps, context)));
}

namespace {

struct FoldIntoGeneric : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    bool changed = false;
    for (OpOperand *input : op.getDpsInputOperands()) {
      std::optional<Origin> origin = originOf(input->get());
      if (!origin)
        continue;
      AffineMap &map = maps[input->getOperandNumber()];
      AffineMap before = map;
      map = simplifyAffineMap(origin->map.compose(map));
      if (!definesLoops(maps, op.getContext())) {
        map = before;
        continue;
      }
      rewriter.modifyOpInPlace(op, [&] { input->set(origin->source); });
      changed = true;
    }
    if (!changed)
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
    return success();
  }
};

/// Makes a matrix product generic if an operand is a rearranged tensor.
template <typename Product>
struct GeneralizeProduct : OpRewritePattern<Product> {
  using OpRewritePattern<Product>::OpRewritePattern;

  LogicalResult matchAndRewrite(Product op,
                                PatternRewriter &rewriter) const override {
    auto structured = cast<linalg::LinalgOp>(op.getOperation());
    SmallVector<AffineMap> maps = structured.getIndexingMapsArray();
    bool folds = false;
    for (OpOperand *input : structured.getDpsInputOperands()) {
      std::optional<Origin> origin = originOf(input->get());
      if (!origin)
        continue;
      SmallVector<AffineMap> folded(maps);
      AffineMap &map = folded[input->getOperandNumber()];
      map = origin->map.compose(map);
      folds |= definesLoops(folded, op.getContext());
    }
    return success(folds &&
                   succeeded(linalg::generalizeNamedOp(rewriter, structured)));
  }
};

/// A chain of rearrangements that ends in a named one becomes a single copy.
template <typename Rearrangement>
struct GeneralizeRearrangement : OpRewritePattern<Rearrangement> {
  using OpRewritePattern<Rearrangement>::OpRewritePattern;

  LogicalResult matchAndRewrite(Rearrangement op,
                                PatternRewriter &rewriter) const override {
    if (!originOf(op.getInput()))
      return failure();
    return linalg::generalizeNamedOp(rewriter,
                                     cast<linalg::LinalgOp>(op.getOperation()));
  }
};

} // namespace

void mlir::ks::populateFoldIndexingMapPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<FoldIntoGeneric, GeneralizeProduct<linalg::MatmulOp>,
               GeneralizeProduct<linalg::BatchMatmulOp>,
               GeneralizeRearrangement<linalg::TransposeOp>,
               GeneralizeRearrangement<linalg::BroadcastOp>>(context);
}
