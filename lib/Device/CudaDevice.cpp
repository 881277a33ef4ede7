//===- CudaDevice.cpp - The first CUDA GPU --------------------------------===//
//
// The device's primary context and one stream of it. Launches, fills and copies
// on the device are asynchronous, so that a kernel's error may appear at a
// later call: messages name the last kernel that was launched.
//
//===----------------------------------------------------------------------===//

#include "CudaDriver.h"
#include "ks/Device/Device.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

namespace mlir::ks {

using namespace cuda;

namespace {
class CudaDevice final : public Device {
public:
  explicit CudaDevice(const Driver &driver) : driver(driver) {}
  ~CudaDevice() override;
  Status initialize();

  std::string kind() const override { return "cuda"; }
  std::string name() const override { return gpuName; }
  std::string architecture() const override {
    return "sm_" + std::to_string(major) + std::to_string(minor);
  }
  bool measures() const override { return true; }

  Result<DeviceAddress> allocate(uint64_t bytes) override;
  Status release(DeviceAddress address) override;
  Status copyIn(DeviceAddress to, const void *from, uint64_t bytes) override;
  Status copyOut(void *to, DeviceAddress from, uint64_t bytes) override;
  Status fill(DeviceAddress to, uint8_t byte, uint64_t bytes) override;
  Status copy(DeviceAddress to, DeviceAddress from, uint64_t bytes) override;

  Result<ProgramHandle> load(const LaunchPlan &plan) override;
  Status unload(ProgramHandle program) override;
  Status launch(ProgramHandle program, const Launch &launch,
                const std::vector<DeviceAddress> &args) override;
  Status synchronize() override;
  Result<double> elapsed(const std::function<Status()> &work) override;
  Status flushCache() override;

private:
  struct Program {
    CUmodule module = nullptr; ///< Null once unloaded.
    std::unordered_map<std::string, CUfunction> functions;
  };

  /// Makes the context current: the caller may be another thread each time.
  Status enter() {
    return driver.check(driver.cuCtxSetCurrent(context), "cuCtxSetCurrent");
  }
  /// As Driver::check, for calls that may report what an earlier launch did.
  Status check(CUresult code, const std::string &call,
               std::string context = "") const;
  bool fits(const std::string &chip) const;
  Result<CUfunction> function(ProgramHandle program, const std::string &kernel);

