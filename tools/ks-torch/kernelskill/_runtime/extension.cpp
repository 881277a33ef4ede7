//===- extension.cpp - Packages as Python objects -------------------------===//
//
// The extension's module and its type Package: a package file, opened and
// checked, whose variants can be described and loaded as Programs. Compiled at
// first use, against the PyTorch at hand (see build.py).
//
//===----------------------------------------------------------------------===//
#include "program.h"

#include <torch/csrc/Dtype.h>
#include <torch/csrc/utils/object_ptr.h>
#include <torch/csrc/utils/tensor_dtypes.h>

namespace kernelskill {
namespace {

struct PackageObject {
  PyObject_HEAD ks_package *package;
};

const ks_package *packageOf(PyObject *object) {
  return reinterpret_cast<PackageObject *>(object)->package;
}

PyObject *sizesOf(const int64_t *sizes, size_t rank) {
  THPObjectPtr tuple(PyTuple_New(static_cast<Py_ssize_t>(rank)));
  for (size_t i = 0; tuple && i < rank; ++i)
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i),
                     PyLong_FromLongLong(sizes[i]));
  return tuple.release();
}

/// (name, kind, dtype, shape, mutated)
PyObject *describeBuffer(const ks_buffer &buffer) {
  auto *dtype = reinterpret_cast<PyObject *>(
      torch::getTHPDtype(scalarType(buffer.dtype)));
  return Py_BuildValue("(ssONO)", buffer.name, buffer.kind, dtype,
                       sizesOf(buffer.shape, buffer.rank),
                       buffer.mutated ? Py_True : Py_False);
}

/// (is_input, index, None or (sizes, strides, offset))
PyObject *describeResult(const ks_result &result) {
  PyObject *isInput = result.is_input ? Py_True : Py_False;
  if (!result.is_view)
    return Py_BuildValue("(OnO)", isInput,
                         static_cast<Py_ssize_t>(result.index), Py_None);
  return Py_BuildValue(
      "(On(NNL))", isInput, static_cast<Py_ssize_t>(result.index),
      sizesOf(result.sizes, result.rank), sizesOf(result.strides, result.rank),
      static_cast<long long>(result.offset));
}

/// The list of `count` descriptions, each of what `get` gives of a variant.
template <typename T>
PyObject *describeAll(PyObject *object, size_t variant,
                      size_t (*count)(const ks_package *, size_t),
                      ks_status (*get)(const ks_package *, size_t, size_t, T *),
                      PyObject *(*describe)(const T &)) {
  THPObjectPtr list(PyList_New(0));
  for (size_t i = 0; list && i < count(packageOf(object), variant); ++i) {
    T value;
    if (ks_status status = get(packageOf(object), variant, i, &value))
      return raise(status);
    THPObjectPtr item(describe(value));
    if (!item || PyList_Append(list.get(), item.get()) < 0)
      return nullptr;
  }
  return list.release();
}

PyObject *describePackage(PyObject *object, PyObject *argument) {
  HANDLE_TH_ERRORS
  const Api &api = Api::get();
  size_t variant = PyLong_AsSize_t(argument);
  if (PyErr_Occurred())
    return nullptr;
  if (variant >= api.packageNumVariants(packageOf(object)))
    return setError(PyExc_IndexError,
                    "the package has no variant " + std::to_string(variant));
  THPObjectPtr inputs(describeAll(object, variant, api.packageNumInputs,
                                  api.packageInput, describeBuffer));
  THPObjectPtr outputs(describeAll(object, variant, api.packageNumOutputs,
                                   api.packageOutput, describeBuffer));
  THPObjectPtr results(describeAll(object, variant, api.packageNumResults,
                                   api.packageResult, describeResult));
  if (!inputs || !outputs || !results)
    return nullptr;
  return Py_BuildValue(
      "(NNNKKs)", inputs.release(), outputs.release(), results.release(),
      static_cast<unsigned long long>(
          api.packageWorkspaceBytes(packageOf(object), variant)),
      static_cast<unsigned long long>(
          api.packageNumLaunches(packageOf(object), variant)),
      api.packagePython(packageOf(object), variant));
  END_HANDLE_TH_ERRORS
}

/// Fills `all` from what `get` gives; false on an error, which is set.
template <typename T, typename From>
bool collect(const ks_package *package, size_t variant,
             size_t (*count)(const ks_package *, size_t),
             ks_status (*get)(const ks_package *, size_t, size_t, From *),
             std::vector<T> &all) {
  for (size_t i = 0; i < count(package, variant); ++i) {
    From from;
    if (ks_status status = get(package, variant, i, &from)) {
      raise(status);
      return false;
    }
    if constexpr (std::is_same_v<T, Buffer>)
      all.emplace_back(from, i);
    else
      all.emplace_back(from);
  }
  return true;
}

