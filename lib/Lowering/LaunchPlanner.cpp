//===- LaunchPlanner.cpp - Which launches a kernel function needs ---------===//
//
// See LaunchPlanner.h. Operations are visited from the results to the
// arguments; each is weighed by how often its elements are read and what one
// costs. Values of one shape share a launch, also those that read each other
// element by element.
//
//===----------------------------------------------------------------------===//

#include "LaunchPlanner.h"

#include "Evaluator.h"
#include "ks/Normalize/TMTensor.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ks;

/// Recomputing that costs more than this many operations an element goes to
/// memory.
static constexpr double recomputeLimit = 32;
/// An element is computed from at most about this many operations in one
/// launch.
static constexpr double inlineLimit = 400;
/// Reductions with fewer results and more terms than these are split.
static constexpr int64_t splitResults = 8192, splitTerms = 4096;

namespace {
struct Node {
  double reads = 0;      ///< How often elements of a result are asked for.
  bool returned = false; ///< The kernel returns a result.
  bool inLoop = false;   ///< Some reader asks from within a reduction's loop.
  bool inMemory = false;
  double cost =
      1; ///< Operations that one element takes, what is in memory apart.
  double size = 1; ///< Operations that are inlined for one element.
  double elements = 1;
};

class Planner {
public:
  explicit Planner(func::FuncOp kernel) : kernel(kernel) {}

  FailureOr<SmallVector<PlannedLaunch>> run();

private:
  void weigh(Operation *op);
  void gatherReads(Operation *op);
  bool goesToMemory(Operation *op);
  using Loads = llvm::MapVector<Operation *, bool>;
  void collectLoads(Value value, bool inPlace, Loads &loads,
                    llvm::DenseMap<Operation *, bool> &seen);
  void place(Operation *op);

  func::FuncOp kernel;
  llvm::DenseMap<Operation *, Node> nodes;
  SmallVector<PlannedLaunch> launches;
  llvm::DenseMap<Operation *, unsigned> launchOf;
};
} // namespace

static bool isFree(Operation *op) {
  return isa<arith::ConstantOp, tensor::EmptyOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp, tensor::ExtractSliceOp, tensor::CastOp,
             linalg::FillOp, tensor::SplatOp, tensor::FromElementsOp>(op) ||
         op->getNumResults() == 0 ||
         !isa<RankedTensorType>(op->getResult(0).getType());
}

static double bodyCost(linalg::LinalgOp op) {
  double cost = 0;
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (isa<math::MathDialect>(inner.getDialect()) &&
        !isa<math::AbsFOp, math::FmaOp, math::SqrtOp, math::FloorOp>(inner))
      cost += 10;
    else if (!isa<linalg::IndexOp>(inner))
      cost += isa<arith::DivFOp>(inner) ? 4 : 1;
  }
  return cost;
}

/// Every tensor that evaluating `op` reads, those read in its body included.
static SmallVector<Value> tensorsRead(Operation *op) {
  SmallVector<Value> tensors;
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()))
      tensors.push_back(operand);
  for (Region &region : op->getRegions())
    region.walk([&](tensor::ExtractOp extract) {
      tensors.push_back(extract.getTensor());
    });
  return tensors;
}

static double elementsOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? std::max<double>(1, type.getNumElements()) : 1;
}

void Planner::weigh(Operation *op) {
  Node &node = nodes[op];
  if (op->getNumResults() > 0)
    node.elements = elementsOf(op->getResult(0));
  double operandCost = 0, size = 1;
  for (Value tensor : tensorsRead(op)) {
    Operation *source = tensor.getDefiningOp();
    if (!source || isa<tensor::EmptyOp, arith::ConstantOp>(source)) {
      operandCost += source ? 0 : 1;
      continue;
    }
    operandCost += nodes[source].cost;
    size += nodes[source].size;
  }
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op); linalgOp && !isFree(op)) {
    double terms = std::max<double>(1, reductionSize(linalgOp));
    node.cost = terms > 1 ? 1 : operandCost + bodyCost(linalgOp);
    size += bodyCost(linalgOp);
  } else {
    node.cost = std::max(operandCost, isFree(op) ? 0.0 : 1.0);
  }
  node.size = std::min(size, 1e9);
}

