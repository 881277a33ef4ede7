//===- CudaProgram.h - A plan's kernels on a GPU ----------------*- C++ -*-===//
//
// The module, a function for each launch, found and loaded when the program is,
// so that no launch is the first; and the status word, in the host's memory,
// where it can be read without a call of the driver.
//
//===----------------------------------------------------------------------===//
#ifndef KS_DEVICE_CUDAPROGRAM_H
#define KS_DEVICE_CUDAPROGRAM_H

#include "CudaDevice.h"
#include "CudaReplay.h"

#include <array>
#include <vector>

namespace mlir::ks {

class CudaProgram final : public DeviceProgram {
public:
  /// Takes `module` over; null for a plan without launches.
  CudaProgram(CudaDevice &device, cuda::CUmodule module)
      : device(device), module(module), graphs(device.driver) {}
  ~CudaProgram() override;
  Status initialize(const LaunchPlan &plan);

  Status enter(void *&before) const override { return device.enter(before); }
  void leave(void *before) const override { device.leave(before); }
  Status launch(size_t index, const DeviceAddress *args,
                StreamHandle stream) const override;
  Status copy(DeviceAddress to, DeviceAddress from, uint64_t bytes,
              StreamHandle stream) const override;
  Status replay(const BaseAddresses &bases, StreamHandle stream,
                const Enqueue &enqueue) override {
    return graphs.run(bases, stream, enqueue);
  }
  DeviceAddress statusAddress() const override { return statusOnDevice; }
  uint64_t takeStatus() const override {
    return status ? __atomic_exchange_n(status, uint64_t(0), __ATOMIC_ACQ_REL)
                  : 0;
  }

private:
  struct Kernel {
    cuda::CUfunction function = nullptr;
    std::array<uint32_t, 3> grid, block;
    size_t args = 0;
    std::string name;
  };
  CudaDevice &device;
  cuda::CUmodule module;
  std::vector<Kernel> kernels; ///< Of each launch.
  uint64_t *status = nullptr;  ///< Mapped memory of the host.
  DeviceAddress statusOnDevice = 0;
  CudaReplay graphs;
};

} // namespace mlir::ks

#endif // KS_DEVICE_CUDAPROGRAM_H
