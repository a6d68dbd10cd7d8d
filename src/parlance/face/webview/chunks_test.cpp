// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/webview/chunks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"
#include "parlance/hub/conversation/event.h"

namespace parlance::face {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class WebviewChunksTest : public testing::Test {
 protected:
  std::vector<std::string> of(hub::EventBody body) {
    std::vector<std::string> out;
    for (const webview::StreamChunk& chunk : chunks.of({.seq = ++seq, .body = std::move(body)}))
      out.push_back(json::to_text(chunk));
    return out;
  }
  std::uint64_t seq = 0;
  bool asks_are_open = true;
  WebviewChunks chunks{false,
                       [this](const hub::Ask&) { return asks_are_open ? std::optional<webview::RequestId>(7) : std::nullopt; }};
};

TEST_F(WebviewChunksTest, AThoughtBeginsOnceAndEndsWhenSomethingElseComes) {
  EXPECT_THAT(of(hub::event::ThinkingContent{"a"}),
              ElementsAre(R"({"chunkType":"thinking_start"})", R"({"chunkType":"thinking_content","content":"a"})"));
  EXPECT_THAT(of(hub::event::ThinkingContent{"b"}), ElementsAre(R"({"chunkType":"thinking_content","content":"b"})"));
  EXPECT_THAT(of(hub::event::Text{"c"}), ElementsAre(R"({"chunkType":"thinking_end"})", R"({"chunkType":"text","content":"c"})"));
  EXPECT_THAT(of(hub::event::ThinkingEnd{}), IsEmpty());
  of(hub::event::ThinkingStart{});
  EXPECT_THAT(of(hub::event::TurnEnd{}), ElementsAre(R"({"chunkType":"thinking_end"})"));
}

TEST_F(WebviewChunksTest, ACallHasAnIconAnInputAndAnEnd) {
  EXPECT_THAT(
      of(hub::event::ToolStart{.call = "c",
                               .tool = "edit_file",
                               .title = "Edit a.txt",
                               .input_json = R"({"old_text":"x"})",
                               .kind = hub::CallKind::edit,
                               .locations = std::vector<hub::Location>{{.path = "/w/a.txt", .line = 3}}}),
      ElementsAre(
          R"({"chunkType":"tool_start","toolId":"c","name":"edit_file","input":{"old_text":"x","file_path":"/w/a.txt"},"label":"Edit a.txt","icon":{"type":"emoji","value":"✏️"}})",
          R"({"chunkType":"file_ref","path":"/w/a.txt","lineStart":3})"));
  const auto diff = of(hub::event::ToolUpdate{
      .call = "c", .content = std::vector<hub::ToolContent>{hub::Diff{.path = "/w/a.txt", .before = "x", .after = "y"}}});
  ASSERT_EQ(diff.size(), 1U);
  EXPECT_THAT(diff[0], testing::AllOf(HasSubstr(R"("old_string":"x")"), HasSubstr(R"("content":"y")")));
  EXPECT_THAT(of(hub::event::ToolUpdate{.call = "c", .status = hub::CallStatus::running}), IsEmpty()) << "nothing new to show";
  EXPECT_THAT(of(hub::event::ToolOutput{.call = "c", .text = "ok"}),
              ElementsAre(R"({"chunkType":"tool_output","toolId":"c","content":"ok"})"));
  EXPECT_THAT(of(hub::event::ToolEnd{.call = "c"}), ElementsAre(R"({"chunkType":"tool_end","toolId":"c","status":"completed"})"));
  EXPECT_THAT(of(hub::event::ToolEnd{.call = "c"}), IsEmpty()) << "once";
}

TEST_F(WebviewChunksTest, CallWithoutOutputShowsItsContent) {
  of(hub::event::ToolStart{.call = "c", .tool = "t"});
  of(hub::event::ToolUpdate{.call = "c", .content = std::vector<hub::ToolContent>{hub::ToolText{"whole"}}});
  EXPECT_THAT(of(hub::event::ToolEnd{.call = "c", .state = hub::ToolEndState::failed}),
              ElementsAre(R"({"chunkType":"tool_output","toolId":"c","content":"whole"})",
                          R"({"chunkType":"tool_end","toolId":"c","status":"error"})"));
}

TEST_F(WebviewChunksTest, PermissionShowsTheWholeApproval) {
  of(hub::event::ToolStart{.call = "c", .tool = "run_command", .kind = hub::CallKind::execute});
  const hub::Ask ask{.id = "k",
                     .call = "c",
                     .tool = "run_command",
                     .title = "rm",
                     .why = "It was wanted.",
                     .detail = "rm -r x",
                     .options = {{.id = "y", .label = "Yes", .kind = hub::OptionKind::allow_once},
                                 {.id = "s", .label = "Stop", .kind = hub::OptionKind::reject_and_stop}}};
  EXPECT_THAT(
      of(hub::event::ToolConfirmation{ask}),
      ElementsAre(
          R"({"chunkType":"tool_confirmation","requestId":7,"toolId":"c","toolName":"run_command","description":"rm\n\nrm -r x\n\nIt was wanted.","confirmationType":"execute","options":[{"optionId":"y","name":"Yes","kind":"allow_once"}]})"));
  asks_are_open = false;
  EXPECT_THAT(of(hub::event::ToolConfirmation{ask}), IsEmpty()) << "of the past";
}

TEST_F(WebviewChunksTest, AskWithoutACallGetsACall) {
  const auto asked = of(hub::event::ToolConfirmation{{.id = "k", .title = "Begin anew?"}});
  ASSERT_EQ(asked.size(), 2U);
  EXPECT_THAT(asked[0], HasSubstr(R"("chunkType":"tool_start","toolId":"k")"));
  EXPECT_THAT(of(hub::event::AskSettled{.ask = "k"}),
              ElementsAre(R"({"chunkType":"tool_end","toolId":"k","status":"completed"})"));
}

TEST_F(WebviewChunksTest, QuestionsPlansNoticesAndErrors) {
  EXPECT_THAT(
      of(hub::event::UserQuestion{
          {.id = "q",
           .questions = std::vector<hub::Question>{{.question = "Which?", .options = {{.label = "a", .description = "b"}}}}}}),
      ElementsAre(
          R"({"chunkType":"user_question","requestId":7,"questions":[{"question":"Which?","header":"Which?","options":[{"label":"a","description":"b"}],"multiSelect":false}]})"));
  of(hub::event::TurnStart{});
  EXPECT_FALSE(chunks.plan_was_asked());
  EXPECT_THAT(of(hub::event::PlanApproval{{.id = "p", .plan = "1. x"}}),
              ElementsAre(R"({"chunkType":"plan_approval","requestId":7,"plan":"1. x"})"));
  EXPECT_TRUE(chunks.plan_was_asked());
  EXPECT_THAT(of(hub::event::Plan{{{.content = "x", .status = hub::PlanStatus::completed, .priority = hub::PlanPriority::high}}}),
              ElementsAre(R"({"chunkType":"plan","entries":[{"content":"x","status":"completed","priority":"high"}]})"));
  EXPECT_THAT(of(hub::event::Plan{}), IsEmpty());
  EXPECT_THAT(of(hub::event::Notice{.level = hub::NoticeLevel::warning, .text = "near", .detail = "80 %"}),
              ElementsAre(R"({"chunkType":"warning","message":"near: 80 %"})"));
  EXPECT_THAT(of(hub::event::Failure{.code = "overloaded", .message = "busy"}),
              ElementsAre(R"({"chunkType":"error","code":"overloaded","message":"busy"})"));
  EXPECT_THAT(of(hub::event::Failure{.code = "failed", .message = "rate limited", .detail = R"({"code":429})"}),
              ElementsAre(R"({"chunkType":"error","code":"failed","message":"rate limited"})"))
      << "an error object is not text for a person";
}

TEST(WebviewCodeChunks, CodeBlocksAreSeparateOnRequest) {
  WebviewChunks chunks(true, [](const hub::Ask&) { return std::nullopt; });
  std::string kinds;
  for (hub::EventBody body : {hub::EventBody(hub::event::Text{"a\n``"}), hub::EventBody(hub::event::Text{"`sh\nls\n"}),
                              hub::EventBody(hub::event::TurnEnd{})})
    for (const webview::StreamChunk& chunk : chunks.of({.body = std::move(body)}))
      kinds += json::to_text(chunk).substr(14, 12) + " ";
  EXPECT_EQ(kinds, R"(text","conte code_start", code_content code_end"} )");
}

}  // namespace
}  // namespace parlance::face
