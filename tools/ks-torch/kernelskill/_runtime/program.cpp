//===- program.cpp - Loaded programs as Python objects --------------------===//
//
// A call checks its tensors, takes outputs and workspace from PyTorch's
// allocator, enqueues the program on PyTorch's current stream and returns:
// nothing is copied and nothing is waited for.
//
//===----------------------------------------------------------------------===//
#include "program.h"

#include <torch/csrc/utils/object_ptr.h>

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/empty.h>
#include <c10/util/SmallVector.h>

namespace kernelskill {

Result::Result(const ks_result &from)
    : isInput(from.is_input != 0), isView(from.is_view != 0), index(from.index),
      offset(from.offset) {
  if (!isView)
    return;
  sizes.assign(from.sizes, from.sizes + from.rank);
  strides.assign(from.strides, from.strides + from.rank);
}

Loaded::~Loaded() {
  if (program)
    Api::get().programUnload(program);
}

namespace {
struct ProgramObject {
  PyObject_HEAD vectorcallfunc vectorcall;
  std::shared_ptr<Loaded> loaded;
  /// For each input the tensor bound to it, undefined where the call brings it.
  std::vector<at::Tensor> bound;
  size_t numArguments; ///< What a call brings.
  bool unwrap;         ///< Return a sole result by itself, not in a tuple.
};

using Addresses = c10::SmallVector<void *, 16>;
using Inputs = c10::SmallVector<const at::Tensor *, 16>;
using Outputs = c10::SmallVector<at::Tensor, 4>;

/// The address of a checked tensor's data.
void *addressOf(const at::Tensor &tensor, bool mutated) {
  // A mutable access makes a lazy copy real, so it is kept to what is written.
  return mutated ? tensor.mutable_data_ptr()
                 : const_cast<void *>(tensor.const_data_ptr());
}

bool collectInputs(const ProgramObject &self, PyObject *const *arguments,
                   Inputs &tensors, Addresses &addresses) {
  const Loaded &loaded = *self.loaded;
  for (size_t i = 0; i < loaded.inputs.size(); ++i) {
    const Buffer &buffer = loaded.inputs[i];
    const at::Tensor *tensor = &self.bound[i];
    if (!tensor->defined())
      tensor = unpack(*arguments++, buffer);
    if (!tensor || !check(*tensor, buffer, loaded.device))
      return false;
    tensors.push_back(tensor);
    addresses.push_back(addressOf(*tensor, buffer.mutated));
  }
  return true;
}

at::Tensor allocate(at::IntArrayRef sizes, at::ScalarType type,
                    c10::Device device) {
  return at::empty(sizes, at::TensorOptions().dtype(type).device(device));
}

PyObject *wrapResult(const Result &result, const Inputs &inputs,
                     const Outputs &outputs) {
  const at::Tensor &base =
      result.isInput ? *inputs[result.index] : outputs[result.index];
  if (!result.isView)
    return THPVariable_Wrap(base);
  return THPVariable_Wrap(base.as_strided(
      result.sizes, result.strides, base.storage_offset() + result.offset));
}

PyObject *wrapResults(const ProgramObject &self, const Inputs &inputs,
                      const Outputs &outputs) {
  const std::vector<Result> &results = self.loaded->results;
  if (self.unwrap)
    return wrapResult(results.front(), inputs, outputs);
  THPObjectPtr tuple(PyTuple_New(static_cast<Py_ssize_t>(results.size())));
  for (size_t i = 0; tuple && i < results.size(); ++i) {
    PyObject *item = wrapResult(results[i], inputs, outputs);
    if (!item)
      return nullptr;
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), item);
  }
  return tuple.release();
}

/// Raises the message of a run-time check that failed, if one did.
bool raiseFailedCheck(const Loaded &loaded) {
  const char *message = Api::get().programCheck(loaded.program);
  if (!message)
    return false;
  setError(PyExc_RuntimeError,
           std::string("a run-time check failed: ") + message);
  return true;
}

PyObject *run(const ProgramObject &self, PyObject *const *arguments) {
  const Loaded &loaded = *self.loaded;
  at::AutoDispatchBelowADInplaceOrView noGradients;
  Inputs inputs;
  Outputs outputs;
  Addresses inputAddresses, outputAddresses;
  if (!collectInputs(self, arguments, inputs, inputAddresses))
    return nullptr;
  for (const Buffer &buffer : loaded.outputs) {
    outputs.push_back(allocate(buffer.shape, buffer.type, loaded.device));
    outputAddresses.push_back(outputs.back().mutable_data_ptr());
  }
  // Freed when this returns; PyTorch's allocator hands it out again only in the
  // order of the stream.
  at::Tensor workspace;
  void *scratch = nullptr;
  if (loaded.workspaceBytes) {
    // PyTorch aligns to less than this on the CPU.
    constexpr uintptr_t alignment = 256;
    workspace = allocate(loaded.workspaceBytes + alignment - 1, at::kByte,
                         loaded.device);
    auto start = reinterpret_cast<uintptr_t>(workspace.mutable_data_ptr());
    scratch = reinterpret_cast<void *>((start + alignment - 1) & -alignment);
  }

  void *stream = nullptr;
  // Replayed, for PyTorch's allocator hands the same addresses out again.
  auto enqueue = [&] {
    return Api::get().programReplay(loaded.program, inputAddresses.data(),
                                    outputAddresses.data(), scratch, stream);
  };
  ks_status status;
  if (loaded.device.is_cuda()) {
    if (!currentStream(loaded.device, &stream))
      return nullptr;
    status = enqueue();
  } else {
    pybind11::gil_scoped_release release;
    status = enqueue();
  }
  if (status != KS_OK)
    return raise(status);
  for (size_t i = 0; i < inputs.size(); ++i)
    if (loaded.inputs[i].mutated && !inputs[i]->is_inference())
      inputs[i]->unsafeGetTensorImpl()->bump_version();
  if (loaded.device.is_cpu() && raiseFailedCheck(loaded))
    return nullptr;
  return wrapResults(self, inputs, outputs);
}

