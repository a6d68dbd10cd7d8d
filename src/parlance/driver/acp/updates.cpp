// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/acp/updates.h"

#include <utility>

#include "parlance/adapter/acp/agent_id.h"
#include "parlance/adapter/acp/tool_input.h"
#include "parlance/base/overloaded.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/driver/acp/limits.h"
#include "parlance/driver/acp/words.h"
#include "parlance/hub/conversation/event.h"

namespace parlance::driver {
namespace {

using acp::ToolCallUpdate;

std::string tool_name_of(const ToolCallUpdate& update) {
  if (update.tool_name && !update.tool_name->empty()) return *update.tool_name;
  if (update.name && !update.name->empty()) return *update.name;
  if (std::string name = tool_name_in_meta(update.meta.json); !name.empty()) return name;
  return "";
}

// The input of the tool, from all places of agents.
std::string input_of(const AcpUpdates::Call& call) {
  adapter::ToolCallParts parts;
  if (!call.args_json.empty()) parts.args = json::parse_or_null(call.args_json);
  for (const acp::ToolContent& content : call.content) {
    if (const auto* text = std::get_if<acp::ToolText>(&content.value);
        text != nullptr && parts.args.is_null() && !text->args.json.empty())
      parts.args = json::parse_or_null(text->args.json);
    if (const auto* diff = std::get_if<acp::ToolDiff>(&content.value); diff != nullptr && !parts.path) {
      parts.path = diff->path;
      parts.old_text = diff->old_text;
      parts.new_text = diff->new_text;
    }
  }
  if (!call.locations.empty()) parts.location = call.locations.front().path;
  // An input other than an object (a text, a list) stays unchanged.
  if (!parts.args.is_null() && parts.args.object() == nullptr) return json::to_text(parts.args);
  return json::to_text(json::Value(adapter::enrich_tool_input(std::move(parts)).input));
}

// An update without an input keeps the input. OpenCode begins with an empty input; the real input replaces the empty object.
void take_args(AcpUpdates::Call& call, const ToolCallUpdate& update) {
  const std::string& json = update.raw_input.json;
  if (!json.empty() && (call.args_json.empty() || (json != "{}" && json != "null"))) call.args_json = json;
}

bool says_nothing(const ToolCallUpdate& update) {
  return !update.title && !update.kind && !update.status && !update.content && !update.locations &&
         update.raw_input.json.empty() && update.raw_output.json.empty();
}

// A request with another input, title, content or location is about another call. A repetition or an addition is not.
bool is_about_other(const AcpUpdates::Call& call, const ToolCallUpdate& asked) {
  const auto value = [](const std::string& json) { return json::to_text(json::parse_or_null(json)); };
  const auto shown = [](auto content, auto locations) {
    return json::to_text(ToolCallUpdate{.content = std::move(content), .locations = std::move(locations)});
  };
  const std::string& input = asked.raw_input.json;
  if (!input.empty() && value(input) != value(call.args_json)) return true;
  if (asked.title && *asked.title != call.title) return true;
  return shown(asked.content.value_or(call.content), asked.locations.value_or(call.locations)) !=
         shown(call.content, call.locations);
}

bool is(const std::optional<acp::Open<acp::ToolStatus>>& status, acp::ToolStatus what) {
  return status && status->unknown.empty() && status->value == what;
}

hub::NoticeLevel level_of(std::string_view severity) {
  return severity == "error"     ? hub::NoticeLevel::error
         : severity == "warning" ? hub::NoticeLevel::warning
                                 : hub::NoticeLevel::info;
}

// The output of a tool without content: `output` of OpenCode, plain text of other agents.
std::string output_of(const acp::Raw& raw) {
  const json::Value value = json::parse_or_null(raw.json);
  if (const std::string* text = value.text()) return *text;
  return std::string(value.text_or("output", ""));
}

}  // namespace

void AcpUpdates::update(const acp::Update& notification) {
  using hub::event::Notice;
  const Overloaded visit{
      [&](const acp::AgentMessageChunk& agent_message_chunk) { chunk(agent_message_chunk.chunk); },
      [&](const acp::AgentThoughtChunk& agent_thought_chunk) { thought(agent_thought_chunk.chunk); },
      [&](const acp::UserMessageChunk& user_message_chunk) { user(user_message_chunk.chunk); },
      [&](const acp::ToolCall& call) { tool(call.call, true); },
      [&](const ToolCallUpdate& tool_call_update) { tool(tool_call_update, false); },
      [&](const acp::Plan& plan) {
        end_user();
        said_ = false;
        sink_.emit(plan_of(plan));
      },
      [&](const acp::AvailableCommandsUpdate& available_commands_update) {
        sink_.emit(hub::event::Commands{.commands = commands_of(available_commands_update.available_commands)});
      },
      [&](const acp::CurrentModeUpdate& current_mode_update) { sink_.mode(current_mode_update.current_mode_id); },
      [&](const acp::ConfigOptionUpdate& config_option_update) { sink_.options(config_option_update.config_options); },
      [&](const acp::SessionInfoUpdate& session_info_update) {
        if (session_info_update.title && !session_info_update.title->empty()) sink_.title(*session_info_update.title);
      },
      [&](const acp::UsageUpdate& usage_update) { usage(usage_update); },
      [&](const acp::NoticeUpdate& notice_update) {
        sink_.emit(Notice{.level = level_of(notice_update.severity),
                          .text = notice_update.title,
                          .detail = notice_update.description.value_or("")});
      },
      [&](const acp::CompactionUpdate& compaction_update) {
        if (compaction_update.status == "completed")
          sink_.emit(Notice{.text = "The agent has made what was said before shorter for itself."});
        if (compaction_update.status == "failed")
          sink_.emit(Notice{.level = hub::NoticeLevel::warning,
                            .text = "The agent could not make what was said before shorter.",
                            .detail = compaction_update.error.value_or("")});
      },
      [](const acp::CompactionSummaryChunk&) {},
      [](const wire::Other&) {}};
  std::visit(visit, notification.value);
}

// ---- text and thoughts -------------------------------------------------------------------------------------------------------------

// Joins all pieces and blocks of a message of the person. The sink receives the message before the next other update.
void AcpUpdates::user(const acp::Chunk& chunk) {
  const std::string id = chunk.message_id.value_or("");
  if (!user_.empty() && id != user_message_) end_user();
  user_message_ = id;
  const bool is_text = acp::text_of(chunk.content) != nullptr;
  if (!user_.empty() && !is_text) user_ += '\n';
  user_ += words_of(chunk.content);
}

void AcpUpdates::end_user() {
  if (!user_.empty()) sink_.user(std::exchange(user_, {}));
}

void AcpUpdates::chunk(const acp::Chunk& chunk) {
  end_user();
  if (auto usage = usage_in_meta(chunk.meta.json)) sink_.emit(*std::move(usage));
  std::string words = words_of(chunk.content);
  if (words.empty()) return;
  if (chunk.agent_id) {
    sink_.emit(hub::event::ToolOutput{.call = sub_agent(*chunk.agent_id), .text = std::move(words)});
    return;
  }
  if (native_) end_thinking();
  if (chunk.message_id && *chunk.message_id != message_) {
    if (said_ && !message_.empty()) {
      flush_tags();
      text("\n\n");
    }
    message_ = *chunk.message_id;
  }
  if (acp::text_of(chunk.content) == nullptr) {  // a picture, a link: no tag continues behind the block
    flush_tags();
    return text(words);
  }
  std::vector<ThinkPiece> pieces;
  tags_.feed(words, pieces);
  add(pieces);
}

void AcpUpdates::add(const std::vector<ThinkPiece>& pieces) {
  for (const ThinkPiece& piece : pieces) {
    using Kind = ThinkPiece::Kind;
    if (piece.kind == Kind::begin) begin_thinking();
    else if (piece.kind == Kind::end) end_thinking();
    else if (piece.kind == Kind::thought) sink_.emit(hub::event::ThinkingContent{.text = piece.text});
    else text(piece.text);
  }
}

void AcpUpdates::thought(const acp::Chunk& chunk) {
  end_user();
  std::string words = words_of(chunk.content);
  if (words.empty() || chunk.agent_id) return;  // the conversation shows no thoughts of sub-agents
  if (!tags_.inside()) flush_tags();
  begin_thinking();
  native_ = native_ || !tags_.inside();
  sink_.emit(hub::event::ThinkingContent{.text = std::move(words)});
}

void AcpUpdates::text(std::string_view words) {
  said_ = true;
  sink_.emit(hub::event::Text{.text = std::string(words)});
}

void AcpUpdates::begin_thinking() {
  said_ = false;
  if (!std::exchange(thinking_, true)) sink_.emit(hub::event::ThinkingStart{});
}

void AcpUpdates::end_thinking() {
  native_ = false;
  if (std::exchange(thinking_, false)) sink_.emit(hub::event::ThinkingEnd{});
}

void AcpUpdates::flush_tags() {
  std::vector<ThinkPiece> pieces;
  tags_.finish(pieces);
  add(pieces);
}

// ---- calls ---------------------------------------------------------------------------------------------------------------------------

const AcpUpdates::Call* AcpUpdates::find(const std::string& id) const {
  const auto found = open_.find(id);
  return found == open_.end() ? nullptr : &found->second;
}

std::string AcpUpdates::announce(const ToolCallUpdate& call) {
  const std::string& id = call.tool_call_id;
  const auto open = open_.find(id);
  if (open != open_.end() && open->second.asked && is_about_other(open->second, call)) end(id, hub::ToolEndState::done);
  tool(call, !open_.contains(id));
  if (const auto now = open_.find(id); now != open_.end()) now->second.asked = true;
  return id;
}

unsigned AcpUpdates::uses(const std::string& id) const {
  for (const auto* const ended : {&ended_, &ended_before_})
    if (const auto found = ended->find(id); found != ended->end()) return found->second;
  return 0;
}

void AcpUpdates::refused(const std::string& id) {
  if (const auto found = open_.find(id); found != open_.end()) found->second.refused = true;
}

void AcpUpdates::tool(const ToolCallUpdate& update, bool announced) {
  end_user();
  said_ = false;
  const std::string& id = update.tool_call_id;
  auto open = open_.find(id);
  if (open == open_.end()) {
    if (!announced && (uses(id) != 0 || says_nothing(update))) return;
    if (open_.size() >= limits::acp_open_calls) end(std::string(open_.begin()->first), hub::ToolEndState::done);
    flush_tags();
    end_thinking();
    open = open_.try_emplace(id).first;
    open->second.id = uses(id) == 0 ? id : id + "~" + std::to_string(uses(id) + 1);
    start(open->second, update);
  } else {
    change(open->second, update);
  }
  if (std::string output = command_output_in_meta(update.meta.json); !output.empty())
    sink_.emit(hub::event::ToolOutput{.call = open->second.id, .text = std::move(output)});
  if (is(update.status, acp::ToolStatus::completed)) end(id, hub::ToolEndState::done);
  else if (is(update.status, acp::ToolStatus::failed)) end(id, hub::ToolEndState::failed);
}

void AcpUpdates::start(Call& call, const ToolCallUpdate& update) {
  call.title = update.title.value_or("");
  call.tool = tool_name_of(update);
  if (update.kind) call.kind = call_kind(*update.kind);
  else if (const auto kind = wire::enum_from<acp::ToolKind>(update.type.value_or(""))) call.kind = call_kind({.value = *kind});
  if (call.tool.empty()) call.tool = std::string(hub::to_string(call.kind));
  call.content = update.content.value_or(std::vector<acp::ToolContent>{});
  call.locations = update.locations.value_or(std::vector<acp::ToolLocation>{});
  take_args(call, update);
  call.input_json = input_of(call);
  hub::event::ToolStart begun{.call = call.id,
                              .tool = call.tool,
                              .title = call.title.empty() ? call.tool : call.title,
                              .input_json = call.input_json,
                              .parent = parent_of(update),
                              .kind = call.kind};
  if (!call.locations.empty()) begun.locations = locations_of(call.locations);
  sink_.emit(std::move(begun));
  hub::event::ToolUpdate more{.call = call.id};
  if (!call.content.empty()) more.content = content_of(call.content);
  if (is(update.status, acp::ToolStatus::in_progress)) more.status = hub::CallStatus::running;
  if (more.content || more.status) sink_.emit(std::move(more));
}

void AcpUpdates::change(Call& call, const ToolCallUpdate& update) {
  hub::event::ToolUpdate changes{.call = call.id};
  bool is_changed = false;
  const auto set = [&is_changed](auto& into, auto value) {
    into = std::move(value);
    is_changed = true;
  };
  if (update.title && !update.title->empty() && *update.title != call.title) set(changes.title, call.title = *update.title);
  if (update.kind && call_kind(*update.kind) != call.kind) set(changes.kind, call.kind = call_kind(*update.kind));
  if (is(update.status, acp::ToolStatus::in_progress)) set(changes.status, hub::CallStatus::running);
  if (update.locations && (!update.locations->empty() || !call.locations.empty())) {
    call.locations = *update.locations;
    set(changes.locations, locations_of(call.locations));
  }
  if (update.content && (!update.content->empty() || !call.content.empty())) {
    call.content = *update.content;
    set(changes.content, content_of(call.content));
  }
  take_args(call, update);
  if (!update.raw_input.json.empty() || update.content)
    if (std::string input = input_of(call); input != call.input_json && input != "{}")
      set(changes.input_json, call.input_json = std::move(input));
  if (is_changed) sink_.emit(std::move(changes));
  if (call.content.empty() && !update.raw_output.json.empty())
    if (std::string output = output_of(update.raw_output); !output.empty())
      sink_.emit(hub::event::ToolOutput{.call = call.id, .text = std::move(output)});
}

void AcpUpdates::end(const std::string& id, hub::ToolEndState state) {
  const auto open = open_.find(id);
  if (open == open_.end()) return;
  if (open->second.refused) state = hub::ToolEndState::rejected;
  const std::string call = open->second.id;
  open_.erase(open);
  ended_[id] = uses(id) + 1;
  sink_.emit(hub::event::ToolEnd{.call = call, .state = state});
}

std::optional<std::string> AcpUpdates::parent_of(const ToolCallUpdate& update) {
  if (update.agent_id) return sub_agent(*update.agent_id);
  if (update.meta.json.find("parentToolUseId") == std::string::npos) return std::nullopt;
  const json::Value meta = json::parse_or_null(update.meta.json);  // Claude's agent
  const json::Value* claude = meta.find("claudeCode");
  const std::string parent(claude == nullptr ? "" : claude->text_or("parentToolUseId", ""));
  if (const Call* const open = find(parent)) return open->id;
  return parent.empty() ? std::nullopt : std::optional(parent);
}

// iFlow names a sub-agent only in its updates: a call represents each sub-agent.
const std::string& AcpUpdates::sub_agent(const std::string& agent_id) {
  const auto [known, is_new] = sub_agents_.try_emplace(agent_id, agent_id);
  if (is_new) {
    const adapter::SubAgentId about = adapter::read_sub_agent_id(agent_id);
    Call& call = open_[agent_id];
    call.id = agent_id;
    call.tool = "sub_agent";
    call.title = about.task_id ? "Sub-agent " + *about.task_id : "Sub-agent";
    call.kind = hub::CallKind::think;
    sink_.emit(
        hub::event::ToolStart{.call = agent_id, .tool = call.tool, .title = call.title, .input_json = "{}", .kind = call.kind});
  }
  return known->second;
}

// ---- the rest ------------------------------------------------------------------------------------------------------------------------

bool is_of_the_past(const acp::Update& update) {
  return !std::holds_alternative<acp::AvailableCommandsUpdate>(update.value) &&
         !std::holds_alternative<acp::CurrentModeUpdate>(update.value) &&
         !std::holds_alternative<acp::ConfigOptionUpdate>(update.value) &&
         !std::holds_alternative<acp::SessionInfoUpdate>(update.value);
}

bool is_of_a_call(const acp::Update& update) {
  return std::holds_alternative<acp::ToolCall>(update.value) || std::holds_alternative<ToolCallUpdate>(update.value);
}

void AcpUpdates::note_history(const acp::Update& update) {
  if (const auto* const report = std::get_if<acp::UsageUpdate>(&update.value); report != nullptr && report->cost)
    cost_ = report->cost->amount;
}

// ACP reports the cost of the whole session. The event carries the increase. Some programs count from zero again after a restart.
void AcpUpdates::usage(const acp::UsageUpdate& report) {
  hub::event::Usage now{.context = hub::ContextUse{.used = report.used, .size = report.size}};
  if (report.cost && report.cost->amount < cost_) cost_ = 0;
  if (report.cost && report.cost->amount > cost_)
    now.cost =
        hub::Cost{.amount = report.cost->amount - std::exchange(cost_, report.cost->amount), .currency = report.cost->currency};
  sink_.emit(std::move(now));
}

void AcpUpdates::end_turn(hub::ToolEndState open_calls) {
  end_user();
  flush_tags();
  said_ = false;
  message_.clear();
  end_thinking();
  while (!open_.empty()) end(std::string(open_.begin()->first), open_calls);
  ended_before_ = std::exchange(ended_, {});
  sub_agents_.clear();
}

}  // namespace parlance::driver
