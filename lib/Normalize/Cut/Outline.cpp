//===- Outline.cpp - Groups of units become kernel functions --------------===//
//
// Clones each group, with the free operations that it reads through, into a
// private function, and leaves calls in the host function. Arguments are
// numbered by first use, so that equal kernels are equal functions; those are
// made one.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/Cut.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::ks;

namespace {

/// One kernel under construction.
class KernelBody {
public:
  KernelBody(const UnitGraph &graph, const Group &group) : graph(graph) {
    for (unsigned unit : group)
      members.insert(graph.units[unit].op);
  }
  /// Clones what `value` needs; values from outside become arguments.
  void clone(Value value, OpBuilder &builder);

  SmallVector<Value> arguments; ///< In the host function.
  IRMapping mapping;
  Block *block = nullptr; ///< Null to collect the arguments only.

private:
  const UnitGraph &graph;
  DenseSet<Operation *> members;
  DenseSet<Value> seen;
};

class Outliner {
public:
  Outliner(func::FuncOp host, const UnitGraph &graph)
      : host(host), graph(graph), symbols(host->getParentOfType<ModuleOp>()) {}
  void run(ArrayRef<Group> groups);

private:
  void collectNeeded(ArrayRef<Group> groups);
  void outline(const Group &group);
  func::FuncOp makeUnique(func::FuncOp kernel);

  func::FuncOp host;
  const UnitGraph &graph;
  SymbolTable symbols;
  Operation *last = nullptr; ///< The function after which the next one goes.
  DenseSet<Value> needed;    ///< Results that have to leave their kernel.
  IRMapping results;         ///< From the units' results to the calls'.
  DenseMap<size_t, SmallVector<func::FuncOp, 1>> kernels; ///< By hash.
};

} // namespace

void KernelBody::clone(Value value, OpBuilder &builder) {
  if (!seen.insert(value).second)
    return;
  Operation *op = value.getDefiningOp();
  if (!op || (graph.unitOf.contains(op) && !members.contains(op))) {
    arguments.push_back(value);
    if (block)
      mapping.map(value, block->addArgument(value.getType(), value.getLoc()));
    return;
  }
  seen.insert(op->result_begin(), op->result_end());
  SetVector<Value> operands;
  operands.insert(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), operands);
  for (Value operand : operands)
    clone(operand, builder);
  if (block)
    builder.clone(*op, mapping);
}

/// Finds the values that pass from one kernel to another or to the caller.
void Outliner::collectNeeded(ArrayRef<Group> groups) {
  OpBuilder builder(host.getContext());
  for (const Group &group : groups) {
    KernelBody body(graph, group);
    for (unsigned unit : group)
      body.clone(graph.units[unit].op->getResult(0), builder);
    needed.insert(body.arguments.begin(), body.arguments.end());
  }
  auto returned = host.getBody().front().getTerminator()->getOperands();
  needed.insert(returned.begin(), returned.end());
}

static size_t hashKernel(func::FuncOp kernel) {
  llvm::hash_code hash = hash_value(kernel.getFunctionType());
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    hash =
        llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                     op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  });
  return static_cast<size_t>(hash);
}

/// Returns the kernel to call: an equal one that is there, or `kernel`.
func::FuncOp Outliner::makeUnique(func::FuncOp kernel) {
  SmallVector<func::FuncOp, 1> &candidates = kernels[hashKernel(kernel)];
  for (func::FuncOp other : candidates)
    if (other.getFunctionType() == kernel.getFunctionType() &&
        OperationEquivalence::isRegionEquivalentTo(
            &other.getBody(), &kernel.getBody(),
            OperationEquivalence::IgnoreLocations)) {
      kernel.erase();
      return other;
    }
  std::string base = kernel.getSymName().str();
  for (unsigned suffix = 2; symbols.lookup(kernel.getSymName()); ++suffix)
    kernel.setSymName(base + "_" + std::to_string(suffix));
  symbols.insert(kernel, std::next(Block::iterator(last)));
  last = kernel;
  candidates.push_back(kernel);
  return kernel;
}

void Outliner::outline(const Group &group) {
  MLIRContext *context = host.getContext();
  Location loc = graph.units[dominantUnit(graph, group)].op->getLoc();
  auto kernel = func::FuncOp::create(loc, kernelName(graph, group),
                                     FunctionType::get(context, {}, {}));
  kernel.setPrivate();
  kernel->setAttr(kernelAttr, UnitAttr::get(context));
  KernelBody body(graph, group);
  body.block = kernel.addEntryBlock();
  OpBuilder builder = OpBuilder::atBlockEnd(body.block);
  SmallVector<Value> outputs, inner;
  SmallVector<Location> locations;
  for (unsigned unit : group) {
    Operation *op = graph.units[unit].op;
    body.clone(op->getResult(0), builder);
    locations.push_back(op->getLoc());
    for (Value result : op->getResults())
      if (needed.contains(result)) {
        outputs.push_back(result);
        inner.push_back(body.mapping.lookup(result));
      }
  }
  func::ReturnOp::create(builder, loc, inner);
  kernel.setFunctionType(FunctionType::get(
      context, body.block->getArgumentTypes(), ValueRange(inner).getTypes()));

  OpBuilder hostBuilder(host.getBody().front().getTerminator());
  SmallVector<Value> operands;
  for (Value argument : body.arguments)
    operands.push_back(results.lookupOrDefault(argument));
  auto call =
      func::CallOp::create(hostBuilder, FusedLoc::get(context, locations),
                           makeUnique(kernel), operands);
  results.map(ValueRange(outputs), call.getResults());
}

void Outliner::run(ArrayRef<Group> groups) {
  Block &body = host.getBody().front();
  collectNeeded(groups);
  SmallVector<Operation *> old;
  for (Operation &op : body.without_terminator())
    old.push_back(&op);
  last = host;
  for (const Group &group : groups)
    outline(group);
  for (OpOperand &operand : body.getTerminator()->getOpOperands())
    operand.set(results.lookup(operand.get()));
  for (Operation *op : llvm::reverse(old))
    op->erase();
}

void mlir::ks::outlineKernels(func::FuncOp func, const UnitGraph &graph,
                              ArrayRef<Group> groups) {
  Outliner(func, graph).run(groups);
}
