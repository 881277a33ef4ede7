/*===- KSRuntime.h - Run compiled models from C -------------------*- C -*-===*\
|*                                                                            *|
|* The C API of libKSRuntime.so: opens a package (a .ksp file that ks-opt     *|
|* wrote), loads one of its programs on a device and runs it on buffers of    *|
|* the caller. The library needs neither LLVM nor CUDA's toolkit; the CUDA    *|
|* driver is found at run time, and its primary context is used, so that      *|
|* programs run on the buffers and streams of PyTorch or of the CUDA runtime. *|
|* docs/Runtime.md holds an example and the package format.                   *|
|*                                                                            *|
|* The rules of a call (see ks_program_run)                                   *|
|*   - Buffers are dense and row-major, of the dtype and shape that the       *|
|*     package says, aligned to their elements at least. A bool is one byte,  *|
|*     0 or 1. A buffer without elements may be null.                         *|
|*   - Outputs are written, the workspace is scratch: neither may overlap     *|
|*     any other buffer of the call. A mutated input receives a new value and *|
|*     may overlap no other buffer either. All other inputs are only read,    *|
|*     and one buffer may be passed for several of them.                      *|
|*   - Work is enqueued on the caller's stream; buffers must stay as they are *|
|*     until it is done.                                                      *|
|*                                                                            *|
|* Threads: every function may be called from several threads at once, on the *|
|* same objects too, except that nobody else may use an object while it is    *|
|* closed or unloaded. Closing a device or a package that a program was       *|
|* loaded from is allowed: the program keeps what it needs.                   *|
|*                                                                            *|
|* Errors: a function that can fail returns a ks_status; ks_last_error() says *|
|* in one line what went wrong, and names the file, member or buffer. Out     *|
|* parameters are not written then. No function throws, prints or exits.      *|
|* Null may be passed where it says so and to the functions that close.       *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef KS_RUNTIME_KSRUNTIME_H
#define KS_RUNTIME_KSRUNTIME_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define KS_API __attribute__((visibility("default")))
#else
#define KS_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The version of this interface: ks_abi_version() of a library that fits
 *  returns the same number. It grows when something changes its meaning, and
 *  stays when a function is added. */
#define KS_ABI_VERSION 1

typedef struct ks_device ks_device;   /**< Where programs run. */
typedef struct ks_package ks_package; /**< A package, read and checked. */
typedef struct ks_program ks_program; /**< A program, loaded on a device. */

typedef enum ks_status {
  KS_OK = 0,
  /** A null pointer, an index out of range, buffers that overlap, ... */
  KS_ERROR_ARGUMENT = 1,
  /** A file that cannot be read, is damaged, or is no package. */
  KS_ERROR_FILE = 2,
  /** No such device, or the package has no code for it. */
  KS_ERROR_UNSUPPORTED = 3,
  KS_ERROR_OUT_OF_MEMORY = 4,
  /** The device or its driver failed. */
  KS_ERROR_DEVICE = 5,
  /** No variant of the package takes these shapes. */
  KS_ERROR_NO_VARIANT = 6
} ks_status;

typedef enum ks_dtype {
  KS_F64 = 0,
  KS_F32 = 1,
  KS_F16 = 2,
  KS_BF16 = 3,
  KS_I64 = 4,
  KS_I32 = 5,
  KS_I16 = 6,
  KS_I8 = 7,
  KS_BOOL = 8, /**< One byte, 0 or 1. */
  KS_C64 = 9   /**< Two f32: real and imaginary part. */
} ks_dtype;

KS_API int ks_abi_version(void);

/** The message of the last call of this thread that failed, "" if none did. It
 *  stays valid until the next call of this thread that fails. */
KS_API const char *ks_last_error(void);

/*===----------------------------------------------------------------------===*\
|* Devices
\*===----------------------------------------------------------------------===*/

/** Opens a device. `kind` is "cuda", the GPU number `ordinal` through its
 *  primary context, or "host", the CPU, whose `ordinal` is 0. Several may be
 *  open of one GPU; they share the context. */
KS_API ks_status ks_device_open(const char *kind, int ordinal,
                                ks_device **device);
KS_API void ks_device_close(ks_device *device);

/** "cuda" or "host". Strings live as long as the device. */
KS_API const char *ks_device_kind(const ks_device *device);
/** "NVIDIA H200", or the CPU's model name. */
KS_API const char *ks_device_name(const ks_device *device);
/** "sm_90", or "x86-64". */
KS_API const char *ks_device_architecture(const ks_device *device);

/* Memory, for callers that bring none of their own (PyTorch's tensors are as
 * good). On the host device any memory of the process will do. */

/** `bytes` of memory, aligned to 256 bytes; never null, not for 0 bytes. */
KS_API ks_status ks_device_allocate(ks_device *device, uint64_t bytes,
                                    void **address);
/** Frees what ks_device_allocate gave; null is allowed. */
KS_API ks_status ks_device_free(ks_device *device, void *address);
/** Copies to the device, or from it, after what `stream` holds, and waits. A
 *  null stream is the CUDA default stream. */
KS_API ks_status ks_device_copy_in(ks_device *device, void *to,
                                   const void *from, uint64_t bytes,
                                   void *stream);
KS_API ks_status ks_device_copy_out(ks_device *device, void *to,
                                    const void *from, uint64_t bytes,
                                    void *stream);
/** Waits for what `stream` holds. */
KS_API ks_status ks_device_synchronize(ks_device *device, void *stream);

/*===----------------------------------------------------------------------===*\
|* Packages
\*===----------------------------------------------------------------------===*/

/** Opens a package file and checks all of it; it is closed again when this
 *  returns. */
