// SPDX-License-Identifier: Apache-2.0
// Whole conversations with the rehearsal, played as a host would: its tool calls are answered by the test, the history goes back.
#include "parlance/model/rehearsal/rehearsal.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/codec/json/value.h"
#include "parlance/model/rehearsal/rehearsal_texts.h"
#include "parlance/model/rehearsal/scenario.h"
#include "tests/support/model.h"

namespace parlance::model {
namespace {

using namespace std::chrono_literals;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::vector<std::string> all_tools{"list_files",    "read_file",   "search_files",  "write_file",
                                         "edit_file",     "run_command", "memory_search", "memory_store",
                                         "memory_forget", "update_plan", "ask_user",      "propose_plan"};

struct Host {
  Loop loop{Loop::Time::virtual_};
  std::unique_ptr<Model> model = *make_rehearsal(loop, {.pace = 0ms});
  ChatRequest request;
  test::Chunks chunks;

  explicit Host(const std::vector<std::string>& tools = all_tools) {
    for (const std::string& tool : tools) request.tools.push_back({.name = tool});
  }
  Completion step() {
    chunks = {};
    auto answer = loop.block_on(model->chat(request, chunks));
    EXPECT_TRUE(answer) << answer.error().message;
    request.messages.push_back(to_message(*answer));
    return *answer;
  }
  Completion say(std::string text) {
    request.messages.push_back({.role = Role::user, .content = std::move(text)});
    return step();
  }
  Completion answer(std::vector<std::pair<std::string, bool>> results) {
    Message message{.role = Role::tool};
    const std::vector<ToolCall>& calls = request.messages.back().tool_calls;
    EXPECT_EQ(calls.size(), results.size());
    for (std::size_t i = 0; i < results.size(); ++i)
      message.tool_results.push_back({calls[i].id, results[i].first, results[i].second});
    request.messages.push_back(message);
    return step();
  }
};

json::Value arguments(const Completion& completion, std::size_t call = 0) {
  return json::parse(completion.tool_calls.at(call).arguments).value();
}

TEST(Rehearsal, TheFirstAnswerAnnouncesTheScript) {
  Host host;
  EXPECT_THAT(host.say("markdown").content, StartsWith(std::string(rehearsal::texts::announcement)));
  EXPECT_THAT(host.say("markdown").content, StartsWith("# A heading"));
}

TEST(Rehearsal, DescribesAttachmentsOnce) {
  Host host;
  host.request.messages.push_back({.role = Role::user,
                                   .attachments = {{.media_type = "image/png", .name = "a.png", .data = "abc"},
                                                   {.media_type = "text/plain", .name = "b.txt", .data = "abcd"}}});
  EXPECT_THAT(host.step().content,
              EndsWith("With your message came an image (a.png, image/png, 3 bytes) and a file (b.txt, "
                       "text/plain, 4 bytes). A script ignores attachments; a language model would receive them."));
  EXPECT_THAT(host.say("think").content, Not(HasSubstr("a.png")));
  host.request.messages.push_back(
      {.role = Role::user, .content = "list", .attachments = {{.media_type = "image/png", .data = "abc"}}});
  EXPECT_THAT(host.step().content, StartsWith("With your message came an image (image/png, 3 bytes)."));
  EXPECT_THAT(host.answer({{"a.txt", false}}).content, Not(HasSubstr("image/png")));
}

TEST(Rehearsal, ACommandIsFoundAfterAnEditorsContext) {
  Host host;
  EXPECT_THAT(host.say("<editor_context>\na.cpp, line 2:\nrun rm -r .\n</editor_context>\n\nmarkdown").content,
              AllOf(HasSubstr("With your message came what you look at in the editor."), HasSubstr("# A heading")));
  EXPECT_THAT(host.say("<editor_context> is a tag").content, HasSubstr("You wrote “<editor_context> is a tag”"));
}

TEST(Rehearsal, HelpNamesEveryCommand) {
  Host host;
  const Completion help = host.say("help");
  for (const char* command : {"think", "plan", "read", "list", "search", "write", "edit", "run", "ask", "remember", "recall",
                              "forget", "long", "slow", "markdown", "error"})
    EXPECT_THAT(help.content, HasSubstr("`" + std::string(command))) << command;
  EXPECT_TRUE(help.tool_calls.empty());
}

struct ToolCase {
  std::string typed, tool, json;
};
class RehearsalTool : public ::testing::TestWithParam<ToolCase> {};

TEST_P(RehearsalTool, CallsTheToolAndQuotesItsResult) {
  Host host;
  const Completion asked = host.say(GetParam().typed);
  ASSERT_EQ(asked.tool_calls.size(), 1U);
  EXPECT_EQ(asked.stop, StopReason::tool_calls);
  EXPECT_EQ(asked.tool_calls[0].name, GetParam().tool);
  EXPECT_EQ(arguments(asked), json::parse(GetParam().json).value()) << asked.tool_calls[0].arguments;
  const Completion done = host.answer({{"the result", false}});
  EXPECT_TRUE(done.tool_calls.empty());
  EXPECT_EQ(done.stop, StopReason::end_turn);
  EXPECT_THAT(done.content, HasSubstr("the result"));
}

TEST_P(RehearsalTool, AcceptsARefusal) {
  Host host;
  host.say(GetParam().typed);
  const Completion done = host.answer({{"rejected: the person does not want this call", true}});
  EXPECT_TRUE(done.tool_calls.empty());
  EXPECT_THAT(done.content, HasSubstr(GetParam().tool == "propose_plan" ? "not approved" : "You refused"));
}

TEST_P(RehearsalTool, AcceptsARefusalByItsTextOnly) {
  Host host;
  host.say(GetParam().typed);
  EXPECT_THAT(host.answer({{"rejected: no", false}}).content, Not(HasSubstr("```\nrejected")));
}

TEST_P(RehearsalTool, ReportsAFailure) {
  Host host;
  host.say(GetParam().typed);
  const Completion done = host.answer({{"disk on fire", true}});
  EXPECT_TRUE(done.tool_calls.empty());
  EXPECT_THAT(done.content, HasSubstr("failed:\n\n```\ndisk on fire"));
}

TEST_P(RehearsalTool, NeverCallsMissingTools) {
  Host host(std::vector<std::string>{"other"});
  const Completion done = host.say(GetParam().typed);
  EXPECT_TRUE(done.tool_calls.empty());
}

INSTANTIATE_TEST_SUITE_P(
    All, RehearsalTool,
    ::testing::Values(
        ToolCase{"read src/main.cpp", "read_file", R"({"path":"src/main.cpp"})"},
        ToolCase{"list", "list_files", R"({"path":"."})"}, ToolCase{"list src", "list_files", R"({"path":"src"})"},
        ToolCase{"Search two words", "search_files", R"({"pattern":"two words"})"},
        ToolCase{"write a.txt Hello there", "write_file", R"({"path":"a.txt","content":"Hello there\n"})"},
        ToolCase{"edit a.txt one two => three", "edit_file", R"({"path":"a.txt","old_text":"one two","new_text":"three"})"},
        ToolCase{"/run make -j2", "run_command", R"({"command":"make -j2"})"},
        ToolCase{"remember I like green", "memory_store", R"({"text":"I like green","category":"preference","importance":0.5})"},
        ToolCase{"remember that the shed is grey", "memory_store",
                 R"({"text":"the shed is grey","category":"fact","importance":0.5})"},
        ToolCase{"recall colours", "memory_search", R"({"query":"colours","limit":5})"},
        ToolCase{
            "ask", "ask_user",
            R"({"questions":[{"header":"Colour","question":"Which colour should the bicycle shed have?","multiple":false,"options":[)"
            R"({"label":"Green","description":"Like the grass around it"},{"label":"Red","description":"Seen from far away"},{"label":"None","description":"Wood ages well"}]}]})"}),
    [](const auto& info) { return info.param.tool + std::to_string(info.index); });

TEST(Rehearsal, AMemoryIsFoundBeforeForgetting) {
  Host host;
  const Completion looked = host.say("forget the grey shed");
  ASSERT_EQ(looked.tool_calls.size(), 1U);
  EXPECT_EQ(looked.tool_calls[0].name, "memory_search");
  EXPECT_EQ(arguments(looked).text_or("query", ""), "the grey shed");
  const Completion asked = host.answer({{"Found 1 memory:\n- [fact] the shed is grey (id mem_7, score 0.9100)", false}});
  ASSERT_EQ(asked.tool_calls.size(), 1U);
  EXPECT_EQ(asked.tool_calls[0].name, "memory_forget");
  EXPECT_EQ(asked.tool_calls[0].arguments, R"({"id":"mem_7"})");
  EXPECT_THAT(host.answer({{"Forgotten: mem_7", false}}).content, HasSubstr("Forgotten: mem_7"));
  host.say("forget the moon");
  const Completion nothing = host.answer({{"No relevant memories found.", false}});
  EXPECT_TRUE(nothing.tool_calls.empty());
  EXPECT_THAT(nothing.content, HasSubstr("so I delete no memory"));
}

TEST(Rehearsal, RememberedTextsAreShownOnce) {
  Host host;
  const std::vector<Remembered> memories{{.id = "mem_1", .category = "preference", .text = "I prefer tabs"}};
  host.request.messages.push_back(remembered_message(memories));
  const Completion answer = host.say("tabs or blanks?");
  EXPECT_THAT(answer.content, HasSubstr("Remembered:\n\n- I prefer tabs *(preference)*"));
  EXPECT_THAT(answer.reasoning, HasSubstr("looked into its memory"));
  EXPECT_TRUE(answer.tool_calls.empty()) << "what is remembered is what there is to show, not the tour";
  EXPECT_THAT(host.say("tabs or blanks?").content, Not(HasSubstr("Remembered:"))) << "nothing was found for this one";
  host.request.messages.push_back(remembered_message(memories));
  EXPECT_THAT(host.say("list").content, HasSubstr("I prefer tabs"));
  EXPECT_THAT(host.answer({{"a.txt", false}}).content, Not(HasSubstr("I prefer tabs"))) << "only at the beginning of a turn";
  host.request.messages.push_back(remembered_message(memories));
  EXPECT_THAT(host.say("recall tabs").content, Not(HasSubstr("I prefer tabs"))) << "this one shows what it finds itself";
}

TEST(Rehearsal, APlanIsProposedAndItsAnswerReceived) {
  Host host;
  const Completion proposed = host.say("plan");
  ASSERT_EQ(proposed.tool_calls.size(), 1U);
  EXPECT_EQ(proposed.tool_calls[0].name, "propose_plan");
  EXPECT_THAT(std::string(arguments(proposed).text_or("plan", "")), HasSubstr("bicycle shed"));
  EXPECT_THAT(host.answer({{"approved", false}}).content, HasSubstr("The plan is approved"));
  host.say("plan");
  EXPECT_THAT(host.answer({{"rejected: paint it blue", true}}).content, HasSubstr("paint it blue"));
}

TEST(Rehearsal, WithoutPlanApprovalThePlanAdvancesStepByStep) {
  Host host({"update_plan"});
  std::string statuses;
  Completion step = host.say("plan");
  while (!step.tool_calls.empty()) {
    const json::Value sent = arguments(step);
    for (const json::Value& entry : *sent.find("entries")->array()) statuses += entry.text_or("status", "?").substr(0, 1);
    statuses += ' ';
    ASSERT_LT(statuses.size(), 40U);
    step = host.answer({{"ok", false}});
  }
  EXPECT_EQ(statuses, "ipp cip cci ccc ");
}

TEST(Rehearsal, ThinkingComesFirst) {
  Host host;
  const Completion answer = host.say("think about soup");
  EXPECT_THAT(answer.reasoning, HasSubstr("about soup"));
  EXPECT_THAT(host.chunks.trace, StartsWith("("));
}

TEST(Rehearsal, TheFirstFreeTextIsATour) {
  Host host;
  const Completion plan = host.say("Hello, who are you?");
  ASSERT_EQ(plan.tool_calls.size(), 1U);
  EXPECT_EQ(plan.tool_calls[0].name, "update_plan");
  EXPECT_FALSE(plan.reasoning.empty());
  const Completion look = host.answer({{"ok", false}});
  ASSERT_EQ(look.tool_calls.size(), 1U);
  EXPECT_EQ(look.tool_calls[0].name, "list_files");
  const Completion note = host.answer({{"README.md\nsrc/", false}});
  ASSERT_EQ(note.tool_calls.size(), 2U);
  EXPECT_EQ(note.tool_calls[1].name, "write_file");
  EXPECT_THAT(note.content, HasSubstr("README.md"));
  const Completion last_plan = host.answer({{"ok", false}, {"written", false}});
  ASSERT_EQ(last_plan.tool_calls.size(), 1U);
  const Completion end = host.answer({{"ok", false}});
  EXPECT_TRUE(end.tool_calls.empty());
  EXPECT_THAT(end.content, HasSubstr("is written, with your approval"));
  EXPECT_THAT(end.content, HasSubstr("Hello, who are you?"));
  EXPECT_THAT(end.content, HasSubstr("script and not a language model"));
  const Completion again = host.say("And now?");
  EXPECT_TRUE(again.tool_calls.empty()) << "the tour is for the first time";
  EXPECT_THAT(again.content, HasSubstr("`help`"));
}

TEST(Rehearsal, TheTourRespectsARefusalAndMissingTools) {
  Host host({"write_file"});
  const Completion note = host.say("hi");
  ASSERT_EQ(note.tool_calls.size(), 1U);
  EXPECT_THAT(host.answer({{"rejected: no thanks", true}}).content, HasSubstr("You refused the note"));
  Host bare(std::vector<std::string>{});
  EXPECT_THAT(bare.say("hi").content, HasSubstr("`help`"));
  Host reader({"list_files"});
  reader.say("hi");
  EXPECT_THAT(reader.answer({{"no permission to read", true}}).content, HasSubstr("could not be read"));
}

TEST(Rehearsal, AWordSimilarToACommandIsFreeText) {
  for (const char* text : {"read the manual, please", "plan my week", "long ago", "slow down 5", "help me with this", "edit it",
                           "long -3", "long 99999999999"}) {
    Host host(std::vector<std::string>{});
    EXPECT_THAT(host.say(text).content, HasSubstr("script and not a language model")) << text;
  }
}

TEST(Rehearsal, CallIdsAreUniqueInAConversationAndTheSameEachTime) {
  Host host;
  const std::string first = host.say("list").tool_calls[0].id;
  host.answer({{"x", false}});
  EXPECT_NE(host.say("list").tool_calls[0].id, first);
  Host other;
  EXPECT_EQ(other.say("list").tool_calls[0].id, first);
}

TEST(Rehearsal, AnErrorComesAfterPartOfTheAnswer) {
  Host host;
  host.request.messages.push_back({.role = Role::user, .content = "error"});
  const auto answer = host.loop.block_on(host.model->chat(host.request, host.chunks));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Errc::failed);
  EXPECT_FALSE(host.chunks.text.empty());
}

TEST(Rehearsal, ALongAnswerStreamsInPieces) {
  Host host;
  const Completion answer = host.say("long 1000");
  EXPECT_THAT(answer.content, HasSubstr("w1 w2 "));
  EXPECT_THAT(answer.content, HasSubstr(" w1000"));
  EXPECT_GT(host.chunks.count, 300U);
  EXPECT_EQ(host.chunks.text, answer.content);
}

TEST(Rehearsal, ASlowAnswerTakesItsTimeAndCanBeCancelled) {
  Host host;
  host.request.messages = {{.role = Role::assistant, .content = "hello"}, {.role = Role::user, .content = "slow 10 500"}};
  std::optional<Result<Completion>> result;
  const auto run = [&]() -> Task<void> { result = co_await host.model->chat(host.request, host.chunks); };
  {
    Scope scope(host.loop);
    scope.start(run());
    host.loop.advance(1999ms);
    EXPECT_EQ(host.chunks.text, "w1 w2 w3 w4 ");
    EXPECT_FALSE(result);
  }
  host.loop.advance(1h);
  EXPECT_FALSE(result);
  EXPECT_EQ(host.chunks.text, "w1 w2 w3 w4 ");
}

TEST(Rehearsal, PiecesNeverCutACharacter) {
  Host host;
  host.request.messages = {{.role = Role::assistant, .content = "x"},
                           {.role = Role::user, .content = "think 汉字汉字汉字汉字汉字汉字汉字汉字汉字汉字汉字汉字汉字汉字"}};
  struct Whole final : ChunkSink {
    Result<void> on_chunk(Chunk chunk) override {
      if (const auto* text = std::get_if<TextDelta>(&chunk)) EXPECT_NE(static_cast<unsigned char>(text->text[0]) & 0xC0, 0x80);
      return {};
    }
  } whole;
  EXPECT_TRUE(host.loop.block_on(host.model->chat(host.request, whole)));
}

// ---- scenarios ---------------------------------------------------------------------------------------------------------------

constexpr std::string_view scenario_text = R"({
  "announce": false,
  "turns": [
    {"user": "fix", "steps": [
      {"think": "Hm", "say": "Reading.", "calls": [{"name": "read_file", "arguments": {"path": "a"}}, {"name": "teleport"}]},
      {"say": "It says {{result}}", "calls": [{"name": "write_file", "arguments": {}}], "failed": {"say": "Unreadable: {{result}}"}},
      {"say": "Fixed, {{user}}", "refused": {"say": "As you like.", "stop": "refusal"}}]},
    {"turn": 2, "steps": [{"error": {"message": "boom", "code": "overloaded"}}]}]
})";

class ScenarioTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "parlance_scenario_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    path_ = folder_ + "/scenario.json";
    std::ofstream(path_) << scenario_text;
    host.model = *make_rehearsal(host.loop, {.scenario = path_, .pace = 0ms});
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string folder_, path_;
  Host host;
};

TEST_F(ScenarioTest, IsPlayedStepByStep) {
  const Completion first = host.say("Please FIX it");
  EXPECT_EQ(first.reasoning, "Hm");
  EXPECT_EQ(first.content, "Reading.\n\n(The tool `teleport` is not offered here, so this call is left out.)");
  ASSERT_EQ(first.tool_calls.size(), 1U);
  EXPECT_EQ(first.tool_calls[0].arguments, R"({"path":"a"})");
  EXPECT_EQ(host.answer({{"oh dear", false}}).content, "It says oh dear");
  EXPECT_EQ(host.answer({{"ok", false}}).content, "Fixed, Please FIX it");
}

TEST_F(ScenarioTest, ReactsToFailureAndRefusal) {
  host.say("fix");
  EXPECT_EQ(host.answer({{"no such file", true}}).content, "Unreadable: no such file");
  Host other;
  other.model = *make_rehearsal(other.loop, {.scenario = path_, .pace = 0ms});
  other.say("fix");
  other.answer({{"x", false}});
  const Completion end = other.answer({{"refused", true}});
  EXPECT_EQ(end.content, "As you like.");
  EXPECT_EQ(end.stop, StopReason::refusal);
}

TEST_F(ScenarioTest, TurnsAreMatchedByTextOrNumberAndCommandsRemain) {
  EXPECT_THAT(host.say("help").content, HasSubstr("rehearsal"));
  host.request.messages.push_back({.role = Role::user, .content = "anything"});
  const auto failed = host.loop.block_on(host.model->chat(host.request, host.chunks));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error(), (Error{Errc::overloaded, "boom"}));
}

TEST(ScenarioFile, FaultsNameThePlace) {
  EXPECT_THAT(rehearsal::parse_scenario(R"({"turns":[{"steps":[{"stop":"bored"}]}]})").error().message,
              HasSubstr("$.turns[0].steps[0].stop"));
  EXPECT_THAT(rehearsal::parse_scenario(R"({"turns":[{"steps":[{"error":{"message":"x","code":"odd"}}]}]})").error().message,
              HasSubstr("odd"));
  Loop loop(Loop::Time::virtual_);
  EXPECT_EQ(make_rehearsal(loop, {.scenario = "/nowhere/at/all.json"}).error().code, Errc::not_found);
}

}  // namespace
}  // namespace parlance::model
