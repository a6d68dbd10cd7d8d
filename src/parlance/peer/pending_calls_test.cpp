// SPDX-License-Identifier: Apache-2.0
#include "parlance/peer/pending_calls.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace parlance {
namespace {

using namespace std::chrono_literals;

struct NoBody final : Body {
  Result<void> read(const wire::Type&, void*) const override { return {}; }
};

// Records its outcome.
class TestCall final : public PendingCall {
 public:
  std::string outcome_text;  // empty until the outcome
  int outcomes = 0;
  Result<void> reading{};  // the result of reading the body
  std::function<void()> on_settled{};

 private:
  Result<void> take(const Body* body) override {
    if (body == nullptr) return fail(Errc::invalid_request, "no body");
    return reading;
  }
  void settled(Result<void> outcome) override {
    ++outcomes;
    outcome_text = outcome ? "reply" : std::string(to_string(outcome.error().code)) + ": " + outcome.error().message;
    if (on_settled) on_settled();
  }
};

class PendingCallsTest : public testing::Test {
 protected:
  static void abandoned(void* self, std::uint64_t number, std::string_view reason) {
    static_cast<PendingCallsTest*>(self)->given_up += std::to_string(number) + " " + std::string(reason) + "; ";
  }
  Loop loop{Loop::Time::virtual_};
  std::string given_up;
  NoBody body;
  PendingCalls calls{loop, &PendingCallsTest::abandoned, this};
};

TEST_F(PendingCallsTest, EachCallHasANumberOfItsOwn) {
  TestCall first;
  TestCall second;
  calls.add(first, "a", never);
  calls.add(second, "b", never);
  EXPECT_EQ(first.number(), 1U);
  EXPECT_EQ(second.number(), 2U);
  EXPECT_EQ(second.method(), "b");
  EXPECT_EQ(calls.size(), 2U);
  calls.settle(1, &body);
  TestCall third;
  calls.add(third, "c", never);
  EXPECT_EQ(third.number(), 3U) << "no number is used twice";
}

TEST_F(PendingCallsTest, AReplySettlesItsCallAndNoOther) {
  TestCall first;
  TestCall second;
  calls.add(first, "a", never);
  calls.add(second, "b", never);
  calls.settle(second.number(), &body);
  EXPECT_EQ(second.outcome_text, "reply");
  EXPECT_FALSE(second.pending());
  EXPECT_EQ(first.outcome_text, "");
  EXPECT_TRUE(first.pending());
  EXPECT_EQ(calls.size(), 1U);
}

TEST_F(PendingCallsTest, LaterOutcomesAreCountedAndDropped) {
  TestCall call;
  calls.add(call, "a", never);
  calls.settle(1, &body);
  calls.settle(1, &body);
  calls.settle(1, Error{.code = Errc::failed, .message = "too late"});
  calls.settle(7, &body);
  EXPECT_EQ(call.outcomes, 1);
  EXPECT_EQ(calls.late_replies(), 3U);
}

TEST_F(PendingCallsTest, AReplyBeforeAnyCallIsLate) {
  calls.settle(0, &body);
  calls.settle(~std::uint64_t{0}, Error{.message = "unexpected"});
  EXPECT_EQ(calls.late_replies(), 2U);
}

TEST_F(PendingCallsTest, AnErrorReplyIsTheOutcome) {
  TestCall call;
  calls.add(call, "a", never);
  calls.settle(1, Error{.code = Errc::not_found, .message = "no such table"});
  EXPECT_EQ(call.outcome_text, "not_found: no such table");
}

TEST_F(PendingCallsTest, AnUnreadableReplyIsAnErrorOfItsCall) {
  TestCall call;
  call.reading = fail(Errc::invalid_params, "$.rows: missing");
  calls.add(call, "a", never);
  calls.settle(1, &body);
  EXPECT_EQ(call.outcome_text, "invalid_params: $.rows: missing");
  TestCall bare;
  calls.add(bare, "b", never);
  calls.settle(2, nullptr);
  EXPECT_EQ(bare.outcome_text, "invalid_request: no body");
}

TEST_F(PendingCallsTest, ADeadlineEndsACallAndNotifiesTheOtherSideOfASentCall) {
  TestCall sent;
  TestCall unsent;
  calls.add(sent, "slow", loop.now() + 5s);
  calls.add(unsent, "waiting", loop.now() + 5s);
  sent.mark_sent();
  loop.advance(5s - 1ms);
  EXPECT_EQ(sent.outcome_text, "");
  loop.advance(1ms);
  EXPECT_EQ(sent.outcome_text, "deadline_exceeded: no reply to slow before its deadline");
  EXPECT_EQ(unsent.outcome_text, "deadline_exceeded: no reply to waiting before its deadline");
  EXPECT_EQ(given_up, "1 deadline; ");
  calls.settle(1, &body);
  EXPECT_EQ(sent.outcomes, 1);
  EXPECT_EQ(calls.late_replies(), 1U);
}

TEST_F(PendingCallsTest, AReplyInTimeStopsTheClock) {
  TestCall call;
  calls.add(call, "a", loop.now() + 5s);
  calls.settle(1, &body);
  loop.advance(1h);
  EXPECT_EQ(call.outcomes, 1);
  EXPECT_EQ(given_up, "");
}

TEST_F(PendingCallsTest, AGoneAwaiterReceivesNothing) {
  {
    TestCall sent;
    TestCall unsent;
    calls.add(sent, "a", loop.now() + 5s);
    calls.add(unsent, "b", loop.now() + 5s);
    sent.mark_sent();
  }
  EXPECT_EQ(given_up, "1 cancelled; ");
  EXPECT_EQ(calls.size(), 0U);
  loop.advance(1h);
  calls.settle(1, &body);
  EXPECT_EQ(calls.late_replies(), 1U);
}

TEST_F(PendingCallsTest, AnUnsendableCallIsWithdrawn) {
  TestCall call;
  calls.add(call, "a", never);
  calls.withdraw(call, Error{.code = Errc::invalid_params, .message = "too large"});
  EXPECT_EQ(call.outcome_text, "invalid_params: too large");
  EXPECT_EQ(given_up, "") << "of that the other side knows nothing";
}

TEST_F(PendingCallsTest, TheEndOfTheConnectionIsReportedWithTheMethod) {
  std::vector<std::unique_ptr<TestCall>> all;
  for (int i = 0; i < 20; ++i) calls.add(*all.emplace_back(std::make_unique<TestCall>()), "method", never);
  calls.fail_all({.code = Errc::disconnected, .message = "the peer is gone"});
  for (const auto& call : all) {
    EXPECT_EQ(call->outcome_text, "disconnected: method: the peer is gone");
    EXPECT_EQ(call->outcomes, 1);
  }
  EXPECT_EQ(calls.size(), 0U);
  calls.fail_all({.message = "again"});  // of none
}

TEST_F(PendingCallsTest, AListenerOfTheEndMayCallAgainAndFailsToo) {
  std::vector<std::unique_ptr<TestCall>> all;
  std::function<void()> once_more = [&] {
    if (all.size() >= 30) return;
    auto& next = *all.emplace_back(std::make_unique<TestCall>());
    next.on_settled = once_more;
    calls.add(next, "again", never);  // the table grows meanwhile
  };
  for (int i = 0; i < 5; ++i) once_more();
  calls.fail_all({.code = Errc::disconnected, .message = "gone"});
  EXPECT_EQ(all.size(), 30U);
  for (const auto& call : all) EXPECT_EQ(call->outcomes, 1);
  EXPECT_EQ(calls.size(), 0U);
}

TEST_F(PendingCallsTest, AListenerOfTheEndMayDropOthers) {
  std::vector<std::unique_ptr<TestCall>> all;
  for (int i = 0; i < 12; ++i) {
    auto& call = *all.emplace_back(std::make_unique<TestCall>());
    call.mark_sent();
    calls.add(call, "a", never);
  }
  int notified = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i]->on_settled = [&, i] {
      ++notified;
      if (i + 1 < all.size() && all[i + 1]->pending()) all[i + 1].reset();
    };
  calls.fail_all({.code = Errc::disconnected, .message = "gone"});
  EXPECT_EQ(calls.size(), 0U);
  EXPECT_LT(notified, 12);
}

