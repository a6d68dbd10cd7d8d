// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/team/team.h"

#include <gtest/gtest.h>

namespace parlance::hub {
namespace {

constexpr std::string_view now = "2026-11-25T12:00:00.000Z";

Team a_team() {
  return {
      .users = {{.id = "user_ann", .name = "ann", .role = TeamRole::admin}, {.id = "user_bob", .name = "bob"}},
      .tokens = {{.id = "t1", .hash = "hash of ann", .page_hash = "page of ann", .user = "user_ann"},
                 {.id = "t2", .hash = "hash of bob", .page_hash = "page of bob", .user = "user_bob"},
                 {.id = "t3", .hash = "hash of box", .page_hash = "page of box", .user = "user_bob", .kind = TokenKind::runner}}};
}

TEST(Team, ATokenNamesItsUserAndKind) {
  const Team team = a_team();
  const CallerPtr ann = team.by_token("hash of ann", now);
  ASSERT_NE(ann, nullptr);
  EXPECT_EQ(*ann, (Caller{.user = "user_ann", .name = "ann", .role = TeamRole::admin, .token = "t1"}));
  EXPECT_EQ(team.by_token("hash of box", now)->kind, TokenKind::runner);
  EXPECT_EQ(team.by_token("hash of eve", now), nullptr);
  EXPECT_EQ(team.by_token("page of ann", now), nullptr) << "a cookie is no token";
}

TEST(Team, APagesCookieIsAPersonsAlone) {
  const Team team = a_team();
  EXPECT_EQ(team.by_cookie("page of bob", now)->user, "user_bob");
  EXPECT_EQ(team.by_cookie("page of box", now), nullptr);
  EXPECT_EQ(team.by_cookie("hash of bob", now), nullptr);
}

TEST(Team, AnExpiredTokenOpensNothing) {
  Team team = a_team();
  team.tokens[0].expires_at = "2026-11-25T12:00:00.001Z";
  EXPECT_NE(team.by_token("hash of ann", now), nullptr);
  team.tokens[0].expires_at = std::string(now);
  EXPECT_EQ(team.by_token("hash of ann", now), nullptr);
}

TEST(Team, ARevokedTokenADisabledUserAndAnotherRoleEndTheSession) {
  const Team before = a_team();
  const CallerPtr bob = before.by_token("hash of bob", now);
  EXPECT_TRUE(before.is_current(*bob, now));

  Team revoked = before;
  revoked.tokens.erase(revoked.tokens.begin() + 1);
  EXPECT_FALSE(revoked.is_current(*bob, now));

  Team disabled = before;
  disabled.users[1].disabled = true;
  EXPECT_FALSE(disabled.is_current(*bob, now));
  EXPECT_EQ(disabled.by_token("hash of bob", now), nullptr);

  Team viewer = before;
  viewer.users[1].role = TeamRole::viewer;
  EXPECT_FALSE(viewer.is_current(*bob, now)) << "a new session has the current role";
  EXPECT_TRUE(Team{}.is_current(*person_of_this_machine(), now));
}

TEST(Users, ANameIsOneUniqueWord) {
  EXPECT_EQ(name_fault("ann"), "");
  EXPECT_EQ(name_fault("张伟"), "");
  EXPECT_NE(name_fault(""), "");
  EXPECT_NE(name_fault("an\u202en"), "") << "displayed in another order";
  EXPECT_NE(name_fault("ann b"), "");
  EXPECT_NE(name_fault("a\nb"), "");
  EXPECT_NE(name_fault("person"), "");
  EXPECT_NE(name_fault(std::string(65, 'a')), "");
}

}  // namespace
}  // namespace parlance::hub
