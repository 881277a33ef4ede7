//===- OpName.h - What a group of operations is called ----------*- C++ -*-===//
//
// A private function of an imported graph may say, in the attribute `ks.op`,
// which operation of the model it is ("attention"). After inlining its name
// stays as a NameLoc, "ks.op:attention", around the locations of what it held.
//
//===----------------------------------------------------------------------===//
#ifndef KS_NORMALIZE_OPNAME_H
#define KS_NORMALIZE_OPNAME_H

#include "mlir/IR/Location.h"

namespace mlir::ks {

/// The attribute of a private function.
constexpr llvm::StringLiteral opNameAttr = "ks.op";

/// Tells these names from those that an exporter gives.
constexpr llvm::StringLiteral opNamePrefix = "ks.op:";

/// `location` marked as part of the operation `name`.
inline Location withOpName(StringAttr name, Location location) {
  return NameLoc::get(
      StringAttr::get(name.getContext(), opNamePrefix + name.getValue()),
      location);
}

/// The outermost name that withOpName gave `location`; empty if none.
inline StringRef opNameOf(Location location) {
  StringRef found;
  location->walk([&](Location inner) {
    auto name = dyn_cast<NameLoc>(inner);
    if (!name || !name.getName().getValue().starts_with(opNamePrefix))
      return WalkResult::advance();
    found = name.getName().getValue().drop_front(opNamePrefix.size());
    return WalkResult::interrupt();
  });
  return found;
}

} // namespace mlir::ks

#endif // KS_NORMALIZE_OPNAME_H
