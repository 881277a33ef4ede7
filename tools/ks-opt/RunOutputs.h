//===- RunOutputs.h - A run's outputs, compared and printed -----*- C++ -*-===//
//
// A line for each result of the function, the new values of mutated arguments
// among them: shape, dtype, and where there is something to compare with, the
// greatest error and what is allowed there.
//
//===----------------------------------------------------------------------===//
#ifndef KS_TOOLS_RUNOUTPUTS_H
#define KS_TOOLS_RUNOUTPUTS_H

#include "ks/Base/TensorFile.h"
#include "ks/Evaluate/Compare.h"
#include "ks/Runtime/Executor.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::ks {

struct RunOutputs {
  const LaunchPlan &plan;
  Executor &executor;
  Executor *reference; ///< Null: there is none.
  const LaunchPlan &referencePlan;
  /// out0, ...; empty: the reference's values. Without a reference these are
  /// compared within PyTorch's tolerances.
  NamedTensors &expected;
  const std::string &expectedFile;

  /// False if an output misses. An Error names the array at fault.
  Result<bool> print(llvm::raw_ostream &out);

private:
  Result<OutputCheck> compare(size_t output, const Tensor *wanted);
  Status findExpected(std::vector<const Tensor *> &wanted);
  const BufferDesc &desc(size_t output) const {
    return bufferOf(plan, placeOfResult(plan, output));
  }
};

Tensor *findTensor(NamedTensors &tensors, const std::string &name);

} // namespace mlir::ks

#endif // KS_TOOLS_RUNOUTPUTS_H
