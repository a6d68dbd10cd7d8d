// SPDX-License-Identifier: Apache-2.0
// The messages as tables: optional members, kept unknown members, and messages of other agents.
#include "parlance/protocol/acp/messages.h"

#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"

namespace parlance::acp {
namespace {

template <class T>
T read(std::string_view text) {
  auto value = json::from_text<T>(text);
  EXPECT_TRUE(value) << (value ? "" : value.error().message);
  return value ? *std::move(value) : T{};
}
template <class T>
std::string refusal(std::string_view text) {
  const auto value = json::from_text<T>(text);
  return value ? "" : value.error().message;
}
template <class T>
const T& the(const Update& update) {
  const T* typed = std::get_if<T>(&update.value);
  EXPECT_NE(typed, nullptr);
  static const T nothing{};
  return typed == nullptr ? nothing : *typed;
}
Update update(std::string_view text) { return read<Update>(text); }

TEST(AcpMessages, AnUnnamedCapabilityIsMissing) {
  const auto result = read<InitializeResult>(R"({"protocolVersion":1})");
  EXPECT_FALSE(result.capabilities || result.agent || result.is_authenticated);
  const auto some = read<InitializeResult>(
      R"({"protocolVersion":1,"agentCapabilities":{"loadSession":true,"promptCapabilities":{"image":true},
          "sessionCapabilities":{"list":{},"resume":null}},"authMethods":null})");
  EXPECT_TRUE(some.capabilities->load_session && some.capabilities->prompt->image && !some.capabilities->prompt->audio);
  EXPECT_TRUE(some.capabilities->session->list && !some.capabilities->session->resume);
  EXPECT_EQ(refusal<InitializeResult>("{}"), "$.protocolVersion: missing");
}

TEST(AcpMessages, MetaIsKeptOnEveryObject) {
  const std::string with_meta =
      R"({"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"x","_meta":{"a":1}},)"
      R"("_meta":{"usage":{"in":5}}},"_meta":{"b":[2]}})";
  EXPECT_EQ(json::to_text(read<SessionUpdate>(with_meta)), with_meta);
}

TEST(AcpMessages, UnknownMembersAndUpdatesArePassedOver) {
  const auto chunk = update(R"({"sessionUpdate":"agent_message_chunk","new":{"deep":[1]},"content":{"type":"text","text":"x"}})");
  EXPECT_EQ(*text_of(the<AgentMessageChunk>(chunk).chunk.content), "x");
  const std::string strange = R"({"sessionUpdate":"something_new","x":1})";
  EXPECT_EQ(the<Other>(update(strange)).raw.json, strange);
  EXPECT_EQ(refusal<Update>(R"({"x":1})"), "$.sessionUpdate: missing");
}

TEST(AcpMessages, ThreeKindsOfChunkHaveTheSameMembers) {
  for (const std::string kind : {"user_message_chunk", "agent_message_chunk", "agent_thought_chunk"}) {
    const std::string text = R"({"sessionUpdate":")" + kind +
                             R"(","content":{"type":"text","text":"hello"},"messageId":"m","agentId":"subagent-1-2-3"})";
    EXPECT_EQ(json::to_text(update(text)), text);
  }
  EXPECT_EQ(the<AgentThoughtChunk>(update(R"({"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"hm"}})"))
                .chunk.message_id,
            std::nullopt);
}

TEST(AcpMessages, ACallAndItsChangesHaveTheSameMembers) {
  const std::string members =
      R"("toolCallId":"t","title":"Read a","kind":"delete","status":"in_progress","content":[{"type":"diff","path":"/a",)"
      R"("newText":"y"},{"type":"terminal","terminalId":"1"}],"locations":[{"path":"/a","line":3}],"rawInput":{"p":1},)"
      R"("rawOutput":null,"name":"read","toolName":"read_file"})";
  const auto call = update(R"({"sessionUpdate":"tool_call",)" + members);
  EXPECT_EQ(the<ToolCall>(call).call.kind->value, ToolKind::remove);
  EXPECT_EQ(json::to_text(call), R"({"sessionUpdate":"tool_call",)" + members);
  const auto change = update(R"({"sessionUpdate":"tool_call_update",)" + members);
  EXPECT_EQ(json::to_text(change), R"({"sessionUpdate":"tool_call_update",)" + members);
  const auto& diff = std::get<ToolDiff>(the<ToolCallUpdate>(change).content->front().value);
  EXPECT_EQ(diff.old_text, std::nullopt) << "there was no file";
}

TEST(AcpMessages, AChangeHasOnlyPresentMembers) {
  const auto change = update(R"({"sessionUpdate":"tool_call_update","toolCallId":"t","content":null,"_meta":{"claudeCode":{}}})");
  const auto& call = the<ToolCallUpdate>(change);
  EXPECT_FALSE(call.title || call.kind || call.status || call.content || call.locations);
  EXPECT_EQ(call.raw_input.json, "");
  const auto emptied = update(R"({"sessionUpdate":"tool_call_update","toolCallId":"t","content":[]})");
  EXPECT_TRUE(the<ToolCallUpdate>(emptied).content->empty());
}

