// SPDX-License-Identifier: Apache-2.0
// The conversation of a program's single request (SessionSetup::via): with history, hidden until its first ask, removed at the
// next start.
#include <gtest/gtest.h>

#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/log/imported_history.h"
#include "parlance/hub/runtime/change.h"
#include "parlance/hub/runtime/snapshot.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub {
namespace {

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
  EXPECT_EQ(bench.hub->find(id)->last_seq, 3U) << "what follows is new";
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
  ASSERT_TRUE(bench.hub->find(id)) << "whoever began it finds it";

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
  EXPECT_EQ(bench.loop.block_on(bench.hub->submit("nobody", ContinueTurn{})).error().code, Errc::not_found);
}

}  // namespace
}  // namespace parlance::hub
