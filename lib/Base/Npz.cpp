//===- Npz.cpp - NumPy's archives of arrays -------------------------------===//
//
// An npz file is a zip archive with one npy file for each array, named after
// it.
//
//===----------------------------------------------------------------------===//

#include "Formats.h"
#include "Npy.h"
#include "Zip.h"

#include <cstring>
#include <set>

namespace mlir::ks {

static constexpr std::string_view kSuffix = ".npy";

/// Puts the elements of a column-major tensor into row-major order.
static void reorderFortran(Tensor &tensor) {
  size_t rank = tensor.shape.size(), width = byteWidth(tensor.dtype);
  if (rank < 2 || tensor.bytes.empty())
    return;
  std::vector<uint8_t> columns = std::move(tensor.bytes);
  tensor.bytes.assign(columns.size(), 0);
  std::vector<int64_t> index(rank, 0), stride(rank, 1);
  for (size_t d = 1; d < rank; ++d)
    stride[d] = stride[d - 1] * tensor.shape[d - 1];
  int64_t from = 0;
  for (size_t to = 0; to < columns.size(); to += width) {
    std::memcpy(&tensor.bytes[to], &columns[static_cast<size_t>(from) * width],
                width);
    for (size_t d = rank; d-- > 0;) {
      from += stride[d];
      if (++index[d] < tensor.shape[d])
        break;
      from -= stride[d] * tensor.shape[d];
      index[d] = 0;
    }
  }
}

static Result<Tensor> readMember(const InputFile &file,
                                 const ZipMember &member) {
  ZipReader reader(file, member);
  Result<NpyHeader> header = readNpyHeader(
      [&](void *to, size_t count) { return reader.read(to, count); },
      member.size);
  if (!header)
    return header.takeError();
  Tensor tensor{header->dtype, std::move(header->shape), {}};
  if (Status status = allocate(tensor, header->bytes); !status)
    return status.takeError();
  if (Status status = reader.read(tensor.bytes.data(), tensor.bytes.size());
      !status)
    return status.takeError();
  if (Status status = reader.finish(); !status)
    return status.takeError();
  if (header->fortranOrder)
    reorderFortran(tensor);
  normalizeBools(tensor);
  return tensor;
}

Result<NamedTensors> readNpz(const InputFile &file) {
  Result<std::vector<ZipMember>> members = readZipDirectory(file);
  if (!members)
    return members.takeError();
  NamedTensors tensors;
  std::set<std::string> names;
  for (const ZipMember &member : *members) {
    std::string name = member.name;
    if (name.size() < kSuffix.size() ||
        name.compare(name.size() - kSuffix.size(), kSuffix.size(), kSuffix) !=
            0)
      return Error{"member '" + name + "' is not an npy array"};
    name.resize(name.size() - kSuffix.size());
    Result<Tensor> tensor = readMember(file, member);
    if (!tensor)
      return Error{"array '" + name + "': " + tensor.error()};
    if (!names.insert(name).second)
      return Error{"two arrays are named '" + name + "'"};
    tensors.emplace_back(std::move(name), std::move(*tensor));
  }
  return tensors;
}

Status writeNpz(OutputFile &file, const NamedTensors &tensors, bool deflated) {
  ZipWriter writer(file);
  for (const auto &[name, tensor] : tensors) {
    Result<std::string> header = writeNpyHeader(tensor.dtype, tensor.shape);
    if (!header)
      return Error{"cannot write array '" + name +
                   "' as npz: " + header.error() + " (use .safetensors)"};
    if (name.size() > 0xff00)
      return Error{"cannot write an array with a name of " +
                   std::to_string(name.size()) + " bytes"};
    if (Status status = writer.add(name + std::string(kSuffix), *header,
                                   tensor.bytes, deflated);
        !status)
      return status;
  }
  return writer.finish();
}

} // namespace mlir::ks
