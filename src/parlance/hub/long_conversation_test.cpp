// SPDX-License-Identifier: Apache-2.0
// Long conversations and long turns: bounds of reads, and the agent's history.
#include <gtest/gtest.h>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/log/unfinished_turn.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;

// Counts the events read.
struct CountingStore final : test::MemoryStore {
  using MemoryStore::MemoryStore;
  Task<Result<std::vector<Event>>> events(std::string conversation, std::uint64_t after, std::uint64_t before,
                                          std::size_t limit) override {
    auto found = co_await MemoryStore::events(std::move(conversation), after, before, limit);
    if (found) read += found->size();
    co_return found;
  }
  Task<Result<std::vector<Event>>> events_after(std::string conversation, std::uint64_t after, std::uint64_t last,
                                                std::size_t most_bytes) override {
    auto found = co_await MemoryStore::events_after(std::move(conversation), after, last, most_bytes);
    if (found) read += found->size();
    co_return found;
  }
  std::size_t read = 0;
};

// An agent that reads its history twice a turn, like an agent with tools.
struct Conversing {
  Conversing() { begin(); }
  void begin() {
    hub.reset();
    hub = std::make_unique<Hub>(loop, store, HubSettings{.history_bytes = 10'000});
    hub->add_agent(std::make_unique<test::ScriptedProvider>(script, log));
    ASSERT_TRUE(loop.block_on(hub->start()));
  }
  void talk(std::size_t turns) {
    for (std::size_t i = 0; i < turns; ++i) {
      ASSERT_TRUE(loop.block_on(hub->submit(id, SendPrompt{.text = "prompt " + std::to_string(++said) + std::string(80, 'p')})));
      loop.advance(100ms);
    }
  }
  Loop loop{Loop::Time::virtual_};
  CountingStore store{loop};
  std::vector<ChatMessage> given;
  test::Script script = [this](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    for (int round = 0; round < 2; ++round) {
      PARLANCE_CO_TRY(history, co_await turn.history());
      given = std::move(history);
      turn.emit(event::Text{.text = std::string(100, 'a')});
    }
    co_return StopReason::end_turn;
  };
  test::AgentLog log;
  std::unique_ptr<Hub> hub;
  std::string id;
  std::size_t said = 0;
};

TEST(LongConversation, TurnReadsOnlyNewEventsAndHistoryIsBounded) {
  Conversing bench;
  bench.id = test::create(bench.loop, *bench.hub, {.agent = "scripted", .folder = "/f"});
  bench.talk(1000);
  EXPECT_LE(bench.store.read, 10U) << "the first turn only";
  EXPECT_TRUE(bench.given.front().after_others);
  EXPECT_EQ(bench.given.front().role, Role::user);
  std::size_t bytes = 0;
  for (const ChatMessage& message : bench.given) bytes += message.content.size();
  EXPECT_LE(bytes, 10'500U);
  EXPECT_GE(bytes, 5'000U);
  EXPECT_TRUE(bench.given.back().role == Role::assistant);
  EXPECT_TRUE(bench.given[bench.given.size() - 2].content.starts_with("prompt 1000"));
}

TEST(LongConversation, ThousandthTurnCostsAsMuchAsTheFirst) {
  Conversing bench;
  bench.id = bench.loop.block_on(bench.hub->create({.agent = "scripted", .folder = "/f"}))->id;
  bench.talk(1);
  const int commits = bench.store.commits;
  bench.talk(1);
  const int commits_of_turn = bench.store.commits - commits;
  bench.talk(997);  // the counts below are exact: more turns only take time
  bench.store.read = 0;
  const int before = bench.store.commits;
  bench.talk(1);
  EXPECT_EQ(bench.store.read, 0U);
  EXPECT_EQ(bench.store.commits - before, commits_of_turn);
  EXPECT_LE(bench.given.size(), 110U) << "history_bytes, and not the length of the conversation";
}

TEST(LongConversation, AgentWithoutHistoryCausesNoReads) {
  Conversing bench;
  bench.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    turn.emit(event::Text{"a"});
    co_return StopReason::end_turn;
  };
  bench.id = bench.loop.block_on(bench.hub->create({.agent = "scripted", .folder = "/f"}))->id;
  bench.talk(100);
  bench.begin();
  bench.talk(1);
  EXPECT_LE(bench.store.read, 0U);
}

TEST(LongConversation, AfterARestartOnlyTheEndIsRead) {
  Conversing bench;
  bench.id = bench.loop.block_on(bench.hub->create({.agent = "scripted", .folder = "/f"}))->id;
  bench.talk(1000);
  bench.begin();
  bench.store.read = 0;
  bench.talk(1);
  EXPECT_LE(bench.store.read, 600U);
  EXPECT_TRUE(bench.given.front().after_others);
  EXPECT_GE(bench.given.size(), 40U);
  bench.store.read = 0;
  bench.talk(5);
  EXPECT_EQ(bench.store.read, 0U);
}

TEST(LongConversation, CutStaysStableForManyTurns) {
  History history(1000);
  std::size_t changes = 0;
  std::string first;
  for (std::uint64_t i = 1; i <= 100; ++i) {
    history.add({.seq = 3 * i, .body = event::UserMessage{.turn = "t", .text = std::to_string(i) + std::string(40, 'u')}});
    history.add({.seq = 3 * i + 1, .body = event::Text{.text = std::string(60, 'a')}});
    const auto messages = history.messages();
    if (messages.front().content != first) ++changes;
    first = messages.front().content;
    EXPECT_LE(history.bytes(), 1100U);
    EXPECT_EQ(messages.back().role, Role::assistant);
  }
  EXPECT_LE(changes, 25U);
}

TEST(LongConversation, NewestPromptStaysAtAnyLength) {
  History history(1000);
  history.add({.seq = 1, .body = event::UserMessage{.turn = "t", .text = "small"}});
  history.add({.seq = 2, .body = event::UserMessage{.turn = "t", .text = std::string(5000, 'u')}});
  ASSERT_EQ(history.messages().size(), 1U);
  EXPECT_EQ(history.messages()[0].content.size(), 5000U);
  EXPECT_TRUE(history.messages()[0].after_others);
}

TEST(LongConversation, OpenCallOfALongTurnIsEndedAtTheNextStart) {
  test::Bench bench;
  bench.script = [&](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    turn.emit(event::ThinkingStart{});
    turn.emit(event::ToolStart{.call = "early", .tool = "t"});
    for (std::size_t i = 0; i < limits::page_events_most + 5000; ++i) turn.emit(event::Usage{.input_tokens = 1});
    co_await Signal(bench.loop).wait();
    co_return StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  bench.crash();
  const auto& log = bench.store.logs.at(id);
  ASSERT_GE(log.size(), 4U);
  EXPECT_TRUE(std::holds_alternative<event::ThinkingEnd>(log[log.size() - 4].body));
  const auto* end = std::get_if<event::ToolEnd>(&log[log.size() - 3].body);
  ASSERT_NE(end, nullptr);
  EXPECT_EQ(end->call, "early");
  EXPECT_TRUE(std::holds_alternative<event::TurnEnd>(log.back().body));
}

// 40 events of 400 KB: a read without a limit returns one page, and further reads return each event once.
TEST(LongConversation, APageOfEventsIsBoundedInBytes) {
  test::Bench bench;
  bench.script = [&](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    for (int i = 0; i < 40; ++i) turn.emit(event::Notice{.text = std::string(400'000, 'x')});
    co_return StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  std::vector<std::uint64_t> seen;
  std::uint64_t before = 0;
  do {
    const auto page = bench.loop.block_on(bench.hub->events(id, 0, before, limits::page_events_most));
    ASSERT_TRUE(page);
    ASSERT_FALSE(page->events.empty());
    std::size_t bytes = 0;
    std::vector<std::uint64_t> seqs;
    for (const Event& event : page->events) {
      bytes += weight_of(event.body);
      seqs.push_back(event.seq);
    }
    EXPECT_LE(bytes, 4U << 20);
    EXPECT_EQ(page->first_seq, seqs.front());
    seen.insert(seen.begin(), seqs.begin(), seqs.end());
    before = page->first_seq;
  } while (before > 1);
  ASSERT_EQ(seen.size(), bench.store.logs.at(id).size());
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], i + 1);
}

// A single event above the page limit is returned.
TEST(LongConversation, PageHasAtLeastOneEvent) {
  test::Bench bench;
  bench.script = [&](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    turn.emit(event::Notice{.text = std::string(5 << 20, 'x')});
    co_return StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  const std::uint64_t last = bench.store.logs.at(id).size();
  const auto page = bench.loop.block_on(bench.hub->events(id, 0, last, 0));  // excludes the end of the turn
  ASSERT_TRUE(page);
  ASSERT_EQ(page->events.size(), 1U);
  EXPECT_EQ(page->first_seq, last - 1);
}

}  // namespace
}  // namespace parlance::hub
