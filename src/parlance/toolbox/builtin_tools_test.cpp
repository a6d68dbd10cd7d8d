// SPDX-License-Identifier: Apache-2.0
// Our own tools as called by a model: the list of tools, commands, the memory, questions to the conversation. Files:
// builtin_file_tools_test.cpp.
#include <map>
#include <set>
#include <tuple>

#include <gmock/gmock.h>

#include "parlance/codec/json/value.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/toolbox/builtin_tools_test_support.h"

namespace parlance::toolbox {
namespace {

namespace fs = std::filesystem;
using hub::ToolEndState;
using hub::ToolKind;
using testing::HasSubstr;

class BuiltinToolsTest : public test::BuiltinToolsBench {};

// ---- the list ----------------------------------------------------------------------------------------------------------------

TEST_F(BuiltinToolsTest, EveryToolDescribesItselfAndItsInput) {
  std::set<std::string> names;
  for (const hub::ToolSpec& spec : tools.list()) {
    names.insert(spec.name);
    EXPECT_FALSE(spec.description.empty()) << spec.name;
    const auto schema = json::parse(spec.parameters_json);
    ASSERT_TRUE(schema) << spec.name;
    EXPECT_EQ(schema->text_or("type", ""), "object") << spec.name;
  }
  EXPECT_EQ(names,
            (std::set<std::string>{"list_files", "read_file", "search_files", "write_file", "edit_file", "run_command",
                                   "memory_search", "memory_store", "memory_forget", "update_plan", "ask_user", "propose_plan"}));
  BuiltinTools without(loop, runner, nullptr);
  for (const hub::ToolSpec& spec : without.list()) EXPECT_NE(spec.kind, ToolKind::memory) << spec.name;
  const hub::ToolCall search = call("memory_search", R"({"query":"x"})");
  EXPECT_EQ(loop.block_on(without.intent(setup, search)).error().code, Errc::not_found);
}

TEST_F(BuiltinToolsTest, AMismatchIsNamed) {
  EXPECT_EQ(intent(call("no_such_tool", "{}")).error().code, Errc::not_found);
  EXPECT_THAT(perform(call("no_such_tool", "{}")).text, HasSubstr("no_such_tool"));
  for (const auto& [tool, arguments, place] : std::vector<std::tuple<std::string, std::string, std::string>>{
           {"read_file", "{}", "$.path"},
           {"read_file", R"({"path":3})", "$.path"},
           {"read_file", "not JSON", "read_file"},
           {"write_file", R"({"path":"x"})", "$.content"},
           {"edit_file", R"({"path":"x","old_text":"a"})", "$.new_text"},
           {"run_command", "", "$.command"},
           {"search_files", "[]", "search_files"},
           {"memory_store", "{}", "$.text"},
           {"ask_user", R"({"questions":[]})", "$.questions"},
           {"propose_plan", R"({"plan":""})", "$.plan"}}) {
    const auto refused = intent(call(tool, arguments));
    ASSERT_FALSE(refused) << tool;
    EXPECT_THAT(refused.error().message, HasSubstr(place)) << tool;
  }
}

// ---- commands, memory, the conversation ------------------------------------------------------------------------------------------

TEST_F(BuiltinToolsTest, RunsCommandsInTheFolder) {
  const auto shown = intent(call("run_command", R"({"command":"make\nmake test"})"));
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->kind, ToolKind::execute);
  EXPECT_EQ(shown->title, "make");
  EXPECT_EQ(shown->command, "make\nmake test");
  EXPECT_EQ(shown->detail, "make\nmake test");
  EXPECT_TRUE(runner.requests.empty());
  const auto outcome = run("run_command", R"({"command":"make"})");
  EXPECT_EQ(outcome.state, ToolEndState::done);
  EXPECT_EQ(outcome.text, "so far, so good\n");
  EXPECT_EQ(pieces, "so far");
  ASSERT_EQ(runner.requests.size(), 1U);
  EXPECT_EQ(runner.requests[0].folder, inside());
  EXPECT_EQ(runner.requests[0].timeout, std::chrono::seconds(120));
  for (const auto& [wanted, given] : std::map<std::string, int>{{"5", 5}, {"0", 1}, {"-3", 1}, {"1000000", 3600}}) {
    run("run_command", R"({"command":"make","timeout_s":)" + wanted + "}");
    EXPECT_EQ(runner.requests.back().timeout, std::chrono::seconds(given));
  }
  runner.answer = workspace::CommandResult{.output = "oh", .exit_status = 2};
  const auto failed = run("run_command", R"({"command":"make"})");
  EXPECT_EQ(failed.state, ToolEndState::failed);
  EXPECT_EQ(failed.text, "oh\nexit status 2");
  runner.answer = fail(Errc::overloaded, "no more processes");
  EXPECT_EQ(run("run_command", R"({"command":"make"})").text, "no more processes");
}

// The table of free commands: the checked words run, without a shell.
TEST_F(BuiltinToolsTest, AScriptChangedAfterTheQuestionIsNotRun) {
  put("deploy.sh", "echo harmless");
  const hub::ToolCall deploy = call("run_command", R"({"command":"./deploy.sh --now"})");
  ASSERT_TRUE(intent(deploy));
  put("deploy.sh", "rm -rf ~");
  EXPECT_THAT(perform(deploy).text, HasSubstr("a script of this command has changed"));
  EXPECT_TRUE(runner.requests.empty());
  ASSERT_TRUE(intent(deploy));
  EXPECT_EQ(perform(deploy).state, hub::ToolEndState::done) << "approved without a change";
  EXPECT_EQ(runner.requests.size(), 1U);
}

TEST_F(BuiltinToolsTest, ACommandOfTheTableRunsInItsJudgedFormOrNotAtAll) {
  const hub::ToolCall cat = call("run_command", R"({"command":"cat 'a.txt'"})");
  const auto shown = intent(cat);
  ASSERT_TRUE(shown->look);
  EXPECT_EQ(shown->look->problem, "");
  EXPECT_THAT(shown->look->paths, testing::ElementsAre(inside() + "/a.txt"));
  EXPECT_EQ(perform(cat).state, ToolEndState::done);
  ASSERT_EQ(runner.requests.size(), 1U);
  ASSERT_TRUE(runner.requests[0].plain);
  EXPECT_THAT(runner.requests[0].plain->words, testing::ElementsAre(testing::EndsWith("/cat"), "a.txt"));

  ASSERT_TRUE(intent(cat));
  fs::remove(inside() + "/a.txt");
  fs::create_symlink("/etc/passwd", inside() + "/a.txt");
  EXPECT_THAT(perform(cat).text, HasSubstr("have changed since the decision"));
  EXPECT_EQ(runner.requests.size(), 1U) << "nothing ran";
  EXPECT_THAT(intent(cat)->look->problem, HasSubstr("outside the folder: /etc/passwd"));
  EXPECT_EQ(perform(cat).state, ToolEndState::done) << "a person allowed it as it stands";
  EXPECT_FALSE(runner.requests.back().plain);
  EXPECT_FALSE(intent(call("run_command", R"({"command":"make"})"))->look) << "nothing that the table knows";
}

TEST_F(BuiltinToolsTest, TheMemoryIsReachedForTheConversation) {
  EXPECT_EQ(intent(call("memory_store", R"({"text":"I like tea"})"))->kind, ToolKind::memory);
  EXPECT_EQ(run("memory_search", R"({"query":"tea"})").text, "Found 1 memory:\n- [fact] tea");
  EXPECT_EQ(run("memory_store", R"({"text":"I like tea"})").state, ToolEndState::done);
  ASSERT_EQ(memory.items.size(), 1U);
  EXPECT_EQ(memory.items[0].conversation, "conv_1");
  EXPECT_EQ(run("memory_forget", R"({"id":"m1"})").text, "Forgotten: m1");
  memory.document = fail(Errc::deadline_exceeded, "timeout waiting for agent at x");
  const auto failed = run("memory_search", R"({"query":"tea"})");
  EXPECT_EQ(failed.state, ToolEndState::failed);
  EXPECT_EQ(failed.text, "timeout waiting for agent at x");
}

TEST_F(BuiltinToolsTest, AsksOfTheConversationItselfNeedNoPermission) {
  for (const auto& [tool, arguments] :
       std::map<std::string, std::string>{{"update_plan", R"({"entries":[{"content":"a"}]})"},
                                          {"ask_user", R"({"questions":[{"question":"which?"}]})"},
                                          {"propose_plan", R"({"plan":"1. do it"})"}}) {
    const auto intended = intent(call(tool, arguments));
    ASSERT_TRUE(intended) << intended.error().message;
    EXPECT_EQ(intended->kind, ToolKind::ask) << tool;
  }
}

// ---- fewer tools, more folders ---------------------------------------------------------------------------------------------------

TEST_F(BuiltinToolsTest, DisabledToolsAreMissing) {
  tools.offer_only({"read_file", "ask_user", "no_such_tool"});
  std::vector<std::string> names;
  for (const hub::ToolSpec& spec : tools.list()) names.push_back(spec.name);
  EXPECT_THAT(names, testing::ElementsAre("read_file", "ask_user"));
  for (const auto& [tool, arguments] : std::map<std::string, std::string>{{"run_command", R"({"command":"ls"})"},
                                                                          {"write_file", R"({"path":"n","content":"x"})"},
                                                                          {"update_plan", R"({"entries":[{"content":"a"}]})"}})
    EXPECT_EQ(intent(call(tool, arguments)).error().code, Errc::not_found) << tool;
  EXPECT_EQ(run("read_file", R"({"path":"a.txt"})").state, ToolEndState::done);
}

}  // namespace
}  // namespace parlance::toolbox
