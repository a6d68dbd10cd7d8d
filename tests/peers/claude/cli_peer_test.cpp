// SPDX-License-Identifier: Apache-2.0
// The real Claude Code (2.1.112, and by hand the newest) as an agent of the hub.
#include <algorithm>

#include "parlance/base/base64.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/plan.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/conversation/usage.h"
#include "tests/peers/claude/cli_fixture.h"

namespace parlance::service {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// One dot.
constexpr std::string_view png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

TEST_F(ClaudeCli, AllowAndDenyWithoutARuleKeptByClaudeCode) {
  const std::string id = conversation();
  begin(id, bash_step("touch made.txt") + step("echo"));
  hub::Ask ask = asked();
  EXPECT_EQ(ask.tool, "Bash");
  EXPECT_EQ(ask.detail, "touch made.txt");
  for (const hub::AskOption& offered : ask.options) EXPECT_NE(offered.kind, hub::OptionKind::allow_always) << offered.label;
  answer(ask, "allow_once");
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::end_turn);
  EXPECT_TRUE(std::filesystem::exists(base + "/work/made.txt"));
  EXPECT_THAT(said(id), HasSubstr("ECHO"));
  ASSERT_EQ(events<hub::event::ToolStart>(id).size(), 1U);
  EXPECT_EQ(events<hub::event::ToolEnd>(id).at(0).state, hub::ToolEndState::done);
  ASSERT_FALSE(events<hub::event::Usage>(id).empty());
  EXPECT_GT(events<hub::event::Usage>(id).at(0).output_tokens, 0U);
  EXPECT_FALSE(hub->find(id)->agent_session.empty());

  begin(id, bash_step("touch other.txt") + step("echo"));
  answer(asked(), "reject", "not this one");
  until_idle(id);
  EXPECT_FALSE(std::filesystem::exists(base + "/work/other.txt"));
  EXPECT_THAT(said(id), HasSubstr("not this one")) << "the model receives the reason";
  EXPECT_EQ(events<hub::event::ToolEnd>(id).at(1).state, hub::ToolEndState::rejected);
  EXPECT_FALSE(std::filesystem::exists(base + "/work/.claude")) << "no settings are written";
}

TEST_F(ClaudeCli, AnEditIsShownAsADiffAndTheModesOfTheHubHold) {
  { std::ofstream(base + "/work/a.txt") << "one\ntwo\n"; }
  const std::string id = conversation();
  const std::string file = base + "/work/a.txt";
  begin(id, tool_step("Read", R"({"file_path":")" + file + R"("})") +
                tool_step("Edit", R"({"file_path":")" + file + R"(","old_string":"two","new_string":"three"})") + step("echo"));
  const hub::Ask ask = asked();
  ASSERT_TRUE(ask.diff);
  EXPECT_EQ(ask.diff->before, "one\ntwo\n");
  EXPECT_EQ(ask.diff->after, "one\nthree\n");
  answer(ask, "allow_once");
  until_idle(id);
  EXPECT_EQ(read_file(file), "one\nthree\n");
  const auto updates = events<hub::event::ToolUpdate>(id);
  ASSERT_TRUE(!updates.empty() && updates.back().content);
  EXPECT_EQ(std::get<hub::Diff>(updates.back().content->front()).after, "one\nthree\n");

  ASSERT_TRUE(loop.block_on(hub->submit(id, hub::ChangeSettings{{.mode = hub::Mode::yolo}})));
  begin(id, bash_step("touch free.txt") + step("echo"));
  until_idle(id);
  EXPECT_TRUE(std::filesystem::exists(base + "/work/free.txt")) << "yolo: nobody is asked";
}

TEST_F(ClaudeCli, AQuestionAPlanAndAToDoList) {
  const std::string id = conversation(hub::Mode::plan);
  begin(id,
        tool_step("AskUserQuestion", R"({"questions":[{"question":"Which one?","header":"Colour","multiSelect":false,)"
                                     R"("options":[{"label":"Red","description":"r"},{"label":"Blue","description":"b"}]}]})") +
            tool_step("ExitPlanMode", R"({"plan":"1. do it"})") +
            tool_step("TodoWrite", R"({"todos":[{"content":"do it","status":"in_progress","activeForm":"Doing it"}]})") +
            step("echo"));
  const hub::Ask question = asked();
  ASSERT_EQ(question.kind, hub::AskKind::question);
  ASSERT_TRUE(loop.block_on(
      hub->submit(question.conversation,
                  hub::AnswerRequest{.request = question.id, .answer = {.digest = question.digest, .answers = {{"Blue"}}}})));
  until([&] { return !open_asks(*hub).empty() && open_asks(*hub).front().id != question.id; }, "the plan");
  const hub::Ask plan = asked();
  ASSERT_EQ(plan.kind, hub::AskKind::plan);
  EXPECT_THAT(*plan.plan, HasSubstr("do it"));
  answer(plan, "approve");
  until_idle(id);
  EXPECT_EQ(hub->find(id)->mode, hub::Mode::default_) << "an approved plan ends plan mode";
  ASSERT_EQ(events<hub::event::Plan>(id).size(), 1U);
  EXPECT_EQ(events<hub::event::Plan>(id)[0].entries.at(0).status, hub::PlanStatus::in_progress);
  bool answered = false;
  for (const auto& output : events<hub::event::ToolOutput>(id))
    answered = answered || output.text.find("Blue") != std::string::npos;
  EXPECT_TRUE(answered);
}

