// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/stdio.h"

#include <array>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "parlance/async/signals.h"
#include "parlance/process/child_process.h"

namespace parlance {
namespace {

bool non_blocking(int fd) { return (::fcntl(fd, F_GETFL) & O_NONBLOCK) != 0; }

class StdioTest : public testing::Test {
 protected:
  StdioTest() {
    ignore_sigpipe();
    char name[] = "/tmp/stdio_test.XXXXXX";
    folder = ::mkdtemp(name);
  }
  ~StdioTest() {
    for (const int fd : opened) ::close(fd);
    std::filesystem::remove_all(folder);
  }
  int keep(int fd) {
    EXPECT_GE(fd, 0);
    opened.push_back(fd);
    return fd;
  }
  std::array<int, 2> pipe() {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    return {keep(ends[0]), keep(ends[1])};
  }
  std::array<int, 2> sockets() {
    int ends[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    return {keep(ends[0]), keep(ends[1])};
  }
  int duplicate(int fd) { return keep(::fcntl(fd, F_DUPFD_CLOEXEC, 3)); }
  void give_up(int fd) {
    ::close(fd);
    std::erase(opened, fd);
  }

  std::unique_ptr<ByteStream> open_stream(StdioDescriptors descriptors) {
    auto stream = stdio_stream(loop, descriptors);
    if (!stream) throw std::runtime_error(stream.error().message);
    return *std::move(stream);
  }
  std::string read_once(ByteStream& stream) {
    const auto read = [&]() -> Task<std::string> {
      char buffer[4096];
      const auto bytes = co_await read_some(stream, buffer);
      co_return bytes ? std::string(buffer, *bytes) : bytes.error().message;
    };
    return loop.block_on(read());
  }
  bool write(ByteStream& stream, BytesView text) {
    const auto all = [&]() -> Task<bool> { co_return (co_await write_all(stream, text)).value_or(0) == text.size(); };
    return loop.block_on(all());
  }
  static void send(int fd, BytesView text) {
    ASSERT_EQ(::write(fd, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  static std::string receive(int fd) {
    char buffer[4096];
    const ssize_t bytes = ::read(fd, buffer, sizeof buffer);
    return bytes < 0 ? "an error" : std::string(buffer, static_cast<std::size_t>(bytes));
  }
  static std::string content(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  Loop loop;
  std::string folder;
  std::vector<int> opened;
};

TEST_F(StdioTest, PipesCarryBothWaysAndStayBlockingForOthers) {
  const auto input = pipe();
  const auto output = pipe();
  const auto errors = pipe();
  const int shared_input = duplicate(input[0]);
  auto stream = open_stream({input[0], output[1], errors[1]});
  EXPECT_FALSE(non_blocking(shared_input));
  give_up(shared_input);
  send(input[1], "in");
  EXPECT_EQ(read_once(*stream), "in");
  EXPECT_TRUE(write(*stream, "out"));
  EXPECT_EQ(receive(output[0]), "out");
  send(output[1], "a stray print");  // the earlier stdout is stderr now
  EXPECT_EQ(receive(errors[0]), "a stray print");
  give_up(input[1]);
  EXPECT_EQ(read_once(*stream), "");
  stream->close_output();
  EXPECT_EQ(receive(output[0]), "");
  EXPECT_FALSE(non_blocking(errors[1]));
}

TEST_F(StdioTest, ATerminalOnAllThreeStaysBlockingForOthers) {
  const int master = keep(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  ASSERT_EQ(::grantpt(master), 0);
  ASSERT_EQ(::unlockpt(master), 0);
  const int terminal = keep(::open(::ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC));
  termios settings{};
  ::tcgetattr(terminal, &settings);
  settings.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  settings.c_oflag &= ~static_cast<tcflag_t>(OPOST);
  ::tcsetattr(terminal, TCSANOW, &settings);

  auto stream = open_stream({duplicate(terminal), duplicate(terminal), terminal});
  EXPECT_FALSE(non_blocking(terminal));
  send(master, "typed\n");
  EXPECT_EQ(read_once(*stream), "typed\n");
  EXPECT_TRUE(write(*stream, "shown"));
  EXPECT_EQ(receive(master), "shown");
  EXPECT_FALSE(non_blocking(terminal));
}

TEST_F(StdioTest, RegularFilesContinueAtTheirPosition) {
  std::ofstream(folder + "/in") << "skipped read";
  std::ofstream(folder + "/out") << "before ";
  const int input = keep(::open((folder + "/in").c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_EQ(::lseek(input, 8, SEEK_SET), 8);
  const int output = keep(::open((folder + "/out").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  const int shared = duplicate(output);  // `>> out 2>&1`
  auto stream = open_stream({input, output, shared});
  EXPECT_EQ(read_once(*stream), "read");
  EXPECT_EQ(read_once(*stream), "");
  EXPECT_TRUE(write(*stream, "after"));
  EXPECT_EQ(content(folder + "/out"), "before after");
  stream.reset();
  EXPECT_FALSE(non_blocking(shared));
}

TEST_F(StdioTest, DevNullIsAnEndOfInputAndAcceptsAllOutput) {
  const int nothing = keep(::open("/dev/null", O_RDWR | O_CLOEXEC));
  auto stream = open_stream({duplicate(nothing), duplicate(nothing), nothing});
  EXPECT_EQ(read_once(*stream), "");
  EXPECT_TRUE(write(*stream, "gone"));
  EXPECT_FALSE(non_blocking(nothing));
}

TEST_F(StdioTest, ASharedSocketIsNonBlockingOnlyWhileTheStreamLives) {
  const auto ends = sockets();
  const auto errors = pipe();
  const int shared = duplicate(ends[1]);
  auto stream = open_stream({duplicate(ends[1]), duplicate(ends[1]), errors[1]});
  EXPECT_TRUE(non_blocking(shared));
  send(ends[0], "in");
  EXPECT_EQ(read_once(*stream), "in");
  EXPECT_TRUE(write(*stream, "out"));
  EXPECT_EQ(receive(ends[0]), "out");
  stream->close_output();
  EXPECT_EQ(receive(ends[0]), "");
  stream.reset();
  EXPECT_FALSE(non_blocking(shared));
}

TEST_F(StdioTest, ASocketSharedWithStderrIsRefusedUnchanged) {
  const auto ends = sockets();
  auto stream = stdio_stream(loop, {duplicate(ends[1]), duplicate(ends[1]), ends[1]});
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().code, Errc::invalid_request);
  EXPECT_FALSE(non_blocking(ends[1]));
}

TEST_F(StdioTest, AClosedStdinIsReported) {
  const auto output = pipe();
  auto stream = stdio_stream(loop, {999, output[1], 2});
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().message, "stdin is closed");
}

// A process whose stdin and stdout are an end of a socket shared with the test, so that the test sees its flags.
class StdioProcessTest : public StdioTest {
 protected:
  pid_t run_echo(int socket) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      ::dup2(socket, 0);
      ::dup2(socket, 1);
      ::execl(PARLANCE_BINARY_DIR "/bin/stdio_echo", "stdio_echo", nullptr);
      ::_exit(9);
    }
    return pid;
  }
};

TEST_F(StdioProcessTest, TheFlagIsPutBackHoweverTheProcessEnds) {
  for (const int signal : {0, SIGTERM, SIGINT, SIGHUP, SIGABRT}) {
    const auto ends = sockets();
    const pid_t pid = run_echo(ends[1]);
    EXPECT_EQ(receive(ends[0]), "ready\n");
    EXPECT_TRUE(non_blocking(ends[1]));
    if (signal == 0) send(ends[0], "exit");
    else ::kill(pid, signal);
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    if (signal == 0) EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    else EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << signal;
    EXPECT_FALSE(non_blocking(ends[1])) << signal;
  }
}

TEST_F(StdioTest, AProgramWorksUnderEveryRedirectionOfAShell) {
  const auto output_of = [&](const std::string& script) {
    auto child = ChildProcess::start(
        loop, {.command = {"/bin/sh", "-c", script}, .folder = folder, .set = {{"ECHO", PARLANCE_BINARY_DIR "/bin/stdio_echo"}}});
    if (!child) throw std::runtime_error(child.error().message);
    const auto stream = (*child)->take_stream();
    stream->close_output();
    std::string text;
    for (std::string more; !(more = read_once(*stream)).empty();) text += more;
    const ExitStatus status = loop.block_on((*child)->wait());
    return text + "(" + status.stderr_tail + ")";
  };
  const std::string stray = "(a stray print\n)";
  EXPECT_EQ(output_of("echo piped | $ECHO | cat"), "ready\npiped\n" + stray);
  EXPECT_EQ(output_of("echo file > in; $ECHO < in > out; cat out"), "ready\nfile\n" + stray);
  EXPECT_EQ(output_of("echo first > out; echo more | $ECHO >> out; cat out"), "first\nready\nmore\n" + stray);
  EXPECT_EQ(output_of("$ECHO < /dev/null"), "ready\n" + stray);
  EXPECT_EQ(output_of("echo x | $ECHO > /dev/null 2>&1; echo $?"), "0\n()");
  EXPECT_EQ(output_of("$ECHO <&-"), "ready\n" + stray);
  EXPECT_EQ(output_of("echo x | $ECHO >&-; echo $?"), "0\n" + stray);
  EXPECT_EQ(output_of("echo x | $ECHO >&- 2>&-; echo $?"), "0\n()");
}

}  // namespace
}  // namespace parlance
