// SPDX-License-Identifier: Apache-2.0
// Incoming messages: requests, cancels and notices, in the order of the wire, and their answers.
#include <memory>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "parlance/peer/peer.h"
#include "parlance/peer/peer_test_support.h"

namespace parlance {
namespace {

using namespace test;
using namespace std::chrono_literals;

// ---- requests ------------------------------------------------------------------------------------------------------------------

TEST(PeerRequests, AWaitingRequestBlocksNoOther) {
  Talk talk;
  EXPECT_EQ(talk.say({"ask 1 wait a", "ask 2 echo b", "ask 3 wait c"}), Lines{"yes 2 b"});
  EXPECT_EQ(talk.peer->running_calls(), 2U);
  EXPECT_EQ(talk.release(), (Lines{"yes 1 a", "yes 3 c"}));
  EXPECT_EQ(talk.peer->running_calls(), 0U);
  EXPECT_EQ(talk.peer->stats().requests, 3U);
}

TEST(PeerRequests, AnIdBelongsToTheCallerAndReturnsUnchanged) {
  Talk talk;
  EXPECT_EQ(talk.say({"ask 0 echo a", "ask \"0\" echo b", "ask 18446744073709551615 echo c"}),
            (Lines{"yes 0 a", "yes \"0\" b", "yes 18446744073709551615 c"}));
}

TEST(PeerRequests, TwoRequestsWithTheSameIdAreBothAnswered) {
  Talk talk;
  EXPECT_TRUE(talk.say({"ask 1 wait a", "ask 1 wait b"}).empty());
  EXPECT_EQ(talk.release(), (Lines{"yes 1 a", "yes 1 b"}));
}

TEST(PeerRequests, UnservedMethodsAreUnknown) {
  Talk talk;
  EXPECT_EQ(talk.say({"ask 1 dance", "ask 2 note said as a request"}),
            (Lines{"no 1 unknown_method unknown method: dance", "no 2 unknown_method unknown method: note"}));
  EXPECT_TRUE(talk.noted.empty());
}

TEST(PeerRequests, OmittedParametersAreAnErrorOnlyIfRequired) {
  Talk talk;
  talk.router.on(remark, [](const Remark& r, Context&) -> Result<Remark> { return Remark{"remarked:" + r.text}; });
  EXPECT_EQ(talk.say({"ask 1 remark", "ask 2 echo", "ask 3 wait"}),
            (Lines{"yes 1 remarked:", "no 2 invalid_params $.text: missing", "no 3 invalid_params $.text: missing"}));
}

TEST(PeerRequests, UnreadableParametersStartNoHandler) {
  Talk talk;
  EXPECT_EQ(talk.say({"ask 1 echo unreadable", "ask 2 wait unreadable"}),
            (Lines{"no 1 invalid_params $.text: unreadable", "no 2 invalid_params $.text: unreadable"}));
  EXPECT_EQ(talk.peer->running_calls(), 0U);
  EXPECT_EQ(talk.waits_ended, 0);
}

TEST(PeerRequests, AThrowingHandlerAnswersInternalWithoutDetails) {
  Talk talk;
  talk.router.on(remark, [](const Remark& r, Context&) -> Result<Remark> { throw std::runtime_error("secret of " + r.text); });
  talk.router.on("later", remark, [&talk](const Remark& r, Context&) -> Task<Result<Remark>> {
    co_await talk.go.wait();
    throw std::runtime_error("secret of " + r.text);
  });
  EXPECT_EQ(talk.say({"ask 1 remark x", "ask 2 later y", "ask 3 echo z"}), (Lines{"no 1 internal internal error", "yes 3 z"}));
  EXPECT_EQ(talk.release(), Lines{"no 2 internal internal error"});
  EXPECT_EQ(talk.peer->running_calls(), 0U);
}

TEST(PeerRequests, AHandlerKnowsItsCall) {
  Talk talk;
  Lines known;
  const auto know = [&known](const Context& context) {
    known.push_back(context.method + " " + to_string(context.id) + " of " + context.peer.name());
  };
  talk.router.on(remark, [&](const Remark& r, Context& context) -> Result<Remark> { return know(context), r; });
  talk.router.on("later", remark, [&](const Remark& r, Context& context) -> Task<Result<Remark>> {
    co_await talk.go.wait();
    know(context);
    co_return r;
  });
  talk.say({"ask 7 remark", "ask \"x\" later"});
  talk.release();
  EXPECT_EQ(known, (Lines{"remark 7 of script", "later \"x\" of script"}));
}

TEST(PeerRequests, AnUnencodableResultBecomesAnError) {
  Talk talk;
  EXPECT_EQ(talk.say({"ask 1 echo unsayable result", "ask 2 echo x"}), (Lines{"no 1 internal unsayable result", "yes 2 x"}));
}

TEST(PeerRequests, AfterAnUnwritableErrorTheConnectionContinues) {
  Talk talk;
  EXPECT_EQ(talk.say({"ask 1 echo unsayable and unspeakable", "ask 2 echo x"}), Lines{"yes 2 x"});
  EXPECT_FALSE(talk.end);
}

// A handler of the folder's own interface that may keep and drop its call.
struct Forgetful final : Handler {
  Result<Task<void>> begin(const Body*, RunningCall&, const std::function<std::unique_ptr<RunningCall>()>& keep) override {
    return forget(keep());
  }
  static Task<void> forget(std::unique_ptr<RunningCall>) { co_return; }
};

TEST(PeerRequests, AKeptNoticeIsNeverAnswered) {
  Talk talk;
  talk.router.on_notice("forget", std::make_unique<Forgetful>());
  EXPECT_EQ(talk.say({"notice forget x", "ask 1 echo y"}), Lines{"yes 1 y"});
  EXPECT_EQ(talk.peer->running_calls(), 0U);
}

// ---- cancels -------------------------------------------------------------------------------------------------------------------

TEST(PeerRequests, ACancelEndsTheHandlerAtItsWait) {
  Talk talk;
  talk.say({"ask 1 wait a", "ask 2 wait b"});
  EXPECT_TRUE(talk.say({"stop 1"}).empty()) << "this dialect answers nothing that was cancelled";
  EXPECT_EQ(talk.waits_ended, 1);
  EXPECT_EQ(talk.peer->stats().cancelled, 1U);
  EXPECT_EQ(talk.release(), Lines{"yes 2 b"});
}

TEST(PeerRequests, ACancelledRequestIsAnsweredOnceIfTheDialectRequires) {
  Talk talk({.cancels = true, .answers_cancelled = true});
  EXPECT_EQ(talk.say({"ask 1 wait a", "stop 1", "stop 1"}), Lines{"no 1 cancelled cancelled by the caller"});
  EXPECT_TRUE(talk.release().empty());
  EXPECT_EQ(talk.peer->stats().cancelled, 1U);
}

TEST(PeerRequests, ACancelReachesOnlyItsNamedId) {
  Talk talk({.cancels = true, .answers_cancelled = true});
  talk.say({"ask 1 wait a", "ask \"1\" wait b"});
  EXPECT_TRUE(talk.say({"stop 2", "stop \"2\""}).empty());
  EXPECT_EQ(talk.say({"stop \"1\""}), Lines{"no \"1\" cancelled cancelled by the caller"});
  EXPECT_EQ(talk.release(), Lines{"yes 1 a"});
}

TEST(PeerRequests, ALateCancelChangesNothing) {
  Talk talk({.cancels = true, .answers_cancelled = true});
  EXPECT_EQ(talk.say({"ask 1 echo a", "stop 1"}), Lines{"yes 1 a"});
  talk.say({"ask 2 wait b"});
  talk.release();
  EXPECT_TRUE(talk.say({"stop 2"}).empty());
  EXPECT_EQ(talk.peer->stats().cancelled, 0U);
}

TEST(PeerRequests, AnIdIsFreeAgainOnceItsCallWasCancelled) {
  Talk talk;
  EXPECT_EQ(talk.say({"ask 1 wait a", "stop 1", "ask 1 echo b"}), Lines{"yes 1 b"});
}

// ---- more than we take ---------------------------------------------------------------------------------------------------------

TEST(PeerRequests, RequestsAboveTheLimitAreRefusedAndBelowAcceptedAgain) {
  Talk talk({.cancels = true}, {.running_calls = 1});
  EXPECT_EQ(talk.say({"ask 1 wait a", "ask 2 wait b", "ask 3 echo c"}),
            (Lines{"no 2 overloaded 1 calls are already running; try again later",
                   "no 3 overloaded 1 calls are already running; try again later"}));
  EXPECT_EQ(talk.peer->stats().overloaded, 2U);
  EXPECT_EQ(talk.release(), Lines{"yes 1 a"});
  EXPECT_EQ(talk.say({"ask 4 echo d"}), Lines{"yes 4 d"});
}

TEST(PeerRequests, AFullPeerReportsAnUnknownMethodAndReadsCancelsRepliesAndNotices) {
  Talk talk({.cancels = true}, {.running_calls = 1});
  std::optional<Result<Line>> ours;
  talk.call("ours", ours);
  EXPECT_EQ(talk.say({"ask 1 wait a", "ask 2 dance", "notice note seen", "yes 1 answer"}),
            (Lines{"ask 1 wait ours", "no 2 unknown_method unknown method: dance"}));
  EXPECT_EQ(talk.noted, Lines{"seen"});
  ASSERT_TRUE(ours && *ours);
  EXPECT_EQ((*ours)->text, "answer");
  EXPECT_EQ(talk.say({"stop 1", "ask 3 echo c"}), Lines{"yes 3 c"});
}

TEST(PeerRequests, ADialectWithoutThisAnswerStopsReadingInstead) {
  Talk talk({.overload_stops_reading = true}, {.running_calls = 2});
  EXPECT_TRUE(talk.say({"ask 1 wait a", "ask 2 wait b", "ask 3 echo c"}).empty());
  EXPECT_TRUE(talk.say({"ask 4 echo d"}).empty());
  EXPECT_EQ(talk.frames->unread(), 1U) << "the batch behind is not even fetched";
  EXPECT_EQ(talk.release(), (Lines{"yes 1 a", "yes 2 b", "yes 3 c", "yes 4 d"}));
  EXPECT_EQ(talk.peer->stats().overloaded, 0U);
}

TEST(PeerRequests, DuringAPauseOfReadingOnlyTheWatchNoticesTheCallersEnd) {
  Talk talk({.overload_stops_reading = true}, {.running_calls = 1});
  talk.say({"ask 1 wait a", "ask 2 wait b"});
  ASSERT_TRUE(talk.frames->watched());
  talk.frames->hang_up();
  EXPECT_TRUE(talk.take_sent().empty());
  EXPECT_EQ(talk.waits_ended, 1) << "the second has never begun";
  ASSERT_TRUE(talk.end);
  EXPECT_EQ(talk.end->message, "script: the other side is gone");
}

TEST(PeerRequests, TheWatchEndsWithTheWait) {
  Talk talk({.overload_stops_reading = true}, {.running_calls = 1});
  talk.say({"ask 1 wait a"});
  EXPECT_TRUE(talk.frames->watched());
  talk.release();
  EXPECT_FALSE(talk.frames->watched());
}

// ---- notices -------------------------------------------------------------------------------------------------------------------

TEST(PeerRequests, UnknownNoticesAndRequestsSentAsNoticesAreCountedAndIgnored) {
  Talk talk;
  EXPECT_EQ(talk.say({"notice dance x", "notice echo y", "notice note z", "ask 1 echo w"}), Lines{"yes 1 w"});
  EXPECT_EQ(talk.noted, Lines{"z"});
  EXPECT_EQ(talk.peer->stats().notices, 3U);
}

TEST(PeerRequests, AnUnreadableNoticeIsSkipped) {
  Talk talk;
  EXPECT_TRUE(talk.say({"notice note unreadable", "notice note", "notice note z"}).empty());
  EXPECT_EQ(talk.noted, Lines{"z"});
  EXPECT_FALSE(talk.end);
}

TEST(PeerRequests, AThrowingNoticeIsSkippedToo) {
  Talk talk;
  talk.router.on_notice("forget", std::make_unique<Forgetful>());
  static constexpr auto more =
      wire::methods(wire::notice<Line>("throws", "At once."), wire::notice<Line>("later", "Throws later."));
  talk.router.on(wire::method<more, "throws">, [](const Line&, Context&) { throw std::runtime_error("bug"); });
  talk.router.on(wire::method<more, "later">, [&talk](const Line&, Context&) -> Task<void> {
    co_await talk.go.wait();
    throw std::runtime_error("bug");
  });
  EXPECT_EQ(talk.say({"notice throws x", "ask 1 echo a", "notice later y", "ask 2 echo b"}), Lines{"yes 1 a"});
  EXPECT_EQ(talk.release(), Lines{"yes 2 b"});
  EXPECT_FALSE(talk.end);
}

TEST(PeerRequests, ANoticeIsHandledBetweenTheRequestsBeforeAndBehind) {
  Talk talk;
  Lines order;
  talk.router.on(remark, [&](const Remark& r, Context&) -> Result<Remark> {
    order.push_back(r.text + " after " + std::to_string(talk.noted.size()));
    return r;
  });
  talk.say({"ask 1 remark a", "notice note x", "ask 2 remark b", "notice note y", "ask 3 remark c"});
  EXPECT_EQ(order, (Lines{"a after 0", "b after 1", "c after 2"}));
}

// ---- bad frames ----------------------------------------------------------------------------------------------------------------

TEST(PeerRequests, ABadFrameIsCountedAndAnsweredOnlyOnRequestOfTheDialect) {
  Talk talk;
  EXPECT_EQ(talk.say({"???", "? who", "ask 1 echo x"}), (Lines{"no - invalid_request no message", "yes 1 x"}));
  EXPECT_EQ(talk.peer->stats().bad_frames, 2U);
}

TEST(PeerRequests, ASkippedFrameIsAnsweredInItsPlace) {
  Talk talk;
  talk.frames->bring({"ask 1 echo a"});
  talk.frames->bring_dropped({.code = Errc::invalid_request, .message = "too long"});
  talk.frames->bring({"ask 2 echo b"});
  EXPECT_EQ(talk.take_sent(), (Lines{"yes 1 a", "no - invalid_request too long", "yes 2 b"}));
}

}  // namespace
}  // namespace parlance
