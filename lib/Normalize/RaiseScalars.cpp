//===- RaiseScalars.cpp - Scalars between tensor operations ---------------===//
//
// A scalar that is computed between the operations of a function (an element
// taken out, arithmetic on it) would have to be computed by the host. Instead,
// what reads it computes it: the scalar operations are copied into the bodies
// of its readers, or into a rank-0 linalg.generic where the reader has no body.
// Elementwise constructors (tensor.generate, splat, from_elements, insert)
// become structured operations, and scalar arguments and results become tensors
// of rank 0.
//
//===----------------------------------------------------------------------===//
#include "RaiseScalars.h"

#include "ks/Normalize/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::ks;

/// A scalar that is neither an argument nor a constant.
static bool isComputed(Value value) {
  Operation *op = value.getDefiningOp();
  return op && !isa<ShapedType>(value.getType()) &&
         !op->hasTrait<OpTrait::ConstantLike>() && !isa<scf::ForOp>(op) &&
         isa<func::FuncOp, scf::ForOp>(op->getParentOp());
}

/// Copies what computes `scalar` to the builder's place.
static Value cloneSlice(OpBuilder &builder, Value scalar, IRMapping &mapping) {
  if (!isComputed(scalar))
    return scalar;
  if (Value done = mapping.lookupOrNull(scalar))
    return done;
  Operation *op = scalar.getDefiningOp();
  for (Value operand : op->getOperands())
    if (Value copy = cloneSlice(builder, operand, mapping); copy != operand)
      mapping.map(operand, copy);
  builder.clone(*op, mapping);
  return mapping.lookup(scalar);
}

Value mlir::ks::generateTensor(
    OpBuilder &builder, Location loc, RankedTensorType type,
    function_ref<Value(OpBuilder &, ValueRange)> body) {
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  int64_t rank = type.getRank();
  SmallVector<AffineMap> maps{builder.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto build = [&](OpBuilder &inner, Location loc, ValueRange) {
    SmallVector<Value> indices;
    for (int64_t d = 0; d < rank; ++d)
      indices.push_back(linalg::IndexOp::create(inner, loc, d));
    linalg::YieldOp::create(inner, loc, body(inner, indices));
  };
  return linalg::GenericOp::create(builder, loc, type, ValueRange(), empty,
                                   maps, iterators, build)
      .getResult(0);
}

Value mlir::ks::spread(OpBuilder &builder, Location loc, Value scalar,
                       ArrayRef<int64_t> shape) {
  auto extract = scalar.getDefiningOp<tensor::ExtractOp>();
  if (extract && extract.getIndices().empty() && shape.empty())
    return extract.getTensor();
  auto type = RankedTensorType::get(shape, scalar.getType());
  return generateTensor(builder, loc, type, [&](OpBuilder &inner, ValueRange) {
    IRMapping mapping;
    return cloneSlice(inner, scalar, mapping);
  });
}

/// Puts what computes the scalars into the body of a linalg operation.
static void sinkInto(RewriterBase &rewriter, linalg::LinalgOp op) {
  if (!isa<linalg::GenericOp>(op) &&
      llvm::any_of(op->getOperands(), isComputed)) {
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::GenericOp> generic =
        linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      return;
    op = *generic;
  }
  rewriter.setInsertionPointToStart(op.getBlock());
  IRMapping mapping;
  for (OpOperand *input : op.getDpsInputOperands())
    if (isComputed(input->get()))
      op.getMatchingBlockArgument(input).replaceAllUsesWith(
          cloneSlice(rewriter, input->get(), mapping));
  op.getBlock()->walk([&](Operation *inner) {
    for (OpOperand &operand : inner->getOpOperands())
      if (isComputed(operand.get()))
        operand.set(cloneSlice(rewriter, operand.get(), mapping));
  });
}

/// Constant indices as numbers; nothing if one is computed.
static std::optional<SmallVector<int64_t>> constantIndices(ValueRange indices) {
  SmallVector<int64_t> result;
  for (Value index : indices) {
    std::optional<int64_t> value = getConstantIntValue(index);
    if (!value)
      return std::nullopt;
    result.push_back(*value);
  }
  return result;
}

static void raiseInsert(RewriterBase &rewriter, tensor::InsertOp op) {
  std::optional<SmallVector<int64_t>> at = constantIndices(op.getIndices());
  if (!at)
    return;
  Value element = spread(rewriter, op.getLoc(), op.getScalar(), {});
  SmallVector<OpFoldResult> offsets =
      getAsIndexOpFoldResult(op.getContext(), *at);
  SmallVector<OpFoldResult> ones(at->size(), rewriter.getIndexAttr(1));
  if (at->empty())
    rewriter.replaceOp(op, element);
  else
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
        op, element, op.getDest(), offsets, ones, ones);
}

