// SPDX-License-Identifier: Apache-2.0
#include "parlance/iflow/chunk_mapper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parlance::iflow {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

AssistantMessage text(std::string what) { return {.text = std::move(what)}; }
AssistantMessage thought(std::string what) { return {.thought = std::move(what)}; }

// Pieces as JSON, without the icon that each tool_start has.
std::vector<std::string> mapped(const std::vector<Message>& messages) {
  ChunkMapper mapper;
  std::vector<StreamChunk> chunks;
  for (const Message& message : messages) mapper.map(message, chunks);
  std::vector<std::string> out;
  for (const StreamChunk& chunk : chunks) {
    json::Value value = to_json(chunk);
    std::erase_if(value.object()->members, [](const auto& member) { return member.first == "icon"; });
    out.push_back(json::to_text(value));
  }
  return out;
}

const std::string start = R"({"chunkType":"thinking_start"})";
const std::string end = R"({"chunkType":"thinking_end"})";
std::string said_chunk(const std::string& what) { return R"({"chunkType":"text","content":")" + what + R"("})"; }
std::string thinks(const std::string& what) { return R"({"chunkType":"thinking_content","content":")" + what + R"("})"; }

TEST(ChunkMapper, TextIsText) { EXPECT_THAT(mapped({text("a"), text("b")}), ElementsAre(said_chunk("a"), said_chunk("b"))); }

TEST(ChunkMapper, AThoughtBeginsOnceAndEndsWhenTextComes) {
  EXPECT_THAT(mapped({thought("a"), thought("b"), text("c")}),
              ElementsAre(start, thinks("a"), thinks("b"), end, said_chunk("c")));
  EXPECT_THAT(mapped({thought("a"), TaskFinishMessage{}}), ElementsAre(start, thinks("a"), end));
  EXPECT_THAT(mapped({thought("a"), ErrorMessage{-32603, "x"}}),
              ElementsAre(start, thinks("a"), end, R"({"chunkType":"error","code":-32603,"message":"x"})"));
  EXPECT_THAT(
      mapped({thought("a"), ToolCallMessage{.id = "t", .label = "T"}}),
      ElementsAre(start, thinks("a"), end, R"({"chunkType":"tool_start","toolId":"t","name":"T","input":{},"label":"T"})"));
}

TEST(ChunkMapper, TagsAreThoughtsToo) {
  EXPECT_THAT(mapped({text("inline <thi"), text("nk>hidden</th"), text("ink> tail")}),
              ElementsAre(said_chunk("inline "), start, thinks("hidden"), end, said_chunk(" tail")));
  EXPECT_THAT(mapped({text("<think>half <"), TaskFinishMessage{}}), ElementsAre(start, thinks("half "), thinks("<"), end));
  EXPECT_THAT(mapped({text("<think>a"), thought("b"), text("c")}),
              ElementsAre(start, thinks("a"), end, start, thinks("b"), end, said_chunk("c")));
}

TEST(ChunkMapper, AToolCallIsReportedByItsState) {
  ToolCallMessage call{.id = "t",
                       .label = "Read a",
                       .status = ToolCallStatus::pending,
                       .tool_name = "read_file",
                       .args = *json::parse(R"({"path":"a"})")};
  const std::string begun = R"({"chunkType":"tool_start","toolId":"t","name":"read_file","input":{"path":"a"},"label":"Read a"})";
  EXPECT_THAT(mapped({call}), ElementsAre(begun));
  call.status = ToolCallStatus::in_progress;
  EXPECT_THAT(mapped({call}), ElementsAre(begun));
  call.status = ToolCallStatus::completed;
  call.output = "text";
  EXPECT_THAT(mapped({call}), ElementsAre(begun, R"({"chunkType":"tool_output","toolId":"t","content":"text"})",
                                          R"({"chunkType":"tool_end","toolId":"t","status":"completed"})"));
  call.status = ToolCallStatus::failed;
  call.output.reset();
  EXPECT_THAT(mapped({call}), ElementsAre(begun, R"({"chunkType":"tool_end","toolId":"t","status":"error"})"));
}

TEST(ChunkMapper, AnEmptyEndHasNoBeginning) {
  EXPECT_THAT(mapped({ToolCallMessage{.id = "t", .label = "T", .status = ToolCallStatus::completed}}),
              ElementsAre(R"({"chunkType":"tool_end","toolId":"t","status":"completed"})"));
}

TEST(ChunkMapper, TheInputComesFromTheCallsContent) {
  EXPECT_THAT(
      mapped({ToolCallMessage{
          .id = "t",
          .label = "Edit",
          .status = ToolCallStatus::failed,
          .content = ToolCallContent{.type = ToolCallContentType::diff, .path = "/w/b", .old_text = "x", .new_text = "y"},
          .locations = {{.path = "/w/c"}}}}),
      ElementsAre(
          R"({"chunkType":"tool_start","toolId":"t","name":"Edit","input":{"file_path":"/w/b","content":"y","old_string":"x","_contentType":"diff"},"label":"Edit"})",
          R"({"chunkType":"tool_end","toolId":"t","status":"error"})"));
  EXPECT_THAT(mapped({ToolCallMessage{.id = "t", .label = R"(read: {"path":"a"})", .tool_name = "read"}}),
              ElementsAre(R"({"chunkType":"tool_start","toolId":"t","name":"read","input":{"path":"a"}})"));
}

