//===- InlineCalls.cpp - Calls become what they call ----------------------===//
//
// A graph may be written with private functions: a recurrent layer's cell, an
// attention. Normalization sees through no calls, so their bodies take the
// calls' place, innermost first. What a function's `ks.op` calls it goes along
// in the locations of its operations (OpName.h), since kernels are named after
// them.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/OpName.h"
#include "ks/Normalize/Patterns.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::ks;

namespace {

class Inliner {
public:
  explicit Inliner(ModuleOp module) : module(module), symbols(module) {}
  LogicalResult run();

private:
  enum class State { Unknown, Open, Done };

  /// Leaves no call in `function`.
  LogicalResult visit(func::FuncOp function);
  LogicalResult inlineCall(func::CallOp call);

  ModuleOp module;
  SymbolTable symbols;
  DenseMap<Operation *, State> states;
};

} // namespace

/// Where an operation of a callee is after inlining: its own place, the call's,
/// and the name of what both are part of.
static Location placeOf(Location inner, Location call, StringAttr name) {
  Location place = call;
  if (isa<UnknownLoc>(call))
    place = inner;
  else if (!isa<UnknownLoc>(inner))
    place = CallSiteLoc::get(inner, call);
  return name ? withOpName(name, place) : place;
}

LogicalResult Inliner::inlineCall(func::CallOp call) {
  auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
  if (!callee)
    return call.emitOpError("calls '")
           << call.getCallee() << "', which is no function of the module";
  if (callee.isExternal())
    return call.emitOpError("calls '")
           << call.getCallee() << "', which has no body";
  if (failed(visit(callee)))
    return failure();
  if (!callee.getBody().hasOneBlock())
    return callee.emitOpError("control flow is not supported");
  auto name = callee->getAttrOfType<StringAttr>(opNameAttr);
  Block &body = callee.front();
  IRMapping mapping;
  mapping.map(body.getArguments(), call.getOperands());
  OpBuilder builder(call);
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping)->walk([&](Operation *copy) {
      copy->setLoc(placeOf(copy->getLoc(), call.getLoc(), name));
    });
  for (auto [result, value] :
       llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
  return success();
}

LogicalResult Inliner::visit(func::FuncOp function) {
  State &state = states[function];
  if (state == State::Done)
    return success();
  if (state == State::Open)
    return function.emitOpError("calls itself, which is not supported");
  state = State::Open;
  SmallVector<func::CallOp> calls;
  function.walk([&](func::CallOp call) { calls.push_back(call); });
  for (func::CallOp call : calls)
    if (failed(inlineCall(call)))
      return failure();
  states[function] = State::Done;
  return success();
}

LogicalResult Inliner::run() {
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(visit(function)))
      return failure();
  // Without a public function, nothing is known to be unused.
  if (llvm::none_of(module.getOps<func::FuncOp>(),
                    [](func::FuncOp function) { return function.isPublic(); }))
    return success();
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (function.isPrivate() && !function.isExternal())
      function.erase();
  return success();
}

LogicalResult mlir::ks::inlineCalls(ModuleOp module) {
  return Inliner(module).run();
}
