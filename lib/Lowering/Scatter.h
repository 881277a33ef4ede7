//===- Scatter.h - Where the rows of a tm_tensor.scatter go -----*- C++ -*-===//
//
// Shared by the two ways in which a scatter is lowered.
//
//===----------------------------------------------------------------------===//
#ifndef KS_LIB_LOWERING_SCATTER_H
#define KS_LIB_LOWERING_SCATTER_H

#include "Evaluator.h"
#include "ks/Normalize/TMTensor.h"

namespace mlir::ks {

/// Shapes of a scatter, and where its rows go.
struct ScatterTarget {
  RankedTensorType original, updates;
  SmallVector<int64_t> mappedSizes; ///< Sizes of the indexed dimensions.
  unsigned windowStart = 0; ///< The first original dimension with a window.
  int64_t rows = 0;

  /// Emits an error for a scatter that is not supported.
  static FailureOr<ScatterTarget> of(tm_tensor::ScatterOp op);
};

/// The indices of `row`, and a check that they are inside.
FailureOr<std::pair<SmallVector<Index>, Value>>
scatterIndices(Evaluator &evaluator, tm_tensor::ScatterOp op,
               const ScatterTarget &target, const Index &row);

/// What the body makes of an update and of what is there.
FailureOr<Scalar> scatterCombine(Evaluator &evaluator, tm_tensor::ScatterOp op,
                                 const Scalar &update,
                                 llvm::function_ref<FailureOr<Scalar>()> old);

} // namespace mlir::ks

#endif // KS_LIB_LOWERING_SCATTER_H