static void raiseFromElements(RewriterBase &rewriter,
                              tensor::FromElementsOp op) {
  Location loc = op.getLoc();
  RankedTensorType type = op.getType();
  if (op.getElements().size() == 1)
    return rewriter.replaceOp(
        op, spread(rewriter, loc, op.getElements()[0], type.getShape()));
  SmallVector<Value> parts;
  for (Value element : op.getElements())
    parts.push_back(spread(rewriter, loc, element, {1}));
  Value list = tensor::ConcatOp::create(rewriter, loc, 0, parts);
  if (type.getRank() == 1)
    return rewriter.replaceOp(op, list);
  SmallVector<ReassociationIndices> all(1);
  all[0] = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(op, type, list, all);
}

static void raiseGenerate(RewriterBase &rewriter, tensor::GenerateOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  Value result = generateTensor(
      rewriter, op.getLoc(), type, [&](OpBuilder &inner, ValueRange indices) {
        IRMapping mapping;
        mapping.map(op.getBody().front().getArguments(), indices);
        for (Operation &each : op.getBody().front().without_terminator())
          inner.clone(each, mapping);
        return mapping.lookupOrDefault(
            op.getBody().front().getTerminator()->getOperand(0));
      });
  rewriter.replaceOp(op, result);
}

static bool isElement(Type type) {
  return type.isFloat() || type.isSignlessInteger();
}

/// Makes scalar arguments of a function tensors of rank 0.
static void raiseArguments(RewriterBase &rewriter, Block &block) {
  rewriter.setInsertionPointToStart(&block);
  for (BlockArgument argument : block.getArguments()) {
    Type type = argument.getType();
    if (!isElement(type))
      continue;
    argument.setType(RankedTensorType::get({}, type));
    Value element = tensor::ExtractOp::create(rewriter, argument.getLoc(),
                                              argument, ValueRange());
    argument.replaceAllUsesExcept(element, element.getDefiningOp());
  }
}

static void raiseResults(RewriterBase &rewriter, Operation *end) {
  rewriter.setInsertionPoint(end);
  for (OpOperand &operand : end->getOpOperands())
    if (isElement(operand.get().getType()))
      operand.set(spread(rewriter, end->getLoc(), operand.get(), {}));
}

static void raiseConstructors(RewriterBase &rewriter, Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    rewriter.setInsertionPoint(&op);
    auto shaped = op.getNumResults() == 1
                      ? dyn_cast<ShapedType>(op.getResult(0).getType())
                      : nullptr;
    if (!shaped || !shaped.hasStaticShape())
      continue;
    if (auto insert = dyn_cast<tensor::InsertOp>(op))
      raiseInsert(rewriter, insert);
    else if (auto elements = dyn_cast<tensor::FromElementsOp>(op))
      raiseFromElements(rewriter, elements);
    else if (auto splat = dyn_cast<tensor::SplatOp>(op))
      rewriter.replaceOp(splat, spread(rewriter, op.getLoc(), splat.getInput(),
                                       splat.getType().getShape()));
    else if (auto generate = dyn_cast<tensor::GenerateOp>(op))
      raiseGenerate(rewriter, generate);
  }
}

void mlir::ks::raiseScalars(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.getBody().hasOneBlock() ||
        !isa<func::ReturnOp>(function.front().getTerminator()))
      continue;
    Block &body = function.front();
    SmallVector<Block *> blocks = {&body};
    raiseArguments(rewriter, body);
    for (auto loop : function.getOps<scf::ForOp>()) {
      raiseLoop(rewriter, loop);
      blocks.push_back(loop.getBody());
    }
    raiseResults(rewriter, body.getTerminator());
    function.setFunctionType(rewriter.getFunctionType(
        body.getArgumentTypes(), body.getTerminator()->getOperandTypes()));
    // Constructors first: what they become may read scalars itself.
    for (Block *block : blocks)
      raiseConstructors(rewriter, *block);
    for (Block *block : blocks)
      for (Operation &op : llvm::make_early_inc_range(*block))
        if (auto structured = dyn_cast<linalg::LinalgOp>(op))
          sinkInto(rewriter, structured);
    // Scalars that nothing reads any more, last first.
    for (Block *block : llvm::reverse(blocks))
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block)))
        if (op.getNumResults() == 1 && isComputed(op.getResult(0)) &&
            isOpTriviallyDead(&op))
          rewriter.eraseOp(&op);
  }
}
