// SPDX-License-Identifier: Apache-2.0
// Commands and outcomes as recorded from 0.2.0: gateways of the next version work beside gateways of that version.
#include "parlance/wire_form/command_forms.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace parlance::wire_form {
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
      {R"({"by":"ann","command":{"kind":"send_prompt","text":"a \"b\"","options":{"most_rounds":3},"attachments":[{"about":{"id":"att_1","media_type":"image/png","name":"","bytes":3},"data":"YWJj"}],"context":[{"path":"/f/a.txt"}]}})",
       prompt},
      {R"({"by":"ann","command":{"kind":"continue_turn","options":{"most_rounds":3}}})",
       ContinueTurn{.options = {.most_rounds = 3}}},
      {R"({"by":"ann","command":{"kind":"prepare_agent","options":{"most_rounds":3}}})",
       PrepareAgent{.options = {.most_rounds = 3}}},
      {R"({"by":"ann","command":{"kind":"restart_agent"}})", RestartAgent{}},
      {R"({"by":"ann","command":{"kind":"withdraw_prompt","prompt":"p1"}})", WithdrawPrompt{.prompt = "p1"}},
      {R"({"by":"ann","command":{"kind":"stop_turn","only_own":true}})", StopTurn{.only_own = true}},
      {R"({"by":"ann","command":{"kind":"resume_queue"}})", ResumeQueue{}},
      {R"({"by":"ann","command":{"kind":"change_settings","changes":{"title":"T","mode":"plan","model":"m","think":true,"archived":false,"access":"team"}}})",
       ChangeSettings{.changes = changes}},
      {R"({"by":"ann","command":{"kind":"set_option","option":"effort","value":"high"}})",
       SetOption{.option = "effort", .value = "high"}},
      {R"({"by":"ann","command":{"kind":"clear_conversation"}})", ClearConversation{}},
      {R"({"by":"ann","command":{"kind":"remove_conversation"}})", RemoveConversation{}},
      {R"({"by":"ann","command":{"kind":"answer_request","request":"ask_1","answer":{"digest":"d","option":"allow","text":"yes","answers":[["Red"]],"edited":"new","by":"ann"}}})",
       AnswerRequest{.request = "ask_1", .answer = answer}},
      {R"({"by":"ann","command":{"kind":"repeat_request","request":"ask_1"}})", RepeatRequest{.request = "ask_1"}},
  };
  ASSERT_EQ(recorded.size(), std::variant_size_v<Command>) << "a text of each command";
  for (const auto& [text, command] : recorded) {
    const auto same = [&](const std::string& written) { return *json::parse(written) == *json::parse(text); };
    const std::string written = command_text({.by = "ann", .command = command});
    EXPECT_TRUE(same(written)) << written;
    const auto read = command_from_text(text);
    ASSERT_TRUE(read) << text << ": " << read.error().message;
    EXPECT_TRUE(same(command_text(*read))) << command_text(*read);
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
  for (const char* text : {"", "{}", "null", R"({"command":{}})", R"({"command":{"kind":"fly"}})", R"({"command":{"kind":7}})",
                           R"({"by":"ann","command":{"kind":"open_door"}})", R"({"by":"ann"})"})
    EXPECT_FALSE(command_from_text(text)) << text;
  for (const char* text : {"", "null", "[]", R"({"code":7})"}) EXPECT_FALSE(outcome_from_text(text)) << text;
}

TEST(CommandForms, OutcomesRoundTrip) {
  const CommandOutcome refused{.error = Error{.code = Errc::invalid_params, .message = "no \"such\" option", .data = "{}"}};
  EXPECT_EQ(outcome_from_text(outcome_text(refused))->error, refused.error);
  const auto done = outcome_from_text(outcome_text({.prompted = {.turn = "t", .queued = ""}}));
  EXPECT_FALSE(done->error);
  EXPECT_EQ(done->prompted.turn, "t");
}

template <std::size_t... Index>
std::vector<Command> one_of_each(std::index_sequence<Index...>) {
  return {Command(std::in_place_index<Index>)...};
}

TEST(CommandForms, EveryKindRoundTrips) {
  for (const Command& command : one_of_each(std::make_index_sequence<std::variant_size_v<Command>>())) {
    const std::string text = command_text({.command = command});
    const auto read = command_from_text(text);
    ASSERT_TRUE(read) << text << read.error().message;
    EXPECT_EQ(read->command.index(), command.index()) << text;
  }
}

}  // namespace
}  // namespace parlance::wire_form
