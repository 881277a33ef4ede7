//===- CountedLoop.h - The counted loops of a graph -------------*- C++ -*-===//
//
// A recurrence is an scf.for on tensors that counts from 0 in steps of one to a
// constant. In iteration t it may read row t of a tensor (a slice of one along
// the leading dimension, without that dimension), and write row t of an
// *accumulator*: a loop-carried tensor that nothing else reads or writes, such
// as the sequence of a layer's outputs. Everything else that it carries is a
// value of its own in each iteration.
//
//===----------------------------------------------------------------------===//
#ifndef KS_NORMALIZE_COUNTEDLOOP_H
#define KS_NORMALIZE_COUNTEDLOOP_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <optional>

namespace mlir::ks {

/// How often a loop runs; none if it is no counted loop.
std::optional<int64_t> iterationsOf(scf::ForOp loop);

/// True if a slice of a tensor of type `whole` holds the elements of its row
/// number `counter`, in whatever shape.
bool coversRow(OffsetSizeAndStrideOpInterface slice, RankedTensorType whole,
               Value counter);

/// True if `slice` is row t of its source, t being the loop's counter.
bool isRow(tensor::ExtractSliceOp slice, scf::ForOp loop);

/// True if `slice` puts its source into row t of its destination.
bool isRow(tensor::InsertSliceOp slice, scf::ForOp loop);

/// The loop around `op`, if `op` reads or writes a row; null otherwise.
scf::ForOp loopOfRow(Operation *op);

/// What writes the rows of loop-carried tensor `number`; null if that is no
/// accumulator.
tensor::InsertSliceOp accumulation(scf::ForOp loop, unsigned number);

/// The tensor that an operation which only gives memory another shape starts
/// from: expand_shape and collapse_shape are looked through.
Value withoutReshapes(Value tensor);

} // namespace mlir::ks

#endif // KS_NORMALIZE_COUNTEDLOOP_H
