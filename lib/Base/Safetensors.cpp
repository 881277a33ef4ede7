//===- Safetensors.cpp - The safetensors format ---------------------------===//
//
// A length (8 bytes), a JSON object that gives each tensor's type, shape and
// place, then the tensors' bytes, without gaps. The reader takes that subset of
// JSON that the format allows and nothing else:
// https://github.com/huggingface/safetensors#format
//
//===----------------------------------------------------------------------===//

#include "Bytes.h"
#include "Formats.h"
#include "JsonReader.h"

#include <algorithm>
#include <numeric>

namespace mlir::ks {

namespace {
struct Spelling {
  DType type;
  std::string_view text;
};
constexpr Spelling kSpellings[] = {
    {DType::F64, "F64"},   {DType::F32, "F32"}, {DType::F16, "F16"},
    {DType::BF16, "BF16"}, {DType::I64, "I64"}, {DType::I32, "I32"},
    {DType::I16, "I16"},   {DType::I8, "I8"},   {DType::Bool, "BOOL"},
    {DType::C64, "C64"},
};
constexpr uint64_t kMaxHeader = 100'000'000; // The format's own limit.

/// One tensor of the header.
struct Item {
  std::string name;
  Tensor tensor; ///< Without its bytes.
  uint64_t begin = 0, end = 0;
};
} // namespace

static Error malformed(const JsonReader &json) {
  return Error{"its header is malformed at byte " +
               std::to_string(json.where())};
}

static Status readType(JsonReader &json, DType &type) {
  std::string text;
  if (!json.string(text))
    return malformed(json);
  for (const Spelling &spelling : kSpellings) {
    if (spelling.text != text)
      continue;
    type = spelling.type;
    return {};
  }
  return Error{"element type '" + text + "' is not supported"};
}

/// Reads `{"dtype": "F32", "shape": [3, 5], "data_offsets": [0, 60]}`.
static Status readItem(JsonReader &json, Item &item) {
  bool seen[3] = {};
  std::vector<int64_t> offsets;
  Status status;
  bool parsed = json.object([&](const std::string &key) {
    int which = key == "dtype"          ? 0
                : key == "shape"        ? 1
                : key == "data_offsets" ? 2
                                        : -1;
    if (which < 0 || std::exchange(seen[which], true))
      return false;
    if (which == 0) {
      status = readType(json, item.tensor.dtype);
      return static_cast<bool>(status);
    }
    return json.integers(which == 1 ? item.tensor.shape : offsets);
  });
  if (!status)
    return status;
  if (!parsed || !seen[0] || !seen[1] || !seen[2] || offsets.size() != 2 ||
      offsets[0] > offsets[1])
    return malformed(json);
  item.begin = static_cast<uint64_t>(offsets[0]);
  item.end = static_cast<uint64_t>(offsets[1]);
  std::optional<int64_t> count = numElements(item.tensor.shape);
  uint64_t bytes = 0;
  if (!count ||
      __builtin_mul_overflow(uint64_t(*count), byteWidth(item.tensor.dtype),
                             &bytes) ||
      bytes != item.end - item.begin)
    return Error{"it holds " + std::to_string(item.end - item.begin) +
                 " bytes of data, which is not the size of " +
                 describe(item.tensor.dtype, item.tensor.shape)};
  return {};
}

static Status readHeader(std::string_view text, std::vector<Item> &items) {
  JsonReader json(text);
  Status status;
  bool parsed = json.object([&](const std::string &key) {
    if (key == "__metadata__")
      return json.object([&](const std::string &) {
        std::string ignored;
        return json.string(ignored);
      });
    Item item;
    item.name = key;
    if (Status itemStatus = readItem(json, item); !itemStatus)
      status = Error{"array '" + key + "': " + itemStatus.error()};
    items.push_back(std::move(item));
    return static_cast<bool>(status);
  });
  if (!status)
    return status;
  if (!parsed || !json.atEnd())
    return malformed(json);
  return {};
}

/// The order in which the items' bytes lie in the file; an error if they do not
/// fill `size` bytes without gaps, or two have one name.
static Status checkLayout(const std::vector<Item> &items, uint64_t size) {
  std::vector<const Item *> order;
  for (const Item &item : items)
    order.push_back(&item);
  std::sort(order.begin(), order.end(),
            [](const Item *a, const Item *b) { return a->name < b->name; });
  for (size_t i = 1; i < order.size(); ++i)
    if (order[i]->name == order[i - 1]->name)
      return Error{"two arrays are named '" + order[i]->name + "'"};
  std::sort(order.begin(), order.end(), [](const Item *a, const Item *b) {
    return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
  });
  uint64_t position = 0;
  for (const Item *item : order) {
    if (item->begin != position)
      return Error{"array '" + item->name + "': its data begins at byte " +
                   std::to_string(item->begin) + " instead of " +
                   std::to_string(position)};
    position = item->end;
    if (position > size)
      return Error{"array '" + item->name + "': it is cut short"};
  }
  if (position != size)
    return Error{std::to_string(size - position) +
                 " bytes follow the last array"};
  return {};
}

Result<NamedTensors> readSafetensors(const InputFile &file) {
  Error notOne{"neither an npz nor a safetensors file"};
  std::string lengthBytes(8, '\0');
  if (file.size() < lengthBytes.size())
    return notOne;
  if (Status status = file.readAt(0, lengthBytes.data(), lengthBytes.size());
      !status)
    return status.takeError();
  uint64_t length = get<uint64_t>(lengthBytes, 0);
  uint64_t available = file.size() - lengthBytes.size();
  if (length > kMaxHeader || length < 2)
    return notOne;
  if (length > available)
    return Error{"its safetensors header is cut short"};
  std::string header(length, '\0');
  if (Status status = file.readAt(lengthBytes.size(), header.data(), length);
      !status)
    return status.takeError();
  if (header.front() != '{')
    return notOne;
  std::vector<Item> items;
  if (Status status = readHeader(header, items); !status)
    return status.takeError();
  if (Status status = checkLayout(items, available - length); !status)
    return status.takeError();

  NamedTensors tensors;
  for (Item &item : items) {
    Status status = allocate(item.tensor, item.end - item.begin);
    if (status)
      status = file.readAt(lengthBytes.size() + length + item.begin,
                           item.tensor.bytes.data(), item.tensor.bytes.size());
    if (!status)
      return Error{"array '" + item.name + "': " + status.error()};
    normalizeBools(item.tensor);
    tensors.emplace_back(std::move(item.name), std::move(item.tensor));
  }
  return tensors;
}

Status writeSafetensors(OutputFile &file, const NamedTensors &tensors) {
  // Wide elements first, as the format's own library does: then all are
  // aligned.
  std::vector<size_t> order(tensors.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    size_t widthA = byteWidth(tensors[a].second.dtype),
           widthB = byteWidth(tensors[b].second.dtype);
    return widthA != widthB ? widthA > widthB : a < b;
  });
  std::vector<uint64_t> begin(tensors.size());
  uint64_t position = 0;
  for (size_t i : order) {
    begin[i] = position;
    position += tensors[i].second.bytes.size();
  }
  std::string header = "{";
  for (size_t i = 0; i < tensors.size(); ++i) {
    const auto &[name, tensor] = tensors[i];
    std::string_view type;
    for (const Spelling &spelling : kSpellings)
      if (spelling.type == tensor.dtype)
        type = spelling.text;
    header.append(i ? "," : "")
        .append(quoteJson(name))
        .append(":{\"dtype\":\"")
        .append(type);
    header += "\",\"shape\":[";
    for (size_t d = 0; d < tensor.shape.size(); ++d)
      header += (d ? "," : "") + std::to_string(tensor.shape[d]);
    header += "],\"data_offsets\":[" + std::to_string(begin[i]) + "," +
              std::to_string(begin[i] + tensor.bytes.size()) + "]}";
  }
  header += "}";
  header.append((8 - header.size() % 8) % 8, ' ');
  if (header.size() > kMaxHeader)
    return Error{
        "the names of these arrays are too long for a safetensors header"};
  std::string length;
  put64(length, header.size());
  if (Status status = file.write(length + header); !status)
    return status;
  for (size_t i : order) {
    const std::vector<uint8_t> &bytes = tensors[i].second.bytes;
    if (Status status = file.write(bytes.data(), bytes.size()); !status)
      return status;
  }
  return {};
}

} // namespace mlir::ks
