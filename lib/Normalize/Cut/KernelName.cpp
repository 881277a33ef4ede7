//===- KernelName.cpp - Readable names for kernels ------------------------===//
//
// Names a kernel by what its units compute and by the PyTorch line that their
// locations carry. Recognises the common activations and normalisations by the
// operations in the bodies; a name is a help to the reader and nothing else.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/Cut.h"
#include "ks/Normalize/OpName.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::ks;

/// Names of the operations in the bodies, without dialect and type suffix.
static SmallVector<StringRef> bodyOps(Operation *op) {
  SmallVector<StringRef> names;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      StringRef name = inner->getName().stripDialect();
      if (auto extract = dyn_cast<tensor::ExtractOp>(inner);
          extract && extract.getIndices().empty())
        return; // A scalar.
      StringRef shortName =
          llvm::StringSwitch<StringRef>(name)
              .Cases({"addf", "addi"}, "add")
              .Cases({"subf", "subi"}, "sub")
              .Cases({"mulf", "muli"}, "mul")
              .Cases({"divf", "divsi", "divui"}, "div")
              .Cases({"maximumf", "maxnumf", "maxsi", "maxui"}, "max")
              .Cases({"minimumf", "minnumf", "minsi", "minui"}, "min")
              .Cases({"negf"}, "neg")
              .Cases({"absf", "absi"}, "abs")
              .Cases({"cmpf", "cmpi"}, "compare")
              .Cases({"powf", "fpowi"}, "pow")
              .Cases({"andi"}, "and")
              .Cases({"ori"}, "or")
              .Case("extract", "gather")
              .Cases({"constant", "yield", "index", "index_cast", "extf",
                      "truncf", "sitofp", "uitofp", "fptosi", "extsi", "extui",
                      "trunci"},
                     "")
              .Default(name);
      if (!shortName.empty())
        names.push_back(shortName);
    });
  return names;
}

static bool has(ArrayRef<StringRef> names, StringRef name) {
  return llvm::is_contained(names, name);
}

/// True if an input is read along some of the loops only, as a bias is.
static bool readsBroadcast(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.getNumDpsInputs() > 1 &&
         llvm::any_of(linalgOp.getDpsInputOperands(), [&](OpOperand *operand) {
           unsigned rank = linalgOp.getRank(operand);
           return rank > 0 && rank < linalgOp.getNumLoops();
         });
}

static std::string elementwiseName(Operation *op,
                                   bool afterContraction = false) {
  SmallVector<StringRef> names = bodyOps(op);
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (names.empty() || !linalgOp)
    return llvm::StringSwitch<StringRef>(op->getName().stripDialect())
        .Cases({"expand_shape", "collapse_shape"}, "reshape")
        .Case("extract_slice", "slice")
        .Case("insert_slice", "insert")
        .Case("generic", isFree(op) ? "copy" : "cast")
        .Default(op->getName().stripDialect())
        .str();
  if (has(names, "erf") ||
      (has(names, "tanh") && llvm::count(names, "mul") > 3))
    return "gelu";
  if (has(names, "rsqrt") && has(names, "sub") && has(names, "mul"))
    return "batch_norm";
  if (has(names, "neg") && has(names, "exp") && has(names, "div"))
    return "sigmoid";
  if (has(names, "compare") && has(names, "select") && names.size() == 2)
    return linalgOp.getNumDpsInputs() == 1 ? "relu" : "select";
  if (has(names, "compare") && llvm::count(names, "select") > 1)
    return "clamp";
  if (names.size() == 1 && names[0] == "max" && linalgOp.getNumDpsInputs() == 1)
    return "relu";
  if (afterContraction && names[0] == "add" && readsBroadcast(op))
    return "bias";
  if (has(names, "log1p") && has(names, "exp"))
    return "softplus";
  for (StringRef name : {"exp", "log", "log1p", "tanh", "sqrt", "rsqrt", "sin",
                         "cos", "pow", "gather", "div"})
    if (has(names, name))
      return name.str();
  return names[0].str();
}

