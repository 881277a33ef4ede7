//===- MaterializeResources.cpp - Small blobs become dense constants ------===//
//
// A blob cannot be folded or looked into. Index tables of exported graphs are
// small blobs; as dense constants their ranges are known and splats are seen as
// such.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mlir::ks;

namespace {

constexpr int64_t maxElements = 1 << 16;

struct MaterializeResource : OpRewritePattern<arith::ConstantOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ConstantOp op,
                                PatternRewriter &rewriter) const override {
    auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue());
    if (!resource || resource.getType().getNumElements() > maxElements)
      return failure();
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    // A bool is a byte in a blob and a bit in dense raw data.
    if (!blob || resource.getType().getElementType().isInteger(1))
      return failure();
    ShapedType type = resource.getType();
    bool splat = false;
    if (!DenseElementsAttr::isValidRawBuffer(type, blob->getData(), splat))
      return failure();
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, DenseElementsAttr::getFromRawBuffer(type, blob->getData()));
    return success();
  }
};

} // namespace

void mlir::ks::populateMaterializeResourcePatterns(
    RewritePatternSet &patterns) {
  patterns.add<MaterializeResource>(patterns.getContext());
}
