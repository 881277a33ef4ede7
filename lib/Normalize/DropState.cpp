//===- DropState.cpp - Globals become their initial values ----------------===//
//
// torch-mlir keeps the seed of PyTorch's random numbers in an ml_program
// global. A compiled graph is a function of its arguments: loads give the
// initial value.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::ks;

/// The constant that `load` gives; null, with an error, if there is none.
template <typename Load>
static arith::ConstantOp initialValue(Load load,
                                      SymbolTableCollection &symbols) {
  auto global = symbols.lookupNearestSymbolFrom<ml_program::GlobalOp>(
      load, load.getGlobalAttr());
  auto value =
      global ? dyn_cast_or_null<TypedAttr>(global.getValueAttr()) : TypedAttr();
  if (!value || value.getType() != load.getType()) {
    load.emitOpError("loads the global ")
        << load.getGlobalAttr() << " without an initial value";
    return nullptr;
  }
  OpBuilder builder(load);
  return arith::ConstantOp::create(builder, load.getLoc(), value);
}

LogicalResult mlir::ks::dropState(ModuleOp module) {
  SymbolTableCollection symbols;
  SmallVector<Operation *> dead;
  WalkResult result = module.walk([&](Operation *op) {
    arith::ConstantOp value;
    if (auto load = dyn_cast<ml_program::GlobalLoadOp>(op))
      value = initialValue(load, symbols);
    else if (auto load = dyn_cast<ml_program::GlobalLoadConstOp>(op))
      value = initialValue(load, symbols);
    else if (auto store = dyn_cast<ml_program::GlobalStoreOp>(op))
      remark::missed(
          op->getLoc(),
          remark::RemarkOpts::name("drop-state").category(normalizeCategory))
          << "state is not kept: the store to a global is dropped";
    else if (!isa<ml_program::GlobalOp>(op))
      return WalkResult::advance();
    if (isa<ml_program::GlobalLoadOp, ml_program::GlobalLoadConstOp>(op)) {
      if (!value)
        return WalkResult::interrupt();
      op->replaceAllUsesWith(value);
    }
    dead.push_back(op);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  for (Operation *op : dead)
    op->erase();
  return success();
}
