//===- DemoteFloat64.cpp - Statistics in float64 become float32 -----------===//
//
// torch-mlir computes means and variances on a float64 copy of a tensor. Values
// of that type are joined into components wherever an operation needs them to
// agree; a component becomes float32 if all of it lies between extensions (or
// constants, or small integers) and truncations (or comparisons), and is
// arithmetic that is sound there: sums, differences, products, quotients,
// roots. The mean and then the mean of squared differences, which is what is
// exported, is the textbook two-pass variance: its error is of the order of u
// times the variance (Chan, Golub, LeVeque 1983). Cancellation.h says which
// sums are not sound; a component that holds one stays in float64.
//
//===----------------------------------------------------------------------===//
#include "Cancellation.h"
#include "ks/Normalize/IntegerRanges.h"
#include "ks/Normalize/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace mlir::ks;

static bool isFloat64(Value value) {
  return getElementTypeOrSelf(value).isF64();
}

static Type toFloat32(Type type) {
  Type f32 = Float32Type::get(type.getContext());
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? Type(tensor.clone(f32)) : f32;
}

/// Constants, and tensors of a constant or of nothing, are copied for each use.
static bool isConstantLike(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::ConstantOp, tensor::EmptyOp>(op))
    return true;
  auto fill = dyn_cast_or_null<linalg::FillOp>(op);
  return fill && fill.getInputs()[0].getDefiningOp<arith::ConstantOp>() &&
         fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>();
}

/// `value` in float32; null if it becomes zero or infinite there, or is no
/// constant of one value.
static TypedAttr narrowed(TypedAttr value) {
  llvm::APFloat number(0.0);
  if (auto scalar = dyn_cast<FloatAttr>(value))
    number = scalar.getValue();
  else if (auto splat = dyn_cast<SplatElementsAttr>(value))
    number = splat.getSplatValue<llvm::APFloat>();
  else
    return nullptr;
  llvm::APFloat narrow = number;
  bool lost = false;
  narrow.convert(llvm::APFloat::IEEEsingle(),
                 llvm::APFloat::rmNearestTiesToEven, &lost);
  if (narrow.isZero() != number.isZero() ||
      narrow.isInfinity() != number.isInfinity() || narrow.isDenormal())
    return nullptr;
  Type type = toFloat32(value.getType());
  if (auto shaped = dyn_cast<ShapedType>(type))
    return DenseElementsAttr::get(shaped, narrow);
  return FloatAttr::get(type, narrow);
}

/// Whether a constant-like value has a float32 form.
static bool hasNarrow(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    op = fill.getInputs()[0].getDefiningOp();
  auto constant = dyn_cast<arith::ConstantOp>(op);
  return !constant || narrowed(constant.getValue());
}

namespace {

class Demotion {
public:
  explicit Demotion(func::FuncOp function) : function(function) {}

  void run() {
    function.walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
    for (Operation *op : findCancellations(function))
      keep(op->getResults());
    llvm::SmallPtrSet<Value, 16> bad, ended;
    for (Value value : kept)
      bad.insert(classes.getOrInsertLeaderValue(value));
    for (Value value : truncated)
      ended.insert(classes.getOrInsertLeaderValue(value));
    unsigned count = 0;
    for (const auto *entry : classes) {
      if (!entry->isLeader() || bad.contains(entry->getData()) ||
          !ended.contains(entry->getData()))
        continue;
      for (Value value : classes.members(*entry))
        demoted.insert(value);
      ++count;
    }
    if (count == 0)
      return;
    rewrite();
    remark::passed(
        function.getLoc(),
        remark::RemarkOpts::name("demote-float64").category(normalizeCategory))
        << "float64 statistics became float32"
        << remark::metric("Components", count);
  }

private:
  void visit(Operation *op);
  void visitStructured(linalg::LinalgOp op);
  void join(ValueRange values);
  void keep(ValueRange values) {
    for (Value value : values)
      if (isFloat64(value) && !isConstantLike(value))
        kept.push_back(value);
  }
  /// Whether every value of an integer is one of float32.
  bool isExact(Value integer) {
    std::optional<IntegerRange> range = ranges.of(integer);
    constexpr int64_t limit = 1 << 24;
    return range && range->low >= -limit && range->high <= limit;
  }
  void rewrite();
  Value narrowConstant(Value value);

  /// A value whose component the operand's type belongs to.
  static Value anchor(OpOperand &operand);

  func::FuncOp function;
  llvm::EquivalenceClasses<Value> classes;
  SmallVector<Value> kept, truncated;
  llvm::SmallPtrSet<Value, 32> demoted;
  DenseMap<Operation *, Value> narrow;
  IntegerRanges ranges;
};

} // namespace

