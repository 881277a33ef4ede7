//===- CudaProgram.cpp - A plan's kernels on a GPU ------------------------===//
//
// See CudaProgram.h.
//
//===----------------------------------------------------------------------===//

#include "CudaProgram.h"

#include <map>

namespace mlir::ks {

using namespace cuda;

static bool usesStatus(const LaunchPlan &plan) {
  for (const Launch &launch : plan.launches)
    for (const LaunchArg &arg : launch.args)
      if (arg.space == LaunchArg::Space::Status)
        return true;
  return false;
}

Status CudaProgram::initialize(const LaunchPlan &plan) {
  const Driver &driver = device.driver;
  std::map<std::string, CUfunction> known;
  for (const Launch &launch : plan.launches) {
    CUfunction &function = known[launch.kernel];
    if (!function) {
      CUresult code =
          driver.cuModuleGetFunction(&function, module, launch.kernel.c_str());
      std::string context = " for kernel " + launch.kernel;
      if (Status status = device.check(code, "cuModuleGetFunction", context);
          !status)
        return status;
      // With lazy loading, the driver's default, its code would come with the
      // first launch, which then cannot be captured.
      if (driver.cuFuncLoad)
        if (Status status = device.check(driver.cuFuncLoad(function),
                                         "cuFuncLoad", context);
            !status)
          return status;
    }
    kernels.push_back({function, launch.grid, launch.block, launch.args.size(),
                       launch.kernel});
  }
  graphs.initialize(plan);
  if (!usesStatus(plan))
    return {};
  void *memory = nullptr;
  if (Status allocated =
          device.check(driver.cuMemHostAlloc(&memory, sizeof *status,
                                             kHostPortable | kHostMapped),
                       "cuMemHostAlloc");
      !allocated)
    return allocated;
  status = static_cast<uint64_t *>(memory);
  *status = 0;
  return device.check(
      driver.cuMemHostGetDevicePointer(&statusOnDevice, memory, 0),
      "cuMemHostGetDevicePointer");
}

CudaProgram::~CudaProgram() {
  // Errors have nobody to go to. At the end of a process the driver may be gone
  // already; then all of these fail and do nothing.
  CudaDevice::Scope scope(device);
  if (!scope.status())
    return;
  device.lastKernel = nullptr;
  // What still runs needs code, status word and graphs. Where the device cannot
  // be waited for, as while a stream is captured, they stay.
  if (device.driver.cuCtxSynchronize() != 0)
    return;
  graphs.release();
  if (module)
    device.driver.cuModuleUnload(module);
  if (status)
    device.driver.cuMemFreeHost(status);
}

Status CudaProgram::launch(size_t index, const DeviceAddress *args,
                           StreamHandle stream) const {
  const Kernel &kernel = kernels[index];
  // The driver wants the address of each argument, and copies them at once.
  void *params[maxLaunchArgs];
  for (size_t i = 0; i < kernel.args; ++i)
    params[i] = const_cast<DeviceAddress *>(args + i);
  CUresult code = device.driver.cuLaunchKernel(
      kernel.function, kernel.grid[0], kernel.grid[1], kernel.grid[2],
      kernel.block[0], kernel.block[1], kernel.block[2], 0,
      static_cast<CUstream>(stream), params, nullptr);
  if (code != 0)
    return device.check(code, "cuLaunchKernel", " for kernel " + kernel.name);
  if (stream == device.ownStream)
    device.lastKernel = &kernel.name;
  return {};
}

Status CudaProgram::copy(DeviceAddress to, DeviceAddress from, uint64_t bytes,
                         StreamHandle stream) const {
  if (bytes == 0)
    return {};
  CUresult code = device.driver.cuMemcpyDtoDAsync(
      to, from, bytes, static_cast<CUstream>(stream));
  return code == 0 ? Status() : device.check(code, "cuMemcpyDtoDAsync");
}

} // namespace mlir::ks
