//===- File.cpp - Reading files, and writing them in one step -------------===//
//
// Over POSIX. A file is written under a temporary name in its own folder,
// flushed to disk and renamed, so that no reader and no crash ever sees half of
// it.
//
//===----------------------------------------------------------------------===//

#include "ks/Base/File.h"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mlir::ks {

static Error systemError(const std::string &what, const std::string &path,
                         int code = errno) {
  return Error{"cannot " + what + " '" + path + "': " + std::strerror(code)};
}

//===----------------------------------------------------------------------===//
// InputFile
//===----------------------------------------------------------------------===//

InputFile::InputFile(std::string name, int fd, uint64_t bytes)
    : name(std::move(name)), fd(fd), bytes(bytes) {}

InputFile::InputFile(InputFile &&other) noexcept
    : name(std::move(other.name)), fd(other.fd), bytes(other.bytes),
      memory(other.memory) {
  other.fd = -1;
}

InputFile::~InputFile() {
  if (fd >= 0)
    ::close(fd);
}

Result<InputFile> InputFile::open(const std::string &path) {
  // Not blocking, so that a pipe is refused below instead of waited for.
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return systemError("open", path);
  InputFile file(path, fd, 0);
  struct stat info;
  if (::fstat(fd, &info) != 0)
    return systemError("open", path);
  if (!S_ISREG(info.st_mode))
    return Error{"cannot open '" + path + "': not a regular file"};
  file.bytes = static_cast<uint64_t>(info.st_size);
  return Result<InputFile>(std::move(file));
}

InputFile InputFile::fromMemory(std::string name, std::string_view contents) {
  InputFile file(std::move(name), -1, contents.size());
  file.memory = contents.data();
  return file;
}

Status InputFile::readAt(uint64_t offset, void *to, size_t count) const {
  if (offset > bytes || count > bytes - offset)
    return Error{"cannot read '" + name + "': the file ends at byte " +
                 std::to_string(bytes)};
  if (fd < 0) {
    if (count)
      std::memcpy(to, memory + offset, count);
    return {};
  }
  char *next = static_cast<char *>(to);
  while (count) {
    ssize_t got = ::pread(fd, next, count, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return systemError("read", name);
    if (got == 0)
      return Error{"cannot read '" + name +
                   "': the file was cut short while it was read"};
    next += got;
    offset += static_cast<uint64_t>(got);
    count -= static_cast<size_t>(got);
  }
  return {};
}

Result<std::string> readFile(const std::string &path) {
  Result<InputFile> file = InputFile::open(path);
  if (!file)
    return file.takeError();
  std::string contents(file->size(), '\0');
  if (Status status = file->readAt(0, contents.data(), contents.size());
      !status)
    return status.takeError();
  return contents;
}

//===----------------------------------------------------------------------===//
// OutputFile
//===----------------------------------------------------------------------===//

OutputFile::OutputFile(std::string name, std::string target,
                       std::string temporary, int fd)
    : name(std::move(name)), target(std::move(target)),
      temporary(std::move(temporary)), fd(fd) {}

OutputFile::OutputFile(OutputFile &&other) noexcept
    : name(std::move(other.name)), target(std::move(other.target)),
      temporary(std::move(other.temporary)), fd(other.fd) {
  other.fd = -1;
  other.temporary.clear();
}

OutputFile::~OutputFile() {
  if (fd >= 0)
    ::close(fd);
  if (!temporary.empty())
    ::unlink(temporary.c_str());
}

/// The part of `path` up to and with its last slash.
static std::string folderOf(const std::string &path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

Result<OutputFile> OutputFile::create(const std::string &path) {
  std::string target = path;
  mode_t mode = 0666;
  struct stat info;
  bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && !S_ISREG(info.st_mode)) {
    int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0)
      return systemError("write", path);
    return OutputFile(path, path, "", fd);
  }
  if (exists) {
    // A file that one may not write is not to be replaced behind one's back.
    if (::access(path.c_str(), W_OK) != 0)
      return systemError("write", path);
    mode = info.st_mode & 07777;
    if (char *real = ::realpath(path.c_str(), nullptr)) {
      target = real;
      std::free(real);
    }
  }
  for (int attempt = 0; attempt < 100; ++attempt) {
    uint32_t random = 0;
    if (::getrandom(&random, sizeof random, 0) != sizeof random)
      random = static_cast<uint32_t>(::getpid()) * 100 +
               static_cast<uint32_t>(attempt);
    std::string temporary =
        folderOf(target) + ".ks-" + std::to_string(random) + ".tmp";
    int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                    mode);
    if (fd >= 0) {
      if (exists)
        ::fchmod(fd, mode); // The mask may have taken bits away.
      return OutputFile(path, target, temporary, fd);
    }
    if (errno != EEXIST)
      break;
  }
  return systemError("write", path);
}

Status OutputFile::write(const void *from, size_t count) {
  const char *next = static_cast<const char *>(from);
  while (count) {
    ssize_t done = ::write(fd, next, count);
    if (done < 0 && errno == EINTR)
      continue;
    if (done < 0)
      return systemError("write", name);
    next += done;
    count -= static_cast<size_t>(done);
  }
  return {};
}

Status OutputFile::commit(bool durable) {
  bool direct = temporary.empty();
  if (!direct && durable && ::fsync(fd) != 0)
    return systemError("write", name);
  // Some file systems tell of a full disk only here.
  int closed = ::close(std::exchange(fd, -1));
  if (closed != 0)
    return systemError("write", name);
  if (direct)
    return {};
  if (::rename(temporary.c_str(), target.c_str()) != 0)
    return systemError("write", name);
  temporary.clear();
  if (!durable)
    return {};
  // The name lives in the folder: without this a crash may bring the old file
  // back.
  std::string folder = folderOf(target);
  int folderFd = ::open(folder.empty() ? "." : folder.c_str(),
                        O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folderFd >= 0) {
    ::fsync(folderFd); // Not every file system can; the file itself is whole.
    ::close(folderFd);
  }
  return {};
}

Status writeFile(const std::string &path, std::string_view contents,
                 bool durable) {
  Result<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  if (Status status = file->write(contents); !status)
    return status;
  return file->commit(durable);
}

} // namespace mlir::ks
