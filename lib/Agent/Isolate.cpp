//===- Isolate.cpp - A kernel by itself -----------------------------------===//
//
// The agent's unit of work as text: one kernel and a host function that calls
// it. Locations are left out, so that equal kernels have equal texts.
//
//===----------------------------------------------------------------------===//
#include "ks/Agent/Agent.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::ks;

SmallVector<func::FuncOp> mlir::ks::kernelsOf(ModuleOp module) {
  SmallVector<func::FuncOp> kernels;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPrivate() && !function.isDeclaration())
      kernels.push_back(function);
  return kernels;
}

std::string mlir::ks::isolate(func::FuncOp kernel, const Knobs *knobs) {
  Location loc = UnknownLoc::get(kernel.getContext());
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  auto host = func::FuncOp::create(builder, loc,
                                   kernel.getName() == "main" ? "host" : "main",
                                   kernel.getFunctionType());
  auto copy = cast<func::FuncOp>(builder.clone(*kernel));
  copy->removeAttr("ks.knobs");
  if (knobs)
    knobs->set(copy);
  builder.setInsertionPointToStart(host.addEntryBlock());
  auto call = func::CallOp::create(builder, loc, copy, host.getArguments());
  func::ReturnOp::create(builder, loc, call.getResults());

  std::string text;
  llvm::raw_string_ostream out(text);
  module->print(out);
  return text;
}