PyObject *loadVariant(PyObject *object, PyObject *arguments) {
  HANDLE_TH_ERRORS
  const Api &api = Api::get();
  Py_ssize_t variant = 0;
  const char *name = nullptr;
  if (!PyArg_ParseTuple(arguments, "ns", &variant, &name))
    return nullptr;
  c10::Device place(name);
  auto loaded = std::make_shared<Loaded>(place);
  const ks_package *package = packageOf(object);
  ks_device *device = nullptr;
  ks_status status =
      api.deviceOpen(place.is_cuda() ? "cuda" : "host",
                     place.is_cuda() ? place.index() : 0, &device);
  if (status == KS_OK)
    status = api.programLoad(package, variant, device, &loaded->program);
  if (device)
    api.deviceClose(device); // The program keeps what it needs.
  if (status != KS_OK)
    return raise(status);
  if (!collect(package, variant, api.packageNumInputs, api.packageInput,
               loaded->inputs) ||
      !collect(package, variant, api.packageNumOutputs, api.packageOutput,
               loaded->outputs) ||
      !collect(package, variant, api.packageNumResults, api.packageResult,
               loaded->results))
    return nullptr;
  loaded->workspaceBytes =
      static_cast<int64_t>(api.packageWorkspaceBytes(package, variant));
  return makeProgram(std::move(loaded));
  END_HANDLE_TH_ERRORS
}

PyObject *countVariants(PyObject *object, PyObject *) {
  return PyLong_FromSize_t(Api::get().packageNumVariants(packageOf(object)));
}

PyTypeObject packageType = {PyVarObject_HEAD_INIT(nullptr, 0)};

void closePackage(PyObject *object) {
  Api::get().packageClose(reinterpret_cast<PackageObject *>(object)->package);
  packageType.tp_free(object);
}

PyObject *openPackage(PyObject *, PyObject *argument) {
  const char *path = PyUnicode_AsUTF8(argument);
  if (!path)
    return nullptr;
  ks_package *package = nullptr;
  if (ks_status status = Api::get().packageOpen(path, &package))
    return raise(status);
  auto *self =
      reinterpret_cast<PackageObject *>(packageType.tp_alloc(&packageType, 0));
  if (!self) {
    Api::get().packageClose(package);
    return nullptr;
  }
  self->package = package;
  return reinterpret_cast<PyObject *>(self);
}

PyObject *openLibraries(PyObject *, PyObject *arguments) {
  const char *library = nullptr, *cuda = nullptr;
  if (!PyArg_ParseTuple(arguments, "ss", &library, &cuda))
    return nullptr;
  std::string error = Api::open(library);
  if (error.empty() && *cuda)
    error = openStreams(cuda);
  if (!error.empty())
    return setError(PyExc_ImportError, error);
  Py_RETURN_NONE;
}

PyMethodDef packageMethods[] = {
    {"num_variants", countVariants, METH_NOARGS, "num_variants() -> int"},
    {"describe", describePackage, METH_O,
     "describe(variant) -> (inputs, outputs, results, workspace bytes, kernel "
     "launches, the text that the exporter left)"},
    {"load", loadVariant, METH_VARARGS, "load(variant, device) -> Program"},
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef moduleMethods[] = {
    {"open_libraries", openLibraries, METH_VARARGS,
     "open_libraries(runtime, cuda): libKSRuntime, and the library that knows "
     "PyTorch's CUDA streams, '' if there is none."},
    {"open_package", openPackage, METH_O, "open_package(path) -> Package"},
    {nullptr, nullptr, 0, nullptr}};

PyModuleDef moduleDefinition = {PyModuleDef_HEAD_INIT,
                                "kernelskill_extension",
                                "Runs compiled programs on PyTorch's tensors.",
                                -1,
                                moduleMethods,
                                nullptr,
                                nullptr,
                                nullptr,
                                nullptr};

bool addPackageType(PyObject *module) {
  packageType.tp_name = "kernelskill_extension.Package";
  packageType.tp_doc = "A package, read and checked.";
  packageType.tp_basicsize = sizeof(PackageObject);
  packageType.tp_flags = Py_TPFLAGS_DEFAULT;
  packageType.tp_dealloc = closePackage;
  packageType.tp_methods = packageMethods;
  return PyType_Ready(&packageType) == 0 &&
         PyModule_AddObjectRef(module, "Package",
                               reinterpret_cast<PyObject *>(&packageType)) == 0;
}

} // namespace
} // namespace kernelskill

PyMODINIT_FUNC PyInit_kernelskill_extension() {
  THPObjectPtr module(PyModule_Create(&kernelskill::moduleDefinition));
  if (!module || !kernelskill::addProgramType(module.get()) ||
      !kernelskill::addPackageType(module.get()))
    return nullptr;
  return module.release();
}
