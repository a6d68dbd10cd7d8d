// SPDX-License-Identifier: Apache-2.0
// Notices between hubs: round trip, payload size, and merging without loss.
#include "parlance/store/hub_pg/notices.h"

#include <gtest/gtest.h>

namespace parlance::store {
namespace {

TEST(Notices, NoticesRoundTrip) {
  Notice notice{
      .removed = {"c9"}, .commands = {"c1"}, .outcomes = {"k1"}, .settings_changed = true, .runners = true, .hub_ended = true};
  notice.add("c1", {.first = 3, .last = 4, .last_seq = 17, .rows = false});
  notice.add("c2", {.first = 1, .last = 1, .last_seq = 1, .rows = true});
  const auto payloads = payloads_of(notice, "hub_1");
  ASSERT_EQ(payloads.size(), 1U);
  const auto received = notice_from(payloads.front(), "hub_2");
  ASSERT_TRUE(received);
  EXPECT_EQ(received->commits, notice.commits);
  EXPECT_EQ(received->removed, notice.removed);
  EXPECT_EQ(received->commands, notice.commands);
  EXPECT_EQ(received->outcomes, notice.outcomes);
  EXPECT_TRUE(received->settings_changed);
  EXPECT_TRUE(received->runners);
  EXPECT_TRUE(received->hub_ended);
  EXPECT_FALSE(notice_from(payloads.front(), "hub_1")) << "our own";
}

// Recorded from 0.2.0: gateways of the next version work beside gateways of that version.
TEST(Notices, NoticesOfTheFirstReleaseKeepTheirMeaning) {
  const auto received = notice_from(
      "hub_1\ncommits c1 3 4 17 events\ncommits c2 1 1 1 rows\nremoved c9\ncommand c1\noutcome k1\nstanding\nplaces\nlook",
      "hub_2");
  ASSERT_TRUE(received);
  EXPECT_EQ(received->commits.at("c1").last_seq, 17U);
  EXPECT_FALSE(received->commits.at("c1").rows);
  EXPECT_TRUE(received->commits.at("c2").rows);
  EXPECT_TRUE(received->removed.contains("c9") && received->commands.contains("c1") && received->outcomes.contains("k1"));
  EXPECT_TRUE(received->settings_changed && received->runners && received->hub_ended);
}

TEST(Notices, PayloadsFitTheServersLimit) {
  Notice notice;
  for (int i = 0; i < 1000; ++i) notice.add("conversation_" + std::to_string(i), {.first = i, .last = i, .last_seq = 1});
  Notice received;
  for (const std::string& payload : payloads_of(notice, "hub_1")) {
    EXPECT_LT(payload.size(), 8000U);
    received.add(*notice_from(payload, "hub_2"));
  }
  EXPECT_EQ(received.commits, notice.commits);
}

TEST(Notices, AdjacentCommitsMergeAndGapsReadRows) {
  Notice notice;
  notice.add("c", {.first = 3, .last = 3, .last_seq = 5});
  notice.add("c", {.first = 4, .last = 4, .last_seq = 6});
  EXPECT_EQ(notice.commits.at("c"), (Notice::Commits{.first = 3, .last = 4, .last_seq = 6, .rows = false}));
  notice.add("c", {.first = 6, .last = 6, .last_seq = 9});
  EXPECT_TRUE(notice.commits.at("c").rows);
}

TEST(Notices, ForeignPayloadsAreIgnored) {
  for (const char* text : {"", "hub_1\n", "hub_1\ncommits c x y z rows", "hub_1\ncommits c 1", "hub_1\nnew things"})
    if (const auto received = notice_from(text, "hub_2")) EXPECT_TRUE(received->empty()) << text;
  Notice notice{.removed = {"two words"}};
  EXPECT_TRUE(payloads_of(notice, "hub_1").empty());
}

}  // namespace
}  // namespace parlance::store
