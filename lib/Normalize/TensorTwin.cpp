//===- TensorTwin.cpp - Another tensor, made in the same way --------------===//
//
// See TensorTwin.h.
//
//===----------------------------------------------------------------------===//
#include "TensorTwin.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::ks;

/// The longest chain of moves that is followed.
static constexpr unsigned maxDepth = 16;

/// The argument for the one input of an elementwise operation that is all that
/// its one result is computed from; null if there is more to it.
static BlockArgument onlyInput(linalg::LinalgOp op) {
  if (!op || !op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 ||
      op->getNumResults() != 1 || op->getNumRegions() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation() ||
      !op.getRegionOutputArgs()[0].use_empty() ||
      !isa<RankedTensorType>(op->getOperand(0).getType()))
    return nullptr;
  return op.getBlock()->getArgument(0);
}

static Value yieldedBy(linalg::LinalgOp op) {
  return op.getBlock()->getTerminator()->getOperand(0);
}

TypedAttr TensorTwin::twinOf(Value scalar) const {
  TypedAttr attr;
  if (!matchPattern(scalar, m_Constant(&attr)))
    return nullptr;
  return constant(attr);
}

bool TensorTwin::follows(Value tensor, unsigned depth) {
  Operation *op = tensor.getDefiningOp();
  if (!op || depth > maxDepth)
    return false;
  if (depth == 0)
    constants.clear();
  bool found = false;
  if (auto fill = dyn_cast<linalg::FillOp>(op)) {
    constants.push_back(fill.getInputs()[0]);
    found = true;
  } else if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    if (BlockArgument argument = onlyInput(structured)) {
      Value yielded = yieldedBy(structured);
      found = yielded == argument ? follows(op->getOperand(0), depth + 1)
                                  : isRoot(argument, yielded);
    }
  } else if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                 tensor::ExtractSliceOp>(op)) {
    found = follows(op->getOperand(0), depth + 1);
  } else if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    Value padding = pad.getConstantPaddingValue();
    constants.push_back(padding);
    found = padding && follows(pad.getSource(), depth + 1);
  } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    found = follows(insert.getSource(), depth + 1) &&
            follows(insert.getDest(), depth + 1);
  } else if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    found = llvm::all_of(concat.getInputs(), [&](Value input) {
      return follows(input, depth + 1);
    });
  }
  if (depth == 0 && found)
    found = element && llvm::all_of(constants, [&](Value scalar) {
              return static_cast<bool>(twinOf(scalar));
            });
  return found;
}

/// `source`, moved as `op` moves its input.
Value TensorTwin::moved(OpBuilder &builder, linalg::LinalgOp op, Value source) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (llvm::all_of(maps, [](AffineMap map) { return map.isIdentity(); }))
    return source;
  Value empty =
      tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(), element);
  return linalg::GenericOp::create(
             builder, op.getLoc(), empty.getType(), source, empty, maps,
             op.getIteratorTypesArray(),
             [](OpBuilder &inner, Location loc, ValueRange arguments) {
               linalg::YieldOp::create(inner, loc, arguments[0]);
             })
      .getResult(0);
}

Value TensorTwin::build(OpBuilder &builder, Value tensor) {
  Operation *op = tensor.getDefiningOp();
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(tensor.getType()).clone(element);
  if (auto fill = dyn_cast<linalg::FillOp>(op)) {
    Value scalar =
        arith::ConstantOp::create(builder, loc, twinOf(fill.getInputs()[0]));
    Value empty =
        tensor::EmptyOp::create(builder, loc, type.getShape(), element);
    return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
  }
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    bool isMove = yieldedBy(structured) == onlyInput(structured);
    Value source = op->getOperand(0);
    return moved(builder, structured, isMove ? build(builder, source) : source);
  }
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    Value source = build(builder, pad.getSource());
    Value scalar = arith::ConstantOp::create(
        builder, loc, twinOf(pad.getConstantPaddingValue()));
    return tensor::PadOp::create(builder, loc, type, source,
                                 pad.getMixedLowPad(), pad.getMixedHighPad(),
                                 scalar);
  }
  // Views and joins: the same operation on twins.
  SmallVector<Value> operands(op->getOperands());
  for (Value &operand : operands)
    if (isa<RankedTensorType>(operand.getType()))
      operand = build(builder, operand);
  OperationState state(loc, op->getName());
  state.addOperands(operands);
  state.addTypes(type);
  state.addAttributes(llvm::to_vector(op->getDiscardableAttrs()));
  state.propertiesAttr = op->getPropertiesAsAttribute();
  return builder.create(state)->getResult(0);
}
