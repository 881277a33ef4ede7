//===- SubprocessTests.cpp - Worker processes -----------------------------===//
//
// This program is its own worker: with the argument "worker" it does what each
// message says. Answers, deadlines, crashes and orphans.
//
//===----------------------------------------------------------------------===//

#include "Test.h"
#include "ks/Base/File.h"
#include "ks/Support/Subprocess.h"

#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>

using namespace mlir::ks;

static int runWorker() {
  Result<MessageChannel> channel = MessageChannel::forWorker();
  if (!channel)
    return 9;
  for (;;) {
    Result<std::optional<std::string>> message = channel->receive();
    if (!message)
      return 8;
    if (!*message)
      return 0;
    llvm::StringRef text = **message;
    std::string answer = text.str();
    if (text.consume_front("exit "))
      return std::atoi(text.str().c_str());
    if (text == "hang")
      for (;;)
        ::pause();
    if (text == "crash") {
      ::signal(SIGSEGV, SIG_DFL);
      ::raise(SIGSEGV);
    }
    if (text == "print") {
      std::cout << "to stdout" << std::endl;
      std::cerr << "to stderr" << std::endl;
    }
    if (text == "env")
      answer =
          std::getenv("KS_TEST_VALUE") ? std::getenv("KS_TEST_VALUE") : "none";
    if (text == "map") // A gigabyte.
      answer = ::mmap(nullptr, 1 << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS,
                      -1, 0) == MAP_FAILED
                   ? "no memory"
                   : "memory";
    if (text == "child") {
      pid_t child = ::fork();
      if (child == 0)
        for (;;)
          ::pause();
      answer = std::to_string(child);
    }
    if (Status status = channel->send(answer); !status)
      return 7;
  }
}

int main(int argc, char **argv) {
  return argc > 1 && std::strcmp(argv[1], "worker") == 0 ? runWorker()
                                                         : test::runTests();
}

static SubprocessOptions workerOptions() {
  SubprocessOptions options;
  options.command = {"/proc/self/exe", "worker"};
  return options;
}

static double seconds() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// False also for a zombie: an orphan stays one until init has seen it.
static bool isAlive(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string number, name, state;
  return stat >> number >> name >> state && state != "Z";
}

TEST(answers) {
  Result<std::unique_ptr<Subprocess>> worker =
      Subprocess::spawn(workerOptions());
  REQUIRE_OK(worker);
  for (const std::string &text :
       {std::string("hello"), std::string(), std::string("a\0b", 3),
        std::string(5'000'000, 'x')}) {
    Result<std::string> answer = (*worker)->call(text, 20);
    REQUIRE_OK(answer);
    CHECK(*answer == text);
  }
  CHECK((*worker)->status().running);
  ExitStatus ended = (*worker)->finish(10);
  CHECK_EQ(ended.describe(), "exit status 0");
  CHECK_HAS((*worker)->call("late", 1).error(),
            "worker ended with exit status 0");
}

TEST(deadlines) {
  Result<std::unique_ptr<Subprocess>> worker =
      Subprocess::spawn(workerOptions());
  REQUIRE_OK(worker);
  double start = seconds();
  CHECK_EQ((*worker)->call("hang", 0.3).error(),
           "worker timed out after 0.3 s");
  CHECK(seconds() - start >= 0.3 && seconds() - start < 5);
  CHECK_EQ((*worker)->status().describe(), "timed out");
}

TEST(ends) {
  Result<std::unique_ptr<Subprocess>> worker =
      Subprocess::spawn(workerOptions());
  REQUIRE_OK(worker);
  CHECK_EQ((*worker)->call("crash", 20).error(),
           "worker killed by SIGSEGV (Segmentation fault)");
  CHECK_EQ((*worker)->status().signal, SIGSEGV);
  worker = Subprocess::spawn(workerOptions());
  REQUIRE_OK(worker);
  CHECK_EQ((*worker)->call("exit 5", 20).error(),
           "worker ended with exit status 5");
}

TEST(surroundings) {
  test::Scratch scratch;
  ::setenv("KS_TEST_VALUE", "inherited", 1);
  ::setenv("KS_TEST_VALUE_2", "kept", 1);
  SubprocessOptions options = workerOptions();
  options.environment = {"KS_TEST_VALUE=given"};
  options.logFile = scratch / "log";
  options.addressSpaceBytes = 1 << 29;
  Result<std::unique_ptr<Subprocess>> worker = Subprocess::spawn(options);
  REQUIRE_OK(worker);
  CHECK_EQ(*(*worker)->call("env", 20), "given");
  CHECK_EQ(*(*worker)->call("map", 20), "no memory");
  CHECK_EQ(*(*worker)->call("print", 20), "print");
  CHECK_EQ(*readFile(scratch / "log"), "to stdout\nto stderr\n");
}

TEST(cannotStart) {
  SubprocessOptions options;
  CHECK_HAS(Subprocess::spawn(options).error(), "no command");
  options.command = {"/nonexistent/ks-worker"};
  CHECK_HAS(Subprocess::spawn(options).error(),
            "cannot start '/nonexistent/ks-worker': No such file or directory");
  options = workerOptions();
  options.logFile = "/nonexistent/log";
  CHECK_HAS(Subprocess::spawn(options).error(),
            "cannot write '/nonexistent/log'");
  CHECK(!MessageChannel::forWorker()); // This process is none.
}

TEST(killsWhatTheWorkerStarted) {
  Result<std::unique_ptr<Subprocess>> worker =
      Subprocess::spawn(workerOptions());
  REQUIRE_OK(worker);
  Result<std::string> child = (*worker)->call("child", 20);
  REQUIRE_OK(child);
  pid_t pid = std::atoi(child->c_str());
  CHECK(isAlive(pid));
  worker->reset();
  for (int i = 0; i < 100 && isAlive(pid); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(!isAlive(pid));
}

TEST(endsWithItsParent) {
  // The parent is a child of this process that starts a worker, lets it hang
  // and dies without a word.
  int ends[2];
  CHECK(::pipe(ends) == 0);
  pid_t parent = ::fork();
  if (parent == 0) {
    Result<std::unique_ptr<Subprocess>> worker =
        Subprocess::spawn(workerOptions());
    int pid = worker ? (*worker)->pid() : 0;
    ssize_t ignored = ::write(ends[1], &pid, sizeof pid);
    (void)ignored;
    if (worker)
      std::thread([&] { (void)(*worker)->call("hang", -1); }).detach();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    ::_exit(0);
  }
  int pid = 0;
  CHECK_EQ(::read(ends[0], &pid, sizeof pid), ssize_t(sizeof pid));
  ::waitpid(parent, nullptr, 0);
  CHECK(pid > 0 && isAlive(pid)); // It has a second.
  double start = seconds();
  while (pid > 0 && isAlive(pid) && seconds() - start < 10)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(seconds() - start < 5);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(hostileLengths) {
  int ends[2];
  CHECK(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0);
  MessageChannel ours(ends[0]), theirs(ends[1]);
  CHECK_EQ(::write(ends[1], "\xff\xff\xff\xff", 4), 4);
  CHECK_HAS(ours.receive(1).error(), "4294967295 bytes is too long");
  CHECK_EQ(::write(ends[1], "\5\0\0\0ab", 6), 6);
  double start = seconds();
  CHECK_HAS(ours.receive(0.1).error(), "the time is up");
  CHECK(ours.timedOut());
  CHECK(seconds() - start < 2);
  CHECK_EQ(::write(ends[1], "\5\0", 2), 2);
  theirs.close();
  CHECK_HAS(ours.receive(1).error(), "the other end closed");
}
