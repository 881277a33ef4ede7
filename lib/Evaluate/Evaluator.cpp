//===- Evaluator.cpp - Candidates in a worker process ---------------------===//
//
// Asks, waits, and starts a new worker when the last one was lost.
//
//===----------------------------------------------------------------------===//
#include "ks/Evaluate/Evaluator.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cstdlib>
#include <dlfcn.h>

namespace json = llvm::json;
using namespace mlir::ks;
using llvm::json::Object;

/// Seconds to start a worker and open its device.
static constexpr double openSeconds = 60;

std::string mlir::ks::findWorker() {
  if (const char *set = std::getenv("KS_WORKER"); set && *set)
    return set;
  // The object that holds this function: ks-opt, or the plugin.
  static const char anchor = 0;
  std::vector<std::string> own;
  Dl_info info;
  if (dladdr(&anchor, &info) && info.dli_fname)
    own.emplace_back(info.dli_fname);
  own.push_back(
      llvm::sys::fs::getMainExecutable(nullptr, const_cast<char *>(&anchor)));
  for (const std::string &path : own) {
    llvm::SmallString<128> real;
    if (llvm::sys::fs::real_path(path, real))
      continue;
    llvm::StringRef folder = llvm::sys::path::parent_path(real);
    for (const char *relative : {"ks-worker", "../bin/ks-worker"}) {
      llvm::SmallString<128> candidate(folder);
      llvm::sys::path::append(candidate, relative);
      if (llvm::sys::fs::can_execute(candidate))
        return std::string(candidate);
    }
  }
  llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName("ks-worker");
  return found ? *found : "";
}

Result<Object> Evaluator::ask(Object request, double seconds) {
  if (!worker) {
    if (options.worker.empty())
      return Error{"ks-worker not found: set KS_WORKER, or put it beside this "
                   "program or in PATH"};
    SubprocessOptions spawn;
    spawn.command = {options.worker};
    spawn.logFile = options.logFile;
    spawn.fileBytes = uint64_t(1) << 30; // A worker gone mad fills no disk.
    Result<std::unique_ptr<Subprocess>> spawned = Subprocess::spawn(spawn);
    if (!spawned)
      return spawned.takeError();
    worker = std::move(*spawned);
    ++started;
  }
  Result<std::string> text = worker->call(
      llvm::formatv("{0}", json::Value(std::move(request))).str(), seconds);
  if (!text) {
    worker.reset();
    return text.takeError();
  }
  llvm::Expected<json::Value> answer = llvm::json::parse(*text);
  if (!answer || !answer->getAsObject()) {
    if (!answer)
      llvm::consumeError(answer.takeError());
    worker.reset();
    return Error{"the worker's answer is garbage"};
  }
  return std::move(*answer->getAsObject());
}

Result<DeviceInfo> Evaluator::open(const std::string &kind) {
  device = kind;
  Result<Object> answer = ask(Object{{"open", kind}}, openSeconds);
  if (!answer)
    return answer.takeError();
  if (std::optional<llvm::StringRef> error = answer->getString("error"))
    return Error{error->str()};
  DeviceInfo info;
  llvm::json::Path::Root root("device");
  const json::Value *value = answer->get("device");
  if (!value || !fromJSON(*value, info, root)) {
    llvm::consumeError(root.getError());
    worker.reset();
    return Error{"the worker's answer is garbage"};
  }
  return info;
}

TrialResult Evaluator::evaluate(const TrialJob &job) {
  TrialResult result;
  Result<Object> answer =
      ask(Object{{"trial", toJSON(job)}}, options.trialSeconds);
  if (!answer) {
    result.outcome = Outcome::Crashed;
    result.reason = answer.error();
    return result;
  }
  if (std::optional<llvm::StringRef> error = answer->getString("error")) {
    result.reason = error->str();
    return result;
  }
  llvm::json::Path::Root root("result");
  const json::Value *value = answer->get("result");
  if (!value || !fromJSON(*value, result, root)) {
    llvm::consumeError(root.getError());
    worker.reset();
    result = TrialResult();
    result.outcome = Outcome::Crashed;
    result.reason = "the worker's answer is garbage";
  }
  // The next candidate is not to pay for what this one did to the device.
  if (answer->getBoolean("lost").value_or(false))
    worker.reset();
  return result;
}
