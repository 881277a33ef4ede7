// Kernels with every kind of reference that host objects make: constants,
// tables of pointers, data that is written, zeroed data, functions outside of
// the object by call and by address, and the compiler's own helpers.
typedef long i64;

float expf(float);
double cbrt(double);

static i64 counter = 40;
static i64 zeroed[1000];
i64 visible = 2;

static float twice(float x) { return 2 * x; }
static float thrice(float x) { return 3 * x; }
static float (*const table[])(float) = {twice, thrice, expf};

// out[i] = in[i] * table[i % 3](1), one element a thread.
void map(void *const *args, i64 blockBegin, i64 blockEnd, i64 blockDim,
         i64 gridDim) {
  const float *in = args[0];
  float *out = args[1];
  for (i64 i = blockBegin * blockDim; i < blockEnd * blockDim; ++i)
    out[i] = in[i] * table[i % 3](1);
}

// Writes what each way of reaching data and functions gives.
void reach(void *const *args, i64 blockBegin, i64 blockEnd, i64 blockDim,
           i64 gridDim) {
  double *out = args[0];
  out[0] = (double)(counter += visible);
  zeroed[999] += 7;
  out[1] = (double)zeroed[999];
  out[2] = cbrt(27.0);
  switch (blockDim) { // A jump table.
  case 1:
    out[3] = 11;
    break;
  case 2:
    out[3] = 12;
    break;
  case 3:
    out[3] = 13.5;
    break;
  case 4:
    out[3] = 14;
    break;
  case 5:
    out[3] = 15;
    break;
  case 6:
    out[3] = 16;
    break;
  default:
    out[3] = cbrt(out[2]);
  }
  out[4] = (double)gridDim;
}

// out[i] = (half)(in[i] + 1), through the helpers for halves.
void halves(void *const *args, i64 blockBegin, i64 blockEnd, i64 blockDim,
            i64 gridDim) {
  const _Float16 *in = args[0];
  _Float16 *out = args[1];
  const float *floats = args[2];
  __bf16 *bfloats = args[3];
  const double *doubles = args[4];
  for (i64 i = blockBegin * blockDim; i < blockEnd * blockDim; ++i) {
    out[i] = (_Float16)((float)in[i] + 1.0f);
    bfloats[i] = (__bf16)floats[i];
    out[i + gridDim * blockDim] = (_Float16)doubles[i];
  }
}

// 128-bit arithmetic and integer powers.
void wide(void *const *args, i64 blockBegin, i64 blockEnd, i64 blockDim,
          i64 gridDim) {
  i64 *io = args[0];
  double *power = args[1];
  io[2] = (i64)((__int128)io[0] * io[0] / io[1]);
  io[3] = (i64)((unsigned __int128)io[0] * io[0] % (unsigned __int128)io[1]);
  power[0] = __builtin_powi(power[1], (int)io[4]);
}
