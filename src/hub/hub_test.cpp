// Conversations, turns, the queue, stopping, and what a crash leaves. Asks: asks_test.cpp; followers: watcher_test.cpp.
#include "hub/hub.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "hub/test_support.h"

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;
using test::Bench;

// Stops when told, or never.
struct Gate {
  explicit Gate(Loop& loop) : signal(loop) {}
  Task<void> wait() {
    while (!open) co_await signal.wait();
  }
  void release() {
    open = true;
    signal.notify_all();
  }
  bool open = false;
  Signal signal;
};

// A turn that ends well once the gate has opened.
test::Script ends_after(Gate& gate) {
  return [&gate](Turn&, Prompt) -> Task<Result<StopReason>> {
    co_await gate.wait();
    co_return StopReason::end_turn;
  };
}

TEST(Hub, ATurnIsWrittenFromItsStartToItsEnd) {
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

TEST(Hub, PiecesOfTextBecomeAtMostOneEventIn16Milliseconds) {
  Bench bench;
  bench.script = [&](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    for (int i = 0; i < 1000; ++i) {  // one a millisecond
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

TEST(Hub, AFloodOfTextIsCutBySize) {
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

TEST(Hub, AFloodTellsTheAgentToWaitUntilItIsWritten) {
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

TEST(Hub, LaterPromptsQueueAndRunInOrder) {
  Bench bench;
  Gate gate(bench.loop);
  bench.script = [&](Turn&, Prompt) -> Task<Result<StopReason>> {
    co_await gate.wait();
    co_return StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  bench.prompt(id, "one");
  const Prompted two = bench.prompt(id, "two");
  const Prompted three = bench.prompt(id, "three");
  EXPECT_TRUE(two.turn.empty());
  EXPECT_EQ(bench.store.conversations[id].queued.size(), 2U) << "what waits is in the store";
  EXPECT_TRUE(bench.loop.block_on(bench.hub->withdraw(id, two.queued)));
  EXPECT_EQ(bench.loop.block_on(bench.hub->withdraw(id, two.queued)).error().code, Errc::not_found);
  gate.release();
  bench.loop.run_ready();
  EXPECT_EQ(bench.log.prompts, (std::vector<std::string>{"one", "three"}));
  EXPECT_TRUE(bench.hub->find(id)->queued.empty());
  EXPECT_EQ(bench.log.opened, 1);
}

TEST(Hub, WhatIsWantedOfTheAgentComesWithThePromptAlsoOutOfTheQueue) {
  Bench bench;
  Gate gate(bench.loop);
  std::vector<PromptOptions> given;
  bench.script = [&](Turn&, Prompt prompt) -> Task<Result<StopReason>> {
    given.push_back(prompt.options);
    co_await gate.wait();
    co_return StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  ASSERT_TRUE(bench.loop.block_on(bench.hub->prompt(id, "one", {.most_rounds = 1})));
  ASSERT_TRUE(bench.loop.block_on(bench.hub->prompt(id, "two", {.most_rounds = 2})));
  bench.prompt(id, "three");
  EXPECT_FALSE(bench.hub->find(id)->queued.back().options) << "nothing is kept where nothing is wanted";
  gate.release();
  bench.loop.run_ready();
  EXPECT_EQ(given, (std::vector<PromptOptions>{{.most_rounds = 1}, {.most_rounds = 2}, {}}));
}

TEST(Hub, TheQueueIsBounded) {
  Bench bench;
  Gate gate(bench.loop);
  bench.script = [&](Turn&, Prompt) -> Task<Result<StopReason>> {
    co_await gate.wait();
    co_return StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  bench.prompt(id);
  for (std::size_t i = 0; i < limits::queued_prompts; ++i) bench.prompt(id);
  EXPECT_EQ(bench.loop.block_on(bench.hub->prompt(id, "one too many")).error().code, Errc::overloaded);
}

TEST(Hub, ConversationsRunAtTheSameTime) {
  Bench bench;
  Gate gate(bench.loop);
  bench.script = [&](Turn&, Prompt) -> Task<Result<StopReason>> {
    co_await gate.wait();
    co_return StopReason::end_turn;
  };
  const std::string a = bench.conversation();
  const std::string b = bench.conversation();
  bench.prompt(a);
  bench.prompt(b);
  EXPECT_EQ(bench.hub->statistics().running_turns, 2U);
  gate.release();
  bench.loop.run_ready();
  EXPECT_EQ(bench.hub->statistics().running_turns, 0U);
}

TEST(Hub, StopEndsTheTurnKeepsWhatWasSaidAndHoldsTheQueue) {
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
  EXPECT_TRUE(bench.hub->stop(id));
  EXPECT_EQ(bench.log.cancels, 1);
  stopped.release();
  bench.loop.run_ready();
  EXPECT_EQ(bench.trace(id), "turn_start user text tool_start tool_end:cancelled turn_end:cancelled");
  EXPECT_EQ(bench.hub->find(id)->queued.size(), 1U);
  EXPECT_TRUE(bench.hub->stop(id)) << "nothing runs: nothing to do";
  // The next prompt takes its place behind what waits.
  EXPECT_FALSE(bench.prompt(id, "three").queued.empty());
  bench.loop.run_ready();
  EXPECT_EQ(bench.log.prompts.at(1), "two");
}

TEST(Hub, AnAgentThatDoesNotStopIsEndedAfterItsGrace) {
  Bench bench;
  Gate never(bench.loop);
  bench.script = ends_after(never);
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  (void)bench.hub->stop(id);
  bench.loop.advance(limits::stop_grace - 1ms);
  EXPECT_EQ(bench.hub->find(id)->state, ConversationState::running);
  bench.loop.advance(2ms);
  EXPECT_EQ(bench.trace(id), "turn_start user turn_end:cancelled");
  EXPECT_EQ(bench.log.destroyed, 1) << "it cannot be trusted with the next prompt";
  EXPECT_EQ(bench.log.closed, 0);
  EXPECT_EQ(std::get<event::TurnEnd>(bench.store.logs[id].back().body).duration_ms, 5000);
}

TEST(Hub, AFailedTurnSaysWhyAndTheNextPromptOpensTheAgentAgain) {
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

TEST(Hub, AnExceptionInADriverEndsItsTurnOnly) {
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

TEST(Hub, ACrashLeavesAnInterruptedTurnThatTheNextStartEnds) {
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

TEST(Hub, NothingIsToldThatIsNotWritten) {
  Bench bench;
  bench.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    turn.emit(event::Text{.text = "hello"});
    co_return StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  auto watcher = bench.hub->watch();
  ASSERT_TRUE(bench.loop.block_on(watcher->open(id, 0, 0)));
  bench.store.held = true;
  Scope scope(bench.loop);
  const auto ask = [&]() -> Task<void> { (void)co_await bench.hub->prompt(id, "hi"); };
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

TEST(Hub, AFullDiskStopsTheTurnAndIsToldAndPasses) {
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
  EXPECT_FALSE(bench.loop.block_on(bench.hub->prompt(id, "queued")));
  bench.loop.advance(limits::stop_grace);
  bench.store.failing = false;
  bench.loop.advance(limits::store_retry);
  EXPECT_EQ(bench.trace(id), "turn_start user text text turn_end:cancelled") << "nothing was lost";
  EXPECT_EQ(bench.hub->snapshot().services[0].state, Health::ready);
}

TEST(Hub, DeletingStopsTheTurnAndLeavesNothing) {
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

TEST(Hub, SettingsGoToTheOpenAgentFirst) {
  Bench bench;
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  ASSERT_TRUE(bench.loop.block_on(bench.hub->set(id, {.mode = Mode::yolo})));
  EXPECT_EQ(bench.log.modes, std::vector<Mode>{Mode::yolo});
  EXPECT_EQ(bench.trace(id), "turn_start user turn_end mode");
  bench.log.refuse_modes = true;
  EXPECT_EQ(bench.loop.block_on(bench.hub->set(id, {.mode = Mode::plan})).error().code, Errc::denied);
  EXPECT_EQ(bench.hub->find(id)->mode, Mode::yolo);
  const auto renamed = bench.loop.block_on(bench.hub->set(id, {.title = "  A name\nand more "}));
  EXPECT_EQ(renamed->title, "A name");
}

TEST(Hub, BadRequestsAreRefusedWithAReason) {
  Bench bench;
  const std::string id = bench.conversation();
  EXPECT_EQ(bench.loop.block_on(bench.hub->prompt(id, "  \n")).error().code, Errc::invalid_params);
  EXPECT_EQ(bench.loop.block_on(bench.hub->prompt(id, std::string(limits::prompt_bytes + 1, 'x'))).error().code,
            Errc::invalid_params);
  EXPECT_EQ(bench.loop.block_on(bench.hub->create({.agent = "nobody", .folder = "/"})).error().code, Errc::not_found);
  EXPECT_EQ(bench.loop.block_on(bench.hub->create({.agent = "scripted", .folder = "here"})).error().code, Errc::invalid_params);
  EXPECT_EQ(bench.hub->stop("none").error().code, Errc::not_found);
}

TEST(Hub, TitlesAreOneShortLineOfTheFirstMessage) {
  Bench bench;
  const std::string id = bench.conversation();
  bench.prompt(id, "  " + std::string(30, 'a') + " " + std::string(30, 'b') + " " + std::string(30, 'c') + "\nmore");
  bench.loop.run_ready();
  bench.prompt(id, "second");
  EXPECT_EQ(bench.hub->find(id)->title, std::string(30, 'a') + " " + std::string(30, 'b') + "…");
}

TEST(Hub, AnAgentIsPreparedBeforeItsFirstPromptAndClosedAlsoWhenNoneComes) {
  Bench bench;
  std::vector<std::string> prepared;
  bench.log.preparing = [&](PromptOptions options) -> Task<Result<void>> {
    prepared.push_back(options.system.value_or(""));
    if (prepared.size() == 1) co_return fail(Errc::not_found, "no program");
    co_return Result<void>{};
  };
  const std::string a = bench.conversation();
  const std::string b = bench.conversation();
  EXPECT_EQ(bench.loop.block_on(bench.hub->prepare(a, {.system = "one"})).error().message, "no program");
  EXPECT_TRUE(bench.loop.block_on(bench.hub->prepare(a, {.system = "two"})));
  EXPECT_TRUE(bench.loop.block_on(bench.hub->prepare(b, {})));
  EXPECT_EQ(bench.loop.block_on(bench.hub->prepare("nobody", {})).error().code, Errc::not_found);
  EXPECT_EQ(prepared, (std::vector<std::string>{"one", "two", ""}));
  bench.prompt(a);
  bench.loop.run_ready();
  EXPECT_EQ(bench.trace(a), "turn_start user turn_end");
  EXPECT_EQ(bench.trace(b), "") << "nothing happened in it";
  EXPECT_EQ(bench.log.opened, 2);
  bench.loop.block_on(bench.hub->stop_all());
  EXPECT_EQ(bench.log.closed, 2);
}

TEST(Hub, StopAllEndsEverythingAndWritesIt) {
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

TEST(Hub, AStopOfThePersonIsItsOwnAlsoWhenTheProgramEndsThen) {
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

TEST(Hub, AtTheEndAllAgentsTakeTheirTimeAtOnce) {
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

TEST(Hub, AnAgentThatNeverEndsIsNotWaitedForWithoutEnd) {
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

TEST(Hub, TheAgentGetsTheHistoryWithItsOwnPrompt) {
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
