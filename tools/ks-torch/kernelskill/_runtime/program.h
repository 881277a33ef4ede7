//===- program.h - Loaded programs as Python objects ------------*- C++ -*-===//
//
// The type Program: a program of a package on a device, callable with tensors.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "support.h"

#include <memory>
#include <vector>

namespace kernelskill {

/// A value that the model returns: an output or input, or a view of one.
struct Result {
  explicit Result(const ks_result &from);

  bool isInput, isView;
  size_t index;
  std::vector<int64_t> sizes, strides;
  int64_t offset;
};

/// A loaded program and what a call must know of it. Not changed after
/// creation, and shared by the Program objects that bind it.
struct Loaded {
  explicit Loaded(c10::Device device) : device(device) {}
  ~Loaded();

  ks_program *program = nullptr;
  c10::Device device;
  std::vector<Buffer> inputs, outputs;
  std::vector<Result> results;
  int64_t workspaceBytes = 0;
};

/// Makes the type; false if a Python error is set.
bool addProgramType(PyObject *module);

/// A Program without bound inputs.
PyObject *makeProgram(std::shared_ptr<Loaded> loaded);

} // namespace kernelskill
