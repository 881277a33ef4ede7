//===- JsonReader.cpp - The JSON of headers and plans ---------------------===//
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

bool JsonReader::list(const std::function<bool()> &element) {
  if (!eat('['))
    return false;
  if (eat(']'))
    return true;
  do {
    if (!element())
      return false;
  } while (eat(','));
  return eat(']');
}

bool JsonReader::integer(int64_t &value) {
  skipSpace();
  const char *begin = text.data() + position,
             *limit = text.data() + text.size();
  auto [end, code] = std::from_chars(begin, limit, value);
  if (code != std::errc())
    return false;
  // JSON has no leading zeros and no negative zero.
  const char *digits = begin + (*begin == '-');
  if (*digits == '0' && (end - digits > 1 || digits != begin))
    return false;
  position += static_cast<size_t>(end - begin);
  return true;
}

bool JsonReader::integers(std::vector<int64_t> &values) {
  return list([&] {
    int64_t value = 0;
    if (!integer(value) || value < 0)
      return false;
    values.push_back(value);
    return true;
  });
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

std::string quoteJson(std::string_view text) {
  std::string quoted = "\"";
  for (char c : text) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    if (c == '"' || c == '\\')
      quoted += '\\';
    if (static_cast<uint8_t>(c) < 0x20)
      quoted.append("\\u00").append({kDigits[c >> 4 & 15], kDigits[c & 15]});
    else
      quoted += c;
  }
  return quoted + '"';
}

} // namespace mlir::ks
