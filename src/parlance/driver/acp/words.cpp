// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/acp/words.h"

#include <algorithm>

#include "parlance/base/overloaded.h"
#include "parlance/base/text.h"
#include "parlance/codec/json/value.h"
#include "parlance/hub/conversation/plan.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/hub/conversation/usage.h"

namespace parlance::driver {
namespace {

std::string sized(std::string_view what, std::string_view type, std::size_t base64_bytes) {
  return "[" + std::string(what) + ", " + std::string(type) + ", " + std::to_string(base64_bytes / 4 * 3) + " bytes]";
}

std::uint64_t count(const json::Value& usage, std::string_view name) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, usage.integer_or(name, 0)));
}

hub::OptionValue value_of(const acp::ConfigValue& config_value, std::string_view group = {}) {
  return {.value = config_value.value,
          .name = group.empty() ? config_value.name : std::string(group) + ": " + config_value.name,
          .description = config_value.description.value_or("")};
}

}  // namespace

hub::CallKind call_kind(const acp::Open<acp::ToolKind>& kind) {
  if (!kind.unknown.empty()) return hub::CallKind::other;
  switch (kind.value) {
    case acp::ToolKind::read: return hub::CallKind::read;
    case acp::ToolKind::edit: return hub::CallKind::edit;
    case acp::ToolKind::remove: return hub::CallKind::delete_;
    case acp::ToolKind::move: return hub::CallKind::move;
    case acp::ToolKind::search: return hub::CallKind::search;
    case acp::ToolKind::execute: return hub::CallKind::execute;
    case acp::ToolKind::think: return hub::CallKind::think;
    case acp::ToolKind::fetch: return hub::CallKind::fetch;
    case acp::ToolKind::switch_mode: return hub::CallKind::switch_mode;
    case acp::ToolKind::other: break;
  }
  return hub::CallKind::other;
}

std::vector<hub::Location> locations_of(const std::vector<acp::ToolLocation>& locations) {
  std::vector<hub::Location> all;
  for (const acp::ToolLocation& tool_location : locations) {
    hub::Location place{.path = tool_location.path};
    if (tool_location.line) place.line = *tool_location.line;
    all.push_back(std::move(place));
  }
  return all;
}

std::string words_of(const acp::Content& block) {
  const Overloaded visit{
      [](const acp::TextContent& text) { return text.text; },
      [](const acp::ImageContent& image) {
        return image.uri ? "![](" + *image.uri + ")" : sized("picture", image.mime_type, image.data.size());
      },
      [](const acp::AudioContent& audio) { return sized("sound", audio.mime_type, audio.data.size()); },
      [](const acp::ResourceLink& link) { return "[" + link.title.value_or(link.name) + "](" + link.uri + ")"; },
      [](const acp::EmbeddedResource& held) {
        if (held.resource.text) return *held.resource.text;
        return sized(held.resource.uri, held.resource.mime_type.value_or("application/octet-stream"),
                     held.resource.blob.value_or("").size());
      },
      [](const wire::Other&) { return std::string("[content of a kind that is not known here]"); }};
  return std::visit(visit, block.value);
}

// Gemini CLI and OpenCode send an empty old text for a new file.
hub::Diff diff_of(const acp::ToolDiff& reported) {
  hub::Diff diff{.path = reported.path, .before = reported.old_text, .after = reported.new_text};
  if (diff.before && diff.before->empty()) diff.before.reset();
  return diff;
}

std::vector<hub::ToolContent> content_of(const std::vector<acp::ToolContent>& contents) {
  std::vector<hub::ToolContent> all;
  for (const acp::ToolContent& content : contents) {
    if (const auto* text = std::get_if<acp::ToolText>(&content.value))
      all.emplace_back(hub::ToolText{.text = words_of(text->content)});
    if (const auto* diff = std::get_if<acp::ToolDiff>(&content.value)) {
      const bool unified_alone = diff->file_diff && !diff->old_text && diff->new_text.empty();  // iFlow
      if (unified_alone) all.emplace_back(hub::ToolText{.text = diff->path + "\n" + *diff->file_diff});
      else all.emplace_back(diff_of(*diff));
    }
    if (const auto* terminal = std::get_if<acp::ToolTerminal>(&content.value))
      all.emplace_back(hub::ToolTerminal{.terminal = terminal->terminal_id});
  }
  return all;
}

hub::event::Plan plan_of(const acp::Plan& plan) {
  hub::event::Plan result;
  for (const acp::PlanEntry& plan_entry : plan.entries) {
    hub::PlanEntry entry{.content = plan_entry.content, .priority = hub::PlanPriority::medium};
    if (plan_entry.status.unknown.empty()) {
      entry.status = plan_entry.status.value == acp::PlanStatus::completed     ? hub::PlanStatus::completed
                     : plan_entry.status.value == acp::PlanStatus::in_progress ? hub::PlanStatus::in_progress
                                                                               : hub::PlanStatus::pending;
    }
    if (plan_entry.priority.unknown.empty()) {
      entry.priority = plan_entry.priority.value == acp::PlanPriority::high  ? hub::PlanPriority::high
                       : plan_entry.priority.value == acp::PlanPriority::low ? hub::PlanPriority::low
                                                                             : hub::PlanPriority::medium;
    }
    result.entries.push_back(std::move(entry));
  }
  return result;
}

