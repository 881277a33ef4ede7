//===- ks-opt.cpp - The optimiser driver ----------------------------------===//
//
// mlir-opt with this project's dialects and passes: every flag of MlirOptMain
// works. Two things are done around it: a guard against nesting that overflows
// the parser's stack, and an output file that is whole or not there at all.
//
//===----------------------------------------------------------------------===//
#include "Tools.h"
#include "ks/Passes/Input.h"
#include "ks/Passes/Register.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

static int optimise(StringRef inputName, StringRef outputName,
                    DialectRegistry &registry) {
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects()) {
    llvm::outs() << "Available Dialects: ";
    llvm::interleave(registry.getDialectNames(), llvm::outs(), ",");
    llvm::outs() << "\n";
    return 0;
  }
  if (config.shouldListPasses()) {
    printRegisteredPasses();
    return 0;
  }
  if (inputName == "-" && llvm::sys::Process::StandardInIsUserInput())
    llvm::errs() << "(reading the module from standard input)\n";

  auto input = llvm::MemoryBuffer::getFileOrSTDIN(inputName);
  if (std::error_code error = input.getError()) {
    llvm::errs() << "error: cannot read '" << inputName
                 << "': " << error.message() << "\n";
    return 1;
  }
  if (failed(
          ks::checkNesting(**input, llvm::errs(), config.inputSplitMarker())))
    return 1;
  // An unwritable place is told before the work, not after it.
  if (!ks::checkOutput(outputName, llvm::errs()))
    return 1;

  std::string text;
  llvm::raw_string_ostream stream(text);
  bool passed =
      succeeded(MlirOptMain(stream, std::move(*input), registry, config));
  // On standard output mlir-opt shows what it has even when a pass failed.
  if (!passed && outputName != "-")
    return 1;
  return ks::writeOutput(outputName, text, llvm::errs()) && passed ? 0 : 1;
}

int mlir::ks::optMain(int argc, char **argv) {
  DialectRegistry registry;
  registerDialects(registry);
  registerPasses();
  registerUpstreamPasses();
  auto [inputName, outputName] = registerAndParseCLIOptions(
      argc, argv, "KernelSkill optimiser driver\n", registry);
  return optimise(inputName, outputName, registry);
}
