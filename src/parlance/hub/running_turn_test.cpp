// SPDX-License-Identifier: Apache-2.0
// The life of a turn: its events and their times, stop and failure, and the agent's input.
#include <gtest/gtest.h>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/log/limits.h"
#include "parlance/hub/runtime/change.h"
#include "parlance/hub/runtime/snapshot.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;
using test::Bench;
using test::ends_after;
using test::Gate;

TEST(RunningTurn, ATurnIsWrittenFromItsStartToItsEnd) {
  Bench bench;
  bench.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    turn.emit(event::ThinkingStart{});
    turn.emit(event::ThinkingContent{.text = "hm"});
    turn.emit(event::ThinkingEnd{});
    turn.emit(event::Text{.text = "Hello "});
    turn.emit(event::Text{.text = "there"});
    co_return StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  EXPECT_FALSE(bench.prompt(id).turn.empty());
  bench.loop.run_ready();
  EXPECT_EQ(bench.trace(id), "turn_start user think_start think think_end text turn_end");
  EXPECT_EQ(std::get<event::Text>(bench.store.logs[id][5].body).text, "Hello there");
  EXPECT_EQ(bench.hub->find(id)->state, ConversationState::idle);
  EXPECT_EQ(bench.hub->find(id)->last_seq, 7U);
  EXPECT_EQ(bench.hub->find(id)->title, "hello");
}

