//===- Subprocess.cpp - A worker process ----------------------------------===//
//
// fork() and exec(): the limits and the process group have to be set in
// between. The group lets a kill reach what the worker started (ptxas). A
// second pipe, closed by a successful exec(), tells whether the program could
// be started.
//
//===----------------------------------------------------------------------===//

#include "ks/Support/Subprocess.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char **environ;

namespace mlir::ks {

namespace {
constexpr int kWorkerFd = 3;

/// A descriptor that is closed at the end of its scope.
struct Descriptor {
  Descriptor(int fd = -1) : fd(fd) {}
  Descriptor(const Descriptor &) = delete;
  ~Descriptor() { reset(); }
  void reset() {
    if (fd >= 0)
      ::close(std::exchange(fd, -1));
  }
  /// Moves it above those that the child reassigns.
  bool raise() {
    int raised = ::fcntl(fd, F_DUPFD_CLOEXEC, 10);
    reset();
    fd = raised;
    return fd >= 0;
  }
  int release() { return std::exchange(fd, -1); }
  int fd;
};

/// What the child needs, prepared before the fork: between fork and exec
/// nothing may allocate memory, as another thread may have held the allocator's
/// lock.
struct Prepared {
  std::vector<char *> argv, envp;
  std::vector<std::string> environment;
};

Prepared prepare(const SubprocessOptions &options) {
  Prepared prepared;
  for (char **entry = environ; *entry; ++entry) {
    std::string_view text = *entry;
    std::string_view name = text.substr(0, text.find('=') + 1);
    bool replaced = false;
    for (const std::string &given : options.environment)
      replaced |= given.compare(0, name.size(), name) == 0;
    if (!replaced)
      prepared.environment.emplace_back(text);
  }
  for (const std::string &given : options.environment)
    prepared.environment.push_back(given);
  for (std::string &entry : prepared.environment)
    prepared.envp.push_back(entry.data());
  prepared.envp.push_back(nullptr);
  for (const std::string &arg : options.command)
    prepared.argv.push_back(const_cast<char *>(arg.c_str()));
  prepared.argv.push_back(nullptr);
  return prepared;
}

void limit(int resource, uint64_t value) {
  if (!value)
    return;
  rlimit both = {value, value};
  ::setrlimit(resource, &both);
}

/// The child's side. Reports errno through `report` if the program does not
/// start.
[[noreturn]] void runChild(const SubprocessOptions &options,
                           const Prepared &prepared, int channel, int log,
                           int report) {
  ::setpgid(0, 0);
  // Signal handlers go by themselves; what is ignored or blocked stays so.
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  limit(RLIMIT_AS, options.addressSpaceBytes);
  limit(RLIMIT_CPU, options.cpuSeconds);
  limit(RLIMIT_FSIZE, options.fileBytes);
  rlimit noCore = {0, 0}; // Crashes are expected, and their cores are large.
  ::setrlimit(RLIMIT_CORE, &noCore);
  int null = ::open("/dev/null", O_RDWR);
  if (null >= 0 && ::dup2(null, STDIN_FILENO) >= 0 &&
      ::dup2(log, STDOUT_FILENO) >= 0 && ::dup2(log, STDERR_FILENO) >= 0 &&
      ::dup2(channel, kWorkerFd) >= 0) {
    if (null > kWorkerFd)
      ::close(null);
    ::execvpe(prepared.argv[0], prepared.argv.data(), prepared.envp.data());
  }
  int code = errno;
  ssize_t ignored = ::write(report, &code, sizeof code);
  (void)ignored;
  ::_exit(127);
}
} // namespace

std::string ExitStatus::describe() const {
  if (running)
    return "running";
  if (timedOut)
    return "timed out";
  if (!signal)
    return "exit status " + std::to_string(code);
  const char *name = ::sigabbrev_np(signal), *text = ::sigdescr_np(signal);
  return "killed by " +
         (name ? "SIG" + std::string(name)
               : "signal " + std::to_string(signal)) +
         (text ? " (" + std::string(text) + ")" : std::string());
}

Subprocess::Subprocess(int process, MessageChannel channel)
    : process(process), channel(std::move(channel)) {
  ended.running = true;
}

Result<std::unique_ptr<Subprocess>>
Subprocess::spawn(const SubprocessOptions &options) {
  if (options.command.empty())
    return Error{"cannot start a worker: no command"};
  auto failure = [&](int code) {
    return Error{"cannot start '" + options.command[0] +
                 "': " + std::strerror(code)};
  };
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return failure(errno);
  Descriptor ours(ends[0]), theirs(ends[1]);
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return failure(errno);
  Descriptor reportRead(ends[0]), reportWrite(ends[1]);
  Descriptor log(options.logFile.empty()
                     ? ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10)
                     : ::open(options.logFile.c_str(),
                              O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (log.fd < 0 && options.logFile.empty()) // Our own stderr is closed.
    log.fd = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (log.fd < 0)
    return Error{"cannot write '" + options.logFile +
                 "': " + std::strerror(errno)};
  if (!theirs.raise() || !reportWrite.raise() || !log.raise())
    return failure(errno);
  ::fcntl(ours.fd, F_SETFL, O_NONBLOCK);

  Prepared prepared = prepare(options);
  pid_t process = ::fork();
  if (process < 0)
    return failure(errno);
  if (process == 0)
    runChild(options, prepared, theirs.fd, log.fd, reportWrite.fd);
  ::setpgid(process, process); // Also here: whichever comes first.
  theirs.reset();
  reportWrite.reset();
  int code = 0;
  ssize_t got;
  do
    got = ::read(reportRead.fd, &code, sizeof code);
  while (got < 0 && errno == EINTR);
  if (got == sizeof code) {
    while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
    }
    return failure(code);
  }
  return std::unique_ptr<Subprocess>(
      new Subprocess(process, MessageChannel(ours.release())));
}

Subprocess::~Subprocess() { kill(); }

/// Notes how the process ended, if it does within `seconds` (< 0: waits for
/// it).
bool Subprocess::reap(double seconds) {
  using namespace std::chrono;
  auto end = steady_clock::now() + duration<double>(seconds < 0 ? 0 : seconds);
  for (auto pause = milliseconds(1); ended.running;) {
    siginfo_t info = {};
    int got = ::waitid(P_PID, static_cast<id_t>(process), &info,
                       WEXITED | WNOWAIT | (seconds < 0 ? 0 : WNOHANG));
    if (got == 0 && info.si_pid == process) {
      // What it left behind goes too, while its number still stands for its
      // group.
      ::kill(-process, SIGKILL);
      int state = 0;
      while (::waitpid(process, &state, 0) < 0 && errno == EINTR) {
      }
      ended.running = false;
      ended.code = WIFEXITED(state) ? WEXITSTATUS(state) : 0;
      ended.signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
    } else if (got < 0 && errno != EINTR) {
      ended.running = false; // Somebody else waited for it.
    } else if (got == 0) {
      if (steady_clock::now() >= end)
        return false;
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, milliseconds(20));
    }
  }
  return true;
}

