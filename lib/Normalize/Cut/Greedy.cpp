//===- Greedy.cpp - The greedy cut ----------------------------------------===//
//
// Every unit begins as a group of its own. Contractions and windows take the
// elementwise units behind them for as long as one result is left; reductions
// of one input over the same rows meet; then, from the results backwards, each
// group joins the kernels that read it. A merge is taken if the law allows it
// and no cycle of kernels arises.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/Cut.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <set>

using namespace mlir;
using namespace mlir::ks;

namespace {

class GreedyCut {
public:
  GreedyCut(const UnitGraph &graph, const CutLimits &limits)
      : graph(graph), limits(limits), groupOf(graph.units.size()),
        visited(graph.units.size()) {
    for (unsigned unit = 0; unit < graph.units.size(); ++unit) {
      groupOf[unit] = unit;
      groups.push_back({unit});
    }
  }

  std::vector<Group> run();

private:
  std::set<unsigned> readersOf(unsigned group) const;
  bool pathOutside(unsigned from, unsigned to);
  void merge(unsigned from, unsigned into);
  bool tryMerge(unsigned from, unsigned into);
  void growEpilogue(unsigned root);
  void mergeSiblings();
  bool joinReaders(unsigned unit);
  std::vector<Group> inOrder() const;

  const UnitGraph &graph;
  const CutLimits &limits;
  std::vector<unsigned> groupOf;
  std::vector<Group> groups; ///< Merged groups are empty.
  std::vector<unsigned> visited;
  unsigned stamp = 0;
};

} // namespace

/// Groups that read results of `group`.
std::set<unsigned> GreedyCut::readersOf(unsigned group) const {
  std::set<unsigned> readers;
  for (unsigned unit : groups[group])
    for (unsigned use : graph.units[unit].readers)
      readers.insert(groupOf[graph.uses[use].consumer]);
  readers.erase(group);
  return readers;
}

/// True if `to` depends on `from` through a third group.
bool GreedyCut::pathOutside(unsigned from, unsigned to) {
  ++stamp;
  unsigned last = groups[to].back();
  SmallVector<unsigned> pending;
  auto visit = [&](unsigned group) {
    if (visited[group] != stamp && groups[group].front() < last) {
      visited[group] = stamp;
      pending.push_back(group);
    }
  };
  visited[from] = stamp;
  for (unsigned reader : readersOf(from))
    if (reader != to)
      visit(reader);
  while (!pending.empty())
    for (unsigned reader : readersOf(pending.pop_back_val())) {
      if (reader == to)
        return true;
      visit(reader);
    }
  return false;
}

static Group unite(const Group &a, const Group &b) {
  Group result;
  std::merge(a.begin(), a.end(), b.begin(), b.end(),
             std::back_inserter(result));
  return result;
}

void GreedyCut::merge(unsigned from, unsigned into) {
  for (unsigned unit : groups[from])
    groupOf[unit] = into;
  groups[into] = unite(groups[from], groups[into]);
  groups[from].clear();
}

bool GreedyCut::tryMerge(unsigned from, unsigned into) {
  if (groups[from].size() + groups[into].size() > limits.units ||
      !isLegalGroup(graph, unite(groups[from], groups[into]), limits) ||
      pathOutside(from, into))
    return false;
  merge(from, into);
  return true;
}

