//===- SafetensorsTests.cpp - The safetensors format ----------------------===//
//
// Round trips, a header as the format's own library writes it, and files that
// are wrong in every way that the reader has to notice.
//
//===----------------------------------------------------------------------===//

#include "Test.h"
#include "ks/Base/File.h"
#include "ks/Base/TensorFile.h"

using namespace mlir::ks;

/// Writes a file of `header` and `data` and reads it.
static Result<NamedTensors> readWith(const std::string &header,
                                     const std::string &data) {
  test::Scratch scratch;
  uint64_t length = header.size();
  std::string text(reinterpret_cast<const char *>(&length), 8);
  test::put(scratch / "a.safetensors", text + header + data);
  return readTensorFile(scratch / "a.safetensors");
}

static std::string errorWith(const std::string &header,
                             const std::string &data) {
  Result<NamedTensors> tensors = readWith(header, data);
  return tensors ? "no error" : tensors.error();
}

TEST(roundTrip) {
  test::Scratch scratch;
  NamedTensors tensors;
  tensors.emplace_back("flag", Tensor{DType::Bool, {3}, {1, 0, 1}});
  tensors.emplace_back("b\"\\\n", Tensor{DType::BF16, {2, 1}, {1, 2, 3, 4}});
  tensors.emplace_back("wide",
                       Tensor{DType::F64, {}, {1, 2, 3, 4, 5, 6, 7, 8}});
  tensors.emplace_back("none", Tensor{DType::I32, {4, 0}, {}});
  REQUIRE_OK(writeTensorFile(scratch / "a.safetensors", tensors));
  Result<NamedTensors> read = readTensorFile(scratch / "a.safetensors");
  REQUIRE_OK(read);
  CHECK_EQ(read->size(), tensors.size());
  for (size_t i = 0; i < tensors.size() && i < read->size(); ++i) {
    CHECK_EQ((*read)[i].first, tensors[i].first);
    CHECK((*read)[i].second.dtype == tensors[i].second.dtype);
    CHECK((*read)[i].second.shape == tensors[i].second.shape);
    CHECK((*read)[i].second.bytes == tensors[i].second.bytes);
  }
}

TEST(readsTheirHeaders) {
  Result<NamedTensors> tensors =
      readWith("{\"__metadata__\":{\"format\":\"pt\"},"
               "\"w\\u00e9\\ud83d\\ude00\":{\"dtype\":\"F32\","
               "\"shape\":[1],\"data_offsets\":[0,4]}}   ",
               "abcd");
  REQUIRE_OK(tensors);
  CHECK_EQ((*tensors)[0].first, "w\u00e9\U0001F600");
  Result<NamedTensors> empty = readWith("{}", "");
  REQUIRE_OK(empty);
  CHECK(empty->empty());
}

TEST(wrongHeaders) {
  auto item = [](const char *type, const char *shape, const char *offsets) {
    return std::string("{\"x\":{\"dtype\":\"") + type +
           "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}}";
  };
  std::string data = "abcd";
  CHECK_EQ(errorWith(item("F32", "[1]", "[0,4]"), data), "no error");
  CHECK_HAS(errorWith(item("U8", "[4]", "[0,4]"), data),
            "array 'x': element type 'U8' is not");
  CHECK_HAS(errorWith(item("F32", "[2]", "[0,4]"), data),
            "array 'x': it holds 4 bytes");
  CHECK_HAS(errorWith(item("F32", "[2]", "[0,8]"), data),
            "array 'x': it is cut short");
  CHECK_HAS(errorWith(item("F32", "[0]", "[4,4]"), data),
            "array 'x': its data begins at byte 4");
  CHECK_HAS(errorWith(item("F32", "[0]", "[0,0]"), data),
            "4 bytes follow the last array");
  CHECK_HAS(errorWith(item("F32", "[1]", "[4,0]"), data), "malformed");
  CHECK_HAS(errorWith(item("F32", "[-1]", "[0,4]"), data), "malformed");
  CHECK_HAS(errorWith(item("F32", "[01]", "[0,4]"), data), "malformed");
  CHECK_HAS(errorWith(item("F32", "[1e0]", "[0,4]"), data), "malformed");
  CHECK_HAS(errorWith(item("F32", "[99999999999999999999]", "[0,4]"), data),
            "malformed");
  CHECK_HAS(errorWith(item("F32", "[4294967296,4294967296]", "[0,4]"), data),
            "is not the size");
  CHECK_HAS(errorWith(item("F32", "[1]", "[0,4]") + "x", data),
            "malformed at byte");
  CHECK_HAS(errorWith("{\"x\":{\"dtype\":\"F32\",\"shape\":[1]}}", data),
            "malformed");
  CHECK_HAS(errorWith("{\"\\ud800\":1}", data), "malformed");
  std::string one =
      "\"x\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]}";
  CHECK_HAS(errorWith("{" + one + "," + one + "}", ""),
            "two arrays are named 'x'");
  CHECK_HAS(errorWith("garbage", data),
            "neither an npz nor a safetensors file");
}

TEST(everyTruncationIsAnError) {
  test::Scratch scratch;
  NamedTensors tensors;
  tensors.emplace_back("a", Tensor{DType::F16, {3}, {1, 2, 3, 4, 5, 6}});
  tensors.emplace_back("b", Tensor{DType::I8, {1}, {7}});
  REQUIRE_OK(writeTensorFile(scratch / "a.safetensors", tensors));
  std::string whole = *readFile(scratch / "a.safetensors");
  for (size_t length = 0; length < whole.size(); ++length) {
    test::put(scratch / "cut.safetensors", whole.substr(0, length));
    Result<NamedTensors> read = readTensorFile(scratch / "cut.safetensors");
    CHECK(!read);
    if (!read)
      CHECK_HAS(read.error(), "cut.safetensors");
  }
}
