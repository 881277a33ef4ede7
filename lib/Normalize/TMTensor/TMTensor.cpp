//===- TMTensor.cpp - The tm_tensor dialect -------------------------------===//
//
// Definitions and verifiers of the operations that TMTensor.td declares. The
// verifiers make sure of what a lowering needs: one type for a result and its
// destination, a body on the element types, dimensions in range.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/TMTensor.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::ks::tm_tensor;

#include "ks/Normalize/TMTensorDialect.cpp.inc"

void TMTensorDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ks/Normalize/TMTensorOps.cpp.inc"
      >();
}

/// Checks results against destinations, and that the body takes `arguments` and
/// yields `yielded`.
static LogicalResult verifyStructure(Operation *op, ValueRange outputs,
                                     TypeRange arguments, TypeRange yielded) {
  if (op->getResultTypes() != outputs.getTypes())
    return op->emitOpError(
        "expects one result of the same type for each of its outs");
  Block &body = op->getRegion(0).front();
  if (TypeRange(body.getArgumentTypes()) != arguments)
    return op->emitOpError("expects a body with arguments ") << arguments;
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield)
    return op->emitOpError("expects a body that ends with tm_tensor.yield");
  if (TypeRange(yield.getOperandTypes()) != yielded)
    return yield.emitOpError("expects operands of types ") << yielded;
  return success();
}

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

LogicalResult ScanOp::verify() {
  if (getInputs().size() != 1 || getOutputs().size() != 2)
    return emitOpError(
        "expects one input, and an output and an accumulator as outs");
  RankedTensorType input = typeOf(getInput()),
                   accumulator = typeOf(getAccumulator());
  int64_t dimension = getDimension();
  if (dimension < 0 || dimension >= input.getRank())
    return emitOpError("expects a dimension from 0 to ") << input.getRank() - 1;
  if (typeOf(getOutput()).getShape() != input.getShape())
    return emitOpError("expects an output of the input's shape");
  SmallVector<int64_t> rest(input.getShape());
  rest.erase(rest.begin() + dimension);
  if (accumulator.getShape() != ArrayRef<int64_t>(rest))
    return emitOpError(
        "expects an accumulator of the input's shape without the dimension");
  Type element = typeOf(getOutput()).getElementType();
  if (input.getElementType() != element ||
      accumulator.getElementType() != element)
    return emitOpError("expects one element type");
  return verifyStructure(*this, getOutputs(), {element, element}, {element});
}

LogicalResult ScatterOp::verify() {
  if (getInputs().size() != 2 || getOutputs().size() != 1)
    return emitOpError("expects updates and indices as ins, and one of outs");
  RankedTensorType updates = typeOf(getUpdates()),
                   indices = typeOf(getIndices()),
                   original = typeOf(getOriginal());
  if (indices.getRank() != 2 || !indices.getElementType().isSignlessInteger())
    return emitOpError("expects indices of rank 2 and of an integer type");
  if (updates.getRank() < 1 || updates.getDimSize(0) != indices.getDimSize(0))
    return emitOpError("expects as many updates as rows of indices");
  ArrayRef<int64_t> map = getDimensionMap();
  if (indices.getDimSize(1) != static_cast<int64_t>(map.size()))
    return emitOpError(
        "expects a dimension_map with an entry for each column of indices");
  int64_t first = original.getRank() - (updates.getRank() - 1);
  if (first < 0)
    return emitOpError(
        "expects updates of at most the original's rank plus one");
  SmallVector<bool> seen(original.getRank());
  for (int64_t dimension : map) {
    if (dimension < 0 || dimension >= original.getRank() || seen[dimension])
      return emitOpError(
          "expects a dimension_map of distinct dimensions of the original");
    seen[dimension] = true;
  }
  for (int64_t d = 0; d < original.getRank(); ++d) {
    if (d < first && !seen[d])
      return emitOpError("dimension ")
             << d << " is neither indexed nor in the updates";
    int64_t size = d < first ? 1 : updates.getDimSize(d - first + 1);
    bool tooLarge = !ShapedType::isDynamic(size) && !original.isDynamicDim(d) &&
                    size > original.getDimSize(d);
    if (tooLarge && updates.getDimSize(0) != 0)
      return emitOpError("the updates exceed dimension ")
             << d << " of the original";
  }
  Type element = original.getElementType();
  if (updates.getElementType() != element)
    return emitOpError("expects updates of the original's element type");
  return verifyStructure(*this, getOutputs(), {element, element}, {element});
}

LogicalResult SortOp::verify() {
  if (!getInputs().empty() || getOutputs().empty())
    return emitOpError("expects no ins, and at least one of outs");
  RankedTensorType first = typeOf(getOutputs()[0]);
  if (static_cast<int64_t>(getDimension()) < 0 ||
      static_cast<int64_t>(getDimension()) >= first.getRank())
    return emitOpError("expects a dimension from 0 to ") << first.getRank() - 1;
  SmallVector<Type> arguments;
  for (Value output : getOutputs()) {
    if (typeOf(output).getShape() != first.getShape())
      return emitOpError("expects outs of one shape");
    arguments.append(2, typeOf(output).getElementType());
  }
  return verifyStructure(*this, getOutputs(), arguments,
                         {IntegerType::get(getContext(), 1)});
}

#define GET_OP_CLASSES
#include "ks/Normalize/TMTensorOps.cpp.inc"
