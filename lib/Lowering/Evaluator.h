//===- Evaluator.h - One element of any tensor of a kernel ------*- C++ -*-===//
//
// Computes element after element on demand: the value of a tensor at given
// indices is the value of its operation's body on the elements that it reads,
// and so on up to buffers in memory. Reductions become loops, reshapes and
// slices index arithmetic, padding and concatenation branches. Within one scope
// the same element is computed once.
//
// Sums are blocked and compensated: at most 16 elements are added plainly, and
// the blocks' sums are added with Knuth's two-sum, whose errors are kept apart
// (Neumaier, ZAMM 54, 1974), so that the error is within that of a summation
// tree.
//
//===----------------------------------------------------------------------===//
#ifndef KS_LIB_LOWERING_EVALUATOR_H
#define KS_LIB_LOWERING_EVALUATOR_H

#include "IndexBuilder.h"
#include "Scalar.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <functional>
#include <map>

namespace mlir::cf {
class AssertOp;
} // namespace mlir::cf
namespace mlir::arith {
class ConstantOp;
} // namespace mlir::arith

namespace mlir::ks {

/// A tensor in memory: row-major, bools as bytes.
struct Buffer {
  Value pointer;       ///< !llvm.ptr
  Value bound;         ///< In the reference domain, the bounds; null if exact.
  bool native = false; ///< Elements are of the declared type also in the
                       ///< reference domain.
};

/// How a reduction's result is carried.
enum class ReductionKind {
  Sum, ///< The body adds something that does not depend on the carried value.
  General ///< Anything else: carried in order.
};

/// Messages of the run-time checks, shared by all kernels of a program.
class CheckTable {
public:
  /// The number, counted from one, of the check with that message.
  int64_t number(StringRef message, Location loc);
  ArrayRef<std::string> messages() const { return list; }

private:
  std::vector<std::string> list;
};

/// Terms of a sum that are added without compensation.
constexpr int64_t blockTerms = 16;

class Evaluator {
public:
  Evaluator(OpBuilder &builder, Location loc, Domain domain, unsigned indexBits,
            int64_t unroll, CheckTable &checks, gpu::GPUModuleOp gpuModule);

  /// Tells where a tensor lies in memory; none for one that is to be computed.
  std::function<std::optional<Buffer>(Value)> findBuffer;
  /// Gives the address at which failed checks are noted.
  std::function<Value()> statusPointer;

  /// Element `indices` of `tensor`. Emits an error that names an op it can't
  /// take.
  FailureOr<Scalar> element(Value tensor, ArrayRef<Index> indices);
  /// Results of the whole reduction or elementwise op at loop indices `loops`,
  /// of which the reduction's are empty.
  FailureOr<SmallVector<Scalar>>
  compute(linalg::LinalgOp op, SmallVector<std::optional<Index>> loops);

  /// The part [begin, end) step `step` of op's reduction space in row-major
  /// order, starting from neutral elements; the results are partial ones to be
  /// combined.
  FailureOr<SmallVector<Scalar>>
  computePart(linalg::LinalgOp op, SmallVector<std::optional<Index>> loops,
              Index begin, Index end, int64_t step, ArrayRef<Scalar> neutral);
  /// Combines `count` partial results that `part` reads, beginning with the
  /// op's own initial values.
  FailureOr<SmallVector<Scalar>>
  combineParts(linalg::LinalgOp op,
               const SmallVector<std::optional<Index>> &loops, int64_t count,
               llvm::function_ref<SmallVector<Scalar>(Index)> part);
  /// From what each part of the reduction starts; see canSplit.
  FailureOr<SmallVector<Scalar>>
  neutralValues(linalg::LinalgOp op, ArrayRef<std::optional<Index>> loops);

  /// The value of a scalar of the enclosing function (a constant) or of a
  /// region's block whose arguments are bound by `arguments`.
  FailureOr<Scalar> regionValue(Value value,
                                llvm::DenseMap<Value, Scalar> &known,
                                ArrayRef<Index> loops);

  Scalar load(Type declared, const Buffer &buffer, const Index &offset);
  void store(const Buffer &buffer, const Index &offset, const Scalar &scalar);

  /// `then` where `condition` holds, else `otherwise`; both give equally many.
  using Branch = llvm::function_ref<FailureOr<SmallVector<Scalar>>()>;
  FailureOr<SmallVector<Scalar>> branch(Value condition, Branch then,
                                        Branch otherwise);
  /// for (i = begin; i < end; i += step) values = body(i, values).
  using LoopBody =
      llvm::function_ref<FailureOr<SmallVector<Value>>(Index, ValueRange)>;
  FailureOr<SmallVector<Value>> loop(const Index &begin, const Index &end,
                                     int64_t step, ValueRange init,
                                     LoopBody body);

