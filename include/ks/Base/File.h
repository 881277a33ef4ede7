//===- File.h - Reading files, and writing them in one step -----*- C++ -*-===//
//
// Positioned reads of regular files, and writes that either replace the whole
// file or leave nothing behind. Errors name the file and say what the system
// said.
//
//===----------------------------------------------------------------------===//
#ifndef KS_BASE_FILE_H
#define KS_BASE_FILE_H

#include "ks/Base/Result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mlir::ks {

/// A regular file that is open for reading, or bytes in memory in its place.
class InputFile {
public:
  static Result<InputFile> open(const std::string &path);
  /// `contents` must outlive the result; `name` stands for the path.
  static InputFile fromMemory(std::string name, std::string_view contents);
  InputFile(InputFile &&other) noexcept;
  ~InputFile();

  uint64_t size() const { return bytes; }
  const std::string &path() const { return name; }
  /// Reads exactly `count` bytes at `offset`; fewer there are an error.
  Status readAt(uint64_t offset, void *to, size_t count) const;

private:
  InputFile(std::string name, int fd, uint64_t bytes);
  std::string name;
  int fd;
  uint64_t bytes;
  const char *memory = nullptr;
};

/// A file that appears under its name, complete, when commit() succeeds; until
/// then it lies beside it under a temporary name, which the destructor removes.
/// A path that is not a regular file (a device, a pipe) is written directly; a
/// symbolic link is followed.
class OutputFile {
public:
  static Result<OutputFile> create(const std::string &path);
  OutputFile(OutputFile &&other) noexcept;
  ~OutputFile();

  Status write(const void *from, size_t count);
  Status write(std::string_view text) {
    return write(text.data(), text.size());
  }
  /// With `durable`, returns only when the file is on disk and so outlasts a
  /// crash of the machine.
  Status commit(bool durable = true);

private:
  OutputFile(std::string name, std::string target, std::string temporary,
             int fd);
  std::string name;      ///< As the caller spelt it, for messages.
  std::string target;    ///< After following links.
  std::string temporary; ///< Empty when written directly.
  int fd;
};

/// The whole of a file.
Result<std::string> readFile(const std::string &path);

/// Replaces `path` by `contents`, or changes nothing.
Status writeFile(const std::string &path, std::string_view contents,
                 bool durable = true);

} // namespace mlir::ks

#endif // KS_BASE_FILE_H
