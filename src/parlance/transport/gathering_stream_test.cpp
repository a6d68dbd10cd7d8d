// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/gathering_stream.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/transport/fd_stream.h"
#include "parlance/transport/sockets.h"
#include "parlance/transport/tcp_connect.h"

namespace parlance {
namespace {

using namespace std::chrono_literals;

// Over TCP, because the kernel decides about wake-ups. The pause is long enough to be visible to a test.
class GatheringStreamTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const int listening = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ASSERT_EQ(::bind(listening, reinterpret_cast<sockaddr*>(&address), size), 0);
    ASSERT_EQ(::listen(listening, 1), 0);
    ASSERT_EQ(::getsockname(listening, reinterpret_cast<sockaddr*>(&address), &size), 0);
    auto connected = loop.block_on(tcp_connect(loop, "127.0.0.1", ntohs(address.sin_port)));
    ASSERT_TRUE(connected);
    writer = fd_stream(loop, ::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC), "writer");
    ::close(listening);
    reader = gathering_stream(loop, *std::move(connected), {.streak = 3, .bytes = 100, .pause = pause, .close_by = 10s});
    scope.start(read_all());
  }
  Task<void> read_all() {
    char buffer[1000];
    for (;;) {
      const auto got = co_await read_some(*reader, buffer);
      if (!got || *got == 0) break;
      reads.emplace_back(buffer, *got);
    }
    ended = true;
  }
  void say(const std::string& text) {
    ASSERT_EQ(writer->try_write(text), text.size());
    loop.run_for(5ms);
  }
  // Into the state in which the next reads wait for more.
  void flood() {
    for (int i = 0; i < 4; ++i) say("x");
    ASSERT_EQ(reads.size(), 4U);
    reads.clear();
  }

  static constexpr auto pause = 400ms;
  Loop loop;
  std::unique_ptr<ByteStream> writer;
  std::unique_ptr<ByteStream> reader;
  std::vector<std::string> reads;
  bool ended = false;
  Scope scope{loop};
};

TEST_F(GatheringStreamTest, AFloodArrivesInASingleReadOfEnoughBytes) {
  flood();
  std::string all;
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(reads.empty()) << i;
    say(std::string(10, static_cast<char>('a' + i)));
    all += std::string(10, static_cast<char>('a' + i));
  }
  EXPECT_EQ(reads, std::vector<std::string>{all});
}

TEST_F(GatheringStreamTest, LessIsReadAfterThePauseAndThenAllAtOnceAgain) {
  flood();
  say("a");
  say("b");
  EXPECT_TRUE(reads.empty());
  loop.run_for(pause + 20ms);
  EXPECT_EQ(reads, std::vector<std::string>{"ab"});
  say("c");
  EXPECT_EQ(reads.size(), 2U);
}

TEST_F(GatheringStreamTest, ASlowFloodGathersOn) {
  flood();
  say("12345");
  say("67890");
  loop.run_for(pause + 20ms);
  ASSERT_EQ(reads.size(), 1U);
  say("a");
  EXPECT_EQ(reads.size(), 1U);
}

TEST_F(GatheringStreamTest, AnAnswerToOurCallIsNotDelayed) {
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(reader->try_write("?"), 1U);
    say("!");
    EXPECT_EQ(reads.size(), static_cast<std::size_t>(i + 1));
  }
}

TEST_F(GatheringStreamTest, GatheredInputIsReadOnRequest) {
  flood();
  say("a");
  EXPECT_TRUE(reads.empty());
  EXPECT_EQ(reader->try_write("?"), 1U);
  loop.run_for(5ms);
  EXPECT_EQ(reads, std::vector<std::string>{"a"});
}

TEST_F(GatheringStreamTest, TheEndIsReportedAtOnce) {
  flood();
  say("last");
  writer.reset();
  loop.run_for(20ms);
  EXPECT_EQ(reads, std::vector<std::string>{"last"});
  EXPECT_TRUE(ended);
}

TEST_F(GatheringStreamTest, ACloseEndsAWaitingRead) {
  flood();
  reader->close();
  loop.run_for(5ms);
  EXPECT_TRUE(ended);
}

TEST_F(GatheringStreamTest, ACancelledReaderIsNotCalled) {
  flood();
  say("x");
  scope.cancel();
  loop.run_for(pause + 20ms);
  EXPECT_TRUE(reads.empty());
}

}  // namespace
}  // namespace parlance
