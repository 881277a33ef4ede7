//===- Cut.h - The cut of a graph into kernels ------------------*- C++ -*-===//
//
// A function on tensors is read as a graph of units (the operations that
// compute or move data); a partition puts units into groups; each group becomes
// a private kernel function. A counted loop is a unit of its own, and its body
// is cut as a function's is. The graph, the law that says which groups may be,
// the greedy search and the outlining are apart, so that another search can use
// the rest.
//
//===----------------------------------------------------------------------===//
#ifndef KS_NORMALIZE_CUT_H
#define KS_NORMALIZE_CUT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace mlir::ks {

enum class UnitKind {
  Elementwise, ///< Every iterator is parallel: an element is computed by
               ///< itself.
  Move,        ///< Chooses an element among several tensors: concat, insert.
  Reduction,   ///< A reduction whose input is indexed by loops directly.
  Window,      ///< A reduction over windows that may overlap: pooling.
  Contraction, ///< Products summed, with reuse of both factors.
  Alone,       ///< Scan, sort, scatter, sizes that are not static.
  Loop,        ///< A counted loop, whose body is cut by itself.
};

/// One tensor that a unit reads. Values pass through operations that are free
/// (views, constants, broadcasts, widening casts): these are no units but are
/// cloned into each kernel that reads through them.
struct UnitUse {
  unsigned producer;
  unsigned consumer;
  uint64_t access; ///< Equal for reads at equal indices; 0 is the reader's own
                   ///< index.
  double share;    ///< Part of the reader's evaluations that read here.
  bool init =
      false; ///< Read as the initial value, once for each result element.
  bool captured = false; ///< Read at indices that the body computes.
};

/// One operation that computes. Sizes are counted in elements or iterations.
struct Unit {
  Operation *op;
  UnitKind kind;
  double domain;   ///< Iterations.
  double elements; ///< Elements of a result.
  unsigned cost;   ///< Scalar cost of an iteration; an addition is 1.
  /// Of a reduction: extents of its input in order, neighbours of a kind
  /// merged, those that are reduced negative. Reductions with equal rows can
  /// share a pass.
  SmallVector<int64_t, 4> rows;
  SmallVector<unsigned, 4> reads;   ///< Uses in which this is the consumer.
  SmallVector<unsigned, 4> readers; ///< Uses in which this is the producer.
  bool returned = false;            ///< A value of the host function.
};

/// Units in program order, so a producer has a smaller number than its
/// consumers.
struct UnitGraph {
  std::vector<Unit> units;
  std::vector<UnitUse> uses;
  DenseMap<Operation *, unsigned> unitOf;
};

/// Units of one kernel each, ascending.
using Group = SmallVector<unsigned, 4>;

/// Bounds on one kernel, so that it stays readable and its compile time
/// bounded.
struct CutLimits {
  unsigned units = 64;  ///< Units in a kernel.
  unsigned outputs = 8; ///< Results of a kernel.
  unsigned evaluations =
      8;              ///< Different indices at which one unit is evaluated.
  double repeats = 4; ///< Evaluations of an element that are always taken.
  unsigned repeatedCost =
      16; ///< Cost of an element that is evaluated more often.
};

/// True if `op` computes nothing: it is cloned into the kernels that read it.
bool isFree(Operation *op);

/// Kind, sizes, cost and rows of a unit.
Unit describeUnit(Operation *op);

/// True for what the host function keeps besides calls: counted loops, the rows
/// that they read and write, and reshapes of tensors whose rows are read.
bool staysInHost(Operation *op);

/// The values of a block that have to lie in memory: its results, what its
/// loops start from, and the tensors whose rows these read.
SmallVector<Value> hostValuesOf(Block &block);

/// Gives each of these values an operation of its own, in loops, too:
/// arguments, constants and repeated results pass through a copy. Call it
/// before buildUnitGraph.
void separateHostValues(Block &block);

/// Reads the block of a function or loop; emits an error at an operation that
/// no kernel can hold.
FailureOr<UnitGraph> buildUnitGraph(Block &block);

/// The law: may these units (ascending) be one kernel? Cycles through other
/// kernels are not looked at. If not and `why` is given, says why.
bool isLegalGroup(const UnitGraph &graph, ArrayRef<unsigned> units,
                  const CutLimits &limits, StringRef *why = nullptr);

/// The greedy partition: groups in an order in which the kernels can run.
std::vector<Group> cutGreedily(const UnitGraph &graph, const CutLimits &limits);

/// A readable name after the PyTorch line that the locations carry and what the
/// units compute: `softmax_model_42`, `matmul_bias_relu`.
std::string kernelName(const UnitGraph &graph, ArrayRef<unsigned> units);

/// The unit that a kernel is named after and located at.
unsigned dominantUnit(const UnitGraph &graph, ArrayRef<unsigned> units);

/// A block, that of a function or of a loop, with its partition.
struct CutBlock {
  Block *block;
  UnitGraph graph;
  std::vector<Group> groups;
};

/// Moves each group into a private function before `func`, which is left with
/// calls alone, and loops of calls. `blocks` are that of the function and those
/// of its loops. Kernels that are equal but for their locations are one
/// function.
void outlineKernels(func::FuncOp func, ArrayRef<CutBlock> blocks);

/// The attribute that marks a kernel function.
constexpr llvm::StringLiteral kernelAttr = "ks.kernel";

} // namespace mlir::ks

#endif // KS_NORMALIZE_CUT_H