/// Number of dimensions that are indexed by a sum of loops.
static unsigned windowRank(linalg::LinalgOp op) {
  unsigned rank = 0;
  for (AffineExpr expr : op.getIndexingMapsArray().front().getResults())
    rank += !isa<AffineDimExpr, AffineConstantExpr>(expr);
  return rank;
}

/// True if a window is walked backwards, as a transposed convolution's is.
static bool walksBackwards(linalg::LinalgOp op) {
  bool backwards = false;
  op.getIndexingMapsArray().front().walkExprs([&](AffineExpr expr) {
    auto product = dyn_cast<AffineBinaryOpExpr>(expr);
    auto factor = product && expr.getKind() == AffineExprKind::Mul
                      ? dyn_cast<AffineConstantExpr>(product.getRHS())
                      : nullptr;
    backwards |= factor && factor.getValue() < 0;
  });
  return backwards;
}

static StringRef combinerName(ArrayRef<StringRef> names) {
  for (StringRef name : {"select", "max", "min", "add", "mul", "or", "and"})
    if (has(names, name))
      return name == "add"      ? "sum"
             : name == "mul"    ? "prod"
             : name == "or"     ? "any"
             : name == "and"    ? "all"
             : name == "select" ? (has(names, "min") ? "argmin" : "argmax")
                                : name;
  return "reduce";
}

static std::string rootName(const Unit &unit) {
  StringRef name = unit.op->getName().stripDialect();
  auto op = dyn_cast<linalg::LinalgOp>(unit.op);
  if (!op)
    return name.str();
  if (unit.kind == UnitKind::Reduction)
    return combinerName(bodyOps(op)).str();
  unsigned rank = windowRank(op);
  std::string dims = std::to_string(rank) + "d";
  if (unit.kind == UnitKind::Window)
    return (combinerName(bodyOps(op)) + "_pool" + dims).str();
  if (rank > 0)
    return (name.starts_with("depthwise") ? "depthwise_conv"
            : walksBackwards(op)          ? "conv_transpose"
                                          : "conv") +
           dims;
  if (name != "generic")
    return name.take_until([](char c) { return c == '{'; }).str();
  unsigned loops = llvm::count_if(op.getStaticLoopRanges(),
                                  [](int64_t extent) { return extent != 1; });
  return loops <= 2 ? "matvec" : loops == 3 ? "matmul" : "batch_matmul";
}

/// Joins up to three different names; moves and casts count if nothing else
/// does.
static std::string join(ArrayRef<std::string> names) {
  StringRef unimportant[] = {"cast", "copy", "reshape"};
  bool important = llvm::any_of(names, [&](const std::string &name) {
    return !llvm::is_contained(unimportant, name);
  });
  std::string result;
  llvm::StringSet<> seen;
  for (const std::string &name : names)
    if (seen.size() < 3 &&
        !(important && llvm::is_contained(unimportant, name)) &&
        seen.insert(name).second)
      result += (result.empty() ? "" : "_") + name;
  return result;
}

/// A square root behind a contraction is the scale of a batch normalisation;
/// what stays of the other names are activations.
static void nameBatchNorm(SmallVectorImpl<std::string> &names) {
  if (!llvm::is_contained(names, "sqrt") && !llvm::is_contained(names, "rsqrt"))
    return;
  llvm::erase_if(names, [](const std::string &name) {
    return !llvm::is_contained({"relu", "gelu", "sigmoid", "clamp", "tanh"},
                               name);
  });
  names.insert(names.begin(), "batch_norm");
}

