//===- ProgramLoops.cpp - Counted loops of a program ----------------------===//
//
// A tensor that a loop carries has two places, for even and for odd iterations:
// each reads one and writes the other. An accumulator has one place, that of
// the loop's result, in which each iteration writes its row. Initial values are
// copied there before the loop; in the reference by a kernel, which gives them
// bounds.
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

using namespace mlir;
using namespace mlir::ks;

ProgramBuilder::HostTensor ProgramBuilder::rowOf(HostTensor whole, Type type) {
  Domain form = whole.form.native ? Domain::Native : domain;
  whole.value.bytes = whole.value.stride = valueBytes(type, form);
  whole.bound.bytes = whole.bound.stride = boundBytes(type);
  return whole;
}

LogicalResult ProgramBuilder::addReshape(Operation *op) {
  const HostTensor *source = use(op->getOperand(0));
  if (!source)
    return op->emitError(
        "reshapes what is neither an argument nor a kernel's result");
  HostTensor same = *source;
  tensors[op->getResult(0)] = same;
  return success();
}

LogicalResult ProgramBuilder::addRow(tensor::ExtractSliceOp row) {
  const HostTensor *source = use(row.getSource());
  if (!source)
    return row.emitError(
        "is a row of what is neither an argument nor a kernel's result");
  tensors[row] = rowOf(*source, row.getType());
  return success();
}

void ProgramBuilder::addCopy(Location loc, const ProgramPlace &from,
                             const ProgramPlace &to, Type type) {
  if (to.bytes == 0)
    return;
  program.steps.push_back(
      {ProgramStep::Kind::Copy, static_cast<unsigned>(program.copies.size())});
  program.copies.push_back({loc, from, to, type});
}

func::FuncOp ProgramBuilder::copyKernel(Type type) {
  func::FuncOp &kernel = copyKernels[type];
  if (kernel)
    return kernel;
  OpBuilder b(module.getContext());
  kernel = func::FuncOp::create(host.getLoc(),
                                "ks_copy_" + std::to_string(copyKernels.size()),
                                b.getFunctionType(type, type));
  module.push_back(kernel);
  b.setInsertionPointToStart(kernel.addEntryBlock());
  func::ReturnOp::create(b, host.getLoc(), kernel.getArgument(0));
  return kernel;
}

LogicalResult ProgramBuilder::initialise(Location loc, Value init,
                                         const HostTensor &carried) {
  if (init.getDefiningOp<tensor::EmptyOp>())
    return success();
  const HostTensor *source = use(init);
  if (!source)
    return emitError(loc, "starts with what is neither an argument nor a "
                          "kernel's result");
  if (domain == Domain::Native) {
    addCopy(loc, source->value, carried.value, init.getType());
    return success();
  }
  HostTensor operand = *source;
  FailureOr<LoweredKernel *> code =
      lowered(copyKernel(init.getType()), operand.form, /*forceBounds=*/true);
  if (failed(code))
    return failure();
  addLaunches(loc, **code, operand, carried);
  return success();
}

void ProgramBuilder::returnResult(Location loc, Value result) {
  if (!outputOf(result))
    return;
  HostTensor from = tensors[result];
  HostTensor output = newTensor(result, from.form.hasBound);
  Type type = result.getType();
  if (domain == Domain::Native)
    return addCopy(loc, from.value, output.value, type);
  addCopy(loc, from.value, output.value, referenceType(type, false));
  addCopy(loc, from.bound, output.bound, referenceType(type, true));
}

/// Promises that the body's value `value` is computed at `place`.
LogicalResult ProgramBuilder::placeInLoop(scf::ForOp loop, Value value,
                                          const HostTensor &place) {
  Value memory = withoutReshapes(value);
  Operation *op = memory.getDefiningOp();
  if (!isa_and_nonnull<func::CallOp>(op) || op->getParentOp() != loop)
    return loop.emitError(
        "yields what is no result of a kernel called in its body");
  if (!destinations.try_emplace(memory, place).second)
    return loop.emitError("yields one result of a kernel twice");
  return success();
}

LogicalResult ProgramBuilder::addCarried(scf::ForOp loop, unsigned index,
                                         int64_t iterations) {
  Value result = loop.getResult(index), init = loop.getInitArgs()[index];
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (!type || !type.hasStaticShape())
    return loop.emitError("carries ")
           << result.getType() << ", which is no tensor of static shape";
  bool hasBound = domain == Domain::Reference;
  if (auto insert = accumulation(loop, index)) {
    if (iterations > type.getDimSize(0))
      return insert.emitError("writes past the last row of ") << type;
    HostTensor whole = newTensor(result, hasBound);
    tensors[result] = whole;
    if (failed(initialise(loop.getLoc(), init, whole)))
      return failure();
    return placeInLoop(loop, insert.getSource(),
                       rowOf(whole, insert.getSourceType()));
  }
  HostTensor first = newTensor(result, hasBound, /*copies=*/2);
  if (failed(initialise(loop.getLoc(), init, first)))
    return failure();
  HostTensor even = first, odd = first, last = first;
  for (auto part : {&HostTensor::value, &HostTensor::bound}) {
    int64_t distance = aligned((first.*part).bytes);
    (even.*part).flip = distance;
    (odd.*part).offset = distance;
    (odd.*part).flip = -distance;
    (last.*part).offset = iterations % 2 * distance;
  }
  tensors[loop.getRegionIterArg(index)] = even;
  tensors[result] = last;
  return placeInLoop(loop, loop.getYieldedValues()[index], odd);
}

LogicalResult ProgramBuilder::addLoop(scf::ForOp loop) {
  std::optional<int64_t> iterations = iterationsOf(loop);
  if (!iterations)
    return loop.emitError(
        "does not count from 0 in steps of one to a constant");
  if (loop->getParentOp() != host)
    return loop.emitError("stands in another loop");
  unsigned begin = number, outer = program.buffers.size();
  for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i)
    if (failed(addCarried(loop, i, *iterations)))
      return failure();
  unsigned carried = program.buffers.size();
  ++number;
  if (*iterations > 0) {
    size_t at = program.steps.size();
    program.steps.push_back({ProgramStep::Kind::Loop, 0, *iterations});
    for (Operation &op : loop.getBody()->without_terminator())
      if (failed(addOperation(op)))
        return failure();
    program.steps[at].length = program.steps.size() - at - 1;
    if (program.steps[at].length == 0)
      program.steps.pop_back();
  }
  // What is there when the loop begins, and is used in it, is used in each
  // iteration.
  for (unsigned i = 0; i < carried; ++i)
    if (i >= outer || program.buffers[i].lastUse > begin)
      program.buffers[i].lastUse = std::max(program.buffers[i].lastUse, number);
  for (unsigned i = 0; i < loop.getNumResults(); ++i)
    if (!accumulation(loop, i))
      returnResult(loop.getLoc(), loop.getResult(i));
  ++number;
  return success();
}
