// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/mcp/event_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/protocol/mcp/limits.h"
#include "parlance/transport/http/limits.h"

namespace parlance::mcp {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::StartsWith;

// Records the output for a client. `slow`: writes wait until `go`.
class FakeExchange final : public HttpExchange {
 public:
  explicit FakeExchange(Loop& loop) : go(loop) {}
  const ServerRequest& request() const override { return request_; }
  Task<Result<void>> respond(HttpReply) override { co_return fail(Errc::internal, "it is a stream"); }
  Task<Result<void>> begin(int, std::vector<HttpHeader>) override { co_return Result<void>{}; }
  Task<Result<void>> write(std::string bytes) override {
    written += bytes;
    ++writes;
    if (slow) co_await go.wait();
    if (gone) co_return fail(Errc::disconnected, "the client is gone");
    co_return Result<void>{};
  }
  Task<Result<void>> end() override {
    ended = true;
    co_return Result<void>{};
  }
  Task<Result<std::unique_ptr<WebSocketFrames>>> upgrade(std::string_view, std::vector<HttpHeader>) override {
    co_return fail(Errc::internal, "no socket");
  }

  std::string written;
  int writes = 0;
  bool ended = false;
  bool slow = false;
  bool gone = false;
  Signal go;

 private:
  ServerRequest request_;
};

class EventStreamTest : public testing::Test {
 protected:
  Scope::Handle read(FakeExchange& exchange, std::uint64_t from = 0, bool priming = false) {
    const auto run = [](EventStreamTest& self, FakeExchange& to, std::uint64_t at, bool first) -> Task<void> {
      const auto sent = co_await self.stream.send(to, at, first);
      if (!sent) self.failed = sent.error().message;
    };
    auto handle = scope.start(run(*this, exchange, from, priming));
    loop.run_ready();
    return handle;
  }
  Loop loop{Loop::Time::virtual_};
  EventStream stream{loop, "s"};
  FakeExchange client{loop};
  FakeExchange other{loop};
  std::string failed;
  Scope scope{loop};
};

TEST_F(EventStreamTest, MessagesAreEventsWithIdsInTheirOrder) {
  stream.add("{1}");
  read(client);
  stream.add("{2}");
  stream.add("{3}", true);
  stream.finish();
  loop.run_ready();
  EXPECT_EQ(client.written,
            "event: message\nid: s-1\ndata: {1}\n\nevent: message\nid: s-2\ndata: {2}\n\nevent: message\nid: s-3\ndata: {3}\n\n");
  EXPECT_EQ(client.writes, 2) << "pending events leave together";
  EXPECT_TRUE(client.ended);
  EXPECT_EQ(stream.sent(), 3U);
  EXPECT_FALSE(stream.has_reader());
}

TEST_F(EventStreamTest, WithoutANameNoIdsExist) {
  EventStream nameless(loop, "");
  nameless.add("{}");
  nameless.finish();
  EXPECT_TRUE(loop.block_on(nameless.send(client, 0, true)));
  EXPECT_EQ(client.written, "event: message\ndata: {}\n\n");
}

TEST_F(EventStreamTest, AClientIsGivenAnIdToComeBackWithBeforeAnythingHappens) {
  read(client, 0, true);
  EXPECT_EQ(client.written, "id: s-0\nretry: 500\ndata: \n\n");
}

TEST_F(EventStreamTest, AReturningClientGetsTheRest) {
  for (const char* message : {"{1}", "{2}", "{3}"}) stream.add(message);
  read(client, 2);
  EXPECT_EQ(client.written, "event: message\nid: s-3\ndata: {3}\n\n");
  read(other, 0);
  EXPECT_THAT(other.written, StartsWith("event: message\nid: s-1\n"));
}

TEST_F(EventStreamTest, ANewReaderReplacesTheOldReader) {
  read(client);
  EXPECT_TRUE(stream.has_reader());
  read(other);
  EXPECT_TRUE(client.ended);
  EXPECT_FALSE(other.ended);
  stream.add("{1}");
  loop.run_ready();
  EXPECT_EQ(client.written, "");
  EXPECT_THAT(other.written, HasSubstr("{1}"));
}

TEST_F(EventStreamTest, AReaderAskedToReturnEndsOnce) {
  read(client);
  stream.ask_to_return();
  loop.run_ready();
  EXPECT_TRUE(client.ended);
  EXPECT_FALSE(stream.return_asked());
  read(other);
  EXPECT_FALSE(other.ended);
}

TEST_F(EventStreamTest, SilenceIsFilledAgainstProxies) {
  read(client);
  loop.advance(limits::sse_keep_alive);
  EXPECT_EQ(client.written, ": alive\n\n");
  loop.advance(limits::sse_keep_alive - 1ms);
  stream.add("{1}");
  loop.run_ready();
  loop.advance(limits::sse_keep_alive - 1ms);
  EXPECT_EQ(client.writes, 2) << "an event is no silence";
}

TEST_F(EventStreamTest, ADisconnectedClientEndsTheReadingOnly) {
  client.gone = true;
  read(client);
  stream.add("{1}");
  loop.run_ready();
  EXPECT_EQ(failed, "the client is gone");
  EXPECT_FALSE(stream.has_reader());
  EXPECT_FALSE(stream.finished());
  read(other);
  EXPECT_THAT(other.written, HasSubstr("{1}")) << "kept for the next reader";
}

TEST_F(EventStreamTest, ADroppedReaderDoesNotCount) {
  auto handle = read(client);
  EXPECT_TRUE(stream.has_reader());
  loop.advance(5s);
  handle.cancel();
  EXPECT_FALSE(stream.has_reader());
  EXPECT_EQ(stream.quiet_since(), loop.now());
}

TEST_F(EventStreamTest, AfterItsEndNoMessageIsAccepted) {
  stream.finish();
  EXPECT_FALSE(stream.add("{1}"));
  EXPECT_FALSE(stream.add("{1}", true));
  EXPECT_EQ(stream.size(), 0U);
  read(client);
  EXPECT_TRUE(client.ended);
}

// ---- answers that need no stream

TEST_F(EventStreamTest, AReplyAloneIsRecognised) {
  EXPECT_EQ(stream.lone_reply(), nullptr);
  stream.add("{r}", true);
  EXPECT_EQ(stream.lone_reply(), nullptr) << "there may be more";
  ASSERT_NE(stream.reply(), nullptr);
  stream.finish();
  ASSERT_NE(stream.lone_reply(), nullptr);
  EXPECT_EQ(*stream.lone_reply(), "{r}");
}

TEST_F(EventStreamTest, AReplyBehindANoticeIsNotAlone) {
  stream.add("{n}");
  EXPECT_EQ(stream.reply(), nullptr);
  stream.add("{r}", true);
  stream.finish();
  EXPECT_EQ(stream.lone_reply(), nullptr);
  EXPECT_EQ(*stream.reply(), "{r}");
}

TEST_F(EventStreamTest, AWaiterWakesForAMessageTheEndOrTheTime) {
  const TimePoint begun = loop.now();
  bool woken = false;
  const auto wait = [&](TimePoint until) -> Task<void> {
    co_await stream.wait(until);
    woken = true;
  };
  scope.start(wait(begun + 1s));
  loop.run_ready();
  EXPECT_FALSE(woken);
  loop.advance(1s);
  EXPECT_TRUE(woken);
  woken = false;
  scope.start(wait(never));
  stream.add("{1}");
  loop.run_ready();
  EXPECT_TRUE(woken);
}

// ---- limits

TEST_F(EventStreamTest, WithoutAReaderTheOldestGoesAndAReplyAlwaysFindsRoom) {
  const std::string large(limits::mcp_stream_bytes / 4, 'x');
  for (int i = 0; i < 6; ++i) EXPECT_TRUE(stream.add(large)) << i;
  EXPECT_EQ(stream.size(), 4U) << "the last four are kept";
  EXPECT_TRUE(stream.add(large, true));
  stream.finish();
  read(client, 0);
  EXPECT_THAT(client.written.substr(0, 100), StartsWith("event: message\nid: s-3\n")) << "ids continue without a gap";
  EXPECT_TRUE(client.ended);
  EXPECT_EQ(stream.sent(), 7U);
}

TEST_F(EventStreamTest, ForASlowClientFurtherMessagesAreRefused) {
  client.slow = true;
  const std::string large(limits::mcp_stream_bytes / 4, 'x');
  stream.add(large);
  read(client);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(stream.add(large)) << i;
  EXPECT_FALSE(stream.add(large)) << "unread events are not dropped";
  EXPECT_TRUE(stream.add("{small, but the end}", true));
  stream.finish();
  client.slow = false;
  client.go.notify_all();
  loop.run_ready();
  EXPECT_TRUE(client.ended);
  EXPECT_THAT(client.written, HasSubstr("id: s-5\ndata: {small, but the end}"));
}

TEST_F(EventStreamTest, ASingleMessageMayExceedTheLimit) {
  EXPECT_TRUE(stream.add(std::string(2 * limits::mcp_stream_bytes, 'x')));
  EXPECT_EQ(stream.size(), 1U);
}

}  // namespace
}  // namespace parlance::mcp
