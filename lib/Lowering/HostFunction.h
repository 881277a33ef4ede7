//===- HostFunction.h - The host function of a lowered program --*- C++ -*-===//
//
// Lays out the workspace and writes the host function of the Host ABI: views of
// the workspace and kernel launches.
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
  unsigned firstUse = 0, lastUse = 0; ///< Calls, for those in the workspace.
  int64_t offset = 0;                 ///< In the workspace, once laid out.
};

/// One launch with its buffers, by number.
struct ProgramLaunch {
  std::string kernel;
  Location loc;
  int64_t grid = 1, block = 1;
  SmallVector<unsigned> buffers; ///< Into Program::buffers.
};

struct Program {
  SmallVector<Type> inputs,
      outputs; ///< Tensor types of the Host ABI's buffers.
  SmallVector<ProgramBuffer> buffers;
  SmallVector<ProgramLaunch> launches;
  int64_t workspaceBytes = 0;
};

/// Gives each workspace buffer a place; buffers whose uses don't overlap share.
void layOutWorkspace(Program &program);

/// Writes the host function `name` at the end of `module`, whose binary has the
/// symbol `binary`.
void writeHostFunction(ModuleOp module, Location loc, StringRef name,
                       StringRef binary, const Program &program);

/// The memref type in which the Host ABI passes a tensor: a bool is an i8.
MemRefType memrefTypeOf(Type tensorType);

} // namespace mlir::ks

#endif // KS_LIB_LOWERING_HOSTFUNCTION_H
