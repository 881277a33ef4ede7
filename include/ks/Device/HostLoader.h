//===- HostLoader.h - Runs relocatable objects without a linker -*- C++ -*-===//
//
// Loads an x86-64 ELF object (ET_REL) out of memory, so that code for the CPU
// can be compiled ahead of time and run on machines that have no linker.
// Objects are position independent, of the small code model, without
// thread-local storage and static constructors; they may call only the
// functions of a fixed list (libm, memcpy and its like, the compiler's own
// helpers).
//
//===----------------------------------------------------------------------===//
#ifndef KS_DEVICE_HOSTLOADER_H
#define KS_DEVICE_HOSTLOADER_H

#include "ks/Base/Result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace mlir::ks {

/// A kernel of a host object: runs the blocks [blockBegin, blockEnd) of a grid
/// of `gridDim` blocks of `blockDim` threads each, one dimension; `args` are
/// the addresses in the order of the launch.
using HostKernel = void (*)(void *const *args, int64_t blockBegin,
                            int64_t blockEnd, int64_t blockDim,
                            int64_t gridDim);

/// Code and data of one object, mapped until this is destroyed.
class HostProgram {
public:
  /// Errors name the relocation or the symbol at fault. The object's structure
  /// is checked; what its code does is not.
  static Result<std::unique_ptr<HostProgram>> load(std::string_view object);
  ~HostProgram();
  HostProgram(const HostProgram &) = delete;
  HostProgram &operator=(const HostProgram &) = delete;

  /// The address of a global function; null if there is none of that name.
  void *find(const std::string &function) const;

private:
  HostProgram() = default;
  friend class HostLinker;

  void *region = nullptr;
  size_t regionBytes = 0;
  std::unordered_map<std::string, void *> functions;
};

} // namespace mlir::ks

#endif // KS_DEVICE_HOSTLOADER_H
