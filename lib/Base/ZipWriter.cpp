//===- ZipWriter.cpp - Writing zip archives -------------------------------===//
//
// Members go out one after the other; the directory follows at the end. Dates
// are fixed, so that equal contents give equal files.
//
//===----------------------------------------------------------------------===//

#include "Bytes.h"
#include "Zip.h"

#include <algorithm>

namespace mlir::ks {

using namespace zip;

static Result<std::string> deflateAll(std::string_view head,
                                      const std::vector<uint8_t> &body) {
  z_stream stream = {};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    return Error{"no memory to deflate"};
  std::string packed;
  std::vector<char> chunk(1 << 16);
  auto feed = [&](const void *from, size_t count, bool last) {
    const char *next = static_cast<const char *>(from);
    do {
      uInt size = static_cast<uInt>(std::min<size_t>(count, 1 << 30));
      stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(next));
      stream.avail_in = size;
      next += size;
      count -= size;
      do {
        stream.next_out = reinterpret_cast<Bytef *>(chunk.data());
        stream.avail_out = static_cast<uInt>(chunk.size());
        deflate(&stream, last && !count ? Z_FINISH : Z_NO_FLUSH);
        packed.append(chunk.data(), chunk.size() - stream.avail_out);
      } while (stream.avail_out == 0);
    } while (count);
  };
  feed(head.data(), head.size(), false);
  feed(body.data(), body.size(), true);
  deflateEnd(&stream);
  return packed;
}

Status ZipWriter::put(const void *from, size_t count) {
  position += count;
  return file.write(from, count);
}

Status ZipWriter::add(const std::string &name, std::string_view head,
                      const std::vector<uint8_t> &body, bool deflated) {
  uint64_t size = head.size() + body.size(), packedSize = size,
           offset = position;
  uLong crc =
      crc32_z(0, reinterpret_cast<const Bytef *>(head.data()), head.size());
  if (!body.empty()) // zlib starts anew when it is given no address.
    crc = crc32_z(crc, body.data(), body.size());
  std::string packed;
  if (deflated) {
    Result<std::string> result = deflateAll(head, body);
    if (!result)
      return result.takeError();
    packed = std::move(*result);
    packedSize = packed.size();
  }
  // The fields from "version needed" to the length of the name, which the local
  // header and the directory have in common.
  bool wide = size >= kMax32 || packedSize >= kMax32;
  std::string common;
  for (uint16_t field : {wide || offset >= kMax32 ? 45 : 20, 0,
                         int(deflated ? kDeflated : kStored), 0, 0x21})
    put16(common, field);
  put32(common, static_cast<uint32_t>(crc));
  put32(common, wide ? kMax32 : static_cast<uint32_t>(packedSize));
  put32(common, wide ? kMax32 : static_cast<uint32_t>(size));
  put16(common, static_cast<uint16_t>(name.size()));

  std::string local, extra, extraLocal;
  if (wide) {
    put64(extra, size);
    put64(extra, packedSize);
  }
  auto framed = [](const std::string &fields) {
    std::string text;
    if (!fields.empty()) {
      put16(text, kExtra64);
      put16(text, static_cast<uint16_t>(fields.size()));
    }
    return text + fields;
  };
  extraLocal = framed(extra);
  put32(local, kLocalSignature);
  local += common;
  put16(local, static_cast<uint16_t>(extraLocal.size()));
  local += name + extraLocal;

  if (offset >= kMax32)
    put64(extra, offset);
  extra = framed(extra);
  put32(directory, kDirectorySignature);
  put16(directory, 3 << 8 | 45); // Made by: Unix, version 4.5.
  directory += common;
  put16(directory, static_cast<uint16_t>(extra.size()));
  for (int field : {0, 0, 0}) // No comment, disk 0, no internal attributes.
    put16(directory, static_cast<uint16_t>(field));
  put32(directory, 0100644u << 16); // A plain file, rw-r--r--.
  put32(directory, offset >= kMax32 ? kMax32 : static_cast<uint32_t>(offset));
  directory += name + extra;
  ++members;

  if (Status status = put(local.data(), local.size()); !status)
    return status;
  if (deflated)
    return put(packed.data(), packed.size());
  if (Status status = put(head.data(), head.size()); !status)
    return status;
  return put(body.data(), body.size());
}

Status ZipWriter::finish() {
  uint64_t offset = position, size = directory.size();
  bool wide = offset >= kMax32 || size >= kMax32 || members >= kMax16;
  std::string end;
  if (wide) {
    put32(end, kEnd64Signature);
    put64(end, kEnd64Size - 12); // The record's size after this field.
    put16(end, 3 << 8 | 45);
    put16(end, 45);
    put64(end, 0); // Disk numbers, two of 32 bits.
    put64(end, members);
    put64(end, members);
    put64(end, size);
    put64(end, offset);
    put32(end, kLocator64Signature);
    put32(end, 0);
    put64(end, offset + size);
    put32(end, 1);
  }
  put32(end, kEndSignature);
  put32(end, 0);
  uint16_t count = wide ? kMax16 : static_cast<uint16_t>(members);
  put16(end, count);
  put16(end, count);
  put32(end, wide ? kMax32 : static_cast<uint32_t>(size));
  put32(end, wide ? kMax32 : static_cast<uint32_t>(offset));
  put16(end, 0);
  if (Status status = put(directory.data(), directory.size()); !status)
    return status;
  return put(end.data(), end.size());
}

} // namespace mlir::ks
