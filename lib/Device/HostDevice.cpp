//===- HostDevice.cpp - The CPU as a device -------------------------------===//
//
// Runs kernels that were compiled for the CPU ahead of time, a grid's blocks
// spread over threads. Launches are finished when launch() returns. Times are
// real, but of the CPU: they say nothing about a GPU.
//
//===----------------------------------------------------------------------===//

#include "ThreadPool.h"
#include "ks/Device/Device.h"
#include "ks/Device/HostLoader.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <thread>
#include <unistd.h>
#include <unordered_set>

namespace mlir::ks {

namespace {
constexpr uint64_t kAlignment = 256;

class HostDevice final : public Device {
public:
  explicit HostDevice(unsigned threads) : pool(threads) {}
  ~HostDevice() override {
    for (DeviceAddress address : allocations)
      std::free(reinterpret_cast<void *>(address));
  }

  std::string kind() const override { return "host"; }
  std::string name() const override;
  std::string architecture() const override { return "x86-64"; }
  bool measures() const override { return false; }

  Result<DeviceAddress> allocate(uint64_t bytes) override;
  Status release(DeviceAddress address) override;
  StreamHandle stream() const override { return nullptr; }
  using Device::copyIn;
  using Device::copyOut;
  using Device::synchronize;
  Status copyIn(DeviceAddress to, const void *from, uint64_t bytes,
                StreamHandle) override {
    if (bytes)
      std::memcpy(reinterpret_cast<void *>(to), from, bytes);
    return {};
  }
  Status copyOut(void *to, DeviceAddress from, uint64_t bytes,
                 StreamHandle) override {
    if (bytes)
      std::memcpy(to, reinterpret_cast<void *>(from), bytes);
    return {};
  }
  Status fill(DeviceAddress to, uint8_t byte, uint64_t bytes) override {
    std::memset(reinterpret_cast<void *>(to), byte, bytes);
    return {};
  }
  Status synchronize(StreamHandle) override { return {}; }

  Status supports(const LaunchPlan &plan) const override;
  Result<std::unique_ptr<DeviceProgram>> load(const LaunchPlan &plan) override;
  Result<double> elapsed(const std::function<Status()> &work) override;
  Status flushCache() override;

private:
  ThreadPool pool;
  std::mutex mutex; ///< Of what follows.
  std::unordered_set<DeviceAddress> allocations;
  std::vector<char> displacer; ///< See flushCache.
};

/// A plan's kernels as functions.
class LoadedHostProgram final : public DeviceProgram {
public:
  LoadedHostProgram(ThreadPool &pool, std::unique_ptr<HostProgram> code)
      : pool(pool), code(std::move(code)) {}
  Status find(const std::vector<Launch> &launches);

  Status enter(void *&) const override { return {}; }
  void leave(void *) const override {}
  Status launch(size_t index, const DeviceAddress *args,
                StreamHandle) const override {
    const Kernel &kernel = kernels[index];
    pool.run(kernel.grid, [&](int64_t begin, int64_t end) {
      kernel.function(reinterpret_cast<void *const *>(args), begin, end,
                      kernel.block, kernel.grid);
    });
    return {};
  }
  Status copy(DeviceAddress to, DeviceAddress from, uint64_t bytes,
              StreamHandle) const override {
    std::memmove(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from),
                 bytes);
    return {};
  }
  DeviceAddress statusAddress() const override {
    return reinterpret_cast<DeviceAddress>(&status);
  }
  uint64_t takeStatus() const override {
    return __atomic_exchange_n(&status, uint64_t(0), __ATOMIC_ACQ_REL);
  }

private:
  struct Kernel {
    HostKernel function = nullptr;
    int64_t grid = 1, block = 1;
  };
  ThreadPool &pool;
  std::unique_ptr<HostProgram> code;
  std::vector<Kernel> kernels; ///< Of each launch.
  mutable uint64_t status = 0;
};
} // namespace

std::string HostDevice::name() const {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    size_t colon = line.find(": ");
    if (line.compare(0, 10, "model name") == 0 && colon != std::string::npos)
      return line.substr(colon + 2);
  }
  return "CPU";
}

Result<DeviceAddress> HostDevice::allocate(uint64_t bytes) {
  uint64_t rounded = 0;
  void *address = nullptr;
  if (!__builtin_add_overflow(std::max<uint64_t>(bytes, 1), kAlignment - 1,
                              &rounded))
    address = std::aligned_alloc(kAlignment, rounded / kAlignment * kAlignment);
  if (!address)
    return Error{"host device: cannot allocate " + std::to_string(bytes) +
                 " bytes"};
  std::lock_guard<std::mutex> lock(mutex);
  allocations.insert(reinterpret_cast<DeviceAddress>(address));
  return reinterpret_cast<DeviceAddress>(address);
}

Status HostDevice::release(DeviceAddress address) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!allocations.erase(address))
    return Error{"host device: release of an address that was not allocated"};
  std::free(reinterpret_cast<void *>(address));
  return {};
}

Status LoadedHostProgram::find(const std::vector<Launch> &launches) {
  for (const Launch &launch : launches) {
    if (launch.grid[1] != 1 || launch.grid[2] != 1 || launch.block[1] != 1 ||
        launch.block[2] != 1)
      return Error{"kernel '" + launch.kernel +
                   "': the host device runs grids of one dimension"};
    void *address = code->find(launch.kernel);
    if (!address)
      return Error{"the host object has no kernel '" + launch.kernel + "'"};
    kernels.push_back({reinterpret_cast<HostKernel>(address), launch.grid[0],
                       launch.block[0]});
  }
  return {};
}

Status HostDevice::supports(const LaunchPlan &plan) const {
  if (plan.launches.empty() || !plan.hostObject.empty())
    return {};
  return Error{"'" + plan.function + "' holds no code for the CPU"};
}

Result<std::unique_ptr<DeviceProgram>>
HostDevice::load(const LaunchPlan &plan) {
  if (Status status = supports(plan); !status)
    return status.takeError();
  std::unique_ptr<HostProgram> code;
  // A plan without launches (nothing to compute) needs no code.
  if (!plan.launches.empty()) {
    Result<std::unique_ptr<HostProgram>> loaded = HostProgram::load(
        std::string_view(reinterpret_cast<const char *>(plan.hostObject.data()),
                         plan.hostObject.size()));
    if (!loaded)
      return loaded.takeError();
    code = std::move(*loaded);
  }
  auto program = std::make_unique<LoadedHostProgram>(pool, std::move(code));
  if (Status status = program->find(plan.launches); !status)
    return status.takeError();
  return std::unique_ptr<DeviceProgram>(std::move(program));
}

Result<double> HostDevice::elapsed(const std::function<Status()> &work) {
  auto start = std::chrono::steady_clock::now();
  if (Status status = work(); !status)
    return status.takeError();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

Status HostDevice::flushCache() {
  // Twice the last-level cache, but not more than takes a few milliseconds: the
  // times are estimates anyway.
  constexpr long kLeast = 8 << 20, kMost = 64 << 20;
  if (displacer.empty())
    displacer.resize(static_cast<size_t>(
        std::clamp(2 * ::sysconf(_SC_LEVEL3_CACHE_SIZE), kLeast, kMost)));
  std::memset(displacer.data(), 0x5a, displacer.size());
  return {};
}

Result<std::unique_ptr<Device>> createHostDevice(unsigned threads) {
  if (threads == 0)
    threads = std::max(1u, std::thread::hardware_concurrency());
  return std::unique_ptr<Device>(new HostDevice(threads));
}

} // namespace mlir::ks