PyObject *callProgram(PyObject *object, PyObject *const *arguments,
                      size_t flags, PyObject *keywords) {
  HANDLE_TH_ERRORS
  const auto &self = *reinterpret_cast<ProgramObject *>(object);
  size_t count = PyVectorcall_NARGS(flags);
  if (keywords && PyTuple_GET_SIZE(keywords) != 0)
    return setError(PyExc_TypeError, "a program takes no keyword arguments");
  if (count != self.numArguments)
    return setError(PyExc_TypeError,
                    "expected " + std::to_string(self.numArguments) +
                        " tensors, got " + std::to_string(count));
  // That of an earlier call: this is the first moment to tell of it.
  if (raiseFailedCheck(*self.loaded))
    return nullptr;
  return run(self, arguments);
  END_HANDLE_TH_ERRORS
}

PyTypeObject programType = {PyVarObject_HEAD_INIT(nullptr, 0)};

PyObject *create(std::shared_ptr<Loaded> loaded, std::vector<at::Tensor> bound,
                 bool unwrap) {
  auto *self =
      reinterpret_cast<ProgramObject *>(programType.tp_alloc(&programType, 0));
  if (!self)
    return nullptr;
  self->vectorcall = callProgram;
  self->numArguments = 0;
  for (const at::Tensor &tensor : bound)
    self->numArguments += !tensor.defined();
  self->unwrap = unwrap && loaded->results.size() == 1;
  new (&self->loaded) std::shared_ptr<Loaded>(std::move(loaded));
  new (&self->bound) std::vector<at::Tensor>(std::move(bound));
  return reinterpret_cast<PyObject *>(self);
}

void deallocate(PyObject *object) {
  auto *self = reinterpret_cast<ProgramObject *>(object);
  std::destroy_at(&self->loaded);
  std::destroy_at(&self->bound);
  programType.tp_free(object);
}

PyObject *bindProgram(PyObject *object, PyObject *arguments) {
  HANDLE_TH_ERRORS
  const auto &self = *reinterpret_cast<ProgramObject *>(object);
  const std::vector<Buffer> &inputs = self.loaded->inputs;
  PyObject *tensors = nullptr;
  int unwrap = 0;
  if (!PyArg_ParseTuple(arguments, "Op", &tensors, &unwrap))
    return nullptr;
  THPObjectPtr list(PySequence_Fast(tensors, "bind takes a sequence"));
  if (!list)
    return nullptr;
  if (static_cast<size_t>(PySequence_Fast_GET_SIZE(list.get())) !=
      inputs.size())
    return setError(PyExc_ValueError, "bind takes one entry for each of the " +
                                          std::to_string(inputs.size()) +
                                          " inputs");
  std::vector<at::Tensor> bound = self.bound;
  for (size_t i = 0; i < inputs.size(); ++i) {
    PyObject *item =
        PySequence_Fast_GET_ITEM(list.get(), static_cast<Py_ssize_t>(i));
    if (Py_IsNone(item))
      continue;
    const at::Tensor *tensor = unpack(item, inputs[i]);
    if (!tensor || !check(*tensor, inputs[i], self.loaded->device))
      return nullptr;
    bound[i] = *tensor;
  }
  return create(self.loaded, std::move(bound), unwrap != 0);
  END_HANDLE_TH_ERRORS
}

PyObject *checkProgram(PyObject *object, PyObject *) {
  if (raiseFailedCheck(*reinterpret_cast<ProgramObject *>(object)->loaded))
    return nullptr;
  Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"bind", bindProgram, METH_VARARGS,
     "bind(tensors, unwrap): the program with those inputs fixed for which the "
     "sequence `tensors`, an entry for each input, holds a tensor and not "
     "None; with `unwrap`, a sole result is returned by itself."},
    {"check", checkProgram, METH_NOARGS,
     "check(): raises if a run-time check failed in a call that is done."},
    {nullptr, nullptr, 0, nullptr}};
} // namespace

PyObject *makeProgram(std::shared_ptr<Loaded> loaded) {
  std::vector<at::Tensor> bound(loaded->inputs.size());
  return create(std::move(loaded), std::move(bound), false);
}

bool addProgramType(PyObject *module) {
  programType.tp_name = "kernelskill_extension.Program";
  programType.tp_doc = "A loaded program; call it with its inputs, in order.";
  programType.tp_basicsize = sizeof(ProgramObject);
  programType.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL;
  programType.tp_vectorcall_offset = offsetof(ProgramObject, vectorcall);
  programType.tp_call = PyVectorcall_Call;
  programType.tp_dealloc = deallocate;
  programType.tp_methods = methods;
  return PyType_Ready(&programType) == 0 &&
         PyModule_AddObjectRef(module, "Program",
                               reinterpret_cast<PyObject *>(&programType)) == 0;
}

} // namespace kernelskill
