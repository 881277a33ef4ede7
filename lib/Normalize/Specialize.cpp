//===- Specialize.cpp - The ks-specialize pass ----------------------------===//
//
// An export may leave dimensions of its arguments open. This pass closes them:
// the arguments take static types, and the dialects' own canonicalization
// carries the sizes through the graph to the results.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/Passes.h"
#include "ks/Normalize/Patterns.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::ks {
#define GEN_PASS_DEF_SPECIALIZE
#include "ks/Normalize/Passes.h.inc"
} // namespace mlir::ks

using namespace mlir;
using namespace mlir::ks;

/// Of an argument: a name for each open dimension, "" for the others.
static constexpr StringLiteral dimsAttr = "ks.dims";
/// Of a function: for each name the least and the largest size.
static constexpr StringLiteral rangesAttr = "ks.dim_ranges";

namespace {
struct SpecializePass : mlir::ks::impl::SpecializeBase<SpecializePass> {
  using SpecializeBase::SpecializeBase;

protected:
  void runOnOperation() override {
    if (failed(run(getOperation())))
      signalPassFailure();
  }

private:
  LogicalResult run(ModuleOp module);
  LogicalResult readSizes(ModuleOp module);
  LogicalResult checkRanges(func::FuncOp function);
  FailureOr<int64_t> sizeOf(func::FuncOp function, unsigned argument,
                            unsigned dim);
  LogicalResult closeArguments(func::FuncOp function);
  LogicalResult closeResults(func::FuncOp function);

  llvm::StringMap<int64_t> known;
  llvm::StringMap<bool> used;
};
} // namespace

LogicalResult SpecializePass::readSizes(ModuleOp module) {
  for (StringRef text : sizes) {
    auto [name, number] = text.split('=');
    int64_t size = 0;
    if (name.empty() || number.getAsInteger(10, size) || size < 0)
      return module.emitError("ks-specialize: sizes='")
             << text << "' is not of the form name=number";
    if (!known.try_emplace(name, size).second)
      return module.emitError("ks-specialize: sizes gives '")
             << name << "' twice";
  }
  return success();
}

LogicalResult SpecializePass::checkRanges(func::FuncOp function) {
  auto ranges = function->getAttrOfType<DictionaryAttr>(rangesAttr);
  for (NamedAttribute entry :
       ranges ? ranges.getValue() : ArrayRef<NamedAttribute>()) {
    auto range = dyn_cast<DenseI64ArrayAttr>(entry.getValue());
    if (!range || range.size() != 2)
      return function.emitError("has a wrong ") << rangesAttr;
    auto size = known.find(entry.getName().getValue());
    if (size != known.end() &&
        (size->second < range[0] || size->second > range[1]))
      return function.emitError("takes ")
             << entry.getName() << " from " << range[0] << " to " << range[1]
             << ", not " << size->second;
  }
  return success();
}

FailureOr<int64_t> SpecializePass::sizeOf(func::FuncOp function,
                                          unsigned argument, unsigned dim) {
  auto names = function.getArgAttrOfType<ArrayAttr>(argument, dimsAttr);
  StringAttr name;
  if (names && dim < names.size())
    name = dyn_cast<StringAttr>(names[dim]);
  if (!name || name.getValue().empty())
    return function.emitError("argument ")
           << argument << " has no name for its open dimension " << dim
           << " (the attribute " << dimsAttr << ")";
  auto size = known.find(name.getValue());
  if (size == known.end())
    return function.emitError("needs a size for '")
           << name.getValue() << "': ks-specialize=sizes=" << name.getValue()
           << "=...";
  used[name.getValue()] = true;
  return size->second;
}

LogicalResult SpecializePass::closeArguments(func::FuncOp function) {
  OpBuilder b = OpBuilder::atBlockBegin(&function.front());
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || type.hasStaticShape())
      continue;
    SmallVector<int64_t> shape(type.getShape());
    for (auto [dim, size] : llvm::enumerate(shape)) {
      if (!ShapedType::isDynamic(size))
        continue;
      FailureOr<int64_t> found = sizeOf(function, argument.getArgNumber(), dim);
      if (failed(found))
        return failure();
      size = *found;
    }
    argument.setType(type.clone(shape));
    auto cast = tensor::CastOp::create(b, argument.getLoc(), type, argument);
    argument.replaceAllUsesExcept(cast, cast);
    function.removeArgAttr(argument.getArgNumber(), dimsAttr);
  }
  function->removeAttr(rangesAttr);
  function.setType(FunctionType::get(function.getContext(),
                                     function.front().getArgumentTypes(),
                                     function.getResultTypes()));
  return success();
}

LogicalResult SpecializePass::closeResults(func::FuncOp function) {
  Operation *terminator = function.front().getTerminator();
  for (OpOperand &operand : terminator->getOpOperands()) {
    auto cast = operand.get().getDefiningOp<tensor::CastOp>();
    if (cast && cast.getSource().getType().hasStaticShape()) {
      operand.set(cast.getSource());
      if (cast->use_empty())
        cast.erase();
    }
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (type && !type.hasStaticShape())
      return function.emitError("result ")
             << operand.getOperandNumber()
             << " has a size that the arguments' sizes do not tell: " << type;
  }
  function.setType(FunctionType::get(function.getContext(),
                                     function.front().getArgumentTypes(),
                                     terminator->getOperandTypes()));
  return success();
}

LogicalResult SpecializePass::run(ModuleOp module) {
  known.clear();
  used.clear();
  if (failed(readSizes(module)) || failed(inlineCalls(module)))
    return failure();
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() || !function.getBody().hasOneBlock())
      continue;
    if (failed(checkRanges(function)) || failed(closeArguments(function)))
      return failure();
  }
  for (const auto &size : known)
    if (!used.contains(size.getKey()))
      return module.emitError("ks-specialize: no argument has a dimension '")
             << size.getKey() << "'";
  OpPassManager canonicalize(ModuleOp::getOperationName());
  canonicalize.addPass(createCanonicalizerPass());
  RewritePatternSet shapes(module.getContext());
  populateStaticShapePatterns(shapes);
  FrozenRewritePatternSet staticShapes(std::move(shapes));
  // Sizes pass from one loop to the next.
  for (bool changed = true; changed;) {
    if (failed(runPipeline(canonicalize, module)) ||
        failed(applyPatternsGreedily(module, staticShapes,
                                     GreedyRewriteConfig(), &changed)))
      return failure();
  }
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && function.getBody().hasOneBlock() &&
        failed(closeResults(function)))
      return failure();
  return success();
}
