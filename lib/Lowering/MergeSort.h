//===- MergeSort.h - What a merge sort sorts --------------------*- C++ -*-===//
//
// The input of KernelEmitter::emitMergeSort: where elements come from before
// the first merge, and the order.
//
//===----------------------------------------------------------------------===//
#ifndef KS_LIB_LOWERING_MERGESORT_H
#define KS_LIB_LOWERING_MERGESORT_H

#include "KernelEmitter.h"

namespace mlir::ks {

struct KernelEmitter::SortInput {
  /// Component `component` of the record at the given indices.
  std::function<FailureOr<Scalar>(Evaluator &, unsigned component,
                                  ArrayRef<Index>)>
      read;
  /// True if record `a` may stay before `b`; it asks for components as it needs
  /// them.
  using Record = llvm::function_ref<FailureOr<Scalar>(unsigned component)>;
  std::function<FailureOr<Value>(Evaluator &, Record a, Record b)> before;
};

} // namespace mlir::ks

#endif // KS_LIB_LOWERING_MERGESORT_H
