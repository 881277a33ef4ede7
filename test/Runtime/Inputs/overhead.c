/* What a call of ks_program_run, or of ks_program_replay, costs the host: runs
 * a package many times on buffers of its own and prints nanoseconds a call, the
 * fastest of several rounds. overhead PACKAGE [cuda|host [replay]] */
#include "ks/Runtime/KSRuntime.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void check(ks_status status) {
  if (status == KS_OK)
    return;
  fprintf(stderr, "error: %s\n", ks_last_error());
  exit(1);
}

static double now(void) {
  struct timespec time;
  timespec_get(&time, TIME_UTC);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

int main(int argc, char **argv) {
  enum { kRounds = 20, kCalls = 5000 };
  ks_device *device;
  ks_package *package;
  ks_program *program;
  check(ks_device_open(argc > 2 ? argv[2] : "host", 0, &device));
  check(ks_package_open(argv[1], &package));
  check(ks_program_load(package, 0, device, &program));
  size_t numInputs = ks_package_num_inputs(package, 0),
         numOutputs = ks_package_num_outputs(package, 0);
  void **inputs = calloc(numInputs + 1, sizeof *inputs),
       **outputs = calloc(numOutputs + 1, sizeof *outputs), *workspace;
  ks_buffer buffer;
  for (size_t i = 0; i < numInputs; ++i) {
    check(ks_package_input(package, 0, i, &buffer));
    check(ks_device_allocate(device, buffer.bytes, &inputs[i]));
  }
  for (size_t i = 0; i < numOutputs; ++i) {
    check(ks_package_output(package, 0, i, &buffer));
    check(ks_device_allocate(device, buffer.bytes, &outputs[i]));
  }
  check(ks_device_allocate(device, ks_package_workspace_bytes(package, 0),
                           &workspace));

  double best = 1e30;
  for (int round = 0; round < kRounds; ++round) {
    double start = now();
    for (int i = 0; i < kCalls; ++i)
      check(argc > 3
                ? ks_program_replay(program, inputs, outputs, workspace, NULL)
                : ks_program_run(program, inputs, outputs, workspace, NULL));
    double each = (now() - start) / kCalls;
    check(ks_device_synchronize(device, NULL));
    if (each < best)
      best = each;
  }
  printf("%.0f ns a call of %llu launches, %zu buffers\n", best,
         (unsigned long long)ks_package_num_launches(package, 0),
         numInputs + numOutputs);
  ks_program_unload(program);
  ks_package_close(package);
  ks_device_close(device);
  return 0;
}
