// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/team/rights.h"

#include <string>

#include <gtest/gtest.h>

namespace parlance::hub {
namespace {

// The permissions of a role, a letter each: list, read, prompt, answer, stop, change, remove.
std::string may_do(TeamRole role, bool own, Access access) {
  constexpr std::string_view letters = "lrpascd";
  std::string all;
  for (std::size_t at = 0; at < conversation_permissions; ++at)
    if (may(role, own, access, static_cast<Permission>(at))) all += letters[at];
  return all;
}

TEST(Rights, MembersAndAdminsMayDoAllInTheirOwnConversations) {
  for (const Access access : {Access::private_, Access::view, Access::team}) {
    EXPECT_EQ(may_do(TeamRole::admin, true, access), "lrpascd");
    EXPECT_EQ(may_do(TeamRole::member, true, access), "lrpascd");
    EXPECT_EQ(may_do(TeamRole::viewer, true, access), "lr") << "a member once";
  }
}

TEST(Rights, OthersOfTheTeamReadAndJoinIn) {
  EXPECT_EQ(may_do(TeamRole::admin, false, Access::team), "lrpasd");
  EXPECT_EQ(may_do(TeamRole::member, false, Access::team), "lrpas");
  EXPECT_EQ(may_do(TeamRole::viewer, false, Access::team), "lr");
}

TEST(Rights, ViewAccessAllowsOnlyReading) {
  EXPECT_EQ(may_do(TeamRole::admin, false, Access::view), "lrsd");
  EXPECT_EQ(may_do(TeamRole::member, false, Access::view), "lr");
  EXPECT_EQ(may_do(TeamRole::viewer, false, Access::view), "lr");
}

TEST(Rights, PrivateContentIsHiddenAndAdminsListStopAndDelete) {
  EXPECT_EQ(may_do(TeamRole::admin, false, Access::private_), "lsd");
  EXPECT_EQ(may_do(TeamRole::member, false, Access::private_), "");
  EXPECT_EQ(may_do(TeamRole::viewer, false, Access::private_), "");
}

TEST(Rights, ViewersCreateNothingAndAdminsAloneAdminister) {
  EXPECT_FALSE(may_anywhere(TeamRole::viewer, Permission::create));
  EXPECT_TRUE(may_anywhere(TeamRole::member, Permission::create));
  EXPECT_TRUE(may_anywhere(TeamRole::admin, Permission::create));
  EXPECT_FALSE(may_anywhere(TeamRole::viewer, Permission::administer));
  EXPECT_FALSE(may_anywhere(TeamRole::member, Permission::administer));
  EXPECT_TRUE(may_anywhere(TeamRole::admin, Permission::administer));
}

TEST(Rights, DispatcherRefusesImpossiblePermissions) {
  for (const TeamRole role : {TeamRole::viewer, TeamRole::member, TeamRole::admin})
    for (std::size_t at = 0; at < permission_count; ++at) {
      const auto permission = static_cast<Permission>(at);
      bool somewhere = false;
      for (const bool own : {true, false})
        for (const Access access : {Access::private_, Access::view, Access::team})
          somewhere = somewhere || may(role, own, access, permission);
      EXPECT_EQ(may_anywhere(role, permission), somewhere) << to_string(permission);
      if (!somewhere) EXPECT_NE(refusal_for(role, permission), "") << to_string(permission);
    }
}

}  // namespace
}  // namespace parlance::hub
