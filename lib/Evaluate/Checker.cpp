//===- Checker.cpp - Is it right? -----------------------------------------===//
//
// Runs reference and candidate and compares, see Checker.h.
//
//===----------------------------------------------------------------------===//
#include "Checker.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cstring>

using namespace mlir::ks;

/// Fill bytes of the two runs: NaN in every float type, and something harmless.
static constexpr uint8_t poisons[] = {0xff, 0x5a};

/// Results of the reference are kept while they are no more than this.
static constexpr int64_t keptElements = int64_t(1) << 25;

std::vector<Stretch> mlir::ks::chooseStretches(int64_t elements,
                                               int64_t limit) {
  std::vector<Stretch> result;
  if (elements <= limit) {
    constexpr int64_t chunk = int64_t(1) << 22;
    for (int64_t first = 0; first < elements; first += chunk)
      result.push_back({first, std::min(chunk, elements - first)});
    return result;
  }
  constexpr int64_t width = 4096;
  int64_t count = std::max<int64_t>(limit / width, 2);
  for (int64_t i = 0; i < count; ++i) {
    double place = static_cast<double>(elements - width) * i / (count - 1);
    result.push_back(
        {std::min(static_cast<int64_t>(place), elements - width), width});
  }
  return result;
}

/// True if `message` is that of one of the graph's own checks.
static bool isRejection(const LaunchPlan &plan, const std::string &message) {
  return llvm::is_contained(plan.checks, message);
}

Checker::Checker(const LaunchPlan &plan, std::unique_ptr<Executor> executor,
                 uint64_t seed, int64_t maxCompared)
    : plan(plan), executor(std::move(executor)) {
  uint64_t bytes = 0;
  for (const auto *buffers : {&plan.inputs, &plan.outputs})
    for (const BufferDesc &buffer : *buffers)
      bytes += numElements(buffer.shape).value_or(0) * byteWidth(buffer.dtype);
  laws = {{Law::Normal, seed}, {Law::Wide, seed}};
  // Filling and copying gigabytes for each law would take longer than the rest.
  if (bytes <= uint64_t(1) << 31)
    laws.insert(
        laws.end(),
        {{Law::Uniform, seed}, {Law::Ones, seed}, {Law::Normal, seed + 1}});
  int64_t outputs = std::max<int64_t>(plan.outputs.size() / 2, 1), total = 0;
  for (size_t i = 0; i + 1 < plan.outputs.size(); i += 2) {
    // The bound has the shape of the candidate's output.
    int64_t elements = numElements(plan.outputs[i + 1].shape).value_or(0);
    stretches.push_back(chooseStretches(elements, maxCompared / outputs));
    for (Stretch stretch : stretches.back())
      total += stretch.count;
  }
  keep = total * static_cast<int64_t>(laws.size()) <= keptElements;
}

Result<std::unique_ptr<Checker>> Checker::create(Device &device,
                                                 const LaunchPlan &reference,
                                                 uint64_t seed,
                                                 int64_t maxCompared) {
  Result<std::unique_ptr<Executor>> executor =
      Executor::create(device, reference);
  if (!executor)
    return executor.takeError();
  return std::unique_ptr<Checker>(
      new Checker(reference, std::move(*executor), seed, maxCompared));
}

std::vector<Tensor> Checker::inputsOf(size_t law, int64_t indexRange) const {
  return makeInputs(plan.inputs, laws[law].law, laws[law].seed, indexRange);
}

Result<Checker::Expectation> Checker::runReference(size_t law,
                                                   int64_t indexRange) {
  Expectation result;
  result.indexRange = indexRange;
  if (Status status = executor->setInputs(inputsOf(law, indexRange)); !status)
    return status.takeError();
  if (Status status = executor->run(); !status) {
    if (!isRejection(plan, status.error()))
      return Error{"the reference failed: " + status.error()};
    result.rejected = true;
    return result;
  }
  for (size_t output = 0; output < stretches.size(); ++output) {
    const BufferDesc &value = plan.outputs[2 * output];
    const BufferDesc &bound = plan.outputs[2 * output + 1];
    int64_t elements = numElements(bound.shape).value_or(0);
    int64_t parts =
        elements ? numElements(value.shape).value_or(0) / elements : 1;
    std::vector<Expected> &pieces = result.outputs.emplace_back();
    for (Stretch stretch : stretches[output]) {
      Result<Tensor> values = executor->readOutput(
          2 * output, stretch.first * parts, stretch.count * parts);
      if (!values)
        return values.takeError();
      Result<Tensor> bounds =
          executor->readOutput(2 * output + 1, stretch.first, stretch.count);
      if (!bounds)
        return bounds.takeError();
      pieces.push_back({std::move(*values), std::move(*bounds)});
    }
  }
  return result;
}

Result<const Checker::Expectation *> Checker::expectation(size_t law) {
  if (auto it = known.find(law); it != known.end())
    return &it->second;
  // Indices into something smaller than any input are refused: try zeros then.
  Result<Expectation> result = runReference(law, safeIndexRange(plan.inputs));
  if (result && result->rejected)
    result = runReference(law, 1);
  if (!result)
    return result.takeError();
  Expectation &place = keep ? known[law] : scratch;
  place = std::move(*result);
  return &place;
}

/// Reads the chosen stretches of every result.
static Result<std::vector<std::vector<Tensor>>>
readStretches(Executor &executor,
              const std::vector<std::vector<Stretch>> &stretches) {
  std::vector<std::vector<Tensor>> result(stretches.size());
  for (size_t output = 0; output < stretches.size(); ++output) {
    for (Stretch stretch : stretches[output]) {
      Result<Tensor> part =
          executor.readResult(output, stretch.first, stretch.count);
      if (!part)
        return part.takeError();
      result[output].push_back(std::move(*part));
    }
  }
  return result;
}

