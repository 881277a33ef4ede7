//===- Signature.h - What the caller of a graph should know -----*- C++ -*-===//
//
// Attributes that an exporter gives the public function, and that go along the
// whole road into the launch plan:
//
//   ks.name, ks.kind   of an argument: its name in the model, and what it is
//                      there (input, parameter, buffer, constant, random)
//   ks.mutations       array<i64: r0, a0, r1, a1, ...>: result r is the new
//                      value of argument a
//   ks.results         [{result = 0}, {argument = 2, sizes = array<i64: 3>,
//                      strides = array<i64: 1>, offset = 0 : i64}]: the values
//                      that the caller sees, in order. `result` counts all
//                      results of the function; with sizes, strides and offset
//                      (in elements) it is a view of that buffer
//
// The module's ks.python, a string, is the Python package's own.
//
//===----------------------------------------------------------------------===//
#ifndef KS_NORMALIZE_SIGNATURE_H
#define KS_NORMALIZE_SIGNATURE_H

#include "ks/Base/LaunchPlan.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <vector>

namespace mlir::ks {

inline constexpr llvm::StringLiteral argumentNameAttr = "ks.name",
                                     argumentKindAttr = "ks.kind",
                                     mutationsAttr = "ks.mutations",
                                     resultsAttr = "ks.results",
                                     pythonAttr = "ks.python";

/// The mutations of a function with so many inputs and results, by ascending
/// result. Emits an error if the attribute is wrong.
FailureOr<std::vector<Mutation>> readMutations(func::FuncOp function,
                                               size_t inputs, size_t results);

/// Reads the attributes into `plan`, whose inputs and outputs have their shapes
/// already. Emits errors that name the attribute.
LogicalResult readSignature(func::FuncOp function, LaunchPlan &plan);

/// Checks the attributes of a function on tensors, and those of its module.
LogicalResult checkSignature(func::FuncOp function);

} // namespace mlir::ks

#endif // KS_NORMALIZE_SIGNATURE_H
