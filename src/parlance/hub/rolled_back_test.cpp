// SPDX-License-Identifier: Apache-2.0
// A failed operation has no effect: the store has no part of the operation, now or after a recovery.
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/runtime/snapshot.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;
using test::Bench;

struct FullDisk : Bench {
  FullDisk() { id = conversation(); }
  void fill() { store.failing = true; }
  // … and waits for all remaining writes.
  void make_runtime() {
    store.failing = false;
    loop.advance(10s);
  }
  std::size_t written(std::string_view text) const {
    std::size_t found = 0;
    if (const auto log_of = store.logs.find(id); log_of != store.logs.end())
      for (const Event& event : log_of->second)
        if (const auto* said = std::get_if<event::UserMessage>(&event.body); said != nullptr && said->text == text) ++found;
    return found;
  }
  const Conversation& row() const { return *hub->find(id); }
  // A turn with an ask and an offered rule.
  static Task<Result<StopReason>> asks(Turn& turn, Prompt) {
    turn.emit(event::ToolStart{.call = "c", .tool = "t"});
    const auto answer = co_await turn.ask(
        {.call = "c",
         .tool = "t",
         .title = "t",
         .options = {{.id = "yes", .kind = OptionKind::allow_once}, {.id = "always", .kind = OptionKind::allow_always}},
         .rules = {{.option = "always", .rule = {.label = "r"}}}});
    if (!answer) co_return std::unexpected(answer.error());
    if (answer->allowed()) turn.emit(event::Text{.text = "did it"});
    co_return StopReason::end_turn;
  }
  std::string id;
};

TEST(RolledBack, FailedPromptIsNeverLogged) {
  FullDisk bench;
  bench.fill();
  const auto failed = bench.loop.block_on(bench.hub->submit(bench.id, SendPrompt{.text = "lost"}));
  EXPECT_EQ(failed.error().message, "no space is left");
  EXPECT_EQ(bench.row().state, ConversationState::idle);
  EXPECT_EQ(bench.row().title, "");
  bench.make_runtime();
  EXPECT_EQ(bench.trace(bench.id), "");
  EXPECT_TRUE(bench.log.prompts.empty()) << "the agent has not received it";
  bench.prompt(bench.id, "kept");
  bench.loop.advance(1s);
  EXPECT_EQ(bench.trace(bench.id), "turn_start user turn_end");
  EXPECT_EQ(bench.store.row(bench.id).title, "kept");
}

TEST(RolledBack, AttachmentsOfAFailedPromptAreRemoved) {
  FullDisk bench;
  bench.fill();
  EXPECT_FALSE(bench.loop.block_on(bench.hub->submit(
      bench.id, SendPrompt{.text = "lost", .attachments = {{.about = {.media_type = "image/png"}, .data = "picture"}}})));
  bench.make_runtime();
  EXPECT_TRUE(bench.store.attachments.empty());
}

TEST(RolledBack, UnwrittenQueuedPromptDoesNotWait) {
  FullDisk bench;
  bench.script = FullDisk::asks;
  bench.prompt(bench.id, "first");
  bench.loop.run_ready();
  bench.fill();
  EXPECT_FALSE(bench.loop.block_on(bench.hub->submit(bench.id, SendPrompt{.text = "second"})));
  EXPECT_TRUE(bench.row().queued.empty());
  bench.make_runtime();
  EXPECT_TRUE(bench.store.row(bench.id).queued.empty());
  EXPECT_EQ(bench.written("first"), 1U);
  EXPECT_EQ(bench.written("second"), 0U);
}

TEST(RolledBack, FailedWithdrawalKeepsThePromptInItsPosition) {
  FullDisk bench;
  bench.script = FullDisk::asks;
  bench.prompt(bench.id, "first");
  std::vector<std::string> queued;
  for (const char* text : {"a", "b", "c"}) queued.push_back(bench.prompt(bench.id, text).queued);
  bench.fill();
  EXPECT_FALSE(bench.loop.block_on(bench.hub->submit(bench.id, WithdrawPrompt{.prompt = queued[1]})));
  bench.make_runtime();
  ASSERT_EQ(bench.row().queued.size(), 3U);
  EXPECT_EQ(bench.row().queued[1].text, "b");
  EXPECT_EQ(bench.store.row(bench.id).queued, bench.row().queued);
}

TEST(RolledBack, FailedSettingsAreRestoredAtTheAgentToo) {
  FullDisk bench;
  bench.prompt(bench.id, "first");
  bench.loop.advance(1s);
  bench.fill();
  EXPECT_FALSE(bench.loop.block_on(
      bench.hub->submit(bench.id, ChangeSettings{{.title = "new", .mode = Mode::yolo, .model = "m", .think = true}})));
  EXPECT_EQ(bench.row().mode, Mode::default_);
  bench.make_runtime();
  EXPECT_EQ(bench.row().title, "first");
  EXPECT_EQ(bench.row().model, "");
  EXPECT_FALSE(bench.row().think);
  EXPECT_EQ(bench.store.row(bench.id).title, "first");
  EXPECT_EQ(bench.trace(bench.id), "turn_start user turn_end") << "no mode event";
  EXPECT_EQ(bench.log.modes, (std::vector<Mode>{Mode::yolo, Mode::default_}));
}

