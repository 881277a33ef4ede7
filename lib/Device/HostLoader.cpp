//===- HostLoader.cpp - Runs relocatable objects without a linker ---------===//
//
// Maps one region of memory, lays the object's sections out in it (code,
// constants, data, each from a page of its own), applies the relocations and
// closes the pages: code may be executed, constants read, data written. A
// function outside of the object is called through a stub that jumps through a
// table of addresses (the GOT) within the region, so that it may lie any
// distance away.
//
// The System V ABI, AMD64 supplement 1.0, section 4.4, defines the relocations.
//
//===----------------------------------------------------------------------===//

#include "ks/Device/HostLoader.h"
#include "HostSymbols.h"

#include <array>
#include <cstring>
#include <elf.h>
#include <map>
#include <sys/mman.h>
#include <vector>

namespace mlir::ks {

namespace {
constexpr uint64_t kPage = 4096;
constexpr uint64_t kMaxRegion = 1ull << 31; // What a 32-bit distance spans.
constexpr uint64_t kStubBytes = 16;
enum Part { Code, Constants, Data, NumParts };

struct Section {
  Elf64_Shdr header;
  std::string_view name;
  std::string_view bytes; ///< Empty for SHT_NOBITS.
  bool loaded = false;
  Part part = Data;
  uint64_t offset = 0; ///< In the region.
};

struct Symbol {
  Elf64_Sym entry;
  std::string_view name;
};

uint64_t alignTo(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

bool needsGotSlot(uint32_t type) {
  return type == R_X86_64_GOTPCREL || type == R_X86_64_GOTPCRELX ||
         type == R_X86_64_REX_GOTPCRELX || type == R_X86_64_GOTPCREL64;
}
} // namespace

/// Loads one object. The steps run in the order in which they stand here.
class HostLinker {
public:
  explicit HostLinker(std::string_view object) : object(object) {}
  Result<std::unique_ptr<HostProgram>> link();

private:
  Status readSections();
  Status readSymbols();
  Status classify();
  Status readRelocations();
  Status layOut();
  Status resolve();
  Status relocate();
  Status protect();

  template <typename T> bool readAt(uint64_t offset, T &value) const;
  std::string_view stringAt(std::string_view table, uint64_t offset) const;
  Result<uint64_t> addressOf(uint32_t symbol) const;
  Status apply(const Section &section, const Elf64_Rela &relocation);
  std::string symbolName(uint32_t symbol) const;
  uint64_t base() const { return reinterpret_cast<uint64_t>(program->region); }

  struct PartRange {
    uint64_t begin = 0, end = 0;
  };

