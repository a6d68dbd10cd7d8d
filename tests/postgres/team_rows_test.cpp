// Whose things are, as rows: what one hub wrote another reads, and what a person changes all read.
#include <gtest/gtest.h>

#include "parlance/store/hub_pg/reader.h"
#include "parlance/store/hub_pg/team_rows.h"
#include "tests/postgres/ownership.h"

namespace parlance::store::test {
namespace {

TEST_F(Ownership, WhoseAConversationARuleAndACommandAreComesBack) {
  const auto a = hub("a");
  hub::Commit begins = first();
  begins.conversation->user = "user_ann";
  begins.conversation->access = hub::Access::team;
  begins.rules = {{.id = "r1", .user = "user_ann", .conversation = "c1"}, {.id = "r2"}};
  begins.attachments = {{.about = {.id = "p1", .media_type = "text/plain"}, .data = "x"}};
  ASSERT_TRUE(commit(*a, begins));
  Reader reader({.address = address}, interrupt);
  ASSERT_TRUE(*reader.send({.id = "k1", .conversation = "c1", .user = "user_bob", .by = "bob", .kind = hub::CommandKind::stop}));
  const auto loaded = reader.load();
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->stored.conversations.at(0).user, "user_ann");
  EXPECT_EQ(loaded->stored.conversations.at(0).access, hub::Access::team);
  EXPECT_EQ(loaded->stored.rules.at(0).user, std::nullopt);  // the newest first
  EXPECT_EQ(loaded->stored.rules.at(1).user, "user_ann");
  EXPECT_EQ((*reader.commands("c1")).at(0).user, "user_bob");
  EXPECT_EQ((*reader.commands("c1")).at(0).by, "bob");
  EXPECT_EQ((*reader.attachment("p1"))->conversation, "c1");

  hub::Commit closes = event(2);
  closes.conversation = begins.conversation;
  closes.conversation->access.reset();
  ASSERT_TRUE(commit(*a, closes));
  const auto seen = reader.look({"c1"}, lease);
  ASSERT_TRUE(seen) << seen.error().message;
  EXPECT_EQ(seen->at(0).row.user, "user_ann");
  EXPECT_EQ(seen->at(0).row.access, std::nullopt);
  EXPECT_EQ(one("SELECT user_id || ' ' || access FROM conversations"), "user_ann private");
}

TEST_F(Ownership, WhatIsChangedOfATeamIsReadAndCountedUp) {
  auto rows = TeamRows::open(address);
  ASSERT_TRUE(rows) << rows.error().message;
  Reader reader({.address = address}, interrupt);
  const std::uint64_t before = *reader.standing_version();
  ASSERT_TRUE(rows->add_user("ann", hub::TeamRole::admin));
  EXPECT_EQ(rows->add_user("ann", hub::TeamRole::viewer).error().code, Errc::invalid_params);
  const auto token = rows->add_token("ann", {.hash = std::string("\0\x01h", 3), .page_hash = "p", .label = "laptop", .created_at = "2026"});
  ASSERT_TRUE(token) << token.error().message;
  EXPECT_EQ(rows->add_token("eve", {.hash = "e"}).error().code, Errc::not_found);
  EXPECT_EQ(*reader.standing_version(), before + 3) << "two changes, and one that found no user";
  const hub::TeamPtr team = reader.standing()->team;
  ASSERT_EQ(team->tokens.size(), 1U);
  EXPECT_EQ(team->tokens[0], *token) << "bytes come back as they were";
  EXPECT_EQ(team->users.at(0).role, hub::TeamRole::admin);
  ASSERT_TRUE(rows->set_role("ann", hub::TeamRole::viewer));
  ASSERT_TRUE(rows->set_disabled("ann", true));
  ASSERT_TRUE(rows->revoke_token(token->id));
  EXPECT_EQ(rows->revoke_token(token->id).error().code, Errc::not_found);
  EXPECT_TRUE(reader.standing()->team->users.at(0).disabled);
  EXPECT_TRUE(reader.standing()->team->tokens.empty());
}

}  // namespace
}  // namespace parlance::store::test
