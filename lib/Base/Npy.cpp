//===- Npy.cpp - The header of NumPy's array files ------------------------===//
//
// The dictionary is parsed by hand: three known keys, each once, whose values
// are a string, True or False, and a tuple of integers.
//
//===----------------------------------------------------------------------===//

#include "Npy.h"
#include "Bytes.h"

#include <charconv>

namespace mlir::ks {

namespace {
struct Spelling {
  DType type;
  std::string_view text;
};
constexpr Spelling kSpellings[] = {
    {DType::F64, "<f8"}, {DType::F32, "<f4"},  {DType::F16, "<f2"},
    {DType::I64, "<i8"}, {DType::I32, "<i4"},  {DType::I16, "<i2"},
    {DType::I8, "|i1"},  {DType::Bool, "|b1"}, {DType::C64, "<c8"},
};
constexpr std::string_view kMagic = "\x93NUMPY";
constexpr uint64_t kMaxHeader = 1 << 20;
constexpr size_t kMaxRank = 64; // NumPy's own limit.

/// Reads the literal `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 5),
/// }`.
class DictParser {
public:
  explicit DictParser(std::string_view text) : rest(text) {}

  Status parse(NpyHeader &header) {
    if (!eat('{'))
      return malformed();
    bool seen[3] = {};
    while (!eat('}')) {
      std::string_view key;
      if (!string(key) || !eat(':'))
        return malformed();
      int which = key == "descr"           ? 0
                  : key == "fortran_order" ? 1
                  : key == "shape"         ? 2
                                           : -1;
      if (which < 0 || seen[which])
        return malformed();
      seen[which] = true;
      Status status =
          which == 0   ? type(header.dtype)
          : which == 1 ? (boolean(header.fortranOrder) ? Status() : malformed())
                       : (tuple(header.shape) ? Status() : malformed());
      if (!status)
        return status;
      if (!eat(',') && !peek('}'))
        return malformed();
    }
    skipSpace();
    if (!rest.empty() || !seen[0] || !seen[1] || !seen[2])
      return malformed();
    return {};
  }

private:
  Status malformed() const { return Error{"its npy header is malformed"}; }

  void skipSpace() {
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\n'))
      rest.remove_prefix(1);
  }
  bool peek(char c) {
    skipSpace();
    return !rest.empty() && rest.front() == c;
  }
  bool eat(char c) {
    if (!peek(c))
      return false;
    rest.remove_prefix(1);
    return true;
  }
  bool word(std::string_view text) {
    skipSpace();
    if (rest.substr(0, text.size()) != text)
      return false;
    rest.remove_prefix(text.size());
    return true;
  }
  bool string(std::string_view &value) {
    skipSpace();
    if (rest.empty() || (rest.front() != '\'' && rest.front() != '"'))
      return false;
    size_t end = rest.find(rest.front(), 1);
    if (end == std::string_view::npos)
      return false;
    value = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    return true;
  }
  bool boolean(bool &value) {
    value = word("True");
    return value || word("False");
  }
  bool tuple(std::vector<int64_t> &shape) {
    if (!eat('('))
      return false;
    while (!eat(')')) {
      skipSpace();
      int64_t dim = 0;
      auto [end, code] =
          std::from_chars(rest.data(), rest.data() + rest.size(), dim);
      if (code != std::errc() || dim < 0 || shape.size() == kMaxRank)
        return false;
      rest.remove_prefix(static_cast<size_t>(end - rest.data()));
      shape.push_back(dim);
      if (!eat(',') && !peek(')'))
        return false;
    }
    return true;
  }
  Status type(DType &value) {
    if (peek('[')) // A record type: a list of fields.
      return Error{"records are not supported as elements"};
    std::string_view text;
    if (!string(text))
      return malformed();
    for (const Spelling &spelling : kSpellings) {
      if (spelling.text != text)
        continue;
      value = spelling.type;
      return {};
    }
    return Error{"element type '" + std::string(text) + "' is not supported"};
  }

  std::string_view rest;
};
} // namespace

Result<NpyHeader>
readNpyHeader(const std::function<Status(void *, size_t)> &read,
              uint64_t available) {
  // Magic, version (two bytes) and the header's length (two bytes, or four from
  // version 2 on).
  std::string start(kMagic.size() + 2, '\0');
  if (Status status = read(start.data(), start.size()); !status)
    return status.takeError();
  if (std::string_view(start).substr(0, kMagic.size()) != kMagic)
    return Error{"it is not an npy array"};
  unsigned version = static_cast<uint8_t>(start[kMagic.size()]);
  if (version < 1 || version > 3)
    return Error{"npy version " + std::to_string(version) +
                 " is not supported"};
  std::string lengthBytes(version == 1 ? 2 : 4, '\0');
  if (Status status = read(lengthBytes.data(), lengthBytes.size()); !status)
    return status.takeError();
  uint64_t length = version == 1 ? get<uint16_t>(lengthBytes, 0)
                                 : get<uint32_t>(lengthBytes, 0);
  uint64_t prefix = start.size() + lengthBytes.size();
  if (length > kMaxHeader || prefix + length > available)
    return Error{"it is cut short"};
  std::string text(length, '\0');
  if (Status status = read(text.data(), text.size()); !status)
    return status.takeError();

  NpyHeader header;
  if (Status status = DictParser(text).parse(header); !status)
    return status.takeError();
  std::optional<int64_t> count = numElements(header.shape);
  if (!count ||
      __builtin_mul_overflow(uint64_t(*count), byteWidth(header.dtype),
                             &header.bytes) ||
      header.bytes != available - prefix - length)
    return Error{"it holds " + std::to_string(available - prefix - length) +
                 " bytes of data, which is not the size of " +
                 describe(header.dtype, header.shape)};
  return header;
}

Result<std::string> writeNpyHeader(DType dtype,
                                   const std::vector<int64_t> &shape) {
  std::string_view type;
  for (const Spelling &spelling : kSpellings)
    if (spelling.type == dtype)
      type = spelling.text;
  if (type.empty())
    return Error{"npy has no element type " + std::string(name(dtype))};
  std::string dict = "{'descr': '" + std::string(type) +
                     "', 'fortran_order': False, 'shape': (";
  for (size_t i = 0; i < shape.size(); ++i)
    dict += (i ? " " : "") + std::to_string(shape[i]) +
            (shape.size() == 1 || i + 1 < shape.size() ? "," : "");
  dict += "), }";
  // Spaces and a line end bring the data to a multiple of 64 bytes.
  bool small = kMagic.size() + 4 + dict.size() + 64 <= 0xffff;
  size_t prefix = kMagic.size() + (small ? 4 : 6);
  size_t total = (prefix + dict.size() + 1 + 63) / 64 * 64;
  std::string text(kMagic);
  text += small ? '\1' : '\2';
  text += '\0';
  if (small)
    put16(text, static_cast<uint16_t>(total - prefix));
  else
    put32(text, static_cast<uint32_t>(total - prefix));
  text += dict;
  text.append(total - text.size() - 1, ' ');
  return text + '\n';
}

} // namespace mlir::ks
