//===- Output.cpp - Output files that are whole or not there --------------===//
//
// A tool's result goes to a temporary file that takes the final name when every
// byte is written. Pipes and devices are written directly.
//
//===----------------------------------------------------------------------===//
#include "Tools.h"

#include "ks/Base/File.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace fs = llvm::sys::fs;

static bool complain(llvm::raw_ostream &errors, llvm::StringRef path,
                     const llvm::Twine &why) {
  errors << "error: cannot write '" << path << "': " << why << "\n";
  return false;
}

static bool say(llvm::raw_ostream &errors, const std::string &message) {
  errors << "error: " << message << "\n";
  return false;
}

/// Flushes `out`; an error stays in the message and not in the stream, whose
/// destructor would end the process.
static std::string finish(llvm::raw_fd_ostream &out, llvm::StringRef text) {
  out << text;
  out.flush();
  std::string why = out.has_error() ? out.error().message() : "";
  out.clear_error();
  return why;
}

bool mlir::ks::checkOutput(StringRef path, llvm::raw_ostream &errors) {
  if (path == "-")
    return true;
  if (fs::is_directory(path))
    return complain(errors, path, "it is a folder");
  StringRef folder = llvm::sys::path::parent_path(path);
  if (folder.empty())
    folder = ".";
  if (!fs::is_directory(folder))
    return complain(errors, path, "no such folder");
  fs::file_status status;
  bool special = !fs::status(path, status) && !fs::is_regular_file(status);
  if (std::error_code error =
          fs::access(special ? path : folder, fs::AccessMode::Write))
    return complain(errors, path, error.message());
  return true;
}

bool mlir::ks::writeOutput(StringRef path, StringRef text,
                           llvm::raw_ostream &errors) {
  if (path == "-") {
    std::string why = finish(llvm::outs(), text);
    return why.empty() || complain(errors, "<stdout>", why);
  }
  Result<OutputFile> file = OutputFile::create(path.str());
  if (!file)
    return say(errors, file.error());
  if (Status status = file->write(text); !status)
    return say(errors, status.error());
  if (Status status = file->commit(); !status)
    return say(errors, status.error());
  return true;
}
