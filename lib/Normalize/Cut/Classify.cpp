//===- Classify.cpp - What the operations of a graph are to the cut -------===//
//
// Says which operations are free, and of the others kind, sizes and cost. All
// of it is read off indexing maps, iterators and bodies, so that named and
// generic forms of an operation are the same.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/Cut.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::ks;

/// A computation on constants alone stays free up to this cost.
static constexpr unsigned freeCost = 16;

static bool isParallel(linalg::LinalgOp op) {
  return op.getNumParallelLoops() == op.getNumLoops();
}

static bool capturesTensor(Operation *op) {
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  return llvm::any_of(captured, [](Value value) {
    return isa<RankedTensorType>(value.getType());
  });
}

static unsigned scalarCost(Operation *op) {
  return llvm::StringSwitch<unsigned>(op->getName().getStringRef())
      .Cases({"arith.constant", "linalg.yield", "linalg.index",
              "arith.index_cast", "tensor.yield"},
             0)
      .Cases({"arith.divf", "math.sqrt", "math.rsqrt", "math.fpowi"}, 3)
      .Cases({"arith.divsi", "arith.divui", "arith.remsi", "arith.remui"}, 4)
      .Case("tensor.extract", 2)
      .Cases({"math.powf", "arith.remf"}, 12)
      .Cases({"math.exp", "math.exp2", "math.expm1", "math.log", "math.log1p",
              "math.log2", "math.log10", "math.tanh", "math.erf", "math.sin",
              "math.cos"},
             6)
      .Default(1);
}

static unsigned bodyCost(Operation *op) {
  unsigned cost = 0;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) { cost += scalarCost(inner); });
  return cost;
}

/// A generic or named operation that copies each element or only widens it:
/// transpose, broadcast, extension.
static bool onlyMoves(linalg::LinalgOp op) {
  if (!isParallel(op) || op->getNumResults() != 1 || op->getNumRegions() != 1)
    return false;
  Block *body = op.getBlock();
  Value value = body->getTerminator()->getOperand(0);
  size_t count = 1;
  if (Operation *cast = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp, arith::SIToFPOp,
             arith::UIToFPOp>(cast) ||
        cast->getBlock() != body ||
        cast->getOperand(0).getType().getIntOrFloatBitWidth() >
            value.getType().getIntOrFloatBitWidth())
      return false;
    value = cast->getOperand(0);
    ++count;
  }
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != body ||
      argument.getArgNumber() >= op.getNumDpsInputs() ||
      !llvm::hasNItems(*body, count))
    return false;
  return llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
    return map.isProjectedPermutation(/*allowZeroInResults=*/true);
  });
}

/// The cost of computing `op` from nothing but constants and indices; nothing
/// if it reads a tensor that has to be there first.
static std::optional<unsigned> rootlessCost(Operation *op) {
  if (isa<tensor::EmptyOp, arith::ConstantOp>(op))
    return 0;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  bool view = isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                  tensor::ExtractSliceOp, tensor::CastOp, tensor::PadOp>(op);
  if (!view && !(linalgOp && isParallel(linalgOp)) &&
      op->getName().getDialectNamespace() != "arith")
    return std::nullopt;
  unsigned cost = bodyCost(op);
  SetVector<Value> operands;
  getUsedValuesDefinedAbove(op->getRegions(), operands);
  operands.insert(op->operand_begin(), op->operand_end());
  for (Value operand : operands) {
    Operation *source = operand.getDefiningOp();
    std::optional<unsigned> inner =
        source && cost <= freeCost ? rootlessCost(source) : std::nullopt;
    if (!inner)
      return std::nullopt;
    cost += *inner;
  }
  return cost;
}

bool mlir::ks::isFree(Operation *op) {
  if (isa<tensor::EmptyOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
          tensor::ExtractSliceOp, tensor::CastOp, tensor::SplatOp,
          tensor::FromElementsOp, tensor::ExtractOp, tensor::DimOp,
          linalg::FillOp>(op))
    return true;
  // What computes a scalar is no kernel.
  if (op->getNumResults() > 0 && isPure(op) &&
      llvm::none_of(op->getResultTypes(), llvm::IsaPred<ShapedType>))
    return true;
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    Operation *dest = insert.getDest().getDefiningOp();
    return dest && rootlessCost(dest).value_or(freeCost + 1) <= freeCost;
  }
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return pad.getConstantPaddingValue() != nullptr;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
      linalgOp && onlyMoves(linalgOp))
    return true;
  return !capturesTensor(op) &&
         rootlessCost(op).value_or(freeCost + 1) <= freeCost;
}

