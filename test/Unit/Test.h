//===- Test.h - A few lines of unit testing ---------------------*- C++ -*-===//
//
// TEST(name) { CHECK(...); CHECK_EQ(a, b); CHECK_HAS(text, part); } and
// `int main() { return runTests(); }`. A failed check says where and goes on;
// the program then ends with status 1.
//
//===----------------------------------------------------------------------===//
#ifndef KS_TEST_UNIT_TEST_H
#define KS_TEST_UNIT_TEST_H

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace test {

struct Registry {
  std::vector<std::pair<const char *, void (*)()>> tests;
  int failures = 0;
};
inline Registry &registry() {
  static Registry instance;
  return instance;
}
struct Registrar {
  Registrar(const char *name, void (*body)()) {
    registry().tests.emplace_back(name, body);
  }
};

inline void fail(const char *file, int line, const std::string &what) {
  ++registry().failures;
  std::cerr << file << ":" << line << ": " << what << std::endl;
}

template <typename A, typename B>
void checkEqual(const char *file, int line, const char *text, const A &a,
                const B &b) {
  if (a == b)
    return;
  std::ostringstream out;
  out << text << ": " << a << " is not " << b;
  fail(file, line, out.str());
}

/// A folder of this test's own, removed at the end of its scope.
struct Scratch {
  Scratch() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "ks-unit-XXXXXX").string();
    if (::mkdtemp(pattern.data()))
      path = pattern;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::string operator/(std::string_view name) const {
    return path + "/" + std::string(name);
  }
  std::string path;
};

/// Writes a file without waiting for the disk, for tests that write thousands.
inline void put(const std::string &path, std::string_view contents) {
  std::error_code
      ignored; // Some file systems flush a file that is written anew.
  std::filesystem::remove(path, ignored);
  std::ofstream(path, std::ios::binary)
      .write(contents.data(), static_cast<std::streamsize>(contents.size()));
}

inline int runTests() {
  for (auto [name, body] : registry().tests) {
    int before = registry().failures;
    body();
    std::cerr << (registry().failures == before ? "ok   " : "FAIL ") << name
              << std::endl;
  }
  return registry().failures != 0 || registry().tests.empty();
}

} // namespace test

#define TEST(name)                                                             \
  static void test_##name();                                                   \
  static ::test::Registrar registrar_##name(#name, test_##name);               \
  static void test_##name()
#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition))                                                          \
      ::test::fail(__FILE__, __LINE__, #condition);                            \
  } while (false)
#define CHECK_EQ(a, b) ::test::checkEqual(__FILE__, __LINE__, #a, a, b)
#define CHECK_HAS(text, part)                                                  \
  do {                                                                         \
    std::string text_ = (text);                                                \
    if (text_.find(part) == std::string::npos)                                 \
      ::test::fail(__FILE__, __LINE__,                                         \
                   "'" + text_ + "' does not contain '" + (part) + "'");       \
  } while (false)
/// Ends the test if `result` is an error.
#define REQUIRE_OK(result)                                                     \
  do {                                                                         \
    if (!(result)) {                                                           \
      ::test::fail(__FILE__, __LINE__, #result ": " + (result).error());       \
      return;                                                                  \
    }                                                                          \
  } while (false)

#endif // KS_TEST_UNIT_TEST_H
