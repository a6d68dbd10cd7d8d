// SPDX-License-Identifier: Apache-2.0
// The end of connections, and the order before the end: bytes without a frame, unsent calls, notices in order.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/peer/peer.h"
#include "parlance/protocol/jsonrpc/peer_test_support.h"
#include "tests/support/step_limit.h"

namespace parlance {
namespace {

using namespace std::chrono_literals;
using namespace test;

TEST(Peer, AnUnsentCallIsNotCancelled) {
  ByHand f;
  std::optional<Result<Echo>> sent;
  std::optional<Result<Echo>> late;
  std::optional<Result<Echo>> dropped;
  // The first fills the pipe and the output behind it, so that the others wait for room.
  f.scope.start(call_into(*f.peer, {.text = std::string(2 << 20, 'x')}, {}, sent));
  f.loop.run_ready();
  f.scope.start(call_into(*f.peer, {.text = "late"}, within(1ms), late));
  Scope::Handle call = f.scope.start(call_into(*f.peer, {.text = "dropped"}, {}, dropped));
  f.loop.run_ready();
  call.cancel();
  f.loop.advance(1ms);
  ASSERT_TRUE(late);
  EXPECT_EQ(late->error().code, Errc::deadline_exceeded);
  const std::string output = f.read_output();
  EXPECT_TRUE(output.contains("\"id\":1,\"method\":\"slow\""));
  EXPECT_FALSE(output.contains("$/cancelRequest"));
  EXPECT_FALSE(output.contains("late") || output.contains("dropped"));
}

// ---- replies that are none ------------------------------------------------------------------------------------------------------

TEST(Peer, ACallWithAnInvalidReplyEndsAtOnce) {
  for (const std::string reply :
       {R"({"jsonrpc":"2.0","id":1})", R"({"jsonrpc":"2.0","id":1,"error":null})",
        R"({"jsonrpc":"2.0","id":1,"outcome":"allow"})", R"({"id":1,"result":{"text":"x"}})",
        R"({"jsonrpc":"1.0","id":1,"result":{"text":"x"}})", R"({"jsonrpc":"2.0","id":1,"result":{"text":NaN}})",
        R"({"jsonrpc":"2.0","id":1,"result":{"text":"x"})", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"text\":\"\xff\"}}",
        R"({"jsonrpc":"2.0","id":1,"result":null})", R"({"jsonrpc":"2.0","id":1,"result":"text"})",
        R"({"jsonrpc":"2.0","id":1,"result":{"text":7}})", R"({"jsonrpc":"2.0","id":1,"error":"no"})"}) {
    ByHand f;
    std::optional<Result<Echo>> call;
    f.scope.start(call_into(*f.peer, {.text = "x"}, no_deadline, call));
    f.read_output();
    EXPECT_EQ(f.say(reply + "\n"), "") << reply;
    ASSERT_TRUE(call) << reply;
    EXPECT_FALSE(*call) << reply;
    EXPECT_EQ(f.peer->pending_calls(), 0U) << reply;
    EXPECT_FALSE(f.end) << reply;
  }
}

TEST(Peer, AnUnexpectedInvalidReplyIsAnsweredWithoutItsId) {
  ByHand f;
  const std::string answer = f.say("{\"jsonrpc\":\"2.0\",\"id\":9}\n");
  EXPECT_TRUE(answer.contains("\"id\":null,\"error\":{\"code\":-32600")) << answer;
}

TEST(Peer, ABrokenRequestIsNoReply) {
  ByHand f;
  std::optional<Result<Echo>> call;
  f.scope.start(call_into(*f.peer, {.text = "x"}, no_deadline, call));
  f.read_output();
  for (const std::string request :
       {R"({"jsonrpc":"2.0","id":1,"method":7})", R"({"jsonrpc":"2.0","id":1,"method":"echo","params":{)",
        R"({"jsonrpc":"2.0","id":1,"params":{NaN}})", R"({"jsonrpc":"2.0","id":"1","result":{"text":"x"}})",
        R"({"level":"info","id":1})"})
    f.say(request + "\n");
  EXPECT_FALSE(call);
  f.say(R"({"jsonrpc":"2.0","id":1,"result":{"text":"y"}})"
        "\n");
  ASSERT_TRUE(call && *call);
  EXPECT_EQ((*call)->text, "y");
}

// ---- unreadable input -------------------------------------------------------------------------------------------------------

TEST(Peer, BytesOutsideOfFramesAreAnsweredAndEndTheConnection) {
  for (const bool one_byte : {false, true})
    for (const std::string bytes : {"Length: 7\r\n\r\n{}", "Content-Length: x\r\n\r\n", "Content-Length: 99999\r\n\r\n",
                                    "Content-Length: 2\r\n\r\n{}Content-Length: \r\n\r\n"}) {
      ByHand f(one_byte, content_length_framing(1 << 16));
      const test::StepLimit steps(f.loop);
      const std::string answer = f.say(bytes);
      EXPECT_TRUE(answer.contains("\"id\":null,\"error\":{\"code\":-32700")) << bytes << " -> " << answer;
      ASSERT_TRUE(f.end) << bytes;
      EXPECT_EQ(f.end->code, Errc::disconnected);
    }
}

TEST(Peer, AnEndWithinAFrameEndsTheConnection) {
  for (const bool one_byte : {false, true})
    for (const std::string bytes : {"C", "Content-Length: 2\r\n\r\n{", "Content-Length: 2\r\n\r\n{}Content"}) {
      ByHand f(one_byte, content_length_framing(1 << 16));
      const test::StepLimit steps(f.loop);
      f.say(bytes);
      EXPECT_FALSE(f.end);
      f.hand->close_output();
      EXPECT_TRUE(f.read_output().contains("the stream ends inside a")) << bytes;
      ASSERT_TRUE(f.end) << bytes;
    }
}

TEST(Peer, AnUnfinishedLineIsAnswered) {
  for (const bool one_byte : {false, true}) {
    ByHand f(one_byte);
    const test::StepLimit steps(f.loop, 1'000'000);
    f.say("{" + std::string(70'000, 'x'));
    f.hand->close_output();
    EXPECT_TRUE(f.read_output().contains("the stream ends inside a line of more than 65536 bytes"));
    EXPECT_TRUE(f.end);
  }
}

// ---- notices that take their time ------------------------------------------------------------------------------------------------

struct Slowly {
  std::vector<std::string> seen;
  Signal go;
  explicit Slowly(Loop& loop) : go(loop) {}
  void serve(Router& router) {
    router.on(slow_note, [this](const Echo& e, Context&) -> Task<void> {
      seen.push_back("begin " + e.text);
      co_await go.wait();
      seen.push_back("end " + e.text);
    });
  }
};

TEST(Peer, ANoticeIsHandledBeforeLaterMessages) {
  Fixture f;
  Slowly slowly(f.peers.loop);
  slowly.serve(f.peers.near_router);
  std::optional<Result<Echo>> outcome;
  Scope scope(f.peers.loop);
  scope.start(call_into(*f.peers.near, {.text = "answer"}, {}, outcome));
  EXPECT_TRUE(f.peers.far->notify(slow_note, {.text = "1"}));
  EXPECT_TRUE(f.peers.far->notify(slow_note, {.text = "2"}));
  EXPECT_TRUE(f.peers.far->notify(note, {.text = "3"}));
  f.peers.loop.advance(1s);
  EXPECT_EQ(slowly.seen, std::vector<std::string>{"begin 1"});
  EXPECT_FALSE(outcome) << "the reply stands behind the notices";
  slowly.go.notify_all();
  f.peers.loop.run_ready();
  EXPECT_EQ(slowly.seen, (std::vector<std::string>{"begin 1", "end 1", "begin 2"}));
  EXPECT_TRUE(f.served.notices.empty());
  slowly.go.notify_all();
  f.peers.loop.run_ready();
  EXPECT_EQ(f.served.notices, std::vector<std::string>{"3"});
  ASSERT_TRUE(outcome);
  EXPECT_EQ((*outcome)->text, "answer");
}

TEST(Peer, ASlowNoticeSlowsItsSender) {
  Fixture f;
  Slowly slowly(f.peers.loop);
  slowly.serve(f.peers.far_router);
  const std::string large(10'000, 'x');
  int sent = 0;
  for (; f.peers.near->has_room() && sent < 1000; ++sent) {
    EXPECT_TRUE(f.peers.near->notify(slow_note, {.text = large}));
    f.peers.loop.run_ready();
  }
  EXPECT_LT(sent, 100) << "limited by the pipe, one read and the queue of the sender";
  EXPECT_EQ(slowly.seen.size(), 1U);
  for (int i = 0; i < sent; ++i) {
    slowly.go.notify_all();
    f.peers.loop.run_ready();
  }
  EXPECT_EQ(slowly.seen.size(), 2U * static_cast<std::size_t>(sent));
  EXPECT_TRUE(f.peers.near->has_room());
}

TEST(Peer, ClosingEndsAWaitingNotice) {
  Fixture f;
  Slowly slowly(f.peers.loop);
  slowly.serve(f.peers.far_router);
  EXPECT_TRUE(f.peers.near->notify(slow_note, {.text = "1"}));
  f.peers.loop.run_ready();
  ASSERT_EQ(slowly.seen.size(), 1U);
  f.peers.far->close();
  f.peers.loop.run_ready();
  EXPECT_TRUE(f.peers.far_end);
  EXPECT_FALSE(slowly.go.has_waiters());
  EXPECT_EQ(slowly.seen.size(), 1U);
}

TEST(Peer, NoticesBeforeTheEndAreHandled) {
  Fixture f;
  Slowly slowly(f.peers.loop);
  slowly.serve(f.peers.far_router);
  EXPECT_TRUE(f.peers.near->notify(slow_note, {.text = "1"}));
  EXPECT_TRUE(f.peers.near->notify(note, {.text = "2"}));
  f.peers.loop.run_ready();
  f.peers.near->close();
  f.peers.loop.run_ready();
  EXPECT_FALSE(f.peers.far_end);
  slowly.go.notify_all();
  f.peers.loop.run_ready();
  EXPECT_EQ(slowly.seen.size(), 2U);
  EXPECT_EQ(f.served.notices, std::vector<std::string>{"2"});
  EXPECT_TRUE(f.peers.far_end);
}

}  // namespace
}  // namespace parlance
