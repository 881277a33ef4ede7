//===- HoistScales.cpp - Factors of half-precision operands ---------------===//
//
// Attention's decomposition multiplies queries and keys, extended to float32,
// by the root of the scale each. What the product then reads are no longer
// half-precision numbers. The factors come out of the product: PyTorch's own
// kernels scale the result too, and it is rounded less often.
//
//===----------------------------------------------------------------------===//
#include "Products.h"
#include "TensorTwin.h"
#include "ks/Normalize/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::ks;

/// True if `tensor` was extended from half precision.
static bool isExtended(Value tensor) {
  auto op = tensor.getDefiningOp<linalg::GenericOp>();
  if (!op || op->getNumResults() != 1)
    return false;
  Operation *yielded =
      op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  return isa_and_nonnull<arith::ExtFOp>(yielded) &&
         isa<BlockArgument>(yielded->getOperand(0)) &&
         yielded->getOperand(0).getType().getIntOrFloatBitWidth() == 16;
}

namespace {

/// Before a multiplication by a constant, the same everywhere.
class UnscaledTwin : public TensorTwin {
public:
  const llvm::APFloat &getFactor() const { return *factor; }

protected:
  bool isRoot(BlockArgument argument, Value yielded) override {
    auto product = yielded.getDefiningOp<arith::MulFOp>();
    llvm::APFloat number(0.0);
    if (!product || product.getLhs() != argument ||
        !matchPattern(product.getRhs(), m_ConstantFloat(&number)) ||
        !number.isNormal() ||
        !isExtended(argument.getOwner()->getParentOp()->getOperand(0)) ||
        (factor && !factor->bitwiseIsEqual(number)))
      return false;
    factor = number;
    element = argument.getType();
    return true;
  }

  TypedAttr constant(TypedAttr scalar) const override {
    auto number = dyn_cast<FloatAttr>(scalar);
    return number && number.getValue().isZero() ? scalar : TypedAttr();
  }

private:
  std::optional<llvm::APFloat> factor;
};

struct HoistScale : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || !isSumOfProducts(op) ||
        !isZeroTensor(op.getDpsInits()[0]))
      return failure();
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    for (OpOperand *input : op.getDpsInputOperands()) {
      UnscaledTwin twin;
      if (getElementTypeOrSelf(input->get()) != type.getElementType() ||
          !twin.find(input->get()))
        continue;
      Value source = twin.build(rewriter, input->get());
      rewriter.modifyOpInPlace(op, [&] { input->set(source); });
      rewriter.setInsertionPointAfter(op);
      scaleResult(op, twin.getFactor(), rewriter);
      return success();
    }
    return failure();
  }

private:
  static void scaleResult(linalg::LinalgOp op, const llvm::APFloat &factor,
                          PatternRewriter &rewriter) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    Value empty = tensor::EmptyOp::create(
        rewriter, op.getLoc(), type.getShape(), type.getElementType());
    SmallVector<AffineMap> maps(
        2, rewriter.getMultiDimIdentityMap(type.getRank()));
    SmallVector<utils::IteratorType> parallel(type.getRank(),
                                              utils::IteratorType::parallel);
    auto scaled = linalg::GenericOp::create(
        rewriter, op.getLoc(), type, op->getResult(0), empty, maps, parallel,
        [&](OpBuilder &builder, Location loc, ValueRange arguments) {
          Value number = arith::ConstantOp::create(
              builder, loc,
              builder.getFloatAttr(type.getElementType(), factor));
          Value product =
              arith::MulFOp::create(builder, loc, arguments[0], number);
          linalg::YieldOp::create(builder, loc, product);
        });
    rewriter.replaceAllUsesExcept(op->getResult(0), scaled.getResult(0),
                                  scaled);
  }
};

} // namespace

void mlir::ks::populateHoistScalePatterns(RewritePatternSet &patterns) {
  patterns.add<HoistScale>(patterns.getContext());
}
