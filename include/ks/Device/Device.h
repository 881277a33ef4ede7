//===- Device.h - Where kernels run -----------------------------*- C++ -*-===//
//
// One small interface over everything that can hold buffers and run kernels:
// a CUDA GPU through the driver API (loaded at run time), or the CPU. All work
// of a device is in order, on one stream. Every error names the call that
// failed; an error after which a CUDA context is unusable is reported as
// sticky.
//
//===----------------------------------------------------------------------===//
#ifndef KS_DEVICE_DEVICE_H
#define KS_DEVICE_DEVICE_H

#include "ks/Base/LaunchPlan.h"
#include "ks/Base/Result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mlir::ks {

/// An address on a device. The host device's addresses are pointers.
using DeviceAddress = uint64_t;

/// A loaded program, freed with the device.
using ProgramHandle = uint32_t;

class Device {
public:
  virtual ~Device() = default;

  virtual std::string kind() const = 0; ///< "cuda" or "host".
  virtual std::string
  name() const = 0; ///< E.g. "NVIDIA H200", or the CPU's model name.
  /// "sm_90" style compute capability of a GPU; "x86-64" for the CPU.
  virtual std::string architecture() const = 0;
  /// True if elapsed times are measurements of the hardware the plan targets;
  /// false on the CPU, whose times say nothing about a GPU.
  virtual bool measures() const = 0;

  /// At least 256-byte aligned; zero bytes give a valid, distinct address.
  virtual Result<DeviceAddress> allocate(uint64_t bytes) = 0;
  virtual Status release(DeviceAddress address) = 0;
  virtual Status copyIn(DeviceAddress to, const void *from, uint64_t bytes) = 0;
  virtual Status copyOut(void *to, DeviceAddress from, uint64_t bytes) = 0;
  virtual Status fill(DeviceAddress to, uint8_t byte, uint64_t bytes) = 0;
  virtual Status copy(DeviceAddress to, DeviceAddress from, uint64_t bytes) = 0;

  /// Loads the plan's program for this kind of device.
  virtual Result<ProgramHandle> load(const LaunchPlan &plan) = 0;
  virtual Status unload(ProgramHandle program) = 0;
  /// Enqueues one launch; `args` are the kernel's address arguments in order.
  virtual Status launch(ProgramHandle program, const Launch &launch,
                        const std::vector<DeviceAddress> &args) = 0;
  virtual Status synchronize() = 0;

  /// Time that `work`, which only enqueues, takes on the device, in seconds.
  virtual Result<double> elapsed(const std::function<Status()> &work) = 0;
  /// Displaces what the last-level cache holds.
  virtual Status flushCache() = 0;
};

/// The first CUDA GPU; an error that says what is missing where there is none.
Result<std::unique_ptr<Device>> createCudaDevice();

/// The CPU. `threads` 0 takes as many as there are cores.
Result<std::unique_ptr<Device>> createHostDevice(unsigned threads = 0);

/// True if a CUDA driver with at least one GPU answers; if not, `why` says so.
bool cudaAvailable(std::string *why = nullptr);

/// `kind` is auto, cuda or host. `auto` takes a GPU where there is one and else
/// the CPU; `note`, if given, then receives why.
Result<std::unique_ptr<Device>> createDevice(const std::string &kind,
                                             std::string *note = nullptr);

} // namespace mlir::ks

#endif // KS_DEVICE_DEVICE_H
