//===- EventLog.h - What happened in a run, line by line --------*- C++ -*-===//
//
// An append-only file of JSON objects, one a line (events.jsonl). A line is one
// write(), so that a run that dies leaves whole lines and at most one torn end,
// which readers skip.
//
//===----------------------------------------------------------------------===//
#ifndef KS_SUPPORT_EVENTLOG_H
#define KS_SUPPORT_EVENTLOG_H

#include "ks/Base/Result.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mlir::ks {

class EventLog {
public:
  /// Opens `path` for appending, creating it if need be.
  static Result<EventLog> open(const std::string &path);
  EventLog(EventLog &&other) noexcept;
  ~EventLog();

  /// Appends `fields` with "event": `event`, "seq": the line's number in this
  /// log from 0, and "time": seconds since 1970. With `durable` (commits),
  /// returns only when the line is on disk. Not thread-safe.
  Status append(llvm::StringRef event, llvm::json::Object fields,
                bool durable = false);

private:
  EventLog(std::string path, int fd, uint64_t next, bool torn);
  std::string path;
  int fd;
  uint64_t next;
  bool torn; ///< The file ends within a line, which is to be closed first.
};

/// The events of a log in order. Lines that a crash tore are skipped; any other
/// line that is not a JSON object is an error with its number.
Result<std::vector<llvm::json::Object>> readEvents(const std::string &path);

} // namespace mlir::ks

#endif // KS_SUPPORT_EVENTLOG_H
