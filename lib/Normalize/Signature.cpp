//===- Signature.cpp - What the caller of a graph should know -------------===//
//
// See Signature.h. The attributes come from outside: each is an error that says
// what is expected, or holds.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/Signature.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::ks;

FailureOr<std::vector<Mutation>>
mlir::ks::readMutations(func::FuncOp function, size_t inputs, size_t results) {
  std::vector<Mutation> mutations;
  Attribute attribute = function->getAttr(mutationsAttr);
  if (!attribute)
    return mutations;
  auto pairs = dyn_cast<DenseI64ArrayAttr>(attribute);
  if (!pairs || pairs.size() % 2)
    return function.emitError("has a wrong ")
           << mutationsAttr
           << ": it is array<i64: result, argument, ...> in pairs";
  llvm::DenseSet<int64_t> seenResults, seenArguments;
  for (int64_t i = 0; i < pairs.size(); i += 2) {
    int64_t result = pairs[i], argument = pairs[i + 1];
    auto wrong = [&]() {
      return function.emitError("has a wrong ")
             << mutationsAttr << ": result " << result << " for argument "
             << argument;
    };
    if (result < 0 || static_cast<size_t>(result) >= results || argument < 0 ||
        static_cast<size_t>(argument) >= inputs)
      return wrong() << ", and the function has " << results << " results and "
                     << inputs << " arguments";
    if (!seenResults.insert(result).second ||
        !seenArguments.insert(argument).second)
      return wrong() << ", one of which is named twice";
    mutations.push_back(
        {static_cast<uint32_t>(result), static_cast<uint32_t>(argument)});
  }
  llvm::sort(mutations, [](const Mutation &a, const Mutation &b) {
    return a.result < b.result;
  });
  return mutations;
}

/// Names and kinds of the arguments.
static LogicalResult readArguments(func::FuncOp function, LaunchPlan &plan) {
  llvm::StringMap<unsigned> names;
  for (unsigned i = 0; i < plan.inputs.size(); ++i) {
    auto attributeError = [&](StringRef attribute) {
      return function.emitError("argument ")
             << i << " has a wrong " << attribute << ": ";
    };
    if (Attribute attribute = function.getArgAttr(i, argumentNameAttr)) {
      auto name = dyn_cast<StringAttr>(attribute);
      if (!name || name.empty())
        return attributeError(argumentNameAttr) << "it is no name";
      auto [other, isNew] = names.try_emplace(name.getValue(), i);
      if (!isNew)
        return attributeError(argumentNameAttr)
               << "'" << name.getValue() << "' is the name of argument "
               << other->second << " too";
      plan.inputs[i].name = name.str();
    }
    if (Attribute attribute = function.getArgAttr(i, argumentKindAttr)) {
      auto text = dyn_cast<StringAttr>(attribute);
      std::optional<InputKind> kind =
          text ? parseInputKind(text.getValue()) : std::nullopt;
      if (!kind)
        return attributeError(argumentKindAttr)
               << "it is input, parameter, buffer, constant or random, not "
               << attribute;
      plan.inputs[i].kind = *kind;
    }
  }
  return success();
}

namespace {
/// Reads one entry of ks.results.
class ResultReader {
public:
  ResultReader(func::FuncOp function, const LaunchPlan &plan, size_t number)
      : function(function), plan(plan), number(number) {}
  FailureOr<ResultDesc> read(Attribute attribute);

private:
  InFlightDiagnostic wrong() {
    return function.emitError("has a wrong ")
           << resultsAttr << ": entry " << number << " ";
  }
  std::optional<uint32_t> indexOf(DictionaryAttr entry, StringRef name,
                                  size_t limit);

  func::FuncOp function;
  const LaunchPlan &plan;
  size_t number;
};
} // namespace

std::optional<uint32_t> ResultReader::indexOf(DictionaryAttr entry,
                                              StringRef name, size_t limit) {
  auto index = entry.getAs<IntegerAttr>(name);
  if (!index || index.getValue().getSignificantBits() > 64 ||
      index.getInt() < 0 || static_cast<size_t>(index.getInt()) >= limit)
    return std::nullopt;
  return static_cast<uint32_t>(index.getInt());
}

