// Kernels of the executor's tests.
typedef long i64;

// temp[i] = in[i] + 1, one element a thread, of args {in, temp, status}; check
// 2 fails where an element is negative.
void increment(void *const *args, i64 begin, i64 end, i64 block, i64 grid) {
  const float *in = args[0];
  float *temp = args[1];
  for (i64 i = begin * block; i < end * block; ++i) {
    temp[i] = in[i] + 1;
    if (in[i] < 0)
      *(i64 *)args[2] = 2;
  }
}

// out[i] = 2 * temp[i].
void twice(void *const *args, i64 begin, i64 end, i64 block, i64 grid) {
  const float *temp = args[0];
  float *out = args[1];
  for (i64 i = begin * block; i < end * block; ++i)
    out[i] = 2 * temp[i];
}

// Writes one byte, args[1] (a distance) from args[0].
void stray(void *const *args, i64 begin, i64 end, i64 block, i64 grid) {
  ((char *)args[0])[*(const i64 *)args[1]] = 0;
}

// out[i] = a[i] + b[i], of args {a, b, out}.
void add(void *const *args, i64 begin, i64 end, i64 block, i64 grid) {
  const float *a = args[0], *b = args[1];
  float *out = args[2];
  for (i64 i = begin * block; i < end * block; ++i)
    out[i] = a[i] + b[i];
}