  std::string_view object;
  std::vector<Section> sections;
  std::vector<Symbol> symbols;
  /// With the section that each applies to.
  std::vector<std::pair<size_t, Elf64_Rela>> relocations;
  std::map<uint32_t, size_t>
      slots; ///< Symbols with an entry in the GOT, and a stub.
  std::array<PartRange, NumParts> parts;
  uint64_t gotOffset = 0, stubsOffset = 0;
  std::unique_ptr<HostProgram> program;
};

template <typename T> bool HostLinker::readAt(uint64_t offset, T &value) const {
  if (offset > object.size() || sizeof(T) > object.size() - offset)
    return false;
  std::memcpy(&value, object.data() + offset, sizeof(T));
  return true;
}

std::string_view HostLinker::stringAt(std::string_view table,
                                      uint64_t offset) const {
  if (offset >= table.size())
    return {};
  table.remove_prefix(offset);
  return table.substr(0, table.find('\0'));
}

std::string HostLinker::symbolName(uint32_t symbol) const {
  const Symbol &it = symbols[symbol];
  if (it.name.empty() && it.entry.st_shndx < sections.size())
    return std::string(sections[it.entry.st_shndx].name);
  return std::string(it.name);
}

Status HostLinker::readSections() {
  Elf64_Ehdr header;
  if (!readAt(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return Error{"host object: not an ELF file"};
  if (header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_machine != EM_X86_64 ||
      header.e_type != ET_REL)
    return Error{"host object: not a relocatable ELF object for x86-64"};
  Error cutShort{"host object: its section table is damaged or cut short"};
  if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shnum == 0)
    return cutShort;
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    Section section;
    if (header.e_shoff > object.size() ||
        !readAt(header.e_shoff + i * sizeof(Elf64_Shdr), section.header))
      return cutShort;
    const Elf64_Shdr &info = section.header;
    if (info.sh_type != SHT_NOBITS && info.sh_type != SHT_NULL) {
      if (info.sh_offset > object.size() ||
          info.sh_size > object.size() - info.sh_offset)
        return cutShort;
      section.bytes = object.substr(info.sh_offset, info.sh_size);
    }
    sections.push_back(section);
  }
  if (header.e_shstrndx >= sections.size())
    return cutShort;
  std::string_view names = sections[header.e_shstrndx].bytes;
  for (Section &section : sections)
    section.name = stringAt(names, section.header.sh_name);
  return {};
}

Status HostLinker::readSymbols() {
  for (const Section &section : sections) {
    if (section.header.sh_type != SHT_SYMTAB)
      continue;
    if (!symbols.empty() || section.header.sh_link >= sections.size())
      return Error{"host object: its symbol table is damaged"};
    std::string_view names = sections[section.header.sh_link].bytes;
    for (uint64_t i = 0; i + sizeof(Elf64_Sym) <= section.bytes.size();
         i += sizeof(Elf64_Sym)) {
      Symbol symbol;
      std::memcpy(&symbol.entry, section.bytes.data() + i, sizeof symbol.entry);
      symbol.name = stringAt(names, symbol.entry.st_name);
      symbols.push_back(symbol);
    }
  }
  return {};
}

/// Decides which sections are loaded, and where.
Status HostLinker::classify() {
  for (Section &section : sections) {
    const Elf64_Shdr &info = section.header;
    // Unwind tables and notes serve nobody here.
    if (!(info.sh_flags & SHF_ALLOC) || info.sh_type == SHT_X86_64_UNWIND ||
        info.sh_type == SHT_NOTE || section.name == ".eh_frame")
      continue;
    Error refused{"host object: section '" + std::string(section.name) + "' "};
    if (info.sh_flags & SHF_TLS)
      return Error{refused.message +
                   "holds thread-local data, which is not supported"};
    if (info.sh_type != SHT_PROGBITS && info.sh_type != SHT_NOBITS)
      return Error{refused.message + "is of type " +
                   std::to_string(info.sh_type) + ", which is not supported"};
    uint64_t alignment = info.sh_addralign;
    if ((alignment & (alignment - 1)) || alignment > kPage)
      return Error{refused.message + "wants an alignment of " +
                   std::to_string(alignment)};
    bool relocatedConstant = section.name.substr(0, 12) == ".data.rel.ro";
    section.loaded = true;
    section.part = info.sh_flags & SHF_EXECINSTR ? Code
                   : (info.sh_flags & SHF_WRITE) && !relocatedConstant
                       ? Data
                       : Constants;
  }
  return {};
}

Status HostLinker::readRelocations() {
  for (const Section &section : sections) {
    const Elf64_Shdr &info = section.header;
    if (info.sh_type != SHT_RELA && info.sh_type != SHT_REL)
      continue;
    if (info.sh_info >= sections.size() || info.sh_type == SHT_REL)
      return Error{"host object: relocation section '" +
                   std::string(section.name) + "' is damaged"};
    if (!sections[info.sh_info].loaded)
      continue;
    for (uint64_t i = 0; i + sizeof(Elf64_Rela) <= section.bytes.size();
         i += sizeof(Elf64_Rela)) {
      Elf64_Rela relocation;
      std::memcpy(&relocation, section.bytes.data() + i, sizeof relocation);
      uint32_t symbol = ELF64_R_SYM(relocation.r_info),
               type = ELF64_R_TYPE(relocation.r_info);
      if (symbol >= symbols.size())
        return Error{"host object: a relocation in '" +
                     std::string(section.name) +
                     "' refers to a symbol that does not exist"};
      if (needsGotSlot(type) || symbols[symbol].entry.st_shndx == SHN_UNDEF)
        slots.emplace(symbol, slots.size());
      relocations.emplace_back(info.sh_info, relocation);
    }
  }
  return {};
}

Status HostLinker::layOut() {
  Error tooLarge{"host object: its sections need more than 2 GiB"};
  uint64_t position = 0;
  for (int part = Code; part < NumParts; ++part) {
    position = alignTo(position, kPage);
    parts[part].begin = position;
    for (Section &section : sections) {
      if (!section.loaded || section.part != part)
        continue;
      position =
          alignTo(position, std::max<uint64_t>(section.header.sh_addralign, 1));
      section.offset = position;
      if (section.header.sh_size > kMaxRegion)
        return tooLarge;
      position += section.header.sh_size;
      if (position > kMaxRegion)
        return tooLarge;
    }
    if (part == Code) {
      stubsOffset = position = alignTo(position, kStubBytes);
      position += slots.size() * kStubBytes;
    } else if (part == Constants) {
      gotOffset = position = alignTo(position, sizeof(uint64_t));
      position += slots.size() * sizeof(uint64_t);
    }
    parts[part].end = alignTo(position, kPage);
  }
  if (parts[Data].end > kMaxRegion)
    return tooLarge;
  program->regionBytes = std::max(parts[Data].end, kPage);
  void *region = ::mmap(nullptr, program->regionBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (region == MAP_FAILED)
    return Error{"host object: cannot map " +
                 std::to_string(program->regionBytes) +
                 " bytes: " + std::strerror(errno)};
  program->region = region;
  for (const Section &section : sections)
    if (section.loaded && !section.bytes.empty())
      std::memcpy(static_cast<char *>(region) + section.offset,
                  section.bytes.data(), section.bytes.size());
  return {};
}

/// The address of a symbol: within the region, or of a function outside.
Result<uint64_t> HostLinker::addressOf(uint32_t index) const {
  const Symbol &symbol = symbols[index];
  uint16_t where = symbol.entry.st_shndx;
  unsigned type = ELF64_ST_TYPE(symbol.entry.st_info);
  if (type == STT_TLS || type == STT_GNU_IFUNC || where == SHN_COMMON ||
      where == SHN_XINDEX)
    return Error{"host object: symbol '" + symbolName(index) +
                 "' is of a kind that is not supported"};
  if (where == SHN_ABS)
    return symbol.entry.st_value;
  if (where == SHN_UNDEF) {
    if (symbol.name == "_GLOBAL_OFFSET_TABLE_")
      return base() + gotOffset;
    if (void *address = findHostSymbol(symbol.name))
      return reinterpret_cast<uint64_t>(address);
    return Error{"host object: undefined symbol '" + symbolName(index) +
                 "', which is not among the functions that it may call"};
  }
  if (where >= sections.size() || !sections[where].loaded)
    return Error{"host object: symbol '" + symbolName(index) +
                 "' lies in no loaded section"};
  if (symbol.entry.st_value > sections[where].header.sh_size)
    return Error{"host object: symbol '" + symbolName(index) +
                 "' lies outside of its section"};
  return base() + sections[where].offset + symbol.entry.st_value;
}

/// Fills the GOT and the stubs, and notes the functions that can be found.
Status HostLinker::resolve() {
  char *region = static_cast<char *>(program->region);
  for (auto [symbol, slot] : slots) {
    Result<uint64_t> address = addressOf(symbol);
    if (!address)
      return address.takeError();
    uint64_t got = gotOffset + slot * sizeof(uint64_t),
             stub = stubsOffset + slot * kStubBytes;
    std::memcpy(region + got, &*address, sizeof(uint64_t));
    // jmp *[rip + distance], counted from the end of its six bytes; then traps.
    int32_t distance = static_cast<int32_t>(got - (stub + 6));
    std::memset(region + stub, 0xcc, kStubBytes);
    std::memcpy(region + stub, "\xff\x25", 2);
    std::memcpy(region + stub + 2, &distance, sizeof distance);
  }
  for (uint32_t i = 0; i < symbols.size(); ++i) {
    const Elf64_Sym &entry = symbols[i].entry;
    if (ELF64_ST_TYPE(entry.st_info) != STT_FUNC ||
        ELF64_ST_BIND(entry.st_info) == STB_LOCAL ||
        entry.st_shndx == SHN_UNDEF)
      continue;
    Result<uint64_t> address = addressOf(i);
    if (!address)
      return address.takeError();
    if (entry.st_shndx < sections.size() &&
        sections[entry.st_shndx].part == Code)
      program->functions.emplace(symbols[i].name,
                                 reinterpret_cast<void *>(*address));
  }
  return {};
}

Status HostLinker::apply(const Section &section, const Elf64_Rela &relocation) {
  uint32_t index = ELF64_R_SYM(relocation.r_info),
           type = ELF64_R_TYPE(relocation.r_info);
  auto slot = slots.find(index);
  bool outside = symbols[index].entry.st_shndx == SHN_UNDEF;
  Result<uint64_t> target = addressOf(index);
  if (!target)
    return target.takeError();
  uint64_t place = base() + section.offset + relocation.r_offset;
  uint64_t addend = static_cast<uint64_t>(relocation.r_addend);
  uint64_t value = 0;
  bool wide = false, isSigned = true;
  switch (type) {
  case R_X86_64_NONE:
    return {};
  case R_X86_64_64:
    value = *target + addend;
    wide = true;
    break;
  case R_X86_64_PC64:
    value = *target + addend - place;
    wide = true;
    break;
  case R_X86_64_32:
  case R_X86_64_32S:
    value = *target + addend;
    isSigned = type == R_X86_64_32S;
    break;
  case R_X86_64_PC32:
  case R_X86_64_PLT32:
    if (outside && slot != slots.end() &&
        symbols[index].name != "_GLOBAL_OFFSET_TABLE_")
      *target = base() + stubsOffset + slot->second * kStubBytes;
    value = *target + addend - place;
    break;
  case R_X86_64_GOTPC32:
    value = base() + gotOffset + addend - place;
    break;
  case R_X86_64_GOTPCREL:
  case R_X86_64_GOTPCRELX:
  case R_X86_64_REX_GOTPCRELX:
  case R_X86_64_GOTPCREL64:
    value =
        base() + gotOffset + slot->second * sizeof(uint64_t) + addend - place;
    wide = type == R_X86_64_GOTPCREL64;
    break;
  default:
    return Error{"host object: relocation type " + std::to_string(type) +
                 " against '" + symbolName(index) + "' in '" +
                 std::string(section.name) + "' is not supported"};
  }
  size_t width = wide ? 8 : 4;
  if (relocation.r_offset > section.bytes.size() ||
      width > section.bytes.size() - relocation.r_offset)
    return Error{"host object: a relocation lies outside of section '" +
                 std::string(section.name) + "'"};
  bool fits = wide || (isSigned ? static_cast<int64_t>(value) ==
                                      static_cast<int32_t>(value)
                                : value == static_cast<uint32_t>(value));
  if (!fits)
    return Error{"host object: relocation type " + std::to_string(type) +
                 " against '" + symbolName(index) + "' in '" +
                 std::string(section.name) +
                 "' is out of range; compile with -fPIC"};
  std::memcpy(static_cast<char *>(program->region) + section.offset +
                  relocation.r_offset,
              &value, width);
  return {};
}

Status HostLinker::relocate() {
  for (const auto &[section, relocation] : relocations)
    if (Status status = apply(sections[section], relocation); !status)
      return status;
  return {};
}

Status HostLinker::protect() {
  constexpr int kAccess[NumParts] = {PROT_READ | PROT_EXEC, PROT_READ,
                                     PROT_READ | PROT_WRITE};
  for (int part = Code; part < NumParts; ++part) {
    uint64_t size = parts[part].end - parts[part].begin;
    if (size &&
        ::mprotect(static_cast<char *>(program->region) + parts[part].begin,
                   size, kAccess[part]) != 0)
      return Error{std::string("host object: cannot protect its pages: ") +
                   std::strerror(errno)};
  }
  return {};
}

Result<std::unique_ptr<HostProgram>> HostLinker::link() {
  program.reset(new HostProgram());
  for (auto step : {&HostLinker::readSections, &HostLinker::readSymbols,
                    &HostLinker::classify, &HostLinker::readRelocations,
                    &HostLinker::layOut, &HostLinker::resolve,
                    &HostLinker::relocate, &HostLinker::protect})
    if (Status status = (this->*step)(); !status)
      return status.takeError();
  return std::move(program);
}

Result<std::unique_ptr<HostProgram>>
HostProgram::load(std::string_view object) {
  return HostLinker(object).link();
}

HostProgram::~HostProgram() {
  if (region)
    ::munmap(region, regionBytes);
}

void *HostProgram::find(const std::string &function) const {
  auto found = functions.find(function);
  return found == functions.end() ? nullptr : found->second;
}

} // namespace mlir::ks
