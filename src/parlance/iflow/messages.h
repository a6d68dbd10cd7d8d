// SPDX-License-Identifier: Apache-2.0
// The messages for an iFlow client. Each is a separate value: a later change of a tool call is another message. Values; any
// thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "parlance/adapter/acp/agent_id.h"
#include "parlance/codec/json/value.h"
#include "parlance/iflow/enums.h"

namespace parlance::iflow {

using AgentInfo = adapter::SubAgentId;

struct PlanEntry {
  std::string content{};
  PlanStatus status = PlanStatus::pending;
  PlanPriority priority = PlanPriority::medium;
};
struct PlanMessage {
  std::vector<PlanEntry> entries{};  // the complete plan every time; never empty
};

struct UserMessage {  // a message from a loaded session
  std::vector<std::string> chunks{};
};

struct AssistantMessage {  // either of the two
  std::optional<std::string> text{};
  std::optional<std::string> thought{};
  std::optional<AgentInfo> agent{};  // a sub-agent speaks
};

struct Icon {
  ToolCallIconType type = ToolCallIconType::emoji;
  std::string value = "🔧";
};
struct ToolCallContent {
  ToolCallContentType type = ToolCallContentType::markdown;
  std::optional<std::string> markdown{};
  std::optional<std::string> path{};
  std::optional<std::string> old_text{};
  std::optional<std::string> new_text{};
};
struct ToolCallLocation {
  std::string path{};
  std::optional<std::int64_t> line_start{};
  std::optional<std::int64_t> line_end{};
};
struct ToolCallConfirmation {
  ToolCallType type = ToolCallType::other;
  std::optional<std::string> description{};
  std::vector<adapter::OfferedOption> options{};  // the agent's options
};

// Names an open request of the agent; unique within this client.
using RequestNumber = std::int64_t;
using Question = acp::iflow::Question;

struct ToolCallMessage {
  std::string id{};
  std::string label{};
  Icon icon{};
  ToolCallStatus status = ToolCallStatus::pending;
  std::optional<std::string> tool_name{};
  std::optional<ToolCallContent> content{};
  std::vector<ToolCallLocation> locations{};
  json::Value args{};  // null: none
  std::optional<std::string> output{};
  std::optional<AgentInfo> agent{};

  // The request to the person: at most one of the three, with `request`.
  std::optional<RequestNumber> request{};
  std::optional<ToolCallConfirmation> confirmation{};
  std::optional<std::vector<Question>> questions{};
  std::optional<std::string> plan{};  // to be approved
};

struct ErrorMessage {
  long code = -1;
  std::string message{};
  std::string data_json{};  // of the agent; a JSON document, or empty
};

struct TaskFinishMessage {
  std::optional<StopReason> stop_reason{};  // none: an unknown reason
};

using Message = std::variant<AssistantMessage, ToolCallMessage, PlanMessage, UserMessage, ErrorMessage, TaskFinishMessage>;

MessageType type_of(const Message& message);
// In the form of the JavaScript SDK.
json::Value to_json(const Message& message);

// Answers to questions: by header, a label, several, or the person's own text. Missing entries are unanswered.
using QuestionAnswers = std::map<std::string, std::vector<std::string>>;

}  // namespace parlance::iflow
