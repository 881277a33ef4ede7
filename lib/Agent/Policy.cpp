//===- Policy.cpp - Which candidate next ----------------------------------===//
//
// The decision table. A kernel that streams gains from several elements a
// thread (fewer, wider accesses in flight), one that reduces from unrolling
// (independent loads); both react to the block size through occupancy and the
// tail.
//
//===----------------------------------------------------------------------===//
#include "ks/Agent/Policy.h"

#include "ks/Normalize/TMTensor.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <algorithm>
#include <limits>

using namespace mlir;
using namespace mlir::ks;

KernelTraits mlir::ks::traitsOf(func::FuncOp kernel) {
  KernelTraits traits;
  kernel.walk([&](Operation *op) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      traits.reduces |= linalgOp.getNumReductionLoops() > 0;
    traits.reduces |=
        isa<tm_tensor::ScanOp, tm_tensor::SortOp, tm_tensor::ScatterOp>(op);
    for (Type type : op->getResultTypes())
      if (auto shaped = dyn_cast<RankedTensorType>(type))
        if (shaped.hasStaticShape())
          traits.fits32 &=
              shaped.getNumElements() <= std::numeric_limits<int32_t>::max();
  });
  for (Type type : kernel.getResultTypes())
    if (auto shaped = dyn_cast<RankedTensorType>(type))
      if (shaped.hasStaticShape())
        traits.elements = std::max(traits.elements, shaped.getNumElements());
  return traits;
}

std::string mlir::ks::describe(const Knobs &knobs) {
  return "block_size=" + std::to_string(knobs.blockSize) +
         " elements_per_thread=" + std::to_string(knobs.elementsPerThread) +
         " index_bits=" + std::to_string(knobs.indexBits) +
         " unroll=" + std::to_string(knobs.unroll);
}

namespace {
/// One knob: where it lies, what it may be, what it is called.
struct Factor {
  int64_t Knobs::*field;
  StringRef name;
  SmallVector<int64_t, 6> values; ///< The most promising first.
};
} // namespace

std::vector<Proposal> mlir::ks::proposeFrom(const Knobs &best,
                                            const KernelTraits &traits) {
  Factor block{&Knobs::blockSize, "block_size", {128, 512, 64, 1024, 256}};
  Factor elements{
      &Knobs::elementsPerThread, "elements_per_thread", {4, 2, 8, 1}};
  Factor unroll{&Knobs::unroll, "unroll", {4, 8, 2, 1}};
  Factor index{&Knobs::indexBits, "index_bits", {64, 0}};

  SmallVector<Factor> order;
  if (traits.reduces)
    order = {unroll, block, elements, index};
  else
    order = {elements, block, index};
  // 64-bit indices are what the default takes where 32 bits do not do.
  if (!traits.fits32)
    order.pop_back();
  // Few results: more of them in one thread would leave processors idle.
  constexpr int64_t fewThreads = int64_t(132) * 256;
  if (traits.elements <= fewThreads)
    llvm::erase_if(order, [&](const Factor &factor) {
      return factor.field == elements.field;
    });

  // The first choice of every knob, then the second of every knob, and so on:
  // what a knob is good for is known before its fine tuning.
  std::vector<Proposal> proposals;
  for (size_t rank = 0; rank < 6; ++rank) {
    for (const Factor &factor : order) {
      if (rank >= factor.values.size())
        continue;
      int64_t value = factor.values[rank];
      if (best.*factor.field == value)
        continue;
      Proposal proposal{best, {}};
      proposal.knobs.*factor.field = value;
      proposal.why = (factor.name + "=" + Twine(value) + " from " +
                      Twine(best.*factor.field))
                         .str();
      proposals.push_back(std::move(proposal));
    }
  }
  return proposals;
}
