// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/policy/spending.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/async/channel.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/turn_so_far.h"
#include "parlance/hub/conversation/usage.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub {
namespace {

using test::Bench;
using test::Script;
using test::ScriptedProvider;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Script uses(std::uint64_t tokens) {
  return [tokens](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    turn.emit(event::Usage{.input_tokens = tokens, .cost = Cost{.amount = 0.5, .currency = "EUR"}});
    co_return StopReason::end_turn;
  };
}

struct SpendingBench : Bench {
  void settle() { loop.advance(std::chrono::milliseconds(100)); }
  void limit(SpendingLimits limits) {
    const Result<void> set = loop.block_on(hub->set_spending_limits(std::move(limits)));
    PARLANCE_CHECK(set, "limits that are kept");
  }
  // A conversation after a turn with this use.
  std::string used(std::uint64_t tokens) {
    script = uses(tokens);
    const std::string id = conversation();
    prompt(id, "one");
    settle();
    return id;
  }
  // The ask of a held turn.
  Ask held() {
    settle();
    const auto asks = open_asks(*hub);
    PARLANCE_CHECK(asks.size() == 1, "one ask");
    return asks.front();
  }
  Spent all_spent() {
    Spent sum;
    for (const auto& [day_and_conversation, spent] : store.spent_rows) sum += spent;
    return sum;
  }
};

TEST(HubSpending, UseIsSummedByDayAndConversation) {
  SpendingBench bench;
  bench.script = uses(40);
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.settle();
  bench.prompt(id);
  bench.settle();
  EXPECT_EQ(bench.hub->statistics().spent_today.tokens(), 80U);
  EXPECT_EQ(bench.hub->statistics().spent_today.cost_in("EUR"), 1.0);
  EXPECT_EQ(bench.hub->statistics().spent_today.turns, 2U);
  EXPECT_EQ(bench.hub->statistics().spent_today.unreported_turns, 0U);
  EXPECT_EQ(bench.all_spent(), bench.hub->statistics().spent_today);
  bench.crash();
  EXPECT_EQ(bench.hub->statistics().spent_today.tokens(), 80U) << "read again";
}

TEST(HubSpending, TurnWithoutAUsageReportIsCounted) {
  SpendingBench bench;
  bench.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    turn.emit(event::Usage{.context = ContextUse{.used = 10, .size = 100}});  // the use of the window, no consumption
    co_return StopReason::end_turn;
  };
  bench.prompt(bench.conversation());
  bench.settle();
  EXPECT_EQ(bench.hub->statistics().spent_today, (Spent{.turns = 1, .unreported_turns = 1}));
}

TEST(HubSpending, ReachedLimitHoldsTheNextTurnForAPerson) {
  SpendingBench bench;
  bench.script = uses(100);
  bench.limit({.day_tokens = 100});
  const std::string id = bench.conversation(Mode::yolo);  // no mode bypasses the limit
  bench.prompt(id, "one");
  bench.settle();
  bench.prompt(id, "two");
  const Ask ask = bench.held();
  EXPECT_EQ(ask.kind, AskKind::limit);
  EXPECT_THAT(ask.why, HasSubstr("The limit of 100 tokens a day is reached: 100 tokens were used."));
  EXPECT_THAT(bench.log.prompts, ElementsAre("one"));
  EXPECT_EQ(bench.hub->find(id)->state, ConversationState::waiting);
  ASSERT_TRUE(bench.answer(ask, "once"));
  bench.settle();
  EXPECT_THAT(bench.log.prompts, ElementsAre("one", "two"));
  bench.prompt(id, "three");
  EXPECT_EQ(bench.held().kind, AskKind::limit) << "once is once";
}