KS_API ks_status ks_package_open(const char *path, ks_package **package);
/** The same of bytes in memory, which are copied; `name` stands for the path
 *  in messages. */
KS_API ks_status ks_package_from_memory(const void *bytes, size_t size,
                                        const char *name, ks_package **package);
KS_API void ks_package_close(ks_package *package);

/** Who wrote it, "ks-opt 0.1.0" say. */
KS_API const char *ks_package_producer(const ks_package *package);

/* A package holds variants, programs for different shapes of the inputs, which
 * are numbered from 0; there is at least one. Below, a `variant` or an index
 * out of range is an error, or 0 or "" where no status is returned. Strings and
 * arrays live as long as the package. */
KS_API size_t ks_package_num_variants(const ks_package *package);

/** The variant that takes inputs of exactly these shapes: `count` inputs, input
 *  i of rank ranks[i] and with the dimensions shapes[i][0], ... */
KS_API ks_status ks_package_find(const ks_package *package, size_t count,
                                 const size_t *ranks,
                                 const int64_t *const *shapes, size_t *variant);

/** What the Python package noted for itself, JSON; "" if nothing. */
KS_API const char *ks_package_python(const ks_package *package, size_t variant);
/** Bytes of workspace that a run needs; may be 0. */
KS_API uint64_t ks_package_workspace_bytes(const ks_package *package,
                                           size_t variant);
/** Kernel launches of one run, those of loops counted each time. */
KS_API uint64_t ks_package_num_launches(const ks_package *package,
                                        size_t variant);

KS_API size_t ks_package_num_inputs(const ks_package *package, size_t variant);
KS_API size_t ks_package_num_outputs(const ks_package *package, size_t variant);
KS_API size_t ks_package_num_results(const ks_package *package, size_t variant);

/** A buffer of the call. */
typedef struct ks_buffer {
  /** Of an input: its name in the model, "layers.0.weight", and what it is
   *  there: "input", "parameter", "buffer", "constant" or "random". The name
   *  is "" where none is known. Of an output: both "". */
  const char *name;
  const char *kind;
  ks_dtype dtype;
  int mutated; /**< Nonzero for an input that receives a new value. */
  size_t rank;
  const int64_t *shape;
  uint64_t bytes;
} ks_buffer;

KS_API ks_status ks_package_input(const ks_package *package, size_t variant,
                                  size_t index, ks_buffer *buffer);
KS_API ks_status ks_package_output(const ks_package *package, size_t variant,
                                   size_t index, ks_buffer *buffer);

/** One of the values that the model returns, in its order: an output or an
 *  input as a whole, or a view of its memory, in elements. */
typedef struct ks_result {
  int is_input; /**< Nonzero: of input `index`; zero: of output `index`. */
  size_t index;
  int is_view; /**< Zero: the whole buffer; what follows repeats its shape. */
  size_t rank;
  const int64_t *sizes;
  const int64_t *strides; /**< Null if it is no view. */
  int64_t offset;
} ks_result;

KS_API ks_status ks_package_result(const ks_package *package, size_t variant,
                                   size_t index, ks_result *result);

/*===----------------------------------------------------------------------===*\
|* Programs
\*===----------------------------------------------------------------------===*/

/** Loads a variant on a device, every kernel of it, so that a first run does
 *  the same as any other. */
KS_API ks_status ks_program_load(const ks_package *package, size_t variant,
                                 ks_device *device, ks_program **program);

/** Unloads a program; null is allowed. It waits for the device, and so must not
 *  be called while a stream is captured; a CUDA graph that captured a run must
 *  not be launched afterwards. */
KS_API void ks_program_unload(ks_program *program);

/** Enqueues one run on `stream` (a CUstream or cudaStream_t; null is the
 *  default stream) and returns; the host device runs it and returns then.
 *  `inputs` and `outputs` hold an address for each input and output of the
 *  variant, in order; `workspace` is aligned to 256 bytes, and may be null
 *  where ks_package_workspace_bytes is 0.
 *
 *  Nothing is allocated, locked or waited for, and the run can be captured in a
 *  CUDA graph. Runs at the same time, from several threads or on several
 *  streams, need outputs and workspaces of their own.
 *
 *  KS_ERROR_ARGUMENT, before anything was enqueued: a null or unaligned
 *  address, or an overlap that the rules above forbid. */
KS_API ks_status ks_program_run(const ks_program *program, void *const *inputs,
                                void *const *outputs, void *workspace,
                                void *stream);

/** ks_program_run, made cheap for callers whose buffers recur: where a run on a
 *  GPU has several steps, it is kept as a CUDA graph from the second time on
 *  that all of inputs, outputs and workspace have the same addresses, and one
 *  launch does for all of its kernels. A few such graphs are kept, those used
 *  last, on the device and until the program is unloaded; a run that builds one
 *  takes longer. In all else it is ks_program_run, also on a stream that is
 *  being captured, on the host device, and wherever no graph can be had.
 *
 *  The contract and the errors are those of ks_program_run, but it may allocate
 *  memory and tries a lock, which it does not wait for. The memory at an
 *  address may be freed and allocated again between calls. */
KS_API ks_status ks_program_replay(ks_program *program, void *const *inputs,
                                   void *const *outputs, void *workspace,
                                   void *stream);

/** The message of a run-time check (an index out of bounds, say) that failed in
 *  a run that is done; null if none did. The results of that run are undefined.
 *  Reading clears it. It does not wait: synchronise the stream first to learn
 *  about a particular run. Valid as ks_last_error() is. */
KS_API const char *ks_program_check(ks_program *program);

#ifdef __cplusplus
}
#endif

#endif /* KS_RUNTIME_KSRUNTIME_H */