TEST_F(PendingCallsTest, ManyEndInAnyOrder) {
  constexpr std::size_t count = 1000;
  std::vector<std::unique_ptr<TestCall>> all;
  for (std::size_t i = 0; i < count; ++i) calls.add(*all.emplace_back(std::make_unique<TestCall>()), "a", loop.now() + 1h);
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937(7));
  for (const std::size_t i : order) {
    ASSERT_TRUE(all[i]->pending());
    if (i % 3 == 0) all[i].reset();
    else calls.settle(i + 1, &body);
    ASSERT_TRUE(i % 3 == 0 || all[i]->outcome_text == "reply");
  }
  EXPECT_EQ(calls.size(), 0U);
  EXPECT_EQ(calls.late_replies(), 0U);
}

TEST(PendingCalls, ATableDestroyedFirstLeavesItsCallsAlone) {
  Loop loop(Loop::Time::virtual_);
  TestCall call;
  {
    PendingCalls calls(loop, [](void*, std::uint64_t, std::string_view) { FAIL() << "no call is left"; }, nullptr);
    calls.add(call, "a", loop.now() + 1s);
    call.mark_sent();
  }
  EXPECT_FALSE(call.pending());
  loop.advance(1h);
  EXPECT_EQ(call.outcomes, 0);
}

}  // namespace
}  // namespace parlance