TEST(AcpMessages, UnknownWordsAreKept) {
  const auto call = update(R"({"sessionUpdate":"tool_call","toolCallId":"t","title":"x","kind":"teleport","status":"paused"})");
  EXPECT_EQ(the<ToolCall>(call).call.kind->unknown, "teleport");
  EXPECT_EQ(the<ToolCall>(call).call.status->unknown, "paused");
  EXPECT_EQ(read<PromptResult>(R"({"stopReason":"bored"})").stop_reason.unknown, "bored");
  EXPECT_EQ(read<PromptResult>("{}").stop_reason.value, StopReason::end_turn);
  const auto block = read<Content>(R"({"type":"hologram","data":"x"})");
  EXPECT_TRUE(std::holds_alternative<Other>(block.value));
}

TEST(AcpMessages, APlanMayOmitDefaults) {
  const auto plan =
      update(R"({"sessionUpdate":"plan","entries":[{"content":"a"},{"content":"b","priority":"high","status":"completed"}]})");
  const auto& entries = the<Plan>(plan).entries;
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].priority.value, PlanPriority::medium);
  EXPECT_EQ(entries[0].status.value, PlanStatus::pending);
  EXPECT_EQ(entries[1].priority.value, PlanPriority::high);
}

TEST(AcpMessages, McpServersAreOfThreeSorts) {
  const auto session = read<NewSession>(
      R"({"cwd":"/w","mcpServers":[{"name":"a","command":"x","args":[],"env":[{"name":"K","value":"V"}]},
          {"type":"http","name":"b","url":"http://h","headers":[{"name":"H","value":"1"}]}]})");
  ASSERT_EQ(session.mcp_servers.size(), 2U);
  EXPECT_FALSE(session.mcp_servers[0].type || session.mcp_servers[0].url);
  EXPECT_EQ(session.mcp_servers[0].env->front().value, "V");
  EXPECT_EQ(session.mcp_servers[1].type, "http");
  EXPECT_EQ(refusal<NewSession>(R"({"mcpServers":[]})"), "$.cwd: missing");
  EXPECT_EQ(refusal<NewSession>(R"({"cwd":"/w","mcpServers":[{"command":"x"}]})"), "$.mcpServers[0].name: missing");
}

TEST(AcpMessages, AnOptionIsAListAGroupedListOrASwitch) {
  const auto plain =
      read<ConfigOption>(R"({"id":"m","name":"Model","type":"select","currentValue":"a","options":[{"value":"a","name":"A"}]})");
  EXPECT_EQ(plain.options->front().value, "a");
  EXPECT_EQ(plain.current_value.json, "\"a\"");
  const auto grouped = read<ConfigOption>(
      R"({"id":"m","name":"Model","type":"select","currentValue":"a",
          "options":[{"group":"g","name":"G","options":[{"value":"a","name":"A"},{"value":"b","name":"B"}]}]})");
  EXPECT_EQ(grouped.options->front().options->back().value, "b");
  EXPECT_FALSE(grouped.options->front().value);
  const auto on = read<ConfigOption>(R"({"id":"w","name":"Web","type":"boolean","currentValue":true})");
  EXPECT_EQ(on.current_value.json, "true");
}

TEST(AcpMessages, APermissionIsAnsweredByAnOption) {
  EXPECT_EQ(json::to_text(selected("proceed_once")), R"({"outcome":{"outcome":"selected","optionId":"proceed_once"}})");
  EXPECT_EQ(json::to_text(not_selected()), R"({"outcome":{"outcome":"cancelled"}})");
  const auto asked = read<RequestPermission>(
      R"({"sessionId":"s","toolCall":{"toolCallId":"t","type":"execute"},"options":[{"optionId":"x","name":"X","kind":"allow_always"}]})");
  EXPECT_EQ(asked.tool_call.type, "execute");
  EXPECT_EQ(asked.options.front().kind.value, PermissionKind::allow_always);
  EXPECT_TRUE(std::holds_alternative<Other>(read<PermissionReply>(R"({"outcome":{"outcome":"later"}})").outcome.value));
}

TEST(AcpMessages, TheTablesNameEveryMethodOnce) {
  std::size_t notices = 0;
  for (const auto& side : {method::of_agent.all(), method::of_client.all()})
    for (const wire::Method& method : side) {
      EXPECT_FALSE(method.doc.empty()) << method.name;
      notices += method.reply == nullptr ? 1 : 0;
    }
  EXPECT_EQ(notices, 5U);  // cancel, let_go, update, complete, //ready
}

}  // namespace
}  // namespace parlance::acp