void Subprocess::kill() {
  channel.close();
  if (!ended.running)
    return;
  ::kill(-process, SIGKILL);
  reap(-1);
}

ExitStatus Subprocess::status() {
  reap(0);
  return ended;
}

ExitStatus Subprocess::finish(double seconds) {
  channel.close();
  if (!reap(seconds)) {
    ended.timedOut = true;
    kill();
  }
  return ended;
}

Result<std::string> Subprocess::call(llvm::StringRef request, double seconds) {
  using namespace std::chrono;
  auto start = steady_clock::now();
  Status status = ended.running ? channel.send(request, seconds)
                                : Status(Error{"it has ended"});
  if (status) {
    double used = duration<double>(steady_clock::now() - start).count();
    Result<std::optional<std::string>> answer =
        channel.receive(seconds < 0 ? -1 : std::max(0.0, seconds - used));
    if (answer && *answer)
      return std::move(**answer);
    status = answer ? Error{"it closed the channel"} : answer.takeError();
  }
  if (ended.running && channel.timedOut()) {
    ended.timedOut = true;
    kill();
    char text[32];
    std::snprintf(text, sizeof text, "%g", seconds);
    return Error{"worker timed out after " + std::string(text) + " s"};
  }
  // A process that dies closes its end a moment before it can be waited for.
  bool wasRunning = !reap(1);
  kill();
  if (wasRunning)
    return Error{"worker failed: " + status.error()};
  return Error{"worker " + (ended.signal ? "" : std::string("ended with ")) +
               ended.describe()};
}

} // namespace mlir::ks
