//===- Legality.cpp - Which units may be one kernel -----------------------===//
//
// A kernel computes each of its results element by element and evaluates the
// units behind it at the indices that it needs. The law keeps that from doing
// work over and over: it follows the indices at which each unit is evaluated
// from the results back to the inputs. Reductions are computed once for each
// row; what reads them has to walk over the same rows.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/Cut.h"

using namespace mlir;
using namespace mlir::ks;

namespace {

/// Indices at which a unit is evaluated, and how often in all.
struct Evaluation {
  uint64_t index;
  double count;
};

class LawChecker {
public:
  LawChecker(const UnitGraph &graph, ArrayRef<unsigned> members,
             const CutLimits &limits)
      : graph(graph), members(members), limits(limits) {}

  /// Null if the group is legal, else the reason.
  const char *check();

private:
  const Unit &unit(unsigned member) const {
    return graph.units[members[member]];
  }
  /// Position of a unit among the members, or -1.
  int find(unsigned number) const {
    const unsigned *it = llvm::lower_bound(members, number);
    return it != members.end() && *it == number ? it - members.begin() : -1;
  }
  bool isRoot(unsigned member) const {
    UnitKind kind = unit(member).kind;
    return kind != UnitKind::Elementwise && kind != UnitKind::Move;
  }
  bool isOutput(unsigned member) const;
  SmallVector<Evaluation> evaluate(unsigned member) const;
  const char *checkRoots();
  const char *checkReads(unsigned member) const;
  const char *checkDependents(unsigned root) const;
  const char *checkOutputs() const;
  const char *checkEvaluations();

  const UnitGraph &graph;
  ArrayRef<unsigned> members;
  const CutLimits &limits;
  SmallVector<SmallVector<Evaluation>> evaluations;
  bool hasReduction = false;
};

} // namespace

static uint64_t combine(uint64_t a, uint64_t b) {
  return static_cast<size_t>(llvm::hash_combine(a, b)) | 1;
}

bool LawChecker::isOutput(unsigned member) const {
  return unit(member).returned ||
         llvm::any_of(unit(member).readers, [&](unsigned use) {
           return find(graph.uses[use].consumer) < 0;
         });
}

/// At most one contraction, window or lone unit; reductions of equal rows.
const char *LawChecker::checkRoots() {
  const Unit *root = nullptr;
  for (unsigned member = 0; member < members.size(); ++member) {
    if (!isRoot(member))
      continue;
    const Unit &found = unit(member);
    if (found.kind == UnitKind::Loop)
      return "a loop is no part of a kernel";
    if (root && (root->kind != UnitKind::Reduction ||
                 found.kind != UnitKind::Reduction))
      return "a second contraction, window or reduction";
    if (root && root->rows != found.rows)
      return "reductions over different rows";
    root = &found;
    hasReduction = found.kind == UnitKind::Reduction;
  }
  return nullptr;
}

/// What a member reads from other members.
const char *LawChecker::checkReads(unsigned member) const {
  const Unit &reader = unit(member);
  for (unsigned number : reader.reads) {
    const UnitUse &use = graph.uses[number];
    int producer = find(use.producer);
    if (producer < 0)
      continue;
    const Unit &read = unit(producer);
    if (use.captured)
      return "read at computed indices";
    if (reader.kind == UnitKind::Contraction && !use.init)
      return "an operand of a contraction is read repeatedly";
    if (reader.kind == UnitKind::Alone &&
        (reader.op->getName().getStringRef() != "tm_tensor.scan" ||
         read.kind != UnitKind::Elementwise))
      return "stands alone";
    if (isRoot(producer) && reader.kind == UnitKind::Move)
      return "a reduction is moved";
    if (read.kind == UnitKind::Alone)
      return "stands alone";
  }
  return nullptr;
}

/// Everything that depends on a reduction or contraction has to run over its
/// results or, for a reduction, over the rows that it reduces. Of a contraction
/// or a window it may also leave some results out, as a crop does.
const char *LawChecker::checkDependents(unsigned root) const {
  const Unit &source = unit(root);
  BitVector depends(members.size());
  depends.set(root);
  for (unsigned member = root + 1; member < members.size(); ++member) {
    const Unit &reader = unit(member);
    if (llvm::none_of(reader.reads, [&](unsigned use) {
          int producer = find(graph.uses[use].producer);
          return producer >= 0 && depends[producer];
        }))
      continue;
    depends.set(member);
    bool sameRows =
        source.kind == UnitKind::Reduction && reader.domain == source.domain;
    bool someOf =
        source.kind != UnitKind::Reduction && reader.domain < source.elements;
    if (reader.kind == UnitKind::Move ||
        (reader.domain != source.elements && !sameRows && !someOf))
      return "not over the same rows";
  }
  return nullptr;
}

