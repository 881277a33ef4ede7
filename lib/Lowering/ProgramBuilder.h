//===- ProgramBuilder.h - Buffers and steps of a cut module -----*- C++ -*-===//
//
// Walks the host function of a cut module: each kernel is emitted once for each
// form of its arguments, each call becomes launches on the program's buffers,
// and each loop a loop of those.
//
//===----------------------------------------------------------------------===//
#ifndef KS_LIB_LOWERING_PROGRAMBUILDER_H
#define KS_LIB_LOWERING_PROGRAMBUILDER_H

#include "HostFunction.h"
#include "ks/Normalize/CountedLoop.h"
#include "ks/Normalize/Signature.h"

namespace mlir::ks {

class ProgramBuilder {
public:
  ProgramBuilder(ModuleOp module, func::FuncOp host,
                 const LoweringOptions &options, gpu::GPUModuleOp gpuModule)
      : module(module), host(host), gpuModule(gpuModule),
        domain(options.reference ? Domain::Reference : Domain::Native) {}

  FailureOr<Program> build();
  ArrayRef<std::string> checkMessages() const { return checks.messages(); }

private:
  /// A tensor of the host function in the program's buffers.
  struct HostTensor {
    ArgumentForm form;
    ProgramPlace value, bound;
  };
  /// A kernel function as emitted for arguments of some forms.
  struct Variant {
    SmallVector<ArgumentForm> forms;
    bool forceBounds;
    LoweredKernel kernel;
  };

  FailureOr<LoweredKernel *>
  lowered(func::FuncOp kernel, ArrayRef<ArgumentForm> forms, bool forceBounds);
  LogicalResult readInputs();
  LogicalResult readResults();
  /// The output that `value` is; none if the function does not return it, or
  /// not as an output.
  std::optional<unsigned> outputOf(Value value) const;
  /// Copies the new values of mutated arguments over them.
  void addMutations();
  LogicalResult addOperation(Operation &op);
  LogicalResult addCall(func::CallOp call);
  void addLaunches(Location loc, const LoweredKernel &code,
                   ArrayRef<HostTensor> operands, ArrayRef<HostTensor> results);

  // ProgramLoops.cpp
  LogicalResult addLoop(scf::ForOp loop);
  /// Adds what a loop carries as number `index`.
  LogicalResult addCarried(scf::ForOp loop, unsigned index, int64_t iterations);
  /// Puts `init` where the first iteration reads it.
  LogicalResult initialise(Location loc, Value init, const HostTensor &carried);
  LogicalResult placeInLoop(scf::ForOp loop, Value value,
                            const HostTensor &place);
  /// Copies a loop's result to the output that it is, if it is one.
  void returnResult(Location loc, Value result);
  LogicalResult addReshape(Operation *op);
  LogicalResult addRow(tensor::ExtractSliceOp row);
  HostTensor rowOf(HostTensor whole, Type type);
  void addCopy(Location loc, const ProgramPlace &from, const ProgramPlace &to,
               Type type);
  /// The kernel function that returns its argument.
  func::FuncOp copyKernel(Type type);

  /// A place for `value`: the output that it is, or else in the workspace, as
  /// many times as `copies` says.
  HostTensor newTensor(Value value, bool hasBound, unsigned copies = 1);
  const HostTensor *use(Value value);
  unsigned addBuffer(ProgramBuffer buffer) {
    program.buffers.push_back(buffer);
    return program.buffers.size() - 1;
  }
  static int64_t valueBytes(Type type, Domain domain);
  static int64_t boundBytes(Type type);
  Type referenceType(Type tensor, bool bound);

  ModuleOp module;
  func::FuncOp host;
  gpu::GPUModuleOp gpuModule;
  Domain domain;
  CheckTable checks;
  Program program;
  std::vector<Mutation> mutations; ///< None in a reference.
  llvm::DenseMap<Value, HostTensor> tensors;
  /// Where values that are yielded or inserted in a loop are to be.
  llvm::DenseMap<Value, HostTensor> destinations;
  llvm::DenseMap<Operation *, SmallVector<std::unique_ptr<Variant>, 1>>
      variants;
  llvm::DenseMap<Type, func::FuncOp> copyKernels;
  unsigned statusBuffer = 0;
  unsigned number = 0; ///< Of the call, or of a loop's begin or end.
};

} // namespace mlir::ks

#endif // KS_LIB_LOWERING_PROGRAMBUILDER_H
