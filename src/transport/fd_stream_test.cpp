// A conversation with one descriptor, where the loop looks at the input before it waits (BusyPoll): nobody else is forgotten meanwhile,
// and it can end at any moment.
#include "transport/fd_stream.h"

#include <array>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "async/scope.h"

namespace parlance {
namespace {

using namespace std::chrono_literals;

// Answers every byte at once, from a thread of its own, until the other side closes.
class Echo {
 public:
  Echo() {
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds_.data()) != 0) std::abort();
    thread_ = std::thread([fd = fds_[1]] {
      std::array<char, 64> buffer{};
      for (;;) {
        const ssize_t n = ::read(fd, buffer.data(), buffer.size());
        if (n <= 0 || ::send(fd, buffer.data(), static_cast<std::size_t>(n), MSG_NOSIGNAL) != n) return;
      }
    });
  }
  ~Echo() {
    ::shutdown(fds_[1], SHUT_RDWR);
    thread_.join();
    ::close(fds_[1]);
  }
  std::unique_ptr<ByteStream> stream(Loop& loop) { return fd_stream(loop, fds_[0], "echo"); }  // once

 private:
  std::array<int, 2> fds_{};
  std::thread thread_;
};

struct Talk {
  std::uint64_t rounds = 0;
  std::optional<Error> end{};
};

// Says a byte and hears it, again and again, until `enough` or the stream ends.
Task<void> talk(ByteStream& stream, Talk& told, const bool& enough) {
  std::array<char, 64> buffer{};
  while (!enough) {
    if (stream.try_write("x") != 1) {
      told.end = Error{.code = Errc::disconnected, .message = "nothing taken"};
      co_return;
    }
    const auto heard = co_await read_some(stream, buffer);
    if (!heard) {
      told.end = heard.error();
      co_return;
    }
    EXPECT_EQ(*heard, 1U);
    ++told.rounds;
  }
}

Task<void> wait_for_rounds(Loop& loop, const Talk& told, std::uint64_t rounds) {
  while (told.rounds < rounds) co_await sleep_for(loop, 1ms);
}

TEST(FdStream, TimersFireWhileItTalks) {
  Loop loop;
  Echo echo;
  const auto stream = echo.stream(loop);
  Talk told;
  bool enough = false;
  Scope scope(loop);
  scope.start(talk(*stream, told, enough));
  loop.block_on(wait_for_rounds(loop, told, 1000));
  EXPECT_FALSE(told.end);
}

TEST(FdStream, AnotherStreamIsHeardWhileItTalks) {
  Loop loop;
  Echo echo;
  Echo other;
  const auto stream = echo.stream(loop);
  const auto quiet = other.stream(loop);
  Talk told;
  Talk heard;
  bool enough = false;
  Scope scope(loop);
  scope.start(talk(*stream, told, enough));
  loop.block_on(wait_for_rounds(loop, told, 100));
  scope.start(talk(*quiet, heard, enough));
  loop.block_on(wait_for_rounds(loop, heard, 100));
  EXPECT_FALSE(told.end);
  EXPECT_FALSE(heard.end);
}

TEST(FdStream, WorkFromAnotherThreadIsDoneWhileItTalks) {
  Loop loop;
  Echo echo;
  const auto stream = echo.stream(loop);
  Talk told;
  bool enough = false;
  Scope scope(loop);
  scope.start(talk(*stream, told, enough));
  loop.block_on(wait_for_rounds(loop, told, 100));
  std::thread poster([&loop] {
    for (int i = 0; i < 100; ++i) loop.post([] {});
    loop.post([&loop] { loop.stop(); });
  });
  loop.run();
  poster.join();
  EXPECT_FALSE(told.end);
}

TEST(FdStream, ClosedWhileItTalksItTellsTheReader) {
  for (int round = 0; round < 50; ++round) {  // closed while it is looked at, and while it waits
    Loop loop;
    Echo echo;
    const auto stream = echo.stream(loop);
    Talk told;
    bool enough = false;
    Scope scope(loop);
    scope.start(talk(*stream, told, enough));
    loop.block_on(wait_for_rounds(loop, told, static_cast<std::uint64_t>(round)));
    const auto close = [&]() -> Task<void> {
      stream->close();
      co_await scope.join();
    };
    loop.block_on(close());
    ASSERT_TRUE(told.end);
    EXPECT_EQ(told.end->code, Errc::disconnected);
  }
}

TEST(FdStream, GivenUpWhileItTalksItIsSilent) {
  for (int round = 0; round < 50; ++round) {
    Loop loop;
    Echo echo;
    const auto stream = echo.stream(loop);
    Talk told;
    bool enough = false;
    {
      Scope scope(loop);
      scope.start(talk(*stream, told, enough));
      loop.block_on(wait_for_rounds(loop, told, static_cast<std::uint64_t>(round)));
      scope.cancel();
    }
    loop.run_for(1ms);
    EXPECT_FALSE(told.end);
  }
}

TEST(FdStream, TheOtherSidesEndIsHeardWhileItTalks) {
  Loop loop;
  auto echo = std::make_unique<Echo>();
  const auto stream = echo->stream(loop);
  const auto read = [&]() -> Task<std::size_t> {
    std::array<char, 64> buffer{};
    int rounds = 0;
    for (;;) {
      static_cast<void>(stream->try_write("x"));
      const auto heard = co_await read_some(*stream, buffer);
      if (!heard) co_return 1;
      if (*heard == 0) co_return 0;
      if (++rounds == 100) echo.reset();
    }
  };
  EXPECT_EQ(loop.block_on(read()), 0U);
}

}  // namespace
}  // namespace parlance
