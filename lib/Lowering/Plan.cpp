//===- Plan.cpp - Reads the launch plan out of a lowered module -----------===//
//
// Takes the host function as writeHostFunction leaves it; a module that went
// through other tools is taken as long as it kept that form.
//
//===----------------------------------------------------------------------===//

#include "HostFunction.h"
#include "ks/Normalize/Signature.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::ks;

static FailureOr<BufferDesc> describeBuffer(func::FuncOp function,
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
    FailureOr<BufferDesc> desc = describeBuffer(host, i);
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

  if (failed(readSignature(host, plan)) || failed(readSteps(host, plan)))
    return failure();
  if (auto python = module->getAttrOfType<StringAttr>(pythonAttr))
    plan.python = python.str();
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
