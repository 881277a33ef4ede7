//===- LLVMCode.cpp - LLVM's optimiser and code generators ----------------===//
//
// What the GPU's and the CPU's code share.
//
//===----------------------------------------------------------------------===//

#include "LLVMCode.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::ks;

FailureOr<std::string> mlir::ks::emitCode(llvm::Module &module,
                                          llvm::TargetMachine &machine,
                                          bool assembly, Location loc) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  {
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager graphs;
    llvm::ModuleAnalysisManager modules;
    llvm::PipelineTuningOptions tuning;
    // LLVM 22.1.8 takes the load of a[i % 4], i the loop's counter, for one of
    // neighbours, and loads a[0..7] (test/Lowering/small-remainder.mlir).
    tuning.LoopVectorization = false;
    llvm::PassBuilder builder(&machine, tuning);
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(graphs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, graphs, modules);
    builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2)
        .run(module, modules);
  }
  llvm::SmallString<0> code;
  llvm::raw_svector_ostream stream(code);
  llvm::legacy::PassManager passes;
  auto kind = assembly ? llvm::CodeGenFileType::AssemblyFile
                       : llvm::CodeGenFileType::ObjectFile;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, kind))
    return emitError(loc, "the code generator cannot emit this kind of file");
  passes.run(module);
  return std::string(code.str());
}