/// Puts `fault` into what a run left.
static void inject(Fault fault, unsigned run,
                   std::vector<std::vector<Tensor>> &outputs) {
  if (outputs.empty() || outputs[0].empty() || outputs[0].back().bytes.empty())
    return;
  std::vector<uint8_t> &bytes = outputs[0].back().bytes;
  size_t width = byteWidth(outputs[0].back().dtype);
  if (fault == Fault::Wrong)
    bytes[bytes.size() - 1] ^= 0x40;
  if (fault == Fault::Partial)
    std::memset(bytes.data() + bytes.size() - width, poisons[run], width);
  if (fault == Fault::Unsteady && run == 1)
    bytes[bytes.size() - width] ^= 1;
}

/// True if the device's inputs, but for those that are mutated, are still those
/// that were copied in.
static Result<bool> inputsUnchanged(Executor &executor, const LaunchPlan &plan,
                                    const std::vector<Tensor> &inputs,
                                    int64_t limit, size_t &which) {
  for (which = 0; which < inputs.size(); ++which) {
    if (isMutated(plan, which))
      continue;
    const Tensor &input = inputs[which];
    int64_t width = static_cast<int64_t>(byteWidth(input.dtype));
    for (Stretch stretch : chooseStretches(input.size(), limit)) {
      Result<Tensor> now =
          executor.readInput(which, stretch.first, stretch.count);
      if (!now)
        return now.takeError();
      if (std::memcmp(now->bytes.data(),
                      input.bytes.data() + stretch.first * width,
                      stretch.count * width))
        return false;
    }
  }
  return true;
}

Result<bool> Checker::checkLaw(size_t law, Executor &candidate,
                               const LaunchPlan &candidatePlan,
                               bool deterministic, Fault fault,
                               LawCheck &record, std::string &why) {
  record.law = name(laws[law].law);
  record.seed = laws[law].seed;
  Result<const Expectation *> wanted = expectation(law);
  if (!wanted)
    return wanted.takeError();
  const Expectation &expected = **wanted;
  record.rejected = expected.rejected;
  std::vector<Tensor> inputs = inputsOf(law, expected.indexRange);
  if (Status status = candidate.setInputs(inputs); !status)
    return status.takeError();

  std::vector<std::vector<Tensor>> first;
  for (unsigned run = 0; run < 2; ++run) {
    if (run && !candidatePlan.mutated.empty())
      if (Status status = candidate.setInputs(inputs); !status)
        return status.takeError();
    if (Status status = candidate.poison(poisons[run]); !status)
      return status.takeError();
    Status ran = candidate.run();
    if (expected.rejected) {
      if (!ran && isRejection(candidatePlan, ran.error()))
        continue;
      why = ran ? "accepts inputs that the graph's checks refuse" : ran.error();
      return false;
    }
    if (!ran) {
      why = ran.error();
      return false;
    }
    auto outputs = readStretches(candidate, stretches);
    if (!outputs)
      return outputs.takeError();
    inject(fault, run, *outputs);
    if (run == 1 && deterministic) {
      for (size_t output = 0; output < first.size(); ++output) {
        for (size_t i = 0; i < first[output].size(); ++i) {
          if (first[output][i].bytes != (*outputs)[output][i].bytes) {
            why = "output " + std::to_string(output) +
                  " differs between two runs";
            return false;
          }
        }
      }
      break;
    }
    for (size_t output = 0; output < stretches.size(); ++output) {
      OutputCheck whole;
      for (size_t i = 0; i < stretches[output].size(); ++i)
        merge(whole, compareOutput((*outputs)[output][i],
                                   expected.outputs[output][i].value,
                                   expected.outputs[output][i].bound,
                                   stretches[output][i].first));
      whole.elements =
          numElements(
              bufferOf(candidatePlan, placeOfResult(candidatePlan, output))
                  .shape)
              .value_or(0);
      if (run == 0)
        record.outputs.push_back(whole);
      else
        merge(record.outputs[output], whole);
      if (!whole.passed()) {
        why = "output " + std::to_string(output) + ": " + whole.describe();
        return false;
      }
    }
    first = std::move(*outputs);
  }

  size_t which = 0;
  if (fault == Fault::Input && !inputs.empty() && !inputs[0].bytes.empty())
    inputs[0].bytes[0] ^= 1;
  Result<bool> unchanged = inputsUnchanged(candidate, candidatePlan, inputs,
                                           int64_t(1) << 22, which);
  if (!unchanged)
    return unchanged.takeError();
  if (!*unchanged) {
    why = "writes to input " + std::to_string(which);
    return false;
  }
  Result<bool> guarded = candidate.guardsIntact();
  if (!guarded)
    return guarded.takeError();
  if (!*guarded)
    why = "writes outside of its buffers";
  return *guarded;
}

Result<bool> Checker::check(Executor &candidate,
                            const LaunchPlan &candidatePlan, bool deterministic,
                            Fault fault, std::vector<LawCheck> &checks,
                            std::string &why) {
  if (numResults(candidatePlan) != stretches.size()) {
    why = "has another number of outputs than the reference";
    return false;
  }
  for (size_t law = 0; law < laws.size(); ++law) {
    LawCheck &record = checks.emplace_back();
    Result<bool> right = checkLaw(law, candidate, candidatePlan, deterministic,
                                  fault, record, why);
    if (!right)
      return right;
    if (!*right) {
      why = "on " + record.law + " inputs: " + why;
      return false;
    }
  }
  return true;
}
