// SPDX-License-Identifier: Apache-2.0
// The store on SQLite, as all stores have to be, and the texts of the store in memory.
#include "parlance/store/hub/hub_sqlite.h"

#include <algorithm>
#include <utility>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/in_memory_store.h"
#include "parlance/store/hub/test_store_suite.h"
#include "parlance/store/test_folder.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::store::test {
namespace {

struct Sqlite {
  static std::string unavailable() { return ""; }
  std::unique_ptr<hub::Store> open(Loop& loop) { return std::make_unique<HubSqlite>(loop, folder.path()); }
  void close(Loop&, std::unique_ptr<hub::Store> store) { store.reset(); }
  TestFolder folder;
};

INSTANTIATE_TYPED_TEST_SUITE_P(Sqlite, StoreSuite, Sqlite);

TEST(InMemoryStore, EventTextsAreTheJsonOfTheEvents) {
  Loop loop;
  hub::InMemoryStore store(wire_form::event_json);
  compare_texts(loop, store);
}

struct SearchIndex : StoreSuite<Sqlite> {};

std::size_t count_parts(SearchIndex& suite, const std::string& words) {
  const std::string found = parts(suite, words);
  return static_cast<std::size_t>(std::ranges::count(found, ':'));
}

TEST_F(SearchIndex, TakesSmallTurnsOfAConversationTogether) {
  const auto turns = [&](std::uint64_t first, std::uint64_t last) {
    for (; first < last; first += 4)
      ASSERT_TRUE(commit({.conversation = conversation("c"), .events_of = "c", .events = turn_of(first, "prompt", "answer")}));
  };
  turns(1, 64);
  EXPECT_EQ(parts(*this, "nowhere"), "c:1-64") << "a search reads the log";
  turns(65, 66);
  EXPECT_EQ(parts(*this, "nowhere"), "");
  EXPECT_EQ(parts(*this, "answer"), "c:1-68");
  turns(69, 70);
  EXPECT_EQ(parts(*this, "answer"), "c:69-72 c:1-68");
}

TEST_F(SearchIndex, TakesTurnsOfManyConversationsTogether) {
  const auto turn_in = [&](int number) {
    const std::string id = "c" + std::to_string(number);
    return commit({.conversation = conversation(id), .events_of = id, .events = turn_of(1, "prompt", "answer")});
  };
  hub::Conversation running = *conversation("running");
  running.turn = "t";
  std::vector<hub::Event> begun = turn_of(1, "running", "answer");
  begun.pop_back();
  ASSERT_TRUE(
      commit({.conversation = std::make_shared<const hub::Conversation>(running), .events_of = "running", .events = begun}));
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(turn_in(i));
  EXPECT_EQ(count_parts(*this, "nowhere"), 31U);
  ASSERT_TRUE(turn_in(30));
  EXPECT_EQ(parts(*this, "nowhere"), "running:1-3");
  EXPECT_EQ(count_parts(*this, "answer"), 32U);
}

TEST_F(SearchIndex, TakesALongTurnAtItsEnd) {
  std::vector<hub::Event> turn = turn_of(1, "prompt", "needle");
  const hub::Event end = std::exchange(turn.back(), text(4));
  for (std::uint64_t seq = 5; seq < 100; ++seq) turn.push_back(text(seq));
  turn.push_back(end);
  turn.back().seq = 100;
  ASSERT_TRUE(commit({.conversation = conversation("c"), .events_of = "c", .events = turn}));
  EXPECT_EQ(parts(*this, "nowhere"), "");
  EXPECT_EQ(parts(*this, "needle"), "c:1-100");
}

TEST_F(SearchIndex, KeepsATurnThatBeginsWithTheEndOfAnother) {
  std::vector<hub::Event> turn = turn_of(1, "prompt", "needle");
  for (std::uint64_t seq = 5; seq < 70; ++seq) turn.push_back(text(seq));
  std::swap(turn[3].body, turn.back().body);
  std::vector<hub::Event> next = turn_of(70, "second", "thread");
  next.pop_back();
  turn.insert(turn.end(), next.begin(), next.end());
  ASSERT_TRUE(commit({.conversation = conversation("c"), .events_of = "c", .events = turn}));
  EXPECT_EQ(parts(*this, "needle"), "c:70-72 c:1-69");
}

TEST_F(SearchIndex, DividesGroupsWithMuchText) {
  const std::string words(200'000, 'x');  // two such turns exceed limits::indexed_bytes
  for (std::uint64_t first = 1; first < 66; first += 4)
    ASSERT_TRUE(commit({.conversation = conversation("c"), .events_of = "c", .events = turn_of(first, "prompt", words)}));
  EXPECT_EQ(parts(*this, "nowhere"), "");
  EXPECT_EQ(count_parts(*this, "prompt"), 17U);
}

TEST_F(SearchIndex, BeginsAfterAClearOfTheSameCommit) {
  std::vector<hub::Event> events = turn_of(1, "secret", std::string(100'000, 'x'));  // its size alone ends a part
  hub::Event cleared = text(5);
  cleared.body = hub::event::Cleared{};
  events.push_back(cleared);
  std::vector<hub::Event> next = turn_of(6, "prompt", "answer");
  for (std::uint64_t seq = 10; seq < 80; ++seq) next.push_back(text(seq));
  std::swap(next[3].body, next.back().body);
  events.insert(events.end(), next.begin(), next.end());
  ASSERT_TRUE(commit({.conversation = conversation("c"), .events_of = "c", .events = events}));
  EXPECT_EQ(parts(*this, "secret"), "");
  EXPECT_EQ(parts(*this, "prompt"), "c:5-79");
}

TEST_F(SearchIndex, HasNoPartWithoutTexts) {
  for (std::uint64_t first = 1; first < 100; first += 4) {
    std::vector<hub::Event> turn = turn_of(first, "", "");
    turn[1].body = hub::event::ToolStart{.call = "k"};
    turn[2].body = hub::event::ToolEnd{.call = "k"};
    ASSERT_TRUE(commit({.conversation = conversation("c"), .events_of = "c", .events = turn}));
  }
  EXPECT_EQ(parts(*this, "nowhere"), "c:69-100");
}

}  // namespace
}  // namespace parlance::store::test
