//===- Input.h - The guard before MLIR's parser -----------------*- C++ -*-===//
//
// MLIR's parser recurses with the nesting of its input and overflows the stack
// on hostile texts. This guard looks at the text first, so that such a text is
// an error with its line instead of a crash.
//
//===----------------------------------------------------------------------===//
#ifndef KS_PASSES_INPUT_H
#define KS_PASSES_INPUT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>

namespace mlir::ks {

/// Brackets, regions, aliases of aliases and chains of prefix signs may nest
/// this deeply; the deepest text of a real graph nests about ten.
constexpr unsigned maxNesting = 400;

/// A chain of binary operators in an affine expression may be this long.
constexpr unsigned maxAffineTerms = 2000;

/// Offset in `text` at which it nests more than `limit` deep; npos if nowhere.
/// Comments and strings do not count. With `splitMarker`, each part on its own.
size_t findDeepNesting(StringRef text, unsigned limit = maxNesting,
                       StringRef splitMarker = {});

/// Fails, with an error that names file and line, if `buffer` is MLIR text
/// nested too deeply, or bytecode, whose reader is not made for hostile input.
LogicalResult checkNesting(const llvm::MemoryBuffer &buffer,
                           llvm::raw_ostream &errors,
                           StringRef splitMarker = {});

/// Parses a module that some file holds as text, through the guard. Errors call
/// it `name`.
OwningOpRef<ModuleOp> parseModuleText(StringRef text, StringRef name,
                                      MLIRContext &context,
                                      llvm::raw_ostream &errors);

/// Reads and parses one module through the guard; "-" is standard input. The
/// text is added to `sources`, so that a SourceMgrDiagnosticHandler over it
/// shows lines. Errors are emitted on `context` or, before there is a location,
/// written to `errors`.
OwningOpRef<ModuleOp> parseModuleFile(StringRef path, MLIRContext &context,
                                      llvm::SourceMgr &sources,
                                      llvm::raw_ostream &errors);

} // namespace mlir::ks

#endif // KS_PASSES_INPUT_H
