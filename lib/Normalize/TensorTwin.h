//===- TensorTwin.h - Another tensor, made in the same way ------*- C++ -*-===//
//
// What computes a tensor by moving elements about, from roots where each
// element is a function of another tensor's: a twin moves that tensor's
// elements in the same way. So a product can read what stands before an
// extension or a factor, though reshapes, slices or joins lie between.
//
//===----------------------------------------------------------------------===//
#ifndef KS_LIB_NORMALIZE_TENSORTWIN_H
#define KS_LIB_NORMALIZE_TENSORTWIN_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::ks {

class TensorTwin {
public:
  virtual ~TensorTwin() = default;

  /// True if `tensor` has a twin. Call it once for one object.
  bool find(Value tensor) { return follows(tensor, 0) && element; }
  /// The element type of the twin.
  Type getElementType() const { return element; }
  /// Makes the twin of what was found.
  Value build(OpBuilder &builder, Value tensor);

protected:
  /// A result of an elementwise linalg.generic of one input, which its body
  /// calls `argument` and makes into `yielded`: is that a root? If so, sets
  /// `element`, to what it was set to by other roots.
  virtual bool isRoot(BlockArgument argument, Value yielded) = 0;
  /// What stands for the constant `scalar`, which surrounds the moved elements;
  /// null if nothing does. Asked once the roots are known.
  virtual TypedAttr constant(TypedAttr scalar) const = 0;

  Type element;

private:
  bool follows(Value tensor, unsigned depth);
  Value moved(OpBuilder &builder, linalg::LinalgOp op, Value source);
  TypedAttr twinOf(Value scalar) const;

  SmallVector<Value> constants; ///< Scalars whose twins must exist.
};

} // namespace mlir::ks

#endif // KS_LIB_NORMALIZE_TENSORTWIN_H
