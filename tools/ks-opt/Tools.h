//===- Tools.h - The tools inside the one binary ----------------*- C++ -*-===//
//
// ks-opt, ks-run and ks-worker are one binary that its name chooses from, so
// that they always agree with each other and a bundle holds the compiler once.
//
//===----------------------------------------------------------------------===//
#ifndef KS_TOOLS_TOOLS_H
#define KS_TOOLS_TOOLS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::ks {

int optMain(int argc, char **argv);
int runMain(int argc, char **argv);

/// False, with an error that names the place, if `path` cannot be written.
bool checkOutput(StringRef path, llvm::raw_ostream &errors);

/// Writes `text` to `path`: standard output for "-", through a temporary file
/// in the same folder otherwise, so that no half of it is ever seen.
bool writeOutput(StringRef path, StringRef text, llvm::raw_ostream &errors);

} // namespace mlir::ks

#endif // KS_TOOLS_TOOLS_H
