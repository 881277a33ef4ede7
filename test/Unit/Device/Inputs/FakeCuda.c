//===- FakeCuda.c - A CUDA driver that fails on request -------------------===//
//
// Stands in for libcuda.so.1 where there is no GPU. Device memory is the
// host's; launches are only recorded, but for a kernel "fail", which stores 2
// where its first argument says. A stream that is captured records into a
// graph, of up to 16 launches and copies. $FAKE_CUDA_FAIL = "cuMemAlloc_v2=2"
// makes that entry return that code; $FAKE_CUDA_DEVICES is the number of GPUs,
// $FAKE_CUDA_ARCH their compute capability, "90" if unset.
//
//===----------------------------------------------------------------------===//
#include <pthread.h>
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

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#define ENTRY(name, parameters, body)                                          \
  int name parameters {                                                        \
    int code = fails(#name);                                                   \
    pthread_mutex_lock(&mutex);                                                \
    ++fakeCalls;                                                               \
    if (!code) {                                                               \
      body;                                                                    \
    }                                                                          \
    pthread_mutex_unlock(&mutex);                                              \
    return code;                                                               \
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
int fakeStreams; ///< Those that live.
ENTRY(cuStreamCreate, (void **stream, unsigned flags), *stream = malloc(1);
      ++fakeStreams)
ENTRY(cuStreamDestroy_v2, (void *stream), free(stream); --fakeStreams)
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

struct Node {
  const char *kernel; ///< Null for a copy.
  unsigned sizes[6];
  unsigned long params[8]; ///< Of a copy: to, from, bytes.
};
struct Graph {
  int count;
  struct Node nodes[16];
};
/// Graphs of both kinds that live, and what was done to executable ones.
int fakeGraphs, fakeExecutables, fakeInstantiations, fakeGraphLaunches;
/// A stream that is captured by somebody else.
void *fakeForeignCapture;
static _Thread_local void *captured;
static _Thread_local struct Graph *graph;

static void record(const char *kernel, const unsigned *sizes, void *stream,
                   void **params) {
  if (graph && stream == captured) {
    struct Node *node = &graph->nodes[graph->count++];
    node->kernel = kernel;
    memcpy(node->sizes, sizes, sizeof node->sizes);
    for (int i = 0; i < fakeNumParams; ++i)
      node->params[i] = *(unsigned long *)params[i];
    return;
  }
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
static void copy(unsigned long to, unsigned long from, size_t bytes,
                 void *stream) {
  if (graph && stream == captured)
    graph->nodes[graph->count++] =
        (struct Node){NULL, {0}, {to, from, (unsigned long)bytes}};
  else
    memcpy((void *)to, (void *)from, bytes);
}
ENTRY(cuMemcpyDtoDAsync_v2,
      (unsigned long to, unsigned long from, size_t bytes, void *stream),
      copy(to, from, bytes, stream))

ENTRY(cuStreamIsCapturing, (void *stream, int *status),
      *status = stream && (stream == captured || stream == fakeForeignCapture))
ENTRY(
    cuStreamBeginCapture_v2, (void *stream, int mode),
    if (mode != 1 || graph) code = 1;
    else {
      captured = stream;
      graph = calloc(1, sizeof *graph);
      ++fakeGraphs;
    })
static void endCapture(void **result) {
  *result = graph;
  graph = captured = NULL;
}
int cuStreamEndCapture(void *stream, void **result) {
  int code = fails("cuStreamEndCapture");
  if (stream != captured)
    return 1;
  endCapture(result); // A capture ends, whatever became of it.
  if (code) {
    free(*result);
    --fakeGraphs;
    *result = NULL;
  }
  return code;
}
ENTRY(
    cuGraphInstantiateWithFlags,
    (void **executable, void *from, unsigned long long flags),
    if (fakeCaptureMode != 2) code = 1; // As in cuModuleLoadDataEx.
    else {
      *executable = malloc(sizeof(struct Graph));
      memcpy(*executable, from, sizeof(struct Graph));
      ++fakeExecutables;
      ++fakeInstantiations;
    })
static void launchGraph(const struct Graph *executable, void *stream) {
  ++fakeGraphLaunches;
  for (int i = 0; i < executable->count; ++i) {
    const struct Node *node = &executable->nodes[i];
    void *params[8];
    for (int p = 0; p < 8; ++p)
      params[p] = (void *)&node->params[p];
    if (node->kernel)
      record(node->kernel, node->sizes, stream, params);
    else
      copy(node->params[0], node->params[1], node->params[2], stream);
  }
}
ENTRY(cuGraphLaunch, (void *executable, void *stream),
      launchGraph(executable, stream))
ENTRY(cuGraphExecDestroy, (void *executable), free(executable);
      --fakeExecutables)
ENTRY(cuGraphDestroy, (void *graph), free(graph); --fakeGraphs)
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
