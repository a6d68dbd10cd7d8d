// SPDX-License-Identifier: Apache-2.0
// The lifecycle of a hub: its start after a crash, its end, and the end of its conversations.
#include <gtest/gtest.h>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/replicated_log.h"
#include "parlance/hub/runtime/snapshot.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;
using test::Bench;
using test::ends_after;
using test::Gate;

TEST(Lifecycle, CrashLeavesAnInterruptedTurnForTheNextStart) {
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

TEST(Lifecycle, DeletionStopsTheTurnAndRemovesAllRows) {
  Bench bench;
  Gate never(bench.loop);
  bench.script = ends_after(never);
  const std::string id = bench.conversation();
  bench.prompt(id);
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(id, RemoveConversation{})));
  EXPECT_EQ(bench.hub->find(id), nullptr);
  EXPECT_TRUE(bench.store.conversations.empty());
  EXPECT_TRUE(bench.store.logs.empty());
  EXPECT_EQ(bench.loop.block_on(bench.hub->submit(id, SendPrompt{.text = "again"})).error().code, Errc::not_found);
}

// A page that closes while its deletion waits for the end of the turn.
TEST(Lifecycle, DeletionContinuesWithoutItsCaller) {
  Bench bench;
  bench.script = [&](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    while (!turn.cancelled()) co_await sleep_for(bench.loop, 1s);
    co_return StopReason::cancelled;
  };
  const std::string id = bench.conversation();
  bench.prompt(id);
  Scope page(bench.loop);
  const auto remove = [](Hub& hub, std::string conversation) -> Task<void> {
    static_cast<void>(co_await hub.submit(std::move(conversation), RemoveConversation{}));
  };
  page.start(remove(*bench.hub, id));
  page.cancel();
  bench.loop.advance(2s);
  EXPECT_EQ(bench.hub->find(id), nullptr);
  EXPECT_TRUE(bench.store.conversations.empty());
}

TEST(Lifecycle, StopAllEndsAndWritesEveryTurn) {
  Bench bench;
  Gate never(bench.loop);
  bench.script = ends_after(never);
  const std::string a = bench.conversation();
  const std::string b = bench.conversation();
  bench.prompt(a);
  bench.prompt(b);
  bench.loop.block_on(bench.hub->stop_all());
  EXPECT_EQ(bench.trace(a), "turn_start user error turn_end:error") << "no person stopped it";
  EXPECT_EQ(bench.trace(b), "turn_start user error turn_end:error");
  EXPECT_EQ(bench.log.destroyed, 2);
}

TEST(Lifecycle, StopAllLeavesPromptsInTheQueue) {
  Bench bench;
  Gate gate(bench.loop);
  bench.script = ends_after(gate);
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  bench.store.held = true;
  Scope callers(bench.loop);
  callers.start([](Hub& hub, std::string conversation) -> Task<void> {
    static_cast<void>(co_await hub.submit(std::move(conversation), SendPrompt{.text = "queued"}));
  }(*bench.hub, id));
  gate.release();
  bench.loop.run_ready();
  callers.start(bench.hub->stop_all());
  bench.loop.run_ready();
  bench.store.held = false;
  bench.store.changed.notify_all();
  bench.loop.advance(1s);
  EXPECT_EQ(bench.trace(id), "turn_start user turn_end");
  EXPECT_EQ(bench.store.row(id).queued.size(), 1U);
  EXPECT_EQ(bench.log.destroyed, 1);
}

TEST(Lifecycle, ATurnThatBeginsDuringTheEndIsCutOff) {
  Bench bench;
  Gate never(bench.loop);
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  bench.script = ends_after(never);
  bench.store.held = true;
  Scope callers(bench.loop);
  callers.start(bench.hub->stop_all());
  callers.start([](Hub& hub, std::string conversation) -> Task<void> {
    static_cast<void>(co_await hub.submit(std::move(conversation), SendPrompt{.text = "late"}));
  }(*bench.hub, id));
  bench.loop.run_ready();
  bench.store.held = false;
  bench.store.changed.notify_all();
  bench.loop.advance(1s);
  EXPECT_EQ(bench.trace(id), "turn_start user turn_end turn_start user error turn_end:error");
}

TEST(Lifecycle, PersonsStopIsLoggedDuringTheEndToo) {
  Bench bench;
  Gate never(bench.loop);
  bench.script = ends_after(never);
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  ASSERT_TRUE(bench.hub->submit_at_once(id, StopTurn{}));
  bench.loop.block_on(bench.hub->stop_all());
  EXPECT_EQ(bench.trace(id), "turn_start user turn_end:cancelled");
}

