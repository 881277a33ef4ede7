//===- CudaDriver.cpp - The CUDA driver, loaded at run time ---------------===//
//
// Finds the driver's entries and puts its error codes into words.
//
//===----------------------------------------------------------------------===//

#include "CudaDriver.h"

#include <cstdlib>
#include <dlfcn.h>

namespace mlir::ks::cuda {

Result<Driver> Driver::load() {
  const char *given = std::getenv("KS_CUDA_DRIVER");
  const char *path = given && *given ? given : "libcuda.so.1";
  void *library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *why = ::dlerror();
    return Error{"no CUDA driver: " + std::string(why ? why : path)};
  }
  Driver driver;
#define X(member, symbol, parameters)                                          \
  driver.member =                                                              \
      reinterpret_cast<CUresult(*) parameters>(::dlsym(library, symbol));      \
  if (!driver.member)                                                          \
    return Error{"the CUDA driver '" + std::string(path) + "' has no " symbol};
  KS_CUDA_ENTRIES(X)
#undef X
#define X(member, symbol, parameters)                                          \
  driver.member =                                                              \
      reinterpret_cast<CUresult(*) parameters>(::dlsym(library, symbol));
  KS_CUDA_OPTIONAL_ENTRIES(X)
#undef X
  if (Status status = driver.check(driver.cuInit(0), "cuInit"); !status)
    return status.takeError();
  return driver;
}

/// True for errors after which every call on the context fails: cuda.h
/// describes them by "this leaves the process in an inconsistent state".
static bool isSticky(CUresult code) {
  switch (code) {
  case 214: // CUDA_ERROR_ECC_UNCORRECTABLE
  case 220: // CUDA_ERROR_NVLINK_UNCORRECTABLE
  case 700: // CUDA_ERROR_ILLEGAL_ADDRESS
  case 702: // CUDA_ERROR_LAUNCH_TIMEOUT
  case 709: // CUDA_ERROR_CONTEXT_IS_DESTROYED
  case 710: // CUDA_ERROR_ASSERT
  case 714: // CUDA_ERROR_HARDWARE_STACK_ERROR
  case 715: // CUDA_ERROR_ILLEGAL_INSTRUCTION
  case 716: // CUDA_ERROR_MISALIGNED_ADDRESS
  case 717: // CUDA_ERROR_INVALID_ADDRESS_SPACE
  case 718: // CUDA_ERROR_INVALID_PC
  case 719: // CUDA_ERROR_LAUNCH_FAILED
    return true;
  default:
    return false;
  }
}

Status Driver::check(CUresult code, const std::string &call,
                     const std::string &context) const {
  if (code == 0)
    return {};
  const char *name = nullptr, *text = nullptr;
  cuGetErrorName(code, &name);
  cuGetErrorString(code, &text);
  std::string message = call + " failed" + context + ": " +
                        (name ? name : "error " + std::to_string(code));
  if (text)
    message += " (" + std::string(text) + ")";
  if (isSticky(code))
    message += "; sticky: the context is lost";
  return Error{message};
}

} // namespace mlir::ks::cuda
