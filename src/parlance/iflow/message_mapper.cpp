// SPDX-License-Identifier: Apache-2.0
#include "parlance/iflow/message_mapper.h"

#include "parlance/codec/json/typed.h"
#include "parlance/iflow/errors.h"
#include "parlance/iflow/limits.h"
#include "parlance/protocol/acp/errors.h"

namespace parlance::iflow {
namespace {

const std::string* text_in(const acp::Chunk& chunk) {
  const std::string* text = acp::text_of(chunk.content);
  return text == nullptr || text->empty() ? nullptr : text;
}

std::optional<AgentInfo> agent_of(const std::optional<std::string>& id) {
  if (!id || id->empty()) return std::nullopt;
  return adapter::read_sub_agent_id(*id);
}

// The text of all blocks is the output; the last arguments win; a diff or a text is displayable.
void take_content(ToolCallMessage& call, const std::vector<acp::ToolContent>& content) {
  std::optional<std::string> output;
  for (const acp::ToolContent& item : content) {
    if (const auto* block = std::get_if<acp::ToolText>(&item.value)) {
      if (!block->args.json.empty()) call.args = json::parse_or_null(block->args.json);
      if (const std::string* text = acp::text_of(block->content)) output = output ? *output + "\n" + *text : *text;
    } else if (const auto* diff = std::get_if<acp::ToolDiff>(&item.value)) {
      call.content = ToolCallContent{
          .type = ToolCallContentType::diff, .path = diff->path, .old_text = diff->old_text, .new_text = diff->new_text};
    }
  }
  if (output) call.output = std::move(output);
}

void take(ToolCallMessage& call, const acp::ToolCallUpdate& update) {
  if (update.title) call.label = *update.title;
  if (update.tool_name) call.tool_name = *update.tool_name;
  else if (update.name && !call.tool_name) call.tool_name = *update.name;
  if (auto agent = agent_of(update.agent_id)) call.agent = std::move(agent);
  if (!update.raw_input.json.empty())  // some agents send an empty object first, and no agent sends an empty object last
    if (json::Value args = json::parse_or_null(update.raw_input.json);
        call.args.is_null() || (!args.is_null() && (args.object() == nullptr || !args.object()->members.empty())))
      call.args = std::move(args);
  if (update.content) take_content(call, *update.content);
  if (!update.locations) return;
  call.locations.clear();
  for (const acp::ToolLocation& location : *update.locations) {
    ToolCallLocation tool_call_location{.path = location.path};
    if (location.line) tool_call_location.line_start = *location.line;
    call.locations.push_back(std::move(tool_call_location));
  }
}

std::optional<Message> plan_of(const acp::Plan& plan) {
  PlanMessage out;
  for (const acp::PlanEntry& entry : plan.entries)
    out.entries.push_back({.content = entry.content, .status = entry.status.value, .priority = entry.priority.value});
  if (out.entries.empty()) return std::nullopt;
  return out;
}

std::vector<adapter::OfferedOption> offered(const acp::RequestPermission& asked) {
  std::vector<adapter::OfferedOption> out;
  for (const acp::PermissionOption& option : asked.options)
    out.push_back({.id = option.option_id,
                   .name = option.name,
                   .kind = option.kind.unknown.empty() ? std::string(wire::name_of(option.kind.value)) : option.kind.unknown});
  return out;
}

}  // namespace

ToolCallType confirmation_type(const acp::ToolCallUpdate& call) {
  using acp::ToolKind;
  if (call.type)
    if (const auto type = wire::enum_from<ToolCallType>(*call.type)) return *type;
  if (!call.kind || !call.kind->unknown.empty()) return ToolCallType::other;
  switch (call.kind->value) {
    case ToolKind::edit:
    case ToolKind::remove:
    case ToolKind::move: return ToolCallType::edit;
    case ToolKind::execute: return ToolCallType::execute;
    case ToolKind::fetch: return ToolCallType::fetch;
    default: return ToolCallType::other;
  }
}

ToolCallMessage& MessageMapper::known(const acp::ToolCallUpdate& update, ToolCallStatus unsaid) {
  // An agent that never ends its calls loses the oldest calls.
  if (calls_.size() >= limits::iflow_known_calls && !calls_.contains(update.tool_call_id)) calls_.erase(calls_.begin());
  const auto [found, fresh] = calls_.try_emplace(update.tool_call_id);
  ToolCallMessage& call = found->second;
  if (fresh) {
    call.id = update.tool_call_id;
    call.label = "Tool";
  }
  take(call, update);
  call.status = update.status && update.status->unknown.empty() ? update.status->value : unsaid;
  return call;
}

std::optional<Message> MessageMapper::map(const acp::SessionUpdate& session_update) {
  const auto& update = session_update.update.value;
  if (const auto* said = std::get_if<acp::AgentMessageChunk>(&update)) {
    const std::string* text = text_in(said->chunk);
    if (text == nullptr) return std::nullopt;
    return AssistantMessage{.text = *text, .agent = agent_of(said->chunk.agent_id)};
  }
  if (const auto* thought = std::get_if<acp::AgentThoughtChunk>(&update)) {
    const std::string* text = text_in(thought->chunk);
    if (text == nullptr) return std::nullopt;
    return AssistantMessage{.thought = *text, .agent = agent_of(thought->chunk.agent_id)};
  }
  if (const auto* user = std::get_if<acp::UserMessageChunk>(&update)) {
    const std::string* text = text_in(user->chunk);
    if (text == nullptr) return std::nullopt;
    return UserMessage{.chunks = {*text}};
  }
  if (const auto* call = std::get_if<acp::ToolCall>(&update)) return known(call->call, ToolCallStatus::in_progress);
  if (const auto* change = std::get_if<acp::ToolCallUpdate>(&update)) {
    const bool announced = calls_.contains(change->tool_call_id);
    // The SDK treats an update without a status as the end of the call; our client repeats the previous status.
    const ToolCallStatus before = announced ? calls_.find(change->tool_call_id)->second.status : ToolCallStatus::in_progress;
    return known(*change, before);
  }
  if (const auto* plan = std::get_if<acp::Plan>(&update)) return plan_of(*plan);
  return std::nullopt;
}

ToolCallMessage MessageMapper::asking(const acp::RequestPermission& asked, RequestNumber request) {
  ToolCallMessage call = known(asked.tool_call, ToolCallStatus::pending);
  call.request = request;
  call.confirmation = ToolCallConfirmation{
      .type = confirmation_type(asked.tool_call), .description = asked.tool_call.title, .options = offered(asked)};
  return call;
}

Message MessageMapper::finished(const acp::PromptResult& result) {
  TaskFinishMessage out;
  if (result.stop_reason.unknown.empty()) out.stop_reason = result.stop_reason.value;
  return out;
}

Message MessageMapper::failed(const Error& error) {
  return ErrorMessage{.code = code_of(error), .message = acp::error_text(error), .data_json = error.data};
}

ToolCallMessage MessageMapper::asking(const acp::iflow::Questions& asked, RequestNumber request) {
  return {.id = "question-" + std::to_string(request),
          .label = "Question",
          .status = ToolCallStatus::pending,
          .tool_name = "ask_user_question",
          .request = request,
          .questions = asked.questions};
}

ToolCallMessage MessageMapper::asking(const acp::iflow::PlanExit& asked, RequestNumber request) {
  return {.id = "plan-" + std::to_string(request),
          .label = "Plan",
          .status = ToolCallStatus::pending,
          .tool_name = "exit_plan_mode",
          .request = request,
          .plan = asked.plan};
}

}  // namespace parlance::iflow
