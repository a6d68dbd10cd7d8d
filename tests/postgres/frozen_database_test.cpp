// SPDX-License-Identifier: Apache-2.0
// A database of the first release opens in every later version. tests/vectors/hub/postgres_6.sql is such a database; the script
// scripts/freeze_store.sh writes the file with the first test.
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "parlance/store/hub/test_event_texts.h"
#include "parlance/store/hub_pg/hub_postgres.h"
#include "parlance/wire_form/command_forms.h"
#include "tests/postgres/ownership.h"

namespace parlance::store::test {
namespace {

using hub::Event;

hub::Commit frozen_commit() {
  std::vector<Event> events = events_of_all_kinds();
  events.pop_back();  // clears the conversation
  events.push_back({.seq = events.size() + 1, .time = "2026-12-01T08:00:00.000Z", .body = hub::event::TurnStart{.turn = "t9"}});
  events.push_back({.seq = events.size() + 1, .body = hub::event::UserMessage{.turn = "t9", .text = "Say hello to the world"}});
  events.push_back({.seq = events.size() + 1, .body = hub::event::TurnEnd{.turn = "t9"}});
  return {.conversation = conversation("c1"),
          .events_of = "c1",
          .events = std::move(events),
          .attachments = {{.about = {.id = "att_1", .media_type = "image/png", .name = "a.png", .bytes = 3}, .data = "abc"}},
          .asks = {{.id = "ask_2", .conversation = "c1", .title = "Run make", .state = hub::AskState::orphaned}},
          .rules = {{.id = "rule_1", .effect = hub::Effect::allow, .label = "Edits in /f", .folder = "/f", .tool = "edit_file"}},
          .spent = {{.day = "2026-12-01", .conversation = "c1", .spent = {.turns = 1, .input_tokens = 12}}},
          .limits = hub::SpendingLimits{.day_tokens = 100}};
}

using Frozen = Ownership;

TEST_F(Frozen, IsWrittenForTheScript) {
  const char* const file = std::getenv("PARLANCE_FREEZE_PG");
  if (file == nullptr) GTEST_SKIP() << "scripts/freeze_store.sh";
  ASSERT_TRUE(commit(*hub("gateway_a"), frozen_commit()));
  const std::string command = wire_form::command_text({.by = "ann", .command = hub::SendPrompt{.text = "of another gateway"}});
  do_sql("INSERT INTO commands(id, conversation, user_id, body) SELECT 'k1', number, 'user_ann', '" + command +
         "' FROM conversations");
  do_sql("UPDATE hubs SET dead = true");
  const std::string dump =
      "$(ls -d /usr/lib/postgresql/*/bin | tail -1)/pg_dump --inserts --no-owner --no-privileges '" + address +
      "' | grep -vE '^(\\\\|--|$|CREATE SCHEMA|.*search_path)' | sed -E 's/\\btest_[0-9]+\\.//g' > '" + file + "'";
  ASSERT_EQ(std::system(dump.c_str()), 0);
}

TEST_F(Frozen, Schema6OpensWithAllItsRows) {
  const std::string database = postgres().new_database();
  {
    std::ifstream script(std::string(PARLANCE_SOURCE_DIR) + "/tests/vectors/hub/postgres_6.sql");
    const std::string sql{std::istreambuf_iterator<char>(script), {}};
    ASSERT_FALSE(sql.empty());
    auto connection = pg::Connection::open({.address = database, .patience = 1min, .silence = 1min}, interrupt);
    ASSERT_TRUE(connection) << connection.error().message;
    const auto filled = (*connection)->run_script(sql);
    ASSERT_TRUE(filled) << filled.error().message;
  }
  Loop loop;
  HubPostgres store(loop, HubPostgresSettings{.address = database});
  const auto stored = loop.block_on(store.load());
  ASSERT_TRUE(stored) << stored.error().message;
  const hub::Commit frozen = frozen_commit();
  ASSERT_EQ(stored->conversations.size(), 1U);
  EXPECT_EQ(stored->conversations[0].unpack().last_seq, frozen.events.size());
  ASSERT_EQ(stored->asks.size(), 1U);
  EXPECT_EQ(stored->asks[0].title, "Run make");
  ASSERT_EQ(stored->rules.size(), 1U);
  EXPECT_EQ(stored->rules[0].tool, "edit_file");
  EXPECT_EQ(stored->limits.day_tokens, 100U);
  EXPECT_EQ(*loop.block_on(store.events("c1", 0, UINT64_MAX, 0)), frozen.events);
  EXPECT_EQ((*loop.block_on(store.attachment("att_1")))->data, "abc");
  EXPECT_EQ(loop.block_on(store.spent(""))->at(0).spent.input_tokens, 12U);
  EXPECT_EQ(loop.block_on(store.parts_with("hello", 0, 10))->parts.size(), 1U);
  EXPECT_TRUE(*loop.block_on(store.claim("c1"))) << "its gateway has ended";
  const auto commands = loop.block_on(store.commands("c1"));
  ASSERT_TRUE(commands && commands->size() == 1U);
  EXPECT_EQ(commands->front().by, "ann");
  EXPECT_EQ(std::get<hub::SendPrompt>(commands->front().command).text, "of another gateway");
  EXPECT_TRUE(loop.block_on(store.leave()));
}

}  // namespace
}  // namespace parlance::store::test
