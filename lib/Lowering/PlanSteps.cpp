//===- PlanSteps.cpp - Reads the steps of a host function -----------------===//
//
// Launches, copies and counted loops of them, as writeHostFunction leaves them.
// What they take lies in inputs, outputs and workspace at places that are
// constant, or move with the counter of a loop.
//
//===----------------------------------------------------------------------===//

#include "HostFunction.h"
#include "ks/Normalize/CountedLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ks;

/// The deepest arithmetic that a place is computed by.
static constexpr unsigned maxDepth = 8;

static std::optional<int64_t> constantOf(Value value) {
  APInt constant;
  if (value && matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

namespace {

/// A number in iteration t of a loop: base + t * stride + (t odd ? flip : 0).
struct MovingNumber {
  int64_t base = 0, stride = 0, flip = 0;

  bool isConstant() const { return stride == 0 && flip == 0; }
};

/// Reads the steps of a host function.
class StepReader {
public:
  StepReader(LaunchPlan &plan, func::FuncOp host)
      : plan(plan), host(host), inputs(plan.inputs.size()),
        workspaceAt(inputs + plan.outputs.size()) {}
  LogicalResult read() { return read(host.front()); }

private:
  LogicalResult read(Block &block);
  LogicalResult readLaunch(gpu::LaunchFuncOp op);
  LogicalResult readCopy(gpu::MemcpyOp op);
  LogicalResult readLoop(scf::ForOp op);
  std::optional<MovingNumber> numberOf(Value value, unsigned depth = 0);
  FailureOr<LaunchArg> placeOf(Operation *op, Value operand);
  FailureOr<LaunchArg> viewOf(memref::ViewOp view);
  FailureOr<LaunchArg> partOf(memref::ReinterpretCastOp part);
  std::optional<LaunchArg> argumentOf(Value value);

  LaunchPlan &plan;
  func::FuncOp host;
  unsigned inputs, workspaceAt;
  scf::ForOp loop; ///< The one being read, or null.
};

} // namespace

static FailureOr<std::array<uint32_t, 3>> sizeOf(Operation *op,
                                                 gpu::KernelDim3 dims) {
  std::array<uint32_t, 3> size;
  for (auto [to, value] :
       llvm::zip(size, std::array<Value, 3>{dims.x, dims.y, dims.z})) {
    std::optional<int64_t> constant = constantOf(value);
    if (!constant || *constant < 1 || *constant > UINT32_MAX)
      return op->emitError("has a size that is no positive constant");
    to = *constant;
  }
  return size;
}

/// Places are computed from constants and the loop's counter alone.
std::optional<MovingNumber> StepReader::numberOf(Value value, unsigned depth) {
  if (std::optional<int64_t> constant = constantOf(value))
    return MovingNumber{*constant};
  if (loop && value == loop.getInductionVar())
    return MovingNumber{0, 1};
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumOperands() != 2 || depth == maxDepth)
    return std::nullopt;
  std::optional<MovingNumber> a = numberOf(op->getOperand(0), depth + 1),
                              b = numberOf(op->getOperand(1), depth + 1);
  if (!a || !b)
    return std::nullopt;
  MovingNumber result;
  if (isa<arith::AddIOp>(op)) {
    if (llvm::AddOverflow(a->base, b->base, result.base) ||
        llvm::AddOverflow(a->stride, b->stride, result.stride) ||
        llvm::AddOverflow(a->flip, b->flip, result.flip))
      return std::nullopt;
    return result;
  }
  if (isa<arith::MulIOp>(op)) {
    if (a->isConstant())
      std::swap(a, b);
    if (!b->isConstant() || llvm::MulOverflow(a->base, b->base, result.base) ||
        llvm::MulOverflow(a->stride, b->base, result.stride) ||
        llvm::MulOverflow(a->flip, b->base, result.flip))
      return std::nullopt;
    return result;
  }
  // The counter's parity.
  if (loop && isa<arith::RemUIOp>(op) &&
      op->getOperand(0) == loop.getInductionVar() && b->isConstant() &&
      b->base == 2)
    return MovingNumber{0, 0, 1};
  return std::nullopt;
}

/// All of an input or output.
std::optional<LaunchArg> StepReader::argumentOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != &host.front() ||
      argument.getArgNumber() >= workspaceAt)
    return std::nullopt;
  bool input = argument.getArgNumber() < inputs;
  LaunchArg arg;
  arg.space = input ? LaunchArg::Space::Input : LaunchArg::Space::Output;
  arg.index = argument.getArgNumber() - (input ? 0 : inputs);
  return arg;
}

