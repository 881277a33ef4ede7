//===- TensorFile.cpp - npz and safetensors files -------------------------===//
//
// Tells the formats apart and adds the file's name to what their readers and
// writers say.
//
//===----------------------------------------------------------------------===//

#include "Formats.h"

#include <set>
#include <unistd.h>

namespace mlir::ks {

Status allocate(Tensor &tensor, uint64_t bytes) {
  uint64_t pages = static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES));
  uint64_t memory = pages * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  if (bytes > memory)
    return Error{"its " + std::to_string(bytes) +
                 " bytes do not fit this machine's memory"};
  tensor.bytes.resize(bytes);
  return {};
}

void normalizeBools(Tensor &tensor) {
  if (tensor.dtype != DType::Bool)
    return;
  for (uint8_t &byte : tensor.bytes)
    byte = byte != 0;
}

Result<NamedTensors> readTensorFile(const std::string &path) {
  Result<InputFile> file = InputFile::open(path);
  if (!file)
    return file.takeError();
  char start[4] = {};
  if (file->size() < sizeof start)
    return Error{"cannot read '" + path +
                 "': neither an npz nor a safetensors file"};
  if (Status status = file->readAt(0, start, sizeof start); !status)
    return status.takeError();
  // Every zip archive with a member begins with "PK\3\4", an empty one with
  // "PK\5\6".
  bool npz = start[0] == 'P' && start[1] == 'K';
  Result<NamedTensors> tensors = npz ? readNpz(*file) : readSafetensors(*file);
  if (!tensors)
    return Error{"cannot read '" + path + "': " + tensors.error()};
  return tensors;
}

static bool endsWith(const std::string &text, std::string_view end) {
  return text.size() >= end.size() &&
         std::string_view(text).substr(text.size() - end.size()) == end;
}

Status writeTensorFile(const std::string &path, const NamedTensors &tensors,
                       bool compressed) {
  bool npz = endsWith(path, ".npz");
  if (!npz && !endsWith(path, ".safetensors"))
    return Error{"cannot write '" + path +
                 "': its name must end in .npz or .safetensors"};
  std::set<std::string_view> names;
  for (const auto &[name, tensor] : tensors)
    if (!names.insert(name).second)
      return Error{"cannot write '" + path + "': two arrays are named '" +
                   name + "'"};
  Result<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  Status status = npz ? writeNpz(*file, tensors, compressed)
                      : writeSafetensors(*file, tensors);
  if (!status)
    return status;
  return file->commit();
}

} // namespace mlir::ks
