// SPDX-License-Identifier: Apache-2.0
// How the hub begins after a crash, and how it and its conversations end.
#include <gtest/gtest.h>

#include "parlance/hub/test_support.h"

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;
using test::Bench;
using test::ends_after;
using test::Gate;

TEST(StartAndEnd, ACrashLeavesAnInterruptedTurnThatTheNextStartEnds) {
  Bench bench;
  Gate never(bench.loop);
  bench.script = [&](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    turn.emit(event::ThinkingStart{});
    turn.emit(event::ToolStart{.call = "c1", .tool = "run", .title = "make"});
    (void)co_await turn.written();
    co_await never.wait();
    co_return StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.prompt(id, "later");
  bench.loop.run_ready();
  bench.crash();
  EXPECT_EQ(bench.trace(id), "turn_start user think_start tool_start think_end tool_end:cancelled error turn_end:error");
  EXPECT_EQ(bench.hub->find(id)->state, ConversationState::idle);
  EXPECT_EQ(bench.hub->find(id)->queued.size(), 1U) << "held until the person goes on";
  const std::size_t events = bench.store.logs[id].size();
  bench.crash();
  EXPECT_EQ(bench.store.logs[id].size(), events) << "the second start has nothing to repair";
}

TEST(StartAndEnd, DeletingStopsTheTurnAndLeavesNothing) {
  Bench bench;
  Gate never(bench.loop);
  bench.script = ends_after(never);
  const std::string id = bench.conversation();
  bench.prompt(id);
  ASSERT_TRUE(bench.loop.block_on(bench.hub->remove(id)));
  EXPECT_EQ(bench.hub->find(id), nullptr);
  EXPECT_TRUE(bench.store.conversations.empty());
  EXPECT_TRUE(bench.store.logs.empty());
  EXPECT_EQ(bench.loop.block_on(bench.hub->prompt(id, "again")).error().code, Errc::not_found);
}

TEST(StartAndEnd, StopAllEndsEverythingAndWritesIt) {
  Bench bench;
  Gate never(bench.loop);
  bench.script = ends_after(never);
  const std::string a = bench.conversation();
  const std::string b = bench.conversation();
  bench.prompt(a);
  bench.prompt(b);
  bench.loop.block_on(bench.hub->stop_all());
  EXPECT_EQ(bench.trace(a), "turn_start user error turn_end:error") << "nobody stopped it";
  EXPECT_EQ(bench.trace(b), "turn_start user error turn_end:error");
  EXPECT_EQ(bench.log.destroyed, 2);
}

TEST(StartAndEnd, AStopOfThePersonIsItsOwnAlsoWhenTheProgramEndsThen) {
  Bench bench;
  Gate never(bench.loop);
  bench.script = ends_after(never);
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  ASSERT_TRUE(bench.hub->stop(id));
  bench.loop.block_on(bench.hub->stop_all());
  EXPECT_EQ(bench.trace(id), "turn_start user turn_end:cancelled");
}

TEST(StartAndEnd, AnAgentThatIsLetGoEndsAndTheNextPromptOpensItAnewOnceItHas) {
  Bench bench;
  Gate ended(bench.loop);
  bench.log.closing = [&]() -> Task<void> { co_await ended.wait(); };
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  bench.hub->let_go("another");
  bench.hub->let_go(bench.hub->find(id)->agent);
  bench.hub->let_go(bench.hub->find(id)->agent);
  bench.prompt(id, "again");
  bench.loop.run_ready();
  EXPECT_EQ(bench.log.opened, 1) << "its session is its own until it has ended";
  ended.release();
  bench.loop.run_ready();
  EXPECT_EQ(bench.log.opened, 2);
  EXPECT_EQ(bench.log.closed, 1) << "once";
  EXPECT_EQ(bench.log.destroyed, 1);
  EXPECT_EQ(bench.trace(id), "turn_start user turn_end turn_start user turn_end");
}

// What the program finds that was installed meanwhile, and each agent for itself.
TEST(StartAndEnd, AgentsAreLookedForAgain) {
  Bench bench;
  int found = 0;
  Hub* self = nullptr;
  Hub hub(bench.loop, bench.store, {.find_agents = [&]() -> Task<void> {
            ++found;
            self->add_agent(std::make_unique<test::ScriptedProvider>(bench.script, bench.log));
            co_return;
          }});
  self = &hub;
  bench.loop.block_on(hub.look_for_agents());
  EXPECT_EQ(found, 1);
  EXPECT_EQ(hub.agents().size(), 1U);
  EXPECT_EQ(bench.log.looked_again, 0) << "it has just been looked for";
  bench.loop.block_on(hub.look_for_agents());
  EXPECT_EQ(bench.log.looked_again, 1);
}

TEST(StartAndEnd, AnAgentThatIsLetGoEndsBehindTheTurnThatRuns) {
  Bench bench;
  Gate gate(bench.loop);
  bench.script = ends_after(gate);
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.prompt(id, "queued");
  bench.loop.run_ready();
  bench.hub->let_go(bench.hub->find(id)->agent);
  bench.loop.run_ready();
  EXPECT_EQ(bench.log.closed, 0);
  EXPECT_EQ(bench.hub->find(id)->state, ConversationState::running);
  gate.release();
  bench.loop.run_ready();
  EXPECT_EQ(bench.log.closed, 1);
  EXPECT_EQ(bench.log.opened, 2) << "what waited is the new one's";
  EXPECT_EQ(bench.trace(id), "turn_start user turn_end turn_start user turn_end");
}

TEST(StartAndEnd, AtTheEndAllAgentsTakeTheirTimeAtOnce) {
  Bench bench;
  bench.log.closing = [&]() -> Task<void> { co_await sleep_for(bench.loop, 1s); };
  for (int i = 0; i < 3; ++i) bench.prompt(bench.conversation());
  bench.loop.run_ready();
  bool over = false;
  const auto end = [](Hub& hub, bool& done) -> Task<void> {
    co_await hub.stop_all();
    done = true;
  };
  Scope scope(bench.loop);
  scope.start(end(*bench.hub, over));
  bench.loop.advance(999ms);
  EXPECT_EQ(bench.log.closed, 0);
  EXPECT_EQ(bench.log.destroyed, 0);
  EXPECT_FALSE(over);
  bench.loop.advance(2ms);
  EXPECT_EQ(bench.log.closed, 3);
  EXPECT_EQ(bench.log.destroyed, 3);
  EXPECT_TRUE(over);
}

TEST(StartAndEnd, AnAgentThatNeverEndsIsNotWaitedForWithoutEnd) {
  Bench bench;
  Gate never(bench.loop);
  bench.log.closing = [&]() -> Task<void> { co_await never.wait(); };
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  bool over = false;
  const auto end = [](Hub& hub, std::string conversation, bool& done) -> Task<void> {
    EXPECT_TRUE(co_await hub.remove(conversation)) << "which waits for no agent";
    EXPECT_EQ(hub.find(conversation), nullptr);
    co_await hub.stop_all();
    done = true;
  };
  Scope scope(bench.loop);
  scope.start(end(*bench.hub, id, over));
  bench.loop.advance(9s);
  EXPECT_FALSE(over);
  bench.loop.advance(2s);
  EXPECT_TRUE(over);
  EXPECT_EQ(bench.log.closed, 0);
  EXPECT_EQ(bench.log.destroyed, 1);
}

}  // namespace
}  // namespace parlance::hub
