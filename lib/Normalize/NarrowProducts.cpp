//===- NarrowProducts.cpp - Products of extended operands -----------------===//
//
// A half-precision Linear with a bias arrives as a float32 product of operands
// that were extended first, and one of bytes as a product of i32. Products and
// convolutions extend in their bodies: reading the narrow operand is the same
// computation on fewer bytes, and the form that tensor cores take. What moves
// elements between the extension and the product moves the narrow ones.
//
//===----------------------------------------------------------------------===//
#include "Products.h"
#include "TensorTwin.h"
#include "ks/Normalize/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;
using namespace mlir::ks;

namespace {

/// Before extensions, all of one kind and from one type.
class NarrowTwin : public TensorTwin {
public:
  enum class Kind { Float, Signed, Unsigned };
  Kind getKind() const { return kind; }

protected:
  bool isRoot(BlockArgument argument, Value yielded) override {
    Operation *op = yielded.getDefiningOp();
    if (!isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op) ||
        op->getOperand(0) != argument || argument.getType().isInteger(1))
      return false;
    Kind found = isa<arith::ExtFOp>(op)    ? Kind::Float
                 : isa<arith::ExtSIOp>(op) ? Kind::Signed
                                           : Kind::Unsigned;
    if (element && (element != argument.getType() || kind != found))
      return false;
    element = argument.getType();
    kind = found;
    return true;
  }

  /// The constant, if the narrow type holds it.
  TypedAttr constant(TypedAttr scalar) const override {
    if (auto number = dyn_cast<FloatAttr>(scalar)) {
      llvm::APFloat value = number.getValue();
      bool lost = false;
      value.convert(cast<FloatType>(element).getFloatSemantics(),
                    llvm::APFloat::rmNearestTiesToEven, &lost);
      return lost || value.isNaN() ? TypedAttr()
                                   : FloatAttr::get(element, value);
    }
    auto number = cast<IntegerAttr>(scalar);
    unsigned width = element.getIntOrFloatBitWidth();
    bool fits = kind == Kind::Signed ? number.getValue().isSignedIntN(width)
                                     : number.getValue().isIntN(width);
    return fits ? IntegerAttr::get(element, number.getValue().trunc(width))
                : TypedAttr();
  }

private:
  Kind kind = Kind::Float;
};

/// Reads operand `number` of `op` from its twin, and extends in the body.
void narrow(OpBuilder &builder, linalg::LinalgOp op, unsigned number,
            Value twin, NarrowTwin::Kind kind) {
  BlockArgument argument = op.getBlock()->getArgument(number);
  Type wide = argument.getType();
  op->setOperand(number, twin);
  argument.setType(getElementTypeOrSelf(twin));
  builder.setInsertionPointToStart(op.getBlock());
  Value extended;
  switch (kind) {
  case NarrowTwin::Kind::Float:
    extended = arith::ExtFOp::create(builder, op.getLoc(), wide, argument);
    break;
  case NarrowTwin::Kind::Signed:
    extended = arith::ExtSIOp::create(builder, op.getLoc(), wide, argument);
    break;
  case NarrowTwin::Kind::Unsigned:
    extended = arith::ExtUIOp::create(builder, op.getLoc(), wide, argument);
    break;
  }
  argument.replaceAllUsesExcept(extended, extended.getDefiningOp());
}

struct NarrowProduct : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || !isSumOfProducts(op))
      return failure();
    for (OpOperand *input : op.getDpsInputOperands()) {
      NarrowTwin twin;
      if (!isa<RankedTensorType>(input->get().getType()) ||
          !twin.find(input->get()))
        continue;
      // The body of a named operation extends with signs, and is not printed.
      if (!isa<linalg::GenericOp>(*op) &&
          twin.getKind() == NarrowTwin::Kind::Unsigned)
        return linalg::generalizeNamedOp(rewriter, op);
      Value source = twin.build(rewriter, input->get());
      rewriter.modifyOpInPlace(op, [&] {
        narrow(rewriter, op, input->getOperandNumber(), source, twin.getKind());
      });
      return success();
    }
    return failure();
  }
};

} // namespace

void mlir::ks::populateNarrowProductPatterns(RewritePatternSet &patterns) {
  patterns.add<NarrowProduct>(patterns.getContext());
}
