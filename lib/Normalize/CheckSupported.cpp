//===- CheckSupported.cpp - What a cut graph cannot hold ------------------===//
//
// The end of normalization: names the first operation of each function that is
// not of the kinds that the cut and the lowering take.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/CountedLoop.h"
#include "ks/Normalize/Patterns.h"
#include "ks/Normalize/TMTensor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ks;

static bool isSupportedElement(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex.getElementType().isF32();
  return type.isF64() || type.isF32() || type.isF16() || type.isBF16() ||
         (type.isSignlessInteger() &&
          llvm::is_contained({1, 8, 16, 32, 64}, type.getIntOrFloatBitWidth()));
}

/// Says why `type` cannot be a tensor of a cut graph; null if it can.
static const char *objection(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (isa<UnrankedTensorType>(type))
    return "dynamic rank is not supported";
  if (!tensor)
    return "only tensors are supported between operations";
  if (!tensor.hasStaticShape())
    return "dynamic dimension is not supported";
  if (tensor.getEncoding())
    return "tensor encoding is not supported";
  if (!isSupportedElement(tensor.getElementType()))
    return "element type is not supported";
  int64_t bytes = 16;
  for (int64_t size : tensor.getShape())
    if (size != 0 && llvm::MulOverflow(bytes, size, bytes))
      return "size does not fit 64 bits";
  return nullptr;
}

static LogicalResult checkTypes(Operation *op, TypeRange types) {
  for (Type type : types)
    if (const char *reason = objection(type))
      return op->emitOpError() << reason << ": " << type;
  return success();
}

template <typename OpTy>
static LogicalResult checkReshape(OpTy op, int64_t rank) {
  // To and from rank 0 there is nothing to group.
  if (op.getReassociationIndices().empty())
    return success();
  int64_t next = 0;
  for (ArrayRef<int64_t> group : op.getReassociationIndices())
    for (int64_t dim : group)
      if (dim != next++)
        return op.emitOpError("groups dimensions out of order");
  if (next != rank)
    return op.emitOpError("does not group every dimension");
  return success();
}

LogicalResult mlir::ks::checkReshapes(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    LogicalResult fine = success();
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
      fine = checkReshape(expand, expand.getResultType().getRank());
    else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
      fine = checkReshape(collapse, collapse.getSrcType().getRank());
    return failed(fine) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// What stands in the body of a structured operation.
static LogicalResult checkBody(Operation *parent) {
  WalkResult result = parent->walk([&](Operation *op) {
    if (op == parent)
      return WalkResult::advance();
    bool known = isa<linalg::IndexOp, linalg::YieldOp, tensor::YieldOp,
                     tensor::ExtractOp, tm_tensor::YieldOp, cf::AssertOp>(op) ||
                 isa_and_nonnull<arith::ArithDialect, math::MathDialect,
                                 complex::ComplexDialect>(op->getDialect());
    if (!known) {
      op->emitOpError("is not supported in the body of ") << parent->getName();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

static bool isScalar(Operation &op) {
  return op.getNumResults() != 0 &&
         llvm::none_of(op.getResultTypes(), llvm::IsaPred<ShapedType>);
}

static LogicalResult checkBlock(Block &block);

static LogicalResult checkOperation(Operation &op) {
  if (isa<arith::ConstantOp, complex::ConstantOp>(op) &&
      !isa<ShapedType>(op.getResult(0).getType()))
    return success();
  if (isa<func::ReturnOp>(op))
    return checkTypes(&op, op.getOperandTypes());
  if (isa<scf::YieldOp>(op))
    return success();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (failed(checkLoop(loop)) || failed(checkTypes(&op, op.getResultTypes())))
      return failure();
    return checkBlock(*loop.getBody());
  }
  bool structured = isa<linalg::LinalgOp, tensor::PadOp, tm_tensor::ScanOp,
                        tm_tensor::ScatterOp, tm_tensor::SortOp>(op);
  if (!structured &&
      !isa<arith::ConstantOp, tensor::EmptyOp, tensor::ExpandShapeOp,
           tensor::CollapseShapeOp, tensor::ExtractSliceOp,
           tensor::InsertSliceOp, tensor::ConcatOp>(op)) {
    // A dynamic size is the likelier reason than the operation that mentions
    // it.
    if (isa_and_nonnull<tensor::TensorDialect>(op.getDialect()))
      if (failed(checkTypes(&op, op.getResultTypes())))
        return failure();
    return op.emitOpError("is not supported in an imported graph");
  }
  if (failed(checkTypes(&op, op.getResultTypes())))
    return failure();
  if (scf::ForOp loop = loopOfRow(&op))
    return checkRow(&op, loop);
  // Offsets and sizes that are computed at run time.
  if (auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op))
    if (llvm::any_of(slice.getMixedOffsets(),
                     [](OpFoldResult f) { return isa<Value>(f); }) ||
        llvm::any_of(slice.getMixedStrides(),
                     [](OpFoldResult f) { return isa<Value>(f); }))
      return op.emitOpError("dynamic offset is not supported, but for one row "
                            "at a loop's own counter");
  return structured ? checkBody(&op) : success();
}

static LogicalResult checkBlock(Block &block) {
  // A scalar that is left has a reader that could not compute it: name that.
  for (bool scalars : {false, true})
    for (Operation &op : block)
      if (isScalar(op) == scalars && failed(checkOperation(op)))
        return failure();
  return success();
}

LogicalResult mlir::ks::checkSupported(ModuleOp module) {
  for (Operation &op : *module.getBody()) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function)
      return op.emitOpError("is not supported in an imported module");
    if (failed(checkTypes(function, function.getArgumentTypes())) ||
        failed(checkTypes(function, function.getResultTypes())))
      return failure();
    if (function.isExternal())
      return function.emitOpError("has no body");
    if (!function.getBody().hasOneBlock())
      return function.emitOpError("control flow is not supported");
    if (failed(checkBlock(function.front())))
      return failure();
  }
  return success();
}
