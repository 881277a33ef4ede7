//===- NpzTests.cpp - NumPy's archives ------------------------------------===//
//
// Files with the bytes that NumPy and Python's zipfile write, our own round
// trips, and hostile archives: cut at every length, every byte changed, sizes
// that lie.
//
//===----------------------------------------------------------------------===//

#include "Test.h"
#include "ks/Base/File.h"
#include "ks/Base/TensorFile.h"

#include <cstring>
#include <random>
#include <zlib.h>

using namespace mlir::ks;

static std::string number(uint64_t value, int bytes) {
  return std::string(reinterpret_cast<const char *>(&value),
                     static_cast<size_t>(bytes));
}

/// An npy file of version `version` with `dict` as its header.
static std::string npy(int version, const std::string &dict,
                       const std::string &data) {
  return std::string("\x93NUMPY") + char(version) + '\0' +
         number(dict.size(), version == 1 ? 2 : 4) + dict + data;
}

/// What the fields of a crafted archive are to say.
struct Lies {
  int method = 0, flags = 0;
  uint64_t size = ~uint64_t(0), offset = 0;
  std::string extra = {}; ///< Of the directory's entry.
  int copies = 1;         ///< Entries of the directory for the one member.
};

/// A zip archive of one stored member laid out as Python's zipfile does it for
/// NumPy: a zip64 field in the local header, none in the directory.
static std::string zip(const std::string &name, const std::string &contents,
                       Lies lies = {}) {
  uint64_t crc = crc32(0, reinterpret_cast<const Bytef *>(contents.data()),
                       contents.size());
  uint64_t size = lies.size == ~uint64_t(0) ? contents.size() : lies.size;
  std::string start = number(45, 2) + number(uint64_t(lies.flags), 2) +
                      number(uint64_t(lies.method), 2) + number(0x21'0000, 4) +
                      number(crc, 4);
  std::string local = "PK\3\4" + start + number(~0u, 4) + number(~0u, 4) +
                      number(name.size(), 2) + number(20, 2) + name +
                      number(1, 2) + number(16, 2) +
                      number(contents.size(), 8) + number(contents.size(), 8) +
                      contents;
  std::string entry = "PK\1\2" + number(45, 2) + start +
                      number(lies.extra.empty() ? contents.size() : ~0u, 4) +
                      number(lies.extra.empty() ? size : ~0u, 4) +
                      number(name.size(), 2) + number(lies.extra.size(), 2) +
                      number(0, 2 + 2 + 2) + number(0, 4) +
                      number(lies.offset, 4) + name + lies.extra;
  std::string directory;
  for (int i = 0; i < lies.copies; ++i)
    directory += entry;
  return local + directory + "PK\5\6" + number(0, 4) +
         number(uint64_t(lies.copies), 2) + number(uint64_t(lies.copies), 2) +
         number(directory.size(), 4) + number(local.size(), 4) + number(0, 2);
}

static Result<NamedTensors> readBytes(const std::string &bytes) {
  static test::Scratch scratch;
  test::put(scratch / "a.npz", bytes);
  return readTensorFile(scratch / "a.npz");
}

static std::string errorOf(const std::string &bytes) {
  Result<NamedTensors> tensors = readBytes(bytes);
  return tensors ? "no error" : tensors.error();
}

static std::string errorOfNpy(int version, const std::string &dict,
                              const std::string &data) {
  return errorOf(zip("x.npy", npy(version, dict, data)));
}

TEST(readsWhatNumPyWrites) {
  std::string dict =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }          \n";
  for (int version : {1, 2, 3}) {
    Result<NamedTensors> tensors =
        readBytes(zip("arg0.npy", npy(version, dict, "0123456789ab")));
    REQUIRE_OK(tensors);
    CHECK_EQ((*tensors)[0].first, "arg0");
    CHECK(((*tensors)[0].second.shape == std::vector<int64_t>{3}));
    CHECK_EQ(std::memcmp((*tensors)[0].second.bytes.data(), "0123456789ab", 12),
             0);
  }
}

