// SPDX-License-Identifier: Apache-2.0
// What hubs tell each other: it comes as it went, in payloads that fit, and what is joined says no less.
#include "parlance/store/hub_pg/notices.h"

#include <gtest/gtest.h>

#include "parlance/store/hub_pg/command_forms.h"

namespace parlance::store {
namespace {

TEST(Notices, ComeAsTheyWent) {
  Notice notice{.removed = {"c9"}, .commands = {"c1"}, .outcomes = {"k1"}, .standing = true, .places = true, .look = true};
  notice.add("c1", {.first = 3, .last = 4, .last_seq = 17, .rows = false});
  notice.add("c2", {.first = 1, .last = 1, .last_seq = 1, .rows = true});
  const auto payloads = payloads_of(notice, "hub_1");
  ASSERT_EQ(payloads.size(), 1U);
  const auto heard = notice_from(payloads.front(), "hub_2");
  ASSERT_TRUE(heard);
  EXPECT_EQ(heard->commits, notice.commits);
  EXPECT_EQ(heard->removed, notice.removed);
  EXPECT_EQ(heard->commands, notice.commands);
  EXPECT_EQ(heard->outcomes, notice.outcomes);
  EXPECT_TRUE(heard->standing);
  EXPECT_TRUE(heard->places);
  EXPECT_TRUE(heard->look);
  EXPECT_FALSE(notice_from(payloads.front(), "hub_1")) << "our own";
}

TEST(Notices, ManyGoInPayloadsThatTheServerTakes) {
  Notice notice;
  for (int i = 0; i < 1000; ++i) notice.add("conversation_" + std::to_string(i), {.first = i, .last = i, .last_seq = 1});
  Notice heard;
  for (const std::string& payload : payloads_of(notice, "hub_1")) {
    EXPECT_LT(payload.size(), 8000U);
    heard.add(*notice_from(payload, "hub_2"));
  }
  EXPECT_EQ(heard.commits, notice.commits);
}

TEST(Notices, CommitsInARowAreOneAndAGapIsLookedAt) {
  Notice notice;
  notice.add("c", {.first = 3, .last = 3, .last_seq = 5});
  notice.add("c", {.first = 4, .last = 4, .last_seq = 6});
  EXPECT_EQ(notice.commits.at("c"), (Notice::Commits{.first = 3, .last = 4, .last_seq = 6, .rows = false}));
  notice.add("c", {.first = 6, .last = 6, .last_seq = 9});
  EXPECT_TRUE(notice.commits.at("c").rows);
}

TEST(Notices, WhatIsNoneOfOursIsNotUnderstoodAsMore) {
  for (const char* text : {"", "hub_1\n", "hub_1\ncommits c x y z rows", "hub_1\ncommits c 1", "hub_1\nnew things"})
    if (const auto heard = notice_from(text, "hub_2")) EXPECT_TRUE(heard->empty()) << text;
  Notice notice{.removed = {"two words"}};
  EXPECT_TRUE(payloads_of(notice, "hub_1").empty());
}

TEST(Commands, OutcomesKeepWhatTheyWere) {
  const hub::CommandOutcome refused{.error = Error{.code = Errc::invalid_params, .message = "no \"such\" option", .data = "{}"}};
  EXPECT_EQ(outcome_from_text(outcome_text(refused))->error, refused.error);
  const auto done = outcome_from_text(outcome_text({.prompted = {.turn = "t", .queued = ""}}));
  EXPECT_FALSE(done->error);
  EXPECT_EQ(done->prompted.turn, "t");
}

TEST(Commands, AnAnswerKeepsWhatWasAnswered) {
  const hub::Command command{
      .kind = hub::CommandKind::answer,
      .about = "ask_1",
      .given = {.digest = "d", .option = "yes", .answers = {{"a", "b"}, {}}, .edited = "rm", .by = "terminal"}};
  const auto read = command_from_text(command_text(command));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->kind, command.kind);
  EXPECT_EQ(read->about, "ask_1");
  EXPECT_EQ(read->given.answers, command.given.answers);
  EXPECT_EQ(read->given.edited, "rm");
  EXPECT_EQ(read->given.by, "terminal");
  EXPECT_FALSE(read->given.text);
}

}  // namespace
}  // namespace parlance::store
