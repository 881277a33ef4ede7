//===- ProgramBuilder.cpp - Buffers and steps of a cut module -------------===//
//
// See ProgramBuilder.h: calls of kernels. ProgramLoops.cpp has the loops.
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlir::ks;

FailureOr<LoweredKernel *> ProgramBuilder::lowered(func::FuncOp kernel,
                                                   ArrayRef<ArgumentForm> forms,
                                                   bool forceBounds) {
  auto &known = variants[kernel];
  for (auto &variant : known)
    if (ArrayRef(variant->forms) == forms &&
        variant->forceBounds == forceBounds)
      return &variant->kernel;
  FailureOr<Knobs> knobs = Knobs::get(kernel);
  if (failed(knobs))
    return failure();
  std::string prefix = kernel.getName().str();
  if (!known.empty())
    prefix += "_v" + std::to_string(known.size());
  KernelEmitter emitter(kernel, *knobs, domain, checks, gpuModule, forms,
                        prefix, forceBounds);
  FailureOr<LoweredKernel> result = emitter.emit();
  if (failed(result))
    return failure();
  known.push_back(std::make_unique<Variant>(Variant{
      SmallVector<ArgumentForm>(forms), forceBounds, std::move(*result)}));
  return &known.back()->kernel;
}

std::optional<unsigned> ProgramBuilder::outputOf(Value value) const {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user))
      if (std::optional<unsigned> output = outputOf(user->getResult(0)))
        return output;
    if (!isa<func::ReturnOp>(user))
      continue;
    unsigned result = use.getOperandNumber(), output = result;
    for (const Mutation &mutation : mutations) {
      if (mutation.result == result)
        return std::nullopt;
      output -= mutation.result < result;
    }
    // In the reference, each output is two: values, and bounds.
    return output * (domain == Domain::Reference ? 2 : 1);
  }
  return std::nullopt;
}

int64_t ProgramBuilder::valueBytes(Type type, Domain domain) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.getNumElements() *
         elementBytes(tensor.getElementType(), domain);
}

int64_t ProgramBuilder::boundBytes(Type type) {
  return cast<RankedTensorType>(type).getNumElements() * 8;
}

ProgramBuilder::HostTensor ProgramBuilder::newTensor(Value value, bool hasBound,
                                                     unsigned copies) {
  HostTensor tensor;
  tensor.form.native = domain == Domain::Native;
  tensor.form.hasBound = hasBound;
  std::optional<unsigned> output = copies == 1 ? outputOf(value) : std::nullopt;
  auto place = [&](int64_t bytes, unsigned part) {
    ProgramBuffer buffer;
    buffer.bytes = (copies - 1) * aligned(bytes) + bytes;
    buffer.firstUse = buffer.lastUse = number;
    if (output) {
      buffer.place = ProgramBuffer::Place::Output;
      buffer.index = *output + part;
    }
    return ProgramPlace{addBuffer(buffer), bytes};
  };
  tensor.value = place(valueBytes(value.getType(), domain), 0);
  if (hasBound)
    tensor.bound = place(boundBytes(value.getType()), 1);
  return tensor;
}

/// The tensor `value`, needed now; null if it is in no buffer.
const ProgramBuilder::HostTensor *ProgramBuilder::use(Value value) {
  auto it = tensors.find(value);
  if (it == tensors.end())
    return nullptr;
  for (unsigned buffer : {it->second.value.buffer, it->second.bound.buffer})
    program.buffers[buffer].lastUse =
        std::max(program.buffers[buffer].lastUse, number);
  return &it->second;
}

void ProgramBuilder::addLaunches(Location loc, const LoweredKernel &code,
                                 ArrayRef<HostTensor> operands,
                                 ArrayRef<HostTensor> results) {
  SmallVector<ProgramPlace> temporaries, temporaryBounds;
  auto local = [&](int64_t bytes) {
    ProgramBuffer buffer;
    buffer.firstUse = buffer.lastUse = number;
    buffer.bytes = bytes;
    return ProgramPlace{addBuffer(buffer), bytes};
  };
  for (unsigned i = 0; i < code.temporaryBytes.size(); ++i) {
    temporaries.push_back(local(code.temporaryBytes[i]));
    temporaryBounds.push_back(local(code.temporaryBoundBytes[i]));
  }
  auto placeOf = [&](const BufferRef &ref) {
    switch (ref.kind) {
    case BufferRef::Kind::Argument:
      return ref.bound ? operands[ref.index].bound : operands[ref.index].value;
    case BufferRef::Kind::Result:
      return ref.bound ? results[ref.index].bound : results[ref.index].value;
    case BufferRef::Kind::Temporary:
      return ref.bound ? temporaryBounds[ref.index] : temporaries[ref.index];
    case BufferRef::Kind::Status:
      break;
    }
    return ProgramPlace{statusBuffer, 8};
  };
  for (const LoweredLaunch &launch : code.launches) {
    ProgramLaunch entry{launch.name, loc, launch.grid, launch.block, {}};
    for (const BufferRef &ref : launch.args)
      entry.args.push_back(placeOf(ref));
    program.steps.push_back({ProgramStep::Kind::Launch,
                             static_cast<unsigned>(program.launches.size())});
    program.launches.push_back(std::move(entry));
  }
}

