//===- RunFolder.cpp - The folder that one run writes into ----------------===//
//
// mkdir() is what makes a name unique: of two processes only one creates it.
//
//===----------------------------------------------------------------------===//

#include "ks/Support/RunFolder.h"
#include "ks/Base/File.h"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <sys/stat.h>

namespace mlir::ks {

static Error cannotCreate(const std::string &path, int code) {
  return Error{"cannot create folder '" + path + "': " + std::strerror(code)};
}

Status makeFolders(const std::string &path) {
  if (path.empty())
    return {};
  for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    std::string folder = path.substr(0, slash);
    struct stat info;
    if (::mkdir(folder.c_str(), 0777) != 0) {
      int code = errno;
      if (code != EEXIST && ::stat(folder.c_str(), &info) != 0)
        return cannotCreate(folder, code);
      if (::stat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode))
        return cannotCreate(folder, ENOTDIR);
    }
    if (slash == std::string::npos)
      return {};
  }
}

/// The local time, "20260131-235959".
static std::string timeStamp() {
  std::time_t now = std::time(nullptr);
  std::tm local = {};
  ::localtime_r(&now, &local);
  char text[32];
  size_t length = std::strftime(text, sizeof text, "%Y%m%d-%H%M%S", &local);
  return std::string(text, length);
}

Result<RunFolder> RunFolder::create(const std::string &parent) {
  std::string base = parent.empty() ? "." : parent;
  if (Status status = makeFolders(base); !status)
    return status.takeError();
  constexpr int kMost = 10; // One digit: the names sort.
  for (;;) {
    std::string stamp = timeStamp();
    for (int i = 0; i < kMost; ++i) {
      std::string path = base + "/" + stamp + "-" + std::to_string(i);
      if (::mkdir(path.c_str(), 0777) == 0)
        return RunFolder(path);
      if (errno != EEXIST)
        return cannotCreate(path, errno);
    }
    // Ten runs within this second: wait for the next one.
    timespec pause = {0, 100'000'000};
    ::nanosleep(&pause, nullptr);
  }
}

std::string RunFolder::name() const {
  return folder.substr(folder.rfind('/') + 1);
}

std::string RunFolder::file(std::string_view relative) const {
  return folder + "/" + std::string(relative);
}

Result<std::string> RunFolder::makeFolder(std::string_view relative) const {
  std::string path = file(relative);
  if (Status status = makeFolders(path); !status)
    return status.takeError();
  return path;
}

Status RunFolder::write(std::string_view relative, std::string_view contents,
                        bool durable) const {
  return writeFile(file(relative), contents, durable);
}

} // namespace mlir::ks
