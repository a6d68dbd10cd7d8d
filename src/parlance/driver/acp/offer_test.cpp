// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/acp/offer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/driver/acp/limits.h"

namespace parlance::driver {
namespace {

using ::testing::HasSubstr;

acp::Offer fine() {
  return {.name = "box-1.lan",
          .account = "mira",
          .host = "box",
          .agents = {{.id = "claude", .name = "Claude Code"}},
          .folders = {"/home/mira/shop"}};
}

std::string refusal_of(const acp::Offer& offer) {
  const auto checked = check_offer(offer);
  return checked ? "" : checked.error().message;
}

TEST(Offer, ValidOfferIsAccepted) {
  EXPECT_EQ(refusal_of(fine()), "");
  EXPECT_EQ(account_of(fine()), "mira@box");
}

TEST(Offer, NameIsAWordForIdsAndPaths) {
  for (const char* name : {"", "a/b", "..", ".", "a b", "ä", "a\nb"}) {
    acp::Offer offer = fine();
    offer.name = name;
    EXPECT_THAT(refusal_of(offer), HasSubstr("$.name: ")) << name;
  }
  acp::Offer offer = fine();
  offer.name = std::string(65, 'a');
  EXPECT_THAT(refusal_of(offer), HasSubstr("--name"));
}

// Both appear on the card of a permission request.
TEST(Offer, AccountAndHostHaveNoLineBreaks) {
  for (const std::string& words :
       {std::string(), std::string("root\nnobody"), std::string("\x1b[2J"), std::string(300, 'x'), std::string("\xff"),
        std::string("mira\u202eevil"), std::string("bo\u200bx"), std::string("a\tb"), std::string("a\u0085b")}) {
    acp::Offer offer = fine();
    offer.account = words;
    EXPECT_THAT(refusal_of(offer), HasSubstr("$.account: "));
    offer = fine();
    offer.host = words;
    EXPECT_THAT(refusal_of(offer), HasSubstr("$.host: "));
  }
}

TEST(Offer, AgentsHaveIdsOfTheirOwn) {
  acp::Offer offer = fine();
  offer.agents.clear();
  EXPECT_THAT(refusal_of(offer), HasSubstr("$.agents: the runner offers no agent"));
  offer.agents = {{.id = "a", .name = "A"}, {.id = "a", .name = "B"}};
  EXPECT_THAT(refusal_of(offer), HasSubstr("$.agents: "));
  offer.agents = {{.id = "a/b", .name = "A"}};
  EXPECT_THAT(refusal_of(offer), HasSubstr("$.agents: "));
  offer.agents.assign(limits::runner_agents + 1, {});
  EXPECT_THAT(refusal_of(offer), HasSubstr("at most"));
}

TEST(Offer, FoldersAreAbsoluteAndNormalized) {
  for (const std::string& folder :
       {std::string("relative"), std::string("/a/../b"), std::string("/a/.."), std::string("/a\0b", 4)}) {
    acp::Offer offer = fine();
    offer.folders = {folder};
    EXPECT_THAT(refusal_of(offer), HasSubstr("$.folders: ")) << folder;
  }
  acp::Offer offer = fine();
  offer.folders.clear();
  EXPECT_THAT(refusal_of(offer), HasSubstr("--folder"));
}

}  // namespace
}  // namespace parlance::driver
