// SPDX-License-Identifier: Apache-2.0
// A state folder that version 0.1 left: it opens, shows what was said, and goes on.
#include <algorithm>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "parlance/hub/test_support.h"
#include "parlance/sqlite/database.h"
#include "parlance/store/hub/event_tables.h"
#include "parlance/store/hub/hub_sqlite.h"
#include "parlance/store/test_folder.h"

namespace parlance::store {
namespace {

using namespace hub;

class Version01 : public testing::Test {
 protected:
  Version01() {
    std::ifstream script(std::string(PARLANCE_SOURCE_DIR) + "/tests/vectors/hub/version_0_1.sql");
    const std::string sql{std::istreambuf_iterator<char>(script), {}};
    auto db = sqlite::Database::open(folder.path() + "/hub.db");
    PARLANCE_CHECK(db && !sql.empty() && (*db)->execute(sql), "a database of version 0.1");
    db->reset();
    hub = std::make_unique<Hub>(loop, store);
    hub->add_agent(std::make_unique<hub::test::ScriptedProvider>(turns, log));
    const Result<void> started = loop.block_on(hub->start());
    PARLANCE_CHECK(started, "a hub that starts");
  }
  std::vector<Event> events(const std::string& id) {
    auto all = loop.block_on(store.events(id, 0, UINT64_MAX, 0));
    PARLANCE_CHECK(all, "events that read");
    return *std::move(all);
  }
  void settle(const std::string& id) {
    const auto busy = [&](const Conversation& one) { return one.state != ConversationState::idle || !one.queued.empty(); };
    while (busy(*hub->find(id))) loop.run_for(std::chrono::milliseconds(2));
  }
  template <class E>
  const E* last(const std::vector<Event>& all) {
    for (auto one = all.rbegin(); one != all.rend(); ++one)
      if (const auto* found = std::get_if<E>(&one->body)) return found;
    return nullptr;
  }

  Loop loop;
  TestFolder folder;
  HubSqlite store{loop, folder.path()};
  hub::test::AgentLog log;
  hub::test::Script turns = [](Turn&, Prompt) -> Task<Result<StopReason>> { co_return StopReason::end_turn; };
  std::unique_ptr<Hub> hub;
};

TEST_F(Version01, ShowsAllThatWasSaid) {
  EXPECT_EQ(hub->snapshot().conversations.size(), 5U);
  const std::vector<Event> edited = events("conv_edit");
  ASSERT_EQ(edited.size(), 12U);
  const auto* end = last<event::ToolEnd>(edited);
  ASSERT_TRUE(end != nullptr && end->diff);
  EXPECT_EQ(end->diff->after, "goodbye there\n");
  const auto* usage = last<event::Usage>(edited);
  ASSERT_TRUE(usage != nullptr && usage->cost);
  EXPECT_EQ(*usage->cost, (Cost{.amount = 0.25, .currency = "USD"}));
  EXPECT_EQ(last<event::ToolStart>(edited)->kind, CallKind::other);
  EXPECT_TRUE(last<event::UserMessage>(edited)->text.starts_with("edit notes.txt"));
  for (const char* id : {"conv_write", "conv_ask", "conv_plan", "conv_edit"})
    for (const Event& event : events(id)) EXPECT_TRUE(event_from_json(event_json(event))) << id << " " << event.seq;
  const auto history = loop.block_on(hub->history("conv_edit"));
  ASSERT_TRUE(history);
  ASSERT_EQ(history->size(), 4U) << "prompt, call, result, answer";
  EXPECT_EQ(history->at(2).results.at(0).text, "Changed notes.txt.");
}

TEST_F(Version01, GoesOn) {
  std::size_t known = 0;
  turns = [&](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    const auto history = co_await turn.history();
    known = history ? history->size() : 0;
    turn.emit(event::ToolStart{.call = "c", .tool = "t", .kind = CallKind::edit});
    turn.emit(event::ToolUpdate{.call = "c", .content = {{Diff{.path = "/a", .after = "1"}, Diff{.path = "/b", .after = "2"}}}});
    turn.emit(event::ToolEnd{.call = "c"});
    co_return StopReason::end_turn;
  };
  ASSERT_TRUE(loop.block_on(hub->prompt("conv_edit", "and now?")));
  settle("conv_edit");
  EXPECT_EQ(known, 5U);
  hub.reset();
  hub = std::make_unique<Hub>(loop, store);
  ASSERT_TRUE(loop.block_on(hub->start()));
  const std::vector<Event> all = events("conv_edit");
  const auto* update = last<event::ToolUpdate>(all);
  ASSERT_TRUE(update != nullptr && update->content);
  EXPECT_EQ(update->content->size(), 2U);
}

TEST_F(Version01, WhatWaitedWhenItWasKilledCanBeAskedAgain) {
  const std::vector<Ask> asks = hub->snapshot().asks;
  ASSERT_EQ(asks.size(), 1U);
  EXPECT_EQ(asks[0].state, AskState::orphaned);
  EXPECT_FALSE(asks[0].editable);
  std::string resumed;
  turns = [&](Turn&, Prompt prompt) -> Task<Result<StopReason>> {
    if (prompt.resume) resumed = prompt.resume->call.tool + " " + prompt.resume->call.arguments_json.json();
    co_return StopReason::end_turn;
  };
  ASSERT_TRUE(loop.block_on(hub->reask("ask_killed")));
  settle("conv_killed");
  EXPECT_EQ(resumed, R"(write_file {"path":"notes.txt","content":"hello there\n"})");
  ASSERT_TRUE(loop.block_on(hub->clear("conv_killed")));
  EXPECT_TRUE(loop.block_on(hub->history("conv_killed"))->empty());
}

}  // namespace
}  // namespace parlance::store
