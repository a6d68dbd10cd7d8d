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
    Object one;
    one.set("optionId", option.id);
    one.set("name", option.name);
    one.set("kind", option.kind);
    out.emplace_back(std::move(one));
  }
  return out;
}

struct Fill {
  Object& out;

  void operator()(const chunk::Text& one) const { out.set("content", one.content); }
  void operator()(const chunk::ThinkingStart&) const {}
  void operator()(const chunk::ThinkingContent& one) const { out.set("content", one.content); }
  void operator()(const chunk::ThinkingEnd&) const {}
  void operator()(const chunk::ToolStart& one) const {
    out.set("toolId", one.id);
    out.set("name", one.name);
    out.set("input", one.input);
    if (one.label) out.set("label", *one.label);
    out.set("icon", part_of({.icon = one.icon}, "icon"));
    if (one.agent) out.set("agentInfo", part_of({.agent = one.agent}, "agentInfo"));
  }
  void operator()(const chunk::ToolOutput& one) const {
    out.set("toolId", one.id);
    out.set("content", one.content);
  }
  void operator()(const chunk::ToolEnd& one) const {
    out.set("toolId", one.id);
    out.set("status", one.status == chunk::ToolEnd::Status::completed ? "completed" : "error");
  }
  void operator()(const chunk::ToolConfirmation& one) const {
    out.set("requestId", one.request);
    out.set("toolName", one.tool_name);
    out.set("description", one.description);
    out.set("confirmationType", wire::name_of(one.confirmation_type));
    out.set("options", options_of(one.options));
  }
  void operator()(const chunk::UserQuestion& one) const {
    out.set("requestId", one.request);
    out.set("questions", part_of({.questions = one.questions}, "_questions"));
  }
  void operator()(const chunk::PlanApproval& one) const {
    out.set("requestId", one.request);
    out.set("plan", one.plan);
  }
  void operator()(const chunk::Plan& one) const {
    out.set("entries", *to_json(Message(PlanMessage{one.entries})).find("entries"));
  }
  void operator()(const chunk::Warning& one) const { out.set("message", one.message); }
  void operator()(const chunk::Error& one) const {
    out.set("code", std::int64_t{one.code});
    out.set("message", one.message);
  }
};

}  // namespace

json::Value to_json(const StreamChunk& chunk) {
  Object out;
  std::visit(
      [&out](const auto& one) {
        out.set("chunkType", one.type);
        Fill{out}(one);
      },
      chunk);
  return out;
}

}  // namespace parlance::iflow
