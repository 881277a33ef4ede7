//===- PackageTests.cpp - Compiled programs in one file -------------------===//
//
// Round trips, and packages that are damaged or made to lie: cut at every
// length, every bit changed, every byte of a plan changed under a right
// checksum, and plans that reach out of their buffers.
//
//===----------------------------------------------------------------------===//

#include "Test.h"
#include "ks/Base/Package.h"

#include <cstring>
#include <zlib.h>

using namespace mlir::ks;
using Space = LaunchArg::Space;

/// A plan with something of everything.
static LaunchPlan fullPlan(int64_t rows = 4) {
  LaunchPlan plan;
  plan.function = "main";
  plan.inputs = {{DType::F32, {rows, 8}, "x", InputKind::Input},
                 {DType::F32, {8}, "layer.\"weight\"\n", InputKind::Parameter},
                 {DType::I64, {}, "", InputKind::Buffer}};
  plan.outputs = {{DType::F32, {rows, 8}}, {DType::Bool, {0}}};
  plan.mutated = {{1, 2}};
  plan.results = {{ResultDesc::Of::Output, 1},
                  {ResultDesc::Of::Input, 2},
                  {ResultDesc::Of::Output, 0, View{{2, 3}, {8, 1}, 5}},
                  {ResultDesc::Of::Input, 0}};
  plan.workspaceBytes = 1024;
  plan.checks = {"index out of bounds"};
  plan.chip = "sm_90a";
  plan.python = R"({"tree": ["a", 1]})";
  append(plan, Launch{"first",
                      {1, 2, 3},
                      {256, 1, 1},
                      {{Space::Input, 0, 0},
                       {Space::Input, 1, 4},
                       {Space::Workspace, 0, 256},
                       {Space::Status}}});
  plan.steps.push_back({Step::Kind::Loop, 0, rows, 2});
  append(plan, Launch{"step",
                      {1, 1, 1},
                      {8, 1, 1},
                      {{Space::Workspace, 0, 512, 0, 32},
                       {Space::Workspace, 0, 544, 0, -32}}});
  append(plan, Copy{{Space::Workspace, 0, 512}, {Space::Output, 0, 0, 32}, 32});
  append(plan, Copy{{Space::Workspace, 0, 256}, {Space::Input, 2}, 8});
  plan.cubin = {0x7f, 'E', 'L', 'F', 0, 1, 2};
  plan.ptx = {'p', 't', 'x'};
  plan.hostObject = {1, 2, 3, 0};
  return plan;
}

static Result<std::string> bytesOf(const Package &package) {
  test::Scratch scratch;
  {
    Result<OutputFile> file = OutputFile::create(scratch / "a.ksp");
    if (!file)
      return file.takeError();
    if (Status status = writePackage(*file, package); !status)
      return status.takeError();
    if (Status status = file->commit(/*durable=*/false); !status)
      return status.takeError();
  }
  return readFile(scratch / "a.ksp");
}

static Result<Package> read(const std::string &bytes) {
  // A copy of exactly this size, so that a sanitizer sees reads beyond it.
  std::vector<char> exact(bytes.begin(), bytes.end());
  return readPackage(
      InputFile::fromMemory("a.ksp", {exact.data(), exact.size()}));
}

static std::string errorOf(const std::string &bytes) {
  Result<Package> package = read(bytes);
  return package ? "no error" : package.error();
}

static bool equal(const Package &a, const Package &b) {
  return a.producer == b.producer && a.variants == b.variants;
}

/// Replaces `old` in the member that holds it by `by`, of the same length, and
/// makes the checksums right again.
static std::string forge(std::string bytes, size_t at, const std::string &by) {
  bytes.replace(at, by.size(), by);
  // Members are stored in order: local header, name, contents.
  size_t member = 0, directory = bytes.rfind("PK\5\6");
  uint32_t start = 0;
  std::memcpy(&start, &bytes[directory + 16], 4);
  for (size_t entry = start; member < start;) {
    uint32_t size = 0;
    uint16_t name = 0;
    std::memcpy(&size, &bytes[member + 22], 4);
    std::memcpy(&name, &bytes[member + 26], 2);
    size_t data = member + 30 + name;
    uint32_t crc = static_cast<uint32_t>(
        crc32(0, reinterpret_cast<const Bytef *>(bytes.data() + data), size));
    std::memcpy(&bytes[member + 14], &crc, 4);
    std::memcpy(&bytes[entry + 16], &crc, 4);
    member = data + size;
    entry += 46 + name;
  }
  return bytes;
}

