//===- RaiseScalars.h - Scalars between tensor operations -------*- C++ -*-===//
//
// What RaiseScalars.cpp and RaiseLoops.cpp share.
//
//===----------------------------------------------------------------------===//
#ifndef KS_LIB_NORMALIZE_RAISESCALARS_H
#define KS_LIB_NORMALIZE_RAISESCALARS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::ks {

/// A tensor of `type` whose elements `body` computes from their indices.
Value generateTensor(OpBuilder &builder, Location loc, RankedTensorType type,
                     function_ref<Value(OpBuilder &, ValueRange)> body);

/// `scalar` as a tensor of `shape`, every element of it.
Value spread(OpBuilder &builder, Location loc, Value scalar,
             ArrayRef<int64_t> shape);

/// Makes scalars that a loop carries tensors of rank 0, and reads its counter,
/// where something computes with it, from a table.
void raiseLoop(RewriterBase &rewriter, scf::ForOp loop);

} // namespace mlir::ks

#endif // KS_LIB_NORMALIZE_RAISESCALARS_H
