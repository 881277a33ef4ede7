//===- LaunchPlan.h - What a compiled graph does at run time ----*- C++ -*-===//
//
// A compiled host function as flat data: its buffers, and the launches in
// order. Everything a device needs to run it, and nothing of LLVM or MLIR.
//
// Host ABI: inputs, outputs (destination-passing, never aliasing an input), one
// workspace, one stream. The workspace's first 8 bytes are the status word: the
// caller clears it before the first launch; a kernel whose check k (counted
// from one) fails stores k there, and the results are then undefined.
//
//===----------------------------------------------------------------------===//
#ifndef KS_BASE_LAUNCHPLAN_H
#define KS_BASE_LAUNCHPLAN_H

#include "ks/Base/Tensor.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace mlir::ks {

/// A buffer that the caller provides.
struct BufferDesc {
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
};

/// A kernel argument: an address, `offset` bytes into one buffer.
struct LaunchArg {
  enum class Space : uint8_t { Input, Output, Workspace };
  Space space = Space::Input;
  uint32_t index = 0; ///< Which input or output; 0 for the workspace.
  uint64_t offset = 0;
};

/// One kernel launch. Sizes in blocks and threads, each at least one.
struct Launch {
  std::string kernel; ///< Symbol in the cubin and in the host object.
  std::array<uint32_t, 3> grid = {1, 1, 1};
  std::array<uint32_t, 3> block = {1, 1, 1};
  std::vector<LaunchArg> args;
};

struct LaunchPlan {
  std::string function; ///< Name of the host function.
  std::vector<BufferDesc> inputs;
  std::vector<BufferDesc> outputs;
  uint64_t workspaceBytes = 8; ///< At least the status word.
  std::vector<Launch> launches;
  /// The messages of the run-time checks, the status word's value less one.
  std::vector<std::string> checks;
  /// Programs; empty when the plan was not compiled for that kind of device.
  std::string chip; ///< Of the cubin, e.g. "sm_90a".
  std::vector<uint8_t> cubin;
  std::vector<uint8_t> ptx; ///< Text, for cards the cubin does not fit.
  std::vector<uint8_t>
      hostObject; ///< A relocatable ELF object, see HostLoader.h.
};

} // namespace mlir::ks

#endif // KS_BASE_LAUNCHPLAN_H
