// SPDX-License-Identifier: Apache-2.0
// A conversation over one descriptor with polling before waits (BusyPoll): other inputs are served meanwhile, and the
// conversation can end at any moment.
#include "parlance/transport/fd_stream.h"

#include <array>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "parlance/async/scope.h"

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

struct TalkState {
  std::uint64_t rounds = 0;
  std::optional<Error> end{};
};

// Sends a byte and receives an echo, repeatedly, until the stream ends.
Task<void> talk(ByteStream& stream, TalkState& state) {
  std::array<char, 64> buffer{};
  for (;;) {
    if (stream.try_write("x") != 1) {
      state.end = Error{.code = Errc::disconnected, .message = "nothing taken"};
      co_return;
    }
    const auto received = co_await read_some(stream, buffer);
    if (!received) {
      state.end = received.error();
      co_return;
    }
    EXPECT_EQ(*received, 1U);
    ++state.rounds;
  }
}

Task<void> wait_for_rounds(Loop& loop, const TalkState& state, std::uint64_t rounds) {
  while (state.rounds < rounds) co_await sleep_for(loop, 1ms);
}

// A conversation that continues until ended.
class FdStream : public ::testing::Test {
 protected:
  // Talks for this number of rounds, noticed only by a timer.
  void talk_for(std::uint64_t rounds) {
    scope.start(talk(*stream, state));
    loop.block_on(wait_for_rounds(loop, state, rounds));
  }

  Loop loop;
  Echo echo;
  std::unique_ptr<ByteStream> stream = echo.stream(loop);
  TalkState state;
  Scope scope{loop};
};

// Ended after few rounds and after many: during a poll, and during a wait.
class FdStreamEnds : public FdStream, public ::testing::WithParamInterface<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(After, FdStreamEnds, ::testing::Values(0, 1, 2, 3, 4, 5, 10, 100));

TEST_F(FdStream, TimersFireWhileItTalks) {
  talk_for(1000);
  EXPECT_FALSE(state.end);
}

TEST_F(FdStream, AnotherStreamIsReadWhileItTalks) {
  Echo other;
  const auto quiet = other.stream(loop);
  TalkState other_state;
  Scope listening(loop);
  talk_for(100);
  listening.start(talk(*quiet, other_state));
  loop.block_on(wait_for_rounds(loop, other_state, 100));
  EXPECT_FALSE(state.end);
  EXPECT_FALSE(other_state.end);
}

TEST_F(FdStream, WorkFromAnotherThreadIsDoneWhileItTalks) {
  talk_for(100);
  std::thread poster([this] {
    for (int i = 0; i < 100; ++i) loop.post([] {});
    loop.post([this] { loop.stop(); });
  });
  loop.run();
  poster.join();
  EXPECT_FALSE(state.end);
}

TEST_P(FdStreamEnds, ClosedWhileItTalksItNotifiesTheReader) {
  talk_for(GetParam());
  const auto close = [&]() -> Task<void> {
    stream->close();
    co_await scope.join();
  };
  loop.block_on(close());
  ASSERT_TRUE(state.end);
  EXPECT_EQ(state.end->code, Errc::disconnected);
}

TEST_P(FdStreamEnds, GivenUpWhileItTalksItIsSilent) {
  talk_for(GetParam());
  scope.cancel();
  loop.run_for(1ms);
  EXPECT_FALSE(state.end);
}

TEST_F(FdStream, TheOtherSidesEndIsSeenWhileItTalks) {
  auto other = std::make_unique<Echo>();
  const auto ending = other->stream(loop);
  const auto read = [&]() -> Task<std::size_t> {
    std::array<char, 64> buffer{};
    int rounds = 0;
    for (;;) {
      static_cast<void>(ending->try_write("x"));
      const auto received = co_await read_some(*ending, buffer);
      if (!received) co_return 1;
      if (*received == 0) co_return 0;
      if (++rounds == 100) other.reset();
    }
  };
  EXPECT_EQ(loop.block_on(read()), 0U);
}

}  // namespace
}  // namespace parlance
