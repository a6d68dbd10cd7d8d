// SPDX-License-Identifier: Apache-2.0
// The messages themselves: required members, optional members, and members kept unchanged.
#include "parlance/protocol/claude/messages.h"

#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"
#include "parlance/protocol/claude/dialect.h"
#include "parlance/protocol/claude/host.h"

namespace parlance::claude {
namespace {

TEST(ClaudeMessages, APermissionAnswerIsCamelCaseWithItsTag) {
  EXPECT_EQ(json::to_text(PermissionResult{Allow{.updated_input = {R"({"command":"ls"})"}}}),
            R"({"behavior":"allow","updatedInput":{"command":"ls"}})");
  EXPECT_EQ(json::to_text(PermissionResult{Deny{.message = "no", .interrupt = true, .tool_use_id = "t1"}}),
            R"({"behavior":"deny","message":"no","interrupt":true,"toolUseID":"t1"})");
}

TEST(ClaudeMessages, DecorationOfAQuestionMayHaveAnyType) {
  const auto read = json::from_text<CanUseTool>(
      R"({"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"ls"},"title":7,"description":null,"blocked_path":["/a"],)"
      R"("permission_suggestions":[{"type":"somethingNew","x":[1]}],"tool_use_id":null})");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->suggestions.json, R"([{"type":"somethingNew","x":[1]}])");
  EXPECT_FALSE(read->tool_use_id);
  EXPECT_EQ(text_of(read->title), "");
  EXPECT_FALSE(json::from_text<CanUseTool>(R"({"tool_name":7,"input":{}})"));
  EXPECT_FALSE(json::from_text<CanUseTool>(R"({"input":{}})"));
}

TEST(ClaudeMessages, AModelMayBeNullOrAbsentAndStaysSo) {
  for (const char* text : {R"({"model":null})", R"({})", R"({"model":"opus"})"}) {
    const auto read = json::from_text<SetModel>(text);
    ASSERT_TRUE(read);
    EXPECT_EQ(json::to_text(*read), text);
  }
  EXPECT_EQ(json::to_text(SetMaxThinkingTokens{}), R"({"max_thinking_tokens":null})");
}

TEST(ClaudeMessages, ASuccessThatIsAnErrorDidNotSucceed) {
  EXPECT_TRUE(json::from_text<TurnResult>(R"({"is_error":false,"subtype":"success"})")->succeeded());
  EXPECT_FALSE(json::from_text<TurnResult>(R"({"is_error":true,"subtype":"success"})")->succeeded());
  EXPECT_FALSE(json::from_text<TurnResult>(R"({"is_error":false,"subtype":"error_max_turns"})")->succeeded());
}

TEST(ClaudeMessages, EveryErrorHasACodeOrATextThatReadsBack) {
  for (const Errc code : all_error_codes) {
    const std::string_view wire = error_code_of(code);
    EXPECT_EQ(code_of(wire, ""), code == Errc::unknown_method ? Errc::unknown_method : Errc::failed) << to_string(code);
  }
  EXPECT_EQ(code_of("invalid_mode", "x"), Errc::invalid_params);
  EXPECT_EQ(code_of("bypass_not_launched", "x"), Errc::denied);
  EXPECT_EQ(code_of("", "Unsupported control request subtype: make_coffee"), Errc::unknown_method);
}

}  // namespace
}  // namespace parlance::claude
