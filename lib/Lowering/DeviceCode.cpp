//===- DeviceCode.cpp - gpu.module to PTX and cubin -----------------------===//
//
// Converts a copy of the gpu.module to the NVVM dialect, translates it to LLVM
// IR, links what it needs of libdevice, and emits PTX; ptxas makes the cubin.
//
//===----------------------------------------------------------------------===//

#include "LLVMCode.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/Internalize.h"

#include <dlfcn.h>

using namespace mlir;
using namespace mlir::ks;

static bool isExecutable(const Twine &path) {
  return llvm::sys::fs::can_execute(path);
}

/// Where setup.sh and the bundle put what a machine without CUDA lacks:
/// toolchain/cuda beside the folder of the tool, or of the plugin.
static SmallVector<std::string> ownToolkits() {
  static int anchor;
  SmallVector<std::string> files = {
      llvm::sys::fs::getMainExecutable(nullptr, &anchor)};
  Dl_info info;
  if (dladdr(&anchor, &info) && info.dli_fname)
    files.push_back(info.dli_fname);
  SmallVector<std::string> toolkits;
  for (StringRef file : files)
    toolkits.push_back(
        (llvm::sys::path::parent_path(file) + "/../toolchain/cuda").str());
  return toolkits;
}

std::string mlir::ks::findPtxas(const std::string &given) {
  if (!given.empty())
    return isExecutable(given) ? given : std::string();
  for (const char *variable : {"KS_CUDA_HOME", "CUDA_HOME"})
    if (auto home = llvm::sys::Process::GetEnv(variable))
      if (isExecutable(*home + "/bin/ptxas"))
        return *home + "/bin/ptxas";
  if (auto found = llvm::sys::findProgramByName("ptxas"))
    return *found;
  SmallVector<std::string> toolkits = ownToolkits();
  toolkits.insert(toolkits.begin(), "/usr/local/cuda");
  for (const std::string &toolkit : toolkits)
    if (isExecutable(toolkit + "/bin/ptxas"))
      return toolkit + "/bin/ptxas";
  return {};
}

std::string mlir::ks::describePtxasSearch() {
  return "$KS_CUDA_HOME/bin, $CUDA_HOME/bin, PATH, /usr/local/cuda/bin or "
         "toolchain/cuda/bin beside ks-opt's folder";
}

/// libdevice.10.bc: $KS_LIBDEVICE, or in the toolkit of ptxas, or in another.
static std::string findLibdevice(const std::string &ptxas) {
  SmallVector<std::string> candidates;
  if (auto given = llvm::sys::Process::GetEnv("KS_LIBDEVICE"))
    candidates.push_back(*given);
  std::string tool = findPtxas(ptxas);
  const char *below = "/nvvm/libdevice/libdevice.10.bc";
  if (!tool.empty()) {
    SmallString<256> real;
    if (!llvm::sys::fs::real_path(tool, real))
      tool = std::string(real.str());
    StringRef toolkit =
        llvm::sys::path::parent_path(llvm::sys::path::parent_path(tool));
    candidates.push_back((toolkit + below).str());
  }
  for (const char *variable : {"KS_CUDA_HOME", "CUDA_HOME"})
    if (auto home = llvm::sys::Process::GetEnv(variable))
      candidates.push_back(*home + below);
  candidates.push_back(std::string("/usr/local/cuda") + below);
  for (const std::string &toolkit : ownToolkits())
    candidates.push_back(toolkit + below);
  for (const std::string &candidate : candidates)
    if (llvm::sys::fs::exists(candidate))
      return candidate;
  return {};
}

static LogicalResult linkLibdevice(llvm::Module &module,
                                   const LoweringOptions &options,
                                   Location loc) {
  bool needed = llvm::any_of(module, [](const llvm::Function &function) {
    return function.isDeclaration() && function.getName().starts_with("__nv_");
  });
  if (!needed)
    return success();
  std::string path = findLibdevice(options.ptxas);
  if (path.empty())
    return emitError(
        loc, "libdevice.10.bc not found (looked at $KS_LIBDEVICE, in CUDA's "
             "folder and in toolchain/cuda beside ks-opt's)");
  llvm::SMDiagnostic diagnostic;
  auto library =
      llvm::getLazyIRFileModule(path, diagnostic, module.getContext());
  if (!library)
    return emitError(loc, "cannot read ")
           << path << ": " << diagnostic.getMessage();
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  auto internalize = [](llvm::Module &linked, const llvm::StringSet<> &added) {
    llvm::internalizeModule(linked, [&](const llvm::GlobalValue &value) {
      return !value.hasName() || !added.contains(value.getName());
    });
  };
  if (llvm::Linker::linkModules(module, std::move(library),
                                llvm::Linker::LinkOnlyNeeded, internalize))
    return emitError(loc, "cannot link ") << path;
  return success();
}

