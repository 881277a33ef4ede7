//===- main.cpp - One binary, several tools -------------------------------===//
//
// Runs the tool that the program's name asks for.
//
//===----------------------------------------------------------------------===//
#include "Tools.h"

#include "ks/Evaluate/Worker.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  // A limit on the size of files is an error of the write, not a crash.
  std::signal(SIGXFSZ, SIG_IGN);
  llvm::cl::AddExtraVersionPrinter([](llvm::raw_ostream &out) {
    out << "KernelSkill version " KS_VERSION "\n";
  });
  llvm::StringRef name = llvm::sys::path::filename(argv[0]);
  if (name == "ks-run")
    return mlir::ks::runMain(argc, argv);
  if (name == "ks-worker")
    return mlir::ks::serveWorker();
  if (name == "ks-opt")
    return mlir::ks::optMain(argc, argv);
  llvm::errs()
      << "error: '" << name
      << "' is not a tool of this program: ks-opt, ks-run, ks-worker\n";
  return 2;
}