std::vector<hub::SlashCommand> commands_of(const std::vector<acp::AvailableCommand>& commands) {
  std::vector<hub::SlashCommand> all;
  for (const acp::AvailableCommand& available_command : commands) {
    hub::SlashCommand command{.name = available_command.name, .description = available_command.description};
    if (available_command.input && !available_command.input->hint.empty()) command.hint = available_command.input->hint;
    all.push_back(std::move(command));
  }
  return all;
}

hub::StopReason stop_reason_of(const acp::Open<acp::StopReason>& reason) {
  if (!reason.unknown.empty()) return hub::StopReason::end_turn;
  switch (reason.value) {
    case acp::StopReason::end_turn: return hub::StopReason::end_turn;
    case acp::StopReason::max_tokens: return hub::StopReason::max_tokens;
    case acp::StopReason::max_turn_requests: return hub::StopReason::max_turns;
    case acp::StopReason::refusal: return hub::StopReason::refusal;
    case acp::StopReason::cancelled: return hub::StopReason::cancelled;
  }
  return hub::StopReason::end_turn;
}

std::optional<hub::event::Usage> usage_of(const acp::PromptResult& result) {
  if (!result.usage) return usage_in_meta(result.meta.json);
  if (result.usage->total_tokens == 0) return std::nullopt;
  return hub::event::Usage{.input_tokens = result.usage->input_tokens,
                           .output_tokens = result.usage->output_tokens,
                           .cache_read_tokens = result.usage->cached_read_tokens,
                           .cache_write_tokens = result.usage->cached_write_tokens};
}

std::optional<hub::event::Usage> usage_in_meta(std::string_view meta_json) {
  if (meta_json.find("usage") == std::string_view::npos) return std::nullopt;  // most have none, and it costs a parse
  const json::Value meta = json::parse_or_null(meta_json);
  const json::Value* usage = meta.find("usage");
  if (usage == nullptr || usage->find("inputTokens") == nullptr) return std::nullopt;
  hub::event::Usage result{.input_tokens = count(*usage, "inputTokens"), .output_tokens = count(*usage, "outputTokens")};
  if (usage->find("cachedReadTokens") != nullptr) result.cache_read_tokens = count(*usage, "cachedReadTokens");
  if (usage->find("cachedWriteTokens") != nullptr) result.cache_write_tokens = count(*usage, "cachedWriteTokens");
  return result;
}

std::string tool_name_in_meta(std::string_view meta_json) {
  if (meta_json.find("toolName") == std::string_view::npos) return "";
  const json::Value meta = json::parse_or_null(meta_json);
  if (const std::string_view name = meta.text_or("toolName", ""); !name.empty()) return std::string(name);
  const json::Value* claude = meta.find("claudeCode");
  return std::string(claude == nullptr ? "" : claude->text_or("toolName", ""));
}

std::string command_output_in_meta(std::string_view meta_json) {
  if (meta_json.find("terminal_output") == std::string_view::npos) return "";
  const json::Value meta = json::parse_or_null(meta_json);
  for (const char* const name : {"terminal_output_delta", "terminal_output"})
    if (const json::Value* output = meta.find(name)) return std::string(output->text_or("data", ""));
  return "";
}

// ---- options -------------------------------------------------------------------------------------------------------------

std::string current_value(const acp::ConfigOption& option) {
  const json::Value value = json::parse_or_null(option.current_value.json);
  if (const std::string* text = value.text()) return *text;
  return value.is_null() ? "" : json::to_text(value);
}

hub::AgentOption option_of(const acp::ConfigOption& option) {
  hub::AgentOption made{.id = option.id,
                        .name = option.name,
                        .description = option.description.value_or(""),
                        .category = option.category.value_or(""),
                        .kind = option.type == "boolean" ? hub::OptionType::boolean : hub::OptionType::choice,
                        .value = current_value(option)};
  const std::vector<acp::ConfigChoice> choices = option.options.value_or(std::vector<acp::ConfigChoice>{});
  for (const acp::ConfigChoice& config_choice : choices) {
    if (config_choice.value)
      made.values.push_back(
          {.value = *config_choice.value, .name = config_choice.name, .description = config_choice.description.value_or("")});
    for (const acp::ConfigValue& value : config_choice.options.value_or(std::vector<acp::ConfigValue>{}))
      made.values.push_back(value_of(value, config_choice.name));
  }
  return made;
}

std::vector<hub::AgentOption> options_of(const std::vector<acp::ConfigOption>& options) {
  std::vector<hub::AgentOption> all;
  for (const acp::ConfigOption& config_option : options) all.push_back(option_of(config_option));
  return all;
}

hub::AgentOption option_of(const acp::SessionModels& models) {
  hub::AgentOption made{.id = std::string(models_option), .name = "Model", .category = "model", .value = models.current_model_id};
  for (const acp::SessionModel& session_model : models.available_models)
    made.values.push_back({.value = session_model.model_id,
                           .name = session_model.name.empty() ? session_model.model_id : session_model.name,
                           .description = session_model.description.value_or("")});
  return made;
}

}  // namespace parlance::driver