TEST(RolledBack, FailedAnswerHasNoEffectAndNoRule) {
  FullDisk bench;
  bench.script = FullDisk::asks;
  bench.prompt(bench.id, "first");
  bench.loop.run_ready();
  const Ask ask = open_asks(*bench.hub).at(0);
  bench.fill();
  EXPECT_FALSE(bench.answer(ask, "always"));
  bench.make_runtime();
  EXPECT_NE(bench.store.asks.at(ask.id).state, AskState::answered);
  EXPECT_TRUE(bench.store.rules.empty());
  EXPECT_TRUE(bench.hub->rules().empty());
  EXPECT_EQ(bench.trace(bench.id).find("text"), std::string::npos) << "the agent was not allowed anything";
  EXPECT_EQ(bench.row().open_asks, 0U) << "its turn was stopped when the store failed";
}

TEST(RolledBack, FailedConversationDoesNotExistLater) {
  FullDisk bench;
  bench.fill();
  EXPECT_FALSE(bench.loop.block_on(bench.hub->create({.agent = "scripted", .folder = "/project"})));
  bench.make_runtime();
  EXPECT_EQ(bench.store.conversations.size(), 1U);
  EXPECT_EQ(bench.hub->snapshot().conversations.size(), 1U);
}

TEST(RolledBack, FailedReaskKeepsTheAskOrphaned) {
  FullDisk bench;
  bench.script = FullDisk::asks;
  bench.prompt(bench.id, "first");
  bench.loop.run_ready();
  const std::string ask = open_asks(*bench.hub).at(0).id;
  bench.crash();
  bench.fill();
  EXPECT_FALSE(bench.loop.block_on(bench.hub->submit(bench.id, RepeatRequest{.request = ask})));
  EXPECT_FALSE(bench.loop.block_on(bench.hub->submit(bench.id, SendPrompt{.text = "something else"})));
  bench.make_runtime();
  ASSERT_NE(bench.hub->find_ask(ask), nullptr);
  EXPECT_EQ(bench.hub->find_ask(ask)->state, AskState::orphaned);
  EXPECT_EQ(bench.row().open_asks, 1U);
  EXPECT_TRUE(bench.loop.block_on(bench.hub->submit(bench.id, RepeatRequest{.request = ask})));
}

TEST(RolledBack, DisconnectDuringAPromptsWriteHasNoEffect) {
  for (const bool full : {false, true}) {
    SCOPED_TRACE(full);
    FullDisk bench;
    bench.store.held = true;
    {
      const auto send = [](Hub& hub, std::string to) -> Task<void> {
        static_cast<void>(co_await hub.submit(std::move(to), SendPrompt{.text = "hello"}));
        ADD_FAILURE() << "it has left";
      };
      Scope face(bench.loop);
      face.start(send(*bench.hub, bench.id));
      bench.loop.run_ready();
    }
    bench.store.held = false;
    bench.store.failing = full;
    bench.store.changed.notify_all();
    bench.loop.advance(1s);
    bench.make_runtime();
    EXPECT_EQ(bench.trace(bench.id), full ? "" : "turn_start user turn_end");
    EXPECT_EQ(bench.row().state, ConversationState::idle);
  }
}

// A store that fails at any time: each accepted prompt is stored once, and each failed prompt never.
TEST(RolledBack, EveryPromptIsStoredOnceOrNever) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto dice = [&](unsigned most) { return std::uniform_int_distribution<unsigned>(0, most)(random); };
    FullDisk bench;
    bench.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
      turn.emit(event::Text{.text = "a"});
      co_return StopReason::end_turn;
    };
    std::map<std::string, bool> taken;
    const auto send = [](FullDisk& on, std::string text, std::map<std::string, bool>& ok) -> Task<void> {
      const auto done = co_await on.hub->submit(on.id, SendPrompt{.text = text});
      ok[text] = done.has_value();
    };
    Scope faces(bench.loop);
    for (int step = 0; step < 60; ++step) {
      bench.store.failing = dice(3) == 0;
      bench.store.held = dice(3) == 0;
      if (!bench.store.held) bench.store.changed.notify_all();
      faces.start(send(bench, "prompt " + std::to_string(step), taken));
      bench.loop.advance(std::chrono::milliseconds(dice(1) * dice(3000)));
      static_cast<void>(bench.hub->submit_at_once(bench.id, ResumeQueue{}));
    }
    bench.store.held = false;
    bench.store.changed.notify_all();
    bench.make_runtime();
    for (int i = 0; i < 100 && !bench.row().queued.empty(); ++i) {
      ASSERT_TRUE(bench.hub->submit_at_once(bench.id, ResumeQueue{}));
      bench.loop.advance(1s);
    }
    EXPECT_EQ(taken.size(), 60U) << "each caller has a result";
    for (const auto& [text, ok] : taken) EXPECT_EQ(bench.written(text), ok ? 1U : 0U) << text;
  }
}

// An agent may end its prompt, and thus the turn, inside `cancel`.
TEST(RolledBack, AgentMayEndItsTurnInsideCancel) {
  Bench bench;
  std::coroutine_handle<> waiting;
  struct Wait {
    std::coroutine_handle<>& handle;
    bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<> waits) { handle = waits; }
    void await_resume() const {}
  };
  bench.script = [&](Turn&, Prompt) -> Task<Result<StopReason>> {
    co_await Wait{waiting};
    co_return StopReason::cancelled;
  };
  bench.log.cancelling = [&] {
    if (waiting) std::exchange(waiting, nullptr).resume();
  };
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  ASSERT_TRUE(bench.hub->submit_at_once(id, StopTurn{}));
  bench.loop.advance(10s);
  EXPECT_EQ(bench.trace(id), "turn_start user turn_end:cancelled");
  EXPECT_EQ(bench.log.destroyed, 0) << "it ended in time, so it stays";
  bench.prompt(id);
  bench.loop.run_ready();
  bench.loop.block_on(bench.hub->stop_all());
  EXPECT_EQ(bench.log.closed, 1);
}

}  // namespace
}  // namespace parlance::hub
