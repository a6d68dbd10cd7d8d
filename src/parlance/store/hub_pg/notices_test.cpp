// SPDX-License-Identifier: Apache-2.0
// Notices between hubs: round trip, payload size, and merging without loss.
#include "parlance/store/hub_pg/notices.h"

#include <gtest/gtest.h>

#include "parlance/store/hub_pg/command_forms.h"

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

TEST(Commands, OutcomesRoundTrip) {
  const hub::CommandOutcome refused{.error = Error{.code = Errc::invalid_params, .message = "no \"such\" option", .data = "{}"}};
  EXPECT_EQ(outcome_from_text(outcome_text(refused))->error, refused.error);
  const auto done = outcome_from_text(outcome_text({.prompted = {.turn = "t", .queued = ""}}));
  EXPECT_FALSE(done->error);
  EXPECT_EQ(done->prompted.turn, "t");
}

TEST(Commands, AnswersRoundTrip) {
  const hub::Submission given{
      .by = "ann",
      .command = hub::AnswerRequest{
          .request = "ask_1",
          .answer = {.digest = "d", .option = "yes", .answers = {{"a", "b"}, {}}, .edited = "rm", .by = "terminal"}}};
  const auto read = command_from_text(command_text(given));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->by, "ann");
  const auto* const command = std::get_if<hub::AnswerRequest>(&read->command);
  ASSERT_NE(command, nullptr);
  EXPECT_EQ(command->request, "ask_1");
  EXPECT_EQ(command->answer.answers, std::get<hub::AnswerRequest>(given.command).answer.answers);
  EXPECT_EQ(command->answer.edited, "rm");
  EXPECT_EQ(command->answer.by, "terminal");
  EXPECT_FALSE(command->answer.text);
}

template <std::size_t... Index>
std::vector<hub::Command> one_of_each(std::index_sequence<Index...>) {
  return {hub::Command(std::in_place_index<Index>)...};
}

TEST(Commands, EveryKindRoundTrips) {
  for (const hub::Command& command : one_of_each(std::make_index_sequence<std::variant_size_v<hub::Command>>())) {
    const std::string text = command_text({.command = command});
    const auto read = command_from_text(text);
    ASSERT_TRUE(read) << text << read.error().message;
    EXPECT_EQ(read->command.index(), command.index()) << text;
  }
}

TEST(Commands, AnUnknownKindIsNoCommand) {
  EXPECT_FALSE(command_from_text(R"({"by":"ann","command":{"kind":"open_door"}})"));
  EXPECT_FALSE(command_from_text(R"({"by":"ann"})"));
}

}  // namespace
}  // namespace parlance::store
