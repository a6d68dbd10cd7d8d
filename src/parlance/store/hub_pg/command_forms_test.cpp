// SPDX-License-Identifier: Apache-2.0
// Commands and outcomes as recorded from 0.2.0: gateways of the next version work beside gateways of that version.
#include "parlance/store/hub_pg/command_forms.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace parlance::store {
namespace {

using namespace hub;

TEST(CommandForms, CommandsOfTheFirstReleaseKeepTheirMeaning) {
  const SendPrompt prompt{.text = "a \"b\"",
                          .options = {.most_rounds = 3},
                          .attachments = {{.about = {.id = "att_1", .media_type = "image/png", .bytes = 3}, .data = "abc"}},
                          .context = {{.path = "/f/a.txt"}}};
  const Answer answer{.digest = "d", .option = "allow", .text = "yes", .answers = {{"Red"}}, .edited = "new", .by = "ann"};
  const ConversationChanges changes{
      .title = "T", .mode = Mode::plan, .model = "m", .think = true, .archived = false, .access = Access::team};
  const std::vector<std::pair<std::string, Command>> recorded{
      {R"()", prompt},
      {R"()", ContinueTurn{.options = {.most_rounds = 3}}},
      {R"()", PrepareAgent{.options = {.most_rounds = 3}}},
      {R"()", RestartAgent{}},
      {R"()", WithdrawPrompt{.prompt = "p1"}},
      {R"()", StopTurn{.only_own = true}},
      {R"()", ResumeQueue{}},
      {R"()", ChangeSettings{.changes = changes}},
      {R"()", SetOption{.option = "effort", .value = "high"}},
      {R"()", ClearConversation{}},
      {R"()", RemoveConversation{}},
      {R"()", AnswerRequest{.request = "ask_1", .answer = answer}},
      {R"()", RepeatRequest{.request = "ask_1"}},
  };
  ASSERT_EQ(recorded.size(), std::variant_size_v<Command>) << "a text of each command";
  for (const auto& [text, command] : recorded) {
    EXPECT_EQ(command_text({.by = "ann", .command = command}), text);
    const auto read = command_from_text(text);
    ASSERT_TRUE(read) << text << ": " << read.error().message;
    EXPECT_EQ(command_text(*read), text);
  }
}

TEST(CommandForms, OutcomesOfTheFirstReleaseKeepTheirMeaning) {
  const auto done = outcome_from_text(R"({"turn":"t1","queued":"p1"})");
  ASSERT_TRUE(done);
  EXPECT_FALSE(done->error);
  EXPECT_EQ(done->prompted.turn, "t1");
  EXPECT_EQ(done->prompted.queued, "p1");
  const auto failed = outcome_from_text(R"({"code":"denied","message":"no","data":"d"})");
  ASSERT_TRUE(failed && failed->error);
  EXPECT_EQ(failed->error->code, Errc::denied);
  EXPECT_EQ(failed->error->message, "no");
}

TEST(CommandForms, AnUnknownCommandIsAnError) {
  for (const char* text : {"", "{}", "null", R"({"command":{}})", R"({"command":{"kind":"fly"}})", R"({"command":{"kind":7}})"})
    EXPECT_FALSE(command_from_text(text)) << text;
  for (const char* text : {"", "null", "[]", R"({"code":7})"}) EXPECT_FALSE(outcome_from_text(text)) << text;
}

}  // namespace
}  // namespace parlance::store
