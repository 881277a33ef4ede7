//===- JsonReader.h - The JSON of headers and plans -------------*- C++ -*-===//
//
// Objects, lists, strings and integers: what safetensors headers and packages
// hold. Strict: anything else makes a method return false, and the reader stays
// where it stopped.
//
//===----------------------------------------------------------------------===//
#ifndef KS_BASE_JSONREADER_H
#define KS_BASE_JSONREADER_H

#include "ks/Base/Result.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mlir::ks {

class JsonReader {
public:
  explicit JsonReader(std::string_view text) : text(text) {}

  /// Reads an object; `member` is called after each key and reads its value.
  bool object(const std::function<bool(const std::string &key)> &member);
  /// Reads a list; `element` reads each of its elements.
  bool list(const std::function<bool()> &element);
  /// Reads a string, with its escapes resolved to UTF-8.
  bool string(std::string &value);
  bool integer(int64_t &value);
  /// Reads a list of integers, none of which is negative.
  bool integers(std::vector<int64_t> &values);
  /// True if only space follows.
  bool atEnd();
  /// The byte at which the reader stopped.
  size_t where() const { return position; }

private:
  void skipSpace();
  bool peek(char c);
  bool eat(char c);
  bool escape(std::string &value);
  bool codeUnit(uint32_t &unit);

  std::string_view text;
  size_t position = 0;
};

/// `text` as a JSON string.
std::string quoteJson(std::string_view text);

} // namespace mlir::ks

#endif // KS_BASE_JSONREADER_H