void Planner::gatherReads(Operation *op) {
  Node &node = nodes[op];
  // Once in memory, each element is computed once.
  double points = node.inMemory ? node.elements : node.reads;
  bool inLoop = !node.inMemory && node.inLoop;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  double terms = linalgOp && !isFree(op)
                     ? static_cast<double>(reductionSize(linalgOp))
                     : 1;
  auto read = [&](Value tensor, double times, bool loop) {
    if (Operation *source = tensor.getDefiningOp()) {
      nodes[source].reads += times;
      nodes[source].inLoop |= loop;
    }
  };
  if (!linalgOp) {
    for (Value tensor : tensorsRead(op))
      read(tensor, isa<tm_tensor::SortOp>(op) ? 3 * elementsOf(tensor) : points,
           inLoop || isa<tm_tensor::TMTensorDialect>(op->getDialect()));
    return;
  }
  for (OpOperand *input : linalgOp.getDpsInputOperands())
    read(input->get(), points * terms, inLoop || terms > 1);
  for (OpOperand &init : linalgOp.getDpsInitsMutable())
    if (terms > 1 || linalgOp.payloadUsesValueFromOperand(&init))
      read(init.get(), points, inLoop);
  for (Region &region : op->getRegions())
    region.walk([&](tensor::ExtractOp extract) {
      read(extract.getTensor(), points * terms, true);
    });
}

bool Planner::goesToMemory(Operation *op) {
  Node &node = nodes[op];
  if (node.returned || isa<tm_tensor::TMTensorDialect>(op->getDialect()))
    return true;
  if (isFree(op))
    return false;
  double ratio = node.reads / node.elements;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (linalgOp && reductionSize(linalgOp) > 1) {
    // Only an epilogue that reads each result once may hold the loop.
    bool ordered;
    if (reductionSize(linalgOp) >= splitTerms && node.elements < splitResults &&
        canSplit(linalgOp, ordered))
      return true;
    return ratio > 1 || node.inLoop || !op->hasOneUse();
  }
  if (node.size > inlineLimit && ratio > 0)
    return true;
  return (ratio - 1) * (node.cost - 1) > recomputeLimit;
}

/// True if `op` reads `operand` for each result element at that element's
/// index.
static bool readsInPlace(Operation *op, OpOperand &operand) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp &&
         llvm::all_of(linalgOp.getDpsInitsMutable(), [&](OpOperand &init) {
           return linalgOp.getMatchingIndexingMap(&init) ==
                  linalgOp.getMatchingIndexingMap(&operand);
         });
}

/// What evaluating `value` loads that other launches compute, and whether all
/// of that is read at the index of the element that is evaluated; `inPlace`
/// tells how `value` itself is read.
void Planner::collectLoads(Value value, bool inPlace, Loads &loads,
                           llvm::DenseMap<Operation *, bool> &seen) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return;
  auto [visited, first] = seen.try_emplace(op, inPlace);
  if (!first && (inPlace || !visited->second))
    return;
  visited->second = inPlace;
  auto read = [&](Value tensor, bool here) {
    Operation *source = tensor.getDefiningOp();
    if (source && nodes[source].inMemory)
      loads.insert({source, true}).first->second &= here;
    else
      collectLoads(tensor, here, loads, seen);
  };
  for (OpOperand &operand : op->getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()))
      read(operand.get(), inPlace && readsInPlace(op, operand));
  for (Region &region : op->getRegions())
    region.walk(
        [&](tensor::ExtractOp extract) { read(extract.getTensor(), false); });
}