/// Adds to `inputs` the arguments of the body that `value` is computed from;
/// false if something other than casts and masks is on the way.
static bool collectInputs(Value value, SmallVectorImpl<unsigned> &inputs) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    inputs.push_back(argument.getArgNumber());
    return true;
  }
  Operation *op = value.getDefiningOp();
  if (isa<arith::ConstantOp>(op))
    return true;
  // What is outside of a mask is zero.
  if (auto select = dyn_cast<arith::SelectOp>(op);
      select && matchPattern(select.getFalseValue(), m_AnyZeroFloat()))
    return collectInputs(select.getTrueValue(), inputs);
  if (!isa<CastOpInterface>(op))
    return false;
  return collectInputs(op->getOperand(0), inputs);
}

/// True for a sum of products of two inputs, each of which lacks a parallel
/// loop that the other has, so that both are read again and again.
static bool isContraction(linalg::LinalgOp op) {
  if (!isa<linalg::GenericOp>(*op))
    return (linalg::isaContractionOpInterface(op) ||
            isa<linalg::ConvolutionOpInterface>(*op)) &&
           !op->getName().getStringRef().starts_with("linalg.pooling");
  if (op.getNumDpsInputs() < 2)
    return false;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  auto lacksLoop = [&](ArrayRef<unsigned> inputs) {
    return llvm::any_of(parallel, [&](unsigned loop) {
      return extents[loop] != 1 && llvm::none_of(inputs, [&](unsigned input) {
               return op.getIndexingMapsArray()[input].isFunctionOfDim(loop);
             });
    });
  };
  for (Operation &product : *op.getBlock()) {
    if (!isa<arith::MulFOp, arith::MulIOp>(product))
      continue;
    SmallVector<unsigned> left, right;
    if (collectInputs(product.getOperand(0), left) &&
        collectInputs(product.getOperand(1), right) && !left.empty() &&
        !right.empty() && left != right && lacksLoop(left) && lacksLoop(right))
      return true;
  }
  return false;
}

/// Some input is indexed by several loops together, not merely backwards or in
/// steps.
static bool isWindow(linalg::LinalgOp op) {
  return llvm::any_of(op.getIndexingMapsArray(), [](AffineMap map) {
    return llvm::any_of(map.getResults(), [&](AffineExpr expr) {
      unsigned loops = 0;
      for (unsigned loop = 0; loop < map.getNumDims(); ++loop)
        loops += expr.isFunctionOfDim(loop);
      return loops > 1;
    });
  });
}

/// Extents in the order of the widest input, neighbours of one kind merged.
static SmallVector<int64_t, 4> rowsOf(linalg::LinalgOp op) {
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, op.getNumLoops()));
  for (AffineMap map : op.getIndexingMapsArray())
    if (map.isPermutation()) {
      for (auto [position, expr] : llvm::enumerate(map.getResults()))
        order[position] = cast<AffineDimExpr>(expr).getPosition();
      break;
    }
  SmallVector<int64_t, 4> rows;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  for (unsigned loop : order) {
    int64_t extent = extents[loop];
    if (extent == 1)
      continue;
    int64_t sign = iterators[loop] == utils::IteratorType::reduction ? -1 : 1;
    if (!rows.empty() && (rows.back() < 0) == (sign < 0))
      rows.back() *= extent;
    else
      rows.push_back(sign * extent);
  }
  return rows;
}

/// Elements of the first result; 0 if the shape is not static.
static double elementsOf(Operation *op) {
  auto type = op->getNumResults()
                  ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                  : RankedTensorType();
  return type && type.hasStaticShape()
             ? static_cast<double>(type.getNumElements())
             : 0;
}

Unit mlir::ks::describeUnit(Operation *op) {
  Unit unit;
  unit.op = op;
  if (isa<scf::ForOp>(op)) {
    unit.kind = UnitKind::Loop;
    unit.domain = unit.elements = 1;
    unit.cost = 0;
    return unit;
  }
  unit.kind = UnitKind::Alone;
  unit.elements = unit.domain = elementsOf(op);
  unit.cost = bodyCost(op);
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.hasStaticShape())
    return unit;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    SmallVector<int64_t> extents = linalgOp.getStaticLoopRanges();
    if (llvm::any_of(extents, ShapedType::isDynamic))
      return unit;
    unit.domain = 1;
    for (int64_t extent : extents)
      unit.domain *= static_cast<double>(extent);
    unit.kind = isParallel(linalgOp)      ? UnitKind::Elementwise
                : isContraction(linalgOp) ? UnitKind::Contraction
                : isWindow(linalgOp)      ? UnitKind::Window
                                          : UnitKind::Reduction;
    if (unit.kind == UnitKind::Reduction)
      unit.rows = rowsOf(linalgOp);
    return unit;
  }
  if (isa<tensor::ConcatOp, tensor::InsertSliceOp, tensor::InsertOp>(op)) {
    unit.kind = UnitKind::Move;
    unit.cost = op->getNumOperands();
  } else if (isFree(op) || OpTrait::hasElementwiseMappableTraits(op) ||
             isa<tensor::PadOp, tensor::GenerateOp>(op)) {
    unit.kind = UnitKind::Elementwise;
  }
  return unit;
}
