//===- RunFolder.h - The folder that one run writes into --------*- C++ -*-===//
//
// Every run leaves what it did in a folder of its own, `<parent>/<run>`. Names
// sort by time and never repeat, also between processes that start at once.
//
//===----------------------------------------------------------------------===//
#ifndef KS_SUPPORT_RUNFOLDER_H
#define KS_SUPPORT_RUNFOLDER_H

#include "ks/Base/Result.h"

#include <string>
#include <string_view>

namespace mlir::ks {

class RunFolder {
public:
  /// Creates `parent` if need be and in it a new folder named after the time,
  /// "20260131-235959-0", the last number counting up if that is taken.
  static Result<RunFolder> create(const std::string &parent);

  const std::string &path() const { return folder; }
  /// The folder's own name, which identifies the run.
  std::string name() const;
  /// The path of `relative` within the folder.
  std::string file(std::string_view relative) const;
  /// Creates the folder `relative` with its parents and gives its path.
  Result<std::string> makeFolder(std::string_view relative) const;
  /// Writes the file `relative`, whole or not at all; its folder must exist.
  /// Waits for the disk only if `durable`.
  Status write(std::string_view relative, std::string_view contents,
               bool durable = false) const;

private:
  explicit RunFolder(std::string folder) : folder(std::move(folder)) {}
  std::string folder;
};

/// Creates `path` and every folder above it that is missing.
Status makeFolders(const std::string &path);

} // namespace mlir::ks

#endif // KS_SUPPORT_RUNFOLDER_H