void Planner::place(Operation *op) {
  PlannedLaunch launch;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  int64_t terms = linalgOp && !isFree(op) ? reductionSize(linalgOp) : 1;
  bool ordered;
  if (isa<tm_tensor::ScanOp>(op))
    launch.kind = PlannedLaunch::Kind::Scan;
  else if (isa<tm_tensor::SortOp>(op))
    launch.kind = PlannedLaunch::Kind::Sort;
  else if (isa<tm_tensor::ScatterOp>(op))
    launch.kind = PlannedLaunch::Kind::Scatter;
  else if (terms >= splitTerms && nodes[op].elements < splitResults &&
           canSplit(linalgOp, ordered))
    launch.kind = PlannedLaunch::Kind::Split;

  for (Value result : op->getResults())
    if (launch.kind != PlannedLaunch::Kind::Elements || !result.use_empty())
      launch.values.push_back(result);
  if (launch.values.empty())
    return;

  // Join the last launch of the same shape, if nothing it must wait for is
  // later.
  if (launch.kind == PlannedLaunch::Kind::Elements) {
    bool sameShape = llvm::all_of(launch.values, [&](Value value) {
      return cast<RankedTensorType>(value.getType()).getShape() ==
             cast<RankedTensorType>(launch.values[0].getType()).getShape();
    });
    if (!sameShape) {
      // Results of different shapes are computed apart.
      for (Value value : launch.values) {
        launchOf[op] = launches.size();
        launches.push_back({PlannedLaunch::Kind::Elements, {value}});
      }
      return;
    }
    Loads loads;
    llvm::DenseMap<Operation *, bool> seen;
    for (Value value : launch.values)
      collectLoads(value, /*inPlace=*/true, loads, seen);
    // What a thread reads where it has just computed, it need not wait for.
    unsigned earliest = 0;
    llvm::DenseSet<unsigned> joined;
    for (auto [load, inPlace] : loads) {
      earliest = std::max(earliest, launchOf[load] + !inPlace);
      if (inPlace)
        joined.insert(launchOf[load]);
    }
    for (unsigned i = launches.size(); i > earliest; --i) {
      PlannedLaunch &candidate = launches[i - 1];
      Operation *first = candidate.values[0].getDefiningOp();
      auto firstLinalg = dyn_cast<linalg::LinalgOp>(first);
      bool reduces =
          terms > 1 || (firstLinalg && reductionSize(firstLinalg) > 1);
      bool sameInputs =
          firstLinalg && linalgOp &&
          llvm::equal(firstLinalg.getDpsInputs(), linalgOp.getDpsInputs());
      if (candidate.kind != PlannedLaunch::Kind::Elements ||
          (reduces && !sameInputs && !(terms == 1 && joined.contains(i - 1))) ||
          candidate.values.size() >= 16 ||
          cast<RankedTensorType>(candidate.values[0].getType()).getShape() !=
              cast<RankedTensorType>(launch.values[0].getType()).getShape())
        continue;
      candidate.values.append(launch.values);
      launchOf[op] = i - 1;
      return;
    }
  }
  launchOf[op] = launches.size();
  launches.push_back(std::move(launch));
}

FailureOr<SmallVector<PlannedLaunch>> Planner::run() {
  Block &body = kernel.getBody().front();
  for (Operation &op : body.without_terminator()) {
    for (Type type : op.getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type);
          tensor && !tensor.hasStaticShape())
        return op.emitError("dynamic dimensions are not supported");
    weigh(&op);
  }
  for (Value result : body.getTerminator()->getOperands())
    if (Operation *op = result.getDefiningOp())
      nodes[op].returned = true;
  for (Operation &op : llvm::reverse(body.without_terminator())) {
    Node &node = nodes[&op];
    if (node.reads == 0 && !node.returned)
      continue;
    node.inMemory = goesToMemory(&op);
    gatherReads(&op);
  }
  for (Operation &op : body.without_terminator())
    if (nodes[&op].inMemory)
      place(&op);
  return launches;
}

FailureOr<SmallVector<PlannedLaunch>>
mlir::ks::planLaunches(func::FuncOp kernel) {
  return Planner(kernel).run();
}
