//===- KernelEmitter.h - GPU functions of one kernel function ---*- C++ -*-===//
//
// Emits the launches of a kernel function as gpu.funcs whose arguments are bare
// pointers. Work items are numbered; thread t of a launch takes item t and,
// with more than one element a thread, every T-th after it, T being the
// launch's threads.
//
//===----------------------------------------------------------------------===//
#ifndef KS_LIB_LOWERING_KERNELEMITTER_H
#define KS_LIB_LOWERING_KERNELEMITTER_H

#include "Evaluator.h"
#include "LaunchPlanner.h"
#include "ks/Lowering/Lowering.h"
#include "ks/Normalize/TMTensor.h"

namespace mlir::ks {

/// A buffer that a launch takes, as the kernel function sees it.
struct BufferRef {
  enum class Kind { Argument, Result, Temporary, Status };
  Kind kind = Kind::Argument;
  unsigned index = 0;
  bool bound = false; ///< The bounds that go with it, not the values.

  bool operator==(const BufferRef &other) const {
    return kind == other.kind && index == other.index && bound == other.bound;
  }
};

struct LoweredLaunch {
  std::string name;
  int64_t grid = 1, block = 1;
  SmallVector<BufferRef> args;
};

struct LoweredKernel {
  SmallVector<LoweredLaunch> launches;
  SmallVector<int64_t> temporaryBytes;      ///< By index of Temporary.
  SmallVector<int64_t> temporaryBoundBytes; ///< Zero where there are no bounds.
  SmallVector<bool> resultHasBound;
};

/// How an argument of a kernel lies in memory.
struct ArgumentForm {
  bool native = true; ///< Of the declared type; false: float64 and, if
                      ///< `hasBound`, bounds.
  bool hasBound = false;
  bool operator==(const ArgumentForm &other) const {
    return native == other.native && hasBound == other.hasBound;
  }
};

/// Bytes of one element of `type` in memory.
int64_t elementBytes(Type type, Domain domain);

struct ScatterTarget;

class KernelEmitter {
public:
  KernelEmitter(func::FuncOp kernel, const Knobs &knobs, Domain domain,
                CheckTable &checks, gpu::GPUModuleOp gpuModule,
                ArrayRef<ArgumentForm> arguments, StringRef prefix,
                bool forceBounds);

  FailureOr<LoweredKernel> emit();

private:
  struct Storage {
    BufferRef ref;
    bool native = false;
    bool hasBound = false;
  };
  using Body = llvm::function_ref<LogicalResult(Evaluator &, const Index &)>;
  LogicalResult emitLaunch(Location loc, int64_t items, Body body);
  Storage newTemporary(Type elementType, int64_t elements);
  /// The buffer of `storage` as arguments of the launch being emitted.
  Buffer open(const Storage &storage, bool forWriting);
  Value argument(BufferRef ref);
  void store(Evaluator &evaluator, Storage &storage, const Index &offset,
             const Scalar &scalar);
  Scalar load(Evaluator &evaluator, Type type, const Storage &storage,
              const Index &offset);
  /// Where the launch that computes `value` is to put it.
  Storage storageFor(Value value);

  LogicalResult emitElements(const PlannedLaunch &launch);
  LogicalResult emitSplit(const PlannedLaunch &launch);
  LogicalResult emitCopies();
  // MergeSort.cpp, Scatter.cpp, OrderedScatter.cpp, Scan.cpp
  struct SortInput;
  FailureOr<SmallVector<Storage>>
  emitMergeSort(Location loc, ArrayRef<int64_t> shape, unsigned dim,
                ArrayRef<Type> types, const SortInput &input,
                ArrayRef<Storage> results);
  LogicalResult emitSort(tm_tensor::SortOp op);
  LogicalResult markAmbiguous(Location loc, ArrayRef<int64_t> shape,
                              unsigned dim, ArrayRef<Type> types,
                              MutableArrayRef<Storage> sorted,
                              MutableArrayRef<Storage> results);
  LogicalResult emitScan(tm_tensor::ScanOp op);
  LogicalResult emitSplitScan(tm_tensor::ScanOp op, ArrayRef<int64_t> lineShape,
                              MutableArrayRef<Storage> storages,
                              bool wantsLast);
  LogicalResult emitScatter(tm_tensor::ScatterOp op);
  LogicalResult emitUniqueScatter(tm_tensor::ScatterOp op, Storage result);
  LogicalResult emitOrderedScatter(tm_tensor::ScatterOp op, Storage result);
  FailureOr<SmallVector<Storage>> sortRows(tm_tensor::ScatterOp op,
                                           const ScatterTarget &target);
  FailureOr<Storage> foldBlocks(tm_tensor::ScatterOp op,
                                const ScatterTarget &target,
                                ArrayRef<Storage> sorted);

  func::FuncOp kernel;
  Knobs knobs;
  Domain domain;
  CheckTable &checks;
  gpu::GPUModuleOp gpuModule;
  SmallVector<ArgumentForm> arguments;
  std::string prefix;
  bool forceBounds;
  unsigned indexBits = 32;
  OpBuilder b;

  llvm::DenseMap<Value, Storage> inMemory;
  LoweredKernel lowered;
  gpu::GPUFuncOp current;
  SmallVector<BufferRef> currentArgs;
  SmallVector<bool> currentWritten;
};

/// Blocks that cover `items` work items.
int64_t gridFor(int64_t items, const Knobs &knobs);

} // namespace mlir::ks

#endif // KS_LIB_LOWERING_KERNELEMITTER_H
