//===- UnitGraph.cpp - The units of a function and who reads whom ---------===//
//
// Builds the graph that the cut works on. An operand is traced back through
// free operations to the units that it reads, with a number for the way it goes
// there: equal numbers mean equal indices, so a value is not evaluated twice.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/CountedLoop.h"
#include "ks/Normalize/Cut.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::ks;

namespace {

/// A unit that a value reads, through free operations.
struct Source {
  unsigned unit;
  uint64_t path; ///< 0 if the indices are the value's own.
};

class GraphBuilder {
public:
  explicit GraphBuilder(Block &block) : block(block) {}
  FailureOr<UnitGraph> build();

private:
  LogicalResult addLoop(scf::ForOp loop);
  LogicalResult addUnit(Operation *op);
  void addUses(unsigned consumer);
  ArrayRef<Source> sourcesOf(Value value);

  Block &block;
  UnitGraph graph;
  DenseSet<Operation *> inHost; ///< Of values of the host function.
  DenseMap<Value, SmallVector<Source, 2>> sources;
};

} // namespace

static uint64_t combine(uint64_t a, uint64_t b) {
  return static_cast<size_t>(llvm::hash_combine(a, b)) | 1;
}

/// Identifies how operand `number` of `op` is indexed, relative to the result's
/// index; 0 for the same index.
static uint64_t accessOf(Operation *op, unsigned number) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    AffineMap map = linalgOp.getMatchingIndexingMap(&op->getOpOperand(number));
    AffineMap result = linalgOp.getIndexingMapsArray().back();
    if (result.isPermutation())
      map = map.compose(inversePermutation(result));
    return map.isIdentity() ? 0 : combine(1, hash_value(map));
  }
  if (OpTrait::hasElementwiseMappableTraits(op) || isa<tensor::CastOp>(op))
    return 0;
  uint64_t hash = static_cast<size_t>(llvm::hash_combine(
      op->getName(), op->getAttrDictionary(), op->getResult(0).getType(),
      op->getOperand(number).getType()));
  return combine(hash, isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                           tensor::ExtractSliceOp, tensor::PadOp>(op)
                           ? 2
                           : number + 3);
}

ArrayRef<Source> GraphBuilder::sourcesOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != &block) // From outside of the loop.
    return {};
  if (auto it = sources.find(value); it != sources.end())
    return it->second;
  SmallVector<Source, 2> found;
  if (auto it = graph.unitOf.find(op); it != graph.unitOf.end()) {
    found.push_back({it->second, 0});
  } else {
    for (OpOperand &operand : op->getOpOperands()) {
      uint64_t step = accessOf(op, operand.getOperandNumber());
      SmallVector<Source, 2> inner(sourcesOf(operand.get()));
      for (Source source : inner) {
        if (step)
          source.path = combine(step, source.path);
        found.push_back(source);
      }
    }
    SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    for (Value outer : captured) {
      SmallVector<Source, 2> inner(sourcesOf(outer));
      found.append(inner);
    }
  }
  return sources[value] = std::move(found);
}

static bool readsCounter(Operation *op, scf::ForOp loop) {
  return llvm::any_of(loop.getInductionVar().getUsers(),
                      [&](Operation *user) { return op->isAncestor(user); });
}

/// A counted loop is a unit, which reads all that its body reads.
LogicalResult GraphBuilder::addLoop(scf::ForOp loop) {
  if (!iterationsOf(loop) || !isa<func::FuncOp>(loop->getParentOp()))
    return loop.emitOpError("has no place in a kernel");
  graph.unitOf[loop] = graph.units.size();
  graph.units.push_back(describeUnit(loop));
  graph.units.back().returned = true;
  return success();
}

LogicalResult GraphBuilder::addUnit(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return addLoop(loop);
  if (op->hasTrait<OpTrait::IsTerminator>() || staysInHost(op))
    return success();
  StringRef dialect = op->getName().getDialectNamespace();
  bool known = isa<linalg::LinalgOp>(op) || dialect == "tensor" ||
               dialect == "tm_tensor" || dialect == "arith" ||
               dialect == "math" || dialect == "complex";
  bool onTensors = llvm::all_of(op->getResultTypes(), [](Type type) {
    return !isa<ShapedType>(type) || isa<RankedTensorType>(type);
  });
  if (!known || !onTensors)
    return op->emitOpError("has no place in a kernel");
  if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
      loop && readsCounter(op, loop))
    return op->emitOpError(
        "has no place in a kernel: it reads the counter of a "
        "loop");
  if (!inHost.contains(op) && isFree(op))
    return success();
  if (op->getNumResults() == 0)
    return op->emitOpError("has no place in a kernel");
  graph.unitOf[op] = graph.units.size();
  graph.units.push_back(describeUnit(op));
  graph.units.back().returned = inHost.contains(op);
  return success();
}

void GraphBuilder::addUses(unsigned consumer) {
  Operation *op = graph.units[consumer].op;
  UnitKind kind = graph.units[consumer].kind;
  SmallVector<UnitUse> found;
  auto add = [&](const Source &source, UnitUse use) {
    use.producer = source.unit;
    use.consumer = consumer;
    if (source.path)
      use.access = combine(use.access, source.path);
    for (const UnitUse &other : found)
      if (other.producer == use.producer && other.access == use.access &&
          other.init == use.init && other.captured == use.captured)
        return;
    found.push_back(use);
  };
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    UnitUse use{0, consumer, accessOf(op, operand.getOperandNumber()), 1};
    if (linalgOp && linalgOp.isDpsInit(&operand)) {
      if (!linalgOp.payloadUsesValueFromOperand(&operand))
        continue;
      use.init = kind != UnitKind::Elementwise;
    }
    if (auto type = dyn_cast<RankedTensorType>(operand.get().getType());
        type && kind == UnitKind::Move && type.hasStaticShape() &&
        graph.units[consumer].elements > 0)
      use.share = type.getNumElements() / graph.units[consumer].elements;
    for (const Source &source :
         SmallVector<Source, 2>(sourcesOf(operand.get())))
      add(source, use);
  }
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    for (const Source &source : SmallVector<Source, 2>(sourcesOf(value))) {
      UnitUse use{0, consumer, combine(1, 1), 1};
      use.captured = true;
      add(source, use);
    }
  for (const UnitUse &use : found) {
    graph.units[use.producer].readers.push_back(graph.uses.size());
    graph.units[consumer].reads.push_back(graph.uses.size());
    graph.uses.push_back(use);
  }
}

FailureOr<UnitGraph> GraphBuilder::build() {
  for (Value value : hostValuesOf(block))
    if (Operation *op = value.getDefiningOp(); op && op->getBlock() == &block)
      inHost.insert(op);
  for (Operation &op : block)
    if (failed(addUnit(&op)))
      return failure();
  for (unsigned unit = 0; unit < graph.units.size(); ++unit)
    addUses(unit);
  return std::move(graph);
}

FailureOr<UnitGraph> mlir::ks::buildUnitGraph(Block &block) {
  return GraphBuilder(block).build();
}
