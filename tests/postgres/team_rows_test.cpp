// SPDX-License-Identifier: Apache-2.0
// Whose things are, as rows: what one hub wrote another reads, and what a person changes all read.
#include "parlance/store/hub_pg/team_rows.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/base/clock.h"
#include "parlance/store/hub_pg/audit_rows.h"
#include "parlance/store/hub_pg/reader.h"
#include "tests/postgres/ownership.h"

namespace parlance::store::test {
namespace {

TEST_F(Ownership, TheUserOfAConversationARuleAndACommandIsStored) {
  const auto a = hub("a");
  hub::Commit begins = first();
  hub::Conversation row = *begins.conversation;
  row.user = "user_ann";
  row.access = hub::Access::team;
  begins.conversation = std::make_shared<const hub::Conversation>(row);
  begins.rules = {{.id = "r1", .user = "user_ann", .conversation = "c1"}, {.id = "r2"}};
  begins.attachments = {{.about = {.id = "p1", .media_type = "text/plain"}, .data = "x"}};
  ASSERT_TRUE(commit(*a, begins));
  Reader reader({.address = address}, interrupt, "hub_a", lease);
  ASSERT_TRUE(*reader.send({.id = "k1", .conversation = "c1", .user = "user_bob", .by = "bob", .command = hub::StopTurn{}}));
  const auto loaded = reader.load();
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->stored.conversations.at(0).start().user, "user_ann");
  EXPECT_EQ(loaded->stored.conversations.at(0).start().access, hub::Access::team);
  EXPECT_EQ(loaded->stored.rules.at(0).user, std::nullopt);  // the newest first
  EXPECT_EQ(loaded->stored.rules.at(1).user, "user_ann");
  EXPECT_EQ((*reader.commands("c1")).at(0).user, "user_bob");
  EXPECT_EQ((*reader.commands("c1")).at(0).by, "bob");
  EXPECT_EQ((*reader.attachment("p1"))->conversation, "c1");