  Driver driver;
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUstream stream = nullptr;
  CUevent start = nullptr, end = nullptr;
  std::string gpuName;
  int major = 0, minor = 0;
  std::vector<Program> programs;
  std::string lastKernel; ///< Launched since the last synchronisation.
  CUdeviceptr displacer = 0;
  size_t displacerBytes = 0;
};
} // namespace

Status CudaDevice::initialize() {
  int count = 0;
  if (Status status =
          driver.check(driver.cuDeviceGetCount(&count), "cuDeviceGetCount");
      !status)
    return status;
  if (count == 0)
    return Error{"the CUDA driver reports no GPU"};
  char text[256] = {};
  CUresult code = driver.cuDeviceGet(&device, 0);
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
  if (Status status = enter(); !status)
    return status;
  if (Status status = driver.check(
          driver.cuStreamCreate(&stream, kStreamNonBlocking), "cuStreamCreate");
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
  driver.cuCtxSetCurrent(context);
  if (stream)
    driver.cuStreamSynchronize(stream);
  for (Program &program : programs)
    if (program.module)
      driver.cuModuleUnload(program.module);
  if (displacer)
    driver.cuMemFree(displacer);
  for (CUevent event : {start, end})
    if (event)
      driver.cuEventDestroy(event);
  if (stream)
    driver.cuStreamDestroy(stream);
  driver.cuCtxSetCurrent(nullptr);
  driver.cuDevicePrimaryCtxRelease(device);
}

Status CudaDevice::check(CUresult code, const std::string &call,
                         std::string context) const {
  if (code == 0)
    return {};
  if (!lastKernel.empty())
    context += " after kernel " + lastKernel;
  return driver.check(code, call, context);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Result<DeviceAddress> CudaDevice::allocate(uint64_t bytes) {
  if (Status status = enter(); !status)
    return status.takeError();
  CUdeviceptr address = 0;
  if (Status status =
          check(driver.cuMemAlloc(&address, std::max<uint64_t>(bytes, 1)),
                "cuMemAlloc", " for " + std::to_string(bytes) + " bytes");
      !status)
    return status.takeError();
  return address;
}

Status CudaDevice::release(DeviceAddress address) {
  if (Status status = enter(); !status)
    return status;
  return check(driver.cuMemFree(address), "cuMemFree");
}

Status CudaDevice::copyIn(DeviceAddress to, const void *from, uint64_t bytes) {
  if (bytes == 0)
    return {};
  if (Status status = enter(); !status)
    return status;
  if (Status status = check(driver.cuMemcpyHtoDAsync(to, from, bytes, stream),
                            "cuMemcpyHtoDAsync");
      !status)
    return status;
  return synchronize(); // The caller may free `from`.
}

Status CudaDevice::copyOut(void *to, DeviceAddress from, uint64_t bytes) {
  if (bytes == 0)
    return {};
  if (Status status = enter(); !status)
    return status;
  if (Status status = check(driver.cuMemcpyDtoHAsync(to, from, bytes, stream),
                            "cuMemcpyDtoHAsync");
      !status)
    return status;
  return synchronize();
}

Status CudaDevice::fill(DeviceAddress to, uint8_t byte, uint64_t bytes) {
  if (bytes == 0)
    return {};
  if (Status status = enter(); !status)
    return status;
  return check(driver.cuMemsetD8Async(to, byte, bytes, stream),
               "cuMemsetD8Async");
}

Status CudaDevice::copy(DeviceAddress to, DeviceAddress from, uint64_t bytes) {
  if (bytes == 0)
    return {};
  if (Status status = enter(); !status)
    return status;
  return check(driver.cuMemcpyDtoDAsync(to, from, bytes, stream),
               "cuMemcpyDtoDAsync");
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

Result<ProgramHandle> CudaDevice::load(const LaunchPlan &plan) {
  if (Status status = enter(); !status)
    return status.takeError();
  bool useCubin = !plan.cubin.empty() && fits(plan.chip);
  if (!useCubin && plan.ptx.empty())
    return Error{
        "'" + plan.function + "' holds no code for " + architecture() +
        (plan.cubin.empty() ? std::string() : ", only for " + plan.chip)};
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
  programs.push_back({module, {}});
  return static_cast<ProgramHandle>(programs.size() - 1);
}

Status CudaDevice::unload(ProgramHandle program) {
  if (program >= programs.size() || !programs[program].module)
    return Error{"cuda device: unload of a program that is not loaded"};
  if (Status status = enter(); !status)
    return status;
  programs[program].functions.clear();
  return check(
      driver.cuModuleUnload(std::exchange(programs[program].module, nullptr)),
      "cuModuleUnload");
}

Result<CUfunction> CudaDevice::function(ProgramHandle program,
                                        const std::string &kernel) {
  if (program >= programs.size() || !programs[program].module)
    return Error{"cuda device: launch of a program that is not loaded"};
  auto [found, isNew] =
      programs[program].functions.try_emplace(kernel, nullptr);
  if (!isNew)
    return found->second;
  CUresult code = driver.cuModuleGetFunction(
      &found->second, programs[program].module, kernel.c_str());
  if (Status status =
          check(code, "cuModuleGetFunction", " for kernel " + kernel);
      !status) {
    programs[program].functions.erase(found);
    return status.takeError();
  }
  return found->second;
}

Status CudaDevice::launch(ProgramHandle program, const Launch &launch,
                          const std::vector<DeviceAddress> &args) {
  if (Status status = enter(); !status)
    return status;
  Result<CUfunction> kernel = function(program, launch.kernel);
  if (!kernel)
    return kernel.takeError();
  // The driver wants the address of each argument and copies them at once.
  std::vector<DeviceAddress> addresses = args;
  std::vector<void *> params;
  for (DeviceAddress &address : addresses)
    params.push_back(&address);
  CUresult code = driver.cuLaunchKernel(
      *kernel, launch.grid[0], launch.grid[1], launch.grid[2], launch.block[0],
      launch.block[1], launch.block[2], 0, stream, params.data(), nullptr);
  Status status = check(code, "cuLaunchKernel", " for kernel " + launch.kernel);
  lastKernel = launch.kernel;
  return status;
}

Status CudaDevice::synchronize() {
  if (Status status = enter(); !status)
    return status;
  Status status =
      check(driver.cuStreamSynchronize(stream), "cuStreamSynchronize");
  lastKernel.clear();
  return status;
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

Result<double> CudaDevice::elapsed(const std::function<Status()> &work) {
  if (Status status = enter(); !status)
    return status.takeError();
  if (Status status =
          check(driver.cuEventRecord(start, stream), "cuEventRecord");
      !status)
    return status.takeError();
  if (Status status = work(); !status)
    return status.takeError();
  if (Status status = check(driver.cuEventRecord(end, stream), "cuEventRecord");
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
    if (Status status = enter(); !status)
      return status;
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

Result<std::unique_ptr<Device>> createCudaDevice() {
  Result<Driver> driver = Driver::load();
  if (!driver)
    return driver.takeError();
  auto device = std::make_unique<CudaDevice>(*driver);
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