TEST(zip64FieldsInTheDirectory) {
  std::string contents =
      npy(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (), }\n", "\2");
  Lies lies;
  lies.extra = number(0xcafe, 2) + number(1, 2) + "x" + number(1, 2) +
               number(16, 2) + number(contents.size(), 8) +
               number(contents.size(), 8);
  Result<NamedTensors> tensors = readBytes(zip("x.npy", contents, lies));
  REQUIRE_OK(tensors);
  CHECK((*tensors)[0].second.dtype == DType::Bool);
  CHECK_EQ(int((*tensors)[0].second.bytes[0]), 1); // A bool is 0 or 1.
  lies.extra = number(1, 2) + number(8, 2) + number(contents.size(), 8);
  CHECK_HAS(errorOf(zip("x.npy", contents, lies)), "zip64 sizes are cut short");
}

TEST(fortranOrder) {
  std::string data = "abcdef"; // Columns (a b), (c d), (e f).
  Result<NamedTensors> tensors = readBytes(
      zip("x.npy",
          npy(1, "{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3), }\n",
              data)));
  REQUIRE_OK(tensors);
  const std::vector<uint8_t> &bytes = (*tensors)[0].second.bytes;
  CHECK_EQ(std::string(bytes.begin(), bytes.end()), "acebdf");
}

TEST(emptyArray) {
  std::string dict =
      "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 3), }\n";
  Result<NamedTensors> tensors = readBytes(zip("x.npy", npy(1, dict, "")));
  REQUIRE_OK(tensors);
  CHECK((*tensors)[0].second.bytes.empty());
  // And what we write holds the checksum of the 128 bytes that there are.
  test::Scratch scratch;
  REQUIRE_OK(writeTensorFile(scratch / "a.npz", *tensors));
  std::string whole = *readFile(scratch / "a.npz");
  size_t header = 30 + std::strlen("x.npy");
  uint64_t crc =
      crc32(0, reinterpret_cast<const Bytef *>(whole.data() + header), 128);
  CHECK_EQ(whole.substr(14, 4), number(crc, 4));
}

static Tensor random(DType type, std::vector<int64_t> shape, unsigned seed) {
  Tensor tensor{type, std::move(shape), {}};
  tensor.bytes.resize(static_cast<size_t>(*numElements(tensor.shape)) *
                      byteWidth(type));
  std::mt19937 engine(seed);
  for (uint8_t &byte : tensor.bytes)
    byte = static_cast<uint8_t>(engine() & (type == DType::Bool ? 1 : 63));
  return tensor;
}

TEST(roundTrips) {
  test::Scratch scratch;
  NamedTensors tensors;
  unsigned seed = 0;
  for (DType type : {DType::F64, DType::F32, DType::F16, DType::I64, DType::I32,
                     DType::I16, DType::I8, DType::Bool, DType::C64})
    for (std::vector<int64_t> shape :
         {std::vector<int64_t>{}, {3, 5}, {0, 7}, {1}, {300, 2, 5}})
      tensors.emplace_back("t" + std::to_string(seed),
                           random(type, shape, seed)),
          ++seed;
  uintmax_t sizes[2];
  for (bool compressed : {false, true}) {
    REQUIRE_OK(writeTensorFile(scratch / "a.npz", tensors, compressed));
    sizes[compressed] = std::filesystem::file_size(scratch / "a.npz");
    Result<NamedTensors> read = readTensorFile(scratch / "a.npz");
    REQUIRE_OK(read);
    CHECK_EQ(read->size(), tensors.size());
    for (size_t i = 0; i < tensors.size() && i < read->size(); ++i) {
      CHECK_EQ((*read)[i].first, tensors[i].first);
      CHECK((*read)[i].second.dtype == tensors[i].second.dtype);
      CHECK((*read)[i].second.shape == tensors[i].second.shape);
      CHECK((*read)[i].second.bytes == tensors[i].second.bytes);
    }
  }
  CHECK(sizes[1] < sizes[0]);
}

TEST(cannotWrite) {
  test::Scratch scratch;
  NamedTensors tensors{{"w", random(DType::BF16, {2}, 0)}};
  CHECK_HAS(writeTensorFile(scratch / "a.npz", tensors).error(), "array 'w'");
  CHECK(std::filesystem::is_empty(scratch.path));
  CHECK_HAS(writeTensorFile(scratch / "a.txt", {}).error(),
            "must end in .npz or .safetensors");
  tensors = {{"w", random(DType::F32, {2}, 0)},
             {"w", random(DType::F32, {2}, 0)}};
  CHECK_HAS(writeTensorFile(scratch / "a.npz", tensors).error(),
            "two arrays are named 'w'");
}

