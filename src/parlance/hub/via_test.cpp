// SPDX-License-Identifier: Apache-2.0
// Hidden conversations (SessionSetup::via), which the next start removes: of a program's single request, and during the adoption
// of an agent's session.
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/log/imported_history.h"
#include "parlance/hub/runtime/change.h"
#include "parlance/hub/runtime/snapshot.h"
#include "parlance/hub/test_several_hubs.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;
using test::Bench;

std::string begin(Bench& bench, ImportedHistory history = {}) {
  auto made = bench.loop.block_on(bench.hub->create({.agent = "scripted",
                                                     .folder = "/project",
                                                     .title = "HTTP: x",
                                                     .via = "http",
                                                     .history = std::make_shared<ImportedHistory>(std::move(history))}));
  EXPECT_TRUE(made);
  return made ? made->id : "";
}

Task<Result<StopReason>> ask_once(Turn& turn, Prompt) {
  PARLANCE_CO_TRY_DO(
      co_await turn.ask({.title = "May I?", .options = {{.id = "yes", .label = "Yes", .kind = OptionKind::allow_once}}}));
  co_return StopReason::end_turn;
}

TEST(Via, EarlierMessagesAreInLogAndHistory) {
  Bench bench;
  std::vector<ChatMessage> history;
  bench.script = [&](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    PARLANCE_CO_TRY(all, co_await turn.history());
    history = std::move(all);
    co_return StopReason::end_turn;
  };
  const AttachmentInfo picture{.id = "attachment_x", .media_type = "image/png", .bytes = 3};
  const std::string id = begin(bench, {.events = {event::TurnStart{.turn = "t"},
                                                  event::UserMessage{.turn = "t", .text = "Before.", .attachments = {{picture}}},
                                                  event::TurnEnd{.turn = "t"}},
                                       .attachments = {{.about = picture, .data = "PNG"}}});
  EXPECT_EQ(bench.hub->find(id)->last_seq, 3U) << "later events are new";
  EXPECT_EQ(bench.hub->find(id)->title, "HTTP: x");
  bench.prompt(id, "Now.");
  bench.loop.advance(std::chrono::seconds(1));
  ASSERT_EQ(history.size(), 2U);
  EXPECT_EQ(history[0].content, "Before.");
  EXPECT_EQ(history[0].attachments, std::vector{picture});
  EXPECT_EQ(history[1].content, "Now.");
  EXPECT_EQ(bench.store.attachments.at("attachment_x").data, "PNG");
}

TEST(Via, FrontendsSeeTheConversationAfterItsFirstAsk) {
  Bench bench;
  const auto watcher = bench.hub->watch();
  const std::string id = begin(bench);
  bench.prompt(id);
  bench.loop.advance(std::chrono::seconds(1));
  EXPECT_EQ(watcher->queued(), 0U);
  EXPECT_TRUE(bench.hub->snapshot().conversations.empty());
  ASSERT_TRUE(bench.hub->find(id)) << "its creator finds it";

  bench.script = ask_once;
  bench.prompt(id);
  bench.loop.advance(std::chrono::seconds(1));
  std::size_t asks = 0;
  std::size_t rows = 0;
  for (const ChangePtr& change : bench.loop.block_on(watcher->next())) {
    asks += std::holds_alternative<change::AskChanged>(*change) ? 1 : 0;
    rows += std::holds_alternative<change::ConversationChanged>(*change) ? 1 : 0;
  }
  EXPECT_EQ(asks, 1U);
  EXPECT_GE(rows, 1U);
  EXPECT_EQ(bench.hub->snapshot().conversations.at(0).via, "http");
}

TEST(Via, ConversationAndAskAreRemovedAtTheNextStart) {
  Bench bench;
  const std::string kept = bench.conversation();
  bench.script = ask_once;
  bench.prompt(begin(bench));
  bench.loop.advance(std::chrono::seconds(1));
  ASSERT_EQ(bench.store.asks.size(), 1U);
  bench.crash();
  const Snapshot after = bench.hub->snapshot();
  ASSERT_EQ(after.conversations.size(), 1U);
  EXPECT_EQ(after.conversations[0].id, kept);
  EXPECT_TRUE(after.asks.empty());
  EXPECT_EQ(bench.store.conversations.size(), 1U);
}

