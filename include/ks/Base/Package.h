//===- Package.h - Compiled programs in one file ----------------*- C++ -*-===//
//
// A package is a zip archive of stored members: manifest.json, and for each
// variant N of the program, which takes inputs of shapes of its own,
// N/plan.json and the code: N/kernels.cubin, N/kernels.ptx, N/host.o, as far as
// there is any. docs/Runtime.md describes the members.
//
// A package is untrusted: all that it says about sizes and places is checked
// when it is read, see validate(). Its code is not, and cannot be.
//
//===----------------------------------------------------------------------===//
#ifndef KS_BASE_PACKAGE_H
#define KS_BASE_PACKAGE_H

#include "ks/Base/File.h"
#include "ks/Base/LaunchPlan.h"

#include <string>
#include <string_view>
#include <vector>

namespace mlir::ks {

struct Package {
  std::string producer; ///< "ks-opt 0.1.0"
  std::vector<LaunchPlan> variants;
};

/// Reads and checks a package. Errors name the file and the member.
Result<Package> readPackage(const InputFile &file);

/// Writes a package to `file`, which the caller commits. An error if a plan is
/// not valid, or two variants take the same shapes.
Status writePackage(OutputFile &file, const Package &package);

/// True if the file begins as a package does.
bool looksLikePackage(const InputFile &file);

/// A plan without its code as JSON, and back; the reader does not validate().
std::string planToJson(const LaunchPlan &plan);
Result<LaunchPlan> planFromJson(std::string_view text);

} // namespace mlir::ks

#endif // KS_BASE_PACKAGE_H
