//===- Checker.h - Is it right? ---------------------------------*- C++ -*-===//
//
// The gate's numeric half. The reference runs once for each law of inputs; a
// candidate then runs twice on the same inputs, its outputs and workspace
// filled with a different byte each time, and must agree with the reference,
// with itself, and leave its inputs and everything around its buffers alone.
//
//===----------------------------------------------------------------------===//
#ifndef KS_LIB_EVALUATE_CHECKER_H
#define KS_LIB_EVALUATE_CHECKER_H

#include "ks/Evaluate/Inputs.h"
#include "ks/Evaluate/Trial.h"
#include "ks/Runtime/Executor.h"

#include <map>
#include <memory>

namespace mlir::ks {

/// Elements [first, first + count) of a buffer.
struct Stretch {
  int64_t first = 0;
  int64_t count = 0;
};

/// All of `elements` in stretches, if they are at most `limit`; else stretches
/// of 4096 evenly spread over them, the first and the last element included.
std::vector<Stretch> chooseStretches(int64_t elements, int64_t limit);

/// A fault to be put into a candidate's run, for tests of the gate itself.
enum class Fault { None, Wrong, Partial, Unsteady, Input };

class Checker {
public:
  /// `reference` is a plan in the reference's form; both outlive the checker.
  static Result<std::unique_ptr<Checker>> create(Device &device,
                                                 const LaunchPlan &reference,
                                                 uint64_t seed,
                                                 int64_t maxCompared);

  /// Runs `candidate` on every law. True if it is right; if not, `why` says in
  /// one line what is wrong. An Error is one of the reference or the device.
  Result<bool> check(Executor &candidate, const LaunchPlan &plan,
                     bool deterministic, Fault fault,
                     std::vector<LawCheck> &checks, std::string &why);

private:
  struct Sample {
    Law law;
    uint64_t seed;
  };
  struct Expected {
    Tensor value;
    Tensor bound;
  };
  /// The reference's results for one law: by output, by stretch.
  struct Expectation {
    bool rejected = false;
    int64_t indexRange = 1;
    std::vector<std::vector<Expected>> outputs;
  };
  Checker(const LaunchPlan &plan, std::unique_ptr<Executor> executor,
          uint64_t seed, int64_t maxCompared);
  Result<const Expectation *> expectation(size_t law);
  Result<Expectation> runReference(size_t law, int64_t indexRange);
  Result<bool> checkLaw(size_t law, Executor &candidate, const LaunchPlan &plan,
                        bool deterministic, Fault fault, LawCheck &record,
                        std::string &why);
  std::vector<Tensor> inputsOf(size_t law, int64_t indexRange) const;

  const LaunchPlan &plan;
  std::unique_ptr<Executor> executor;
  std::vector<Sample> laws;
  std::vector<std::vector<Stretch>> stretches; ///< By output.
  std::map<size_t, Expectation> known;
  Expectation scratch; ///< In place of `known` when results are large.
  bool keep = true;
};

} // namespace mlir::ks

#endif // KS_LIB_EVALUATE_CHECKER_H