/// Several results have one index space, or that of the rows.
const char *LawChecker::checkOutputs() const {
  ArrayRef<int64_t> shape;
  unsigned count = 0;
  const Unit *root = nullptr;
  for (unsigned member = 0; member < members.size(); ++member)
    if (isRoot(member))
      root = &unit(member);
  for (unsigned member = 0; member < members.size(); ++member) {
    if (!isOutput(member))
      continue;
    const Unit &output = unit(member);
    if (root && root->kind == UnitKind::Alone && &output != root)
      return "stands alone";
    if (++count > limits.outputs)
      return "too many results";
    if (output.kind == UnitKind::Reduction)
      continue;
    if (hasReduction && output.domain != root->domain &&
        output.domain != root->elements)
      return "results of different index spaces";
    auto type = dyn_cast<RankedTensorType>(output.op->getResult(0).getType());
    if (hasReduction && output.domain != root->domain)
      continue;
    if (!shape.empty() && type && type.getShape() != shape)
      return "results of different index spaces";
    if (type)
      shape = type.getShape();
  }
  return nullptr;
}

SmallVector<Evaluation> LawChecker::evaluate(unsigned member) const {
  SmallVector<Evaluation> result;
  auto add = [&](uint64_t index, double count) {
    for (Evaluation &other : result)
      if (other.index == index)
        return void(other.count = std::max(other.count, count));
    result.push_back({index, count});
  };
  const Unit &read = unit(member);
  if (isOutput(member)) {
    auto type = cast<RankedTensorType>(read.op->getResult(0).getType());
    uint64_t shape = static_cast<size_t>(llvm::hash_combine_range(
        type.getShape().begin(), type.getShape().end()));
    add(combine(7, shape), read.elements);
  }
  for (unsigned number : read.readers) {
    const UnitUse &use = graph.uses[number];
    int consumer = find(use.consumer);
    if (consumer < 0)
      continue;
    if (isRoot(consumer)) {
      const Unit &reader = unit(consumer);
      add(combine(use.consumer + 16, use.access),
          use.init ? reader.elements : reader.domain);
      continue;
    }
    for (const Evaluation &each : evaluations[consumer])
      add(use.access ? combine(each.index, use.access) : each.index,
          each.count * use.share);
  }
  return result;
}

const char *LawChecker::checkEvaluations() {
  // What one evaluation costs, with the members behind it.
  SmallVector<double> cost(members.size());
  for (unsigned member = 0; member < members.size(); ++member) {
    cost[member] = isRoot(member) ? 1 : unit(member).cost;
    if (!isRoot(member))
      for (unsigned use : unit(member).reads)
        if (int producer = find(graph.uses[use].producer); producer >= 0)
          cost[member] += cost[producer];
  }
  evaluations.resize(members.size());
  for (unsigned member = members.size(); member-- > 0;) {
    const Unit &read = unit(member);
    evaluations[member] = evaluate(member);
    ArrayRef<Evaluation> each = evaluations[member];
    if (read.kind == UnitKind::Reduction || read.kind == UnitKind::Alone)
      continue;
    if (each.size() > (isRoot(member) ? 1 : limits.evaluations))
      return "evaluated at too many indices";
    double count = 0;
    for (const Evaluation &evaluation : each)
      count += evaluation.count;
    double allowed = read.elements * (isRoot(member) ? 1.01 : limits.repeats);
    if (count > allowed &&
        (isRoot(member) || cost[member] > limits.repeatedCost))
      return "evaluated too often";
  }
  return nullptr;
}

const char *LawChecker::check() {
  if (members.size() < 2)
    return nullptr;
  if (members.size() > limits.units)
    return "too many operations";
  if (const char *why = checkRoots())
    return why;
  for (unsigned member = 0; member < members.size(); ++member) {
    if (const char *why = checkReads(member))
      return why;
    if (isRoot(member))
      if (const char *why = checkDependents(member))
        return why;
  }
  if (const char *why = checkOutputs())
    return why;
  return checkEvaluations();
}

bool mlir::ks::isLegalGroup(const UnitGraph &graph, ArrayRef<unsigned> units,
                            const CutLimits &limits, StringRef *why) {
  const char *reason = LawChecker(graph, units, limits).check();
  if (reason && why)
    *why = reason;
  return !reason;
}