/// Softmax, normalisations, and other reductions with what is around them.
static std::string rowName(const UnitGraph &graph, ArrayRef<unsigned> units) {
  SmallVector<StringRef> names;
  SmallVector<std::string> parts;
  unsigned sums = 0;
  const Unit *reduction = nullptr;
  for (unsigned number : units) {
    const Unit &unit = graph.units[number];
    SmallVector<StringRef> inner = bodyOps(unit.op);
    if (!has(inner, "neg")) // else a sigmoid's exponential
      names.append(inner);
    if (unit.kind == UnitKind::Reduction) {
      reduction = &unit;
      parts.push_back(combinerName(inner).str());
      sums += parts.back() == "sum";
      continue;
    }
    if (reduction && parts.back() == "sum" &&
        unit.domain == reduction->elements && has(inner, "div")) {
      parts.back() = "mean";
      continue;
    }
    parts.push_back(elementwiseName(unit.op));
  }
  // The last result runs over what is reduced.
  bool whole = graph.units[units.back()].kind != UnitKind::Reduction &&
               graph.units[units.back()].domain == reduction->domain;
  if (has(names, "exp") && sums > 0 && has(names, "sub"))
    return whole               ? has(names, "log") ? "log_softmax" : "softmax"
           : has(names, "log") ? "logsumexp"
                               : join(parts);
  if (whole && (has(names, "rsqrt") || has(names, "sqrt")))
    return sums > 1 && reduction->rows.front() < 0 ? "batch_norm"
           : sums > 1                              ? "layer_norm"
           : has(names, "rsqrt")                   ? "rms_norm"
                                                   : "normalize";
  return join(parts);
}

unsigned mlir::ks::dominantUnit(const UnitGraph &graph,
                                ArrayRef<unsigned> units) {
  const unsigned *found = llvm::find_if(units, [&](unsigned unit) {
    UnitKind kind = graph.units[unit].kind;
    return kind != UnitKind::Elementwise && kind != UnitKind::Move;
  });
  return found == units.end() ? units.back() : *found;
}

/// `_file_line` of the Python source that a location names, or nothing. Frames
/// go from the inside out; the model's own line tells more than PyTorch's,
/// which are the same for every linear layer.
static std::string sourceLine(Location location) {
  std::string found;
  location->walk([&](Location inner) {
    auto line = dyn_cast<FileLineColLoc>(inner);
    if (!line)
      return WalkResult::advance();
    StringRef file = line.getFilename().getValue();
    if (llvm::sys::path::extension(file) != ".py")
      return WalkResult::advance();
    bool isTorch = file.starts_with("torch/") || file.contains("/torch/");
    if (isTorch && !found.empty())
      return WalkResult::advance();
    found = "_";
    for (char c : llvm::sys::path::stem(file))
      found += llvm::isAlnum(c) ? c : '_';
    found += "_" + std::to_string(line.getLine());
    return isTorch ? WalkResult::advance() : WalkResult::interrupt();
  });
  return found;
}

/// The name of the model's operation that a location tells, as a prefix.
static std::string opPrefix(Location location) {
  std::string result;
  for (char c : opNameOf(location))
    result += llvm::isAlnum(c) ? c : '_';
  return result.empty() ? result : result + "_";
}

std::string mlir::ks::kernelName(const UnitGraph &graph,
                                 ArrayRef<unsigned> units) {
  unsigned dominant = dominantUnit(graph, units);
  const Unit &root = graph.units[dominant];
  std::string name;
  if (root.kind == UnitKind::Reduction) {
    name = rowName(graph, units);
  } else {
    SmallVector<std::string> parts;
    bool elementwise =
        root.kind == UnitKind::Elementwise || root.kind == UnitKind::Move;
    if (!elementwise)
      name = rootName(root);
    for (unsigned unit : units)
      if (elementwise || unit > dominant)
        parts.push_back(elementwiseName(graph.units[unit].op,
                                        root.kind == UnitKind::Contraction));
    if (root.kind == UnitKind::Contraction)
      nameBatchNorm(parts);
    std::string joined = join(parts);
    if (elementwise)
      name = (parts.size() < 2 || joined.find('_') == std::string::npos
                  ? ""
                  : "elementwise_") +
             joined;
    else if (!joined.empty() && joined != "cast" && joined != "reshape")
      name += "_" + joined;
  }
  return opPrefix(root.op->getLoc()) + name + sourceLine(root.op->getLoc());
}
