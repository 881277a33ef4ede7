//===- Subprocess.h - A worker process and messages to and fro --*- C++ -*-===//
//
// Candidates run in a process of their own, so that a crash, a hang or a CUDA
// error that sticks costs that process only. Parent and worker exchange
// messages (any bytes, a 4-byte little-endian length before them) over a socket
// that the worker finds as file descriptor 3; its standard output and error
// stay free for whatever libraries print.
//
//===----------------------------------------------------------------------===//
#ifndef KS_SUPPORT_SUBPROCESS_H
#define KS_SUPPORT_SUBPROCESS_H

#include "ks/Base/Result.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir::ks {

/// One end of the message socket. Messages are at most 1 GiB.
class MessageChannel {
public:
  explicit MessageChannel(int fd) : fd(fd) {}
  MessageChannel(MessageChannel &&other) noexcept : fd(other.fd) {
    other.fd = -1;
  }
  MessageChannel &operator=(MessageChannel &&other) noexcept;
  ~MessageChannel();

  /// The worker's end (descriptor 3); an error if the process was not started
  /// by Subprocess. From then on the process ends at once, with status 3, when
  /// the parent is gone, even in the middle of a kernel that hangs.
  static Result<MessageChannel> forWorker();

  /// `seconds` < 0 waits for ever. After an error the channel is unusable.
  Status send(llvm::StringRef message, double seconds = -1);
  /// None if the other end closed the channel between messages.
  Result<std::optional<std::string>> receive(double seconds = -1);

  /// True if the last error was that the time was up.
  bool timedOut() const { return expired; }
  void close();

private:
  Status transfer(char *bytes, size_t count, bool sending, double deadline,
                  bool *atEnd);
  int fd;
  bool expired = false;
};

/// How a process ended.
struct ExitStatus {
  bool running = false;
  int code = 0;          ///< Exit status, if `signal` is 0.
  int signal = 0;        ///< The signal that killed it.
  bool timedOut = false; ///< It was killed by us because a deadline passed.

  /// "exit status 2", "killed by SIGSEGV (Segmentation fault)", "timed out"
  std::string describe() const;
};

struct SubprocessOptions {
  std::vector<std::string>
      command; ///< Program (a path, or found in PATH) and arguments.
  std::vector<std::string>
      environment; ///< "NAME=value", on top of this process's own.
  /// Where standard output and error go; empty: both to this process's stderr.
  std::string logFile;
  uint64_t addressSpaceBytes = 0; ///< RLIMIT_AS; 0 sets none (CUDA needs none).
  uint64_t cpuSeconds = 0;        ///< RLIMIT_CPU; 0 sets none.
  uint64_t fileBytes = 0; ///< RLIMIT_FSIZE, of its log too; 0 sets none.
};

/// A running worker; it is killed, with all that it started, when this is
/// destroyed.
class Subprocess {
public:
  /// Starts the process; a program that cannot be executed is an error here.
  static Result<std::unique_ptr<Subprocess>>
  spawn(const SubprocessOptions &options);
  ~Subprocess();
  Subprocess(const Subprocess &) = delete;
  Subprocess &operator=(const Subprocess &) = delete;

  /// Sends `request` and waits for the answer, `seconds` in all (< 0: for
  /// ever). On any failure the process is killed and the error says how it
  /// ended
  /// ("worker timed out after 5 s", "worker killed by SIGSEGV (...)").
  Result<std::string> call(llvm::StringRef request, double seconds);

  /// Closes the channel and waits up to `seconds` for the process to end, then
  /// kills it.
  ExitStatus finish(double seconds);
  void kill();
  /// The state now; does not wait.
  ExitStatus status();
  int pid() const { return process; }

private:
  Subprocess(int process, MessageChannel channel);
  bool reap(double seconds);
  int process;
  MessageChannel channel;
  ExitStatus ended;
};

} // namespace mlir::ks

#endif // KS_SUPPORT_SUBPROCESS_H
