//===- Device.h - Where kernels run -----------------------------*- C++ -*-===//
//
// One small interface over everything that can hold buffers and run kernels:
// a CUDA GPU through the driver API (loaded at run time), or the CPU. Work is
// in order on its stream: the device's own, or one of the caller's. Every error
// names the call that failed; an error after which a CUDA context is unusable
// is reported as sticky.
//
//===----------------------------------------------------------------------===//
#ifndef KS_DEVICE_DEVICE_H
#define KS_DEVICE_DEVICE_H

#include "ks/Base/LaunchPlan.h"
#include "ks/Base/Result.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mlir::ks {

/// An address on a device. The host device's addresses are pointers.
using DeviceAddress = uint64_t;

/// A CUstream; null is CUDA's default stream. The host device has none and
/// takes anything.
using StreamHandle = void *;

/// Enqueues a run on a stream.
using Enqueue = std::function<Status(StreamHandle)>;

/// All addresses of a call, in lists: two runs of a plan that agree in them
/// enqueue the same.
using BaseAddresses = std::array<std::span<void *const>, 3>;

/// The code of a plan, loaded on a device, which must outlive it. Launches and
/// copies may come from several threads at a time; they allocate nothing, take
/// no lock and wait for nothing on a GPU; for replay() see there.
class DeviceProgram {
public:
  virtual ~DeviceProgram() = default;

  /// Lets this thread launch; `before` is for leave() afterwards.
  virtual Status enter(void *&before) const = 0;
  virtual void leave(void *before) const = 0;

  /// Enqueues the plan's launch `index`; `args` are the kernel's arguments in
  /// order. Between enter() and leave().
  virtual Status launch(size_t index, const DeviceAddress *args,
                        StreamHandle stream) const = 0;
  virtual Status copy(DeviceAddress to, DeviceAddress from, uint64_t bytes,
                      StreamHandle stream) const = 0;

  /// Does what `enqueue` does with `stream`; may instead launch what `enqueue`
  /// enqueued for the same `bases` on a stream that was captured. Then a lock
  /// is tried, memory may be allocated, but nothing waited for. Between enter()
  /// and leave().
  virtual Status replay(const BaseAddresses &bases, StreamHandle stream,
                        const Enqueue &enqueue) {
    (void)bases;
    return enqueue(stream);
  }

  /// The status word, 8 bytes, zero at first, that kernels may write.
  virtual DeviceAddress statusAddress() const = 0;
  /// Its value as of the work that is done, which is set to zero.
  virtual uint64_t takeStatus() const = 0;
};

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
  /// The device's own stream, on which fill, elapsed and flushCache work.
  virtual StreamHandle stream() const = 0;

  /// At least 256-byte aligned; zero bytes give a valid, distinct address.
  virtual Result<DeviceAddress> allocate(uint64_t bytes) = 0;
  virtual Status release(DeviceAddress address) = 0;
  /// Copies after what `stream` holds, and waits.
  virtual Status copyIn(DeviceAddress to, const void *from, uint64_t bytes,
                        StreamHandle stream) = 0;
  virtual Status copyOut(void *to, DeviceAddress from, uint64_t bytes,
                         StreamHandle stream) = 0;
  virtual Status fill(DeviceAddress to, uint8_t byte, uint64_t bytes) = 0;
  virtual Status synchronize(StreamHandle stream) = 0;

  Status copyIn(DeviceAddress to, const void *from, uint64_t bytes) {
    return copyIn(to, from, bytes, stream());
  }
  Status copyOut(void *to, DeviceAddress from, uint64_t bytes) {
    return copyOut(to, from, bytes, stream());
  }
  Status synchronize() { return synchronize(stream()); }

  /// An error that says why if the plan holds no code for this device. A plan
  /// without launches needs none.
  virtual Status supports(const LaunchPlan &plan) const = 0;
  /// Loads the plan's code for this kind of device and finds every kernel of
  /// its launches. `plan` must outlive the program.
  virtual Result<std::unique_ptr<DeviceProgram>>
  load(const LaunchPlan &plan) = 0;

  /// Time that `work`, which only enqueues, takes on the device, in seconds.
  virtual Result<double> elapsed(const std::function<Status()> &work) = 0;
  /// Displaces what the last-level cache holds.
  virtual Status flushCache() = 0;
};

/// CUDA GPU number `ordinal`; an error that says what is missing where there is
/// none.
Result<std::unique_ptr<Device>> createCudaDevice(int ordinal = 0);

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