TEST(RunningTurn, PiecesWithin16MillisecondsAreJoined) {
  Bench bench;
  bench.script = [&](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    for (int i = 0; i < 1000; ++i) {  // each millisecond
      turn.emit(event::Text{.text = "x"});
      co_await sleep_for(bench.loop, 1ms);
    }
    co_return StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.advance(1100ms);
  std::size_t text = 0;
  std::size_t events = 0;
  for (const Event& event : bench.store.logs[id])
    if (const auto* piece = std::get_if<event::Text>(&event.body)) {
      text += piece->text.size();
      ++events;
    }
  EXPECT_EQ(text, 1000U);
  EXPECT_LE(events, 65U);
  EXPECT_GE(events, 55U);
}

TEST(RunningTurn, AFloodOfTextIsCutBySize) {
  Bench bench;
  bench.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    for (int i = 0; i < 100; ++i) turn.emit(event::Text{.text = std::string(1024, 'x')});
    co_return StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  EXPECT_EQ(bench.store.logs[id].size(), 3U + 25U);  // 4 KiB each
}

TEST(RunningTurn, CongestionMakesTheAgentWait) {
  Bench bench;
  bool was_congested = false;
  bool after = true;
  bench.script = [&](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    for (int i = 0; i < 300; ++i) turn.emit(event::Text{.text = std::string(8192, 'x')});
    was_congested = turn.congested();
    (void)co_await turn.written();
    after = turn.congested();
    co_return StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  EXPECT_TRUE(was_congested);
  EXPECT_FALSE(after);
}

TEST(RunningTurn, ConversationsRunAtTheSameTime) {
  Bench bench;
  Gate gate(bench.loop);
  bench.script = ends_after(gate);
  const std::string a = bench.conversation();
  const std::string b = bench.conversation();
  bench.prompt(a);
  bench.prompt(b);
  EXPECT_EQ(bench.hub->statistics().running_turns, 2U);
  gate.release();
  bench.loop.run_ready();
  EXPECT_EQ(bench.hub->statistics().running_turns, 0U);
}

TEST(RunningTurn, StopEndsTheTurnKeepsTextAndHoldsTheQueue) {
  Bench bench;
  Gate stopped(bench.loop);
  bench.script = [&](Turn& turn, Prompt prompt) -> Task<Result<StopReason>> {
    turn.emit(event::Text{.text = "half an ans"});
    turn.emit(event::ToolStart{.call = "c1", .tool = "run", .title = "sleep"});
    if (prompt.text == "one") co_await stopped.wait();
    co_return StopReason::cancelled;
  };
  const std::string id = bench.conversation();
  bench.prompt(id, "one");
  bench.prompt(id, "two");
  bench.loop.run_ready();
  EXPECT_TRUE(bench.hub->submit_at_once(id, StopTurn{}));
  EXPECT_EQ(bench.log.cancels, 1);
  stopped.release();
  bench.loop.run_ready();
  EXPECT_EQ(bench.trace(id), "turn_start user text tool_start tool_end:cancelled turn_end:cancelled");
  EXPECT_EQ(bench.hub->find(id)->queued.size(), 1U);
  EXPECT_TRUE(bench.hub->submit_at_once(id, StopTurn{})) << "nothing runs: nothing to do";
  EXPECT_FALSE(bench.prompt(id, "three").queued.empty());
  bench.loop.run_ready();
  EXPECT_EQ(bench.log.prompts.at(1), "three") << "a prompt behind a stop runs before the held ones";
}

TEST(RunningTurn, APromptBehindAStopRunsWhenTheStoppedTurnHasEnded) {
  Bench bench;
  Gate stopped(bench.loop);
  bench.script = [&](Turn&, Prompt prompt) -> Task<Result<StopReason>> {
    if (prompt.text != "one") co_return StopReason::end_turn;
    co_await stopped.wait();
    co_return StopReason::cancelled;
  };
  const std::string id = bench.conversation();
  for (const char* text : {"one", "two", "three"}) bench.prompt(id, text);
  ASSERT_TRUE(bench.hub->submit_at_once(id, StopTurn{}));
  bench.prompt(id, "four");
  bench.prompt(id, "five");
  bench.loop.run_ready();
  EXPECT_EQ(bench.log.prompts.size(), 1U) << "the stopped turn has not ended yet";
  stopped.release();
  bench.loop.run_ready();
  EXPECT_EQ(bench.log.prompts, (std::vector<std::string>{"one", "four", "five", "two", "three"}));
}

TEST(RunningTurn, SecondStopHoldsLaterPromptsToo) {
  Bench bench;
  Gate stopped(bench.loop);
  bench.script = [&](Turn&, Prompt) -> Task<Result<StopReason>> {
    co_await stopped.wait();
    co_return StopReason::cancelled;
  };
  const std::string id = bench.conversation();
  bench.prompt(id, "one");
  ASSERT_TRUE(bench.hub->submit_at_once(id, StopTurn{}));
  bench.prompt(id, "two");
  ASSERT_TRUE(bench.hub->submit_at_once(id, StopTurn{}));
  stopped.release();
  bench.loop.run_ready();
  EXPECT_EQ(bench.log.prompts, std::vector<std::string>{"one"});
  EXPECT_EQ(bench.hub->find(id)->queued.size(), 1U);
}

TEST(RunningTurn, AFailureHoldsTheWholeQueue) {
  Bench bench;
  Gate gate(bench.loop);
  bench.script = [&](Turn&, Prompt) -> Task<Result<StopReason>> {
    co_await gate.wait();
    co_return fail(Errc::overloaded, "busy");
  };
  const std::string id = bench.conversation();
  bench.prompt(id, "one");
  bench.prompt(id, "two");
  gate.release();
  bench.loop.run_ready();
  EXPECT_EQ(bench.log.prompts, std::vector<std::string>{"one"});
}

TEST(RunningTurn, FailedTurnEndsOnlyNonSurvivingAgents) {
  for (const bool survives : {false, true}) {
    Bench bench;
    bench.log.survives = survives;
    bench.script = [](Turn&, Prompt) -> Task<Result<StopReason>> { co_return fail(Errc::overloaded, "busy"); };
    const std::string id = bench.conversation();
    bench.prompt(id, "one");
    bench.loop.run_ready();
    bench.prompt(id, "two");
    bench.loop.run_ready();
    EXPECT_EQ(bench.log.opened, survives ? 1 : 2);
  }
}

TEST(RunningTurn, FailedDriverReopensTheAgent) {
  Bench bench;
  bench.log.survives = true;
  bench.script = [](Turn&, Prompt) -> Task<Result<StopReason>> {
    throw std::runtime_error("a bug");
    co_return StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  bench.prompt(id, "one");
  bench.loop.run_ready();
  bench.prompt(id, "two");
  bench.loop.run_ready();
  EXPECT_EQ(bench.log.opened, 2);
}

TEST(RunningTurn, FailingCallAfterAStopIsCancelled) {
  Bench bench;
  Gate stopped(bench.loop);
  bench.script = [&](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    turn.emit(event::ToolStart{.call = "c1", .tool = "run", .title = "sleep"});
    co_await stopped.wait();
    turn.emit(event::ToolEnd{.call = "c1", .state = ToolEndState::failed});
    co_return StopReason::cancelled;
  };
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  ASSERT_TRUE(bench.hub->submit_at_once(id, StopTurn{}));
  stopped.release();
  bench.loop.run_ready();
  EXPECT_EQ(bench.trace(id), "turn_start user tool_start tool_end:cancelled turn_end:cancelled");
}

TEST(RunningTurn, UnresponsiveAgentEndsAfterTheGracePeriod) {
  Bench bench;
  Gate never(bench.loop);
  bench.script = ends_after(never);
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  (void)bench.hub->submit_at_once(id, StopTurn{});
  bench.loop.advance(limits::stop_grace - 1ms);
  EXPECT_EQ(bench.hub->find(id)->state, ConversationState::running);
  bench.loop.advance(2ms);
  EXPECT_EQ(bench.trace(id), "turn_start user turn_end:cancelled");
  EXPECT_EQ(bench.log.destroyed, 1) << "it cannot be trusted with the next prompt";
  EXPECT_EQ(bench.log.closed, 0);
  EXPECT_EQ(std::get<event::TurnEnd>(bench.store.logs[id].back().body).duration_ms, 5000);
}

TEST(RunningTurn, FailedTurnHasAReasonAndTheNextPromptReopens) {
  Bench bench;
  bench.script = [](Turn&, Prompt) -> Task<Result<StopReason>> {
    co_return fail(Errc::disconnected, "the agent died", "{\"status\":9}");
  };
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  EXPECT_EQ(bench.trace(id), "turn_start user error turn_end:error");
  const auto& failure = std::get<event::Failure>(bench.store.logs[id][2].body);
  EXPECT_EQ(failure.code, "disconnected");
  EXPECT_EQ(failure.message, "the agent died");
  EXPECT_TRUE(failure.retryable);
  bench.prompt(id);
  bench.loop.run_ready();
  EXPECT_EQ(bench.log.opened, 2);
}

TEST(RunningTurn, AnExceptionInADriverEndsItsTurnOnly) {
  Bench bench;
  bench.script = [](Turn&, Prompt) -> Task<Result<StopReason>> {
    throw std::runtime_error("bug");
    co_return StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  EXPECT_EQ(bench.trace(id), "turn_start user error turn_end:error");
}

TEST(RunningTurn, EventsAreWrittenBeforePublication) {
  Bench bench;
  bench.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    turn.emit(event::Text{.text = "hello"});
    co_return StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  const auto watcher = bench.hub->watch();
  bench.store.held = true;
  Scope scope(bench.loop);
  const auto ask = [&]() -> Task<void> { (void)co_await bench.hub->submit(id, SendPrompt{.text = "hi"}); };
  scope.start(ask());
  bench.loop.advance(1s);
  EXPECT_EQ(watcher->queued(), 0U);
  EXPECT_EQ(bench.hub->snapshot().conversations.at(0).state, ConversationState::idle);
  EXPECT_TRUE(bench.log.prompts.empty()) << "the agent waits for the prompt to be written";
  bench.store.held = false;
  bench.store.changed.notify_all();
  bench.loop.advance(1s);
  EXPECT_GT(watcher->queued(), 0U);
}

TEST(RunningTurn, FullDiskStopsTheTurnWithAnErrorAndRecovers) {
  Bench bench;
  Gate never(bench.loop);
  bench.script = [&](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    turn.emit(event::Text{.text = "before"});
    (void)co_await turn.written();
    bench.store.failing = true;
    turn.emit(event::Text{.text = "after"});
    co_await never.wait();
    co_return StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.advance(100ms);
  EXPECT_EQ(bench.log.cancels, 1);
  ASSERT_EQ(bench.hub->snapshot().services.size(), 1U);
  EXPECT_EQ(bench.hub->snapshot().services[0].state, Health::down);
  EXPECT_FALSE(bench.loop.block_on(bench.hub->submit(id, SendPrompt{.text = "queued"})));
  bench.loop.advance(limits::stop_grace);
  bench.store.failing = false;
  bench.loop.advance(limits::store_retry);
  EXPECT_EQ(bench.trace(id), "turn_start user text text turn_end:cancelled") << "nothing was lost";
  EXPECT_EQ(bench.hub->snapshot().services[0].state, Health::ready);
}

TEST(RunningTurn, TheAgentGetsTheHistoryWithItsOwnPrompt) {
  Bench bench;
  std::vector<ChatMessage> seen;
  bench.script = [&](Turn& turn, Prompt prompt) -> Task<Result<StopReason>> {
    auto history = co_await turn.history();
    if (history) seen = *history;
    turn.emit(event::Text{.text = "re: " + prompt.text});
    co_return StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  bench.prompt(id, "one");
  bench.loop.run_ready();
  bench.prompt(id, "two");
  bench.loop.run_ready();
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_EQ(seen[1].content, "re: one");
  EXPECT_EQ(seen[2].content, "two");
}

}  // namespace
}  // namespace parlance::hub
