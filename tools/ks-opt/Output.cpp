//===- Output.cpp - Output files that are whole or not there --------------===//
//
// A tool's result goes to a temporary file that takes the final name when every
// byte is written. Pipes and devices are written directly.
//
//===----------------------------------------------------------------------===//
#include "Tools.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace fs = llvm::sys::fs;

static bool complain(llvm::raw_ostream &errors, llvm::StringRef path,
                     const llvm::Twine &why) {
  errors << "error: cannot write '" << path << "': " << why << "\n";
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
  fs::file_status status;
  if (!fs::status(path, status) && !fs::is_regular_file(status)) {
    std::error_code error;
    llvm::raw_fd_ostream out(path, error);
    if (error)
      return complain(errors, path, error.message());
    std::string why = finish(out, text);
    return why.empty() || complain(errors, path, why);
  }

  // A link keeps pointing at its file.
  llvm::SmallString<128> target(path);
  if (fs::exists(path))
    (void)fs::real_path(path, target);
  auto temporary = fs::TempFile::create(target + ".%%%%%%.tmp",
                                        fs::all_read | fs::all_write);
  if (!temporary)
    return complain(errors, path, llvm::toString(temporary.takeError()));
  llvm::raw_fd_ostream out(temporary->FD, /*shouldClose=*/false);
  if (std::string why = finish(out, text); !why.empty()) {
    llvm::consumeError(temporary->discard());
    return complain(errors, path, why);
  }
  if (llvm::Error error = temporary->keep(target))
    return complain(errors, path, llvm::toString(std::move(error)));
  return true;
}
