//===- HostLoaderTests.cpp - Objects without a linker ---------------------===//
//
// Loads an object that the compiler made just now and runs it; refuses objects
// that call what they may not, and survives damaged ones.
//
//===----------------------------------------------------------------------===//

#include "HostSymbols.h"
#include "Test.h"
#include "ks/Base/File.h"
#include "ks/Base/Tensor.h"
#include "ks/Device/HostLoader.h"

#include <bit>
#include <cmath>
#include <random>

using namespace mlir::ks;

int main() { return test::runTests(); }

static HostKernel kernel(const HostProgram &program, const char *name) {
  return reinterpret_cast<HostKernel>(program.find(name));
}

/// The kernels' object, loaded.
static std::unique_ptr<HostProgram> loadKernels() {
  Result<std::string> object = readFile(KERNELS_OBJECT);
  if (!object) {
    test::fail(__FILE__, __LINE__, object.error());
    std::exit(1);
  }
  Result<std::unique_ptr<HostProgram>> program = HostProgram::load(*object);
  if (!program) {
    test::fail(__FILE__, __LINE__, program.error());
    std::exit(1);
  }
  return std::move(*program);
}

TEST(reachesDataAndFunctions) {
  std::unique_ptr<HostProgram> program = loadKernels();
  CHECK(kernel(*program, "reach") != nullptr);
  CHECK(kernel(*program, "twice") == nullptr); // Not global.
  CHECK(kernel(*program, "none") == nullptr);
  double out[5];
  void *args[] = {out};
  kernel(*program, "reach")(args, 0, 1, 3, 9);
  kernel(*program, "reach")(args, 0, 1, 3, 9);
  CHECK_EQ(out[0], 44);
  CHECK_EQ(out[1], 14);
  CHECK(std::abs(out[2] - 3) < 1e-14);
  CHECK_EQ(out[3], 13.5);
  CHECK_EQ(out[4], 9);
  // Programs are apart from each other.
  std::unique_ptr<HostProgram> second = loadKernels();
  kernel(*second, "reach")(args, 0, 1, 3, 9);
  CHECK_EQ(out[0], 42);
}

TEST(halfHelpers) {
  std::unique_ptr<HostProgram> program = loadKernels();
  std::mt19937 engine(1);
  for (int round = 0; round < 2000; ++round) {
    uint32_t bits = engine();
    uint16_t in = static_cast<uint16_t>(bits);
    float wide = std::bit_cast<float>(uint32_t(engine()));
    // Near a midpoint of halves, where rounding twice goes wrong.
    double near = halfToFloat(static_cast<uint16_t>(bits & 0x7bff)) *
                  (1 + 0x1p-11 + 0x1p-40);
    uint16_t out[2], bfloat;
    void *args[] = {&in, out, &wide, &bfloat, &near};
    kernel(*program, "halves")(args, 0, 1, 1, 1);
    float sum = halfToFloat(in) + 1.0f;
    CHECK(std::isnan(sum) || out[0] == floatToHalf(sum));
    CHECK(std::isnan(wide) || bfloat == floatToBfloat(wide));
    // The exact rule: the half nearest to `near`, by comparing distances.
    double error = std::abs(halfToFloat(out[1]) - near);
    for (int step : {-1, 1}) {
      double other = halfToFloat(static_cast<uint16_t>(out[1] + step));
      CHECK(std::isinf(halfToFloat(out[1])) || out[1] == 0 ||
            error <= std::abs(other - near));
    }
  }
}

TEST(wideHelpers) {
  std::unique_ptr<HostProgram> program = loadKernels();
  int64_t io[5] = {int64_t(1) << 40, (int64_t(1) << 35) + 1, 0, 0, -3};
  double power[2] = {0, 2};
  void *args[] = {io, power};
  kernel(*program, "wide")(args, 0, 1, 1, 1);
  unsigned __int128 square = static_cast<unsigned __int128>(1) << 80;
  CHECK_EQ(io[2], static_cast<int64_t>(square /
                                       static_cast<unsigned __int128>(io[1])));
  CHECK_EQ(io[3], static_cast<int64_t>(square %
                                       static_cast<unsigned __int128>(io[1])));
  CHECK_EQ(power[0], 0.125);
}

TEST(onlyListedFunctions) {
  CHECK(findHostSymbol("roundevenf") != nullptr);
  CHECK(findHostSymbol("__truncsfbf2") != nullptr);
  CHECK(findHostSymbol("system") == nullptr);
  Result<std::string> object = readFile(UNLOADABLE_OBJECT);
  REQUIRE_OK(object);
  Result<std::unique_ptr<HostProgram>> program = HostProgram::load(*object);
  CHECK(!program);
  if (!program)
    CHECK_HAS(program.error(), "undefined symbol 'system'");
}

TEST(notAnObject) {
  CHECK_HAS(HostProgram::load("").error(), "not an ELF file");
  CHECK_HAS(HostProgram::load("hello, world").error(), "not an ELF file");
  Result<std::string> executable = readFile("/proc/self/exe");
  if (executable)
    CHECK_HAS(HostProgram::load(*executable).error(), "not a relocatable");
}

TEST(everyTruncationIsAnError) {
  Result<std::string> object = readFile(KERNELS_OBJECT);
  REQUIRE_OK(object);
  for (size_t length = 0; length < object->size(); ++length)
    CHECK(!HostProgram::load(std::string_view(*object).substr(0, length)));
}

TEST(noDamageCrashes) {
  Result<std::string> object = readFile(KERNELS_OBJECT);
  REQUIRE_OK(object);
  int errors = 0;
  for (size_t i = 0; i < object->size(); ++i)
    for (char value : {'\xff', char((*object)[i] ^ 1)}) {
      std::string damaged = *object;
      damaged[i] = value;
      errors += !HostProgram::load(damaged);
    }
  CHECK(errors > 100);
}