TEST(HubSpending, OtherConversationIsHeldByTheDayLimitOnly) {
  SpendingBench bench;
  bench.script = uses(100);
  bench.limit({.conversation_tokens = 100});
  const std::string first = bench.conversation();
  const std::string second = bench.conversation();
  bench.prompt(first, "one");
  bench.settle();
  bench.prompt(second, "two");
  bench.settle();
  EXPECT_THAT(bench.log.prompts, ElementsAre("one", "two"));
  bench.prompt(first, "three");
  EXPECT_THAT(bench.held().why, HasSubstr("for a conversation"));
}

TEST(HubSpending, DeclinedTurnEndsBeforeTheAgent) {
  SpendingBench bench;
  bench.script = uses(100);
  bench.limit({.day_cost = Cost{.amount = 0.5, .currency = "EUR"}});
  const std::string id = bench.conversation();
  bench.prompt(id, "one");
  bench.settle();
  bench.prompt(id, "two");
  ASSERT_TRUE(bench.answer(bench.held(), "stop"));
  bench.settle();
  EXPECT_THAT(bench.log.prompts, ElementsAre("one"));
  EXPECT_TRUE(test::is_idle(*bench.hub, id));
  EXPECT_EQ(bench.hub->statistics().spent_today.turns, 1U) << "a turn that did not begin used nothing";
}

TEST(HubSpending, ARaisedLimitLetsGoOnByItself) {
  SpendingBench bench;
  bench.script = uses(100);
  bench.limit({.day_tokens = 100});
  const std::string id = bench.conversation();
  bench.prompt(id, "one");
  bench.settle();
  bench.prompt(id, "two");
  bench.held();
  bench.limit({.day_tokens = 150});
  bench.settle();
  EXPECT_THAT(bench.log.prompts, ElementsAre("one", "two"));
  EXPECT_THAT(open_asks(*bench.hub), IsEmpty());
}

TEST(HubSpending, LimitsAndHeldTurnsSurviveARestart) {
  SpendingBench bench;
  bench.script = uses(100);
  bench.limit({.day_tokens = 100});
  const std::string id = bench.conversation();
  bench.prompt(id, "one");
  bench.settle();
  bench.prompt(id, "two");
  bench.held();
  bench.crash();
  EXPECT_EQ(bench.loop.block_on(bench.hub->spent(""))->limits, (SpendingLimits{.day_tokens = 100}));
  const Ask orphan = bench.held();
  EXPECT_EQ(orphan.state, AskState::orphaned);
  EXPECT_EQ(orphan.kind, AskKind::limit);
  bench.limit({});
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(orphan.conversation, RepeatRequest{.request = orphan.id})));
  bench.settle();
  EXPECT_THAT(bench.log.prompts, ElementsAre("one", "two")) << "the words themselves, which the agent never saw";
}

TEST(HubSpending, RecoveredTurnOfASilentAgentIsHeldToo) {
  SpendingBench bench;
  const std::string id = bench.used(100);
  test::Gate never(bench.loop);
  bench.script = test::ends_after(never);
  bench.prompt(id, "two");
  bench.settle();
  bench.limit({.conversation_tokens = 100});
  int resumed = 0;
  bench.log.resuming_turn = [&resumed](Turn&, TurnSoFar) -> Task<Result<StopReason>> {
    ++resumed;
    co_return StopReason::end_turn;
  };
  bench.crash();
  const Ask ask = bench.held();
  EXPECT_EQ(ask.kind, AskKind::limit);
  EXPECT_EQ(resumed, 0);
  ASSERT_TRUE(bench.answer(ask, "once"));
  bench.settle();
  EXPECT_EQ(resumed, 1);
  EXPECT_TRUE(test::is_idle(*bench.hub, id));
}

// A turn is held by the limit of the day, and a new limit also concerns the conversation.
TEST(HubSpending, HeldTurnComparesANewLimitWithTheSumOfItsConversation) {
  SpendingBench bench;
  const std::string id = bench.used(100);
  bench.crash();
  bench.limit({.day_tokens = 100});
  bench.prompt(id, "two");
  bench.held();
  bench.limit({.day_tokens = 1000, .conversation_tokens = 100});
  bench.settle();
  EXPECT_THAT(bench.log.prompts, ElementsAre("one"));
  bench.limit({.day_tokens = 1000, .conversation_tokens = 1000});
  bench.settle();
  EXPECT_THAT(bench.log.prompts, ElementsAre("one", "two"));
}

