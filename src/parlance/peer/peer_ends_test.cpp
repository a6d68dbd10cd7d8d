// SPDX-License-Identifier: Apache-2.0
// The end of a connection: its initiator, the reason for each waiter, and the requests that are still answered.
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "parlance/peer/peer.h"
#include "parlance/peer/peer_test_support.h"

namespace parlance {
namespace {

using namespace test;
using namespace std::chrono_literals;

using Outcome = std::optional<Result<Line>>;

// ---- ends of reading -------------------------------------------------------------------------------------------------------------

TEST(PeerEnds, ACleanEndFailsOurCallsAndLetsTheirsFinish) {
  Talk talk;
  Outcome ours;
  talk.call("ours", ours);
  talk.say({"ask 1 wait theirs"});
  talk.frames->end();
  talk.settle();
  ASSERT_TRUE(ours);
  EXPECT_EQ(ours->error(), (Error{.code = Errc::disconnected, .message = "wait: script: the other side closed the connection"}));
  EXPECT_FALSE(talk.end) << "the other side may still read the answer";
  EXPECT_EQ(talk.release(), Lines{"yes 1 theirs"});
  ASSERT_TRUE(talk.end);
  EXPECT_EQ(talk.end->message, "script: the other side closed the connection");
  EXPECT_TRUE(talk.frames->finished);
}

TEST(PeerEnds, APeerThatHangsUpAfterItsLastRequestGetsNoAnswers) {
  Talk talk;
  talk.say({"ask 1 wait theirs"});
  talk.frames->end();
  talk.settle();
  ASSERT_TRUE(talk.frames->watched());
  talk.frames->hang_up();
  EXPECT_TRUE(talk.take_sent().empty());
  EXPECT_EQ(talk.waits_ended, 1);
  EXPECT_TRUE(talk.end);
}

TEST(PeerEnds, ALostConnectionCancelsTheHandlersAtOnce) {
  Talk talk;
  Outcome ours;
  talk.call("ours", ours);
  talk.say({"ask 1 wait theirs"});
  talk.frames->lose({.code = Errc::disconnected, .message = "reset by peer"});
  EXPECT_TRUE(talk.take_sent().empty());
  EXPECT_EQ(talk.waits_ended, 1);
  ASSERT_TRUE(talk.end && ours);
  EXPECT_EQ(talk.end->message, "reset by peer");
  EXPECT_EQ(ours->error().message, "wait: reset by peer");
}

TEST(PeerEnds, ABrokenStreamIsAnsweredAndItsHandlersFinish) {
  Talk talk;
  talk.say({"ask 1 wait theirs"});
  talk.frames->break_off({.code = Errc::invalid_request, .message = "no frame"});
  EXPECT_EQ(talk.take_sent(), Lines{"no - invalid_request no frame"});
  EXPECT_EQ(talk.peer->stats().bad_frames, 1U);
  EXPECT_FALSE(talk.end);
  EXPECT_EQ(talk.release(), Lines{"yes 1 theirs"});
  EXPECT_TRUE(talk.end);
}

TEST(PeerEnds, AFatalFrameIsTheLastReadFrame) {
  Talk talk;
  EXPECT_EQ(talk.say({"ask 1 wait a", "! enough", "ask 2 echo b"}), Lines{});
  EXPECT_EQ(talk.release(), Lines{"yes 1 a"}) << "earlier requests are answered";
  ASSERT_TRUE(talk.end);
  EXPECT_EQ(*talk.end, (Error{.code = Errc::disconnected, .message = "no message"})) << "whatever code the frame's error had";
}

TEST(PeerEnds, TheOutputIsEmptiedBeforeTheEnd) {
  Talk talk;
  talk.say({"ask 1 echo a"});
  talk.frames->queued = 100;
  talk.frames->end();
  talk.settle();
  EXPECT_TRUE(talk.frames->finished);
  EXPECT_FALSE(talk.end) << "100 bytes are still on their way";
  talk.frames->drain();
  talk.settle();
  EXPECT_TRUE(talk.end);
}

TEST(PeerEnds, ASlowNoticeComesBeforeTheEnd) {
  Talk talk;
  static constexpr auto more = wire::methods(wire::notice<Line>("slow", "Waits."));
  talk.router.on(wire::method<more, "slow">, [&talk](const Line& line, Context&) -> Task<void> {
    co_await talk.go.wait();
    talk.noted.push_back(line.text);
  });
  talk.say({"notice slow a", "notice slow b"});
  talk.frames->end();
  talk.settle();
  EXPECT_FALSE(talk.end);
  talk.release();
  EXPECT_EQ(talk.noted, Lines{"a"});
  talk.release();
  EXPECT_EQ(talk.noted, (Lines{"a", "b"}));
  EXPECT_TRUE(talk.end);
}

// ---- the reason ------------------------------------------------------------------------------------------------------------------

TEST(PeerEnds, TheExplainerOfTheEndIsAskedOnceAndAllReceiveTheReason) {
  Lines asked;
  const auto explain = [&asked](Error end) -> Task<Error> {
    asked.push_back(end.message);
    co_return Error{.code = Errc::failed, .message = "the child exited with code 3"};
  };
  Talk talk({.cancels = true}, {.explain_end = explain});
  Outcome ours, later;
  talk.call("ours", ours);
  talk.frames->end();
  talk.settle();
  EXPECT_EQ(asked, Lines{"end of stream"});
  ASSERT_TRUE(talk.end && ours);
  EXPECT_EQ(*talk.end, (Error{.code = Errc::failed, .message = "the child exited with code 3"}));
  EXPECT_EQ(ours->error().message, "wait: the child exited with code 3");
  talk.call("later", later);
  talk.settle();
  EXPECT_EQ(later->error().message, "the child exited with code 3");
  EXPECT_EQ(talk.peer->notify(note, {.text = "x"}).error().message, "the child exited with code 3");
}

TEST(PeerEnds, AnExplainerWithoutAReasonLeavesAClearEnd) {
  Talk talk({.cancels = true}, {.explain_end = [](Error end) -> Task<Error> { co_return end; }});
  talk.frames->end();
  talk.settle();
  ASSERT_TRUE(talk.end);
  EXPECT_EQ(talk.end->message, "script: the other side closed the connection");
}

TEST(PeerEnds, ACallMadeDuringTheExplanationReceivesTheReasonToo) {
  Loop* loop = nullptr;
  const auto explain = [&loop](Error) -> Task<Error> {
    co_await sleep_for(*loop, 1s);
    co_return Error{.code = Errc::disconnected, .message = "it was killed"};
  };
  Talk talk({.cancels = true}, {.explain_end = explain});
  loop = &talk.loop;
  Outcome before, meanwhile;
  talk.call("before", before);
  talk.frames->end();
  talk.settle();
  talk.call("meanwhile", meanwhile);
  talk.settle();
  EXPECT_FALSE(before || meanwhile) << "the reason is not known yet";
  talk.loop.advance(1s);
  ASSERT_TRUE(before && meanwhile);
  EXPECT_EQ(before->error().message, "wait: it was killed");
  EXPECT_EQ(meanwhile->error().message, "wait: it was killed");
}

TEST(PeerEnds, AHangUpWhileTheReasonIsLookedForCancelsTheHandlers) {
  Loop* loop = nullptr;
  const auto explain = [&loop](Error end) -> Task<Error> {
    co_await sleep_for(*loop, 1s);
    co_return end;
  };
  Talk talk({.cancels = true}, {.explain_end = explain});
  loop = &talk.loop;
  talk.say({"ask 1 wait a"});
  talk.frames->end();
  talk.settle();
  talk.frames->hang_up();
  talk.settle();
  EXPECT_EQ(talk.waits_ended, 1) << "at once, and not only when the reason is known";
  talk.loop.advance(1s);
  EXPECT_TRUE(talk.end);
}

// ---- ends that are ours ------------------------------------------------------------------------------------------------------------

TEST(PeerEnds, ClosingFailsOurCallsCancelsTheirsAndSendsNoAnswer) {
  Talk talk;
  Outcome ours;
  talk.call("ours", ours);
  talk.say({"ask 1 wait theirs"});
  talk.peer->close();
  EXPECT_TRUE(talk.take_sent().empty());
  EXPECT_EQ(talk.waits_ended, 1);
  EXPECT_TRUE(talk.frames->closed);
  ASSERT_TRUE(ours && talk.end);
  EXPECT_EQ(ours->error(), (Error{.code = Errc::disconnected, .message = "wait: script: the connection is closed"}));
  EXPECT_EQ(talk.release(), Lines{});
}

TEST(PeerEnds, ClosingTwiceKeepsTheFirstReason) {
  Talk talk({.cancels = true}, {.explain_end = [](Error) -> Task<Error> { co_return Error{.message = "the real reason"}; }});
  talk.frames->end();
  talk.settle();
  talk.peer->close();
  talk.peer->close();
  EXPECT_EQ(talk.peer->notify(note, {.text = "x"}).error().message, "the real reason");
}

TEST(PeerEnds, AHandlerMayCloseAndLaterFramesAreNotHandled) {
  Talk talk;
  talk.router.on(remark, [](const Remark& r, Context& context) -> Result<Remark> {
    context.peer.close();
    return r;
  });
  EXPECT_TRUE(talk.say({"ask 1 wait a", "ask 2 remark b", "ask 3 echo c", "notice note d"}).empty());
  EXPECT_EQ(talk.waits_ended, 1);
  EXPECT_TRUE(talk.noted.empty());
  ASSERT_TRUE(talk.end);
  EXPECT_EQ(talk.end->message, "script: the connection is closed");
}

TEST(PeerEnds, ANoticeMayCloseToo) {
  Talk talk;
  static constexpr auto more = wire::methods(wire::notice<Line>("leave", "Ends it."));
  talk.router.on(wire::method<more, "leave">, [](const Line&, Context& context) { context.peer.close(); });
  EXPECT_TRUE(talk.say({"notice leave now", "ask 1 echo a"}).empty());
  EXPECT_TRUE(talk.end);
}

TEST(PeerEnds, ClosingEndsANoticeThatPausesReading) {
  Talk talk;
  static constexpr auto more = wire::methods(wire::notice<Line>("slow", "Waits."));
  talk.router.on(wire::method<more, "slow">, [&talk](const Line&, Context&) -> Task<void> { co_await talk.go.wait(); });
  talk.say({"notice slow a", "notice note b"});
  talk.peer->close();
  talk.settle();
  EXPECT_TRUE(talk.end);
  EXPECT_FALSE(talk.go.has_waiters());
  EXPECT_TRUE(talk.noted.empty());
}

TEST(PeerEnds, FinishingLetsTheOtherSideGoOn) {
  Talk talk;
  Outcome ours;
  talk.call("ours", ours);
  talk.settle();
  talk.peer->finish();
  EXPECT_TRUE(talk.frames->finished);
  talk.say({"yes 1 answer", "notice note x"});
  ASSERT_TRUE(ours);
  EXPECT_EQ((*ours)->text, "answer");
  EXPECT_EQ(talk.noted, Lines{"x"});
  EXPECT_FALSE(talk.end);
}

// ---- order and receivers of reports -----------------------------------------------------------------------------------------

TEST(PeerEnds, ACallMadeAfterAnotherFailedFailsToo) {
  Talk talk;
  int tried = 0;
  const Scope::Handle stubborn = talk.scope.start([](Peer& peer, int& count) -> Task<void> {
    while (count < 20) {
      ++count;
      const Result<Line> reply = co_await peer.call(wait, {.text = "again"});
      EXPECT_EQ(reply.error().code, Errc::disconnected);
    }
  }(*talk.peer, tried));
  Outcome others[8];
  for (Outcome& other : others) talk.call("x", other);
  talk.settle();
  talk.peer->close();
  talk.settle();
  EXPECT_EQ(tried, 20);
  for (const Outcome& other : others) EXPECT_TRUE(other);
  EXPECT_EQ(talk.peer->pending_calls(), 0U);
}

TEST(PeerEnds, AFailureMayDropTheOtherCalls) {
  Talk talk;
  Outcome second;
  Scope::Handle dropped;
  bool first_failed = false;
  const Scope::Handle first = talk.scope.start([](Peer& peer, bool& failed, Scope::Handle& other) -> Task<void> {
    failed = !co_await peer.call(wait, {.text = "first"});
    other.cancel();
  }(*talk.peer, first_failed, dropped));
  dropped = talk.call("second", second);
  talk.settle();
  talk.frames->lose({.code = Errc::disconnected, .message = "gone"});
  talk.settle();
  EXPECT_TRUE(first_failed);
  EXPECT_FALSE(second);
  EXPECT_FALSE(dropped);
}

TEST(PeerEnds, AnAwaiterOfAReplyMayOutliveThePeer) {
  Talk talk;
  Outcome ours, unsent;
  talk.call("ours", ours);
  talk.frames->full = true;
  talk.call("unsent", unsent);
  talk.settle();
  talk.drop_peer();
  talk.settle();
  ASSERT_TRUE(ours && unsent);
  EXPECT_EQ(ours->error().code, Errc::disconnected);
  EXPECT_EQ(unsent->error().code, Errc::disconnected);
}

TEST(PeerEnds, AHalfReadyAnswerDiesWithTheCallersInterest) {
  Talk talk;
  talk.say({"ask 1 wait a", "ask 2 wait b"});
  talk.go.notify_all();  // both are woken, and before they run:
  talk.frames->bring({"stop 1"});
  const Lines answers = talk.take_sent();
  EXPECT_EQ(answers, (Lines{"yes 1 a", "yes 2 b"})) << "the first finished answer comes first";
  EXPECT_EQ(talk.peer->stats().cancelled, 0U);
}

}  // namespace
}  // namespace parlance
