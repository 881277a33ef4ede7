//===- support.cpp - Tensors, errors and libraries of the extension -------===//
//
// See support.h.
//
//===----------------------------------------------------------------------===//
#include "support.h"

#include <dlfcn.h>

namespace kernelskill {

static Api api;
static int32_t (*getCurrentStream)(int32_t, void **) = nullptr;

const Api &Api::get() { return api; }

std::string Api::open(const char *path) {
  // Local, so that the runtime's symbols meet nobody else's.
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return dlerror();
  std::string missing;
  auto find = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(
        dlsym(library, name));
    if (!function)
      missing = std::string(path) + " has no " + name;
  };
  decltype(&ks_abi_version) version;
  find(version, "ks_abi_version");
  find(api.lastError, "ks_last_error");
  find(api.deviceOpen, "ks_device_open");
  find(api.deviceClose, "ks_device_close");
  find(api.packageOpen, "ks_package_open");
  find(api.packageClose, "ks_package_close");
  find(api.packageNumVariants, "ks_package_num_variants");
  find(api.packagePython, "ks_package_python");
  find(api.packageNumLaunches, "ks_package_num_launches");
  find(api.packageWorkspaceBytes, "ks_package_workspace_bytes");
  find(api.packageNumInputs, "ks_package_num_inputs");
  find(api.packageNumOutputs, "ks_package_num_outputs");
  find(api.packageNumResults, "ks_package_num_results");
  find(api.packageInput, "ks_package_input");
  find(api.packageOutput, "ks_package_output");
  find(api.packageResult, "ks_package_result");
  find(api.programLoad, "ks_program_load");
  find(api.programUnload, "ks_program_unload");
  find(api.programReplay, "ks_program_replay");
  find(api.programCheck, "ks_program_check");
  if (missing.empty() && version() != KS_ABI_VERSION)
    missing = std::string(path) + " has version " + std::to_string(version()) +
              " of the interface; this extension was built for version " +
              std::to_string(KS_ABI_VERSION);
  return missing;
}

std::string openStreams(const char *library) {
  // PyTorch has it loaded already.
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return dlerror();
  getCurrentStream = reinterpret_cast<decltype(getCurrentStream)>(
      dlsym(handle, "aoti_torch_get_current_cuda_stream"));
  return getCurrentStream ? ""
                          : std::string(library) +
                                " has no aoti_torch_get_current_cuda_stream";
}

bool currentStream(c10::Device device, void **stream) {
  if (getCurrentStream && getCurrentStream(device.index(), stream) == 0)
    return true;
  setError(PyExc_RuntimeError,
           "PyTorch does not say which CUDA stream is current");
  return false;
}

at::ScalarType scalarType(ks_dtype type) {
  switch (type) {
  case KS_F64:
    return at::kDouble;
  case KS_F32:
    return at::kFloat;
  case KS_F16:
    return at::kHalf;
  case KS_BF16:
    return at::kBFloat16;
  case KS_I64:
    return at::kLong;
  case KS_I32:
    return at::kInt;
  case KS_I16:
    return at::kShort;
  case KS_I8:
    return at::kChar;
  case KS_BOOL:
    return at::kBool;
  case KS_C64:
    return at::kComplexFloat;
  }
  TORCH_CHECK(false, "the package holds the unknown dtype ", int(type));
}

Buffer::Buffer(const ks_buffer &from, size_t number)
    : name(*from.name ? "'" + std::string(from.name) + "'"
                      : std::to_string(number)),
      type(scalarType(from.dtype)), mutated(from.mutated != 0),
      shape(from.shape, from.shape + from.rank) {}

PyObject *setError(PyObject *type, const std::string &message) {
  PyErr_SetString(type, message.c_str());
  return nullptr;
}

PyObject *raise(ks_status status) {
  std::string message = api.lastError();
  switch (status) {
  case KS_ERROR_ARGUMENT:
  case KS_ERROR_NO_VARIANT:
    return setError(PyExc_ValueError, message);
  case KS_ERROR_FILE:
    return setError(PyExc_OSError, message);
  case KS_ERROR_UNSUPPORTED:
    return setError(PyExc_NotImplementedError, message);
  case KS_ERROR_OUT_OF_MEMORY:
    return setError(PyExc_MemoryError, message);
  default:
    return setError(PyExc_RuntimeError, message);
  }
}

const at::Tensor *unpack(PyObject *object, const Buffer &buffer) {
  // A subclass may hold its values in its own way: FakeTensor has none.
  if (THPVariable_CheckExact(object))
    return &THPVariable_Unpack(object);
  setError(PyExc_TypeError, "argument " + buffer.name +
                                ": expected a torch.Tensor, got " +
                                Py_TYPE(object)->tp_name);
  return nullptr;
}

// Without streams: a std::ostringstream crashed on a machine whose PyTorch was
// built with another C++ library than the compiler at hand.
static std::string listOf(at::IntArrayRef numbers) {
  std::string text = "[";
  for (size_t i = 0; i < numbers.size(); ++i)
    text += (i ? ", " : "") + std::to_string(numbers[i]);
  return text + "]";
}

static std::string describe(at::ScalarType type, at::IntArrayRef shape,
                            c10::Device device) {
  return std::string(c10::toString(type)) + listOf(shape) + " on " +
         device.str();
}

/// Sets the error that tells why `tensor` does not fit `buffer`.
static void complain(const at::Tensor &tensor, const Buffer &buffer,
                     c10::Device device) {
  std::string argument = "argument " + buffer.name + ": ";
  if (tensor.layout() != at::kStrided) {
    setError(PyExc_TypeError,
             argument + "a tensor that is sparse or has another special layout "
                        "cannot be passed");
    return;
  }
  bool sameType = tensor.scalar_type() == buffer.type;
  if (!sameType || tensor.device() != device ||
      !tensor.sizes().equals(buffer.shape)) {
    setError(
        sameType ? PyExc_ValueError : PyExc_TypeError,
        argument + "expected " + describe(buffer.type, buffer.shape, device) +
            ", got " +
            describe(tensor.scalar_type(), tensor.sizes(), tensor.device()));
    return;
  }
  if (!tensor.is_contiguous())
    setError(PyExc_ValueError, argument + "is not contiguous (strides " +
                                   listOf(tensor.strides()) +
                                   "); pass tensor.contiguous()");
  else
    setError(PyExc_ValueError,
             argument + "is a lazy conjugate or negative; pass "
                        "tensor.resolve_conj() or tensor.resolve_neg()");
}

bool check(const at::Tensor &tensor, const Buffer &buffer, c10::Device device) {
  bool fits =
      tensor.layout() == at::kStrided && tensor.scalar_type() == buffer.type &&
      tensor.device() == device && tensor.sizes().equals(buffer.shape) &&
      tensor.is_contiguous() && !tensor.is_conj() && !tensor.is_neg();
  if (!fits)
    complain(tensor, buffer, device);
  return fits;
}

} // namespace kernelskill
