#include "parlance/hub/team/rights.h"

#include <string>

#include <gtest/gtest.h>

namespace parlance::hub {
namespace {

// What a role may do there, a letter a deed: list, read, prompt, answer, stop, change, remove.
std::string may_do(TeamRole role, bool own, Access access) {
  constexpr std::string_view letters = "lrpascd";
  std::string all;
  for (std::size_t deed = 0; deed < deed_count; ++deed)
    if (may(role, own, access, static_cast<Deed>(deed))) all += letters[deed];
  return all;
}

TEST(Rights, OfOwnConversationsMembersAndAdminsDoAllWhateverOthersMay) {
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

TEST(Rights, WhatIsShownToOthersIsReadAndNoMore) {
  EXPECT_EQ(may_do(TeamRole::admin, false, Access::view), "lrsd");
  EXPECT_EQ(may_do(TeamRole::member, false, Access::view), "lr");
  EXPECT_EQ(may_do(TeamRole::viewer, false, Access::view), "lr");
}

TEST(Rights, WhatIsPrivateNobodyElseReadsAndAdminsListStopAndDelete) {
  EXPECT_EQ(may_do(TeamRole::admin, false, Access::private_), "lsd");
  EXPECT_EQ(may_do(TeamRole::member, false, Access::private_), "");
  EXPECT_EQ(may_do(TeamRole::viewer, false, Access::private_), "");
}

TEST(Rights, ViewersBeginNothingAndAdminsAloneSayWhatHoldsForAll) {
  EXPECT_FALSE(may_create(TeamRole::viewer));
  EXPECT_TRUE(may_create(TeamRole::member));
  EXPECT_TRUE(may_create(TeamRole::admin));
  EXPECT_FALSE(may_administer(TeamRole::viewer));
  EXPECT_FALSE(may_administer(TeamRole::member));
  EXPECT_TRUE(may_administer(TeamRole::admin));
}

}  // namespace
}  // namespace parlance::hub
