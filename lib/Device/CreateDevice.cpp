//===- CreateDevice.cpp - Devices by name ---------------------------------===//
//
// What the tools' option `device=` means.
//
//===----------------------------------------------------------------------===//

#include "ks/Device/Device.h"

namespace mlir::ks {

Result<std::unique_ptr<Device>> createDevice(const std::string &kind,
                                             std::string *note) {
  if (kind == "host")
    return createHostDevice();
  if (kind == "cuda")
    return createCudaDevice();
  if (kind != "auto")
    return Error{"unknown device '" + kind + "': it is auto, cuda or host"};
  std::string why;
  if (cudaAvailable(&why))
    return createCudaDevice();
  if (note)
    *note = "no GPU, running on the CPU: " + why;
  return createHostDevice();
}

} // namespace mlir::ks