void Demotion::join(ValueRange values) {
  Value first;
  for (Value value : values) {
    if (!isFloat64(value) || isConstantLike(value))
      continue;
    if (first)
      classes.unionSets(first, value);
    else
      classes.insert(first = value);
  }
}

void Demotion::visitStructured(linalg::LinalgOp op) {
  for (OpOperand &operand : op->getOpOperands())
    join({operand.get(), op.getMatchingBlockArgument(&operand)});
  for (OpResult result : op->getResults()) {
    OpOperand *init = op.getDpsInitOperand(result.getResultNumber());
    join({result, op.getMatchingBlockArgument(init),
          op.getMatchingYieldValue(init)->get()});
  }
  // Products of matrices and windows in float64 are the user's own.
  if (!isa<linalg::GenericOp, linalg::FillOp, linalg::TransposeOp,
           linalg::BroadcastOp>(op)) {
    keep(op->getOperands());
    keep(op->getResults());
  }
}

void Demotion::visit(Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (isa<func::FuncOp>(op))
        keep(block.getArguments());
  SmallVector<Value> values(op->getOperands());
  llvm::append_range(values, op->getResults());
  if (llvm::none_of(values, isFloat64))
    return;
  // What a loop carries in float64 goes through many operations.
  if (isa<scf::ForOp, scf::YieldOp>(op)) {
    for (Region &region : op->getRegions())
      keep(region.getArguments());
    return keep(values);
  }
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op) && !isExact(op->getOperand(0)))
    keep(op->getResults());
  if (isa<arith::ConstantOp, tensor::EmptyOp, linalg::YieldOp, tensor::YieldOp,
          arith::ExtFOp, arith::SIToFPOp, arith::UIToFPOp>(op))
    return join(op->getResults());
  if (op->getNumResults() == 1 && isConstantLike(op->getResult(0)))
    return;
  for (OpOperand &operand : op->getOpOperands())
    if (isFloat64(operand.get()) && isConstantLike(operand.get()) &&
        !hasNarrow(operand.get()))
      kept.push_back(anchor(operand));
  if (auto truncation = dyn_cast<arith::TruncFOp>(op)) {
    truncated.push_back(truncation.getIn());
    return join(truncation.getIn());
  }
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return visitStructured(structured);
  join(values);
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    if (Value padding = pad.getConstantPaddingValue())
      return join({pad.getResult(), padding});
  if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
           arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp, arith::SelectOp,
           arith::CmpFOp, math::SqrtOp, math::RsqrtOp, math::AbsFOp,
           tensor::ExpandShapeOp, tensor::CollapseShapeOp,
           tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::ConcatOp>(op))
    keep(values);
}

Value Demotion::anchor(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return structured.getMatchingBlockArgument(&operand);
  if (isa<linalg::YieldOp, tensor::YieldOp>(op)) {
    Operation *parent = op->getParentOp();
    return parent->getResult(
        isa<linalg::YieldOp>(op) ? operand.getOperandNumber() : 0);
  }
  for (Value result : op->getResults())
    if (isFloat64(result))
      return result;
  for (Value other : op->getOperands())
    if (isFloat64(other) && !isConstantLike(other))
      return other;
  return operand.get();
}

Value Demotion::narrowConstant(Value value) {
  Operation *op = value.getDefiningOp();
  Value &result = narrow[op];
  if (result)
    return result;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Location loc = op->getLoc();
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return result = arith::ConstantOp::create(builder, loc,
                                              narrowed(constant.getValue()));
  auto type = cast<RankedTensorType>(toFloat32(value.getType()));
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  auto fill = dyn_cast<linalg::FillOp>(op);
  if (!fill)
    return result = empty;
  Value scalar = narrowConstant(fill.getInputs()[0]);
  Value filled =
      linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
  return narrow[op] = filled; // The recursion may have moved `result`.
}

void Demotion::rewrite() {
  SmallVector<OpOperand *> constants;
  SmallVector<Operation *> conversions;
  function.walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (isFloat64(operand.get()) && isConstantLike(operand.get()) &&
          demoted.contains(anchor(operand)))
        constants.push_back(&operand);
    if ((isa<arith::ExtFOp>(op) && demoted.contains(op->getResult(0))) ||
        (isa<arith::TruncFOp>(op) && demoted.contains(op->getOperand(0))))
      conversions.push_back(op);
  });
  for (Value value : demoted)
    value.setType(toFloat32(value.getType()));
  for (OpOperand *operand : constants)
    operand->set(narrowConstant(operand->get()));
  for (Operation *op : conversions)
    if (op->getOperand(0).getType() == op->getResult(0).getType()) {
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      op->erase();
    }
}

void mlir::ks::demoteFloat64(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      Demotion(function).run();
}
