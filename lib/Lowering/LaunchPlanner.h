//===- LaunchPlanner.h - Which launches a kernel function needs -*- C++ -*-===//
//
// The plain lowering computes each element of a kernel's results where it is
// asked for. What would be computed too often, or needs a loop that several
// elements share, is put into memory first by a launch of its own.
//
//===----------------------------------------------------------------------===//
#ifndef KS_LIB_LOWERING_LAUNCHPLANNER_H
#define KS_LIB_LOWERING_LAUNCHPLANNER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::ks {

struct PlannedLaunch {
  enum class Kind {
    Elements, ///< One thread an element of `values`, which all have the same
              ///< shape.
    Split,    ///< A long reduction, `values` its results: parts, then their
              ///< combination.
    Scan,
    Sort,
    Scatter
  };
  Kind kind = Kind::Elements;
  SmallVector<Value> values;
};

/// Emits an error that names the op if the kernel holds one that it can't plan.
FailureOr<SmallVector<PlannedLaunch>> planLaunches(func::FuncOp kernel);

} // namespace mlir::ks

#endif // KS_LIB_LOWERING_LAUNCHPLANNER_H
