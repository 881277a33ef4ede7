//===- EventLog.cpp - What happened in a run, line by line ----------------===//
//
// O_APPEND and one write() a line: lines of several processes do not mix, and a
// crash leaves at most one torn line, which the next writer closes.
//
//===----------------------------------------------------------------------===//

#include "ks/Support/EventLog.h"
#include "ks/Base/File.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace mlir::ks {

static Error cannotWrite(const std::string &path) {
  return Error{"cannot write '" + path + "': " + std::strerror(errno)};
}

EventLog::EventLog(std::string path, int fd, uint64_t next, bool torn)
    : path(std::move(path)), fd(fd), next(next), torn(torn) {}

EventLog::EventLog(EventLog &&other) noexcept
    : path(std::move(other.path)), fd(other.fd), next(other.next),
      torn(other.torn) {
  other.fd = -1;
}

EventLog::~EventLog() {
  if (fd >= 0)
    ::close(fd);
}

Result<EventLog> EventLog::open(const std::string &path) {
  int fd =
      ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0)
    return cannotWrite(path);
  EventLog log(path, fd, 0, false);
  Result<std::string> present = readFile(path);
  if (!present)
    return present.takeError();
  log.torn = !present->empty() && present->back() != '\n';
  log.next = static_cast<uint64_t>(
                 std::count(present->begin(), present->end(), '\n')) +
             log.torn;
  return Result<EventLog>(std::move(log));
}

Status EventLog::append(llvm::StringRef event, llvm::json::Object fields,
                        bool durable) {
  using namespace std::chrono;
  fields["event"] = event;
  fields["seq"] = next;
  fields["time"] =
      duration<double>(system_clock::now().time_since_epoch()).count();
  std::string line = torn ? "\n" : "";
  llvm::raw_string_ostream(line)
      << llvm::json::Value(std::move(fields)) << '\n';
  ssize_t done;
  do
    done = ::write(fd, line.data(), line.size());
  while (done < 0 && errno == EINTR);
  if (done != static_cast<ssize_t>(line.size())) {
    // Part of the line is there: the disk is full. The part counts as a line.
    if (done > 0) {
      torn = true;
      ++next;
    }
    if (done >= 0)
      errno = ENOSPC;
    return cannotWrite(path);
  }
  ++next;
  torn = false;
  if (durable && ::fdatasync(fd) != 0)
    return cannotWrite(path);
  return {};
}

Result<std::vector<llvm::json::Object>> readEvents(const std::string &path) {
  Result<std::string> text = readFile(path);
  if (!text)
    return text.takeError();
  std::vector<llvm::json::Object> events;
  llvm::StringRef rest = *text;
  for (size_t number = 1; rest.contains('\n'); ++number) {
    auto [line, after] = rest.split('\n');
    rest = after;
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(line);
    if (llvm::json::Object *object = value ? value->getAsObject() : nullptr) {
      events.push_back(std::move(*object));
      continue;
    }
    if (!value) {
      llvm::consumeError(value.takeError());
      // A writer died within this line, and another one went on after it.
      if (line.starts_with("{"))
        continue;
    }
    return Error{"'" + path + "': line " + std::to_string(number) +
                 " is not an event"};
  }
  return events;
}

} // namespace mlir::ks
