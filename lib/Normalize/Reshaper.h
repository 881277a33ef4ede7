//===- Reshaper.h - Views of a tensor, one after the other ------*- C++ -*-===//
//
// Cuts, pads, splits and merges the dimensions of a tensor, and makes only the
// operations that change something.
//
//===----------------------------------------------------------------------===//
#ifndef KS_LIB_NORMALIZE_RESHAPER_H
#define KS_LIB_NORMALIZE_RESHAPER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace mlir::ks {

/// Cuts and pads dimensions of a tensor, and splits them.
class Reshaper {
public:
  Reshaper(OpBuilder &builder, Location loc, Value value)
      : builder(builder), loc(loc), value(value),
        shape(cast<RankedTensorType>(value.getType()).getShape()) {
    keep();
  }

  /// Elements [first, last] of a dimension, which may lie outside of it.
  void window(unsigned dim, int64_t first, int64_t last) {
    int64_t from = std::max<int64_t>(first, 0),
            to = std::min(last, shape[dim] - 1);
    offsets[dim] = from;
    sizes[dim] = to - from + 1;
    low[dim] = from - first;
    high[dim] = last - to;
  }

  /// Cuts, then pads with zeros.
  void apply() {
    if (ArrayRef(sizes) != ArrayRef(shape))
      value = tensor::ExtractSliceOp::create(
          builder, loc, value, attributes(offsets), attributes(sizes),
          attributes(SmallVector<int64_t>(shape.size(), 1)));
    auto isPositive = [](int64_t width) { return width > 0; };
    if (llvm::any_of(low, isPositive) || llvm::any_of(high, isPositive)) {
      Type element = getElementTypeOrSelf(value);
      Value zero = arith::ConstantOp::create(builder, loc, element,
                                             builder.getZeroAttr(element));
      for (unsigned dim = 0; dim < shape.size(); ++dim)
        sizes[dim] += low[dim] + high[dim];
      value = tensor::PadOp::create(
          builder, loc, RankedTensorType::get(sizes, element), value,
          attributes(low), attributes(high), zero);
    }
    shape.assign(sizes.begin(), sizes.end());
    keep();
  }

  /// Splits or merges dimensions.
  void expand(ArrayRef<int64_t> into, ArrayRef<ReassociationIndices> groups) {
    if (into.size() != shape.size())
      value = tensor::ExpandShapeOp::create(
          builder, loc,
          RankedTensorType::get(into, getElementTypeOrSelf(value)), value,
          groups);
    shape.assign(into.begin(), into.end());
    keep();
  }
  void collapse(ArrayRef<ReassociationIndices> groups) {
    if (groups.size() != shape.size())
      value = tensor::CollapseShapeOp::create(builder, loc, value, groups);
    shape = SmallVector<int64_t>(
        cast<RankedTensorType>(value.getType()).getShape());
    keep();
  }

  Value get() const { return value; }
  ArrayRef<int64_t> getShape() const { return shape; }

private:
  void keep() {
    offsets.assign(shape.size(), 0);
    low = high = offsets;
    sizes.assign(shape.begin(), shape.end());
  }
  SmallVector<OpFoldResult> attributes(ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(builder.getContext(), values);
  }

  OpBuilder &builder;
  Location loc;
  Value value;
  SmallVector<int64_t> shape, offsets, sizes, low, high;
};

} // namespace mlir::ks

#endif // KS_LIB_NORMALIZE_RESHAPER_H