FailureOr<std::string> mlir::ks::emitPTX(gpu::GPUModuleOp gpuModule,
                                         const LoweringOptions &options) {
  Location loc = gpuModule.getLoc();
  OwningOpRef<ModuleOp> copy = ModuleOp::create(loc);
  auto clone = cast<gpu::GPUModuleOp>(gpuModule->clone());
  copy->push_back(clone);

  PassManager passes(copy->getContext());
  auto &device = passes.nest<gpu::GPUModuleOp>();
  device.addPass(createSCFToControlFlowPass());
  device.addPass(arith::createArithExpandOpsPass());
  device.addPass(createConvertComplexToStandardPass());
  ConvertGpuOpsToNVVMOpsOptions conversion;
  conversion.useBarePtrCallConv = true;
  conversion.indexBitwidth = 64;
  device.addPass(createConvertGpuOpsToNVVMOps(conversion));
  device.addPass(createConvertMathToLLVMPass());
  device.addPass(createConvertComplexToLLVMPass());
  device.addPass(createReconcileUnrealizedCastsPass());
  if (failed(passes.run(*copy)))
    return emitError(loc, "cannot convert the kernels to the NVVM dialect");

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module =
      translateModuleToLLVMIR(clone, context);
  if (!module)
    return emitError(loc, "cannot translate the kernels to LLVM IR");

  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return emitError(loc, "no code generator for NVIDIA GPUs: ") << error;
  llvm::TargetOptions targetOptions;
  targetOptions.AllowFPOpFusion = llvm::FPOpFusion::Fast;
  int capability = 0;
  if (!StringRef(options.chip).starts_with("sm_") ||
      StringRef(options.chip)
          .drop_front(3)
          .take_while(llvm::isDigit)
          .getAsInteger(10, capability))
    return emitError(loc, "unknown chip '")
           << options.chip << "': expected sm_<number>";
  // PTX for the architecture without its own extensions, which the plain
  // lowering does not use, runs on later cards too; ptxas still makes code for
  // the chip.
  std::string base = StringRef(options.chip).rtrim("af").str();
  const char *features = capability >= 100 ? "+ptx86" : "+ptx80";
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, base, features, targetOptions, std::nullopt, std::nullopt,
      llvm::CodeGenOptLevel::Default));
  if (!machine)
    return emitError(loc, "no code generator for ") << options.chip;
  module->setTargetTriple(triple);
  module->setDataLayout(machine->createDataLayout());
  if (failed(linkLibdevice(*module, options, loc)))
    return failure();
  return emitCode(*module, *machine, /*assembly=*/true, loc);
}

/// What `ptxas -v` says of each kernel.
static void readResources(StringRef log,
                          std::vector<KernelResources> &resources) {
  llvm::Regex entry("Compiling entry function '([^']+)'");
  llvm::Regex registers("Used ([0-9]+) registers");
  llvm::Regex spills("([0-9]+) bytes spill stores, ([0-9]+) bytes spill loads");
  llvm::Regex shared("([0-9]+) bytes smem");
  auto number = [](StringRef text) {
    unsigned value = 0;
    text.getAsInteger(10, value);
    return value;
  };
  SmallVector<StringRef> lines, match;
  log.split(lines, '\n');
  for (StringRef line : lines) {
    if (entry.match(line, &match)) {
      KernelResources kernel;
      kernel.kernel = match[1].str();
      resources.push_back(kernel);
    }
    if (resources.empty())
      continue;
    if (spills.match(line, &match))
      resources.back().spillBytes = number(match[1]) + number(match[2]);
    if (registers.match(line, &match))
      resources.back().registers = number(match[1]);
    if (shared.match(line, &match))
      resources.back().sharedBytes = number(match[1]);
  }
}

FailureOr<std::string>
mlir::ks::assemblePTX(Location loc, const std::string &ptx,
                      const LoweringOptions &options,
                      std::vector<KernelResources> *resources) {
  std::string ptxas = findPtxas(options.ptxas);
  if (ptxas.empty()) {
    if (!options.ptxas.empty())
      return emitError(loc, "ptxas not found: '")
             << options.ptxas << "' is no program";
    return emitError(loc, "ptxas not found in ") << describePtxasSearch();
  }
  SmallString<128> folder;
  if (std::error_code error =
          llvm::sys::fs::createUniqueDirectory("ks-ptxas", folder))
    return emitError(loc, "cannot create a temporary folder: ")
           << error.message();
  llvm::scope_exit cleanUp(
      [&] { (void)llvm::sys::fs::remove_directories(folder); });
  std::string input = (folder + "/kernels.ptx").str(),
              output = (folder + "/kernels.cubin").str();
  std::string log = (folder + "/log").str();
  {
    std::error_code error;
    llvm::raw_fd_ostream file(input, error);
    if (!error) {
      file << ptx;
      file.close();
      error = file.error();
      file.clear_error();
    }
    if (error)
      return emitError(loc, "cannot write ")
             << input << ": " << error.message();
  }
  std::string arch = "-arch=" + options.chip;
  SmallVector<StringRef> arguments{ptxas, "-v",   "-O3", arch,
                                   "-o",  output, input};
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(log),
                                          StringRef(log)};
  std::string message;
  bool failedToRun = false;
  int status = llvm::sys::ExecuteAndWait(
      ptxas, arguments, std::nullopt, redirects,
      /*SecondsToWait=*/300, /*MemoryLimit=*/0, &message, &failedToRun);
  std::string said;
  if (auto buffer = llvm::MemoryBuffer::getFile(log))
    said = (*buffer)->getBuffer().str();
  if (failedToRun || status != 0) {
    auto diagnostic = emitError(loc, "ptxas failed");
    if (!message.empty())
      diagnostic << ": " << message;
    if (!said.empty())
      diagnostic.attachNote() << StringRef(said).take_front(2000).rtrim();
    return failure();
  }
  if (resources)
    readResources(said, *resources);
  auto cubin = llvm::MemoryBuffer::getFile(output);
  if (!cubin)
    return emitError(loc, "ptxas wrote no cubin: ")
           << cubin.getError().message();
  return (*cubin)->getBuffer().str();
}
