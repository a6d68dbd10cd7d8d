// SPDX-License-Identifier: Apache-2.0
// The open parts of a crashed program's log.
#include "parlance/hub/log/unfinished_turn.h"

#include <gtest/gtest.h>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/commit.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;

struct LeftBench {
  // A second later each.
  LeftBench& add(EventBody body, std::string time = "") {
    auto& log = store.logs["c"];
    const std::size_t n = log.size() + 1;
    if (time.empty()) time = "2024-05-06T07:08:" + std::string(n < 10 ? "0" : "") + std::to_string(n) + ".000Z";
    log.push_back({.seq = n, .time = std::move(time), .body = std::move(body)});
    return *this;
  }
  std::uint64_t last() { return store.logs["c"].size(); }
  UnfinishedTurn open() { return loop.block_on(unfinished_turn(store, "c", last())).value(); }
  std::string calls() {
    std::string all;
    for (const std::string& call : open().calls) all += call + " ";
    return all;
  }
  event::ToolStart newest(std::string call) { return loop.block_on(newest_start(store, "c", last(), std::move(call))).value(); }

  Loop loop;
  test::MemoryStore store{loop};
};

event::ToolStart start(std::string call, std::string title = "") { return {.call = std::move(call), .title = std::move(title)}; }

// ---- the last turn ------------------------------------------------------------------------------------------------------------------

TEST(UnfinishedTurn, EmptyLogHasNoOpenParts) {
  LeftBench bench;
  EXPECT_EQ(bench.calls(), "");
  EXPECT_FALSE(bench.open().thinking);
  EXPECT_EQ(bench.open().duration, 0ms);
}

TEST(UnfinishedTurn, ACallWithoutAnEndIs) {
  LeftBench bench;
  bench.add(event::TurnStart{"t"}).add(start("a")).add(start("b")).add(start("c")).add(event::ToolEnd{.call = "b"});
  EXPECT_EQ(bench.calls(), "a c ");
}

TEST(UnfinishedTurn, RestartedCallIsOpen) {
  LeftBench bench;
  bench.add(event::TurnStart{"t"}).add(start("a")).add(event::ToolEnd{.call = "a"}).add(start("a"));
  EXPECT_EQ(bench.calls(), "a ");
}

TEST(UnfinishedTurn, EndOfAnUnknownCallIsIgnored) {
  LeftBench bench;
  bench.add(event::TurnStart{"t"}).add(event::ToolEnd{.call = "x"}).add(event::ThinkingEnd{});
  EXPECT_EQ(bench.calls(), "");
  EXPECT_FALSE(bench.open().thinking);
}

TEST(UnfinishedTurn, ThoughtIsOpenUntilItsEnd) {
  LeftBench bench;
  bench.add(event::TurnStart{"t"}).add(event::ThinkingStart{}).add(event::ThinkingContent{"hm"});
  EXPECT_TRUE(bench.open().thinking);
  bench.add(event::ThinkingEnd{});
  EXPECT_FALSE(bench.open().thinking);
}

TEST(UnfinishedTurn, OnlyTheLastTurnIsLookedAt) {
  LeftBench bench;
  bench.add(event::TurnStart{"t"}).add(start("old")).add(event::ThinkingStart{}).add(event::TurnStart{"u"}).add(start("new"));
  EXPECT_EQ(bench.calls(), "new ");
  EXPECT_FALSE(bench.open().thinking);
}

TEST(UnfinishedTurn, ALogWithoutATurnIsReadFromItsBeginning) {
  LeftBench bench;
  bench.add(start("a")).add(event::Notice{});
  EXPECT_EQ(bench.calls(), "a ");
}

TEST(UnfinishedTurn, DurationEndsAtTheLastEvent) {
  LeftBench bench;
  bench.add(event::Notice{}).add(event::TurnStart{"t"}).add(event::Text{"a"}).add(event::Text{"b"});
  EXPECT_EQ(bench.open().duration, 2s);
}

TEST(UnfinishedTurn, BackwardClockOrInvalidTimeGivesZero) {
  LeftBench bench;
  bench.add(event::TurnStart{"t"}, "2024-05-06T07:08:09Z").add(event::Text{"a"}, "2024-05-06T07:08:01Z");
  EXPECT_EQ(bench.open().duration, 0ms);
  LeftBench odd;
  odd.add(event::TurnStart{"t"}, "yesterday").add(event::Text{"a"});
  EXPECT_EQ(odd.open().duration, 0ms);
}