TEST(Via, AnAgentGoesOnWithoutANewMessage) {
  Bench bench;
  const std::string id = begin(bench);
  bool resumed = false;
  bench.script = [&](Turn& turn, Prompt prompt) -> Task<Result<StopReason>> {
    resumed = prompt.resume && prompt.resume->call.id.empty();
    const auto twice = co_await bench.hub->submit(turn.setup().id, ContinueTurn{});
    EXPECT_EQ(twice.error().code, Errc::invalid_request) << "one turn at a time";
    co_return StopReason::end_turn;
  };
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(id, ContinueTurn{})));
  bench.loop.advance(std::chrono::seconds(1));
  EXPECT_TRUE(resumed);
  EXPECT_EQ(bench.trace(id), "turn_start turn_end");
  EXPECT_EQ(bench.loop.block_on(bench.hub->submit("unknown", ContinueTurn{})).error().code, Errc::not_found);
}

// ---- adopted sessions ------------------------------------------------------------------------------------------------------

TEST(Adopt, HistoryBecomesTurnsAndTheNextPromptContinues) {
  test::Bench bench;
  bench.log.resuming = [&](ReplaySink& sink) -> Task<Result<void>> {
    sink.user("first words", {{.about = {.media_type = "text/plain", .name = "a.txt"}, .data = "bytes"}});
    sink.emit(event::ThinkingStart{});
    sink.emit(event::ToolStart{.call = "k", .tool = "t"});
    sink.emit(event::TurnEnd{});  // only the hub may write this event
    sink.user("second", {});
    sink.set_title("About files");
    sink.emit(event::Text{"answer"});
    co_return co_await sink.written();
  };
  const auto made = bench.loop.block_on(bench.hub->adopt({.agent = "scripted", .folder = "/project"}, "session-7"));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->title, "About files") << "else its first words";
  EXPECT_EQ(made->agent_session, (AgentSession{.id = "session-7"}));
  EXPECT_EQ(bench.trace(made->id),
            "turn_start user think_start tool_start think_end tool_end:cancelled turn_end turn_start user text turn_end");
  const auto& said = std::get<event::UserMessage>(bench.store.logs[made->id][1].body);
  ASSERT_TRUE(said.attachments);
  EXPECT_EQ(bench.store.attachments.at(said.attachments->front().id).data, "bytes");
  bench.prompt(made->id, "third");
  bench.loop.advance(100ms);
  EXPECT_EQ(bench.log.opened, 1) << "the same agent";
  const auto history = bench.loop.block_on(bench.hub->history(made->id));
  ASSERT_EQ(history->size(), 6U);
  EXPECT_EQ((*history)[3].content, "second");
}

// An agent that has reported a message, and waits.
struct Halfway : test::Bench {
  Halfway() {
    log.resuming = [this](ReplaySink& sink) -> Task<Result<void>> {
      sink.user("before", {});
      PARLANCE_CO_TRY_DO(co_await sink.written());
      co_await go_on.wait();
      sink.emit(event::Text{"an answer"});
      co_return replayed;
    };
  }
  void adopt(std::optional<Result<Conversation>>& made) {
    scope.start([](Hub& in, std::optional<Result<Conversation>>& result) -> Task<void> {
      result = co_await in.adopt({.agent = "scripted", .folder = "/p"}, "s");
    }(*hub, made));
    loop.advance(100ms);
  }
  void finish() {
    go_on.notify_all();
    loop.advance(200ms);
  }
  // Of the only conversation in the store, hidden or not.
  std::string id() { return store.conversations.size() == 1 ? store.conversations.begin()->first : ""; }
  Signal go_on{loop};
  Result<void> replayed{};
  Scope scope{loop};
};

