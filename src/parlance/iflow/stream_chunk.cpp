// SPDX-License-Identifier: Apache-2.0
#include "parlance/iflow/stream_chunk.h"

namespace parlance::iflow {
namespace {

using json::Object;

// Members of the message with these names keep their values.
json::Value part_of(const ToolCallMessage& message, const char* name) {
  const json::Value whole = to_json(Message(message));
  const json::Value* part = whole.find(name);
  return part == nullptr ? json::Value() : *part;
}

json::Array options_of(const std::vector<adapter::OfferedOption>& options) {
  json::Array out;
  for (const adapter::OfferedOption& option : options) {
    Object object;
    object.set("optionId", option.id);
    object.set("name", option.name);
    object.set("kind", option.kind);
    out.emplace_back(std::move(object));
  }
  return out;
}

struct Fill {
  Object& out;

  void operator()(const chunk::Text& text) const { out.set("content", text.content); }
  void operator()(const chunk::ThinkingStart&) const {}
  void operator()(const chunk::ThinkingContent& thinking_content) const { out.set("content", thinking_content.content); }
  void operator()(const chunk::ThinkingEnd&) const {}
  void operator()(const chunk::ToolStart& tool_start) const {
    out.set("toolId", tool_start.id);
    out.set("name", tool_start.name);
    out.set("input", tool_start.input);
    if (tool_start.label) out.set("label", *tool_start.label);
    out.set("icon", part_of({.icon = tool_start.icon}, "icon"));
    if (tool_start.agent) out.set("agentInfo", part_of({.agent = tool_start.agent}, "agentInfo"));
  }
  void operator()(const chunk::ToolOutput& tool_output) const {
    out.set("toolId", tool_output.id);
    out.set("content", tool_output.content);
  }
  void operator()(const chunk::ToolEnd& tool_end) const {
    out.set("toolId", tool_end.id);
    out.set("status", tool_end.status == chunk::ToolEnd::Status::completed ? "completed" : "error");
  }
  void operator()(const chunk::ToolConfirmation& tool_confirmation) const {
    out.set("requestId", tool_confirmation.request);
    out.set("toolName", tool_confirmation.tool_name);
    out.set("description", tool_confirmation.description);
    out.set("confirmationType", wire::name_of(tool_confirmation.confirmation_type));
    out.set("options", options_of(tool_confirmation.options));
  }
  void operator()(const chunk::UserQuestion& user_question) const {
    out.set("requestId", user_question.request);
    out.set("questions", part_of({.questions = user_question.questions}, "_questions"));
  }
  void operator()(const chunk::PlanApproval& plan_approval) const {
    out.set("requestId", plan_approval.request);
    out.set("plan", plan_approval.plan);
  }
  void operator()(const chunk::Plan& plan) const {
    out.set("entries", *to_json(Message(PlanMessage{plan.entries})).find("entries"));
  }
  void operator()(const chunk::Warning& warning) const { out.set("message", warning.message); }
  void operator()(const chunk::Error& error) const {
    out.set("code", std::int64_t{error.code});
    out.set("message", error.message);
  }
};

}  // namespace

json::Value to_json(const StreamChunk& chunk) {
  Object out;
  std::visit(
      [&out](const auto& value) {
        out.set("chunkType", value.type);
        Fill{out}(value);
      },
      chunk);
  return out;
}

}  // namespace parlance::iflow
