//===- HostSymbols.cpp - What host objects may call -----------------------===//
//
// libm in float and double, the memory functions that LLVM calls of its own
// accord, and its run-time helpers for halves, integer powers and 128-bit
// division. The half helpers are our own: whether a compiler's library has
// them, and how it passes a half, differs between compilers; LLVM passes it in
// the low bits of xmm0.
//
//===----------------------------------------------------------------------===//

#include "HostSymbols.h"
#include "ks/Base/Tensor.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <math.h>

namespace mlir::ks {

namespace {

// A half in xmm0 is taken and returned as the low bits of a float there; the
// bits above are of no meaning.
float asLowBits(uint16_t bits) { return std::bit_cast<float>(uint32_t(bits)); }
uint16_t lowBits(float value) {
  return static_cast<uint16_t>(std::bit_cast<uint32_t>(value));
}

/// `value` as a float whose last bit is set if it is not exact: rounding that
/// to a narrower type rounds once in effect (Boldo and Melquiond, "Emulation of
/// FMA and correctly rounded sums: proved algorithms using rounding to odd",
/// 2008).
float roundToOdd(double value) {
  float nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) == value || std::isnan(value))
    return nearest;
  if (std::bit_cast<uint32_t>(nearest) & 1)
    return nearest;
  return std::nextafter(nearest, value > nearest ? INFINITY : -INFINITY);
}

float extendHalf(float half) { return halfToFloat(lowBits(half)); }
float truncateToHalf(float value) { return asLowBits(floatToHalf(value)); }
float truncateDoubleToHalf(double value) {
  return asLowBits(floatToHalf(roundToOdd(value)));
}
float extendBfloat(float bfloat) { return bfloatToFloat(lowBits(bfloat)); }
float truncateToBfloat(float value) { return asLowBits(floatToBfloat(value)); }
float truncateDoubleToBfloat(double value) {
  return asLowBits(floatToBfloat(roundToOdd(value)));
}

template <typename T> T integerPower(T base, int exponent) {
  T result = 1;
  for (uint32_t rest = exponent < 0 ? 0u - uint32_t(exponent)
                                    : uint32_t(exponent);
       rest; rest >>= 1) {
    if (rest & 1)
      result *= base;
    base *= base;
  }
  return exponent < 0 ? 1 / result : result;
}

using Int128 = __int128;
using UInt128 = unsigned __int128;
Int128 multiply128(Int128 a, Int128 b) { return a * b; }
Int128 divide128(Int128 a, Int128 b) { return a / b; }
Int128 remainder128(Int128 a, Int128 b) { return a % b; }
UInt128 divideUnsigned128(UInt128 a, UInt128 b) { return a / b; }
UInt128 remainderUnsigned128(UInt128 a, UInt128 b) { return a % b; }

struct HostSymbol {
  std::string_view name;
  void *address;
};

template <typename Function> void *addressOf(Function *function) {
  return reinterpret_cast<void *>(function);
}

// Each in double and float. The cast picks libm's own among C++'s overloads.
#define UNARY(fn)                                                              \
  {#fn, addressOf(static_cast<double (*)(double)>(&::fn))}, {                  \
    #fn "f", addressOf(static_cast<float (*)(float)>(&::fn##f))                \
  }
#define BINARY(fn)                                                             \
  {#fn, addressOf(static_cast<double (*)(double, double)>(&::fn))}, {          \
    #fn "f", addressOf(static_cast<float (*)(float, float)>(&::fn##f))         \
  }

const HostSymbol kSymbols[] = {
    UNARY(exp),
    UNARY(exp2),
    UNARY(expm1),
    UNARY(log),
    UNARY(log2),
    UNARY(log10),
    UNARY(log1p),
    UNARY(sin),
    UNARY(cos),
    UNARY(tan),
    UNARY(asin),
    UNARY(acos),
    UNARY(atan),
    UNARY(sinh),
    UNARY(cosh),
    UNARY(tanh),
    UNARY(asinh),
    UNARY(acosh),
    UNARY(atanh),
    UNARY(erf),
    UNARY(erfc),
    UNARY(tgamma),
    UNARY(lgamma),
    UNARY(sqrt),
    UNARY(cbrt),
    UNARY(floor),
    UNARY(ceil),
    UNARY(trunc),
    UNARY(round),
    UNARY(rint),
    UNARY(nearbyint),
    UNARY(fabs),
    {"exp10", addressOf(&::exp10)},
    {"exp10f", addressOf(&::exp10f)},
    {"roundeven", addressOf(&::roundeven)},
    {"roundevenf", addressOf(&::roundevenf)},
    BINARY(pow),
    BINARY(fmod),
    BINARY(remainder),
    BINARY(atan2),
    BINARY(hypot),
    BINARY(copysign),
    BINARY(fmin),
    BINARY(fmax),
    BINARY(fdim),
    BINARY(nextafter),
    {"fma", addressOf(static_cast<double (*)(double, double, double)>(&::fma))},
    {"fmaf", addressOf(static_cast<float (*)(float, float, float)>(&::fmaf))},
    {"ldexp", addressOf(static_cast<double (*)(double, int)>(&::ldexp))},
    {"ldexpf", addressOf(static_cast<float (*)(float, int)>(&::ldexpf))},
    {"frexp", addressOf(static_cast<double (*)(double, int *)>(&::frexp))},
    {"frexpf", addressOf(static_cast<float (*)(float, int *)>(&::frexpf))},
    {"sincos", addressOf(&::sincos)},
    {"sincosf", addressOf(&::sincosf)},

    {"memcpy", addressOf(static_cast<void *(*)(void *, const void *, size_t)>(
                   &::memcpy))},
    {"memmove", addressOf(static_cast<void *(*)(void *, const void *, size_t)>(
                    &::memmove))},
    {"memset",
     addressOf(static_cast<void *(*)(void *, int, size_t)>(&::memset))},
    {"memcmp",
     addressOf(
         static_cast<int (*)(const void *, const void *, size_t)>(&::memcmp))},
    {"bcmp", addressOf(static_cast<int (*)(const void *, const void *, size_t)>(
                 &::memcmp))},

    {"__extendhfsf2", addressOf(&extendHalf)},
    {"__truncsfhf2", addressOf(&truncateToHalf)},
    {"__truncdfhf2", addressOf(&truncateDoubleToHalf)},
    {"__extendbfsf2", addressOf(&extendBfloat)},
    {"__truncsfbf2", addressOf(&truncateToBfloat)},
    {"__truncdfbf2", addressOf(&truncateDoubleToBfloat)},
    {"__powisf2", addressOf(&integerPower<float>)},
    {"__powidf2", addressOf(&integerPower<double>)},
    {"__multi3", addressOf(&multiply128)},
    {"__divti3", addressOf(&divide128)},
    {"__modti3", addressOf(&remainder128)},
    {"__udivti3", addressOf(&divideUnsigned128)},
    {"__umodti3", addressOf(&remainderUnsigned128)},
};
#undef UNARY
#undef BINARY

} // namespace

void *findHostSymbol(std::string_view name) {
  for (const HostSymbol &symbol : kSymbols)
    if (symbol.name == name)
      return symbol.address;
  return nullptr;
}

} // namespace mlir::ks