// To plan again is an answer, and no refusal.
TEST_F(ClaudeCli, ARevisedAndThenApprovedPlanIsNotRefused) {
  const std::string id = conversation(hub::Mode::plan);
  begin(id, tool_step("ExitPlanMode", R"({"plan":"1. do it"})") + tool_step("ExitPlanMode", R"({"plan":"2. do it well"})") +
                step("echo"));
  const hub::Ask first = asked();
  answer(first, "revise", "more carefully");
  until([&] { return !open_asks(*hub).empty() && open_asks(*hub).front().id != first.id; }, "the next plan");
  answer(asked(), "approve");
  until_idle(id);
  EXPECT_EQ(hub->find(id)->mode, hub::Mode::default_);
  const auto ends = events<hub::event::ToolEnd>(id);
  ASSERT_EQ(ends.size(), 2U);
  for (const auto& end : ends) EXPECT_EQ(end.state, hub::ToolEndState::done);
  EXPECT_THAT(events<hub::event::ToolOutput>(id).at(0).text, HasSubstr("more carefully")) << "the model receives the remark";
}

TEST_F(ClaudeCli, AStopInMidStreamAndInAQuestion) {
  const std::string id = conversation();
  json::Object slow;
  slow.set("chunks", 400);
  slow.set("delay_ms", 50);
  begin(id, step("slow", std::move(slow)));
  until([&] { return !events<hub::event::Text>(id).empty(); }, "text");
  ASSERT_TRUE(hub->submit_at_once(id, hub::StopTurn{}));
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::cancelled);
  EXPECT_TRUE(events<hub::event::Failure>(id).empty());

  begin(id, bash_step("touch never.txt") + step("echo"));
  const hub::Ask ask = asked();
  ASSERT_TRUE(hub->submit_at_once(id, hub::StopTurn{}));
  until_idle(id);
  EXPECT_EQ(store.asks.at(ask.id).state, hub::AskState::cancelled);
  EXPECT_FALSE(std::filesystem::exists(base + "/work/never.txt"));

  json::Object after;
  after.set("text", "still here");
  begin(id, step("text", std::move(after)));
  until_idle(id);
  EXPECT_THAT(said(id), HasSubstr("still here"));
}

TEST_F(ClaudeCli, ThinkingIsReportedOnce) {
  const std::string id = conversation();
  json::Object think;
  think.set("thinking", "let me see");
  think.set("text", "four");
  begin(id, step("think", std::move(think)));
  until_idle(id);
  EXPECT_EQ(said(id), "four");
  std::string thought;
  for (const auto& piece : events<hub::event::ThinkingContent>(id)) thought += piece.text;
  EXPECT_EQ(thought, "let me see");
  EXPECT_EQ(events<hub::event::ThinkingEnd>(id).size(), 1U);
}

TEST_F(ClaudeCli, AnErrorOfTheModelIsAnErrorOfTheTurn) {
  const std::string id = conversation();
  json::Object error;
  error.set("status", 400);
  error.set("message", "scripted failure");
  begin(id, step("error", std::move(error)));
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::error);
  ASSERT_FALSE(events<hub::event::Failure>(id).empty());
  EXPECT_THAT(events<hub::event::Failure>(id)[0].message, HasSubstr("scripted failure"));
}