  hub::Commit closes = event(2);
  row.access.reset();
  closes.conversation = std::make_shared<const hub::Conversation>(row);
  ASSERT_TRUE(commit(*a, closes));
  const auto seen = reader.read_conversations({"c1"});
  ASSERT_TRUE(seen) << seen.error().message;
  EXPECT_EQ(seen->at(0).row.user, "user_ann");
  EXPECT_EQ(seen->at(0).row.access, std::nullopt);
  EXPECT_EQ(one("SELECT user_id || ' ' || access FROM conversations"), "user_ann private");
}

TEST_F(Ownership, ConversationsOfASessionAreFoundWithHiddenOnes) {
  const auto a = hub("a");
  Reader reader({.address = address}, interrupt);
  const auto put = [&](const std::string& id, hub::AgentSession session, std::optional<std::string> via) {
    hub::Conversation row{
        {.id = id, .agent = "claude", .folder = "/project", .via = std::move(via), .agent_session = std::move(session)}, {}};
    return commit(*a, {.conversation = std::make_shared<const hub::Conversation>(std::move(row))});
  };
  using How = hub::AgentSession::How;
  ASSERT_TRUE(put("c1", {.id = "s"}, std::nullopt));
  ASSERT_TRUE(put("c2", {.id = "s"}, std::string(hub::via_adoption)));
  ASSERT_TRUE(put("c3", {.id = "s", .how = How::fork}, std::nullopt));
  ASSERT_TRUE(put("c4", {.id = "another"}, std::nullopt));
  auto found = reader.continuing("s");
  ASSERT_TRUE(found) << found.error().message;
  std::ranges::sort(*found);
  EXPECT_EQ(*found, (std::vector<std::string>{"c1", "c2"}));
  EXPECT_TRUE(reader.continuing("none")->empty());
}

std::vector<std::string> audit_at(const std::string& address, const std::string& conversation = {}) {
  const pg::Interrupt never_raised;
  std::vector<std::string> lines;
  const auto read = visit_audit({.address = address}, never_raised, conversation, [&](const AuditRow& row) {
    EXPECT_TRUE(from_rfc3339(row.time)) << row.time;
    lines.push_back(row.entry.by + " " + row.entry.what + " " + row.entry.detail);
    return true;
  });
  EXPECT_TRUE(read) << read.error().message;
  return lines;
}

TEST_F(Ownership, ChangesOfATeamAreAuditedWithExactlyTheirEffects) {
  auto rows = TeamRows::open(address, "root@box");
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_TRUE(rows->add_user("ann", hub::TeamRole::admin));
  EXPECT_FALSE(rows->add_user("ann", hub::TeamRole::viewer));
  EXPECT_FALSE(rows->set_role("eve", hub::TeamRole::viewer));
  const auto token = rows->add_token("ann", {.hash = "h", .page_hash = "p", .label = "a secret place", .created_at = "2026"});
  ASSERT_TRUE(token);
  ASSERT_TRUE(rows->set_role("ann", hub::TeamRole::viewer));
  ASSERT_TRUE(rows->set_disabled("ann", true));
  ASSERT_TRUE(rows->set_disabled("ann", false));
  ASSERT_TRUE(rows->revoke_token(token->id));
  EXPECT_FALSE(rows->revoke_token(token->id));
  EXPECT_THAT(audit_at(address), testing::ElementsAre("root@box user_added ann, admin", "root@box token_made ann, person",
                                                      "root@box role_changed ann, viewer", "root@box user_disabled ann",
                                                      "root@box user_enabled ann", "root@box token_revoked ann, person"));
  EXPECT_EQ(one("SELECT count(*) FROM audit WHERE about = '" + token->id + "'"), "2");
}

TEST_F(Ownership, ADeletionAndItsAuthorAreASingleTransaction) {
  const auto a = hub("a");
  const auto b = hub("b");
  ASSERT_TRUE(commit(*a, first()));
  static_cast<void>(b->remove("c1", hub::AuditEntry{.what = "conversation_deleted", .by = "eve", .conversation = "c1"}));
  EXPECT_TRUE(audit_at(address).empty()) << "it was not b's to remove";
  EXPECT_EQ(one("SELECT count(*) FROM conversations"), "1");
  ASSERT_TRUE(a->remove("c1", hub::AuditEntry{.what = "conversation_deleted", .by = "ann", .conversation = "c1"}));
  EXPECT_EQ(one("SELECT count(*) FROM events"), "0");
  EXPECT_THAT(audit_at(address, "c1"), testing::ElementsAre("ann conversation_deleted "));
  EXPECT_TRUE(audit_at(address, "c2").empty());
}

TEST_F(Ownership, TheAuditIsOnlyAddedTo) {
  const auto a = hub("a");
  hub::Commit begins = first();
  begins.audit = {{.what = "rule_added", .by = "ann", .about = "r1", .conversation = "c1"}};
  ASSERT_TRUE(commit(*a, begins));
  for (const char* sql : {"UPDATE audit SET by_name = 'eve'", "DELETE FROM audit", "TRUNCATE audit"}) {
    const auto done = admin->run({.sql = sql});
    ASSERT_FALSE(done) << sql;
    EXPECT_NE(done.error().message.find("only added to"), std::string::npos) << done.error().message;
  }
  EXPECT_THAT(audit_at(address), testing::ElementsAre("ann rule_added "));
}

// Two administrators who add `ann` and `Ann` at once both pass the look at the list. The second statement here is the slower of both.
TEST_F(Ownership, TheDatabaseKeepsEachUserAndRefusesANameInAnotherSpelling) {
  auto rows = TeamRows::open(address);
  ASSERT_TRUE(rows) << rows.error().message;
  const auto ann = rows->add_user("ann", hub::TeamRole::member);
  ASSERT_TRUE(ann);
  for (const auto& [sql, why] :
       {std::pair("INSERT INTO users(id, name, role) VALUES('user_2', 'Ann', 'member')", "name_key"),
        std::pair("INSERT INTO users(id, name, role, name_key) VALUES('user_2', 'Ann', 'member', 'another')", "name_key"),
        std::pair("UPDATE users SET name = 'bob'", "never deleted"), std::pair("UPDATE users SET id = 'user_3'", "never deleted"),
        std::pair("DELETE FROM users", "never deleted"), std::pair("TRUNCATE users CASCADE", "never deleted")}) {
    const auto done = admin->run({.sql = sql});
    ASSERT_FALSE(done) << sql;
    EXPECT_NE(done.error().message.find(why), std::string::npos) << done.error().message;
  }
  EXPECT_EQ(one("SELECT string_agg(id || name, ' ') FROM users"), ann->id + "ann");
  ASSERT_TRUE(rows->set_role("ann", hub::TeamRole::viewer));
}

TEST_F(Ownership, ChangesOfATeamAreReadAndCounted) {
  auto rows = TeamRows::open(address);
  ASSERT_TRUE(rows) << rows.error().message;
  Reader reader({.address = address}, interrupt);
  const std::uint64_t before = *reader.settings_version();
  ASSERT_TRUE(rows->add_user("ann", hub::TeamRole::admin));
  EXPECT_EQ(rows->add_user("ann", hub::TeamRole::viewer).error().code, Errc::invalid_params);
  const auto token =
      rows->add_token("ann", {.hash = std::string("\0\x01h", 3), .page_hash = "p", .label = "laptop", .created_at = "2026"});
  ASSERT_TRUE(token) << token.error().message;
  EXPECT_EQ(rows->add_token("eve", {.hash = "e"}).error().code, Errc::not_found);
  EXPECT_EQ(*reader.settings_version(), before + 3) << "two changes, and one that found no user";
  const hub::TeamPtr team = reader.settings_snapshot()->team;
  ASSERT_EQ(team->tokens.size(), 1U);
  EXPECT_EQ(team->tokens[0], *token) << "bytes come back as they were";
  EXPECT_EQ(team->users.at(0).role, hub::TeamRole::admin);
  ASSERT_TRUE(rows->set_role("ann", hub::TeamRole::viewer));
  ASSERT_TRUE(rows->set_disabled("ann", true));
  ASSERT_TRUE(rows->revoke_token(token->id));
  EXPECT_EQ(rows->revoke_token(token->id).error().code, Errc::not_found);
  EXPECT_TRUE(reader.settings_snapshot()->team->users.at(0).disabled);
  EXPECT_TRUE(reader.settings_snapshot()->team->tokens.empty());
}

}  // namespace
}  // namespace parlance::store::test
