//===- Input.cpp - The guard before MLIR's parser -------------------------===//
//
// One pass over the text with a stack of open brackets. It follows MLIR's lexer
// only as far as it must: comments, strings, arrows and comparisons.
//
//===----------------------------------------------------------------------===//
#include "ks/Passes/Input.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

/// What MLIR bytecode begins with.
static constexpr llvm::StringLiteral bytecodeMagic = "ML\xefR";

namespace {
/// An open bracket, and the binary operators seen in it since the last comma.
struct Frame {
  char open;
  unsigned operators = 0;
};

class NestingScanner {
public:
  NestingScanner(StringRef text, unsigned limit, StringRef splitMarker)
      : text(text), limit(limit), splitMarker(splitMarker) {}

  size_t run();

private:
  size_t skipComment(size_t pos);
  size_t skipString(size_t pos);
  /// Takes the identifier at `pos`, possibly an alias; false if too deep.
  bool takeWord(size_t &pos);
  bool takePunctuation(char c);
  /// Notes that something nests `inner` deep at this point.
  bool reach(size_t inner) {
    size_t depth = stack.size() + inner;
    deepest = std::max(deepest, depth);
    return depth <= limit;
  }

  StringRef text;
  unsigned limit;
  StringRef splitMarker;
  SmallVector<Frame> stack;
  /// Depth of each alias that is complete, the one being defined, and the
  /// greatest depth since its definition began.
  llvm::StringMap<size_t> aliases;
  StringRef defining;
  size_t deepest = 0;
  unsigned signs = 0;
};
} // namespace

static bool isWordChar(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
}

size_t NestingScanner::skipComment(size_t pos) {
  size_t end = std::min(text.find('\n', pos), text.size());
  if (!splitMarker.empty() && text.slice(pos, end).starts_with(splitMarker)) {
    stack.clear();
    aliases.clear();
    defining = {};
    deepest = signs = 0;
  }
  return end;
}

size_t NestingScanner::skipString(size_t pos) {
  for (++pos; pos < text.size() && text[pos] != '"' && text[pos] != '\n'; ++pos)
    if (text[pos] == '\\')
      ++pos;
  return pos + 1;
}

bool NestingScanner::takeWord(size_t &pos) {
  size_t start = pos;
  bool sigil = text[pos] == '#' || text[pos] == '!';
  for (pos += sigil; pos < text.size() && isWordChar(text[pos]);)
    ++pos;
  StringRef word = text.slice(start, pos);
  if (sigil && word.size() > 1) {
    StringRef rest = text.substr(pos).ltrim(" \t\r\n");
    if (stack.empty() && rest.starts_with("=") && !rest.starts_with("==")) {
      if (!defining.empty())
        aliases[defining] = deepest;
      defining = word;
      deepest = 0;
      return true;
    }
    return reach(aliases.lookup(word) + 1);
  }
  if (word == "mod" || word == "floordiv" || word == "ceildiv")
    return stack.empty() || ++stack.back().operators <= ks::maxAffineTerms;
  return true;
}

bool NestingScanner::takePunctuation(char c) {
  switch (c) {
  case '(':
  case '[':
  case '{':
  case '<':
    stack.push_back({c});
    return reach(0);
  case ')':
  case ']':
  case '}': {
    // What is left open inside, a `<` of a comparison say, ends here too.
    char open = c == ')' ? '(' : c == ']' ? '[' : '{';
    auto it = llvm::find_if(llvm::reverse(stack),
                            [&](Frame f) { return f.open == open; });
    if (it != stack.rend())
      stack.truncate(stack.size() - 1 - std::distance(stack.rbegin(), it));
    return true;
  }
  case '>':
    if (!stack.empty() && stack.back().open == '<')
      stack.pop_back();
    return true;
  case ',':
    if (!stack.empty())
      stack.back().operators = 0;
    return true;
  case '+':
  case '-':
  case '*':
    // Affine expressions stand in parentheses; elsewhere these are signs.
    return stack.empty() || stack.back().open != '(' ||
           ++stack.back().operators <= ks::maxAffineTerms;
  default:
    return true;
  }
}

size_t NestingScanner::run() {
  for (size_t pos = 0; pos < text.size();) {
    char c = text[pos];
    StringRef two = text.substr(pos, 2);
    if (two == "//") {
      pos = skipComment(pos);
    } else if (c == '"') {
      pos = skipString(pos);
      signs = 0;
    } else if (two == "->" || two == ">=" || two == "<=") {
      pos += 2;
    } else if (c == '#' || c == '!' || isWordChar(c)) {
      size_t start = pos;
      signs = 0;
      if (!takeWord(pos))
        return start;
    } else if (llvm::isSpace(c)) {
      ++pos;
    } else {
      signs = c == '-' ? signs + 1 : 0;
      if (!takePunctuation(c) || !reach(signs))
        return pos;
      ++pos;
    }
  }
  return StringRef::npos;
}

size_t mlir::ks::findDeepNesting(StringRef text, unsigned limit,
                                 StringRef splitMarker) {
  return NestingScanner(text, limit, splitMarker).run();
}

LogicalResult mlir::ks::checkNesting(const llvm::MemoryBuffer &buffer,
                                     llvm::raw_ostream &errors,
                                     StringRef splitMarker) {
  StringRef text = buffer.getBuffer();
  // Bytecode's reader trusts what it reads. A part of a split text can be
  // bytecode too; no valid text holds the magic number, which is no UTF-8.
  const char *message = "MLIR bytecode is not supported; mlir-opt turns it "
                        "into text";
  size_t pos = text.find(bytecodeMagic);
  if (pos == StringRef::npos) {
    message = "nested too deeply";
    pos = findDeepNesting(text, maxNesting, splitMarker);
  }
  if (pos == StringRef::npos)
    return success();
  StringRef before = text.take_front(pos);
  size_t lineStart = before.rfind('\n') + 1; // npos + 1 is 0.
  errors << buffer.getBufferIdentifier() << ":" << before.count('\n') + 1 << ":"
         << pos - lineStart + 1 << ": error: " << message << "\n";
  return failure();
}

OwningOpRef<ModuleOp> mlir::ks::parseModuleText(StringRef text, StringRef name,
                                                MLIRContext &context,
                                                llvm::raw_ostream &errors) {
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(text, name);
  if (failed(checkNesting(*buffer, errors)))
    return nullptr;
  return parseSourceString<ModuleOp>(buffer->getBuffer(),
                                     ParserConfig(&context), name);
}

OwningOpRef<ModuleOp> mlir::ks::parseModuleFile(StringRef path,
                                                MLIRContext &context,
                                                llvm::SourceMgr &sources,
                                                llvm::raw_ostream &errors) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (std::error_code error = buffer.getError()) {
    errors << "error: cannot read '" << path << "': " << error.message()
           << "\n";
    return nullptr;
  }
  if (failed(checkNesting(**buffer, errors)))
    return nullptr;
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
}