/// Takes elementwise readers in program order, and keeps the largest group from
/// which one value comes out: whatever is computed from the root's result
/// alone.
void GreedyCut::growEpilogue(unsigned root) {
  Group grown = {root};
  size_t kept = 1;
  while (grown.size() < limits.units) {
    unsigned next = graph.units.size();
    unsigned outputs = 0;
    for (unsigned unit : grown) {
      bool output = graph.units[unit].returned;
      for (unsigned use : graph.units[unit].readers) {
        unsigned reader = graph.uses[use].consumer;
        if (llvm::is_contained(grown, reader))
          continue;
        output = true;
        next = std::min(next, reader);
      }
      outputs += output;
    }
    if (outputs <= 1)
      kept = grown.size();
    if (next == graph.units.size() || groups[groupOf[next]].size() > 1 ||
        graph.units[next].kind != UnitKind::Elementwise)
      break;
    grown.push_back(next);
    if (!isLegalGroup(graph, grown, limits)) {
      grown.pop_back();
      break;
    }
  }
  for (unsigned unit : ArrayRef(grown).take_front(kept).drop_front())
    if (!pathOutside(groupOf[root], unit))
      merge(unit, groupOf[root]);
    else
      break;
}

/// Reductions of one input in the same way, such as a minimum and a maximum.
void GreedyCut::mergeSiblings() {
  DenseMap<Value, SmallVector<unsigned, 2>> byInput;
  for (unsigned unit = 0; unit < graph.units.size(); ++unit) {
    if (graph.units[unit].kind != UnitKind::Reduction)
      continue;
    auto op = cast<linalg::LinalgOp>(graph.units[unit].op);
    if (op.getNumDpsInputs() == 0)
      continue;
    SmallVector<unsigned, 2> &siblings = byInput[op->getOperand(0)];
    for (unsigned other : siblings) {
      auto otherOp = cast<linalg::LinalgOp>(graph.units[other].op);
      if (op.getIndexingMapsArray().front() ==
              otherOp.getIndexingMapsArray().front() &&
          !pathOutside(groupOf[unit], groupOf[other]) &&
          !readersOf(groupOf[other]).count(groupOf[unit]) &&
          tryMerge(groupOf[other], groupOf[unit]))
        break;
    }
    siblings.push_back(unit);
  }
}

bool GreedyCut::joinReaders(unsigned unit) {
  bool changed = false;
  // The nearest first: what comes later may depend on it.
  std::set<std::pair<unsigned, unsigned>> readers;
  for (unsigned use : graph.units[unit].readers) {
    unsigned group = groupOf[graph.uses[use].consumer];
    if (group != groupOf[unit])
      readers.insert({groups[group].front(), group});
  }
  for (auto [first, group] : readers)
    changed |= tryMerge(groupOf[unit], group);
  return changed;
}

/// Orders the groups so that each comes after those that it reads, else by
/// their first unit.
std::vector<Group> GreedyCut::inOrder() const {
  std::vector<unsigned> waiting(groups.size());
  for (unsigned group = 0; group < groups.size(); ++group)
    if (!groups[group].empty())
      for (unsigned reader : readersOf(group))
        ++waiting[reader];
  std::set<std::pair<unsigned, unsigned>> ready;
  for (unsigned group = 0; group < groups.size(); ++group)
    if (!groups[group].empty() && waiting[group] == 0)
      ready.insert({groups[group].front(), group});
  std::vector<Group> order;
  while (!ready.empty()) {
    unsigned group = ready.begin()->second;
    ready.erase(ready.begin());
    order.push_back(groups[group]);
    for (unsigned reader : readersOf(group))
      if (--waiting[reader] == 0)
        ready.insert({groups[reader].front(), reader});
  }
  return order;
}

std::vector<Group> GreedyCut::run() {
  for (unsigned unit = 0; unit < graph.units.size(); ++unit)
    if (graph.units[unit].kind == UnitKind::Contraction ||
        graph.units[unit].kind == UnitKind::Window)
      growEpilogue(unit);
  mergeSiblings();
  // A merge may make room for another further up; twice is enough in practice.
  for (int round = 0; round < 2; ++round) {
    bool changed = false;
    for (unsigned unit = graph.units.size(); unit-- > 0;)
      changed |= joinReaders(unit);
    if (!changed)
      break;
  }
  return inOrder();
}

std::vector<Group> mlir::ks::cutGreedily(const UnitGraph &graph,
                                         const CutLimits &limits) {
  return GreedyCut(graph, limits).run();
}
