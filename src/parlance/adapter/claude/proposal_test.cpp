// SPDX-License-Identifier: Apache-2.0
// Proposals of Claude Code's calls, and calls with a proposal that a person changed.
#include "parlance/adapter/claude/proposal.h"

#include <gtest/gtest.h>

#include "parlance/adapter/claude/tools.h"
#include "parlance/store/test_folder.h"

namespace parlance::adapter {
namespace {

ClaudeCall call(std::string tool, std::string_view input) { return {.tool = std::move(tool), .input = *json::parse(input)}; }

// The input of the call after a person replaced the proposed content by `text`. `now`: the file's content before the call.
std::string edited(const ClaudeCall& of, std::string_view text, std::optional<std::string> now = "one\ntwo\n") {
  store::TestFolder folder;
  const hub::ToolIntent intent = claude_intent(of, {.own = folder.path()}, [&](const std::string&) { return now; });
  EXPECT_TRUE(intent.editable) << of.tool;
  const json::Value input = claude_edited_input(of, intent, text);
  // The changed call has the effect that the person saw.
  const hub::ToolIntent again =
      claude_intent({.tool = of.tool, .input = input}, {.own = folder.path()}, [&](const std::string&) { return now; });
  EXPECT_EQ(again.diff ? again.diff->after : again.command, std::string(text));
  return json::to_text(input);
}

TEST(ClaudeProposal, OnlyThePersonsVersionOfAChangeIsWritten) {
  EXPECT_EQ(edited(call("Write", R"({"file_path":"/a","content":"new"})"), "mine"), R"({"file_path":"/a","content":"mine"})");
  EXPECT_EQ(edited(call("Edit", R"({"file_path":"/a","old_string":"two","new_string":"2"})"), "one\n3\n"),
            R"({"file_path":"/a","old_string":"one\ntwo\n","new_string":"one\n3\n","replace_all":false})");
  EXPECT_EQ(edited(call("MultiEdit", R"({"file_path":"/a","edits":[{"old_string":"one","new_string":"1"}]})"), "x"),
            R"({"file_path":"/a","edits":[{"old_string":"one\ntwo\n","new_string":"x"}]})");
  EXPECT_EQ(edited(call("Edit", R"({"file_path":"/a","old_string":"","new_string":"2"})"), "mine", std::nullopt),
            R"({"file_path":"/a","old_string":"","new_string":"mine","replace_all":false})");
  EXPECT_EQ(edited(call("Bash", R"({"command":"make","description":"d"})"), "make test"),
            R"({"command":"make test","description":"d"})");
}

TEST(ClaudeProposal, NothingElseCanBeChanged) {
  for (const char* tool : {"Read", "WebFetch", "NotebookEdit", "mcp__x__y"})
    EXPECT_FALSE(claude_editable(call(tool, R"({"file_path":"/a"})"), {})) << tool;
}

TEST(ClaudeProposal, SaysWhatItIsAboutAndWhere) {
  EXPECT_EQ(claude_call_kind("Grep"), hub::CallKind::search);
  EXPECT_EQ(claude_call_kind("MultiEdit"), hub::CallKind::edit);
  EXPECT_EQ(claude_call_kind("ExitPlanMode"), hub::CallKind::switch_mode);
  EXPECT_EQ(claude_call_kind("mcp__x__y"), hub::CallKind::other);
  EXPECT_EQ(claude_locations(call("Read", R"({"file_path":"/a","offset":7})")),
            (std::vector<hub::Location>{{.path = "/a", .line = 7}}));
  EXPECT_FALSE(claude_locations(call("Bash", R"({"command":"ls"})")));
}

}  // namespace
}  // namespace parlance::adapter