TEST(wrongArrays) {
  std::string ok =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }\n";
  CHECK_EQ(errorOfNpy(1, ok, "abcd"), "no error");
  CHECK_HAS(errorOfNpy(1, ok, "abcde"), "array 'x': it holds 5 bytes");
  CHECK_HAS(errorOfNpy(1, ok, "abc"), "array 'x': it holds 3 bytes");
  CHECK_HAS(errorOfNpy(4, ok, "abcd"), "npy version 4");
  auto typed = [](const std::string &type) {
    return "{'descr': " + type + ", 'fortran_order': False, 'shape': (1,), }\n";
  };
  for (const char *type : {"'>f4'", "'|u1'", "'<U1'", "'|V2'", "'|O'"})
    CHECK_HAS(errorOfNpy(1, typed(type), "abcd"), "array 'x': element type");
  CHECK_HAS(errorOfNpy(1, typed("[('a', '<f4')]"), "abcd"),
            "array 'x': records");
  auto shaped = [](const std::string &shape) {
    return "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape +
           ", }\n";
  };
  for (const char *shape :
       {"(-1,)", "(1", "1", "(1 2)", "(99999999999999999999,)", "(1,)) "})
    CHECK_HAS(errorOfNpy(1, shaped(shape), "abcd"),
              "array 'x': its npy header is malformed");
  CHECK_HAS(errorOfNpy(1, shaped("(4294967296, 4294967296)"), "abcd"),
            "is not the size of");
  CHECK_HAS(errorOfNpy(1, "{'descr': '<f4'}", "abcd"), "malformed");
  CHECK_HAS(errorOf(zip("x.npy", "hello, world, this is no array")),
            "array 'x': it is not an npy");
  CHECK_HAS(errorOf(zip("x.txt", "hello")),
            "member 'x.txt' is not an npy array");
}

TEST(hostileArchives) {
  std::string contents = npy(
      1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }\n", "abcd");
  auto error = [&](Lies lies) { return errorOf(zip("x.npy", contents, lies)); };
  CHECK_EQ(error({}), "no error");
  CHECK_HAS(error({.flags = 1}), "encrypted");
  CHECK_HAS(error({.method = 14}), "compression method 14");
  CHECK_HAS(error({.size = 1000}), "cannot hold contents of 1000");
  CHECK_HAS(error({.method = 8, .size = 0xfffffff0}), "cannot hold contents");
  CHECK_HAS(error({.method = 8, .size = 500}), "damaged");
  CHECK_HAS(error({.offset = 1}), "no local header");
  CHECK_HAS(error({.offset = 0xfffffff0}), "outside of the file");
  CHECK_HAS(error({.copies = 2}), "two arrays are named 'x'");
  CHECK_HAS(error({.copies = 60000}), "overlaps another");
  Lies huge;
  huge.extra = number(1, 2) + number(16, 2) + number(~uint64_t(0), 8) +
               number(~uint64_t(0), 8);
  CHECK_HAS(error(huge), "outside of the file");
  std::string whole = zip("x.npy", contents);
  whole[whole.find("abcd")] ^= 1;
  CHECK_HAS(errorOf(whole), "array 'x': its checksum does not match");
}

TEST(everyTruncationIsAnError) {
  test::Scratch scratch;
  NamedTensors tensors{{"a", random(DType::F32, {5}, 1)},
                       {"b", random(DType::I8, {3}, 2)}};
  for (bool compressed : {false, true}) {
    REQUIRE_OK(writeTensorFile(scratch / "a.npz", tensors, compressed));
    std::string whole = *readFile(scratch / "a.npz");
    for (size_t length = 0; length < whole.size(); ++length)
      CHECK_HAS(errorOf(whole.substr(0, length)), "a.npz'");
  }
}

TEST(noDamageCrashes) {
  test::Scratch scratch;
  NamedTensors tensors{{"a", random(DType::F32, {5}, 1)},
                       {"b", random(DType::I8, {3}, 2)}};
  REQUIRE_OK(writeTensorFile(scratch / "a.npz", tensors, true));
  std::string whole = *readFile(scratch / "a.npz");
  int errors = 0;
  for (size_t i = 0; i < whole.size(); ++i)
    for (char value :
         {'\0', '\xff', '\x7f', char(whole[i] ^ 1), char(whole[i] ^ 0x80)}) {
      std::string damaged = whole;
      damaged[i] = value;
      errors += !readBytes(damaged);
    }
  CHECK(errors >
        100); // Most damage is noticed; dates and the like do not matter.
}
