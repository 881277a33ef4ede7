//===- FileTests.cpp - Reading files, and writing them in one step --------===//
//
// What stays on disk when a write succeeds, is given up or fails.
//
//===----------------------------------------------------------------------===//

#include "Test.h"
#include "ks/Base/File.h"
#include "ks/Base/TensorFile.h"

#include <csignal>
#include <filesystem>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace mlir::ks;
namespace fs = std::filesystem;

static long entries(const std::string &folder) {
  return std::distance(fs::directory_iterator(folder),
                       fs::directory_iterator());
}

TEST(replacesWholeFiles) {
  test::Scratch scratch;
  std::string path = scratch / "a";
  REQUIRE_OK(writeFile(path, "old"));
  ::chmod(path.c_str(), 0640);
  REQUIRE_OK(writeFile(path, "newer"));
  Result<std::string> text = readFile(path);
  REQUIRE_OK(text);
  CHECK_EQ(*text, "newer");
  CHECK(fs::status(path).permissions() == fs::perms(0640));
  CHECK_EQ(entries(scratch.path), 1);
}

TEST(givenUpLeavesNothing) {
  test::Scratch scratch;
  {
    Result<OutputFile> file = OutputFile::create(scratch / "a");
    REQUIRE_OK(file);
    REQUIRE_OK(file->write("half of it"));
  }
  CHECK_EQ(entries(scratch.path), 0);
}

TEST(followsLinks) {
  test::Scratch scratch;
  REQUIRE_OK(writeFile(scratch / "real", "old"));
  fs::create_symlink("real", scratch / "link");
  REQUIRE_OK(writeFile(scratch / "link", "new"));
  CHECK(fs::is_symlink(scratch / "link"));
  CHECK_EQ(*readFile(scratch / "real"), "new");
}

TEST(fullDisk) {
  Status status = writeFile("/dev/full", "text");
  CHECK(!status);
  CHECK_HAS(status.error(),
            "cannot write '/dev/full': No space left on device");
  CHECK(fs::is_character_file("/dev/full"));
  REQUIRE_OK(writeFile("/dev/null", "text"));
  CHECK(fs::is_character_file("/dev/null"));
}

TEST(failedWriteLeavesTheOldFile) {
  test::Scratch scratch;
  REQUIRE_OK(writeFile(scratch / "a", "old"));
  // A limit on file sizes stands in for a disk that fills up half way.
  rlimit before;
  ::getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = {1000, before.rlim_max};
  auto *handler = ::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  Status status = writeFile(scratch / "a", std::string(4000, 'x'));
  Status tensors = writeTensorFile(
      scratch / "b.npz",
      {{"x", Tensor{DType::I8, {4000}, std::vector<uint8_t>(4000)}}});
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  CHECK(!status);
  CHECK(!tensors);
  if (!tensors)
    CHECK_HAS(tensors.error(), "cannot write '" + (scratch / "b.npz"));
  CHECK_EQ(*readFile(scratch / "a"), "old");
  CHECK_EQ(entries(scratch.path), 1);
}

TEST(errorsNameTheFile) {
  test::Scratch scratch;
  CHECK_HAS(writeFile(scratch / "no/such", "").error(),
            "no/such': No such file");
  CHECK_HAS(readFile(scratch / "none").error(), "none': No such file");
  CHECK_HAS(readFile(scratch.path).error(), "not a regular file");
  ::mkfifo((scratch / "pipe").c_str(), 0600);
  CHECK_HAS(readFile(scratch / "pipe").error(), "not a regular file");
}

TEST(readsWithinBounds) {
  test::Scratch scratch;
  REQUIRE_OK(writeFile(scratch / "a", "0123"));
  Result<InputFile> file = InputFile::open(scratch / "a");
  REQUIRE_OK(file);
  char bytes[8];
  CHECK(file->readAt(2, bytes, 2));
  CHECK(!file->readAt(2, bytes, 3));
  CHECK(!file->readAt(5, bytes, 0));
  CHECK(!file->readAt(~uint64_t(0), bytes, 2));
}
