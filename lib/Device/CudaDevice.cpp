//===- CudaDevice.cpp - A CUDA GPU ----------------------------------------===//
//
// See CudaDevice.h.
//
//===----------------------------------------------------------------------===//

#include "CudaDevice.h"
#include "CudaProgram.h"

#include <algorithm>
#include <cctype>

namespace mlir::ks {

using namespace cuda;

Status CudaDevice::enter(void *&before) const {
  CUcontext current = nullptr;
  CUresult code = driver.cuCtxGetCurrent(&current);
  before = current;
  if (code == 0 && current != context)
    code = driver.cuCtxSetCurrent(context);
  return code == 0 ? Status() : driver.check(code, "cuCtxSetCurrent");
}

void CudaDevice::leave(void *before) const {
  if (before != context)
    driver.cuCtxSetCurrent(static_cast<CUcontext>(before));
}

Status CudaDevice::initialize() {
  int count = 0;
  if (Status status =
          driver.check(driver.cuDeviceGetCount(&count), "cuDeviceGetCount");
      !status)
    return status;
  if (count == 0)
    return Error{"the CUDA driver reports no GPU"};
  if (ordinal < 0 || ordinal >= count)
    return Error{"there is no GPU " + std::to_string(ordinal) +
                 ": the CUDA driver reports " + std::to_string(count)};
  char text[256] = {};
  CUresult code = driver.cuDeviceGet(&device, ordinal);
  if (!code)
    code = driver.cuDeviceGetName(text, sizeof text - 1, device);
  if (!code)
    code = driver.cuDeviceGetAttribute(&major, kAttributeMajor, device);
  if (!code)
    code = driver.cuDeviceGetAttribute(&minor, kAttributeMinor, device);
  if (Status status = driver.check(code, "asking for the GPU's properties");
      !status)
    return status;
  gpuName = text;
  if (Status status =
          driver.check(driver.cuDevicePrimaryCtxRetain(&context, device),
                       "cuDevicePrimaryCtxRetain");
      !status)
    return status;
  Scope scope(*this);
  if (!scope.status())
    return scope.status();
  if (Status status =
          driver.check(driver.cuStreamCreate(&ownStream, kStreamNonBlocking),
                       "cuStreamCreate");
      !status)
    return status;
  code = driver.cuEventCreate(&start, 0);
  if (!code)
    code = driver.cuEventCreate(&end, 0);
  return driver.check(code, "cuEventCreate");
}

CudaDevice::~CudaDevice() {
  // Nothing can be done about errors here; after a sticky one all of these
  // fail.
  if (!context)
    return;
  {
    Scope scope(*this);
    if (ownStream)
      driver.cuStreamSynchronize(ownStream);
    if (displacer)
      driver.cuMemFree(displacer);
    for (CUevent event : {start, end})
      if (event)
        driver.cuEventDestroy(event);
    if (ownStream)
      driver.cuStreamDestroy(ownStream);
  }
  driver.cuDevicePrimaryCtxRelease(device);
}

Status CudaDevice::check(CUresult code, const std::string &call,
                         std::string context) const {
  if (code == 0)
    return {};
  if (lastKernel)
    context += " after kernel " + *lastKernel;
  return driver.check(code, call, context);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Result<DeviceAddress> CudaDevice::allocate(uint64_t bytes) {
  Scope scope(*this);
  if (!scope.status())
    return scope.status().takeError();
  CUdeviceptr address = 0;
  if (Status status =
          check(driver.cuMemAlloc(&address, std::max<uint64_t>(bytes, 1)),
                "cuMemAlloc", " for " + std::to_string(bytes) + " bytes");
      !status)
    return status.takeError();
  return address;
}

Status CudaDevice::release(DeviceAddress address) {
  Scope scope(*this);
  if (!scope.status())
    return scope.status();
  return check(driver.cuMemFree(address), "cuMemFree");
}

Status CudaDevice::copyIn(DeviceAddress to, const void *from, uint64_t bytes,
                          StreamHandle handle) {
  if (bytes == 0)
    return {};
  Scope scope(*this);
  if (!scope.status())
    return scope.status();
  CUstream stream = static_cast<CUstream>(handle);
  if (Status status = check(driver.cuMemcpyHtoDAsync(to, from, bytes, stream),
                            "cuMemcpyHtoDAsync");
      !status)
    return status;
  return synchronize(handle); // The caller may free `from`.
}

Status CudaDevice::copyOut(void *to, DeviceAddress from, uint64_t bytes,
                           StreamHandle handle) {
  if (bytes == 0)
    return {};
  Scope scope(*this);
  if (!scope.status())
    return scope.status();
  CUstream stream = static_cast<CUstream>(handle);
  if (Status status = check(driver.cuMemcpyDtoHAsync(to, from, bytes, stream),
                            "cuMemcpyDtoHAsync");
      !status)
    return status;
  return synchronize(handle);
}

Status CudaDevice::fill(DeviceAddress to, uint8_t byte, uint64_t bytes) {
  if (bytes == 0)
    return {};
  Scope scope(*this);
  if (!scope.status())
    return scope.status();
  return check(driver.cuMemsetD8Async(to, byte, bytes, ownStream),
               "cuMemsetD8Async");
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// True if code for `chip` runs here: "sm_90" on 9.0 and later 9.x, "sm_90a"
/// on 9.0 alone, "sm_100f" like "sm_100".
bool CudaDevice::fits(const std::string &chip) const {
  if (chip.compare(0, 3, "sm_") != 0)
    return false;
  std::string digits = chip.substr(3), suffix;
  while (!digits.empty() &&
         !std::isdigit(static_cast<unsigned char>(digits.back()))) {
    suffix.insert(suffix.begin(), digits.back());
    digits.pop_back();
  }
  if (digits.size() < 2 || digits.size() > 3 || suffix.size() > 1)
    return false;
  int chipMinor = digits.back() - '0';
  digits.pop_back();
  bool sameMajor = digits == std::to_string(major);
  return sameMajor && (suffix == "a" ? chipMinor == minor : chipMinor <= minor);
}

bool CudaDevice::hasCubin(const LaunchPlan &plan) const {
  return !plan.cubin.empty() && fits(plan.chip);
}

Status CudaDevice::supports(const LaunchPlan &plan) const {
  if (plan.launches.empty() || hasCubin(plan) || !plan.ptx.empty())
    return {};
  return Error{
      "'" + plan.function + "' holds no code for " + architecture() +
      (plan.cubin.empty() ? std::string() : ", only for " + plan.chip)};
}

Result<CUmodule> CudaDevice::loadModule(const LaunchPlan &plan) {
  if (Status status = supports(plan); !status)
    return status.takeError();
  bool useCubin = hasCubin(plan);
  // PTX has to end in a zero byte; a cubin knows its own length.
  std::string text;
  const void *image = plan.cubin.data();
  if (!useCubin) {
    text.assign(plan.ptx.begin(), plan.ptx.end());
    image = text.c_str();
  }
  std::string log(8192, '\0');
  int options[] = {kJitErrorLogBuffer, kJitErrorLogBufferSize};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size())};
  CUmodule module = nullptr;
  CUresult code = driver.cuModuleLoadDataEx(&module, image, 2, options, values);
  if (Status status =
          check(code, "cuModuleLoadDataEx",
                " for the " + std::string(useCubin ? "cubin" : "PTX") + " of " +
                    plan.chip + " on " + architecture());
      !status) {
    const std::string &message = status.error();
    log.resize(log.find('\0') == std::string::npos ? log.size()
                                                   : log.find('\0'));
    while (!log.empty() && std::isspace(static_cast<unsigned char>(log.back())))
      log.pop_back();
    std::replace(log.begin(), log.end(), '\n', ' ');
    return Error{log.empty() ? message : message + ": " + log};
  }
  return module;
}

Result<std::unique_ptr<DeviceProgram>>
CudaDevice::load(const LaunchPlan &plan) {
  RelaxedCapture relaxed(driver);
  Scope scope(*this);
  if (!scope.status())
    return scope.status().takeError();
  CUmodule module = nullptr;
  // A plan without launches (nothing to compute) needs no code.
  if (!plan.launches.empty()) {
    Result<CUmodule> loaded = loadModule(plan);
    if (!loaded)
      return loaded.takeError();
    module = *loaded;
  }
  auto program = std::make_unique<CudaProgram>(*this, module);
  if (Status status = program->initialize(plan); !status)
    return status.takeError();
  return std::unique_ptr<DeviceProgram>(std::move(program));
}

Status CudaDevice::synchronize(StreamHandle stream) {
  Scope scope(*this);
  if (!scope.status())
    return scope.status();
  Status status =
      check(driver.cuStreamSynchronize(static_cast<CUstream>(stream)),
            "cuStreamSynchronize");
  if (stream == ownStream)
    lastKernel = nullptr;
  return status;
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

Result<double> CudaDevice::elapsed(const std::function<Status()> &work) {
  Scope scope(*this);
  if (!scope.status())
    return scope.status().takeError();
  if (Status status =
          check(driver.cuEventRecord(start, ownStream), "cuEventRecord");
      !status)
    return status.takeError();
  if (Status status = work(); !status)
    return status.takeError();
  if (Status status =
          check(driver.cuEventRecord(end, ownStream), "cuEventRecord");
      !status)
    return status.takeError();
  if (Status status =
          check(driver.cuEventSynchronize(end), "cuEventSynchronize");
      !status)
    return status.takeError();
  float milliseconds = 0;
  if (Status status =
          check(driver.cuEventElapsedTime(&milliseconds, start, end),
                "cuEventElapsedTime");
      !status)
    return status.takeError();
  return milliseconds * 1e-3;
}

Status CudaDevice::flushCache() {
  constexpr size_t kTimes =
      4; // Several times its size: replacement is not strict.
  if (!displacer) {
    Scope scope(*this);
    if (!scope.status())
      return scope.status();
    int bytes = 0;
    if (Status status = driver.check(
            driver.cuDeviceGetAttribute(&bytes, kAttributeL2CacheSize, device),
            "cuDeviceGetAttribute");
        !status)
      return status;
    displacerBytes = kTimes * static_cast<size_t>(std::max(bytes, 1 << 20));
    Result<DeviceAddress> address = allocate(displacerBytes);
    if (!address)
      return address.takeError();
    displacer = *address;
  }
  return fill(displacer, 0, displacerBytes);
}

Result<std::unique_ptr<Device>> createCudaDevice(int ordinal) {
  Result<Driver> driver = Driver::load();
  if (!driver)
    return driver.takeError();
  auto device = std::make_unique<CudaDevice>(*driver, ordinal);
  if (Status status = device->initialize(); !status)
    return status.takeError();
  return std::unique_ptr<Device>(std::move(device));
}

bool cudaAvailable(std::string *why) {
  std::string reason;
  Result<Driver> driver = Driver::load();
  int count = 0;
  if (!driver)
    reason = driver.error();
  else if (Status status = driver->check(driver->cuDeviceGetCount(&count),
                                         "cuDeviceGetCount");
           !status)
    reason = status.error();
  else if (count == 0)
    reason = "the CUDA driver reports no GPU";
  if (why)
    *why = reason;
  return reason.empty();
}

} // namespace mlir::ks