FailureOr<ResultDesc> ResultReader::read(Attribute attribute) {
  auto entry = dyn_cast<DictionaryAttr>(attribute);
  if (!entry || entry.contains("result") == entry.contains("argument"))
    return wrong() << "names neither one result nor one argument";
  for (NamedAttribute field : entry)
    if (!llvm::is_contained(
            {"result", "argument", "sizes", "strides", "offset"},
            field.getName().getValue()))
      return wrong() << "has the unknown field '" << field.getName().getValue()
                     << "'";
  ResultDesc desc;
  if (entry.contains("result")) {
    std::optional<uint32_t> index = indexOf(entry, "result", numResults(plan));
    if (!index)
      return wrong() << "names no result: the function has "
                     << numResults(plan);
    desc = placeOfResult(plan, *index);
  } else {
    std::optional<uint32_t> index =
        indexOf(entry, "argument", plan.inputs.size());
    if (!index)
      return wrong() << "names no argument: the function has "
                     << plan.inputs.size();
    desc.of = ResultDesc::Of::Input;
    desc.index = *index;
  }
  if (!entry.contains("sizes") && !entry.contains("strides") &&
      !entry.contains("offset"))
    return desc;
  auto sizes = entry.getAs<DenseI64ArrayAttr>("sizes"),
       strides = entry.getAs<DenseI64ArrayAttr>("strides");
  auto offset = entry.getAs<IntegerAttr>("offset");
  if (!sizes || !strides || !offset ||
      offset.getValue().getSignificantBits() > 64)
    return wrong() << "is no view: sizes and strides are array<i64>, offset is "
                      "an integer";
  View &view = desc.view.emplace();
  view.sizes.assign(sizes.asArrayRef().begin(), sizes.asArrayRef().end());
  view.strides.assign(strides.asArrayRef().begin(), strides.asArrayRef().end());
  view.offset = offset.getInt();
  const BufferDesc &buffer = desc.of == ResultDesc::Of::Output
                                 ? plan.outputs[desc.index]
                                 : plan.inputs[desc.index];
  if (Status status = validate(view, buffer); !status)
    return wrong() << "is no view: " << status.error();
  return desc;
}

LogicalResult mlir::ks::readSignature(func::FuncOp function, LaunchPlan &plan) {
  // The results are the outputs and the new values of mutated arguments.
  auto pairs = function->getAttrOfType<DenseI64ArrayAttr>(mutationsAttr);
  size_t results = plan.outputs.size() + (pairs ? pairs.size() / 2 : 0);
  FailureOr<std::vector<Mutation>> mutations =
      readMutations(function, plan.inputs.size(), results);
  if (failed(mutations) || failed(readArguments(function, plan)))
    return failure();
  plan.mutated = std::move(*mutations);
  Attribute attribute = function->getAttr(resultsAttr);
  if (!attribute) {
    for (uint32_t i = 0; i < plan.outputs.size(); ++i)
      plan.results.push_back({ResultDesc::Of::Output, i});
    return success();
  }
  auto entries = dyn_cast<ArrayAttr>(attribute);
  if (!entries)
    return function.emitError("has a wrong ")
           << resultsAttr << ": it is a list of dictionaries";
  for (auto [i, entry] : llvm::enumerate(entries)) {
    FailureOr<ResultDesc> desc = ResultReader(function, plan, i).read(entry);
    if (failed(desc))
      return failure();
    plan.results.push_back(std::move(*desc));
  }
  return success();
}

/// The shape is all that the signature looks at.
static BufferDesc shapeOf(Type type) {
  BufferDesc desc;
  if (auto shaped = dyn_cast<ShapedType>(type))
    desc.shape.assign(shaped.getShape().begin(), shaped.getShape().end());
  return desc;
}

LogicalResult mlir::ks::checkSignature(func::FuncOp function) {
  if (Attribute python =
          function->getParentOfType<ModuleOp>()->getAttr(pythonAttr))
    if (!isa<StringAttr>(python))
      return function.emitError("stands in a module whose ")
             << pythonAttr << " is no string";
  FailureOr<std::vector<Mutation>> mutations = readMutations(
      function, function.getNumArguments(), function.getNumResults());
  if (failed(mutations))
    return failure();
  LaunchPlan plan;
  for (Type type : function.getArgumentTypes())
    plan.inputs.push_back(shapeOf(type));
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    auto mutation = llvm::find_if(
        *mutations, [&](const Mutation &it) { return it.result == i; });
    if (mutation == mutations->end()) {
      plan.outputs.push_back(shapeOf(type));
      continue;
    }
    Type argument = function.getArgumentTypes()[mutation->input];
    if (argument != type)
      return function.emitError("has a wrong ")
             << mutationsAttr << ": result " << i << " of type " << type
             << " for argument " << mutation->input << " of type " << argument;
  }
  return readSignature(function, plan);
}