TEST(Adopt, FrontendsSeeTheConversationWithItsWholeHistory) {
  Halfway bench;
  const auto watcher = bench.hub->watch();
  std::optional<Result<Conversation>> made;
  bench.adopt(made);
  EXPECT_EQ(bench.trace(bench.id()), "turn_start user");
  EXPECT_TRUE(bench.hub->snapshot().conversations.empty());
  EXPECT_EQ(watcher->queued(), 0U);
  bench.finish();
  ASSERT_TRUE(made && *made);
  EXPECT_EQ((*made)->via, std::nullopt);
  ASSERT_EQ(bench.hub->snapshot().conversations.size(), 1U);
  EXPECT_EQ(bench.hub->snapshot().conversations[0].via, std::nullopt);
  EXPECT_GE(watcher->queued(), 1U);
  EXPECT_EQ(bench.trace((*made)->id), "turn_start user text turn_end");
}

TEST(Adopt, PromptsWaitForTheReplay) {
  Halfway bench;
  std::optional<Result<Conversation>> made;
  bench.adopt(made);
  const std::string id = bench.id();
  EXPECT_FALSE(bench.prompt(id, "after").queued.empty());
  EXPECT_EQ(bench.loop.block_on(bench.hub->submit(id, ContinueTurn{})).error().code, Errc::invalid_request);
  bench.loop.advance(100ms);
  EXPECT_EQ(bench.trace(id), "turn_start user");
  bench.finish();
  ASSERT_TRUE(made && *made);
  EXPECT_EQ(bench.trace(id), "turn_start user text turn_end turn_start user turn_end");
}

TEST(Adopt, ContinuesWithoutItsCaller) {
  Halfway bench;
  std::optional<Result<Conversation>> made;
  bench.adopt(made);
  bench.scope.cancel();
  bench.finish();
  EXPECT_EQ(bench.trace(bench.id()), "turn_start user text turn_end");
  EXPECT_EQ(bench.hub->snapshot().conversations.size(), 1U);
}

TEST(Adopt, ASecondCallerWaitsForTheWholeHistory) {
  Halfway bench;
  std::optional<Result<Conversation>> first;
  std::optional<Result<Conversation>> second;
  bench.adopt(first);
  bench.adopt(second);
  EXPECT_FALSE(second);
  bench.finish();
  ASSERT_TRUE(first && *first && second && *second);
  EXPECT_EQ((*second)->id, (*first)->id);
  EXPECT_EQ((*second)->last_seq, 4U);
  EXPECT_EQ(bench.log.opened, 1);
}

TEST(Adopt, ASecondCallerTriesAgainAfterAFailedReplay) {
  Halfway bench;
  std::optional<Result<Conversation>> first;
  std::optional<Result<Conversation>> second;
  bench.adopt(first);
  bench.adopt(second);
  bench.replayed = fail(Errc::failed, "the agent broke its session");
  bench.go_on.notify_all();
  bench.loop.advance(100ms);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->error().message, "the agent broke its session");
  bench.replayed = {};
  bench.finish();
  ASSERT_TRUE(second && *second);
  EXPECT_EQ(bench.trace((*second)->id), "turn_start user text turn_end");
}

TEST(Adopt, ACrashDuringTheReplayLeavesNoConversation) {
  Halfway bench;
  std::optional<Result<Conversation>> made;
  bench.adopt(made);
  ASSERT_EQ(bench.store.conversations.size(), 1U);
  bench.scope.cancel();
  bench.crash();
  bench.loop.advance(100ms);
  EXPECT_TRUE(bench.store.conversations.empty());
  bench.adopt(made);
  bench.finish();
  ASSERT_TRUE(made && *made);
  EXPECT_EQ(bench.trace((*made)->id), "turn_start user text turn_end") << "the session can be adopted after the crash";
}

