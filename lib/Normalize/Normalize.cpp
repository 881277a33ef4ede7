//===- Normalize.cpp - The ks-normalize pass ------------------------------===//
//
// The order of the rewrites. The patterns run together with the dialects' own
// canonicalization; the transforms of a whole module run between rounds of it,
// when what they look for stands in its plainest form.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/Passes.h"
#include "ks/Normalize/Patterns.h"
#include "ks/Normalize/Signature.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::ks {
#define GEN_PASS_DEF_NORMALIZE
#include "ks/Normalize/Passes.h.inc"
} // namespace mlir::ks

using namespace mlir;
using namespace mlir::ks;

namespace {

struct NormalizePass : mlir::ks::impl::NormalizeBase<NormalizePass> {
protected:
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet all(context);
    addCanonicalization(all);
    populateMaterializeResourcePatterns(all);
    populateStaticShapePatterns(all);
    populateFoldConversionPatterns(all);
    populateReducePowerPatterns(all);
    populateFoldSplatPatterns(all);
    populateFoldExtractPatterns(all);
    populateFoldIndexingMapPatterns(all);
    populateHoistScalePatterns(all);
    populateDropPayloadPatterns(all);
    populateNarrowProductPatterns(all);
    populateRaiseTransposedConvolutionPatterns(all);
    populateFloorDivisionPatterns(all);
    populateLoopFormPatterns(all);
    populateEraseDeadCheckPatterns(all);
    linalg::populateEraseUnusedOperandsAndResultsPatterns(all);
    rewrites = std::move(all);

    linalg::ControlDropUnitDims options;
    RewritePatternSet drop(context), clean(context);
    linalg::populateFoldUnitExtentDimsPatterns(drop, options);
    dropUnitDims = std::move(drop);
    linalg::populateFoldUnitExtentDimsCanonicalizationPatterns(clean, options);
    cleanUnitDims = std::move(clean);
    return success();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto function : module.getOps<func::FuncOp>())
      if (function.isPublic() && failed(checkSignature(function)))
        return signalPassFailure();
    if (failed(checkReshapes(module)) || failed(inlineCalls(module)) ||
        failed(dropState(module)))
      return signalPassFailure();
    simplify(rewrites);
    raiseScalars(module);
    demoteFloat64(module);
    proveAssertions(module);
    simplify(rewrites);
    hoistInvariants(module);
    walkAndApplyPatterns(module, dropUnitDims);
    simplify(cleanUnitDims);
    simplify(rewrites);
    hoistInvariants(module);
    inheritLocations(module);
    if (failed(checkSupported(module)))
      return signalPassFailure();
  }

private:
  /// The parser gives the bodies of named operations no location: they take
  /// that of the operation.
  static void inheritLocations(ModuleOp module) {
    module.walk([](linalg::LinalgOp op) {
      op->walk([&](Operation *inner) {
        if (isa<UnknownLoc>(inner->getLoc()))
          inner->setLoc(op->getLoc());
      });
    });
  }
  static void addCanonicalization(RewritePatternSet &patterns) {
    MLIRContext *context = patterns.getContext();
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(patterns);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      op.getCanonicalizationPatterns(patterns, context);
  }

  void simplify(const FrozenRewritePatternSet &patterns) {
    ModuleOp module = getOperation();
    GreedyRewriteConfig config;
    config.enableConstantCSE(true);
    (void)applyPatternsGreedily(module, patterns, config);
    IRRewriter rewriter(module.getContext());
    DominanceInfo dominance(module);
    eliminateCommonSubExpressions(rewriter, dominance, module);
  }

  FrozenRewritePatternSet rewrites, dropUnitDims, cleanUnitDims;
};

} // namespace