TEST_F(ClaudeCli, HooksDecideAndABrokenHookFailsClosed) {
  {
    std::ofstream(base + "/deny.json")
        << R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"the hook says no"}})";
  }
  hooks = {{.event = "PreToolUse", .matcher = "Bash", .command = "cat > seen.json; cat " + base + "/deny.json"}};
  open_hub();
  std::string id = conversation();
  begin(id, bash_step("touch made.txt") + step("echo"));
  until_idle(id);
  EXPECT_THAT(said(id), HasSubstr("the hook says no"));
  EXPECT_THAT(read_file(base + "/work/seen.json"), HasSubstr("touch made.txt"));

  hooks = {{.event = "PreToolUse", .command = "sleep 600", .timeout = 0.2, .on_failure = "block"}};
  open_hub();
  id = conversation();
  begin(id, bash_step("touch made.txt") + step("echo"));
  until_idle(id);
  EXPECT_THAT(said(id), HasSubstr("no answer in time"));
  EXPECT_FALSE(std::filesystem::exists(base + "/work/made.txt"));

  hooks = {{.event = "PreToolUse", .command = "exit 1"}};
  open_hub();
  id = conversation();
  begin(id, bash_step("touch made.txt") + step("echo"));
  answer(asked(), "allow_once");
  until_idle(id);
  EXPECT_TRUE(std::filesystem::exists(base + "/work/made.txt")) << "a hook that fails has no opinion";
}

// A picture that a tool has read, and one that a person sends: the model gets both (the mock counts them).
TEST_F(ClaudeCli, PicturesReachTheModel) {
  { std::ofstream(base + "/work/dot.png", std::ios::binary) << *from_base64(png); }
  const std::string id = conversation();
  begin(id, tool_step("Read", R"({"file_path":")" + base + R"(/work/dot.png"})") + step("images"));
  until_idle(id);
  EXPECT_THAT(said(id), HasSubstr("IMAGES 1"));
  EXPECT_EQ(events<hub::event::ToolEnd>(id).at(0).state, hub::ToolEndState::done);

  const hub::Attachment dot{.about = {.media_type = "image/png"}, .data = *from_base64(png)};
  const hub::Attachment sound{.about = {.media_type = "audio/wav", .name = "a.wav"}, .data = "x"};
  ASSERT_TRUE(loop.block_on(hub->submit(id, hub::SendPrompt{.text = step("images"), .attachments = {dot, sound}})));
  until_idle(id);
  EXPECT_THAT(said(id), HasSubstr("IMAGES 2")) << "the one of before is still there";
  ASSERT_EQ(events<hub::event::Failure>(id).size(), 1U) << "an unsupported attachment is reported";
  EXPECT_THAT(events<hub::event::Failure>(id)[0].message, HasSubstr("audio/wav"));
}

TEST_F(ClaudeCli, SystemPromptsOfAPromptReachTheModel) {
  const auto reply_to = [&](const std::string& id, std::string what, hub::PromptOptions options) {
    json::Object argument;
    argument.set("find", std::move(what));
    EXPECT_TRUE(loop.block_on(
        hub->submit(id, hub::SendPrompt{.text = step("system", std::move(argument)), .options = std::move(options)})));
    until_idle(id);
    return said(id);
  };
  const std::string id = conversation();
  EXPECT_EQ(reply_to(id, "You are a pirate.", {.system = "You are a pirate."}), "SYSTEM true");
  EXPECT_EQ(reply_to(id, "Say arr.", {.append_system = "Say arr."}), "SYSTEM true");
  EXPECT_EQ(reply_to(id, "Say arr.", {}), "SYSTEM false") << "it holds for the prompts that bring it";
}

TEST_F(ClaudeCli, ASubAgentIsReportedInsideItsCall) {
  const std::string id = conversation();
  json::Object found;
  found.set("text", "the sub-agent found it");
  json::Object task;
  task.set("description", "look for it");
  task.set("subagent_type", "general-purpose");
  task.set("prompt", bash_step("touch inside.txt") + step("text", std::move(found)));
  begin(id, tool_step("Task", json::to_text(json::Value(std::move(task)))) + step("echo"));
  const hub::Ask ask = asked();
  EXPECT_EQ(ask.detail, "touch inside.txt");
  answer(ask, "allow_once");
  until_idle(id);
  EXPECT_TRUE(std::filesystem::exists(base + "/work/inside.txt"));
  const auto starts = events<hub::event::ToolStart>(id);
  ASSERT_EQ(starts.size(), 2U);
  EXPECT_FALSE(starts[0].parent);
  EXPECT_EQ(starts[1].tool, "Bash");
  EXPECT_EQ(starts[1].parent, starts[0].call) << "nested in the call";
  std::string output_text;
  for (const auto& output : events<hub::event::ToolOutput>(id))
    if (output.call == starts[0].call) output_text += output.text;
  EXPECT_THAT(output_text, HasSubstr("the sub-agent found it"));
  for (const auto& end : events<hub::event::ToolEnd>(id)) EXPECT_EQ(end.state, hub::ToolEndState::done);
}

}  // namespace
}  // namespace parlance::service
