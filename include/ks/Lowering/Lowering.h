//===- Lowering.h - From a cut module to a launch plan ----------*- C++ -*-===//
//
// The end of the road: a module as `ks-cut-kernels` leaves it (a host function
// on tensors that calls private kernel functions) becomes upstream IR with a
// gpu.binary, and from that a launch plan. The plain lowering computes one
// output element in one thread and takes every operation of an imported graph.
//
//===----------------------------------------------------------------------===//
#ifndef KS_LOWERING_LOWERING_H
#define KS_LOWERING_LOWERING_H

#include "ks/Base/LaunchPlan.h"
#include "mlir/Support/LLVM.h"

#include <cstdint>
#include <string>

namespace mlir {
class Location;
class ModuleOp;
class DialectRegistry;
namespace func {
class FuncOp;
} // namespace func
} // namespace mlir

namespace mlir::ks {

/// The knobs of the plain lowering, kept on a kernel function as the dictionary
/// attribute `ks.knobs` = {block_size, elements_per_thread, index_bits,
/// unroll}.
struct Knobs {
  int64_t blockSize = 256;       ///< Threads a block: 32 to 1024.
  int64_t elementsPerThread = 1; ///< Output elements a thread: 1 to 16.
  int64_t indexBits = 0; ///< 32 or 64; 0 takes 32 where every size allows it.
  int64_t unroll = 1;    ///< Factor for the innermost reduction loop: 1 to 16.

  static FailureOr<Knobs>
  get(func::FuncOp kernel); ///< Emits an error on a bad attribute.
  void set(func::FuncOp kernel) const;

  bool operator==(const Knobs &) const = default;
};

/// What lowerProgram is to produce.
struct LoweringOptions {
  bool cuda = true;            ///< PTX and a cubin for `chip`.
  bool host = false;           ///< An object for the CPU.
  std::string chip = "sm_90a"; ///< NVPTX chip.
  std::string ptxas; ///< Path of ptxas; empty searches as findPtxas does.
  /// Lower the float64 reference with a running error bound in place of the
  /// program: each output becomes two, the value (f64 for floats, two f64 a
  /// complex number, integers as they are) and its absolute error bound (f64,
  /// of the same shape; 0 is exact, inf unknown). Inputs stay as they are.
  bool reference = false;
};

/// What ptxas reports of one kernel.
struct KernelResources {
  std::string kernel;
  unsigned registers = 0;
  unsigned spillBytes = 0; ///< Stores and loads together.
  unsigned sharedBytes = 0;
};

/// Lowers `module` in place to a host function of the Host ABI (memrefs of
/// inputs, outputs and workspace, a stream), gpu.launch_func and one
/// gpu.binary. The host function is the one public function of the module.
/// Emits errors that name the op. The text of the module before lowering stays
/// as the attribute `ks.source`, so that a reference or another device's code
/// can be made later.
LogicalResult lowerProgram(ModuleOp module, const LoweringOptions &options,
                           std::vector<KernelResources> *resources = nullptr);

/// Reads the launch plan out of a module that lowerProgram (or ks-opt) wrote.
FailureOr<LaunchPlan> planFromModule(ModuleOp module);

/// Where a program goes as a package (ks/Base/Package.h).
struct PackageOptions {
  std::string path; ///< Empty: nowhere.
  /// Keep the programs that the package holds for inputs of other shapes.
  bool append = false;
};

/// Writes the plan of a lowered module as a package, whole or not at all. Emits
/// errors that name the file.
LogicalResult writePackageFile(ModuleOp module, const PackageOptions &options);

/// Emits an error at `loc` if the package cannot be written, or not be appended
/// to.
LogicalResult checkPackage(Location loc, const PackageOptions &options);

/// True if `module` has been lowered: it holds a gpu.binary.
bool isLowered(ModuleOp module);

/// Floating-point operations and least bytes of a cut or imported module's
/// public function: inputs read once and outputs written once; 2 flops a
/// multiply-add.
struct WorkCount {
  double flops = 0;
  double bytes = 0;
};
WorkCount countWork(ModuleOp module);

/// Registers the dialects and translations that the lowering needs.
void registerLoweringDialects(DialectRegistry &registry);

/// Path of ptxas: `given`, or in $KS_CUDA_HOME/bin, $CUDA_HOME/bin, PATH,
/// /usr/local/cuda/bin, or toolchain/cuda beside the tool's folder; empty if
/// none.
std::string findPtxas(const std::string &given);

/// The places where findPtxas looks, for a message that it found none.
std::string describePtxasSearch();

} // namespace mlir::ks

#endif // KS_LOWERING_LOWERING_H
