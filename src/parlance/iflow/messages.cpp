// SPDX-License-Identifier: Apache-2.0
#include "parlance/iflow/messages.h"

#include <array>

namespace parlance::iflow {
namespace {

using json::Object;

template <class T>
void set(Object& object, const char* name, const std::optional<T>& value) {
  if (value) object.set(name, *value);
}
template <class E>
std::string word(E value) {
  return std::string(wire::name_of(value));
}

void set_agent(Object& object, const std::optional<AgentInfo>& agent) {
  if (!agent) return;
  Object info;
  info.set("agentId", agent->agent_id);
  set(info, "taskId", agent->task_id);
  set(info, "agentIndex", agent->index);
  set(info, "timestamp", agent->timestamp);
  object.set("agentId", agent->agent_id);
  object.set("agentInfo", std::move(info));
}

json::Array questions_of(const std::vector<Question>& questions) {
  json::Array out;
  for (const Question& question : questions) {
    json::Array options;
    for (const auto& choice : question.options) {
      Object option;
      option.set("label", choice.label);
      option.set("description", choice.description);
      options.emplace_back(std::move(option));
    }
    Object object;
    object.set("question", question.question);
    object.set("header", question.header);
    object.set("options", std::move(options));
    object.set("multiSelect", question.multi_select);
    out.emplace_back(std::move(object));
  }
  return out;
}

struct ToJson {
  Object operator()(const PlanMessage& plan) const {
    json::Array entries;
    for (const PlanEntry& entry : plan.entries) {
      Object object;
      object.set("content", entry.content);
      object.set("status", word(entry.status));
      object.set("priority", word(entry.priority));
      entries.emplace_back(std::move(object));
    }
    Object out;
    out.set("entries", std::move(entries));
    return out;
  }
  Object operator()(const UserMessage& user) const {
    json::Array chunks;
    for (const std::string& text : user.chunks) {
      Object chunk;
      chunk.set("text", text);
      chunks.emplace_back(std::move(chunk));
    }
    Object out;
    out.set("chunks", std::move(chunks));
    return out;
  }
  Object operator()(const AssistantMessage& message) const {
    Object chunk;
    set(chunk, "text", message.text);
    set(chunk, "thought", message.thought);
    Object out;
    out.set("chunk", std::move(chunk));
    set_agent(out, message.agent);
    return out;
  }
  Object operator()(const ToolCallMessage& call) const {
    Object out;
    out.set("id", call.id);
    out.set("label", call.label);
    Object icon;
    icon.set("type", word(call.icon.type));
    icon.set("value", call.icon.value);
    out.set("icon", std::move(icon));
    out.set("status", word(call.status));
    set(out, "toolName", call.tool_name);
    if (call.content) out.set("content", content_of(*call.content));
    if (!call.locations.empty()) out.set("locations", locations_of(call.locations));
    if (!call.args.is_null()) out.set("args", call.args);
    set(out, "output", call.output);
    set_agent(out, call.agent);
    set(out, "_requestId", call.request);
    if (call.confirmation) {
      Object confirmation;
      confirmation.set("type", word(call.confirmation->type));
      set(confirmation, "description", call.confirmation->description);
      out.set("confirmation", std::move(confirmation));
    }
    if (call.questions) {
      out.set("_questionRequest", true);
      out.set("_questions", questions_of(*call.questions));
    }
    if (call.plan) {
      out.set("_planApproval", true);
      out.set("_plan", *call.plan);
    }
    return out;
  }
  Object operator()(const ErrorMessage& error) const {
    Object out;
    out.set("code", std::int64_t{error.code});
    out.set("message", error.message);
    if (!error.data_json.empty()) out.set("details", json::parse_or_null(error.data_json));
    return out;
  }
  Object operator()(const TaskFinishMessage& finish) const {
    Object out;
    if (finish.stop_reason) out.set("stopReason", word(*finish.stop_reason));
    return out;
  }

 private:
  static Object content_of(const ToolCallContent& content) {
    Object out;
    out.set("type", word(content.type));
    set(out, "markdown", content.markdown);
    set(out, "path", content.path);
    set(out, "oldText", content.old_text);
    set(out, "newText", content.new_text);
    return out;
  }
  static json::Array locations_of(const std::vector<ToolCallLocation>& locations) {
    json::Array out;
    for (const ToolCallLocation& location : locations) {
      Object object;
      object.set("path", location.path);
      set(object, "lineStart", location.line_start);
      set(object, "lineEnd", location.line_end);
      out.emplace_back(std::move(object));
    }
    return out;
  }
};

}  // namespace

MessageType type_of(const Message& message) {
  constexpr std::array types{MessageType::assistant, MessageType::tool_call, MessageType::plan,
                             MessageType::user,      MessageType::error,     MessageType::task_finish};
  static_assert(types.size() == std::variant_size_v<Message>);
  return types.at(message.index());
}

json::Value to_json(const Message& message) {
  Object out;
  out.set("type", word(type_of(message)));
  for (auto& [name, value] : std::visit(ToJson{}, message).members) out.set(name, std::move(value));
  return out;
}

}  // namespace parlance::iflow
