//===- support.h - Tensors, errors and libraries of the extension ---------===//
//
// What the extension's calls are made of: the C API as a table of functions
// that were found at run time, the description of a buffer with the check of a
// tensor against it, and errors in Python's terms.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "KSRuntime.h"

#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>

#include <string>
#include <vector>

namespace kernelskill {

/// The functions of libKSRuntime.
struct Api {
  decltype(&ks_last_error) lastError;
  decltype(&ks_device_open) deviceOpen;
  decltype(&ks_device_close) deviceClose;
  decltype(&ks_package_open) packageOpen;
  decltype(&ks_package_close) packageClose;
  decltype(&ks_package_num_variants) packageNumVariants;
  decltype(&ks_package_python) packagePython;
  decltype(&ks_package_workspace_bytes) packageWorkspaceBytes;
  decltype(&ks_package_num_launches) packageNumLaunches;
  decltype(&ks_package_num_inputs) packageNumInputs;
  decltype(&ks_package_num_outputs) packageNumOutputs;
  decltype(&ks_package_num_results) packageNumResults;
  decltype(&ks_package_input) packageInput;
  decltype(&ks_package_output) packageOutput;
  decltype(&ks_package_result) packageResult;
  decltype(&ks_program_load) programLoad;
  decltype(&ks_program_unload) programUnload;
  decltype(&ks_program_replay) programReplay;
  decltype(&ks_program_check) programCheck;

  /// Loads the library; what went wrong, or "".
  static std::string open(const char *path);
  static const Api &get();
};

at::ScalarType scalarType(ks_dtype type);

/// A buffer of a program, as PyTorch describes it.
struct Buffer {
  Buffer(const ks_buffer &from, size_t number);

  std::string name; ///< The model's, or "input 3".
  at::ScalarType type;
  bool mutated;
  std::vector<int64_t> shape;
};

/// The tensor in `object`, or null with a TypeError that names `buffer`.
const at::Tensor *unpack(PyObject *object, const Buffer &buffer);

/// True if `tensor` can be passed for `buffer` as it is; else an error is set.
bool check(const at::Tensor &tensor, const Buffer &buffer, c10::Device device);

/// Sets a Python error; always null.
PyObject *setError(PyObject *type, const std::string &message);
/// Sets the last error of the C API; always null.
PyObject *raise(ks_status status);

/// Finds the function that knows PyTorch's current CUDA stream in `library`;
/// what went wrong, or "".
std::string openStreams(const char *library);
/// PyTorch's current stream on `device`; false if an error is set.
bool currentStream(c10::Device device, void **stream);

} // namespace kernelskill