TEST(Adopt, FailedReplayLeavesNoConversation) {
  test::Bench bench;
  const auto none = bench.loop.block_on(bench.hub->adopt({.agent = "scripted", .folder = "/p"}, "s"));
  EXPECT_EQ(none.error().code, Errc::unknown_method);
  bench.log.resuming = [](ReplaySink& sink) -> Task<Result<void>> {
    sink.user("half", {});
    co_return fail(Errc::not_found, "No conversation found with session ID: s");
  };
  const auto lost = bench.loop.block_on(bench.hub->adopt({.agent = "scripted", .folder = "/p"}, "s"));
  EXPECT_EQ(lost.error().code, Errc::not_found);
  bench.loop.advance(100ms);
  EXPECT_TRUE(bench.hub->snapshot().conversations.empty());
  EXPECT_TRUE(bench.store.conversations.empty());
  EXPECT_EQ(bench.log.destroyed, 2);
  EXPECT_EQ(bench.loop.block_on(bench.hub->adopt({.agent = "scripted", .folder = "/p"}, "")).error().code, Errc::invalid_params);
}

using AdoptAtSeveralHubs = test::SeveralHubs;

TEST_F(AdoptAtSeveralHubs, TheOtherHubSeesTheConversationAfterTheReplay) {
  Signal go_on(loop);
  a.log.resuming = [&](ReplaySink& sink) -> Task<Result<void>> {
    sink.user("before", {});
    PARLANCE_CO_TRY_DO(co_await sink.written());
    co_await go_on.wait();
    co_return Result<void>{};
  };
  std::optional<Result<Conversation>> made;
  Scope scope(loop);
  scope.start([](Hub& in, std::optional<Result<Conversation>>& result) -> Task<void> {
    result = co_await in.adopt({.agent = "scripted", .folder = "/project"}, "s");
  }(*a.hub, made));
  loop.advance(1s);
  EXPECT_TRUE(b.hub->snapshot().conversations.empty());
  const auto there = get(b.hub->adopt({.agent = "scripted", .folder = "/project"}, "s"));
  EXPECT_THAT(there.error().message, testing::HasSubstr("try again"));
  go_on.notify_all();
  loop.advance(1s);
  ASSERT_TRUE(made && *made);
  ASSERT_EQ(b.hub->snapshot().conversations.size(), 1U);
  const auto again = get(b.hub->adopt({.agent = "scripted", .folder = "/project"}, "s"));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->id, (*made)->id);
}

TEST_F(AdoptAtSeveralHubs, TwoHubsAtOnceNeverContinueOneSessionTwice) {
  const auto resuming = [](ReplaySink& sink) -> Task<Result<void>> {
    sink.user("before", {});
    co_return co_await sink.written();
  };
  a.log.resuming = b.log.resuming = resuming;
  std::vector<Result<Conversation>> made;
  Scope scope(loop);
  for (Hub* const hub : {a.hub.get(), b.hub.get()})
    scope.start([](Hub& in, std::vector<Result<Conversation>>& results) -> Task<void> {
      results.push_back(co_await in.adopt({.agent = "scripted", .folder = "/project"}, "s"));
    }(*hub, made));
  loop.advance(1s);
  ASSERT_EQ(made.size(), 2U);
  EXPECT_EQ(std::ranges::count_if(made, &Result<Conversation>::has_value), shared.memory.conversations.size());
  EXPECT_LE(shared.memory.conversations.size(), 1U);
  for (const Result<Conversation>& result : made)
    if (!result) EXPECT_THAT(result.error().message, testing::HasSubstr("try again"));
  const auto first = get(a.hub->adopt({.agent = "scripted", .folder = "/project"}, "s"));
  ASSERT_TRUE(first) << first.error().message;
  loop.advance(1s);
  const auto second = get(b.hub->adopt({.agent = "scripted", .folder = "/project"}, "s"));
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(second->id, first->id);
  EXPECT_EQ(shared.memory.conversations.size(), 1U);
}

TEST_F(AdoptAtSeveralHubs, AnotherAgentMayUseTheSameNameForItsSession) {
  a.log.resuming = b.log.resuming = [](ReplaySink&) -> Task<Result<void>> { co_return Result<void>{}; };
  Conversation other{{.id = "other", .agent = "another", .agent_session = {.id = "s"}}, {}};
  shared.memory.put(other);
  const auto made = get(a.hub->adopt({.agent = "scripted", .folder = "/project"}, "s"));
  EXPECT_TRUE(made) << made.error().message;
}

}  // namespace
}  // namespace parlance::hub
