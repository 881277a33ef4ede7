//===- HostValues.cpp - What has to lie in memory by itself ---------------===//
//
// A function's results, what its loops start from and yield, the rows that they
// insert and the tensors whose rows they read are values of the host function:
// each has to be what a kernel computes, or an argument. Where one is not, it
// passes through a copy, which the cut then puts into a kernel.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/CountedLoop.h"
#include "ks/Normalize/Cut.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::ks;

static bool isReshape(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

/// True if memory that a kernel or the caller provides is what this use takes,
/// and not the elements.
static bool takesMemory(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isReshape(user))
    return staysInHost(user);
  if (isa<func::ReturnOp>(user))
    return isa_and_nonnull<scf::ForOp>(
        withoutReshapes(use.get()).getDefiningOp());
  return isa<scf::ForOp, scf::YieldOp>(user) || loopOfRow(user);
}

bool mlir::ks::staysInHost(Operation *op) {
  if (isa<scf::ForOp>(op) || loopOfRow(op))
    return true;
  return isReshape(op) && !op->use_empty() &&
         llvm::all_of(op->getUses(), takesMemory);
}

/// Where the value of yield operand `number` is: a row that is inserted, or the
/// operand itself.
static OpOperand &yieldedBy(scf::ForOp loop, unsigned number) {
  if (tensor::InsertSliceOp insert = accumulation(loop, number))
    return insert.getSourceMutable();
  return loop.getBody()->getTerminator()->getOpOperand(number);
}

static SmallVector<OpOperand *> resultsOf(Block &block) {
  SmallVector<OpOperand *> results;
  Operation *terminator = block.getTerminator();
  auto loop = dyn_cast<scf::ForOp>(block.getParentOp());
  for (OpOperand &operand : terminator->getOpOperands())
    results.push_back(loop ? &yieldedBy(loop, operand.getOperandNumber())
                           : &operand);
  return results;
}

/// What a loop starts from, and the tensors from outside whose rows it reads.
static SmallVector<OpOperand *> takenBy(scf::ForOp loop) {
  SmallVector<OpOperand *> taken;
  for (OpOperand &init : loop.getInitArgsMutable())
    if (!init.get().getDefiningOp<tensor::EmptyOp>())
      taken.push_back(&init);
  for (auto row : loop.getBody()->getOps<tensor::ExtractSliceOp>())
    if (isRow(row, loop) && row.getSource().getParentBlock() != loop.getBody())
      taken.push_back(&row.getSourceMutable());
  return taken;
}

/// What `operand` takes the memory of.
static Value memoryOf(OpOperand &operand) {
  Value base = withoutReshapes(operand.get());
  // What a kernel computes and nothing else reads, it returns in any shape.
  if (isa<func::ReturnOp>(operand.getOwner()) &&
      !isa_and_nonnull<scf::ForOp>(base.getDefiningOp()))
    return operand.get();
  return base;
}

SmallVector<Value> mlir::ks::hostValuesOf(Block &block) {
  SmallVector<OpOperand *> operands = resultsOf(block);
  for (auto loop : block.getOps<scf::ForOp>())
    operands.append(takenBy(loop));
  SmallVector<Value> values;
  for (OpOperand *operand : operands)
    values.push_back(memoryOf(*operand));
  return values;
}

/// Makes `operand` take the memory of a copy, made before `before`, or else
/// that of its own value, in either case through reshapes of its own.
static void separate(OpOperand &operand, bool copies, Operation *before) {
  Value base = memoryOf(operand), own = base;
  auto type = dyn_cast<RankedTensorType>(base.getType());
  if (!type || !type.hasStaticShape())
    return;
  OpBuilder builder(before);
  if (copies) {
    Operation *op = base.getDefiningOp();
    Value empty = tensor::EmptyOp::create(
        builder, before->getLoc(), type.getShape(), type.getElementType());
    own = linalg::CopyOp::create(builder, op ? op->getLoc() : before->getLoc(),
                                 base, empty)
              .getResult(0);
  }
  SmallVector<Operation *> reshapes;
  for (Value at = operand.get(); at != base;
       at = reshapes.back()->getOperand(0))
    reshapes.push_back(at.getDefiningOp());
  IRMapping mapping;
  mapping.map(base, own);
  for (Operation *reshape : llvm::reverse(reshapes))
    own = builder.clone(*reshape, mapping)->getResult(0);
  operand.set(own);
}

void mlir::ks::separateHostValues(Block &block) {
  for (auto loop : llvm::make_early_inc_range(block.getOps<scf::ForOp>())) {
    for (OpOperand *operand : takenBy(loop)) {
      Operation *op = memoryOf(*operand).getDefiningOp();
      separate(*operand, op && isFree(op), loop);
    }
    separateHostValues(*loop.getBody());
  }
  DenseSet<Value> seen;
  for (OpOperand *operand : resultsOf(block)) {
    Value memory = memoryOf(*operand);
    Operation *op = memory.getDefiningOp();
    bool own = op && op->getBlock() == &block &&
               !op->hasTrait<OpTrait::ConstantLike>() && !loopOfRow(op);
    separate(*operand, !seen.insert(memory).second || !own,
             operand->getOwner());
  }
}
