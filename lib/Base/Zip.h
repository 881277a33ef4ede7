//===- Zip.h - The part of zip archives that npz files use ------*- C++ -*-===//
//
// Stored and deflated members, zip64, one disk (PKWARE's APPNOTE.TXT 6.3,
// sections 4.3 and 4.4). The archive is untrusted: every offset and length is
// checked against the file before it is used, and members may not overlap.
//
//===----------------------------------------------------------------------===//
#ifndef KS_BASE_ZIP_H
#define KS_BASE_ZIP_H

#include "ks/Base/File.h"

#include <zlib.h>

#include <memory>
#include <string>
#include <vector>

namespace mlir::ks {

/// Signatures and sizes of the records, and values of their fields.
namespace zip {
inline constexpr uint32_t kLocalSignature = 0x04034b50,
                          kDirectorySignature = 0x02014b50,
                          kEndSignature = 0x06054b50,
                          kEnd64Signature = 0x06064b50,
                          kLocator64Signature = 0x07064b50;
inline constexpr size_t kLocalSize = 30, kDirectorySize = 46, kEndSize = 22,
                        kEnd64Size = 56, kLocator64Size = 20;
inline constexpr uint32_t kMax32 = 0xffffffff;
inline constexpr uint16_t kMax16 = 0xffff, kExtra64 = 1, kStored = 0,
                          kDeflated = 8;
/// Deflate cannot do better than this (zlib's documentation, "Maximum
/// compression").
inline constexpr uint64_t kMaxRatio = 1032;
} // namespace zip

struct ZipMember {
  std::string name;
  bool deflated = false;
  uint32_t crc = 0;
  uint64_t size = 0;       ///< Of the contents.
  uint64_t packedSize = 0; ///< In the archive.
  uint64_t dataOffset = 0;
};

/// The members of the archive, in the order of its directory. Errors do not
/// name the file.
Result<std::vector<ZipMember>> readZipDirectory(const InputFile &file);

/// Reads one member from its beginning to its end.
class ZipReader {
public:
  ZipReader(const InputFile &file, const ZipMember &member);
  ~ZipReader();
  ZipReader(const ZipReader &) = delete;
  ZipReader &operator=(const ZipReader &) = delete;

  /// The next `count` bytes of the contents, which must be there.
  Status read(void *to, size_t count);
  uint64_t remaining() const { return member.size - position; }
  /// To be called when all was read: checks the checksum and that nothing is
  /// left.
  Status finish();

private:
  Status inflateTo(uint8_t *to, size_t count);

  const InputFile &file;
  const ZipMember &member;
  uint64_t position = 0;       ///< Of the contents.
  uint64_t packedPosition = 0; ///< Of the archive's bytes.
  uLong crc = 0;
  bool inflating = false;
  z_stream stream = {};
  std::vector<uint8_t> buffer;
};

/// Writes an archive, member by member.
class ZipWriter {
public:
  explicit ZipWriter(OutputFile &file) : file(file) {}
  /// Adds a member whose contents are `head` followed by `body`.
  Status add(const std::string &name, std::string_view head,
             const std::vector<uint8_t> &body, bool deflated);
  /// Writes the directory.
  Status finish();

private:
  Status put(const void *from, size_t count);

  OutputFile &file;
  uint64_t position = 0;
  uint64_t members = 0;
  std::string directory;
};

} // namespace mlir::ks

#endif // KS_BASE_ZIP_H
