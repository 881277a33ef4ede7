//===- EventLogTests.cpp - What happened in a run, line by line -----------===//
//
// Events in and out, logs that a crash tore, and a disk that is full.
//
//===----------------------------------------------------------------------===//

#include "Test.h"
#include "ks/Base/File.h"
#include "ks/Support/EventLog.h"

using namespace mlir::ks;

static Status append(const std::string &path, const char *event, int value) {
  Result<EventLog> log = EventLog::open(path);
  if (!log)
    return log.takeError();
  return log->append(event, llvm::json::Object{{"value", value}},
                     /*durable=*/true);
}

TEST(appendsAndReads) {
  test::Scratch scratch;
  std::string path = scratch / "events.jsonl";
  REQUIRE_OK(append(path, "start", 1));
  REQUIRE_OK(append(path, "stop\n\"", 2));
  Result<std::vector<llvm::json::Object>> events = readEvents(path);
  REQUIRE_OK(events);
  CHECK_EQ(events->size(), 2u);
  CHECK_EQ((*events)[1].getString("event")->str(), "stop\n\"");
  CHECK_EQ(*(*events)[1].getInteger("value"), 2);
  CHECK_EQ(*(*events)[1].getInteger("seq"), 1);
  CHECK(*(*events)[1].getNumber("time") > 1.7e9);
}

TEST(tornLines) {
  test::Scratch scratch;
  std::string path = scratch / "events.jsonl";
  REQUIRE_OK(append(path, "start", 1));
  std::string whole = *readFile(path);
  for (size_t length = 1; length < whole.size(); ++length) {
    test::put(path, whole + whole.substr(0, length));
    Result<std::vector<llvm::json::Object>> events = readEvents(path);
    REQUIRE_OK(events);
    CHECK_EQ(events->size(), 1u);
    REQUIRE_OK(append(path, "resume", 2));
    events = readEvents(path);
    REQUIRE_OK(events);
    bool complete =
        length + 1 == whole.size(); // Only the line's end was missing.
    CHECK_EQ(events->size(), complete ? 3u : 2u);
    CHECK_EQ(*events->back().getInteger("seq"), 2);
    CHECK_EQ(events->back().getString("event")->str(), "resume");
  }
  REQUIRE_OK(writeFile(path, whole + "garbage\n"));
  CHECK_HAS(readEvents(path).error(), "line 2 is not an event");
  REQUIRE_OK(writeFile(path, whole + "[]\n"));
  CHECK_HAS(readEvents(path).error(), "line 2 is not an event");
}

TEST(cannotWriteEvents) {
  CHECK_HAS(EventLog::open("/nonexistent/events.jsonl").error(),
            "cannot write '/nonexistent/events.jsonl': No such file");
}
