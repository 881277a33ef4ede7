//===- Outline.cpp - Groups of units become kernel functions --------------===//
//
// Clones each group, with the free operations that it reads through, into a
// private function, and leaves calls in the host function. Arguments are
// numbered by first use, so that equal kernels are equal functions; those are
// made one.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/CountedLoop.h"
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
  KernelBody(const DenseSet<Operation *> &units, const UnitGraph &graph,
             const Group &group)
      : units(units) {
    for (unsigned unit : group)
      members.insert(graph.units[unit].op);
  }
  /// Clones what `value` needs; values from outside become arguments.
  void clone(Value value, OpBuilder &builder);

  SmallVector<Value> arguments; ///< In the host function.
  IRMapping mapping;
  Block *block = nullptr; ///< Null to collect the arguments only.

private:
  const DenseSet<Operation *> &units; ///< Of all blocks.
  DenseSet<Operation *> members;
  DenseSet<Value> seen;
};

class Outliner {
public:
  Outliner(func::FuncOp host, ArrayRef<CutBlock> blocks)
      : host(host), blocks(blocks), symbols(host->getParentOfType<ModuleOp>()) {
    for (const CutBlock &block : blocks)
      for (const Unit &unit : block.graph.units)
        units.insert(unit.op);
  }
  void run();

private:
  void collectNeeded();
  void outline(const CutBlock &block);
  void outline(const CutBlock &block, const Group &group);
  void outlineLoop(scf::ForOp loop);
  void place(Operation *op, Block &block);
  func::FuncOp makeUnique(func::FuncOp kernel);

  func::FuncOp host;
  ArrayRef<CutBlock> blocks;
  DenseSet<Operation *> units; ///< Of all blocks.
  SymbolTable symbols;
  Operation *last = nullptr; ///< The function after which the next one goes.
  DenseSet<Value> needed;    ///< Results that have to leave their kernel.
  IRMapping results;         ///< From the units' results to the calls'.
  DenseSet<Operation *> pending; ///< Stay in the host, and are to be placed.
  DenseMap<size_t, SmallVector<func::FuncOp, 1>> kernels; ///< By hash.
};

} // namespace

void KernelBody::clone(Value value, OpBuilder &builder) {
  if (!seen.insert(value).second)
    return;
  Operation *op = value.getDefiningOp();
  if (!op || staysInHost(op) || (units.contains(op) && !members.contains(op))) {
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

/// Finds the values that pass from one kernel to another or to the host.
void Outliner::collectNeeded() {
  OpBuilder builder(host.getContext());
  for (const CutBlock &block : blocks) {
    for (const Group &group : block.groups) {
      if (isa<scf::ForOp>(block.graph.units[group[0]].op))
        continue;
      KernelBody body(units, block.graph, group);
      for (unsigned unit : group)
        body.clone(block.graph.units[unit].op->getResult(0), builder);
      needed.insert(body.arguments.begin(), body.arguments.end());
    }
    SmallVector<Value> values = hostValuesOf(*block.block);
    needed.insert(values.begin(), values.end());
  }
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

void Outliner::outline(const CutBlock &block, const Group &group) {
  const UnitGraph &graph = block.graph;
  if (auto loop = dyn_cast<scf::ForOp>(graph.units[group[0]].op))
    return outlineLoop(loop);
  MLIRContext *context = host.getContext();
  Location loc = graph.units[dominantUnit(graph, group)].op->getLoc();
  auto kernel = func::FuncOp::create(loc, kernelName(graph, group),
                                     FunctionType::get(context, {}, {}));
  kernel.setPrivate();
  kernel->setAttr(kernelAttr, UnitAttr::get(context));
  KernelBody body(units, graph, group);
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

  OpBuilder hostBuilder(block.block->getTerminator());
  SmallVector<Value> operands;
  for (Value argument : body.arguments)
    operands.push_back(results.lookupOrDefault(argument));
  auto call =
      func::CallOp::create(hostBuilder, FusedLoc::get(context, locations),
                           makeUnique(kernel), operands);
  results.map(ValueRange(outputs), call.getResults());
}

/// Puts what stays in the host behind the calls so far, with what they return.
void Outliner::place(Operation *op, Block &block) {
  for (Value operand : op->getOperands())
    if (Operation *source = operand.getDefiningOp();
        source && source->getBlock() == &block && pending.contains(source))
      place(source, block);
  pending.erase(op);
  op->moveBefore(block.getTerminator());
  for (OpOperand &operand : op->getOpOperands())
    operand.set(results.lookupOrDefault(operand.get()));
}

void Outliner::outlineLoop(scf::ForOp loop) {
  Block &outer = *loop->getBlock();
  // Reshapes of what its rows are read from go before it.
  for (auto row : loop.getBody()->getOps<tensor::ExtractSliceOp>()) {
    if (!staysInHost(row))
      continue;
    Operation *source = row.getSource().getDefiningOp();
    if (source && source->getBlock() == &outer && pending.contains(source))
      place(source, outer);
    row.getSourceMutable().set(results.lookupOrDefault(row.getSource()));
  }
  place(loop, outer);
  outline(*llvm::find_if(blocks, [&](const CutBlock &block) {
    return block.block == loop.getBody();
  }));
}

void Outliner::outline(const CutBlock &block) {
  Block &body = *block.block;
  SmallVector<Operation *> old;
  for (Operation &op : body.without_terminator()) {
    old.push_back(&op);
    // Rows that are read stand where they are: nothing in the body goes before.
    if (staysInHost(&op) && !isa<tensor::ExtractSliceOp>(op))
      pending.insert(&op);
  }
  for (const Group &group : block.groups)
    outline(block, group);
  for (Operation *op : old)
    if (pending.contains(op))
      place(op, body);
  Operation *end = body.getTerminator();
  for (OpOperand &operand : end->getOpOperands())
    operand.set(results.lookupOrDefault(operand.get()));
  // What a loop starts from without a value, and its bounds, stay.
  for (Operation *op : llvm::reverse(old))
    if (op->use_empty())
      op->erase();
}

void Outliner::run() {
  collectNeeded();
  last = host;
  outline(blocks.front());
}

void mlir::ks::outlineKernels(func::FuncOp func, ArrayRef<CutBlock> blocks) {
  Outliner(func, blocks).run();
}
