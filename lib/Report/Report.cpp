//===- Report.cpp - What a run did, from its event log --------------------===//
//
// Folds the agent's events (run, kernel, trial, commit, program, end) into one
// object, and that into a few lines.
//
//===----------------------------------------------------------------------===//
#include "ks/Report/Report.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace mlir::ks;
using llvm::StringRef;
namespace json = llvm::json;

static std::string text(const json::Object &object, StringRef key) {
  return object.getString(key).value_or("").str();
}

static double medianOf(const json::Object &record, StringRef key) {
  const json::Object *interval = record.getObject(key);
  return interval ? interval->getNumber("median").value_or(0) : 0;
}

/// An event without what the log itself added.
static json::Object stripped(const json::Object &event) {
  json::Object copy = event;
  for (StringRef key : {"event", "seq", "time"})
    copy.erase(key);
  return copy;
}

namespace {
struct Kernel {
  json::Object facts;
  json::Array trials;
  json::Object committed;
  double ratio = 1; ///< Of the committed to the default, step by step.
};
} // namespace

json::Object mlir::ks::makeReport(const std::vector<json::Object> &events) {
  json::Object report{{"finished", false}};
  std::vector<std::string> order;
  std::map<std::string, Kernel> kernels;
  for (const json::Object &event : events) {
    std::string kind = text(event, "event");
    std::string name = text(event, "kernel");
    if (kind == "run") {
      for (const auto &field : stripped(event))
        report[field.first] = field.second;
      report["started"] = event.getNumber("time").value_or(0);
    } else if (kind == "kernel") {
      order.push_back(name);
      kernels[name].facts = stripped(event);
    } else if (kind == "trial") {
      Kernel &kernel = kernels[name];
      json::Object trial = stripped(event);
      trial.erase("kernel");
      if (text(event, "outcome") == "better")
        kernel.ratio *= medianOf(event, "ratio");
      kernel.trials.push_back(std::move(trial));
    } else if (kind == "commit") {
      kernels[name].committed = stripped(event);
      kernels[name].committed.erase("kernel");
    } else if (kind == "revert") {
      report["reverted"] = stripped(event);
    } else if (kind == "program") {
      report["program"] = stripped(event);
    } else if (kind == "end") {
      report["finished"] = true;
      for (const auto &field : stripped(event))
        report[field.first] = field.second;
      report["ended"] = event.getNumber("time").value_or(0);
    }
  }

  json::Array list;
  for (const std::string &name : order) {
    Kernel &kernel = kernels[name];
    json::Object entry = std::move(kernel.facts);
    entry["verified"] = !kernel.committed.empty();
    if (!kernel.committed.empty())
      entry["committed"] = std::move(kernel.committed);
    entry["time_over_default"] = kernel.ratio;
    entry["trials"] = std::move(kernel.trials);
    list.push_back(std::move(entry));
  }
  report["kernels"] = std::move(list);
  return report;
}

static std::string describeKnobs(const json::Object &knobs) {
  return llvm::formatv("block {0}, {1} a thread, index {2}, unroll {3}",
                       knobs.getInteger("block_size").value_or(0),
                       knobs.getInteger("elements_per_thread").value_or(0),
                       knobs.getInteger("index_bits").value_or(0)
                           ? std::to_string(*knobs.getInteger("index_bits"))
                           : "auto",
                       knobs.getInteger("unroll").value_or(0));
}

/// How many times as fast, and whether that was measured.
static std::string describeGain(double ratio, bool measured) {
  return llvm::formatv("{0}{1:f2}x", measured ? "" : "estimate ", 1 / ratio);
}

static std::string summariseKernel(const json::Object &kernel, bool measured) {
  const json::Array *trials = kernel.getArray("trials");
  std::string line = llvm::formatv("  {0}: {1} tried, ", text(kernel, "kernel"),
                                   trials ? trials->size() : 0);
  const json::Object *committed = kernel.getObject("committed");
  if (!committed) {
    std::string why = "nothing ran";
    if (trials && !trials->empty())
      if (const json::Object *first = trials->front().getAsObject())
        why = text(*first, "outcome") +
              (text(*first, "reason").empty() ? "" : ": ") +
              text(*first, "reason");
    return line + "UNVERIFIED (" + why + ")";
  }
  const json::Object *knobs = committed->getObject("knobs");
  if (knobs)
    line += describeKnobs(*knobs);
  double ratio = kernel.getNumber("time_over_default").value_or(1);
  if (committed->getInteger("trial").value_or(0) == 0)
    return line + " (the default)";
  return line + ", " + describeGain(ratio, measured);
}

std::string mlir::ks::summarise(const json::Object &report) {
  std::string result;
  llvm::raw_string_ostream out(result);
  const json::Object *device = report.getObject("device");
  bool measured = device && device->getBoolean("measures").value_or(false);
  size_t trials = 0, commits = 0, unverified = 0, count = 0;
  std::string lines;
  if (const json::Array *kernels = report.getArray("kernels")) {
    for (const json::Value &value : *kernels) {
      const json::Object *kernel = value.getAsObject();
      if (!kernel)
        continue;
      ++count;
      if (const json::Array *list = kernel->getArray("trials"))
        trials += list->size();
      const json::Object *committed = kernel->getObject("committed");
      unverified += !committed;
      commits += committed && committed->getInteger("trial").value_or(0) > 0;
      // Of many kernels, those that are as they were need no line.
      bool changed = !committed || committed->getInteger("trial") != 0;
      if (changed || kernels->size() <= 12)
        lines += summariseKernel(*kernel, measured) + "\n";
    }
  }
  // What was committed kernel by kernel has to hold in the whole.
  const json::Object *reverted = report.getObject("reverted");
  if (reverted)
    commits = 0;
  out << llvm::formatv("kernels: {0}, candidates tried: {1}, kernels changed: "
                       "{2}, unverified: {3} ({4})\n",
                       count, trials, commits, unverified,
                       text(report, "label"));
  out << lines;
  if (reverted) {
    out << "  back to the default knobs: with those above the whole program "
           "was "
        << text(*reverted, "outcome");
    if (medianOf(*reverted, "incumbent_seconds") > 0)
      out << ", " << describeGain(medianOf(*reverted, "ratio"), measured);
    out << "\n";
  }
  if (const json::Object *program = report.getObject("program")) {
    std::string outcome = text(*program, "outcome");
    out << "  whole program: " << outcome;
    if (!text(*program, "reason").empty())
      out << " (" << text(*program, "reason") << ")";
    else if (medianOf(*program, "incumbent_seconds") > 0)
      out << ", " << describeGain(medianOf(*program, "ratio"), measured)
          << " over the defaults";
    out << "\n";
  }
  return result;
}
