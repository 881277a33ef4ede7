//===- Policy.h - Which candidate next --------------------------*- C++ -*-===//
//
// The table policy over the plain lowering's knobs: from the best candidate so
// far, one knob at a time, in the order in which the kind of kernel makes them
// promising. It needs no model and no luck.
//
//===----------------------------------------------------------------------===//
#ifndef KS_AGENT_POLICY_H
#define KS_AGENT_POLICY_H

#include "ks/Lowering/Lowering.h"

#include <string>
#include <vector>

namespace mlir::ks {

/// What the policy knows of a kernel, computed from its IR.
struct KernelTraits {
  bool reduces = false; ///< It holds a loop that unrolling can change.
  int64_t elements = 0; ///< Of the largest result: threads at one element each.
  bool fits32 = true;   ///< Every tensor's indices fit 31 bits.
};

KernelTraits traitsOf(func::FuncOp kernel);

/// A candidate, and why it is tried.
struct Proposal {
  Knobs knobs;
  std::string why;
};

/// All candidates one step away from `best`, the most promising first.
/// Deterministic.
std::vector<Proposal> proposeFrom(const Knobs &best,
                                  const KernelTraits &traits);

/// "block_size=256 elements_per_thread=1 index_bits=0 unroll=1"
std::string describe(const Knobs &knobs);

} // namespace mlir::ks

#endif // KS_AGENT_POLICY_H
