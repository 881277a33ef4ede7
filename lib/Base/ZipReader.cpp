//===- ZipReader.cpp - Reading zip archives -------------------------------===//
//
// The directory at the archive's end is what counts; of a member's local header
// only its length is used. Sizes and offsets of 0xffffffff are found in the
// zip64 records instead.
//
//===----------------------------------------------------------------------===//

#include "Bytes.h"
#include "Zip.h"

#include <algorithm>

namespace mlir::ks {

using namespace zip;

namespace {
/// Where the directory lies.
struct Directory {
  uint64_t offset = 0, size = 0, members = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static Result<Directory> findDirectory(const InputFile &file) {
  // The end record is last but for a comment of up to 65535 bytes.
  size_t tailSize =
      static_cast<size_t>(std::min<uint64_t>(file.size(), kEndSize + kMax16));
  std::string tail(tailSize, '\0');
  uint64_t tailStart = file.size() - tailSize;
  if (Status status = file.readAt(tailStart, tail.data(), tailSize); !status)
    return status.takeError();
  size_t at = tailSize;
  bool found = false;
  for (size_t back = kEndSize; back <= tailSize && !found; ++back) {
    at = tailSize - back;
    found = get<uint32_t>(tail, at) == kEndSignature &&
            get<uint16_t>(tail, at + 20) == back - kEndSize;
  }
  if (!found)
    return Error{
        "not a zip archive, or one that was cut short (no end record)"};

  Directory directory{get<uint32_t>(tail, at + 16),
                      get<uint32_t>(tail, at + 12),
                      get<uint16_t>(tail, at + 10)};
  uint64_t limit = tailStart + at;
  if (directory.offset == kMax32 || directory.size == kMax32 ||
      directory.members == kMax16) {
    std::string record(kEnd64Size, '\0');
    if (limit < kLocator64Size + kEnd64Size)
      return Error{"the zip64 end record is missing"};
    if (Status status =
            file.readAt(limit - kLocator64Size, record.data(), kLocator64Size);
        !status)
      return status.takeError();
    uint64_t end64 = get<uint64_t>(record, 8);
    if (get<uint32_t>(record, 0) != kLocator64Signature ||
        end64 > limit - kLocator64Size - kEnd64Size)
      return Error{"the zip64 end record is missing"};
    if (Status status = file.readAt(end64, record.data(), kEnd64Size); !status)
      return status.takeError();
    if (get<uint32_t>(record, 0) != kEnd64Signature)
      return Error{"the zip64 end record is missing"};
    directory = {get<uint64_t>(record, 48), get<uint64_t>(record, 40),
                 get<uint64_t>(record, 32)};
    limit = end64;
  }
  if (directory.offset > limit || directory.size > limit - directory.offset)
    return Error{"the zip directory lies outside of the file"};
  if (directory.members > directory.size / kDirectorySize)
    return Error{"the zip directory is too short for its " +
                 std::to_string(directory.members) + " members"};
  return directory;
}

/// Replaces the fields that are 0xffffffff by those of the zip64 extra field.
static Status readExtra64(std::string_view extra, ZipMember &member,
                          uint64_t &headerOffset) {
  while (extra.size() >= 4) {
    uint16_t id = get<uint16_t>(extra, 0), size = get<uint16_t>(extra, 2);
    extra.remove_prefix(4);
    if (size > extra.size())
      break;
    if (id == kExtra64) {
      std::string_view fields = extra.substr(0, size);
      for (uint64_t *field :
           {&member.size, &member.packedSize, &headerOffset}) {
        if (*field != kMax32)
          continue;
        if (fields.size() < 8)
          return Error{"member '" + member.name +
                       "': its zip64 sizes are cut short"};
        *field = get<uint64_t>(fields, 0);
        fields.remove_prefix(8);
      }
      return {};
    }
    extra.remove_prefix(size);
  }
  return {};
}

/// Finds where the data of `member` begins; it must end at `limit` or before.
static Status locate(const InputFile &file, uint64_t headerOffset,
                     uint64_t limit, ZipMember &member) {
  Error outside{"member '" + member.name + "' lies outside of the file"};
  if (headerOffset > limit || limit - headerOffset < kLocalSize)
    return outside;
  std::string local(kLocalSize, '\0');
  if (Status status = file.readAt(headerOffset, local.data(), kLocalSize);
      !status)
    return status;
  if (get<uint32_t>(local, 0) != kLocalSignature)
    return Error{"member '" + member.name + "' has no local header"};
  member.dataOffset = headerOffset + kLocalSize + get<uint16_t>(local, 26) +
                      get<uint16_t>(local, 28);
  if (member.dataOffset > limit ||
      member.packedSize > limit - member.dataOffset)
    return outside;
  bool possible = member.deflated ? member.size / kMaxRatio <= member.packedSize
                                  : member.size == member.packedSize;
  if (!possible)
    return Error{
        "member '" + member.name + "': " + std::to_string(member.packedSize) +
        " bytes cannot hold contents of " + std::to_string(member.size)};
  return {};
}

Result<std::vector<ZipMember>> readZipDirectory(const InputFile &file) {
  Result<Directory> directory = findDirectory(file);
  if (!directory)
    return directory.takeError();
  std::string bytes(directory->size, '\0');
  if (Status status =
          file.readAt(directory->offset, bytes.data(), bytes.size());
      !status)
    return status.takeError();

  std::vector<ZipMember> members;
  std::string_view rest = bytes;
  uint64_t packedTotal = 0;
  for (uint64_t i = 0; i < directory->members; ++i) {
    Error torn{"entry " + std::to_string(i) +
               " of the zip directory is damaged"};
    if (rest.size() < kDirectorySize ||
        get<uint32_t>(rest, 0) != kDirectorySignature)
      return torn;
    uint16_t flags = get<uint16_t>(rest, 8), method = get<uint16_t>(rest, 10);
    size_t nameSize = get<uint16_t>(rest, 28),
           extraSize = get<uint16_t>(rest, 30),
           commentSize = get<uint16_t>(rest, 32);
    if (rest.size() - kDirectorySize < nameSize + extraSize + commentSize)
      return torn;
    ZipMember member;
    member.name = rest.substr(kDirectorySize, nameSize);
    member.deflated = method == kDeflated;
    member.crc = get<uint32_t>(rest, 16);
    member.packedSize = get<uint32_t>(rest, 20);
    member.size = get<uint32_t>(rest, 24);
    uint64_t headerOffset = get<uint32_t>(rest, 42);
    if (flags & 1)
      return Error{"member '" + member.name + "' is encrypted"};
    if (method != kStored && method != kDeflated)
      return Error{"member '" + member.name + "': compression method " +
                   std::to_string(method) + " is not supported"};
    if (Status status =
            readExtra64(rest.substr(kDirectorySize + nameSize, extraSize),
                        member, headerOffset);
        !status)
      return status.takeError();
    if (Status status = locate(file, headerOffset, directory->offset, member);
        !status)
      return status.takeError();
    // Overlapping members could make a small file stand for a huge one.
    packedTotal += member.packedSize;
    if (packedTotal > file.size())
      return Error{"member '" + member.name + "' overlaps another"};
    members.push_back(std::move(member));
    rest.remove_prefix(kDirectorySize + nameSize + extraSize + commentSize);
  }
  if (!rest.empty())
    return Error{"the zip directory holds more than its " +
                 std::to_string(directory->members) + " members"};
  return members;
}

ZipReader::ZipReader(const InputFile &file, const ZipMember &member)
    : file(file), member(member) {
  if (!member.deflated)
    return;
  buffer.resize(1 << 16);
  inflating = inflateInit2(&stream, -MAX_WBITS) == Z_OK; // Raw: no zlib header.
}

ZipReader::~ZipReader() {
  if (inflating)
    inflateEnd(&stream);
}

Status ZipReader::inflateTo(uint8_t *to, size_t count) {
  if (!inflating)
    return Error{"no memory to inflate"};
  while (count) {
    if (stream.avail_in == 0) {
      size_t chunk = static_cast<size_t>(std::min<uint64_t>(
          buffer.size(), member.packedSize - packedPosition));
      if (Status status = file.readAt(member.dataOffset + packedPosition,
                                      buffer.data(), chunk);
          !status)
        return status;
      packedPosition += chunk;
      stream.next_in = buffer.data();
      stream.avail_in = static_cast<uInt>(chunk);
    }
    uInt room = static_cast<uInt>(std::min<size_t>(count, 1 << 30));
    stream.next_out = to;
    stream.avail_out = room;
    int code = inflate(&stream, Z_NO_FLUSH);
    size_t done = room - stream.avail_out;
    to += done;
    count -= done;
    bool stuck = code == Z_BUF_ERROR || (code == Z_STREAM_END && count) ||
                 (done == 0 && stream.avail_in == 0 &&
                  packedPosition == member.packedSize);
    if (stuck || (code != Z_OK && code != Z_STREAM_END))
      return Error{"its deflated data is damaged"};
  }
  return {};
}

Status ZipReader::read(void *to, size_t count) {
  if (count > remaining())
    return Error{"it is cut short"};
  Status status = member.deflated
                      ? inflateTo(static_cast<uint8_t *>(to), count)
                      : file.readAt(member.dataOffset + position, to, count);
  if (!status)
    return status;
  position += count;
  if (count) // zlib starts anew when it is given no address.
    crc = crc32_z(crc, static_cast<const Bytef *>(to), count);
  return {};
}

Status ZipReader::finish() {
  if (remaining())
    return Error{std::to_string(remaining()) + " bytes follow its data"};
  if (crc != member.crc)
    return Error{"its checksum does not match"};
  return {};
}

} // namespace mlir::ks
