//===- CudaDevice.h - A CUDA GPU --------------------------------*- C++ -*-===//
//
// The device's primary context, which PyTorch and the CUDA runtime use too, and
// one stream of its own. Launches, fills and copies on the device are
// asynchronous, so that a kernel's error may appear at a later call: messages
// name the last kernel that was launched on the device's own stream.
//
//===----------------------------------------------------------------------===//
#ifndef KS_DEVICE_CUDADEVICE_H
#define KS_DEVICE_CUDADEVICE_H

#include "CudaDriver.h"
#include "ks/Device/Device.h"

namespace mlir::ks {

class CudaDevice final : public Device {
public:
  CudaDevice(const cuda::Driver &driver, int ordinal)
      : driver(driver), ordinal(ordinal) {}
  ~CudaDevice() override;
  Status initialize();

  std::string kind() const override { return "cuda"; }
  std::string name() const override { return gpuName; }
  std::string architecture() const override {
    return "sm_" + std::to_string(major) + std::to_string(minor);
  }
  bool measures() const override { return true; }
  StreamHandle stream() const override { return ownStream; }

  using Device::copyIn;
  using Device::copyOut;
  using Device::synchronize;
  Result<DeviceAddress> allocate(uint64_t bytes) override;
  Status release(DeviceAddress address) override;
  Status copyIn(DeviceAddress to, const void *from, uint64_t bytes,
                StreamHandle stream) override;
  Status copyOut(void *to, DeviceAddress from, uint64_t bytes,
                 StreamHandle stream) override;
  Status fill(DeviceAddress to, uint8_t byte, uint64_t bytes) override;
  Status synchronize(StreamHandle stream) override;
  Status supports(const LaunchPlan &plan) const override;
  Result<std::unique_ptr<DeviceProgram>> load(const LaunchPlan &plan) override;
  Result<double> elapsed(const std::function<Status()> &work) override;
  Status flushCache() override;

private:
  friend class CudaProgram;

  /// Makes the context current for a scope: the caller may be another thread
  /// each time, with a context of its own.
  class Scope {
  public:
    explicit Scope(const CudaDevice &device)
        : device(device), entered(device.enter(before)) {}
    ~Scope() {
      if (entered)
        device.leave(before);
    }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;
    Status &status() { return entered; }

  private:
    const CudaDevice &device;
    void *before = nullptr;
    Status entered;
  };
  Status enter(void *&before) const;
  void leave(void *before) const;

  /// As Driver::check, for calls that may report what an earlier launch did.
  Status check(cuda::CUresult code, const std::string &call,
               std::string context = "") const;
  bool fits(const std::string &chip) const;
  bool hasCubin(const LaunchPlan &plan) const;
  Result<cuda::CUmodule> loadModule(const LaunchPlan &plan);

  cuda::Driver driver;
  int ordinal;
  cuda::CUdevice device = 0;
  cuda::CUcontext context = nullptr;
  cuda::CUstream ownStream = nullptr;
  cuda::CUevent start = nullptr, end = nullptr;
  std::string gpuName;
  int major = 0, minor = 0;
  /// Launched on the own stream since it was last waited for; null if none. A
  /// program that goes clears it.
  const std::string *lastKernel = nullptr;
  cuda::CUdeviceptr displacer = 0;
  size_t displacerBytes = 0;
};

} // namespace mlir::ks

#endif // KS_DEVICE_CUDADEVICE_H
