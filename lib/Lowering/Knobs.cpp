//===- Knobs.cpp - The knobs of the plain lowering ------------------------===//
//
// Read from and written to the attribute ks.knobs of a kernel function.
//
//===----------------------------------------------------------------------===//

#include "ks/Lowering/Lowering.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::ks;

static constexpr StringLiteral attributeName = "ks.knobs";

FailureOr<Knobs> Knobs::get(func::FuncOp kernel) {
  Knobs knobs;
  Attribute attribute = kernel->getAttr(attributeName);
  if (!attribute)
    return knobs;
  auto dictionary = dyn_cast<DictionaryAttr>(attribute);
  if (!dictionary)
    return kernel.emitError("ks.knobs is no dictionary");
  for (NamedAttribute entry : dictionary) {
    StringRef name = entry.getName();
    auto number = dyn_cast<IntegerAttr>(entry.getValue());
    int64_t *knob = llvm::StringSwitch<int64_t *>(name)
                        .Case("block_size", &knobs.blockSize)
                        .Case("elements_per_thread", &knobs.elementsPerThread)
                        .Case("index_bits", &knobs.indexBits)
                        .Case("unroll", &knobs.unroll)
                        .Default(nullptr);
    if (!knob)
      return kernel.emitError("unknown knob '") << name << "' in ks.knobs";
    if (!number)
      return kernel.emitError("knob '") << name << "' is no integer";
    *knob = number.getInt();
  }
  auto inRange = [](int64_t value, int64_t low, int64_t high) {
    return value >= low && value <= high;
  };
  if (!inRange(knobs.blockSize, 32, 1024) || knobs.blockSize % 32 != 0)
    return kernel.emitError(
        "knob 'block_size' must be a multiple of 32 from 32 to 1024");
  if (!inRange(knobs.elementsPerThread, 1, 16))
    return kernel.emitError("knob 'elements_per_thread' must be from 1 to 16");
  if (knobs.indexBits != 0 && knobs.indexBits != 32 && knobs.indexBits != 64)
    return kernel.emitError("knob 'index_bits' must be 0, 32 or 64");
  if (!inRange(knobs.unroll, 1, 16))
    return kernel.emitError("knob 'unroll' must be from 1 to 16");
  return knobs;
}

void Knobs::set(func::FuncOp kernel) const {
  Builder b(kernel.getContext());
  kernel->setAttr(
      attributeName,
      b.getDictionaryAttr(
          {b.getNamedAttr("block_size", b.getI64IntegerAttr(blockSize)),
           b.getNamedAttr("elements_per_thread",
                          b.getI64IntegerAttr(elementsPerThread)),
           b.getNamedAttr("index_bits", b.getI64IntegerAttr(indexBits)),
           b.getNamedAttr("unroll", b.getI64IntegerAttr(unroll))}));
}
