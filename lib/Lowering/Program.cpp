//===- Program.cpp - A cut module becomes a lowered one -------------------===//
//
// Walks the calls of the host function: each kernel is emitted once for each
// form of its arguments, and each call becomes launches on the program's
// buffers.
//
//===----------------------------------------------------------------------===//

#include "HostFunction.h"
#include "LLVMCode.h"

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
#include "mlir/Transforms/RegionUtils.h"
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

namespace {
/// A tensor of the host function in the program's buffers.
struct HostTensor {
  ArgumentForm form;
  unsigned value = 0, bound = 0;
};

class ProgramBuilder {
public:
  ProgramBuilder(ModuleOp module, func::FuncOp host,
                 const LoweringOptions &options, gpu::GPUModuleOp gpuModule)
      : module(module), host(host), gpuModule(gpuModule),
        domain(options.reference ? Domain::Reference : Domain::Native) {}

  FailureOr<Program> build();
  ArrayRef<std::string> checkMessages() const { return checks.messages(); }

private:
  struct Variant {
    SmallVector<ArgumentForm> forms;
    bool forceBounds;
    LoweredKernel kernel;
  };
  FailureOr<LoweredKernel *>
  lowered(func::FuncOp kernel, ArrayRef<ArgumentForm> forms, bool forceBounds);
  LogicalResult addCall(func::CallOp call, unsigned number);
  unsigned addBuffer(ProgramBuffer buffer) {
    program.buffers.push_back(buffer);
    return program.buffers.size() - 1;
  }
  /// The buffers of a call's result: an output, or a place in the workspace.
  HostTensor resultTensor(Value result, unsigned number, bool hasBound);
  Type referenceType(Type tensor, bool bound);

  ModuleOp module;
  func::FuncOp host;
  gpu::GPUModuleOp gpuModule;
  Domain domain;
  CheckTable checks;
  Program program;
  llvm::DenseMap<Value, HostTensor> tensors;
  llvm::DenseMap<Operation *, SmallVector<std::unique_ptr<Variant>, 1>>
      variants;
  unsigned statusBuffer = 0;
};
} // namespace

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

HostTensor ProgramBuilder::resultTensor(Value result, unsigned number,
                                        bool hasBound) {
  HostTensor tensor;
  tensor.form.native = domain == Domain::Native;
  tensor.form.hasBound = hasBound;
  auto type = cast<RankedTensorType>(result.getType());
  ProgramBuffer buffer;
  buffer.bytes =
      type.getNumElements() * elementBytes(type.getElementType(), domain);
  buffer.firstUse = buffer.lastUse = number;
  ProgramBuffer bound = buffer;
  bound.bytes = type.getNumElements() * 8;
  for (OpOperand &use : result.getUses()) {
    if (!isa<func::ReturnOp>(use.getOwner()))
      continue;
    // In the reference, each output is two: values, and bounds.
    unsigned each = domain == Domain::Reference ? 2 : 1;
    buffer.place = bound.place = ProgramBuffer::Place::Output;
    buffer.index = use.getOperandNumber() * each;
    bound.index = buffer.index + 1;
  }
  tensor.value = addBuffer(buffer);
  if (hasBound)
    tensor.bound = addBuffer(bound);
  return tensor;
}

LogicalResult ProgramBuilder::addCall(func::CallOp call, unsigned number) {
  auto kernel = module.lookupSymbol<func::FuncOp>(call.getCallee());
  if (!kernel || kernel.isExternal())
    return call.emitError("calls '")
           << call.getCallee() << "', which is no kernel of the module";
  SmallVector<ArgumentForm> forms;
  for (Value operand : call.getOperands()) {
    auto it = tensors.find(operand);
    if (it == tensors.end())
      return call.emitError(
          "has an operand that is neither an argument nor a kernel's result");
    forms.push_back(it->second.form);
    for (unsigned buffer : {it->second.value, it->second.bound})
      program.buffers[buffer].lastUse =
          std::max(program.buffers[buffer].lastUse, number);
  }
  bool returned = llvm::any_of(call.getResults(), [](Value result) {
    return llvm::any_of(result.getUsers(),
                        [](Operation *u) { return isa<func::ReturnOp>(u); });
  });
  FailureOr<LoweredKernel *> found =
      lowered(kernel, forms, returned && domain == Domain::Reference);
  if (failed(found))
    return failure();
  const LoweredKernel &code = **found;

  SmallVector<HostTensor> results;
  for (auto [i, result] : llvm::enumerate(call.getResults())) {
    results.push_back(resultTensor(result, number, code.resultHasBound[i]));
    tensors[result] = results.back();
  }
  SmallVector<unsigned> temporaries, temporaryBounds;
  ProgramBuffer local;
  local.firstUse = local.lastUse = number;
  for (unsigned i = 0; i < code.temporaryBytes.size(); ++i) {
    local.bytes = code.temporaryBytes[i];
    temporaries.push_back(addBuffer(local));
    local.bytes = code.temporaryBoundBytes[i];
    temporaryBounds.push_back(addBuffer(local));
  }
  for (const LoweredLaunch &launch : code.launches) {
    ProgramLaunch entry{
        launch.name, call.getLoc(), launch.grid, launch.block, {}};
    for (const BufferRef &ref : launch.args) {
      switch (ref.kind) {
      case BufferRef::Kind::Argument: {
        const HostTensor &tensor = tensors[call.getOperand(ref.index)];
        entry.buffers.push_back(ref.bound ? tensor.bound : tensor.value);
        break;
      }
      case BufferRef::Kind::Result:
        entry.buffers.push_back(ref.bound ? results[ref.index].bound
                                          : results[ref.index].value);
        break;
      case BufferRef::Kind::Temporary:
        entry.buffers.push_back(ref.bound ? temporaryBounds[ref.index]
                                          : temporaries[ref.index]);
        break;
      case BufferRef::Kind::Status:
        entry.buffers.push_back(statusBuffer);
        break;
      }
    }
    program.launches.push_back(std::move(entry));
  }
  return success();
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

FailureOr<Program> ProgramBuilder::build() {
  // The status word is the workspace's start; zero bytes keep it out of the
  // layout.
  statusBuffer = addBuffer(ProgramBuffer());
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
    tensor.value = tensor.bound = addBuffer(buffer);
    tensors[argument] = tensor;
  }
  for (Type type : host.getResultTypes()) {
    if (domain == Domain::Native) {
      program.outputs.push_back(type);
      continue;
    }
    program.outputs.push_back(referenceType(type, false));
    program.outputs.push_back(referenceType(type, true));
  }
  unsigned number = 0;
  for (Operation &op : host.getBody().front().without_terminator()) {
    auto call = dyn_cast<func::CallOp>(op);
    if (!call)
      return op.emitError(
          "stands in the host function, which may only call kernels (run "
          "ks-cut-kernels first)");
    if (failed(addCall(call, number++)))
      return failure();
  }
  llvm::DenseSet<Value> returned;
  for (Value result : host.getBody().front().getTerminator()->getOperands())
    if (!result.getDefiningOp<func::CallOp>() ||
        !returned.insert(result).second)
      return host.emitError(
          "returns what is no kernel's result, or one result twice");
  // Indices were computed on demand, and some in vain.
  IRRewriter rewriter(module.getContext());
  (void)runRegionDCE(rewriter, gpuModule->getRegions());
  layOutWorkspace(program);
  program.buffers[statusBuffer].bytes = 8;
  return std::move(program);
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
