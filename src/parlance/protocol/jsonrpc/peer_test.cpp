// SPDX-License-Identifier: Apache-2.0
// Every guarantee of peer/peer.h, in the dialect that three protocols share.
#include "parlance/peer/peer.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/protocol/jsonrpc/peer_test_support.h"

namespace parlance {
namespace {

using namespace std::chrono_literals;
using namespace test;

class PeerTest : public testing::TestWithParam<Link> {
 protected:
  PeerTest() : peers(GetParam()) {
    serve(peers.far_router, peers.loop, served);
    serve(peers.near_router, peers.loop, served);
  }
  Result<Echo> call(Peer& peer, const wire::Call<Echo, Echo>& method, Echo with, Within time = {}) {
    const auto call_once = [](Peer& p, const wire::Call<Echo, Echo>& m, Echo e, Within w) -> Task<Result<Echo>> {
      co_return co_await p.call(m, e, w);
    };
    return peers.loop.block_on(call_once(peer, method, std::move(with), time));
  }
  Served served;
  LinkedPeers peers;
};

TEST_P(PeerTest, CallsGoBothWays) {
  EXPECT_EQ(call(*peers.near, echo, {.text = "to the far side"})->text, "to the far side");
  EXPECT_EQ(call(*peers.far, echo, {.text = "and back \"\\\n\xE4\xB8\xAD"})->text, "and back \"\\\n\xE4\xB8\xAD");
}

TEST_P(PeerTest, LargeMessagesArriveWhole) {
  const std::string large(GetParam() == Link::memory_one_byte ? 50'000 : 3'000'000, 'x');
  EXPECT_EQ(call(*peers.near, echo, {.text = large})->text, large);
}

TEST_P(PeerTest, SixtyFourInFlightAnswerInAnyOrder) {
  const auto call_once = [](Peer& p, int i, std::vector<int>& order) -> Task<void> {
    const auto reply = co_await p.call(slow, {.text = std::to_string(i), .delay_ms = (64 - i) * 2});
    EXPECT_TRUE(reply);
    if (reply) EXPECT_EQ(reply->text, std::to_string(i));
    order.push_back(i);
  };
  std::vector<int> order;
  Scope scope(peers.loop);
  for (int i = 0; i < 64; ++i) scope.start(call_once(*peers.near, i, order));
  peers.loop.block_on(scope.join());
  ASSERT_EQ(order.size(), 64U);
  EXPECT_EQ(order.front(), 63);
  EXPECT_EQ(order.back(), 0);
  EXPECT_EQ(peers.near->pending_calls(), 0U);
}

TEST_P(PeerTest, ALongCallIsFoundAmongHundredsOfShortOnes) {
  const auto call_once = [](Peer& p, bool& answered) -> Task<void> {
    const auto reply = co_await p.call(slow, {.text = "long", .delay_ms = 50});
    EXPECT_TRUE(reply && reply->text == "long");
    answered = true;
  };
  bool answered = false;
  Scope scope(peers.loop);
  scope.start(call_once(*peers.near, answered));
  for (int i = 0; i < 200; ++i) EXPECT_EQ(call(*peers.near, echo, {.text = std::to_string(i)})->text, std::to_string(i));
  peers.loop.block_on(scope.join());
  EXPECT_TRUE(answered);
  EXPECT_EQ(peers.near->pending_calls(), 0U);
  EXPECT_EQ(peers.near->stats().late_replies, 0U);
}

TEST_P(PeerTest, NoticesKeepTheirOrder) {
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(peers.near->notify(note, {.text = std::to_string(i)}));
  EXPECT_TRUE(call(*peers.near, echo, {.text = "after"}));
  ASSERT_EQ(served.notices.size(), 100U);
  EXPECT_EQ(served.notices[99], "99");
}

TEST_P(PeerTest, ErrorsNameTheCauseAndTheConnectionLives) {
  EXPECT_EQ(call(*peers.near, missing, {.text = "x"}).error().code, Errc::unknown_method);
  EXPECT_EQ(call(*peers.near, thrower, {.text = "x"}).error().code, Errc::internal);
  EXPECT_EQ(call(*peers.near, echo, {.text = "still here"})->text, "still here");
}

TEST_P(PeerTest, ADeadlineEndsTheCallAndItsLateReplyIsDropped) {
  const auto answer = call(*peers.near, slow, {.text = "late", .delay_ms = 30}, within(5ms));
  EXPECT_EQ(answer.error().code, Errc::deadline_exceeded);
  EXPECT_EQ(peers.near->pending_calls(), 0U);
  EXPECT_EQ(call(*peers.near, echo, {.text = "undisturbed"})->text, "undisturbed");
}

TEST_P(PeerTest, WhenTheOtherSideGoesEveryPendingCallFails) {
  const auto call_once = [](Peer& p, int& failed) -> Task<void> {
    const auto reply = co_await p.call(slow, {.text = "x", .delay_ms = 60'000});
    if (!reply && reply.error().code == Errc::disconnected) ++failed;
  };
  int failed = 0;
  Scope scope(peers.loop);
  for (int i = 0; i < 10; ++i) scope.start(call_once(*peers.near, failed));
  EXPECT_TRUE(call(*peers.near, echo, {.text = "all have arrived"}));
  EXPECT_EQ(peers.far->running_calls(), 10U);
  peers.far->close();
  peers.loop.block_on(scope.join());
  EXPECT_EQ(failed, 10);
  EXPECT_EQ(served.destroyed, 10);
  EXPECT_EQ(served.finished, 0);
  EXPECT_EQ(call(*peers.near, echo, {.text = "unanswered"}).error().code, Errc::disconnected);
}

TEST_P(PeerTest, HandlersOfAPeerThatHungUpAreCancelledAtOnce) {
  const auto call_once = [](Peer& p) -> Task<void> {
    static_cast<void>(co_await p.call(slow, {.text = "x", .delay_ms = 3'600'000}));
  };
  Scope scope(peers.loop);
  for (int i = 0; i < 3; ++i) scope.start(call_once(*peers.near));
  EXPECT_TRUE(call(*peers.near, echo, {.text = "all have arrived"}));
  EXPECT_EQ(peers.far->running_calls(), 3U);
  peers.near->close();
  run_until(peers.loop, [&] { return peers.far_end.has_value(); });
  EXPECT_EQ(served.destroyed, 3);
  EXPECT_EQ(served.finished, 0);
}

TEST_P(PeerTest, AHalfClosedPeerGetsItsAnswersAndMayHangUpLater) {
  const auto call_once = [](Peer& p, int ms, int& answered) -> Task<void> {
    if (co_await p.call(slow, {.text = "x", .delay_ms = ms})) ++answered;
  };
  int answered = 0;
  Scope scope(peers.loop);
  scope.start(call_once(*peers.near, 20, answered));
  scope.start(call_once(*peers.near, 3'600'000, answered));
  EXPECT_TRUE(call(*peers.near, echo, {.text = "both have arrived"}));
  peers.near->finish();
  run_until(peers.loop, [&] { return answered == 1; });
  EXPECT_EQ(peers.far->running_calls(), 1U);
  EXPECT_FALSE(peers.far_end);
  peers.near->close();
  run_until(peers.loop, [&] { return peers.far_end.has_value(); });
  EXPECT_EQ(served.destroyed, 2);
  EXPECT_EQ(served.finished, 1);
}

std::string link_name(const testing::TestParamInfo<Link>& run) {
  static constexpr const char* names[] = {"Memory", "OneByte", "UnixSocket", "Pipes"};
  return names[static_cast<int>(run.param)];
}
INSTANTIATE_TEST_SUITE_P(Links, PeerTest, testing::Values(Link::memory, Link::memory_one_byte, Link::unix_socket, Link::pipes),
                         link_name);

// ---- with virtual time only --------------------------------------------------------------------------------------------------

TEST(Peer, DroppingTheAwaiterCancelsTheHandlerOfTheOtherSide) {
  Fixture f;
  std::optional<Result<Echo>> outcome;
  {
    Scope scope(f.peers.loop);
    scope.start(call_into(*f.peers.near, {.text = "x", .delay_ms = 1000}, {}, outcome));
    f.peers.loop.run_ready();
    EXPECT_EQ(f.peers.far->running_calls(), 1U);
  }
  f.peers.loop.run_ready();
  EXPECT_EQ(f.peers.far->running_calls(), 0U);
  EXPECT_EQ(f.peers.far->stats().cancelled, 1U);
  EXPECT_EQ(f.served.destroyed, 1);
  EXPECT_EQ(f.served.finished, 0);
  f.peers.loop.advance(2s);
  EXPECT_EQ(f.peers.near->stats().late_replies, 1U);  // The cancelled call's error reply: counted, dropped.
}

TEST(Peer, ADeadlineSendsTheCancelToo) {
  Fixture f;
  std::optional<Result<Echo>> outcome;
  Scope scope(f.peers.loop);
  scope.start(call_into(*f.peers.near, {.text = "x", .delay_ms = 60'000}, within(10ms), outcome));
  f.peers.loop.advance(10ms);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->error().code, Errc::deadline_exceeded);
  f.peers.loop.run_ready();
  EXPECT_EQ(f.peers.far->stats().cancelled, 1U);
}

TEST(Peer, TheDefaultDeadlineAppliesUnlessNoneIsWanted) {
  Fixture f({}, {.call_timeout = 50ms});
  std::optional<Result<Echo>> with_default;
  std::optional<Result<Echo>> without;
  Scope scope(f.peers.loop);
  scope.start(call_into(*f.peers.near, {.text = "x", .delay_ms = 1000}, {}, with_default));
  scope.start(call_into(*f.peers.near, {.text = "x", .delay_ms = 1000}, no_deadline, without));
  f.peers.loop.advance(60ms);
  ASSERT_TRUE(with_default);
  EXPECT_EQ(with_default->error().code, Errc::deadline_exceeded);
  EXPECT_FALSE(without);
  f.peers.loop.advance(1s);
  ASSERT_TRUE(without);
  EXPECT_TRUE(*without);
}

TEST(Peer, RequestsAboveTheLimitAreAnsweredOverloaded) {
  Fixture f({.running_calls = 2});
  std::optional<Result<Echo>> outcome[3];
  Scope scope(f.peers.loop);
  for (auto& o : outcome) scope.start(call_into(*f.peers.near, {.text = "x", .delay_ms = 10}, {}, o));
  f.peers.loop.run_ready();
  ASSERT_TRUE(outcome[2]);
  EXPECT_EQ(outcome[2]->error().code, Errc::overloaded);
  EXPECT_EQ(f.peers.far->stats().overloaded, 1U);
  f.peers.loop.advance(10ms);
  EXPECT_TRUE(*outcome[0]);
  EXPECT_TRUE(*outcome[1]);
}

TEST(Peer, PendingCallsAreBounded) {
  Fixture f({}, {.pending_calls = 2});
  std::optional<Result<Echo>> outcome[3];
  Scope scope(f.peers.loop);
  for (auto& o : outcome) scope.start(call_into(*f.peers.near, {.text = "x", .delay_ms = 10}, {}, o));
  f.peers.loop.run_ready();
  ASSERT_TRUE(outcome[2]);
  EXPECT_EQ(outcome[2]->error().code, Errc::overloaded);
}

TEST(Peer, TwoFullPeersDoNotBlockEachOther) {
  Fixture f;
  const auto flood = [](Peer& peer, int& done) -> Task<void> {
    const std::string large(200'000, 'x');
    for (int i = 0; i < 20; ++i) {
      const auto reply = co_await peer.call(echo, {.text = large});
      EXPECT_TRUE(reply);
    }
    ++done;
  };
  int done = 0;
  Scope scope(f.peers.loop);
  for (int i = 0; i < 5; ++i) {
    scope.start(flood(*f.peers.near, done));
    scope.start(flood(*f.peers.far, done));
  }
  f.peers.loop.block_on(scope.join());
  EXPECT_EQ(done, 10);
}

TEST(Peer, BadFramesAreAnsweredAndTheConnectionGoesOn) {
  for (const bool one_byte : {false, true}) {
    ByHand f(one_byte);
    EXPECT_NE(f.say("{not json\n").find("\"code\":-32700"), std::string::npos);
    EXPECT_NE(f.say("[]\n").find("\"code\":-32600"), std::string::npos);
    EXPECT_NE(f.say("{\"jsonrpc\":\"1.0\",\"id\":7,\"method\":\"echo\"}\n").find("\"id\":7,\"error\":{\"code\":-32600"),
              std::string::npos);
    EXPECT_NE(f.say("{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"echo\",\"params\":{\"text\":5}}\n")
                  .find(R"("id":8,"error":{"code":-32602,"message":"$.text: expected text, found a number")"),
              std::string::npos);
    EXPECT_NE(f.say("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"echo\"}\n").find("$.text: missing"), std::string::npos);
    EXPECT_NE(f.say("{\"pad\":\"" + std::string(70'000, 'x') + "\"}\n").find("more than 65536 bytes"), std::string::npos);
    EXPECT_EQ(f.say("{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":\"echo\",\"params\":{\"text\":\"ok\"}}\n"),
              "{\"jsonrpc\":\"2.0\",\"id\":10,\"result\":{\"text\":\"ok\",\"delay_ms\":0}}\n");
    EXPECT_EQ(f.peer->stats().bad_frames, 4U);
  }
}

TEST(Peer, IdsComeBackAsTheyCame) {
  ByHand f;
  for (const std::string id : {"\"1\"", "1", "-5", "1.5", "\"\\u00e9\"", "18446744073709551615"})
    EXPECT_NE(f.say("{\"jsonrpc\":\"2.0\",\"method\":\"echo\",\"params\":{\"text\":\"x\"},\"id\":" + id + "}\n")
                  .find("\"id\":" + id + ","),
              std::string::npos)
        << id;
}

TEST(Peer, UnknownAndDuplicateRepliesAreCountedAndDropped) {
  ByHand f;
  std::optional<Result<Echo>> outcome;
  f.scope.start(call_into(*f.peer, {.text = "x"}, {}, outcome));
  EXPECT_NE(f.read_output().find("\"id\":1,\"method\":\"slow\""), std::string::npos);
  f.say(
      "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{\"text\":\"wrong type of "
      "id\"}}\n{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}\n");
  EXPECT_FALSE(outcome);
  f.say(
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"text\":\"right\"}}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"text\":"
      "\"again\"}}\n");
  ASSERT_TRUE(outcome);
  EXPECT_EQ((*outcome)->text, "right");
  EXPECT_EQ(f.peer->stats().late_replies, 3U);
}

TEST(Peer, ErrorRepliesKeepCodeAndData) {
  ByHand f;
  std::optional<Result<Echo>> outcome;
  f.scope.start(call_into(*f.peer, {.text = "x"}, {}, outcome));
  f.read_output();
  f.say("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no such thing\",\"data\":{\"a\":1}}}\n");
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->error().code, Errc::unknown_method);
  EXPECT_EQ(outcome->error().message, "no such thing");
  EXPECT_EQ(outcome->error().data, R"({"code":-32601,"data":{"a":1}})");
}

TEST(Peer, AReplyThatDoesNotFitFailsOnlyItsCall) {
  ByHand f;
  std::optional<Result<Echo>> outcome;
  f.scope.start(call_into(*f.peer, {.text = "x"}, {}, outcome));
  f.read_output();
  f.say("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"text\":[]}}\n");
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->error().message, "$.text: expected text, found an array");
  EXPECT_FALSE(f.end);
}

TEST(Peer, AfterTheLastRequestRunningCallsFinishAndTheirAnswersGoOut) {
  ByHand f;
  f.hand->try_write(
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"slow\",\"params\":{\"text\":\"half closed\",\"delay_ms\":300}}\n");
  f.hand->close_output();
  while (f.loop.run_ready()) {}
  EXPECT_FALSE(f.end);
  f.loop.advance(300ms);
  EXPECT_NE(f.read_output().find("half closed"), std::string::npos);
  ASSERT_TRUE(f.end);
  EXPECT_EQ(f.end->code, Errc::disconnected);
}

TEST(Peer, EveryErrorCodeSurvivesTheWay) {
  for (const Errc code : all_error_codes) EXPECT_EQ(jsonrpc::from_code(jsonrpc::code_of(code)), code) << to_string(code);
}

// A tap is a Frames around Frames: the peer does not know.
class Tap final : public Frames {
 public:
  Tap(std::unique_ptr<Frames> inner, std::vector<std::string>& seen) : inner_(std::move(inner)), seen_(seen) {}
  void start_read(FramesDone& done) override {
    relay_.done = &done;
    relay_.seen = &seen_;
    inner_->start_read(relay_);
  }
  void stop_read() override { inner_->stop_read(); }
  bool congested() const override { return inner_->congested(); }
  Signal& drained() override { return inner_->drained(); }
  std::size_t queued_bytes() const override { return inner_->queued_bytes(); }
  void finish() override { inner_->finish(); }
  void close() override { inner_->close(); }
  std::string name() const override { return inner_->name(); }

 protected:
  std::string& begin_frame() override {
    scratch_.clear();
    return scratch_;
  }
  Result<void> end_frame() override {
    seen_.push_back("> " + scratch_);
    return inner_->send(scratch_);
  }
  void abandon_frame() override { scratch_.clear(); }

 private:
  struct Relay final : FramesDone {
    FramesDone* done = nullptr;
    std::vector<std::string>* seen = nullptr;
    void on_frames(FramesRead batch) override {
      if (batch)
        for (const BytesView frame : *batch) seen->push_back("< " + std::string(frame));
      done->on_frames(std::move(batch));
    }
  } relay_;
  std::unique_ptr<Frames> inner_;
  std::vector<std::string>& seen_;
  std::string scratch_;
};

TEST(Peer, ATapSeesEveryFrameAndThePeerDoesNotKnow) {
  Loop loop(Loop::Time::virtual_);
  Router router;
  Served served;
  serve(router, loop, served);
  auto [a, b] = memory_pair(loop);
  std::vector<std::string> seen;
  Peer near(loop, std::make_unique<Tap>(framed_stream(loop, std::move(a), line_framing()), seen), test::jsonrpc_with_cancel(),
            router);
  Peer far(loop, framed_stream(loop, std::move(b), line_framing()), test::jsonrpc_with_cancel(), router);
  Scope scope(loop);
  const auto run = [](Peer& p) -> Task<void> { co_await p.run(); };
  scope.start(run(near));
  scope.start(run(far));
  const auto once = [](Peer& p) -> Task<Result<Echo>> { co_return co_await p.call(echo, {.text = "seen"}); };
  EXPECT_EQ(loop.block_on(once(near))->text, "seen");
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0], R"(> {"jsonrpc":"2.0","id":1,"method":"echo","params":{"text":"seen","delay_ms":0}})");
  EXPECT_EQ(seen[1], R"(< {"jsonrpc":"2.0","id":1,"result":{"text":"seen","delay_ms":0}})");
}

}  // namespace
}  // namespace parlance
