// SPDX-License-Identifier: Apache-2.0
// Invalid bytes: their connection ends with a reason, no loop spins, and other clients are served.
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "parlance/protocol/gorpc/client.h"
#include "parlance/protocol/gorpc/messages.h"
#include "parlance/protocol/gorpc/server.h"
#include "parlance/transport/memory.h"
#include "tests/support/step_limit.h"

namespace parlance::gorpc {
namespace {

using namespace std::chrono_literals;

const std::string stats_call = R"({"method":"RPCService.Stats","params":[{}],"id":7})";

struct Output final : IoDone {
  void on_io(Result<std::size_t> bytes) override {
    waiting = false;
    if (bytes && *bytes != 0) text.append(buffer, *bytes);
    else ended = true;
  }
  char buffer[4096];
  std::string text;
  bool waiting = false;
  bool ended = false;
};

// A hand-written client. Keeps all received bytes.
class Hostile : public testing::TestWithParam<bool> {
 protected:
  Hostile() {
    serve_method(router, stats, [](const wire::Nothing&, Context&) -> Result<StatsReply> { return StatsReply{.messages = 3}; });
    serve_method(router, chat, [this](const ChatArgs&, Context&) -> Task<Result<ChatReply>> {
      struct Guard {
        int& running;
        explicit Guard(int& count) : running(count) { ++running; }
        ~Guard() { --running; }
      } guard{running};
      co_await sleep_for(loop, 10s);
      co_return ChatReply{.content = "slow"};
    });
    explain_unknown_methods(router);
  }
  ~Hostile() override { hand.reset(); }

  void connect_by_hand() {
    auto [near, far] = memory_pair(loop, {.one_byte_reads = GetParam(), .capacity = 1 << 20});
    hand = std::move(near);
    server.serve(std::move(far));
  }
  void say(const std::string& bytes) {
    EXPECT_EQ(hand->try_write(bytes), bytes.size());
    read_output();
  }
  void read_output() {
    do {
      if (!output.waiting && !output.ended) {
        output.waiting = true;
        hand->start_read(output.buffer, output);
      }
    } while (loop.run_ready());
  }
  bool others_are_served() {
    auto [near, far] = memory_pair(loop);
    server.serve(std::move(far));
    auto client = loop.block_on(connect(loop, std::move(near), {.codec = Codec::json}));
    const auto ask = [](Peer& peer) -> Task<Result<StatsReply>> {
      co_return co_await peer.call_named("RPCService.Stats", stats, {});
    };
    Scope scope(loop);
    const auto run = [](Peer& peer) -> Task<void> { static_cast<void>(co_await peer.run()); };
    scope.start(run(**client));
    const auto reply = loop.block_on(ask(**client));
    return reply && reply->messages == 3;
  }

