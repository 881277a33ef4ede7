//===- Hashing.h - Fingerprints of text and bytes ---------------*- C++ -*-===//
//
// Names for contents. A fingerprint is stable between runs, machines and
// versions of the tool: it may be stored.
//
//===----------------------------------------------------------------------===//
#ifndef KS_SUPPORT_HASHING_H
#define KS_SUPPORT_HASHING_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlir::ks {

/// 32 hexadecimal digits of XXH3 (128 bits): fast, for keys of caches; it does
/// not resist someone who wants a collision.
std::string fingerprint(llvm::StringRef bytes);

/// 64 hexadecimal digits of SHA-256, for what has to resist.
std::string sha256(llvm::StringRef bytes);

} // namespace mlir::ks

#endif // KS_SUPPORT_HASHING_H
