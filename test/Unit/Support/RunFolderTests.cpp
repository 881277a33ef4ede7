//===- RunFolderTests.cpp - Run folders and fingerprints ------------------===//
//
// Names that never repeat and sort; what stands in the way of a folder; the
// hashes' published values.
//
//===----------------------------------------------------------------------===//

#include "Test.h"
#include "ks/Base/File.h"
#include "ks/Support/Hashing.h"
#include "ks/Support/RunFolder.h"

#include <algorithm>

using namespace mlir::ks;

TEST(namesSortAndNeverRepeat) {
  test::Scratch scratch;
  std::vector<std::string> names;
  for (int i = 0; i < 12; ++i) { // More than there are names in one second.
    Result<RunFolder> folder = RunFolder::create(scratch / "ks-out/deep");
    REQUIRE_OK(folder);
    names.push_back(folder->name());
  }
  CHECK(std::is_sorted(names.begin(), names.end()));
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
}

TEST(filesAndFolders) {
  test::Scratch scratch;
  Result<RunFolder> folder = RunFolder::create(scratch.path);
  REQUIRE_OK(folder);
  Result<std::string> inner = folder->makeFolder("kernels/gelu/3");
  REQUIRE_OK(inner);
  REQUIRE_OK(folder->makeFolder("kernels/gelu/3"));
  REQUIRE_OK(folder->write("kernels/gelu/3/a.txt", "text"));
  CHECK_EQ(*readFile(*inner + "/a.txt"), "text");
  CHECK_EQ(folder->path(), scratch / folder->name());
}

TEST(whatStandsInTheWay) {
  test::Scratch scratch;
  REQUIRE_OK(writeFile(scratch / "file", ""));
  CHECK_HAS(RunFolder::create(scratch / "file").error(),
            "file': Not a directory");
  CHECK_HAS(RunFolder::create(scratch / "file/run").error(), "Not a directory");
  CHECK_HAS(RunFolder::create("/proc/ks-out").error(),
            "cannot create folder '/proc/ks-out'");
}

TEST(hashes) {
  CHECK_EQ(sha256("abc"),
           "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK_EQ(fingerprint(""),
           "99aa06d3014798d86001c324468d497f"); // XXH3's specification.
  CHECK(fingerprint("a") != fingerprint("b"));
}