  Loop loop{Loop::Time::virtual_};
  test::StepLimit steps{loop};
  Router router;
  int running = 0;
  Output output;
  std::unique_ptr<ByteStream> hand;
  Server server{loop, router};
};

TEST_P(Hostile, MalformedInputIsAnsweredAndEndsItsConnection) {
  for (const std::string bytes : {" \n x", "{}x", "  [1]", "\t7", "{\"a\":1}]", "\n\n{} \r\n\"", "{\"id\":1,}x"}) {
    output = {};
    connect_by_hand();
    say(bytes);
    EXPECT_TRUE(output.ended) << bytes;
    EXPECT_TRUE(output.text.contains(R"({"id":null,"result":null,"error":")")) << bytes << " -> " << output.text;
    EXPECT_EQ(server.stats().open, 0U) << bytes;
    EXPECT_TRUE(others_are_served());
  }
}

TEST_P(Hostile, ACallBeforeIsAnsweredFirst) {
  for (const std::string rest : {"x", " [1]", "\n}", "{\"a\"}"}) {
    output = {};
    connect_by_hand();
    say(stats_call + rest);
    EXPECT_TRUE(output.text.starts_with(R"({"id":7,"result":{)")) << output.text;
    EXPECT_TRUE(output.text.contains(R"({"id":null,"result":null,"error":")")) << output.text;
    EXPECT_TRUE(output.ended);
    EXPECT_EQ(server.stats().open, 0U);
  }
}

// The remains of a client that dies during a write; and the same for a living client that only shut its half down.
TEST_P(Hostile, AnEndWithinAnObjectEndsTheConnection) {
  for (const std::string bytes : {"{\"a\"", "{", "{\"a\":[{\"b\":\"}", "{} {\"method\":\"RPCService.Stats\""}) {
    output = {};
    connect_by_hand();
    say(bytes);
    EXPECT_EQ(server.stats().open, 1U);
    hand->close_output();
    read_output();
    EXPECT_TRUE(output.ended);
    // A single byte does not determine the codec, so an answer is impossible.
    EXPECT_EQ(output.text.contains("the stream ends inside an object"), bytes.size() > 1) << output.text;
    EXPECT_EQ(server.stats().open, 0U) << bytes;

    connect_by_hand();
    hand->try_write(bytes);
    hand.reset();
    while (loop.run_ready()) {}
    EXPECT_EQ(server.stats().open, 0U) << bytes;
    EXPECT_TRUE(others_are_served());
  }
}

TEST_P(Hostile, CutGobEndsTheConnection) {
  const std::string begin = "\x40\xff\x81\x03";  // a type definition of 64 bytes
  for (std::size_t length = 1; length <= begin.size(); ++length) {
    output = {};
    connect_by_hand();
    say(begin.substr(0, length));
    hand->close_output();
    read_output();
    EXPECT_TRUE(output.ended);
    EXPECT_EQ(server.stats().open, 0U) << length;
  }
}

TEST_P(Hostile, AServerWithMalformedAnswersFailsItsCallsOnce) {
  for (const std::string bytes : {" \n x", "{}x", "  [1]", "{\"id\":0,\"result\":{}}]", "{\"a\""}) {
    output = {};
    auto [near, far] = memory_pair(loop, {.one_byte_reads = GetParam()});
    hand = std::move(far);
    auto client = loop.block_on(connect(loop, std::move(near), {.codec = Codec::json}));
    ASSERT_TRUE(client);
    std::optional<Result<StatsReply>> reply;
    std::optional<Error> end;
    const auto ask = [](Peer& peer, std::optional<Result<StatsReply>>& into) -> Task<void> {
      into = co_await peer.call_named("RPCService.Stats", stats, {}, no_deadline);
    };
    const auto run = [](Peer& peer, std::optional<Error>& into) -> Task<void> { into = co_await peer.run(); };
    Scope scope(loop);
    scope.start(run(**client, end));
    scope.start(ask(**client, reply));
    say(bytes);
    hand->close_output();
    read_output();
    ASSERT_TRUE(reply) << bytes;
    EXPECT_EQ(reply->error().code, Errc::disconnected);
    ASSERT_TRUE(end) << bytes;
    EXPECT_EQ(end->code, Errc::disconnected);
    EXPECT_FALSE(output.text.contains("null,\"error\"")) << "a client answers nothing";
  }
}

TEST_P(Hostile, AHalfClosedCallerGetsItsAnswer) {
  connect_by_hand();
  say(R"({"method":"RPCService.Chat","params":[{}],"id":1})");
  hand->close_output();
  read_output();
  EXPECT_EQ(running, 1);
  loop.advance(10s);
  read_output();
  EXPECT_TRUE(output.text.contains("slow")) << output.text;
  EXPECT_TRUE(output.ended);
  EXPECT_EQ(server.stats().open, 0U);
}

TEST_P(Hostile, ADisconnectedCallerHasNoRunningCalls) {
  for (const bool half_closed_before : {false, true}) {
    connect_by_hand();
    say(R"({"method":"RPCService.Chat","params":[{}],"id":1})");
    if (half_closed_before) hand->close_output();
    read_output();
    EXPECT_EQ(running, 1);
    output.waiting = false;
    hand.reset();
    while (loop.run_ready()) {}
    EXPECT_EQ(running, 0);
    EXPECT_EQ(server.stats().open, 0U);
    output = {};
  }
}

INSTANTIATE_TEST_SUITE_P(Reads, Hostile, testing::Values(false, true),
                         [](const auto& run) { return run.param ? std::string("OneByte") : std::string("Whole"); });

// Reading stops at the limit of running calls: the end of the client is noticed all the same.
TEST(HostileLoad, AClientDeathAfterItsOwnCallsIsDetected) {
  Loop loop(Loop::Time::virtual_);
  const test::StepLimit steps(loop);
  int running = 0;
  Router router;
  serve_method(router, chat, [&](const ChatArgs&, Context&) -> Task<Result<ChatReply>> {
    struct Guard {
      int& running;
      explicit Guard(int& count) : running(count) { ++running; }
      ~Guard() { --running; }
    } guard{running};
    co_await sleep_for(loop, 10s);
    co_return ChatReply{};
  });
  Server server(loop, router, {.running_calls = 2});
  auto [near, far] = memory_pair(loop);
  server.serve(std::move(far));
  std::string calls;
  for (int id = 0; id < 5; ++id) calls += R"({"method":"RPCService.Chat","params":[{}],"id":)" + std::to_string(id) + "}";
  near->try_write(calls);
  while (loop.run_ready()) {}
  EXPECT_EQ(running, 2);
  near.reset();
  while (loop.run_ready()) {}
  EXPECT_EQ(running, 0);
  EXPECT_EQ(server.stats().open, 0U);
}

}  // namespace
}  // namespace parlance::gorpc
