//===- RunArguments.cpp - Where a run's arguments come from ---------------===//
//
// See RunArguments.h.
//
//===----------------------------------------------------------------------===//
#include "RunArguments.h"

#include "ks/Evaluate/Inputs.h"

using namespace mlir::ks;

static std::string numbered(size_t index) {
  return "arg" + std::to_string(index);
}

Status RunArguments::read(const std::string &path, File &file) {
  if (path.empty())
    return {};
  Result<NamedTensors> tensors = readTensorFile(path);
  if (!tensors)
    return tensors.takeError();
  file.given = true;
  file.path = path;
  for (auto &[name, tensor] : *tensors)
    file.tensors.emplace(std::move(name), std::move(tensor));
  return {};
}

Result<RunArguments> RunArguments::open(const std::string &arguments,
                                        const std::string &weights,
                                        uint64_t seed) {
  RunArguments result;
  result.seed = seed;
  if (Status status = read(arguments, result.arguments); !status)
    return status.takeError();
  if (Status status = read(weights, result.weights); !status)
    return status.takeError();
  return result;
}

Result<RunArguments::Found> RunArguments::find(const LaunchPlan &plan,
                                               size_t input) const {
  Found found;
  auto look = [&](const File &file, const std::string &name) {
    auto it = file.tensors.find(name);
    if (name.empty() || it == file.tensors.end())
      return false;
    found = {&it->second, &file, name};
    return true;
  };
  const std::string &name = plan.inputs[input].name;
  bool byNumber = look(arguments, numbered(input));
  if (byNumber && !name.empty() && arguments.tensors.count(name))
    return Error{arguments.path + ": has both '" + numbered(input) + "' and '" +
                 name + "', which are the same argument"};
  if (!byNumber && !look(arguments, name))
    look(weights, name);
  return found;
}

Result<size_t>
RunArguments::choose(const std::vector<LaunchPlan> &variants) const {
  for (size_t i = 0; i < variants.size(); ++i) {
    bool takes = true;
    for (size_t input = 0; takes && input < variants[i].inputs.size();
         ++input) {
      Result<Found> found = find(variants[i], input);
      if (!found)
        return found.takeError();
      takes = !found->tensor ||
              found->tensor->shape == variants[i].inputs[input].shape;
    }
    if (takes)
      return i;
  }
  if (variants.size() == 1)
    return size_t(0); // make() says which array does not fit.
  return Error{"no variant of the package takes arguments of these shapes"};
}

/// Arrays that count on more arguments than there are.
Status RunArguments::checkNumbers(const LaunchPlan &plan) const {
  std::string next = numbered(plan.inputs.size());
  if (arguments.tensors.count(next))
    return Error{arguments.path + ": has '" + next +
                 "', but the function takes " +
                 std::to_string(plan.inputs.size()) + " arguments"};
  return {};
}

Result<std::vector<Tensor>> RunArguments::make(const LaunchPlan &plan,
                                               int64_t indexRange) {
  std::vector<Tensor> result;
  std::vector<bool> drawn(plan.inputs.size());
  for (size_t i = 0; i < plan.inputs.size(); ++i) {
    const BufferDesc &wanted = plan.inputs[i];
    Result<Found> found = find(plan, i);
    if (!found)
      return found.takeError();
    if (const Tensor *tensor = found->tensor) {
      if (tensor->dtype != wanted.dtype || tensor->shape != wanted.shape)
        return Error{found->file->path + ": '" + found->name + "' is " +
                     describe(tensor->dtype, tensor->shape) +
                     ", and the function takes " +
                     describe(wanted.dtype, wanted.shape)};
      auto &tensors =
          found->file == &weights ? weights.tensors : arguments.tensors;
      result.push_back(std::move(tensors[found->name]));
      continue;
    }
    drawn[i] = !arguments.given;
    result.push_back({wanted.dtype, wanted.shape, {}});
    // Python scalars that the export has folded are arguments still.
    if (!drawn[i] && readsInput(plan, i))
      return Error{arguments.path + ": no array '" + numbered(i) + "'" +
                   (wanted.name.empty() ? "" : " or '" + wanted.name + "'") +
                   "; the function takes " +
                   std::to_string(plan.inputs.size()) + " arguments"};
    if (!drawn[i])
      result.back().bytes.resize(static_cast<size_t>(*byteSize(wanted)));
  }
  if (Status status = checkNumbers(plan); !status)
    return status.takeError();
  if (arguments.given)
    return result;
  // Drawn all at once, so that an argument is the same whatever files give.
  std::vector<BufferDesc> wanted = plan.inputs;
  for (size_t i = 0; i < wanted.size(); ++i)
    if (!drawn[i])
      wanted[i].shape = {0};
  std::vector<Tensor> random =
      makeInputs(wanted, Law::Normal, seed, indexRange);
  for (size_t i = 0; i < wanted.size(); ++i)
    if (drawn[i])
      result[i] = std::move(random[i]);
  return result;
}
