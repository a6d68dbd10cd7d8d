// SPDX-License-Identifier: Apache-2.0
// Outgoing messages: calls with their deadlines and cancels, notices with their back-pressure.
#include <string>

#include <gtest/gtest.h>

#include "parlance/peer/peer.h"
#include "parlance/peer/peer_test_support.h"

namespace parlance {
namespace {

using namespace test;
using namespace std::chrono_literals;

using Outcome = std::optional<Result<Line>>;

// ---- replies -------------------------------------------------------------------------------------------------------------------

TEST(PeerCalls, RepliesInAnyOrderReachTheirCallers) {
  Talk talk;
  Outcome a, b, c;
  talk.call("a", a);
  talk.call("b", b);
  talk.call("c", c);
  EXPECT_EQ(talk.take_sent(), (Lines{"ask 1 wait a", "ask 2 wait b", "ask 3 wait c"}));
  talk.say({"yes 3 C", "no 1 denied not you", "yes 2 B"});
  ASSERT_TRUE(a && b && c);
  EXPECT_EQ(a->error(), (Error{.code = Errc::denied, .message = "not you"}));
  EXPECT_EQ((*b)->text, "B");
  EXPECT_EQ((*c)->text, "C");
  EXPECT_EQ(talk.peer->pending_calls(), 0U);
  EXPECT_EQ(talk.peer->stats().calls, 3U);
}

TEST(PeerCalls, AReplyWithoutABodyIsAnErrorUnlessDeclared) {
  Talk talk;
  Outcome required;
  Outcome named;
  std::optional<Result<Remark>> optional;
  std::optional<Result<wire::Raw>> raw;
  const auto call = [&](const auto& method, auto parameters, auto& into) {
    talk.scope.start([](Peer& p, const auto& m, auto with, auto& i) -> Task<void> { i = co_await p.call(m, std::move(with)); }(
                                                                        *talk.peer, method, std::move(parameters), into));
  };
  static constexpr auto as_raw = wait.as<Line, wire::Raw>();
  call(wait, Line{.text = "a"}, required);
  call(remark, Remark{}, optional);
  call(as_raw, Line{.text = "c"}, raw);
  talk.scope.start(
      [](Peer& p, Outcome& i) -> Task<void> { i = co_await p.call_named("other", wait, {.text = "d"}); }(*talk.peer, named));
  talk.say({"yes 1", "yes 2", "yes 3", "yes 4"});
  ASSERT_TRUE(required && named && optional && raw);
  EXPECT_EQ(required->error().code, Errc::invalid_request);
  EXPECT_EQ(required->error().message, "the reply to wait is empty: the other side must send a result");
  EXPECT_EQ(named->error().message, "the reply to other is empty: the other side must send a result");
  EXPECT_EQ((*optional)->text, "");
  EXPECT_EQ((*raw)->json, "") << "absence stays visible";
  EXPECT_EQ(talk.peer->pending_calls(), 0U);
}

TEST(PeerCalls, AnInvalidReplyEndsItsCallAndIsAnsweredWhereNoneWaits) {
  Talk talk;
  Outcome a;
  talk.call("a", a);
  EXPECT_EQ(talk.say({"ask 1 wait a"}), (Lines{"ask 1 wait a"})) << "the other side's own call has the same number";
  EXPECT_EQ(talk.say({"huh 1 no outcome"}), Lines{});
  ASSERT_TRUE(a);
  EXPECT_EQ(a->error().message, "no outcome");
  EXPECT_EQ(talk.say({"huh 1 no outcome"}), (Lines{"no - invalid_request no outcome"})) << "without its number";
  EXPECT_EQ(talk.peer->stats().bad_frames, 2U);
  EXPECT_EQ(talk.peer->stats().late_replies, 1U);
}

TEST(PeerCalls, OnlyTheFirstReplyCounts) {
  Talk talk;
  Outcome a;
  talk.call("a", a);
  talk.say({"yes 1 first", "yes 1 second", "no 1 failed third"});
  ASSERT_TRUE(a);
  EXPECT_EQ((*a)->text, "first");
  EXPECT_EQ(talk.peer->stats().late_replies, 2U);
}

TEST(PeerCalls, AReplyWithAnUnknownIdReachesNoCall) {
  Talk talk;
  Outcome a;
  talk.call("a", a);
  talk.say({"yes 0 x", "yes 2 x", "yes \"1\" x", "no null failed x"});
  EXPECT_FALSE(a);
  EXPECT_EQ(talk.peer->stats().late_replies, 4U);
  EXPECT_EQ(talk.peer->stats().bad_frames, 0U);
}

TEST(PeerCalls, AnUnreadableReplyFailsItsCallAndNoOther) {
  Talk talk;
  Outcome a, b;
  talk.call("a", a);
  talk.call("b", b);
  talk.say({"yes 1 unreadable", "yes 2 fine"});
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->error().message, "$.text: unreadable");
  EXPECT_EQ((*b)->text, "fine");
}

TEST(PeerCalls, BothSidesMayUseTheSameNumberAtOnce) {
  Talk talk;
  Outcome ours;
  talk.call("ours", ours);
  EXPECT_EQ(talk.say({"ask 1 wait theirs", "yes 1 answer"}), Lines{"ask 1 wait ours"});
  ASSERT_TRUE(ours);
  EXPECT_EQ((*ours)->text, "answer");
  EXPECT_EQ(talk.release(), Lines{"yes 1 theirs"});
}

TEST(PeerCalls, AHandlerMayCallBackItsCaller) {
  Talk talk;
  talk.router.on(remark, [](const Remark& r, Context& context) -> Task<Result<Remark>> {
    const Result<Line> back = co_await context.peer.call(wait, {.text = "you said " + r.text});
    if (!back) co_return fail(back.error());
    co_return Remark{back->text};
  });
  EXPECT_EQ(talk.say({"ask 5 remark hello"}), Lines{"ask 1 wait you said hello"});
  EXPECT_EQ(talk.say({"yes 1 indeed"}), Lines{"yes 5 indeed"});
}

TEST(PeerCalls, CancellingAHandlerCancelsItsOwnCalls) {
  Talk talk;
  talk.router.on(remark, [](const Remark&, Context& context) -> Task<Result<Remark>> {
    static_cast<void>(co_await context.peer.call(wait, {.text = "x"}));
    co_return Remark{};
  });
  EXPECT_EQ(talk.say({"ask 5 remark hello"}), Lines{"ask 1 wait x"});
  EXPECT_EQ(talk.say({"stop 5"}), Lines{"stop 1 cancelled"});
  EXPECT_EQ(talk.peer->pending_calls(), 0U);
}

TEST(PeerCalls, AMethodMayBeNamedAtTheCall) {
  Talk talk;
  Outcome a;
  const Scope::Handle running = talk.scope.start(
      [](Peer& p, Outcome& into) -> Task<void> { into = co_await p.call_named("wait.v2", wait, {.text = "a"}); }(*talk.peer, a));
  EXPECT_EQ(talk.take_sent(), Lines{"ask 1 wait.v2 a"});
}

TEST(PeerCalls, UnencodableParametersFailTheCallAndNothingIsSent) {
  Talk talk;
  Outcome a;
  talk.call("unsayable parameters", a);
  EXPECT_TRUE(talk.take_sent().empty());
  ASSERT_TRUE(a);
  EXPECT_EQ(a->error().message, "unsayable parameters");
  EXPECT_EQ(talk.peer->pending_calls(), 0U);
}

// ---- deadlines and cancels -----------------------------------------------------------------------------------------------------

TEST(PeerCalls, ADeadlineIsReachedAndNotAMomentBefore) {
  Talk talk;
  Outcome a;
  talk.call("a", a, within(10ms));
  talk.take_sent();
  talk.loop.advance(10ms - 1ns);
  EXPECT_FALSE(a);
  talk.loop.advance(1ns);
  ASSERT_TRUE(a);
  EXPECT_EQ(a->error(), (Error{.code = Errc::deadline_exceeded, .message = "no reply to wait before its deadline"}));
  EXPECT_EQ(talk.take_sent(), Lines{"stop 1 deadline"});
  talk.say({"yes 1 late"});
  EXPECT_EQ(talk.peer->stats().late_replies, 1U);
}

TEST(PeerCalls, AReplyStopsTheClock) {
  Talk talk;
  Outcome a;
  talk.call("a", a, within(10ms));
  talk.say({"yes 1 in time"});
  talk.loop.advance(1h);
  EXPECT_EQ((*a)->text, "in time");
  EXPECT_TRUE(talk.take_sent().empty()) << "nothing is cancelled";
}

TEST(PeerCalls, NoTimeMeansTheDefaultAndZeroAsADefaultMeansNone) {
  Talk with({.cancels = true}, {.call_timeout = 5ms});
  Talk without({.cancels = true}, {.call_timeout = 0ms});
  Outcome a, b;
  with.call("a", a);
  without.call("b", b);
  with.loop.advance(5ms);
  without.loop.advance(24h);
  ASSERT_TRUE(a);
  EXPECT_EQ(a->error().code, Errc::deadline_exceeded);
  EXPECT_FALSE(b);
}

TEST(PeerCalls, ADroppedCallIsCancelledOnceAndItsReplyIsLate) {
  Talk talk;
  Outcome a;
  Scope::Handle call = talk.call("a", a);
  talk.take_sent();
  call.cancel();
  EXPECT_EQ(talk.take_sent(), Lines{"stop 1 cancelled"});
  talk.say({"no 1 cancelled as you wished"});
  EXPECT_FALSE(a);
  EXPECT_EQ(talk.peer->stats().late_replies, 1U);
}

TEST(PeerCalls, ADialectWithoutCancelsStaysSilentAboutEndedCalls) {
  Talk talk(Capabilities{});
  Outcome a, b;
  Scope::Handle dropped = talk.call("a", a);
  talk.call("b", b, within(1ms));
  talk.take_sent();
  dropped.cancel();
  talk.loop.advance(1ms);
  EXPECT_TRUE(talk.take_sent().empty());
  EXPECT_EQ(talk.peer->pending_calls(), 0U);
}

TEST(PeerCalls, CallsAboveTheLimitFailAtOnceUntilACallEnds) {
  Talk talk({.cancels = true}, {.pending_calls = 2});
  Outcome a, b, c, d;
  talk.call("a", a);
  talk.call("b", b);
  talk.call("c", c);
  EXPECT_EQ(talk.take_sent(), (Lines{"ask 1 wait a", "ask 2 wait b"}));
  ASSERT_TRUE(c);
  EXPECT_EQ(c->error(), (Error{.code = Errc::overloaded, .message = "script: 2 calls already wait for their reply"}));
  talk.say({"yes 1"});
  talk.call("d", d);
  EXPECT_EQ(talk.take_sent(), Lines{"ask 4 wait d"});
}

// ---- when the other side reads slowly --------------------------------------------------------------------------------------------

TEST(PeerCalls, CallsWaitForRoomAndGoOutInTheirOrder) {
  Talk talk;
  Outcome a, b, c;
  talk.frames->full = true;
  talk.call("a", a);
  talk.call("b", b);
  EXPECT_TRUE(talk.take_sent().empty());
  EXPECT_FALSE(talk.peer->has_room());
  talk.frames->full = false;  // and before the waiter has resumed:
  talk.call("c", c);
  EXPECT_TRUE(talk.take_sent().empty()) << "no call overtakes the waiting calls";
  talk.frames->drain();
  EXPECT_EQ(talk.take_sent(), (Lines{"ask 1 wait a", "ask 2 wait b", "ask 3 wait c"}));
}

TEST(PeerCalls, ACallWaitingForRoomMayBeDroppedOrExpireSilently) {
  Talk talk;
  Outcome a, b, c;
  talk.frames->full = true;
  Scope::Handle dropped = talk.call("a", a);
  talk.call("b", b, within(1ms));
  talk.call("c", c);
  dropped.cancel();
  talk.loop.advance(1ms);
  EXPECT_TRUE(b);
  talk.frames->drain();
  EXPECT_EQ(talk.take_sent(), Lines{"ask 3 wait c"}) << "and no cancel of an unsent call";
}

TEST(PeerCalls, TheirsAreAnsweredEvenWhenOursFindNoRoom) {
  Talk talk;
  Outcome a;
  talk.frames->full = true;
  talk.call("a", a);
  EXPECT_EQ(talk.say({"ask 1 echo x"}), Lines{"yes 1 x"}) << "or two full peers would wait for each other";
}

TEST(PeerCalls, NoticesGoOutAtOnceUntilFarTooManyWait) {
  Talk talk;
  talk.frames->full = true;
  EXPECT_TRUE(talk.peer->notify(note, {.text = "congested is no reason"}));
  talk.frames->queued = limits::frame_bytes + limits::write_queue_bytes;
  EXPECT_TRUE(talk.peer->notify(note, {.text = "the last one"}));
  ++talk.frames->queued;
  const Result<void> refused = talk.peer->notify(note, {.text = "one too many"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::overloaded);
  EXPECT_EQ(talk.take_sent(), (Lines{"notice note congested is no reason", "notice note the last one"}));
}

TEST(PeerCalls, AnUnencodableNoticeFailsAtItsSender) {
  Talk talk;
  EXPECT_EQ(talk.peer->notify(note, {.text = "unsayable"}).error().message, "unsayable");
  EXPECT_TRUE(talk.take_sent().empty());
}

TEST(PeerCalls, AProducerWaitsForRoomAndIsReleasedAtTheEnd) {
  Talk talk;
  int produced = 0;
  const Scope::Handle producer = talk.scope.start([](Peer& peer, int& count) -> Task<void> {
    for (;; ++count) {
      co_await peer.wait_writable();
      if (!peer.notify(note, {.text = "x"})) co_return;
      if (count == 100) co_return;
      co_await sleep_for(peer.loop(), 1ms);
    }
  }(*talk.peer, produced));
  talk.loop.advance(2ms);
  EXPECT_EQ(produced, 2);
  talk.frames->full = true;
  talk.loop.advance(10ms);
  EXPECT_EQ(produced, 3) << "it waits before the next";
  talk.frames->drain();
  talk.settle();
  talk.frames->full = true;
  talk.loop.advance(10ms);
  EXPECT_EQ(produced, 4);
  talk.peer->close();
  talk.settle();
  EXPECT_FALSE(producer) << "it was released, and its next notice was refused";
  EXPECT_EQ(produced, 4);
}

}  // namespace
}  // namespace parlance
