//===- Plan.cpp - Reads the launch plan out of a lowered module -----------===//
//
// Takes the host function as writeHostFunction leaves it; a module that went
// through other tools is taken as long as it kept that form.
//
//===----------------------------------------------------------------------===//

#include "HostFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::ks;

static std::optional<int64_t> constantOf(Value value) {
  APInt constant;
  if (value && matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

static FailureOr<BufferDesc> bufferOf(func::FuncOp function,
                                      unsigned argument) {
  auto type = dyn_cast<MemRefType>(function.getArgumentTypes()[argument]);
  BufferDesc desc;
  std::string name;
  Type element = type ? type.getElementType() : Type();
  // A reference's complex number is two float64 in a row.
  auto complexType = dyn_cast_or_null<ComplexType>(element);
  bool pairs = complexType && complexType.getElementType().isF64();
  if (pairs)
    element = complexType.getElementType();
  if (type)
    llvm::raw_string_ostream(name) << element;
  std::optional<DType> dtype = parseDType(name);
  if (!type || !type.hasStaticShape() || !dtype)
    return function.emitError("argument ")
           << argument << " is no buffer of the Host ABI";
  desc.dtype = *dtype;
  desc.shape.assign(type.getShape().begin(), type.getShape().end());
  if (pairs)
    desc.shape.push_back(2);
  return desc;
}

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

FailureOr<LaunchPlan> mlir::ks::planFromModule(ModuleOp module) {
  LaunchPlan plan;
  func::FuncOp host;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr("ks.inputs"))
      host = function;
  if (!host || host.isExternal() || !llvm::hasSingleElement(host.getBody()))
    return module.emitError(
        "has no host function of the Host ABI (one with ks.inputs)");
  plan.function = host.getName().str();
  auto inputsAttr = host->getAttrOfType<IntegerAttr>("ks.inputs");
  unsigned arguments = host.getNumArguments();
  if (!inputsAttr || inputsAttr.getInt() < 0 ||
      inputsAttr.getInt() + 2 > arguments)
    return host.emitError("has a wrong ks.inputs");
  unsigned inputs = inputsAttr.getInt(), workspaceAt = arguments - 2;
  // Bools are bytes in the host function; their types are kept beside it.
  auto bools = host->getAttrOfType<DenseBoolArrayAttr>("ks.bools");
  for (unsigned i = 0; i < workspaceAt; ++i) {
    FailureOr<BufferDesc> desc = bufferOf(host, i);
    if (failed(desc))
      return failure();
    if (bools && i < bools.size() && bools[i] && desc->dtype == DType::I8)
      desc->dtype = DType::Bool;
    (i < inputs ? plan.inputs : plan.outputs).push_back(std::move(*desc));
  }
  auto workspace = dyn_cast<MemRefType>(host.getArgumentTypes()[workspaceAt]);
  if (!workspace || workspace.getRank() != 1 || !workspace.hasStaticShape())
    return host.emitError("has no workspace argument");
  // The status word in front of the workspace is no part of the plan's.
  int64_t workspaceBytes = workspace.getDimSize(0);
  if (workspaceBytes < statusBytes)
    return host.emitError("has a workspace without room for the status word");
  plan.workspaceBytes = workspaceBytes - statusBytes;

  for (Operation &op : host.getBody().front().without_terminator()) {
    if (isa<arith::ConstantOp, memref::ViewOp>(op))
      continue;
    auto launchOp = dyn_cast<gpu::LaunchFuncOp>(op);
    if (!launchOp)
      return op.emitError("is not expected in a host function");
    Launch launch;
    launch.kernel = launchOp.getKernelName().str();
    auto grid = sizeOf(&op, launchOp.getGridSizeOperandValues());
    auto block = sizeOf(&op, launchOp.getBlockSizeOperandValues());
    if (failed(grid) || failed(block))
      return failure();
    launch.grid = *grid;
    launch.block = *block;
    for (Value operand : launchOp.getKernelOperands()) {
      LaunchArg arg;
      if (auto view = operand.getDefiningOp<memref::ViewOp>()) {
        std::optional<int64_t> offset = constantOf(view.getByteShift());
        auto base = dyn_cast<BlockArgument>(view.getSource());
        if (!offset || !base || base.getArgNumber() != workspaceAt ||
            (*offset != 0 && *offset < statusBytes) || *offset > workspaceBytes)
          return view.emitError(
              "is no view of the workspace at a constant offset");
        // What has no bytes lies at 0, too.
        bool isStatus = *offset == 0 && view.getType().getNumElements() != 0;
        arg.space =
            isStatus ? LaunchArg::Space::Status : LaunchArg::Space::Workspace;
        arg.offset = std::max<int64_t>(*offset - statusBytes, 0);
      } else if (auto argument = dyn_cast<BlockArgument>(operand);
                 argument && argument.getArgNumber() < workspaceAt) {
        bool input = argument.getArgNumber() < inputs;
        arg.space = input ? LaunchArg::Space::Input : LaunchArg::Space::Output;
        arg.index = argument.getArgNumber() - (input ? 0 : inputs);
      } else {
        return op.emitError("has an operand that is no buffer of the Host ABI");
      }
      launch.args.push_back(arg);
    }
    append(plan, std::move(launch));
  }
  for (uint32_t i = 0; i < plan.outputs.size(); ++i)
    plan.results.push_back({ResultDesc::Of::Output, i});

  if (auto checks = module->getAttrOfType<ArrayAttr>("ks.checks"))
    for (Attribute check : checks)
      if (auto text = dyn_cast<StringAttr>(check))
        plan.checks.push_back(text.str());
  for (auto binary : module.getOps<gpu::BinaryOp>()) {
    for (Attribute attribute : binary.getObjects()) {
      auto object = cast<gpu::ObjectAttr>(attribute);
      StringRef code = object.getObject().getValue();
      if (auto target = dyn_cast<NVVM::NVVMTargetAttr>(object.getTarget()))
        plan.chip = target.getChip().str();
      if (object.getFormat() == gpu::CompilationTarget::Binary)
        plan.cubin.assign(code.bytes_begin(), code.bytes_end());
      else if (object.getFormat() == gpu::CompilationTarget::Assembly)
        plan.ptx.assign(code.bytes_begin(), code.bytes_end());
    }
    if (auto object = binary->getAttrOfType<StringAttr>("ks.host_object"))
      plan.hostObject.assign(object.getValue().bytes_begin(),
                             object.getValue().bytes_end());
  }
  if (Status status = validate(plan); !status)
    return host.emitError("holds no valid plan: ") << status.error();
  return plan;
}
