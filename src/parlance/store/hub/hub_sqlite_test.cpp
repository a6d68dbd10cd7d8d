// SPDX-License-Identifier: Apache-2.0
// The store on SQLite, as all stores have to be.
#include "parlance/store/hub/hub_sqlite.h"

#include <algorithm>
#include <utility>

#include "parlance/store/hub/test_store_suite.h"
#include "parlance/store/test_folder.h"

namespace parlance::store::test {
namespace {

struct Sqlite {
  static std::string unavailable() { return ""; }
  std::unique_ptr<hub::Store> open(Loop& loop) { return std::make_unique<HubSqlite>(loop, folder.path()); }
  void close(Loop&, std::unique_ptr<hub::Store> store) { store.reset(); }
  TestFolder folder;
};

INSTANTIATE_TYPED_TEST_SUITE_P(Sqlite, StoreSuite, Sqlite);

struct SearchIndex : StoreSuite<Sqlite> {};

std::size_t count_parts(SearchIndex& suite, const std::string& words) {
  const std::string found = parts(suite, words);
  return static_cast<std::size_t>(std::ranges::count(found, ':'));
}

TEST_F(SearchIndex, TakesSmallTurnsTogether) {
  for (std::uint64_t first = 1; first < 31 * 4; first += 4)
    ASSERT_TRUE(commit({.conversation = conversation("c"), .events_of = "c", .events = turn_of(first, "prompt", "answer")}));
  EXPECT_EQ(count_parts(*this, "nowhere"), 31U) << "a search reads their logs";
  ASSERT_TRUE(commit({.conversation = conversation("c"), .events_of = "c", .events = turn_of(125, "prompt", "needle")}));
  EXPECT_EQ(count_parts(*this, "nowhere"), 0U);
  EXPECT_EQ(count_parts(*this, "answer"), 31U);
  EXPECT_EQ(count_parts(*this, "needle"), 1U);
}

TEST_F(SearchIndex, TakesALongTurnAtItsEnd) {
  std::vector<hub::Event> turn = turn_of(1, "prompt", "needle");
  const hub::Event end = std::exchange(turn.back(), text(4));
  for (std::uint64_t seq = 5; seq < 100; ++seq) turn.push_back(text(seq));
  turn.push_back(end);
  turn.back().seq = 100;
  ASSERT_TRUE(commit({.conversation = conversation("c"), .events_of = "c", .events = turn}));
  EXPECT_EQ(count_parts(*this, "nowhere"), 0U);
  EXPECT_EQ(count_parts(*this, "needle"), 1U);
}

TEST_F(SearchIndex, HasNoPartWithoutTexts) {
  for (std::uint64_t first = 1; first < 33 * 4; first += 4) {
    std::vector<hub::Event> turn = turn_of(first, "", "");
    turn[1].body = hub::event::ToolStart{.call = "k"};
    turn[2].body = hub::event::ToolEnd{.call = "k"};
    ASSERT_TRUE(commit({.conversation = conversation("c"), .events_of = "c", .events = turn}));
  }
  EXPECT_LT(count_parts(*this, "nowhere"), 32U);
}

}  // namespace
}  // namespace parlance::store::test
