//===- Serve.cpp - The worker's side of the conversation ------------------===//
//
// Reads requests, answers them. The parent is trusted; what runs here is not.
//
//===----------------------------------------------------------------------===//
#include "ks/Evaluate/Worker.h"
#include "ks/Support/Subprocess.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

namespace json = llvm::json;
using namespace mlir::ks;
using llvm::json::Object;

static Object failure(const llvm::Twine &message) {
  return Object{{"error", llvm::json::fixUTF8(message.str())}};
}

static Object answer(Worker &worker, const std::string &request) {
  llvm::Expected<json::Value> value = llvm::json::parse(request);
  if (!value)
    return failure("request: " + llvm::toString(value.takeError()));
  const Object *object = value->getAsObject();
  if (!object)
    return failure("request: expected an object");
  if (std::optional<llvm::StringRef> kind = object->getString("open")) {
    Result<DeviceInfo> info = worker.open(kind->str());
    if (!info)
      return failure(info.error());
    return Object{{"device", toJSON(*info)}};
  }
  const json::Value *trial = object->get("trial");
  if (!trial)
    return failure("request: neither open nor trial");
  TrialJob job;
  llvm::json::Path::Root root("trial");
  if (!fromJSON(*trial, job, root))
    return failure("request: " + llvm::toString(root.getError()));
  TrialResult result = worker.run(job);
  return Object{{"result", toJSON(result)}, {"lost", worker.lost()}};
}

int mlir::ks::serveWorker() {
  Result<MessageChannel> channel = MessageChannel::forWorker();
  if (!channel) {
    llvm::errs() << "error: " << channel.error()
                 << "\n(ks-worker is started by ks-opt, not by hand)\n";
    return 2;
  }
  Worker worker;
  while (true) {
    Result<std::optional<std::string>> request = channel->receive();
    if (!request)
      return 3;
    if (!*request)
      return 0;
    std::string text =
        llvm::formatv("{0}", json::Value(answer(worker, **request)));
    const char *fault = std::getenv("KS_TEST_FAULT");
    if (fault && llvm::StringRef(fault).starts_with("garbage") &&
        llvm::StringRef(**request).contains(
            llvm::StringRef(fault).split('@').second))
      text = "{\"result\": [" + text.substr(0, 40);
    if (!channel->send(text))
      return 3;
  }
}
