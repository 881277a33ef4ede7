//===- CudaDriver.h - The CUDA driver, loaded at run time -------*- C++ -*-===//
//
// The entries of libcuda.so.1 that this project calls, found by dlopen, so that
// nothing links CUDA and nothing needs its headers. Types and constants are
// those of cuda.h, whose binary interface is stable; entries that were revised
// have the suffix under which the driver exports the present form.
//
//===----------------------------------------------------------------------===//
#ifndef KS_DEVICE_CUDADRIVER_H
#define KS_DEVICE_CUDADRIVER_H

#include "ks/Base/Result.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace mlir::ks::cuda {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = uint64_t;
using CUcontext = struct CUctx_st *;
using CUmodule = struct CUmod_st *;
using CUfunction = struct CUfunc_st *;
using CUstream = struct CUstream_st *;
using CUevent = struct CUevent_st *;
using CUgraph = struct CUgraph_st *;
using CUgraphExec = struct CUgraphExec_st *;

/// CUdevice_attribute
constexpr int kAttributeL2CacheSize = 38, kAttributeMajor = 75,
              kAttributeMinor = 76;
/// CUjit_option
constexpr int kJitErrorLogBuffer = 5, kJitErrorLogBufferSize = 6;
/// cuMemHostAlloc's flags: usable from every context; mapped into the device's
/// address space.
constexpr unsigned kHostPortable = 1, kHostMapped = 2;
/// CUstreamCaptureMode: calls that are no part of a capture disturb it if they
/// are of the thread that began it; or they do not.
constexpr int kCaptureThreadLocal = 1, kCaptureRelaxed = 2;
/// CUstream_flags: no order with the legacy default stream.
constexpr unsigned kStreamNonBlocking = 1;