TEST(roundTrip) {
  Package package{"ks-opt 0.1.0", {fullPlan(4), fullPlan(7)}};
  package.variants[1].cubin.clear();
  package.variants[1].hostObject.clear();
  Result<std::string> bytes = bytesOf(package);
  REQUIRE_OK(bytes);
  Result<Package> back = read(*bytes);
  REQUIRE_OK(back);
  CHECK(equal(*back, package));
  Result<std::string> again = bytesOf(*back);
  REQUIRE_OK(again);
  CHECK(*again == *bytes); // Equal packages are equal files.

  test::Scratch scratch;
  test::put(scratch / "a.ksp", *bytes);
  Result<InputFile> file = InputFile::open(scratch / "a.ksp");
  REQUIRE_OK(file);
  CHECK(looksLikePackage(*file));
  Result<Package> fromFile = readPackage(*file);
  REQUIRE_OK(fromFile);
  CHECK(equal(*fromFile, package));
  test::put(scratch / "b.mlir", "module {}");
  Result<InputFile> other = InputFile::open(scratch / "b.mlir");
  REQUIRE_OK(other);
  CHECK(!looksLikePackage(*other));
}

TEST(numbersAtTheirLimits) {
  LaunchPlan plan;
  plan.function = "f";
  int64_t most = std::numeric_limits<int64_t>::max();
  plan.workspaceBytes = static_cast<uint64_t>(most);
  plan.inputs = {{DType::I8, {most}}};
  plan.launches = {{"k",
                    {0x7fffffff, 65535, 65535},
                    {1024, 1, 1},
                    {{Space::Workspace, 0, most, -most, most}}}};
  Result<LaunchPlan> back = planFromJson(planToJson(plan));
  REQUIRE_OK(back);
  CHECK(*back == plan);
}

TEST(wrongPackagesAreNotWritten) {
  CHECK_HAS(bytesOf({"p", {}}).error(), "it holds no program");
  CHECK_HAS(bytesOf({"p", {fullPlan(), fullPlan()}}).error(),
            "variants 0 and 1 take the same shapes");
  LaunchPlan plan = fullPlan();
  plan.launches[0].args[0].index = 9;
  CHECK_HAS(bytesOf({"p", {plan}}).error(), "variant 0: kernel 'first'");
}

TEST(wrongArchives) {
  Result<std::string> good = bytesOf({"p", {fullPlan()}});
  REQUIRE_OK(good);
  auto renamed = [&](const std::string &from, const std::string &to) {
    std::string bytes = *good;
    for (size_t at = 0; (at = bytes.find(from, at)) != std::string::npos; ++at)
      bytes.replace(at, to.size(), to);
    return errorOf(bytes);
  };
  CHECK_HAS(errorOf(""), "cannot read package 'a.ksp': not a zip archive");
  CHECK_HAS(errorOf("module {}"), "not a zip archive");
  CHECK_HAS(renamed("manifest.json", "manifest.jsop"),
            "it is no package (it has no member 'manifest.json')");
  CHECK_HAS(renamed("0/plan.json", "1/plan.json"),
            "member '0/plan.json': it is missing");
  CHECK_HAS(renamed("0/host.o", "0/host.p"),
            "it holds members that belong to no variant");
  CHECK_HAS(renamed("0/kernels.ptx", "0/plan.json\0\0"),
            "it holds members that belong to no variant");
  CHECK_HAS(errorOf(forge(*good, good->find("\"format\": 1") + 10, "2")),
            "member 'manifest.json': it is of format 2, and this program reads "
            "format 1");
  CHECK_HAS(errorOf(forge(*good, good->find("\"variants\": 1") + 12, "2")),
            "member '1/plan.json': it is missing");
  std::string flipped = *good;
  flipped[flipped.find("\"shape\"")] ^= 1;
  CHECK_HAS(errorOf(flipped),
            "member '0/plan.json': its checksum does not match");
}

