// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/claude_tool_names.h"

#include <gtest/gtest.h>

#include "parlance/toolbox/builtin_tools.h"
#include "parlance/toolbox/conversation_tools.h"

namespace parlance::toolbox {
namespace {

struct Case {
  const char* claude;
  const char* input;
  const char* ours;
  const char* arguments;
};

class ClaudeToolNames : public ::testing::TestWithParam<Case> {};

TEST_P(ClaudeToolNames, GoBothWays) {
  const auto [claude, input, ours, arguments] = GetParam();
  const hub::ToolCall named = claude_call({.tool = ours, .arguments_json = arguments}, "/project");
  EXPECT_EQ(named.tool, claude);
  EXPECT_EQ(json::parse_or_null(named.arguments_json), json::parse_or_null(input)) << named.arguments_json.json();
  const auto carried_out = own_call({.tool = claude, .arguments_json = input});
  ASSERT_TRUE(carried_out) << carried_out.error().message;
  EXPECT_EQ(carried_out->tool, ours);
  // Once more in Claude Code's words: paths were made absolute, and texts expressions.
  EXPECT_EQ(claude_call(*carried_out, "/project").arguments_json, named.arguments_json);
}

INSTANTIATE_TEST_SUITE_P(
    All, ClaudeToolNames,
    ::testing::Values(
        Case{"Bash", R"({"command":"ls","timeout":5000})", "run_command", R"({"command":"ls","timeout_s":5})"},
        Case{"Read", R"({"file_path":"/project/a"})", "read_file", R"({"path":"a"})"},
        Case{"Read", R"({"file_path":"/etc/a","offset":3,"limit":2})", "read_file",
             R"({"path":"/etc/a","start_line":3,"end_line":4})"},
        Case{"Write", R"({"file_path":"/project/b/c","content":"x"})", "write_file", R"({"path":"./b/c","content":"x"})"},
        Case{"Edit", R"({"file_path":"/project/a","old_string":"x","new_string":"y","replace_all":true})", "edit_file",
             R"({"path":"a","old_text":"x","new_text":"y","replace_all":true})"},
        Case{"Grep", R"({"pattern":"a\\.b","path":"/project/src","glob":"*.c","-i":true})", "search_files",
             R"({"pattern":"a.b","path":"src","name":"*.c","ignore_case":true})"},
        Case{"Glob", R"({"pattern":"**/*","path":"/project"})", "list_files", R"({"path":".","recursive":true})"},
        Case{"TodoWrite", R"({"todos":[{"content":"x","status":"pending","activeForm":"x"}]})", "update_plan",
             R"({"entries":[{"content":"x","status":"pending","priority":"high"}]})"},
        Case{
            "AskUserQuestion",
            R"({"questions":[{"question":"Which?","header":"H","options":[{"label":"a","description":"b"}],"multiSelect":true}]})",
            "ask_user",
            R"({"questions":[{"header":"H","question":"Which?","multiple":true,"options":[{"label":"a","description":"b"}]}]})"},
        Case{"ExitPlanMode", R"({"plan":"# a"})", "propose_plan", R"({"plan":"# a"})"}));

TEST(ClaudeToolNames, EveryToolExceptMemoryHasAName) {
  for (const ClaudeTool& tool : claude_tools()) {
    EXPECT_EQ(claude_tool_of_ours(tool.ours), &tool);
    EXPECT_TRUE(json::parse(tool.parameters_json())) << tool.claude;
  }
  for (const hub::ToolSpec& spec : conversation_tool_specs()) EXPECT_NE(claude_tool_of_ours(spec.name), nullptr) << spec.name;
  for (const char* name : {"list_files", "read_file", "search_files", "write_file", "edit_file", "run_command"})
    EXPECT_NE(claude_tool_of_ours(name), nullptr) << name;
  EXPECT_EQ(own_tool("MultiEdit"), "edit_file");
  EXPECT_EQ(own_tool("mcp__a__b"), "mcp__a__b");
}

TEST(ClaudeToolNames, AnIncompleteInputIsReportedWithThePlace) {
  const auto call = own_call({.tool = "Read", .arguments_json = R"({"path":"a"})"});
  ASSERT_FALSE(call);
  EXPECT_NE(call.error().message.find("file_path"), std::string::npos) << call.error().message;
}

}  // namespace
}  // namespace parlance::toolbox
