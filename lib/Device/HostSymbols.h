//===- HostSymbols.h - What host objects may call ---------------*- C++ -*-===//
//
// The functions outside of an object that its code may call.
//
//===----------------------------------------------------------------------===//
#ifndef KS_DEVICE_HOSTSYMBOLS_H
#define KS_DEVICE_HOSTSYMBOLS_H

#include <string_view>

namespace mlir::ks {

/// The address of the function `name`; null if it is not on the list.
void *findHostSymbol(std::string_view name);

} // namespace mlir::ks

#endif // KS_DEVICE_HOSTSYMBOLS_H
