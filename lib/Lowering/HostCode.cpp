//===- HostCode.cpp - gpu.module to an object for the CPU -----------------===//
//
// Each gpu.func becomes a function of its arguments and of its block's and
// thread's number, and an entry point that runs it for a range of blocks.
//
//===----------------------------------------------------------------------===//

#include "LLVMCode.h"

#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace mlir::ks;

/// The per-thread function: the kernel's pointers, block and thread.
static func::FuncOp emitThreadFunction(OpBuilder &b, gpu::GPUFuncOp kernel) {
  Location loc = kernel.getLoc();
  SmallVector<Type> types(kernel.getArgumentTypes());
  types.append(2, b.getIndexType());
  auto function =
      func::FuncOp::create(b, loc, (kernel.getName() + "_thread").str(),
                           b.getFunctionType(types, {}));
  function.setPrivate();
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    function.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                        b.getUnitAttr());
    if (kernel.getArgAttr(i, LLVM::LLVMDialect::getReadonlyAttrName()))
      function.setArgAttr(i, LLVM::LLVMDialect::getReadonlyAttrName(),
                          b.getUnitAttr());
  }
  Block *body = function.addEntryBlock();
  IRMapping mapping;
  mapping.map(kernel.getArguments(), body->getArguments().drop_back(2));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(body);
  for (Operation &op : kernel.getBody().front()) {
    if (isa<gpu::BlockIdOp>(op))
      mapping.map(op.getResult(0),
                  body->getArgument(body->getNumArguments() - 2));
    else if (isa<gpu::ThreadIdOp>(op))
      mapping.map(op.getResult(0), body->getArguments().back());
    else if (isa<gpu::ReturnOp>(op))
      func::ReturnOp::create(b, op.getLoc());
    else
      b.clone(op, mapping);
  }
  return function;
}

static void emitEntry(OpBuilder &b, gpu::GPUFuncOp kernel,
                      func::FuncOp threadFunction) {
  Location loc = kernel.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(b.getContext()),
       i64 = b.getI64Type();
  auto entry = func::FuncOp::create(
      b, loc, kernel.getName(),
      b.getFunctionType({pointer, i64, i64, i64, i64}, {}));
  Block *body = entry.addEntryBlock();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(body);
  SmallVector<Value> arguments;
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    Value slot =
        LLVM::GEPOp::create(b, loc, pointer, pointer, body->getArgument(0),
                            ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
    arguments.push_back(LLVM::LoadOp::create(b, loc, pointer, slot));
  }
  auto index = [&](unsigned argument) -> Value {
    return arith::IndexCastOp::create(b, loc, b.getIndexType(),
                                      body->getArgument(argument));
  };
  Value begin = index(1), end = index(2), threads = index(3);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  scf::ForOp::create(
      b, loc, begin, end, one, ValueRange(),
      [&](OpBuilder &outer, Location, Value blockId, ValueRange) {
        scf::ForOp::create(
            outer, loc, zero, threads, one, ValueRange(),
            [&](OpBuilder &inner, Location, Value thread, ValueRange) {
              SmallVector<Value> all(arguments);
              all.append({blockId, thread});
              func::CallOp::create(inner, loc, threadFunction, all);
              scf::YieldOp::create(inner, loc);
            });
        scf::YieldOp::create(outer, loc);
      });
  func::ReturnOp::create(b, loc);
}

namespace {
/// Math functions: those that LLVM's intrinsics don't serve, or serve
/// inexactly, become calls to libm.
struct HostMathPass : PassWrapper<HostMathPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HostMathPass)

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<func::FuncDialect, LLVM::LLVMDialect>();
  }

  void runOnOperation() override {
    RewritePatternSet expansions(&getContext());
    math::populateExpansionPatterns(expansions, {"rsqrt"});
    if (failed(applyPatternsGreedily(getOperation(), std::move(expansions))))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    populateMathToLibmConversionPatterns(patterns);
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addIllegalOp<math::AcosOp, math::AcoshOp, math::AsinOp,
                        math::AsinhOp, math::AtanOp, math::AtanhOp,
                        math::Atan2Op, math::CbrtOp, math::CoshOp, math::SinhOp,
                        math::ErfOp, math::ErfcOp, math::ExpM1Op, math::Log1pOp,
                        math::TanOp, math::TanhOp>();
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

FailureOr<std::string> mlir::ks::emitHostObject(gpu::GPUModuleOp gpuModule) {
  Location loc = gpuModule.getLoc();
  OwningOpRef<ModuleOp> host = ModuleOp::create(loc);
  OpBuilder b = OpBuilder::atBlockEnd(host->getBody());
  for (Operation &op : *gpuModule.getBody()) {
    if (auto kernel = dyn_cast<gpu::GPUFuncOp>(op))
      emitEntry(b, kernel, emitThreadFunction(b, kernel));
    else if (isa<LLVM::GlobalOp>(op))
      b.clone(op);
  }

  PassManager passes(host->getContext());
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(arith::createArithExpandOpsPass());
  passes.addPass(createConvertComplexToStandardPass());
  passes.addPass(std::make_unique<HostMathPass>());
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createConvertComplexToLLVMPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  passes.addPass(createConvertFuncToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  if (failed(passes.run(*host)))
    return emitError(loc, "cannot convert the kernels to the LLVM dialect");

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module =
      translateModuleToLLVMIR(*host, context);
  if (!module)
    return emitError(loc, "cannot translate the kernels to LLVM IR");

  // Objects travel: take AVX2 and F16C where this CPU has them, and no more.
  llvm::Triple triple("x86_64-unknown-linux-gnu");
  auto features = llvm::sys::getHostCPUFeatures();
  bool modern = features.lookup("avx2") && features.lookup("f16c") &&
                features.lookup("fma");
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return emitError(loc, "no code generator for the CPU: ") << error;
  llvm::TargetOptions options;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, modern ? "x86-64-v3" : "x86-64", "", options, llvm::Reloc::PIC_,
      llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default));
  if (!machine)
    return emitError(loc, "no code generator for the CPU");
  for (llvm::Function &function : *module)
    if (!function.isDeclaration())
      function.addFnAttr("target-cpu", modern ? "x86-64-v3" : "x86-64");
  return emitCode(*module, *machine, /*assembly=*/false, loc);
}