TEST(ChunkMapper, ARequestForThePersonIsPassedOn) {
  ToolCallMessage call{.id = "t", .label = "Shell: ls", .request = 7};
  call.confirmation = ToolCallConfirmation{.type = ToolCallType::execute, .options = {{"proceed_once", "Yes", "allow_once"}}};
  EXPECT_THAT(
      mapped({call}),
      ElementsAre(
          R"({"chunkType":"tool_start","toolId":"t","name":"Shell: ls","input":{},"label":"Shell: ls"})",
          R"({"chunkType":"tool_confirmation","requestId":7,"toolName":"Shell: ls","description":"Shell: ls","confirmationType":"execute","options":[{"optionId":"proceed_once","name":"Yes","kind":"allow_once"}]})"));
  call.confirmation.reset();
  call.questions = {{.question = "Which?", .header = "H", .options = {{.label = "a", .description = "b"}}, .multi_select = true}};
  EXPECT_THAT(
      mapped({call}),
      ElementsAre(
          R"({"chunkType":"user_question","requestId":7,"questions":[{"question":"Which?","header":"H","options":[{"label":"a","description":"b"}],"multiSelect":true}]})"));
  call.questions.reset();
  call.plan = "1. read";
  EXPECT_THAT(mapped({call}), ElementsAre(R"({"chunkType":"plan_approval","requestId":7,"plan":"1. read"})"));
}

TEST(ChunkMapper, ARequestedPlanIsRemembered) {
  ChunkMapper mapper;
  std::vector<StreamChunk> chunks;
  mapper.map(ToolCallMessage{.request = 1, .plan = ""}, chunks);
  EXPECT_TRUE(mapper.asked_for_a_plan());
  mapper.reset();
  EXPECT_FALSE(mapper.asked_for_a_plan());
}

TEST(ChunkMapper, PlansAndUsers) {
  EXPECT_THAT(
      mapped(
          {PlanMessage{{{.content = "a", .status = PlanStatus::in_progress, .priority = PlanPriority::high}, {.content = "b"}}}}),
      ElementsAre(
          R"({"chunkType":"plan","entries":[{"content":"a","status":"in_progress","priority":"high"},{"content":"b","status":"pending","priority":"medium"}]})"));
  EXPECT_THAT(mapped({PlanMessage{}, UserMessage{{"said before"}}, TaskFinishMessage{}}), IsEmpty());
}

TEST(ChunkMapper, ASubAgentAndAnIconGoAlong) {
  ChunkMapper mapper;
  std::vector<StreamChunk> chunks;
  mapper.map(ToolCallMessage{.id = "t", .label = "T", .agent = adapter::read_sub_agent_id("subagent-a-1-5")}, chunks);
  EXPECT_EQ(
      json::to_text(to_json(chunks.at(0))),
      R"({"chunkType":"tool_start","toolId":"t","name":"T","input":{},"label":"T","icon":{"type":"emoji","value":"🔧"},"agentInfo":{"agentId":"subagent-a-1-5","taskId":"a","agentIndex":1,"timestamp":5}})");
  EXPECT_EQ(json::to_text(to_json(StreamChunk(chunk::Warning{"w"}))), R"({"chunkType":"warning","message":"w"})");
}

// Any division of the text leads to the same display.
TEST(ChunkMapper, AnyCutOfTheTextShowsTheSame) {
  const std::string whole = "a<think>b</think>c<think>d";
  const auto shown = [](const std::vector<std::string>& cuts) {
    std::vector<Message> messages;
    for (const std::string& cut : cuts) messages.emplace_back(text(cut));
    messages.emplace_back(TaskFinishMessage{});
    std::string out;
    for (const std::string& chunk : mapped(messages)) {
      const json::Value value = *json::parse(chunk);
      const std::string_view type = value.text_or("chunkType", "");
      out += type == "text" || type == "thinking_content" ? std::string(value.text_or("content", ""))
                                                          : "[" + std::string(type) + "]";
    }
    return out;
  };
  const std::string expected = "a[thinking_start]b[thinking_end]c[thinking_start]d[thinking_end]";
  for (std::size_t at = 0; at <= whole.size(); ++at) EXPECT_EQ(shown({whole.substr(0, at), whole.substr(at)}), expected) << at;
  std::vector<std::string> bytes;
  for (const char c : whole) bytes.emplace_back(1, c);
  EXPECT_EQ(shown(bytes), expected);
}

}  // namespace
}  // namespace parlance::iflow
