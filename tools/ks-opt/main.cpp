//===- main.cpp - One binary, several tools -------------------------------===//
//
// Runs the tool that the program's name asks for.
//
//===----------------------------------------------------------------------===//
#include "Tools.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  return mlir::ks::optMain(argc, argv);
}