// The agent has the message of the first turn. The second turn repeats a request, and a limit holds it.
TEST(HubSpending, HeldRepetitionDoesNotSendTheMessageAgain) {
  SpendingBench bench;
  bench.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    turn.emit(event::Usage{.input_tokens = 100});
    turn.emit(event::ToolStart{.call = "c1", .tool = "run"});
    static_cast<void>(
        co_await turn.ask({.call = "c1", .title = "make", .options = {{.id = "yes", .kind = OptionKind::allow_once}}}));
    co_return StopReason::end_turn;
  };
  bench.prompt(bench.conversation(), "one");
  bench.held();
  bench.crash();
  bench.limit({.conversation_tokens = 100});
  const Ask call = bench.held();
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(call.conversation, RepeatRequest{.request = call.id})));
  ASSERT_EQ(bench.held().kind, AskKind::limit);
  bench.crash();
  bench.limit({});
  const Ask limit = bench.held();
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(limit.conversation, RepeatRequest{.request = limit.id})));
  bench.settle();
  EXPECT_THAT(bench.log.prompts, ElementsAre("one", "")) << "the agent goes on";
}

TEST(HubSpending, UnreadableSumLetsNoTurnBegin) {
  SpendingBench bench;
  const std::string id = bench.used(100);
  bench.crash();
  bench.limit({.day_tokens = 100});
  bench.prompt(id, "two");
  bench.held();
  bench.store.unreadable = true;
  bench.limit({.conversation_tokens = 1000});
  bench.settle();
  EXPECT_THAT(bench.log.prompts, ElementsAre("one")) << "the turn stays held";
  ASSERT_TRUE(bench.answer(bench.held(), "stop"));
  bench.settle();
  bench.prompt(id, "three");
  bench.settle();
  EXPECT_THAT(bench.log.prompts, ElementsAre("one")) << "a new turn fails";
  EXPECT_TRUE(test::is_idle(*bench.hub, id));
}

TEST(HubSpending, StopEndsAHeldTurn) {
  SpendingBench bench;
  bench.script = uses(100);
  bench.limit({.day_tokens = 100});
  const std::string id = bench.conversation();
  bench.prompt(id, "one");
  bench.settle();
  bench.prompt(id, "two");
  bench.held();
  ASSERT_TRUE(bench.hub->submit_at_once(id, StopTurn{}));
  bench.settle();
  EXPECT_TRUE(test::is_idle(*bench.hub, id));
  EXPECT_THAT(bench.log.prompts, ElementsAre("one"));
}

TEST(HubSpending, ANewDayLetsGoOn) {
  SpendingBench bench;
  WallTime now = *from_rfc3339("2026-03-09T12:00:00Z");
  bench.hub = std::make_unique<Hub>(bench.loop, bench.store, HubSettings{.wall_clock = [&now] { return now; }});
  bench.hub->add_agent(std::make_unique<ScriptedProvider>(bench.script, bench.log));
  ASSERT_TRUE(bench.loop.block_on(bench.hub->start()));
  bench.script = uses(100);
  bench.limit({.day_tokens = 100});
  const std::string id = bench.conversation();
  bench.prompt(id, "one");
  bench.loop.advance(std::chrono::seconds(1));
  bench.prompt(id, "two");
  bench.loop.advance(std::chrono::minutes(5));
  EXPECT_THAT(bench.log.prompts, ElementsAre("one"));
  now += std::chrono::hours(24);
  bench.loop.advance(std::chrono::minutes(2));
  EXPECT_THAT(bench.log.prompts, ElementsAre("one", "two"));
  EXPECT_EQ(bench.hub->statistics().spent_today.tokens(), 100U);
}

}  // namespace
}  // namespace parlance::hub