LogicalResult ProgramBuilder::addCall(func::CallOp call) {
  auto kernel = module.lookupSymbol<func::FuncOp>(call.getCallee());
  if (!kernel || kernel.isExternal())
    return call.emitError("calls '")
           << call.getCallee() << "', which is no kernel of the module";
  SmallVector<HostTensor> operands;
  SmallVector<ArgumentForm> forms;
  for (Value operand : call.getOperands()) {
    const HostTensor *tensor = use(operand);
    if (!tensor)
      return call.emitError(
          "has an operand that is neither an argument nor a kernel's result");
    operands.push_back(*tensor);
    forms.push_back(tensor->form);
  }
  // What others will read in a form of their choice has bounds in any case.
  bool placed = llvm::any_of(call.getResults(), [&](Value result) {
    return outputOf(result) || destinations.contains(result);
  });
  FailureOr<LoweredKernel *> code =
      lowered(kernel, forms, placed && domain == Domain::Reference);
  if (failed(code))
    return failure();
  SmallVector<HostTensor> results;
  for (auto [i, result] : llvm::enumerate(call.getResults())) {
    auto it = destinations.find(result);
    results.push_back(it != destinations.end()
                          ? it->second
                          : newTensor(result, (*code)->resultHasBound[i]));
    tensors[result] = results.back();
  }
  addLaunches(call.getLoc(), **code, operands, results);
  ++number;
  return success();
}

LogicalResult ProgramBuilder::addOperation(Operation &op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return addCall(call);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return addLoop(loop);
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return addReshape(&op);
  if (auto row = dyn_cast<tensor::ExtractSliceOp>(op); row && loopOfRow(row))
    return addRow(row);
  // Bounds of loops, and tensors that start without a value; accumulations
  // were seen with their loop.
  if (isa<arith::ConstantIndexOp, tensor::EmptyOp>(op) ||
      (isa<tensor::InsertSliceOp>(op) && loopOfRow(&op)))
    return success();
  return op.emitError(
      "stands in the host function, which may only call kernels (run "
      "ks-cut-kernels first)");
}

Type ProgramBuilder::referenceType(Type type, bool bound) {
  auto tensor = cast<RankedTensorType>(type);
  Type element = tensor.getElementType(),
       f64 = Float64Type::get(module.getContext());
  if (bound || isa<FloatType>(element))
    element = f64;
  else if (isa<ComplexType>(element))
    element = ComplexType::get(f64);
  return RankedTensorType::get(tensor.getShape(), element);
}

LogicalResult ProgramBuilder::readInputs() {
  for (auto [i, argument] : llvm::enumerate(host.getArguments())) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || !type.hasStaticShape())
      return host.emitError("argument ")
             << i << " is no tensor of static shape";
    program.inputs.push_back(type);
    ProgramBuffer buffer;
    buffer.place = ProgramBuffer::Place::Input;
    buffer.index = i;
    HostTensor tensor;
    tensor.value = {addBuffer(buffer), valueBytes(type, Domain::Native)};
    tensor.bound = tensor.value;
    tensors[argument] = tensor;
  }
  return success();
}

/// A reference keeps value semantics: what mutates an argument is a result of
/// it, and nobody calls it.
LogicalResult ProgramBuilder::readResults() {
  llvm::DenseSet<Value> returned;
  for (Value result : host.getBody().front().getTerminator()->getOperands()) {
    Value memory = withoutReshapes(result);
    if (!isa_and_nonnull<func::CallOp, scf::ForOp>(memory.getDefiningOp()) ||
        !returned.insert(memory).second)
      return host.emitError(
          "returns what is no kernel's result, or one result twice");
  }
  if (domain == Domain::Reference) {
    for (Type type : host.getResultTypes()) {
      program.outputs.push_back(referenceType(type, false));
      program.outputs.push_back(referenceType(type, true));
    }
    return success();
  }
  FailureOr<std::vector<Mutation>> found =
      readMutations(host, host.getNumArguments(), host.getNumResults());
  if (failed(found) || failed(checkSignature(host)))
    return failure();
  mutations = std::move(*found);
  for (auto [i, type] : llvm::enumerate(host.getResultTypes()))
    if (llvm::none_of(mutations,
                      [&](const Mutation &it) { return it.result == i; }))
      program.outputs.push_back(type);
  for (StringRef name : {mutationsAttr, resultsAttr})
    if (Attribute value = host->getAttr(name))
      program.attributes.emplace_back(
          StringAttr::get(module.getContext(), name), value);
  for (unsigned i = 0; i < host.getNumArguments(); ++i) {
    NamedAttrList kept;
    for (StringRef name : {argumentNameAttr, argumentKindAttr})
      if (Attribute value = host.getArgAttr(i, name))
        kept.set(name, value);
    program.inputAttributes.push_back(kept.getDictionary(module.getContext()));
  }
  return success();
}

void ProgramBuilder::addMutations() {
  Operation *end = host.getBody().front().getTerminator();
  for (const Mutation &mutation : mutations) {
    Value value = end->getOperand(mutation.result);
    ProgramPlace from = use(value)->value;
    Value argument = host.getArgument(mutation.input);
    addCopy(end->getLoc(), from, tensors[argument].value, argument.getType());
  }
}

FailureOr<Program> ProgramBuilder::build() {
  llvm::scope_exit discard([&] {
    for (auto &[type, kernel] : copyKernels)
      kernel.erase();
  });
  // The status word is the workspace's start; zero bytes keep it out of the
  // layout.
  statusBuffer = addBuffer(ProgramBuffer());
  if (failed(readInputs()) || failed(readResults()))
    return failure();
  for (Operation &op : host.getBody().front().without_terminator())
    if (failed(addOperation(op)))
      return failure();
  addMutations();
  // Indices were computed on demand, and some in vain.
  IRRewriter rewriter(module.getContext());
  (void)runRegionDCE(rewriter, gpuModule->getRegions());
  layOutWorkspace(program);
  program.buffers[statusBuffer].bytes = 8;
  return std::move(program);
}
