// What tests of child processes share: starting, reading with a deadline, looking at processes that are not ours.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include <gtest/gtest.h>

#include "async/loop.h"
#include "transport/child_process.h"

namespace parlance::test {

using namespace std::chrono_literals;

inline constexpr auto long_enough = 60s;  // Never waited for; a test that needs it has failed.

template <class T>
Task<Result<T>> as_result(Task<T> task) {
  co_return co_await std::move(task);
}
inline Task<bool> to_its_end(Task<void> task) {
  co_await std::move(task);
  co_return true;
}

class ChildProcessTest : public testing::Test {
 protected:
  template <class T>
  T get(Task<T> task) {
    const auto limited = [&](Task<T> inner) -> Task<Result<T>> {
      co_return co_await with_deadline(loop, loop.now() + long_enough, as_result(std::move(inner)));
    };
    auto result = loop.block_on(limited(std::move(task)));
    if (!result) throw std::runtime_error("nothing happened for too long");
    return *std::move(result);
  }

  void get(Task<void> task) { EXPECT_TRUE(get(to_its_end(std::move(task)))); }

  std::unique_ptr<ChildProcess> start(ChildSettings settings) {
    auto child = ChildProcess::start(loop, std::move(settings));
    if (!child) throw std::runtime_error(child.error().message);
    return *std::move(child);
  }
  std::unique_ptr<ChildProcess> shell(std::string script) { return start({.command = {"/bin/sh", "-c", std::move(script)}}); }

  Error start_error(ChildSettings settings) {
    auto child = ChildProcess::start(loop, std::move(settings));
    return child ? Error{Errc::internal, "it started"} : child.error();
  }

  std::string read_all(ByteStream& stream) {
    const auto read = [&]() -> Task<std::string> {
      std::string text;
      char buffer[64 << 10];
      for (;;) {
        const auto bytes = co_await read_some(stream, buffer);
        if (!bytes || *bytes == 0) co_return bytes ? text : text + "<" + bytes.error().message + ">";
        text.append(buffer, *bytes);
      }
    };
    return get(read());
  }

  std::string read_line(ByteStream& stream) {
    const auto read = [&]() -> Task<std::string> {
      std::string line;
      for (char c = 0;;) {
        const auto bytes = co_await read_some(stream, {&c, 1});
        if (!bytes || *bytes == 0 || c == '\n') co_return line;
        line += c;
      }
    };
    return get(read());
  }

  std::string output_of(ChildSettings settings) {
    const auto child = start(std::move(settings));
    const auto stream = child->take_stream();
    stream->close_output();
    return read_all(*stream);
  }

  Loop loop;
};

// A process that need not be our child.
class Watched {
 public:
  explicit Watched(pid_t pid) : fd_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {}
  Watched(Watched&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  ~Watched() {
    if (fd_ >= 0) ::close(fd_);
  }
  bool runs() const { return !ends_within(0ms); }
  bool ends_within(std::chrono::milliseconds time = long_enough) const {
    if (fd_ < 0) return true;
    pollfd watched{.fd = fd_, .events = POLLIN, .revents = 0};
    return ::poll(&watched, 1, static_cast<int>(time.count())) == 1;
  }

 private:
  int fd_;
};

inline std::size_t open_descriptors() {
  const auto entries = std::filesystem::directory_iterator("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

inline bool have_children() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

}  // namespace parlance::test
