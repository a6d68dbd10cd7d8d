// SPDX-License-Identifier: Apache-2.0
// A database of the first release opens in every later version. tests/vectors/hub/schema_6.sql is such a database; the script
// scripts/freeze_store.sh writes the file with the first test.
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/commit.h"
#include "parlance/store/hub/hub_file.h"
#include "parlance/store/test_folder.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::store {
namespace {

using namespace hub;

Event at(std::uint64_t seq, EventBody body) { return {.seq = seq, .time = "2026-12-01T08:00:00.000Z", .body = std::move(body)}; }

std::vector<Event> frozen_events() {
  const Ask ask{.id = "ask_1", .conversation = "conv_1", .call = "k1", .title = "Change notes.txt", .why = "The agent asks."};
  return {
      at(1, event::TurnStart{.turn = "t1"}),
      at(2, event::UserMessage{.turn = "t1", .text = "Say hello to the world"}),
      at(3, event::ToolStart{.call = "k1", .tool = "edit_file", .title = "notes.txt", .input_json = R"({"path":"notes.txt"})"}),
      at(4, event::ToolConfirmation{.ask = ask}),
      at(5, event::AskSettled{.ask = "ask_1", .chosen = "allow", .by = "person"}),
      at(6, event::ToolUpdate{.call = "k1", .content = {{Diff{.path = "notes.txt", .before = "a", .after = "b"}}}}),
      at(7, event::ToolOutput{.call = "k1", .text = "Changed notes.txt."}),
      at(8, event::ToolEnd{.call = "k1"}),
      at(9, event::Text{.text = "Done: 你好."}),
      at(10, event::Usage{.input_tokens = 12, .output_tokens = 3, .cost = Cost{.amount = 0.25}}),
      at(11, event::TurnEnd{.turn = "t1"})};
}

TEST(FrozenStore, IsWrittenForTheScript) {
  const char* const folder = std::getenv("PARLANCE_FREEZE");
  if (folder == nullptr) GTEST_SKIP() << "scripts/freeze_store.sh";
  HubFile file(folder);
  ASSERT_TRUE(file.commit(
      {.conversation = std::make_shared<const Conversation>(
           Conversation{{.id = "conv_1",
                         .title = "Hello",
                         .agent = "parlance",
                         .folder = "/f",
                         .agent_session = {.id = "s1", .how = AgentSession::How::fork}},
                        {.created_at = "2026-12-01T08:00:00.000Z", .updated_at = "2026-12-01T08:00:00.000Z"}}),
       .events_of = "conv_1",
       .events = frozen_events(),
       .attachments = {{.about = {.id = "att_1", .media_type = "image/png", .name = "a.png", .bytes = 3}, .data = "abc"}},
       .asks = {{.id = "ask_2", .conversation = "conv_1", .title = "Run make", .state = AskState::orphaned}},
       .rules = {{.id = "rule_1", .effect = Effect::allow, .label = "Edits in /f", .folder = "/f", .tool = "edit_file"}},
       .spent = {
           {.day = "2026-12-01", .conversation = "conv_1", .spent = {.turns = 1, .input_tokens = 12, .output_tokens = 3}}}}));
}

TEST(FrozenStore, Schema6OpensWithAllItsRows) {
  TestFolder folder;
  {
    std::ifstream script(std::string(PARLANCE_SOURCE_DIR) + "/tests/vectors/hub/schema_6.sql");
    const std::string sql{std::istreambuf_iterator<char>(script), {}};
    auto db = sqlite::Database::open(folder.path() + "/hub.db");
    ASSERT_TRUE(db && !sql.empty());
    const auto filled = (*db)->execute(sql);
    ASSERT_TRUE(filled) << filled.error().message;
  }
  HubFile file(folder.path());
  const auto stored = file.load();
  ASSERT_TRUE(stored) << stored.error().message;
  ASSERT_EQ(stored->conversations.size(), 1U);
  EXPECT_EQ(stored->conversations[0].unpack().last_seq, 11U);
  EXPECT_EQ(stored->conversations[0].unpack().agent_session, (AgentSession{.id = "s1", .how = AgentSession::How::fork}));
  ASSERT_EQ(stored->asks.size(), 1U);
  EXPECT_EQ(stored->asks[0].title, "Run make");
  ASSERT_EQ(stored->rules.size(), 1U);
  EXPECT_EQ(stored->rules[0].tool, "edit_file");
  EXPECT_EQ(*file.events("conv_1", 0, UINT64_MAX, 0), frozen_events());
  std::vector<EventText> texts;
  for (const Event& event : frozen_events()) texts.push_back({.seq = event.seq, .event_json = wire_form::event_json(event)});
  EXPECT_EQ(*file.event_texts("conv_1", 0, UINT64_MAX, 0), texts);
  EXPECT_EQ((*file.attachment("att_1"))->data, "abc");
  EXPECT_EQ(file.spent("")->at(0).spent.input_tokens, 12U);
  EXPECT_EQ(file.parts_with("hello", 0, 10)->parts.size(), 1U);
  EXPECT_TRUE(file.parts_with("nowhere", 0, 10)->parts.empty());
  ASSERT_TRUE(file.commit({.events_of = "conv_1", .events = {at(12, event::TurnStart{.turn = "t2"})}}));
  ASSERT_TRUE(file.remove_conversation("conv_1"));
  EXPECT_TRUE(file.parts_with("hello", 0, 10)->parts.empty());
}

}  // namespace
}  // namespace parlance::store
