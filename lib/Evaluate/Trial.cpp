//===- Trial.cpp - Jobs and answers as JSON -------------------------------===//
//
// Numbers that JSON has no word for (infinite bounds, NaN errors) travel as
// strings.
//
//===----------------------------------------------------------------------===//
#include "ks/Evaluate/Trial.h"

#include <cmath>

namespace json = llvm::json;
using namespace mlir::ks;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::ObjectMapper;
using llvm::json::Path;

static constexpr std::string_view outcomes[] = {
    "passed", "better", "not better", "inconclusive",
    "wrong",  "failed", "crashed",    "unchecked"};

std::string_view mlir::ks::name(Outcome outcome) {
  return outcomes[static_cast<size_t>(outcome)];
}

static json::Value number(double value) {
  if (std::isfinite(value))
    return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

/// Reads what number() wrote.
static bool mapNumber(const Object *object, llvm::StringRef key, double &to) {
  const json::Value *value = object ? object->get(key) : nullptr;
  if (!value)
    return false;
  if (std::optional<double> plain = value->getAsNumber())
    to = *plain;
  else if (value->getAsString() == "nan")
    to = std::nan("");
  else if (value->getAsString() == "inf")
    to = HUGE_VAL;
  else if (value->getAsString() == "-inf")
    to = -HUGE_VAL;
  else
    return false;
  return true;
}

Object mlir::ks::toJSON(const TrialJob &job) {
  return Object{{"reference", job.reference},
                {"candidate", job.candidate},
                {"incumbent", job.incumbent},
                {"device", job.device},
                {"chip", job.chip},
                {"ptxas", job.ptxas},
                {"folder", job.folder},
                {"seed", static_cast<int64_t>(job.seed)},
                {"deterministic", job.deterministic},
                {"max_flops", job.maxFlops},
                {"max_compared", job.maxCompared},
                {"timing_seconds", job.timingSeconds}};
}

bool mlir::ks::fromJSON(const json::Value &value, TrialJob &job, Path path) {
  ObjectMapper map(value, path);
  return map && map.map("reference", job.reference) &&
         map.map("candidate", job.candidate) &&
         map.map("incumbent", job.incumbent) && map.map("device", job.device) &&
         map.map("chip", job.chip) && map.map("ptxas", job.ptxas) &&
         map.map("folder", job.folder) && map.map("seed", job.seed) &&
         map.map("deterministic", job.deterministic) &&
         map.map("max_flops", job.maxFlops) &&
         map.map("max_compared", job.maxCompared) &&
         map.map("timing_seconds", job.timingSeconds);
}

static Object toObject(const OutputCheck &check) {
  return Object{{"elements", check.elements},
                {"compared", check.compared},
                {"misses", check.misses},
                {"unbounded", check.unbounded},
                {"worst", check.worst},
                {"error", number(check.error)},
                {"allowed", number(check.allowed)},
                {"got", number(check.got)},
                {"expected", number(check.expected)}};
}

namespace mlir::ks {
static bool fromJSON(const json::Value &value, OutputCheck &check, Path path) {
  ObjectMapper map(value, path);
  const Object *object = value.getAsObject();
  return map && map.map("elements", check.elements) &&
         map.map("compared", check.compared) &&
         map.map("misses", check.misses) &&
         map.map("unbounded", check.unbounded) &&
         map.map("worst", check.worst) &&
         mapNumber(object, "error", check.error) &&
         mapNumber(object, "allowed", check.allowed) &&
         mapNumber(object, "got", check.got) &&
         mapNumber(object, "expected", check.expected);
}

static bool fromJSON(const json::Value &value, LawCheck &check, Path path) {
  ObjectMapper map(value, path);
  return map && map.map("law", check.law) && map.map("seed", check.seed) &&
         map.map("rejected", check.rejected) &&
         map.map("outputs", check.outputs);
}

static bool fromJSON(const json::Value &value, KernelResources &r, Path path) {
  ObjectMapper map(value, path);
  return map && map.map("kernel", r.kernel) &&
         map.map("registers", r.registers) &&
         map.map("spill_bytes", r.spillBytes) &&
         map.map("shared_bytes", r.sharedBytes);
}

static bool fromJSON(const json::Value &value, MedianInterval &interval,
                     Path path) {
  const Object *object = value.getAsObject();
  if (mapNumber(object, "median", interval.median) &&
      mapNumber(object, "low", interval.low) &&
      mapNumber(object, "high", interval.high))
    return true;
  path.report("expected an interval");
  return false;
}
} // namespace mlir::ks

static Object toObject(const MedianInterval &interval) {
  return Object{{"median", number(interval.median)},
                {"low", number(interval.low)},
                {"high", number(interval.high)}};
}

Object mlir::ks::toJSON(const TrialResult &result) {
  Array checks, resources;
  for (const LawCheck &check : result.checks) {
    Array outputs;
    for (const OutputCheck &output : check.outputs)
      outputs.push_back(toObject(output));
    checks.push_back(Object{{"law", check.law},
                            {"seed", static_cast<int64_t>(check.seed)},
                            {"rejected", check.rejected},
                            {"outputs", std::move(outputs)}});
  }
  for (const KernelResources &r : result.resources)
    resources.push_back(
        Object{{"kernel", r.kernel},
               {"registers", static_cast<int64_t>(r.registers)},
               {"spill_bytes", static_cast<int64_t>(r.spillBytes)},
               {"shared_bytes", static_cast<int64_t>(r.sharedBytes)}});
  return Object{{"outcome", std::string(name(result.outcome))},
                {"reason", result.reason},
                {"diagnostics", llvm::json::fixUTF8(result.diagnostics)},
                {"code", result.code},
                {"resources", std::move(resources)},
                {"checks", std::move(checks)},
                {"pairs", static_cast<int64_t>(result.pairs)},
                {"candidate_seconds", toObject(result.timing.candidate)},
                {"incumbent_seconds", toObject(result.timing.incumbent)},
                {"ratio", toObject(result.timing.ratio)},
                {"flops", number(result.work.flops)},
                {"bytes", number(result.work.bytes)},
                {"compile_seconds", result.compileSeconds},
                {"check_seconds", result.checkSeconds}};
}

bool mlir::ks::fromJSON(const json::Value &value, TrialResult &result,
                        Path path) {
  ObjectMapper map(value, path);
  const Object *object = value.getAsObject();
  std::string outcome;
  if (!map || !map.map("outcome", outcome) ||
      !map.map("reason", result.reason) ||
      !map.map("diagnostics", result.diagnostics) ||
      !map.map("code", result.code) ||
      !map.map("resources", result.resources) ||
      !map.map("checks", result.checks) || !map.map("pairs", result.pairs) ||
      !map.map("candidate_seconds", result.timing.candidate) ||
      !map.map("incumbent_seconds", result.timing.incumbent) ||
      !map.map("ratio", result.timing.ratio) ||
      !mapNumber(object, "flops", result.work.flops) ||
      !mapNumber(object, "bytes", result.work.bytes) ||
      !map.map("compile_seconds", result.compileSeconds) ||
      !map.map("check_seconds", result.checkSeconds))
    return false;
  for (size_t i = 0; i < std::size(outcomes); ++i) {
    if (outcome == outcomes[i]) {
      result.outcome = static_cast<Outcome>(i);
      return true;
    }
  }
  path.field("outcome").report("not an outcome");
  return false;
}

Object mlir::ks::toJSON(const DeviceInfo &info) {
  return Object{{"kind", info.kind},
                {"name", llvm::json::fixUTF8(info.name)},
                {"architecture", info.architecture},
                {"measures", info.measures},
                {"note", llvm::json::fixUTF8(info.note)}};
}

bool mlir::ks::fromJSON(const json::Value &value, DeviceInfo &info, Path path) {
  ObjectMapper map(value, path);
  return map && map.map("kind", info.kind) && map.map("name", info.name) &&
         map.map("architecture", info.architecture) &&
         map.map("measures", info.measures) && map.map("note", info.note);
}