TEST(UnfinishedTurn, ATurnOfManyMegabytesIsReadInParts) {
  LeftBench bench;
  bench.add(event::TurnStart{"t"}).add(start("early"));
  for (int i = 0; i < 40; ++i) bench.add(event::Text{std::string(100'000, 'x')});
  bench.add(start("late"));
  EXPECT_EQ(bench.calls(), "early late ");
  EXPECT_GE(bench.store.forward_reads, 4) << "a part has a megabyte";
}

TEST(UnfinishedTurn, ReadFailureIsAnError) {
  LeftBench bench;
  bench.add(event::TurnStart{"t"});
  bench.store.unreadable = true;
  const auto open = bench.loop.block_on(unfinished_turn(bench.store, "c", 1));
  ASSERT_FALSE(open.has_value());
  EXPECT_EQ(open.error().message, "the disk cannot be read");
}

// ---- a repeated call ----------------------------------------------------------------------------------------------------------

TEST(NewestStart, UnknownCallIsEmpty) {
  LeftBench bench;
  EXPECT_EQ(bench.newest("a").call, "");
  bench.add(start("b")).add(event::ToolUpdate{.call = "a", .title = "later"});
  EXPECT_EQ(bench.newest("a").call, "");
}

TEST(NewestStart, ReturnsTheLastStartOfAnId) {
  LeftBench bench;
  bench.add(start("a", "first")).add(event::ToolEnd{.call = "a"}).add(start("a", "second")).add(start("b", "other"));
  EXPECT_EQ(bench.newest("a").title, "second");
}

TEST(NewestStart, IncludesLaterUpdates) {
  LeftBench bench;
  bench.add(event::ToolUpdate{.call = "a", .title = "before it began"})
      .add({event::ToolStart{.call = "a", .title = "t", .input_json = "{}"}});
  EXPECT_EQ(bench.newest("a").title, "t");
  bench.add(event::ToolUpdate{.call = "a", .input_json = R"({"n":1})"})
      .add(event::ToolUpdate{.call = "b", .title = "of another"});
  EXPECT_EQ(bench.newest("a").title, "t") << "members absent from an update stay";
  EXPECT_EQ(bench.newest("a").input_json, R"({"n":1})");
  bench.add(event::ToolUpdate{.call = "a", .title = ""});
  EXPECT_EQ(bench.newest("a").title, "") << "an empty member counts";
}

TEST(NewestStart, FindsAStartAtAnyDistance) {
  LeftBench bench;
  bench.add(start("a", "far"));
  for (int i = 0; i < 4500; ++i) bench.add(event::Usage{}, "t");
  EXPECT_EQ(bench.newest("a").title, "far");
}

// ---- abandoned conversations --------------------------------------------------------------------------------------------------

TEST(RemoveLeftBehind, GoesWithAsksAndRulesAndLeavesEverybodyElses) {
  LeftBench bench;
  bench.store.put({{.id = "mine"}});
  bench.store.put({{.id = "theirs", .via = "http"}});
  Stored stored{.conversations = {Conversation{{.id = "theirs", .via = "http"}}, Conversation{{.id = "mine"}}},
                .asks = {{.id = "1", .conversation = "theirs"}, {.id = "2", .conversation = "mine"}},
                .rules = {{.id = "r", .conversation = "theirs"}, {.id = "s"}}};
  ASSERT_TRUE(bench.loop.block_on(remove_abandoned(bench.store, stored)).has_value());
  ASSERT_EQ(stored.conversations.size(), 1U);
  EXPECT_EQ(stored.conversations[0].id(), "mine");
  ASSERT_EQ(stored.asks.size(), 1U);
  EXPECT_EQ(stored.asks[0].id, "2");
  ASSERT_EQ(stored.rules.size(), 1U);
  EXPECT_EQ(stored.rules[0].id, "s") << "a rule for all conversations stays";
  EXPECT_FALSE(bench.store.has("theirs"));
  EXPECT_TRUE(bench.store.has("mine"));
}

}  // namespace
}  // namespace parlance::hub
