//===- IndexBuilder.h - Index arithmetic with folding -----------*- C++ -*-===//
//
// Integer indices as the plain lowering computes them: constants are folded,
// and an index remembers how it was split from, or joined of, others, so that
// reshapes and row-major offsets of what was just delinearised cost nothing.
//
//===----------------------------------------------------------------------===//
#ifndef KS_LIB_LOWERING_INDEXBUILDER_H
#define KS_LIB_LOWERING_INDEXBUILDER_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"

#include <memory>

namespace mlir::ks {

/// A non-negative integer: a constant, or a value of the builder's type.
class Index {
public:
  Index() = default;
  explicit Index(int64_t constant) : constant(constant) {}
  explicit Index(Value value) : value(value) {}

  bool isConstant() const { return !value; }
  bool isConstant(int64_t c) const { return !value && constant == c; }

  Value value;          ///< Null for a constant.
  int64_t constant = 0; ///< Meaningful without a value.

  /// This is element `position` of `split->whole` delinearised by
  /// `split->dims`.
  struct Split;
  std::shared_ptr<const Split> split;
  unsigned position = 0;
  /// This is `joined->parts` in row-major order of `joined->dims`.
  struct Joined;
  std::shared_ptr<const Joined> joined;

  /// Equal keys mean equal indices.
  uintptr_t key() const {
    return value ? reinterpret_cast<uintptr_t>(value.getAsOpaquePointer())
                 : (static_cast<uintptr_t>(constant) << 1 | 1);
  }
};

class IndexBuilder {
public:
  IndexBuilder(OpBuilder &builder, Location loc, unsigned bits)
      : builder(builder), loc(loc), type(builder.getIntegerType(bits)) {}

  IntegerType getType() const { return type; }
  /// The index as a value of the builder's type, or of type `index`.
  Value get(const Index &index);
  Value getAsIndex(const Index &index);
  /// From a value of any integer or index type; the value must fit.
  Index from(Value value);

  Index add(const Index &a, const Index &b);
  Index add(const Index &a, int64_t b) { return add(a, Index(b)); }
  Index mul(const Index &a, int64_t b);
  /// Quotient and remainder of a non-negative index.
  Index div(const Index &a, int64_t b);
  Index rem(const Index &a, int64_t b);

  /// Splits `whole`, below the product of `dims`, in row-major order.
  SmallVector<Index> delinearize(const Index &whole, ArrayRef<int64_t> dims);
  /// The row-major offset of `parts` in a tensor of shape `dims`.
  Index linearize(ArrayRef<Index> parts, ArrayRef<int64_t> dims);

  /// Value of an affine expression over `dims`; floor semantics.
  FailureOr<Index> apply(AffineExpr expr, ArrayRef<Index> dims);

private:
  SmallVector<Index> splitValue(const Index &whole, ArrayRef<int64_t> dims);

  OpBuilder &builder;
  Location loc;
  IntegerType type;
};

} // namespace mlir::ks

#endif // KS_LIB_LOWERING_INDEXBUILDER_H
