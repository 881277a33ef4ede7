//===- LLVMCode.h - From a gpu.module to machine code -----------*- C++ -*-===//
//
// The two ends of the lowering: PTX (and through ptxas a cubin) for a GPU, and
// an object for the CPU. Both are made of the same gpu.funcs.
//
//===----------------------------------------------------------------------===//
#ifndef KS_LIB_LOWERING_LLVMCODE_H
#define KS_LIB_LOWERING_LLVMCODE_H

#include "ks/Lowering/Lowering.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace mlir::ks {

/// PTX text of a gpu.module that the kernel emitter filled; `gpuModule` is
/// kept.
FailureOr<std::string> emitPTX(gpu::GPUModuleOp gpuModule,
                               const LoweringOptions &options);

/// Runs ptxas on `ptx`.
FailureOr<std::string> assemblePTX(Location loc, const std::string &ptx,
                                   const LoweringOptions &options,
                                   std::vector<KernelResources> *resources);

/// A relocatable x86-64 object with a function for each kernel of `gpuModule`:
/// void kernel(void *const *args, int64_t blockBegin, int64_t blockEnd,
///             int64_t blockDim, int64_t gridDim)
FailureOr<std::string> emitHostObject(gpu::GPUModuleOp gpuModule);

/// Optimises `module` for `machine` and emits assembly or an object.
FailureOr<std::string> emitCode(llvm::Module &module,
                                llvm::TargetMachine &machine, bool assembly,
                                Location loc);

} // namespace mlir::ks

#endif // KS_LIB_LOWERING_LLVMCODE_H
