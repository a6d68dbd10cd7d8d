// SPDX-License-Identifier: Apache-2.0
// Use of models in the database.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/sqlite/database.h"
#include "parlance/store/hub/hub_file.h"
#include "parlance/store/test_folder.h"

namespace parlance::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

hub::SpentOn row(std::string day, std::string conversation, hub::Spent spent) {
  return {.day = std::move(day), .conversation = std::move(conversation), .spent = std::move(spent)};
}
const hub::Cost one_dollar{.amount = 1, .currency = "USD"};

TEST(HubSpent, SumsAreAddedToAndOutliveTheFile) {
  const TestFolder folder;
  {
    HubFile file(folder.path());
    ASSERT_TRUE(file.commit({.spent = {row("2026-03-08", "a", {.turns = 1, .input_tokens = 5, .costs = {one_dollar}})}}));
    ASSERT_TRUE(file.commit({.spent = {row("2026-03-08", "a", {.unreported_turns = 1, .output_tokens = 7, .costs = {one_dollar}}),
                                       row("2026-03-09", "b", {.cache_read_tokens = 2})}}));
  }
  HubFile again(folder.path());
  const hub::Spent sum{
      .turns = 1, .unreported_turns = 1, .input_tokens = 5, .output_tokens = 7, .costs = {{.amount = 2, .currency = "USD"}}};
  EXPECT_THAT(again.spent("").value(),
              ElementsAre(row("2026-03-08", "a", sum), row("2026-03-09", "b", {.cache_read_tokens = 2})));
  EXPECT_THAT(again.spent("2026-03-09").value(), SizeIs(1));
  EXPECT_THAT(again.spent("2026-03-10").value(), IsEmpty());
}

TEST(HubSpent, SpendingSurvivesTheConversation) {
  const TestFolder folder;
  HubFile file(folder.path());
  ASSERT_TRUE(file.commit({.conversation = std::make_shared<const hub::Conversation>(hub::Conversation{{.id = "a"}}),
                           .spent = {row("2026-03-08", "a", {.turns = 1})}}));
  ASSERT_TRUE(file.remove_conversation("a"));
  EXPECT_THAT(file.spent("").value(), SizeIs(1));
}

TEST(HubSpent, LimitsAreKept) {
  const TestFolder folder;
  const hub::SpendingLimits limits{.day_tokens = 1000, .conversation_cost = one_dollar};
  {
    HubFile file(folder.path());
    EXPECT_EQ(file.load().value().limits, hub::SpendingLimits{});
    ASSERT_TRUE(file.commit({.limits = limits}));
  }
  HubFile again(folder.path());
  EXPECT_EQ(again.load().value().limits, limits);
}

}  // namespace
}  // namespace parlance::store
