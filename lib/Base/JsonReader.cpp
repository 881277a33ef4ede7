//===- JsonReader.cpp - The JSON of safetensors headers -------------------===//
//
// RFC 8259, restricted as the header says. Nesting is bounded by its callers,
// which ask for what they expect.
//
//===----------------------------------------------------------------------===//

#include "JsonReader.h"

#include <charconv>

namespace mlir::ks {

void JsonReader::skipSpace() {
  while (position < text.size() &&
         (text[position] == ' ' || text[position] == '\n' ||
          text[position] == '\t' || text[position] == '\r'))
    ++position;
}

bool JsonReader::peek(char c) {
  skipSpace();
  return position < text.size() && text[position] == c;
}

bool JsonReader::eat(char c) {
  bool there = peek(c);
  position += there;
  return there;
}

bool JsonReader::atEnd() {
  skipSpace();
  return position == text.size();
}

Status JsonReader::malformed() const {
  return Error{"its header is malformed at byte " + std::to_string(position)};
}

bool JsonReader::object(
    const std::function<bool(const std::string &)> &member) {
  if (!eat('{'))
    return false;
  if (eat('}'))
    return true;
  do {
    std::string key;
    if (!string(key) || !eat(':') || !member(key))
      return false;
  } while (eat(','));
  return eat('}');
}

bool JsonReader::integers(std::vector<int64_t> &values) {
  if (!eat('['))
    return false;
  if (eat(']'))
    return true;
  do {
    skipSpace();
    const char *begin = text.data() + position,
               *limit = text.data() + text.size();
    int64_t value = 0;
    auto [end, code] = std::from_chars(begin, limit, value);
    // JSON has no leading zeros; negative sizes make no sense.
    if (code != std::errc() || *begin == '-' ||
        (*begin == '0' && end - begin > 1))
      return false;
    position += static_cast<size_t>(end - begin);
    values.push_back(value);
  } while (eat(','));
  return eat(']');
}

bool JsonReader::codeUnit(uint32_t &unit) {
  if (text.size() - position < 4)
    return false;
  const char *begin = text.data() + position;
  auto [end, code] = std::from_chars(begin, begin + 4, unit, 16);
  if (code != std::errc() || end != begin + 4)
    return false;
  position += 4;
  return true;
}

static void appendUtf8(std::string &value, uint32_t point) {
  auto byte = [&](uint32_t bits) { value += static_cast<char>(bits); };
  if (point < 0x80)
    return byte(point);
  if (point < 0x800) {
    byte(0xc0 | point >> 6);
  } else if (point < 0x10000) {
    byte(0xe0 | point >> 12);
    byte(0x80 | (point >> 6 & 63));
  } else {
    byte(0xf0 | point >> 18);
    byte(0x80 | (point >> 12 & 63));
    byte(0x80 | (point >> 6 & 63));
  }
  byte(0x80 | (point & 63));
}

bool JsonReader::escape(std::string &value) {
  if (position == text.size())
    return false;
  char c = text[position++];
  constexpr std::string_view kFrom = "\"\\/bfnrt", kTo = "\"\\/\b\f\n\r\t";
  if (size_t which = kFrom.find(c); which != std::string_view::npos) {
    value += kTo[which];
    return true;
  }
  uint32_t unit = 0, low = 0;
  if (c != 'u' || !codeUnit(unit))
    return false;
  if (unit >= 0xdc00 && unit < 0xe000)
    return false;
  if (unit >= 0xd800 && unit < 0xdc00) { // The first of a surrogate pair.
    if (text.substr(position, 2) != "\\u")
      return false;
    position += 2;
    if (!codeUnit(low) || low < 0xdc00 || low >= 0xe000)
      return false;
    unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
  }
  appendUtf8(value, unit);
  return true;
}

bool JsonReader::string(std::string &value) {
  if (!eat('"'))
    return false;
  while (position < text.size()) {
    char c = text[position++];
    if (c == '"')
      return true;
    if (static_cast<uint8_t>(c) < 0x20)
      return false;
    if (c != '\\')
      value += c;
    else if (!escape(value))
      return false;
  }
  return false;
}

} // namespace mlir::ks
