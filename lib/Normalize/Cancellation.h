//===- Cancellation.h - Sums that may need their float64 --------*- C++ -*-===//
//
// Finds the float64 additions of a function whose operands carry rounding
// errors that may be as large as the sum itself.
//
//===----------------------------------------------------------------------===//
#ifndef KS_LIB_NORMALIZE_CANCELLATION_H
#define KS_LIB_NORMALIZE_CANCELLATION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::ks {

/// Float64 arith.addf and arith.subf of two reduced values (as in the mean of
/// squares less the square of the mean), or of a product of two different
/// values and anything but a constant (as in a dot product or a determinant).
SmallVector<Operation *> findCancellations(func::FuncOp function);

} // namespace mlir::ks

#endif // KS_LIB_NORMALIZE_CANCELLATION_H
