//===- FakeCuda.c - A CUDA driver that fails on request -------------------===//
//
// Stands in for libcuda.so.1 where there is no GPU. Device memory is the
// host's; launches are only recorded, but for a kernel "fail", which stores 2
// where its first argument says. $FAKE_CUDA_FAIL = "cuMemAlloc_v2=2" makes that
// entry return that code; $FAKE_CUDA_DEVICES is the number of GPUs,
// $FAKE_CUDA_ARCH their compute capability, "90" if unset.
//
//===----------------------------------------------------------------------===//
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static int fails(const char *entry) {
  const char *spec = getenv("FAKE_CUDA_FAIL");
  size_t length = strlen(entry);
  if (spec && strncmp(spec, entry, length) == 0 && spec[length] == '=')
    return atoi(spec + length + 1);
  return 0;
}
static int number(const char *name, int standard) {
  const char *text = getenv(name);
  return text && *text ? atoi(text) : standard;
}

int fakeCalls, fakeLaunches, fakeAllocations, fakeFunctionsLoaded;
char fakeLastImage[64];
/// The last launches, by number modulo 8; a launch does not tell how many
/// arguments it has, so a test says how many are to be recorded.
int fakeNumParams;
struct {
  const char *kernel;
  unsigned grid[3], block[3];
  void *stream;
  unsigned long params[8];
} fakeLaunchLog[8];
_Thread_local void *fakeContext;

#define ENTRY(name, parameters, body)                                          \
  int name parameters {                                                        \
    int code = fails(#name);                                                   \
    ++fakeCalls;                                                               \
    if (code)                                                                  \
      return code;                                                             \
    body;                                                                      \
    return 0;                                                                  \
  }

ENTRY(cuInit, (unsigned flags), )
ENTRY(cuDeviceGetCount, (int *count), *count = number("FAKE_CUDA_DEVICES", 1))
ENTRY(cuDeviceGet, (int *device, int ordinal), *device = ordinal)
ENTRY(cuDeviceGetName, (char *name, int length, int device),
      strcpy(name, "Fake GPU"))
ENTRY(cuDeviceGetAttribute, (int *value, int attribute, int device),
      *value = attribute == 75   ? number("FAKE_CUDA_ARCH", 90) / 10
               : attribute == 76 ? number("FAKE_CUDA_ARCH", 90) % 10
                                 : 1 << 20)
ENTRY(cuDevicePrimaryCtxRetain, (void **context, int device),
      *context = "context")
ENTRY(cuDevicePrimaryCtxRelease_v2, (int device), )
ENTRY(cuCtxSetCurrent, (void *context), fakeContext = context)
ENTRY(cuCtxGetCurrent, (void **context), *context = fakeContext)
ENTRY(cuCtxSynchronize, (void), )
ENTRY(cuStreamCreate, (void **stream, unsigned flags), *stream = "stream")
ENTRY(cuStreamDestroy_v2, (void *stream), )
ENTRY(cuStreamSynchronize, (void *stream), )
_Thread_local int fakeCaptureMode;
static void swap(int *a, int *b) {
  int c = *a;
  *a = *b;
  *b = c;
}
ENTRY(cuThreadExchangeStreamCaptureMode, (int *mode),
      swap(mode, &fakeCaptureMode))
int cuModuleLoadDataEx(void **module, const void *image, unsigned count,
                       int *options, void **values) {
  strncpy(fakeLastImage, image, sizeof fakeLastImage - 1);
  int code = fails("cuModuleLoadDataEx");
  if (!code && fakeCaptureMode != 2)
    code = 1; // Would break a capture that goes on in the thread.
  for (unsigned i = 0; code && i < count; ++i)
    if (options[i] == 5)
      strcpy(values[i], "ptxas application ptx input, line 1; fatal\n");
  *module = "module";
  return code;
}
ENTRY(cuModuleUnload, (void *module), )
int cuModuleGetFunction(void **function, void *module, const char *name) {
  *function = strdup(name);
  return strcmp(name, "missing") == 0 ? 500 : fails("cuModuleGetFunction");
}
ENTRY(cuFuncLoad, (void *function), ++fakeFunctionsLoaded)
static void record(const char *kernel, const unsigned *sizes, void *stream,
                   void **params) {
  int slot = fakeLaunches++ % 8;
  fakeLaunchLog[slot].kernel = kernel;
  memcpy(fakeLaunchLog[slot].grid, sizes, 12);
  memcpy(fakeLaunchLog[slot].block, sizes + 3, 12);
  fakeLaunchLog[slot].stream = stream;
  for (int i = 0; i < fakeNumParams; ++i)
    fakeLaunchLog[slot].params[i] = *(unsigned long *)params[i];
  if (strcmp(kernel, "fail") == 0)
    **(unsigned long **)params[0] = 2;
}
ENTRY(cuLaunchKernel,
      (void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
       unsigned by, unsigned bz, unsigned shared, void *stream, void **params,
       void **extra),
      record(function, (unsigned[]){gx, gy, gz, bx, by, bz}, stream, params))
ENTRY(cuMemHostAlloc, (void **address, size_t bytes, unsigned flags),
      *address = malloc(bytes);
      ++fakeAllocations)
ENTRY(cuMemHostGetDevicePointer_v2,
      (unsigned long *address, void *host, unsigned flags),
      *address = (unsigned long)host)
ENTRY(cuMemFreeHost, (void *address), free(address); --fakeAllocations)
ENTRY(cuMemAlloc_v2, (unsigned long *address, size_t bytes),
      *address = (unsigned long)aligned_alloc(256, (bytes + 255) / 256 * 256);
      ++fakeAllocations)
ENTRY(cuMemFree_v2, (unsigned long address), free((void *)address);
      --fakeAllocations)
ENTRY(cuMemcpyHtoDAsync_v2,
      (unsigned long to, const void *from, size_t bytes, void *stream),
      memcpy((void *)to, from, bytes))
ENTRY(cuMemcpyDtoHAsync_v2,
      (void *to, unsigned long from, size_t bytes, void *stream),
      memcpy(to, (void *)from, bytes))
ENTRY(cuMemcpyDtoDAsync_v2,
      (unsigned long to, unsigned long from, size_t bytes, void *stream),
      memcpy((void *)to, (void *)from, bytes))
ENTRY(cuMemsetD8Async,
      (unsigned long to, unsigned char value, size_t bytes, void *stream),
      memset((void *)to, value, bytes))
ENTRY(cuEventCreate, (void **event, unsigned flags), *event = "event")
ENTRY(cuEventRecord, (void *event, void *stream), )
ENTRY(cuEventSynchronize, (void *event), )
ENTRY(cuEventElapsedTime, (float *milliseconds, void *start, void *end),
      *milliseconds = 1.5f)
ENTRY(cuEventDestroy_v2, (void *event), )

int cuGetErrorName(int code, const char **text) {
  *text = code == 1     ? "CUDA_ERROR_INVALID_VALUE"
          : code == 2   ? "CUDA_ERROR_OUT_OF_MEMORY"
          : code == 100 ? "CUDA_ERROR_NO_DEVICE"
          : code == 218 ? "CUDA_ERROR_INVALID_PTX"
          : code == 500 ? "CUDA_ERROR_NOT_FOUND"
          : code == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : code == 719 ? "CUDA_ERROR_LAUNCH_FAILED"
                        : NULL;
  return *text ? 0 : 1;
}
int cuGetErrorString(int code, const char **text) {
  int unknown = cuGetErrorName(code, text);
  if (!unknown)
    *text = "the fake driver was told to";
  return unknown;
}
