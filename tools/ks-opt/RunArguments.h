//===- RunArguments.h - Where a run's arguments come from -------*- C++ -*-===//
//
// Argument K is `argK` of the file of arguments, or the array of its name in
// the model there or in the file of weights; without a file of arguments, what
// is left is random.
//
//===----------------------------------------------------------------------===//
#ifndef KS_TOOLS_RUNARGUMENTS_H
#define KS_TOOLS_RUNARGUMENTS_H

#include "ks/Base/LaunchPlan.h"
#include "ks/Base/TensorFile.h"

#include <map>
#include <string>
#include <vector>

namespace mlir::ks {

class RunArguments {
public:
  /// Reads the files; an empty path is none.
  static Result<RunArguments> open(const std::string &arguments,
                                   const std::string &weights, uint64_t seed);

  /// True if no argument comes from a file.
  bool random() const { return !arguments.given && !weights.given; }
  /// The first plan whose shapes the files' arrays have.
  Result<size_t> choose(const std::vector<LaunchPlan> &variants) const;
  /// The arguments of `plan`. Integers that are drawn lie below `indexRange`.
  /// Arrays of files are moved out, so that this can be done again only where
  /// all is random.
  Result<std::vector<Tensor>> make(const LaunchPlan &plan, int64_t indexRange);

private:
  struct File {
    bool given = false;
    std::string path;
    std::map<std::string, Tensor> tensors;
  };
  /// An array and where it was found.
  struct Found {
    const Tensor *tensor = nullptr;
    const File *file = nullptr;
    std::string name;
  };
  static Status read(const std::string &path, File &file);
  Result<Found> find(const LaunchPlan &plan, size_t input) const;
  Status checkNumbers(const LaunchPlan &plan) const;

  File arguments, weights;
  uint64_t seed = 0;
};

} // namespace mlir::ks

#endif // KS_TOOLS_RUNARGUMENTS_H