FailureOr<LaunchArg> StepReader::viewOf(memref::ViewOp view) {
  std::optional<MovingNumber> at = numberOf(view.getByteShift());
  if (!at || view.getSource() != host.getArgument(workspaceAt))
    return view.emitError("is no view of the workspace at a constant offset, "
                          "or one that moves with the loop's counter");
  bool empty = view.getType().getNumElements() == 0;
  LaunchArg arg;
  // What has no bytes may lie at 0, too, where the status word is.
  if (at->isConstant() && at->base == 0) {
    arg.space = empty ? LaunchArg::Space::Workspace : LaunchArg::Space::Status;
    return arg;
  }
  int64_t bytes = static_cast<int64_t>(plan.workspaceBytes) + statusBytes;
  if (at->base < statusBytes || at->base > bytes)
    return view.emitError("lies outside of the workspace's buffers");
  arg.space = LaunchArg::Space::Workspace;
  arg.offset = at->base - statusBytes;
  arg.stride = at->stride;
  arg.flip = at->flip;
  return arg;
}

FailureOr<LaunchArg> StepReader::partOf(memref::ReinterpretCastOp part) {
  std::optional<LaunchArg> arg = argumentOf(part.getSource());
  OpFoldResult offset = part.getMixedOffsets()[0];
  std::optional<MovingNumber> at;
  if (auto value = dyn_cast<Value>(offset))
    at = numberOf(value);
  else if (std::optional<int64_t> constant = getConstantIntValue(offset))
    at = MovingNumber{*constant};
  int64_t width = elementBytes(part.getType().getElementType(), Domain::Native);
  if (!arg || !at || llvm::MulOverflow(at->base, width, arg->offset) ||
      llvm::MulOverflow(at->stride, width, arg->stride) ||
      llvm::MulOverflow(at->flip, width, arg->flip))
    return part.emitError("is no part of an input or output at a constant "
                          "offset, or one that moves with the loop's counter");
  return *arg;
}

FailureOr<LaunchArg> StepReader::placeOf(Operation *op, Value operand) {
  if (auto view = operand.getDefiningOp<memref::ViewOp>())
    return viewOf(view);
  if (auto part = operand.getDefiningOp<memref::ReinterpretCastOp>())
    return partOf(part);
  if (std::optional<LaunchArg> arg = argumentOf(operand))
    return *arg;
  return op->emitError("has an operand that is no buffer of the Host ABI");
}

LogicalResult StepReader::readLaunch(gpu::LaunchFuncOp op) {
  Launch launch;
  launch.kernel = op.getKernelName().str();
  auto grid = sizeOf(op, op.getGridSizeOperandValues());
  auto block = sizeOf(op, op.getBlockSizeOperandValues());
  if (failed(grid) || failed(block))
    return failure();
  launch.grid = *grid;
  launch.block = *block;
  for (Value operand : op.getKernelOperands()) {
    FailureOr<LaunchArg> arg = placeOf(op, operand);
    if (failed(arg))
      return failure();
    launch.args.push_back(*arg);
  }
  append(plan, std::move(launch));
  return success();
}

LogicalResult StepReader::readCopy(gpu::MemcpyOp op) {
  FailureOr<LaunchArg> from = placeOf(op, op.getSrc()),
                       to = placeOf(op, op.getDst());
  if (failed(from) || failed(to))
    return failure();
  auto type = cast<MemRefType>(op.getDst().getType());
  if (!type.hasStaticShape())
    return op.emitError("copies what has no static shape");
  Copy copy{*from, *to};
  copy.bytes = type.getNumElements() *
               elementBytes(type.getElementType(), Domain::Native);
  append(plan, copy);
  return success();
}

LogicalResult StepReader::readLoop(scf::ForOp op) {
  std::optional<int64_t> count = iterationsOf(op);
  if (!count || loop || op.getNumResults() != 0)
    return op.emitError("is no counted loop of the host function: one from 0 "
                        "in steps of one to a constant, without results, in "
                        "no other loop");
  size_t at = plan.steps.size();
  Step step;
  step.kind = Step::Kind::Loop;
  step.count = *count;
  plan.steps.push_back(step);
  loop = op;
  LogicalResult result = read(*op.getBody());
  loop = nullptr;
  plan.steps[at].length = plan.steps.size() - at - 1;
  return result;
}

LogicalResult StepReader::read(Block &block) {
  for (Operation &op : block.without_terminator()) {
    LogicalResult result = success();
    if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
      result = readLaunch(launch);
    else if (auto copy = dyn_cast<gpu::MemcpyOp>(op))
      result = readCopy(copy);
    else if (auto nested = dyn_cast<scf::ForOp>(op))
      result = readLoop(nested);
    else if (!isa<arith::ConstantOp, arith::AddIOp, arith::MulIOp,
                  arith::RemUIOp, memref::ViewOp, memref::ReinterpretCastOp>(
                 op))
      result = op.emitError("is not expected in a host function");
    if (failed(result))
      return failure();
  }
  return success();
}

LogicalResult mlir::ks::readSteps(func::FuncOp host, LaunchPlan &plan) {
  return StepReader(plan, host).read();
}
