//===- MessageChannel.cpp - Messages between two processes ----------------===//
//
// Over a stream socket that does not block; poll() waits for it until the
// deadline.
//
//===----------------------------------------------------------------------===//

#include "ks/Support/Subprocess.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace mlir::ks {

namespace {
constexpr int kWorkerFd = 3;
constexpr uint32_t kMaxMessage = 1u << 30;
constexpr int kOrphanedStatus = 3;

double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

double deadlineAfter(double seconds) {
  return seconds < 0 ? std::numeric_limits<double>::infinity()
                     : now() + seconds;
}

/// Waits for `events`; 1 if they are there, 0 if the time is up, -1 on error.
int waitFor(int fd, short events, double deadline) {
  for (;;) {
    double left = deadline - now();
    // Rounded up, so that a wait does not end early; in pieces of a minute.
    int milliseconds =
        left <= 0 ? 0 : static_cast<int>(std::min(left, 60.0) * 1000) + 1;
    pollfd entry = {fd, events, 0};
    int ready = ::poll(&entry, 1, milliseconds);
    if (ready > 0)
      return 1;
    if (ready < 0 && errno != EINTR)
      return -1;
    if (ready == 0 && now() >= deadline)
      return 0;
  }
}
} // namespace

MessageChannel &MessageChannel::operator=(MessageChannel &&other) noexcept {
  std::swap(fd, other.fd);
  return *this;
}

MessageChannel::~MessageChannel() { close(); }

void MessageChannel::close() {
  if (fd >= 0)
    ::close(std::exchange(fd, -1));
}

Result<MessageChannel> MessageChannel::forWorker() {
  int type = 0;
  socklen_t length = sizeof type;
  if (::getsockopt(kWorkerFd, SOL_SOCKET, SO_TYPE, &type, &length) != 0 ||
      type != SOCK_STREAM)
    return Error{
        "this process was not started as a worker: descriptor 3 is no socket"};
  ::fcntl(kWorkerFd, F_SETFD, FD_CLOEXEC);
  ::fcntl(kWorkerFd, F_SETFL, O_NONBLOCK);
  // A worker that hangs, or computes for nobody, ends with its parent. It gets
  // a second to do so by itself.
  std::thread([] {
    pollfd entry = {kWorkerFd, POLLRDHUP, 0};
    while (::poll(&entry, 1, -1) < 0 && errno == EINTR) {
    }
    std::this_thread::sleep_for(std::chrono::seconds(1));
    ::_exit(kOrphanedStatus);
  }).detach();
  return MessageChannel(kWorkerFd);
}

/// Moves exactly `count` bytes. With `atEnd`, sets it if the other end was
/// closed before the first of them, which then is no error.
Status MessageChannel::transfer(char *bytes, size_t count, bool sending,
                                double deadline, bool *atEnd) {
  size_t done = 0;
  while (done < count) {
    ssize_t moved = sending
                        ? ::send(fd, bytes + done, count - done, MSG_NOSIGNAL)
                        : ::recv(fd, bytes + done, count - done, 0);
    if (moved > 0) {
      done += static_cast<size_t>(moved);
      continue;
    }
    bool closed = (moved == 0 && !sending) ||
                  (moved < 0 && (errno == EPIPE || errno == ECONNRESET));
    if (closed && atEnd && done == 0) {
      *atEnd = true;
      return {};
    }
    if (closed)
      return Error{"the other end closed the channel"};
    if (moved < 0 && errno == EINTR)
      continue;
    if (moved < 0 && errno != EAGAIN && errno != EWOULDBLOCK)
      return Error{std::string("the channel failed: ") + std::strerror(errno)};
    int ready = waitFor(fd, sending ? POLLOUT : POLLIN, deadline);
    if (ready < 0)
      return Error{std::string("the channel failed: ") + std::strerror(errno)};
    if (ready == 0) {
      expired = true;
      return Error{"the time is up"};
    }
  }
  return {};
}

Status MessageChannel::send(llvm::StringRef message, double seconds) {
  expired = false;
  if (message.size() > kMaxMessage)
    return Error{"a message of " + std::to_string(message.size()) +
                 " bytes is too long"};
  double deadline = deadlineAfter(seconds);
  uint32_t length = static_cast<uint32_t>(message.size());
  if (Status status = transfer(reinterpret_cast<char *>(&length), sizeof length,
                               true, deadline, nullptr);
      !status)
    return status;
  return transfer(const_cast<char *>(message.data()), message.size(), true,
                  deadline, nullptr);
}

Result<std::optional<std::string>> MessageChannel::receive(double seconds) {
  expired = false;
  double deadline = deadlineAfter(seconds);
  uint32_t length = 0;
  bool atEnd = false;
  if (Status status = transfer(reinterpret_cast<char *>(&length), sizeof length,
                               false, deadline, &atEnd);
      !status)
    return status.takeError();
  if (atEnd)
    return std::optional<std::string>();
  if (length > kMaxMessage)
    return Error{"a message of " + std::to_string(length) +
                 " bytes is too long"};
  std::string message(length, '\0');
  if (Status status =
          transfer(message.data(), length, false, deadline, nullptr);
      !status)
    return status.takeError();
  return std::optional<std::string>(std::move(message));
}

} // namespace mlir::ks
