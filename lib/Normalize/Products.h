//===- Products.h - Sums of products ----------------------------*- C++ -*-===//
//
// Matrix products, convolutions and their like, named or not, are known by what
// their bodies compute.
//
//===----------------------------------------------------------------------===//
#ifndef KS_LIB_NORMALIZE_PRODUCTS_H
#define KS_LIB_NORMALIZE_PRODUCTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::ks {

/// The body of `op` is out + in[0] * in[1], each factor widened or not, and
/// some loop is summed over.
bool isSumOfProducts(linalg::LinalgOp op);

/// A constant of zeros, or a tensor filled with zero; not with -0.0.
bool isZeroTensor(Value value);

} // namespace mlir::ks

#endif // KS_LIB_NORMALIZE_PRODUCTS_H
