//===- Hashing.cpp - Fingerprints of text and bytes -----------------------===//
//
// LLVM's implementations, as lower-case hexadecimal digits.
//
//===----------------------------------------------------------------------===//

#include "ks/Support/Hashing.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/xxhash.h"

namespace mlir::ks {

std::string fingerprint(llvm::StringRef bytes) {
  llvm::XXH128_hash_t hash =
      llvm::xxh3_128bits(llvm::arrayRefFromStringRef(bytes));
  return llvm::utohexstr(hash.high64, /*LowerCase=*/true, 16) +
         llvm::utohexstr(hash.low64, /*LowerCase=*/true, 16);
}

std::string sha256(llvm::StringRef bytes) {
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(bytes)),
                     /*LowerCase=*/true);
}

} // namespace mlir::ks
