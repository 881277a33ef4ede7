//===- Package.cpp - Compiled programs in one file ------------------------===//
//
// See Package.h. Members are stored, not deflated: code hardly shrinks, and a
// reader then never allocates more than the file's own size.
//
//===----------------------------------------------------------------------===//

#include "ks/Base/Package.h"
#include "JsonReader.h"
#include "Zip.h"

#include <algorithm>
#include <map>
#include <set>

namespace mlir::ks {

static constexpr std::string_view kManifest = "manifest.json";
static constexpr int64_t kFormat = 1;

namespace {
/// The members that hold code, and where it belongs.
struct CodeMember {
  std::string_view name;
  std::vector<uint8_t> LaunchPlan::*code;
};
constexpr CodeMember kCode[] = {{"kernels.cubin", &LaunchPlan::cubin},
                                {"kernels.ptx", &LaunchPlan::ptx},
                                {"host.o", &LaunchPlan::hostObject}};

struct Manifest {
  int64_t format = 0, variants = 0;
  std::string producer;
};
} // namespace

static std::string memberOf(size_t variant, std::string_view name) {
  return std::to_string(variant) + "/" + std::string(name);
}

/// An error if two variants cannot be told apart by their inputs' shapes.
static Status checkVariants(const std::vector<LaunchPlan> &variants) {
  if (variants.empty())
    return Error{"it holds no program"};
  std::map<std::vector<std::vector<int64_t>>, size_t> known;
  for (size_t i = 0; i < variants.size(); ++i) {
    std::vector<std::vector<int64_t>> shapes;
    for (const BufferDesc &input : variants[i].inputs)
      shapes.push_back(input.shape);
    auto [other, isNew] = known.emplace(std::move(shapes), i);
    if (!isNew)
      return Error{"variants " + std::to_string(other->second) + " and " +
                   std::to_string(i) + " take the same shapes"};
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static Result<Manifest> parseManifest(std::string_view text) {
  JsonReader json(text);
  Manifest manifest;
  std::set<std::string> seen;
  bool parsed = json.object([&](const std::string &key) {
    if (!seen.insert(key).second)
      return false;
    if (key == "format")
      return json.integer(manifest.format);
    if (key == "producer")
      return json.string(manifest.producer);
    // A later format may have more; that it is one is all there is to say then.
    return key == "variants" && json.integer(manifest.variants);
  });
  if (seen.count("format") && manifest.format != kFormat)
    return Error{"it is of format " + std::to_string(manifest.format) +
                 ", and this program reads format " + std::to_string(kFormat)};
  if (!parsed || !json.atEnd() || seen.size() != 3)
    return Error{"it is malformed at byte " + std::to_string(json.where())};
  return manifest;
}

namespace {
class Archive {
public:
  static Result<Archive> open(const InputFile &file);

  bool has(const std::string &name) const { return members.count(name); }
  size_t size() const { return members.size(); }
  template <typename Bytes> Result<Bytes> read(const std::string &name) const;

private:
  explicit Archive(const InputFile &file) : file(&file) {}
  const InputFile *file;
  std::map<std::string, ZipMember> members;
};
} // namespace

Result<Archive> Archive::open(const InputFile &file) {
  Result<std::vector<ZipMember>> members = readZipDirectory(file);
  if (!members)
    return members.takeError();
  Archive archive(file);
  for (ZipMember &member : *members) {
    if (member.deflated)
      return Error{"member '" + member.name +
                   "' is compressed, and a package's members are not"};
    std::string name = member.name;
    if (!archive.members.emplace(name, std::move(member)).second)
      return Error{"two members are named '" + name + "'"};
  }
  return archive;
}

template <typename Bytes>
Result<Bytes> Archive::read(const std::string &name) const {
  auto found = members.find(name);
  if (found == members.end())
    return Error{"it is missing"};
  ZipReader reader(*file, found->second);
  Bytes bytes(found->second.size, 0);
  Status status = reader.read(bytes.data(), bytes.size());
  if (status)
    status = reader.finish();
  if (!status)
    return status.takeError();
  return bytes;
}

static Result<LaunchPlan> readVariant(const Archive &archive, size_t variant,
                                      size_t &membersRead) {
  std::string name = memberOf(variant, "plan.json");
  auto inMember = [&](const std::string &why) {
    return Error{"member '" + name + "': " + why};
  };
  Result<std::string> text = archive.read<std::string>(name);
  if (!text)
    return inMember(text.error());
  Result<LaunchPlan> plan = planFromJson(*text);
  if (!plan)
    return inMember(plan.error());
  if (Status status = validate(*plan); !status)
    return inMember(status.error());
  ++membersRead;
  for (const CodeMember &part : kCode) {
    name = memberOf(variant, part.name);
    if (!archive.has(name))
      continue;
    Result<std::vector<uint8_t>> code =
        archive.read<std::vector<uint8_t>>(name);
    if (!code)
      return inMember(code.error());
    if (code->empty())
      return inMember("it is empty");
    (*plan).*part.code = std::move(*code);
    ++membersRead;
  }
  return plan;
}

static Result<Package> readArchive(const InputFile &file) {
  Result<Archive> archive = Archive::open(file);
  if (!archive)
    return archive.takeError();
  std::string name(kManifest);
  if (!archive->has(name))
    return Error{"it is no package (it has no member 'manifest.json')"};
  Result<std::string> text = archive->read<std::string>(name);
  Result<Manifest> manifest =
      text ? parseManifest(*text) : Result<Manifest>(text.takeError());
  if (!manifest)
    return Error{"member '" + name + "': " + manifest.error()};
  Package package;
  package.producer = std::move(manifest->producer);
  size_t membersRead = 1;
  for (int64_t i = 0; i < manifest->variants; ++i) {
    Result<LaunchPlan> plan =
        readVariant(*archive, static_cast<size_t>(i), membersRead);
    if (!plan)
      return plan.takeError();
    package.variants.push_back(std::move(*plan));
  }
  if (Status status = checkVariants(package.variants); !status)
    return status.takeError();
  if (membersRead != archive->size())
    return Error{"it holds members that belong to no variant"};
  return package;
}

Result<Package> readPackage(const InputFile &file) {
  Result<Package> package = readArchive(file);
  if (!package)
    return Error{"cannot read package '" + file.path() +
                 "': " + package.error()};
  return package;
}

bool looksLikePackage(const InputFile &file) {
  // The manifest is the first member: its name follows the 30 bytes of the
  // archive's first header.
  std::string start(zip::kLocalSize + kManifest.size(), '\0');
  return file.size() >= start.size() &&
         file.readAt(0, start.data(), start.size()) &&
         start.compare(0, 4, "PK\3\4") == 0 &&
         start.substr(zip::kLocalSize) == kManifest;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

Status writePackage(OutputFile &file, const Package &package) {
  if (Status status = checkVariants(package.variants); !status)
    return Error{"cannot write a package: " + status.error()};
  ZipWriter writer(file);
  std::string manifest =
      "{\"format\": " + std::to_string(kFormat) +
      ", \"producer\": " + quoteJson(package.producer) +
      ", \"variants\": " + std::to_string(package.variants.size()) + "}\n";
  if (Status status = writer.add(std::string(kManifest), manifest, {}, false);
      !status)
    return status;
  for (size_t i = 0; i < package.variants.size(); ++i) {
    const LaunchPlan &plan = package.variants[i];
    if (Status status = validate(plan); !status)
      return Error{"cannot write a package: variant " + std::to_string(i) +
                   ": " + status.error()};
    if (Status status =
            writer.add(memberOf(i, "plan.json"), planToJson(plan), {}, false);
        !status)
      return status;
    for (const CodeMember &part : kCode) {
      const std::vector<uint8_t> &code = plan.*part.code;
      if (code.empty())
        continue;
      if (Status status = writer.add(memberOf(i, part.name), "", code, false);
          !status)
        return status;
    }
  }
  return writer.finish();
}

} // namespace mlir::ks
