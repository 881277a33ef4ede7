//===- NarrowProducts.cpp - Matrix products of extended operands ----------===//
//
// A half-precision Linear with a bias arrives as a float32 product of operands
// that were extended first. linalg's products extend in their bodies: reading
// the narrow operand is the same computation on half the bytes, and the form
// that tensor cores take. An extension that also rearranges leaves a narrow
// copy behind, which folds into the product's indexing map.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::ks;

/// The linalg.generic that extends the floats of its one input, if `value` is
/// one's result.
static linalg::GenericOp extensionOf(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumDpsInputs() != 1 || op->getNumResults() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation())
    return nullptr;
  auto yield = cast<linalg::YieldOp>(op.getBody()->getTerminator());
  auto extension = yield.getOperand(0).getDefiningOp<arith::ExtFOp>();
  bool direct = extension &&
                extension.getIn() == op.getBody()->getArgument(0) &&
                isa<RankedTensorType>(op->getOperand(0).getType());
  return direct ? op : nullptr;
}

/// What `extension` extends, in the shape of its result.
static Value narrowOperand(OpBuilder &builder, linalg::GenericOp extension) {
  Value source = extension->getOperand(0);
  if (llvm::all_of(extension.getIndexingMapsArray(),
                   [](AffineMap map) { return map.isIdentity(); }))
    return source;
  auto type = cast<RankedTensorType>(extension->getResult(0).getType());
  Value empty =
      tensor::EmptyOp::create(builder, extension.getLoc(), type.getShape(),
                              getElementTypeOrSelf(source));
  auto copy = [](OpBuilder &inner, Location loc, ValueRange arguments) {
    linalg::YieldOp::create(inner, loc, arguments[0]);
  };
  return linalg::GenericOp::create(builder, extension.getLoc(), empty.getType(),
                                   source, empty,
                                   extension.getIndexingMapsArray(),
                                   extension.getIteratorTypesArray(), copy)
      .getResult(0);
}

namespace {

template <typename Product> struct NarrowProduct : OpRewritePattern<Product> {
  using OpRewritePattern<Product>::OpRewritePattern;

  LogicalResult matchAndRewrite(Product op,
                                PatternRewriter &rewriter) const override {
    if (op.hasUserDefinedMaps() ||
        !isa<RankedTensorType>(op.getResult(0).getType()) ||
        !isa<FloatType>(getElementTypeOrSelf(op.getResult(0))))
      return failure();
    SmallVector<Value> inputs;
    bool changed = false;
    for (Value input : op.getInputs()) {
      linalg::GenericOp extension = extensionOf(input);
      inputs.push_back(extension ? narrowOperand(rewriter, extension) : input);
      changed |= extension != nullptr;
    }
    if (!changed)
      return failure();
    rewriter.replaceOpWithNewOp<Product>(op, op->getResultTypes(), inputs,
                                         op.getOutputs());
    return success();
  }
};

} // namespace

void mlir::ks::populateNarrowProductPatterns(RewritePatternSet &patterns) {
  patterns.add<NarrowProduct<linalg::MatmulOp>,
               NarrowProduct<linalg::BatchMatmulOp>>(patterns.getContext());
}
