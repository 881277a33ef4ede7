//===- PackageFile.cpp - Writes the package of a lowered module -----------===//
//
// The launch plan that the module holds, as a file that runs without LLVM, or
// as one more program of such a file.
//
//===----------------------------------------------------------------------===//

#include "ks/Base/Package.h"
#include "ks/Lowering/Lowering.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace mlir::ks;

static LogicalResult fail(Location loc, const std::string &message) {
  return emitError(loc, "package: ") << message;
}

/// The package to which a program is added: that of the file, or a new one.
static Result<Package> openPackage(const PackageOptions &options) {
  Package package;
  package.producer = "ks-opt " KS_VERSION;
  if (!options.append || !llvm::sys::fs::exists(options.path))
    return package;
  Result<InputFile> file = InputFile::open(options.path);
  if (!file)
    return file.takeError();
  Result<Package> existing = readPackage(*file);
  if (!existing)
    return existing.takeError();
  package.variants = std::move(existing->variants);
  return package;
}

static bool takeSameShapes(const LaunchPlan &a, const LaunchPlan &b) {
  return llvm::equal(a.inputs, b.inputs,
                     [](const BufferDesc &x, const BufferDesc &y) {
                       return x.shape == y.shape;
                     });
}

LogicalResult mlir::ks::checkPackage(Location loc,
                                     const PackageOptions &options) {
  if (Result<Package> package = openPackage(options); !package)
    return fail(loc, package.error());
  // Made and dropped: a place that cannot be written is told before the work.
  Result<OutputFile> file = OutputFile::create(options.path);
  return file ? success() : fail(loc, file.error());
}

LogicalResult mlir::ks::writePackageFile(ModuleOp module,
                                         const PackageOptions &options) {
  Location loc = module.getLoc();
  FailureOr<LaunchPlan> plan = planFromModule(module);
  if (failed(plan))
    return failure();
  Result<Package> package = openPackage(options);
  if (!package)
    return fail(loc, package.error());
  llvm::erase_if(package->variants, [&](const LaunchPlan &variant) {
    return takeSameShapes(variant, *plan);
  });
  package->variants.push_back(std::move(*plan));
  Result<OutputFile> file = OutputFile::create(options.path);
  if (!file)
    return fail(loc, file.error());
  if (Status status = writePackage(*file, *package); !status)
    return fail(loc, status.error());
  if (Status status = file->commit(); !status)
    return fail(loc, status.error());
  return success();
}
