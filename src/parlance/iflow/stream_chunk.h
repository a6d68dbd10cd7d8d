// SPDX-License-Identifier: Apache-2.0
// The pieces of which a page makes an answer: beginnings, contents and ends. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "parlance/iflow/messages.h"

namespace parlance::iflow {

namespace chunk {

struct Text {
  static constexpr const char* type = "text";
  std::string content{};
};
struct ThinkingStart {
  static constexpr const char* type = "thinking_start";
};
struct ThinkingContent {
  static constexpr const char* type = "thinking_content";
  std::string content{};
};
struct ThinkingEnd {
  static constexpr const char* type = "thinking_end";
};
struct ToolStart {
  static constexpr const char* type = "tool_start";
  std::string id{};
  std::string name{};
  json::Object input{};
  std::optional<std::string> label{};
  Icon icon{};
  std::optional<AgentInfo> agent{};
};
struct ToolOutput {
  static constexpr const char* type = "tool_output";
  std::string id{};
  std::string content{};
};
struct ToolEnd {
  static constexpr const char* type = "tool_end";
  enum class Status { completed, error };
  std::string id{};
  Status status = Status::completed;
};
struct ToolConfirmation {
  static constexpr const char* type = "tool_confirmation";
  RequestNumber request = 0;
  std::string tool_name{};
  std::string description{};
  ToolCallType confirmation_type = ToolCallType::other;
  std::vector<adapter::OfferedOption> options{};
};
struct UserQuestion {
  static constexpr const char* type = "user_question";
  RequestNumber request = 0;
  std::vector<Question> questions{};
};
struct PlanApproval {
  static constexpr const char* type = "plan_approval";
  RequestNumber request = 0;  // synthetic_plan: the agent ended its turn without asking
  std::string plan{};
};
struct Plan {
  static constexpr const char* type = "plan";
  std::vector<PlanEntry> entries{};
};
struct Warning {
  static constexpr const char* type = "warning";
  std::string message{};
};
struct Error {
  static constexpr const char* type = "error";
  long code = -1;
  std::string message{};
};

}  // namespace chunk

// An approval that no request of the agent stands behind: its answer sends nothing.
inline constexpr RequestNumber synthetic_plan = -1;

using StreamChunk = std::variant<chunk::Text, chunk::ThinkingStart, chunk::ThinkingContent, chunk::ThinkingEnd, chunk::ToolStart,
                                 chunk::ToolOutput, chunk::ToolEnd, chunk::ToolConfirmation, chunk::UserQuestion,
                                 chunk::PlanApproval, chunk::Plan, chunk::Warning, chunk::Error>;

// As a page reads it: {"chunkType":"text","content":"…"}.
json::Value to_json(const StreamChunk& chunk);

}  // namespace parlance::iflow