  /// Sum accumulators, as loops carry them: sum and compensation, and in the
  /// reference domain the operands' bounds and magnitudes.
  SmallVector<Value> beginSum(const Scalar &initial, Type type);
  void addToSum(MutableArrayRef<Value> sum, Value blockSum);
  Scalar endSum(ArrayRef<Value> sum, Type type, int64_t terms);
  unsigned sumWidth() const {
    return scalars.getDomain() == Domain::Native ? 2 : 4;
  }
  /// The type in which sums of `type` are carried: half types in float32.
  Type sumType(Type type) const;
  Value toSumType(Value value, Type type);

  ScalarEmitter &getScalars() { return scalars; }
  IndexBuilder &getIndices() { return indices; }
  OpBuilder &getBuilder() { return b; }
  Location getLoc() const { return loc; }

  /// Starts, ends a scope of remembered elements.
  void pushScope() { memo.emplace_back(); }
  void popScope() { memo.pop_back(); }

private:
  FailureOr<Scalar> compute(Value tensor, Operation *op, ArrayRef<Index> at);
  FailureOr<Scalar> constantElement(arith::ConstantOp op, ArrayRef<Index> at);
  FailureOr<Scalar> pad(tensor::PadOp op, ArrayRef<Index> at);
  FailureOr<Scalar> concat(tensor::ConcatOp op, ArrayRef<Index> at);
  FailureOr<Scalar> insertSlice(tensor::InsertSliceOp op, ArrayRef<Index> at);
  FailureOr<Scalar> extract(tensor::ExtractOp op,
                            llvm::DenseMap<Value, Scalar> &known,
                            ArrayRef<Index> loops);
  FailureOr<Scalar> generate(tensor::GenerateOp op, ArrayRef<Index> at);
  LogicalResult check(cf::AssertOp op, llvm::DenseMap<Value, Scalar> &known,
                      ArrayRef<Index> loops);

  struct Nest;
  FailureOr<SmallVector<Value>> step(linalg::LinalgOp op, ArrayRef<Index> loops,
                                     ValueRange carried);
  FailureOr<SmallVector<Value>> nest(linalg::LinalgOp op, const Nest &nest,
                                     unsigned depth, SmallVector<Index> &loops,
                                     ValueRange state);
  FailureOr<SmallVector<Value>> block(linalg::LinalgOp op, const Nest &nest,
                                      unsigned depth, SmallVector<Index> &loops,
                                      ValueRange state);
  SmallVector<Value> beginState(linalg::LinalgOp op, ArrayRef<Scalar> initial);
  SmallVector<Value> openBlock(linalg::LinalgOp op, ValueRange state);
  SmallVector<Value> closeBlock(linalg::LinalgOp op, ValueRange state,
                                ValueRange blockState);
  SmallVector<Scalar> endState(linalg::LinalgOp op, ValueRange state,
                               int64_t terms);
  SmallVector<Index> wholeLoops(ArrayRef<std::optional<Index>> loops) const;
  FailureOr<SmallVector<Scalar>> initialValues(linalg::LinalgOp op,
                                               ArrayRef<Index> loops);

  OpBuilder &b;
  Location loc;
  ScalarEmitter scalars;
  IndexBuilder indices;
  int64_t unroll;
  CheckTable &checks;
  gpu::GPUModuleOp gpuModule;
  using MemoKey = std::pair<const void *, SmallVector<uintptr_t>>;
  SmallVector<std::map<MemoKey, SmallVector<Scalar>>> memo;
};

/// How result `index` of the reduction `op` is carried.
ReductionKind reductionKind(linalg::LinalgOp op, unsigned index);
/// True if parts of the reduction can be computed apart and combined. `ordered`
/// tells that the parts must be contiguous and combined in order.
bool canSplit(linalg::LinalgOp op, bool &ordered);
/// The product of the sizes of op's loops that no result depends on; one if
/// elementwise.
int64_t reductionSize(linalg::LinalgOp op);
/// The loops of `op` that result `index` fixes, in the order of that result's
/// dimensions; none where the dimension is constant. Fails if the map is no
/// permutation of loops and constants.
FailureOr<SmallVector<std::optional<unsigned>>> resultLoops(linalg::LinalgOp op,
                                                            unsigned index);

} // namespace mlir::ks

#endif // KS_LIB_LOWERING_EVALUATOR_H