TEST(Lifecycle, ClosedAgentReopensAtTheNextPromptAfterItsEnd) {
  Bench bench;
  Gate ended(bench.loop);
  bench.log.closing = [&]() -> Task<void> { co_await ended.wait(); };
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  bench.hub->close_agents("another");
  bench.hub->close_agents(bench.hub->find(id)->agent);
  bench.hub->close_agents(bench.hub->find(id)->agent);
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

// Programs installed since the start, and moved programs of known agents.
TEST(Lifecycle, AgentsAreLookedForAgain) {
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

TEST(Lifecycle, AgentClosesAfterTheRunningTurn) {
  Bench bench;
  Gate gate(bench.loop);
  bench.script = ends_after(gate);
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.prompt(id, "queued");
  bench.loop.run_ready();
  bench.hub->close_agents(bench.hub->find(id)->agent);
  bench.loop.run_ready();
  EXPECT_EQ(bench.log.closed, 0);
  EXPECT_EQ(bench.hub->find(id)->state, ConversationState::running);
  gate.release();
  bench.loop.run_ready();
  EXPECT_EQ(bench.log.closed, 1);
  EXPECT_EQ(bench.log.opened, 2) << "the new agent gets the waiting prompt";
  EXPECT_EQ(bench.trace(id), "turn_start user turn_end turn_start user turn_end");
}

TEST(Lifecycle, AtTheEndAllAgentsTakeTheirTimeAtOnce) {
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

TEST(Lifecycle, EndlessCloseHasATimeLimit) {
  Bench bench;
  Gate never(bench.loop);
  bench.log.closing = [&]() -> Task<void> { co_await never.wait(); };
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  bool over = false;
  const auto end = [](Hub& hub, std::string conversation, bool& done) -> Task<void> {
    EXPECT_TRUE(co_await hub.submit(conversation, RemoveConversation{})) << "which waits for no agent";
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

// ---- idle conversations --------------------------------------------------------------------------------------------------------

struct IdleConversations : ::testing::Test {
  IdleConversations() {
    for (int i = 1000; i < 1400; ++i) {
      const std::string& id = ids.emplace_back("conv_" + std::to_string(i));
      bench.store.put(
          {{.id = id, .agent = "scripted", .folder = "/project"}, {.updated_at = "2026-01-0" + std::to_string(i % 7)}});
    }
    bench.crash();
  }
  // The runtime of a conversation owns this object.
  std::weak_ptr<ReplicatedLog> log_of(const std::string& id) { return bench.hub->followed(id); }
  void use_many_runtimes() {
    for (std::size_t i = 100; i < 390; ++i) EXPECT_NE(bench.hub->find(ids[i]), nullptr);
    bench.loop.advance(61s);
    EXPECT_NE(bench.hub->find(ids[399]), nullptr);
    bench.loop.run_ready();
  }

  Bench bench;
  std::vector<std::string> ids;
};

TEST_F(IdleConversations, RuntimesEndAfterTheirUse) {
  const auto before = bench.hub->list({});
  const std::weak_ptr<ReplicatedLog> used = log_of(ids[0]);
  bench.loop.advance(61s);
  EXPECT_FALSE(used.expired()) << "few runtimes stay";
  use_many_runtimes();
  EXPECT_TRUE(used.expired());
  EXPECT_FALSE(log_of(ids[399]).expired()) << "used just now";
  EXPECT_EQ(bench.hub->list({}).conversations, before.conversations);
  EXPECT_EQ(bench.hub->statistics().conversations, 400U);
  EXPECT_EQ(bench.hub->statistics().owned, 400U);
}

TEST_F(IdleConversations, AgentsFollowersQueuesAndRequestsKeepTheirRuntimes) {
  Gate never(bench.loop);
  bench.prompt(ids[0]);
  const std::weak_ptr<ReplicatedLog> with_agent = log_of(ids[0]);
  const std::shared_ptr<ReplicatedLog> followed = bench.hub->followed(ids[1]);
  bench.script = test::ends_after(never);
  bench.prompt(ids[2]);
  bench.prompt(ids[2], "later");
  use_many_runtimes();
  EXPECT_FALSE(with_agent.expired());
  EXPECT_EQ(bench.hub->followed(ids[1]), followed);
  EXPECT_EQ(bench.hub->find(ids[2])->queued.size(), 1U);
  EXPECT_EQ(bench.hub->find(ids[2])->state, ConversationState::running);
}

TEST_F(IdleConversations, WorkInALaterRuntimeContinuesTheLog) {
  bench.prompt(ids[0], "first");
  bench.loop.run_ready();
  bench.crash();
  use_many_runtimes();
  const std::weak_ptr<ReplicatedLog> runtime = log_of(ids[0]);
  use_many_runtimes();
  ASSERT_TRUE(runtime.expired());
  bench.prompt(ids[0], "second");
  bench.loop.run_ready();
  EXPECT_EQ(bench.trace(ids[0]), "turn_start user turn_end turn_start user turn_end");
  EXPECT_EQ(bench.hub->list({.most = 1}).conversations.front().id, ids[0]) << "the newest change";
}

TEST_F(IdleConversations, PagesOfTheListJoinConversationsWithAndWithoutRuntimes) {
  for (std::size_t i = 0; i < 400; i += 3) EXPECT_NE(bench.hub->find(ids[i]), nullptr);
  std::vector<Conversation> paged;
  Listing listing{.most = 150};
  do {
    ConversationList page = bench.hub->list(listing);
    paged.insert(paged.end(), page.conversations.begin(), page.conversations.end());
    listing.before = page.older;
  } while (!listing.before.empty());
  EXPECT_EQ(paged, bench.hub->list({}).conversations);
  EXPECT_EQ(paged.size(), 400U);
}

}  // namespace
}  // namespace parlance::hub
