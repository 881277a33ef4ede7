//===- Patterns.h - The rewrites of ks-normalize ----------------*- C++ -*-===//
//
// Each rewrite of the pass by itself: sets of patterns for a greedy driver, and
// transforms of a whole module where a pattern would see too little. All of
// them keep the values of a function's results, but for float64 made float32.
//
//===----------------------------------------------------------------------===//
#ifndef KS_NORMALIZE_PATTERNS_H
#define KS_NORMALIZE_PATTERNS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::ks {

/// The category of all remarks of the pass.
inline constexpr llvm::StringLiteral normalizeCategory = "ks-normalize";

/// Puts the bodies of private functions where they are called, and erases the
/// functions. Fails, with an error, on recursion and on calls of what has no
/// body.
LogicalResult inlineCalls(ModuleOp module);

/// Replaces loads of ml_program globals by their initial values, and erases the
/// stores and the globals. Fails, with an error, on a global without a value.
LogicalResult dropState(ModuleOp module);

/// Makes float64 that lies between an extension and a truncation float32.
void demoteFloat64(ModuleOp module);

/// Moves scalars computed between the operations of a function into the bodies
/// that read them, and makes scalar arguments and results tensors of rank 0.
void raiseScalars(ModuleOp module);

/// Moves what does not change in a counted loop before it.
void hoistInvariants(ModuleOp module);

/// Replaces integer comparisons that ranges decide by constants, and erases
/// assertions that are no conditions of the program.
void proveAssertions(ModuleOp module);

/// Emits an error for a reshape whose groups of dimensions are not those of its
/// type in order: MLIR's verifier lets some pass that its patterns crash on.
LogicalResult checkReshapes(ModuleOp module);

/// Emits an error for each operation that a cut graph cannot hold.
LogicalResult checkSupported(ModuleOp module);

/// Emits an error if a loop is no counted loop by itself, and if `op` reads or
/// writes rows otherwise than a counted loop may.
LogicalResult checkLoop(scf::ForOp loop);
LogicalResult checkRow(Operation *op, scf::ForOp loop);

/// dense_resource constants of at most 64 Ki elements become dense ones.
void populateMaterializeResourcePatterns(RewritePatternSet &patterns);

/// Operands of tensor.concat, and what a loop carries, take the static shapes
/// they were cast from.
void populateStaticShapePatterns(RewritePatternSet &patterns);

/// Truncations and roots of constants, and comparisons of extended values with
/// them.
void populateFoldConversionPatterns(RewritePatternSet &patterns);

/// Powers with constant exponents 1, 2, 3, 0.5 and small integers.
void populateReducePowerPatterns(RewritePatternSet &patterns);

/// Splat constants and fills that a body reads become scalars in it, and
/// initial values that an operation does not read become tensor.empty; other
/// splat constants become fills.
void populateFoldSplatPatterns(RewritePatternSet &patterns);

/// Transposes, broadcasts and copies fold into the indexing maps of
/// linalg.generic and of matrix products, which then become linalg.generic.
void populateFoldIndexingMapPatterns(RewritePatternSet &patterns);

/// Elements that a body extracts at affine indices become operands.
void populateFoldExtractPatterns(RewritePatternSet &patterns);

/// Operands of a sort that nothing reads, and that do not decide its order, go.
void populateDropPayloadPatterns(RewritePatternSet &patterns);

/// Factors that are constant come out of products of half-precision operands.
void populateHoistScalePatterns(RewritePatternSet &patterns);

/// Matrix products and convolutions read operands as they were before an
/// extension.
void populateNarrowProductPatterns(RewritePatternSet &patterns);

/// Convolutions of images stuffed with zeros, or with flipped weights, become
/// linalg.generic that multiply no stuffed zeros.
void populateRaiseTransposedConvolutionPatterns(RewritePatternSet &patterns);

/// Structured operations that nothing reads go, though they hold assertions.
void populateEraseDeadCheckPatterns(RewritePatternSet &patterns);

/// Counted loops: rows in one form, nothing carried or started from in vain.
void populateLoopFormPatterns(RewritePatternSet &patterns);

/// floor(a / b) of integers, computed in float64, becomes an integer division.
void populateFloorDivisionPatterns(RewritePatternSet &patterns);

} // namespace mlir::ks

#endif // KS_NORMALIZE_PATTERNS_H
