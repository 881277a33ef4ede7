//===- HostFunction.h - The host function of a lowered program --*- C++ -*-===//
//
// Lays out the workspace and writes the host function of the Host ABI: views of
// the workspace, kernel launches, copies, and loops of launches.
//
//===----------------------------------------------------------------------===//
#ifndef KS_LIB_LOWERING_HOSTFUNCTION_H
#define KS_LIB_LOWERING_HOSTFUNCTION_H

#include "KernelEmitter.h"

namespace mlir::ks {

/// The start of the workspace argument: the status word, 8 bytes, and what
/// keeps the buffers behind it aligned. A launch plan leaves it out.
inline constexpr int64_t statusBytes = 256;

/// A buffer that lives between kernels, or inside of one.
struct ProgramBuffer {
  enum class Place { Input, Output, Workspace };
  Place place = Place::Workspace;
  unsigned index = 0; ///< Of the input or output.
  int64_t bytes = 0;
  /// When it is needed, for one in the workspace: calls, and begins and ends
  /// of loops, are counted in program order.
  unsigned firstUse = 0, lastUse = 0;
  int64_t offset = 0; ///< In the workspace, once laid out.
};

/// Bytes of a buffer. In iteration t of a loop they begin at
/// offset + t * stride + (t odd ? flip : 0).
struct ProgramPlace {
  unsigned buffer = 0; ///< Into Program::buffers.
  int64_t bytes = 0;
  int64_t offset = 0, stride = 0, flip = 0;

  bool moves() const { return stride != 0 || flip != 0; }
};

struct ProgramLaunch {
  std::string kernel;
  Location loc;
  int64_t grid = 1, block = 1;
  SmallVector<ProgramPlace> args;
};

/// A copy of a tensor of type `type`.
struct ProgramCopy {
  Location loc;
  ProgramPlace from, to;
  Type type;
};

/// A launch or a copy, by number; or a loop, which runs the `length` steps that
/// follow `count` times.
struct ProgramStep {
  enum class Kind { Launch, Copy, Loop };
  Kind kind = Kind::Launch;
  unsigned index = 0;
  int64_t count = 0;
  unsigned length = 0;
};

struct Program {
  SmallVector<Type> inputs,
      outputs; ///< Tensor types of the Host ABI's buffers.
  SmallVector<ProgramBuffer> buffers;
  SmallVector<ProgramLaunch> launches;
  SmallVector<ProgramCopy> copies;
  SmallVector<ProgramStep> steps;
  int64_t workspaceBytes = 0;
  /// What the host function says to its caller, see Signature.h.
  SmallVector<NamedAttribute> attributes;
  SmallVector<DictionaryAttr> inputAttributes;
};

/// `bytes` rounded up so that what lies behind is aligned.
int64_t aligned(int64_t bytes);

/// Gives each workspace buffer a place; buffers whose uses don't overlap share.
void layOutWorkspace(Program &program);

/// Writes the host function `name` at the end of `module`, whose binary has the
/// symbol `binary`.
void writeHostFunction(ModuleOp module, Location loc, StringRef name,
                       StringRef binary, const Program &program);

/// Adds to `plan`, which knows its buffers, the steps of a host function of
/// this form.
LogicalResult readSteps(func::FuncOp host, LaunchPlan &plan);

/// The memref type in which the Host ABI passes a tensor: a bool is an i8.
MemRefType memrefTypeOf(Type tensorType);

} // namespace mlir::ks

#endif // KS_LIB_LOWERING_HOSTFUNCTION_H