TEST(wrongPlans) {
  std::string good = planToJson(fullPlan());
  auto error = [&](const std::string &from, const std::string &to) {
    std::string text = good;
    size_t at = text.find(from);
    if (at == std::string::npos)
      return "the plan has no " + from;
    text.replace(at, from.size(), to);
    Result<LaunchPlan> plan = planFromJson(text);
    if (!plan)
      return plan.error();
    Status status = validate(*plan);
    return status ? "no error" : status.error();
  };
  CHECK_EQ(error("main", "host"), "no error");
  CHECK_EQ(error("\"f32\"", "\"f33\""),
           "field 'inputs[0]' has the unknown dtype 'f33'");
  CHECK_HAS(error("\"kind\": \"buffer\"", "\"kind\": \"weight\""),
            "field 'inputs[2]");
  CHECK_HAS(error("\"space\": \"input\"", "\"space\": \"heap\""),
            "has the unknown space 'heap'");
  CHECK_HAS(error("\"grid\": [1, 2, 3]", "\"grid\": [1, 2]"),
            "field 'launches[0].grid' is not of three sizes");
  CHECK_HAS(error("\"grid\": [1, 2, 3]", "\"grid\": [1, 2, 4294967296]"),
            "field 'launches[0].grid' is out of range");
  CHECK_HAS(error("\"grid\": [1, 2, 3]", "\"grid\": [1, 2, 65536]"),
            "kernel 'first': a size of its launch is out of range");
  CHECK_HAS(error("\"grid\": [1, 2, 3]", "\"grid\": [1, 0, 3]"),
            "kernel 'first': a size of its launch is out of range");
  CHECK_HAS(error("[256, 1, 1]", "[256, 8, 1]"),
            "kernel 'first': a block of 2048 threads is too large");
  CHECK_HAS(error("\"workspace_bytes\": 1024", "\"workspace_bytes\": -1"),
            "field 'workspace_bytes' is out of range");
  CHECK_HAS(error("\"workspace_bytes\": 1024", "\"workspace_bytes\": 543"),
            "kernel 'step': an argument lies outside");
  CHECK_HAS(error("\"workspace_bytes\": 1024", "\"wrkspace_bytes\": 1024"),
            "the plan has the unknown field 'wrkspace_bytes'");
  CHECK_HAS(error("\"chip\": \"sm_90a\", ", ""),
            "the plan has no field 'chip'");
  CHECK_HAS(error("\"chip\"", "\"function\": \"g\", \"chip\""),
            "stands there twice");
  CHECK_HAS(error("\"loop\": 4", "\"loop\": 5"), "copy 0: an argument lies");
  CHECK_HAS(error("\"loop\": 4", "\"loop\": -1"), "step 1: a loop of -1 times");
  CHECK_EQ(error("\"loop\": 4", "\"loop\": 0"), "no error");
  CHECK_HAS(error("\"steps\": 2", "\"steps\": 9"), "step 1: a loop of 4 times");
  CHECK_HAS(error("\"loop\": 4", "\"launch\": 0"), "is not one launch");
  CHECK_HAS(error("{\"copy\": 1}", "{\"copy\": 2}"),
            "step 4: there is no copy 2");
  CHECK_HAS(error("{\"copy\": 1}", "{\"launch\": 2}"),
            "step 4: there is no launch 2");
  CHECK_HAS(error("{\"copy\": 1}", "{\"loop\": 1, \"steps\": 0}"), "no error");
  CHECK_HAS(
      error("{\"result\": 1, \"input\": 2}", "{\"result\": 1, \"input\": 3}"),
      "mutation 0: there is no such argument");
  CHECK_HAS(error("{\"result\": 1, \"input\": 2}", ""),
            "copy 1: it may not read or write there");
  CHECK_HAS(error("\"bytes\": 8", "\"bytes\": 9"), "copy 1: an argument lies");
  CHECK_HAS(error("{\"output\": 1}", "{\"output\": 2}"),
            "result 0: there is no such buffer");
  CHECK_HAS(error("\"strides\": [8, 1]", "\"strides\": [8]"),
            "result 2: a view of 2 sizes and 1 strides");
  CHECK_HAS(error("\"strides\": [8, 1]", "\"strides\": [25, 1]"),
            "result 2: its view lies outside of 4x8xf32");
  CHECK_HAS(error("\"strides\": [8, 1]", "\"strides\": [-1, 1]"),
            "result 2: its view lies outside");
  CHECK_HAS(error("\"sizes\": [2, 3], ", ""), "has not all fields of a view");
  CHECK_HAS(error("\"shape\": [4, 8]", "\"shape\": [4, -8]"),
            "argument 0: the size of");
  CHECK_HAS(error("}\n", "} x\n"), "malformed at byte");
}

TEST(everyTruncationIsAnError) {
  Result<std::string> good = bytesOf({"p", {fullPlan(4), fullPlan(5)}});
  REQUIRE_OK(good);
  for (size_t size = 0; size < good->size(); ++size)
    CHECK(!read(good->substr(0, size)));
}

TEST(everyBitFlipIsAnErrorOrChangesNothing) {
  Package package{"p", {fullPlan()}};
  Result<std::string> good = bytesOf(package);
  REQUIRE_OK(good);
  size_t errors = 0;
  for (size_t i = 0; i < good->size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string bytes = *good;
      bytes[i] = static_cast<char>(bytes[i] ^ 1 << bit);
      Result<Package> got = read(bytes);
      errors += !got;
      if (got && !equal(*got, package))
        test::fail(__FILE__, __LINE__,
                   "bit " + std::to_string(bit) + " of byte " +
                       std::to_string(i) + " changes the package unnoticed");
    }
  }
  CHECK(errors > good->size() * 6);
}

TEST(everyByteOfAForgedPlanIsCheckedOrHarmless) {
  Result<std::string> good = bytesOf({"p", {fullPlan()}});
  REQUIRE_OK(good);
  size_t begin = good->find("{\"function\""), end = good->find("}\n", begin);
  size_t read = 0;
  for (size_t i = begin; i < end; ++i) {
    for (const char *by :
         {"0", "9", "-", "\"", "[", "}", ",", "\\", " ", "a"}) {
      Result<Package> got = ::read(forge(*good, i, by));
      if (!got)
        continue;
      ++read;
      CHECK(static_cast<bool>(validate(got->variants[0])));
    }
  }
  CHECK(read > 100); // Names and messages may change, for instance.
}
