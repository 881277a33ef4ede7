//===- Program.cpp - A cut module becomes a lowered one -------------------===//
//
// Registers what the lowering needs, and puts code and host function together.
//
//===----------------------------------------------------------------------===//

#include "LLVMCode.h"
#include "ProgramBuilder.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/TargetSelect.h"

using namespace mlir;
using namespace mlir::ks;

static constexpr StringLiteral binaryName = "kernels";

void mlir::ks::registerLoweringDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                  complex::ComplexDialect, func::FuncDialect, gpu::GPUDialect,
                  linalg::LinalgDialect, LLVM::LLVMDialect, math::MathDialect,
                  memref::MemRefDialect, NVVM::NVVMDialect, scf::SCFDialect,
                  tensor::TensorDialect, tm_tensor::TMTensorDialect>();
  arith::registerConvertArithToLLVMInterface(registry);
  registerConvertComplexToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertFuncToLLVMInterface(registry);
  index::registerConvertIndexToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  registerConvertMemRefToLLVMInterface(registry);
  registerConvertNVVMToLLVMInterface(registry);
  NVVM::registerConvertGpuToNVVMInterface(registry);
  NVVM::registerNVVMTargetInterfaceExternalModels(registry);
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
}

bool mlir::ks::isLowered(ModuleOp module) {
  return !module.getOps<gpu::BinaryOp>().empty();
}

LogicalResult mlir::ks::lowerProgram(ModuleOp module,
                                     const LoweringOptions &options,
                                     std::vector<KernelResources> *resources) {
  func::FuncOp host;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isPrivate())
      continue;
    if (host)
      return function.emitError("is a second public function; one is expected");
    host = function;
  }
  if (!host)
    return module.emitError("has no public function");
  if (host.isExternal())
    return host.emitError("has no body");

  std::string source;
  {
    llvm::raw_string_ostream stream(source);
    OpPrintingFlags flags;
    flags.enableDebugInfo();
    module->print(stream, flags);
  }

  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  auto gpuModule = gpu::GPUModuleOp::create(b, host.getLoc(), binaryName);
  llvm::scope_exit discard([&] { gpuModule.erase(); });
  ProgramBuilder builder(module, host, options, gpuModule);
  FailureOr<Program> program = builder.build();
  if (failed(program))
    return failure();

  if (!options.cuda && !options.host) {
    // No code is wanted: the kernels themselves are what there is to see.
    discard.release();
    for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
      if (&op != gpuModule)
        op.erase();
    return success();
  }

  SmallVector<Attribute> objects;
  std::string hostObject;
  auto target = NVVM::NVVMTargetAttr::get(b.getContext(), /*optLevel=*/3,
                                          "nvptx64-nvidia-cuda", options.chip);
  if (options.cuda) {
    FailureOr<std::string> ptx = emitPTX(gpuModule, options);
    if (failed(ptx))
      return failure();
    FailureOr<std::string> cubin =
        assemblePTX(host.getLoc(), *ptx, options, resources);
    if (failed(cubin))
      return failure();
    objects.push_back(gpu::ObjectAttr::get(
        b.getContext(), target, gpu::CompilationTarget::Binary,
        b.getStringAttr(*cubin), nullptr, nullptr));
    objects.push_back(gpu::ObjectAttr::get(
        b.getContext(), target, gpu::CompilationTarget::Assembly,
        b.getStringAttr(*ptx), nullptr, nullptr));
  }
  if (options.host) {
    FailureOr<std::string> object = emitHostObject(gpuModule);
    if (failed(object))
      return failure();
    hostObject = std::move(*object);
  }
  if (objects.empty()) // A binary must hold something: here, a target without
                       // code.
    objects.push_back(gpu::ObjectAttr::get(
        b.getContext(), target, gpu::CompilationTarget::Assembly,
        b.getStringAttr(""), nullptr, nullptr));

  // Everything is there: replace the module's contents.
  std::string name = host.getName().str();
  Location loc = host.getLoc();
  SmallVector<Attribute> messages;
  for (const std::string &message : builder.checkMessages())
    messages.push_back(b.getStringAttr(message));
  discard.release();
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    op.erase();
  b.setInsertionPointToStart(module.getBody());
  auto binary = gpu::BinaryOp::create(b, loc, binaryName, Attribute(), objects);
  if (options.host)
    binary->setAttr("ks.host_object", b.getStringAttr(hostObject));
  writeHostFunction(module, loc, name, binaryName, *program);
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  b.getUnitAttr());
  module->setAttr("ks.source", b.getStringAttr(source));
  module->setAttr("ks.checks", b.getArrayAttr(messages));
  return success();
}