#define KS_CUDA_ENTRIES(X)                                                     \
  X(cuInit, "cuInit", (unsigned flags))                                        \
  X(cuDeviceGetCount, "cuDeviceGetCount", (int *count))                        \
  X(cuDeviceGet, "cuDeviceGet", (CUdevice * device, int ordinal))              \
  X(cuDeviceGetName, "cuDeviceGetName",                                        \
    (char *name, int length, CUdevice device))                                 \
  X(cuDeviceGetAttribute, "cuDeviceGetAttribute",                              \
    (int *value, int attribute, CUdevice device))                              \
  X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain",                      \
    (CUcontext * context, CUdevice device))                                    \
  X(cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2",                 \
    (CUdevice device))                                                         \
  X(cuCtxSetCurrent, "cuCtxSetCurrent", (CUcontext context))                   \
  X(cuCtxGetCurrent, "cuCtxGetCurrent", (CUcontext * context))                 \
  X(cuCtxSynchronize, "cuCtxSynchronize", ())                                  \
  X(cuStreamCreate, "cuStreamCreate", (CUstream * stream, unsigned flags))     \
  X(cuStreamDestroy, "cuStreamDestroy_v2", (CUstream stream))                  \
  X(cuStreamSynchronize, "cuStreamSynchronize", (CUstream stream))             \
  X(cuModuleLoadDataEx, "cuModuleLoadDataEx",                                  \
    (CUmodule * module, const void *image, unsigned numOptions, int *options,  \
     void **values))                                                           \
  X(cuModuleUnload, "cuModuleUnload", (CUmodule module))                       \
  X(cuModuleGetFunction, "cuModuleGetFunction",                                \
    (CUfunction * function, CUmodule module, const char *name))                \
  X(cuLaunchKernel, "cuLaunchKernel",                                          \
    (CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ,      \
     unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,  \
     CUstream stream, void **params, void **extra))                            \
  X(cuMemAlloc, "cuMemAlloc_v2", (CUdeviceptr * address, size_t bytes))        \
  X(cuMemFree, "cuMemFree_v2", (CUdeviceptr address))                          \
  X(cuMemHostAlloc, "cuMemHostAlloc",                                          \
    (void **address, size_t bytes, unsigned flags))                            \
  X(cuMemHostGetDevicePointer, "cuMemHostGetDevicePointer_v2",                 \
    (CUdeviceptr * address, void *host, unsigned flags))                       \
  X(cuMemFreeHost, "cuMemFreeHost", (void *address))                           \
  X(cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2",                                 \
    (CUdeviceptr to, const void *from, size_t bytes, CUstream stream))         \
  X(cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2",                                 \
    (void *to, CUdeviceptr from, size_t bytes, CUstream stream))               \
  X(cuMemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2",                                 \
    (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream))         \
  X(cuMemsetD8Async, "cuMemsetD8Async",                                        \
    (CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream))      \
  X(cuEventCreate, "cuEventCreate", (CUevent * event, unsigned flags))         \
  X(cuEventRecord, "cuEventRecord", (CUevent event, CUstream stream))          \
  X(cuEventSynchronize, "cuEventSynchronize", (CUevent event))                 \
  X(cuEventElapsedTime, "cuEventElapsedTime",                                  \
    (float *milliseconds, CUevent start, CUevent end))                         \
  X(cuEventDestroy, "cuEventDestroy_v2", (CUevent event))                      \
  X(cuGetErrorName, "cuGetErrorName", (CUresult code, const char **text))      \
  X(cuGetErrorString, "cuGetErrorString", (CUresult code, const char **text))

/// Entries that older drivers do not have.
#define KS_CUDA_OPTIONAL_ENTRIES(X)                                            \
  X(cuThreadExchangeStreamCaptureMode, "cuThreadExchangeStreamCaptureMode",    \
    (int *mode))                                     /* CUDA 10.1 */           \
  X(cuFuncLoad, "cuFuncLoad", (CUfunction function)) /* CUDA 12.4 */           \
  X(cuStreamIsCapturing, "cuStreamIsCapturing",                                \
    (CUstream stream, int *status))                                            \
  X(cuStreamBeginCapture, "cuStreamBeginCapture_v2",                           \
    (CUstream stream, int mode)) /* CUDA 10.1 */                               \
  X(cuStreamEndCapture, "cuStreamEndCapture",                                  \
    (CUstream stream, CUgraph * graph))                                        \
  X(cuGraphInstantiateWithFlags, "cuGraphInstantiateWithFlags",                \
    (CUgraphExec * executable, CUgraph graph,                                  \
     unsigned long long flags)) /* CUDA 11.4 */                                \
  X(cuGraphLaunch, "cuGraphLaunch", (CUgraphExec executable, CUstream stream)) \
  X(cuGraphExecDestroy, "cuGraphExecDestroy", (CUgraphExec executable))        \
  X(cuGraphDestroy, "cuGraphDestroy", (CUgraph graph))

struct Driver {
#define X(member, symbol, parameters) CUresult(*member) parameters = nullptr;
  KS_CUDA_ENTRIES(X)
  KS_CUDA_OPTIONAL_ENTRIES(X)
#undef X

  /// Loads and initialises the driver: $KS_CUDA_DRIVER, or libcuda.so.1. It
  /// stays loaded for good.
  static Result<Driver> load();

  /// Success, or "<call> failed<context>: CUDA_ERROR_... (text)"; an error
  /// after which the CUDA context is unusable says so.
  Status check(CUresult code, const std::string &call,
               const std::string &context = "") const;
};

/// Lets this thread load and allocate while a stream is captured.
class RelaxedCapture {
public:
  explicit RelaxedCapture(const Driver &driver) : driver(driver) { exchange(); }
  ~RelaxedCapture() { exchange(); }
  RelaxedCapture(const RelaxedCapture &) = delete;
  RelaxedCapture &operator=(const RelaxedCapture &) = delete;

private:
  void exchange() {
    if (driver.cuThreadExchangeStreamCaptureMode)
      driver.cuThreadExchangeStreamCaptureMode(&mode);
  }
  const Driver &driver;
  int mode = kCaptureRelaxed;
};

} // namespace mlir::ks::cuda

#endif // KS_DEVICE_CUDADRIVER_H
