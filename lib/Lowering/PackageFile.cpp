//===- PackageFile.cpp - Writes the package of a lowered module -----------===//
//
// The launch plan that the module holds, as a file that runs without LLVM.
//
//===----------------------------------------------------------------------===//

#include "ks/Base/Package.h"
#include "ks/Lowering/Lowering.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::ks;

static LogicalResult fail(Location loc, const std::string &message) {
  return emitError(loc, "package: ") << message;
}

LogicalResult mlir::ks::checkPackagePath(Location loc, StringRef path) {
  // Made and dropped: a place that cannot be written is told before the work.
  Result<OutputFile> file = OutputFile::create(path.str());
  return file ? success() : fail(loc, file.error());
}

LogicalResult mlir::ks::writePackageFile(ModuleOp module, StringRef path) {
  Location loc = module.getLoc();
  FailureOr<LaunchPlan> plan = planFromModule(module);
  if (failed(plan))
    return failure();
  Package package;
  package.producer = "ks-opt " KS_VERSION;
  package.variants.push_back(std::move(*plan));
  Result<OutputFile> file = OutputFile::create(path.str());
  if (!file)
    return fail(loc, file.error());
  if (Status status = writePackage(*file, package); !status)
    return fail(loc, status.error());
  if (Status status = file->commit(); !status)
    return fail(loc, status.error());
  return success();
}
