// SPDX-License-Identifier: Apache-2.0
// Updates of a session: pieces of the answer, tool calls, the plan, and changed options. Unknown kinds are kept and have no
// effect. Values; any thread.
#pragma once

#include "parlance/protocol/acp/session.h"
#include "parlance/protocol/acp/tool_call.h"

namespace parlance::acp {

struct Chunk {  // The next piece of a message.
  Content content{};
  std::optional<std::string> message_id{};
  std::optional<std::string> agent_id{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&Chunk::content>("content", "A content block."),
             field<&Chunk::message_id>("messageId", "Id of the message. A different id begins another message."),
             field<&Chunk::agent_id>("agentId", "iFlow: id of the sub-agent that writes."), meta_field<&Chunk::meta>());
};
// Three kinds with the members of Chunk. They share its table, because each begins with a Chunk.
struct UserMessageChunk {
  static constexpr std::string_view tag = "user_message_chunk";
  Chunk chunk{};
  static constexpr auto wire = Chunk::wire;
};
struct AgentMessageChunk {
  static constexpr std::string_view tag = "agent_message_chunk";
  Chunk chunk{};
  static constexpr auto wire = Chunk::wire;
};
struct AgentThoughtChunk {
  static constexpr std::string_view tag = "agent_thought_chunk";
  Chunk chunk{};
  static constexpr auto wire = Chunk::wire;
};
static_assert(std::is_standard_layout_v<UserMessageChunk> && std::is_standard_layout_v<AgentMessageChunk> &&
              std::is_standard_layout_v<AgentThoughtChunk>);

// ---- plan --------------------------------------------------------------------------------------------------------------------

enum class PlanPriority : std::uint8_t { high, medium, low };
constexpr auto wire_names(PlanPriority) { return wire::names("high", "medium", "low"); }
enum class PlanStatus : std::uint8_t { pending, in_progress, completed };
constexpr auto wire_names(PlanStatus) { return wire::names("pending", "in_progress", "completed"); }

struct PlanEntry {
  std::string content{};
  Open<PlanPriority> priority{.value = PlanPriority::medium};
  Open<PlanStatus> status{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&PlanEntry::content>("content", "Text of the task."),
      field<&PlanEntry::priority>("priority", "Priority of the task. Absent: medium.").or_default(),
      field<&PlanEntry::status>("status", "State of the task. Absent: pending.").or_default(), meta_field<&PlanEntry::meta>());
};
struct Plan {
  static constexpr std::string_view tag = "plan";
  std::vector<PlanEntry> entries{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&Plan::entries>("entries", "The whole plan. It replaces the earlier plan."), meta_field<&Plan::meta>());
};

// ---- commands and options ---------------------------------------------------------------------------------------------------

struct CommandInput {
  std::string hint{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&CommandInput::hint>("hint", "Hint for the text after the command's name.").or_default(),
             meta_field<&CommandInput::meta>());
};
struct AvailableCommand {
  std::string name{};
  std::string description{};
  std::optional<CommandInput> input{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&AvailableCommand::name>(
                 "name", "Name of the command without its slash. A prompt with /name at its beginning runs the command."),
             field<&AvailableCommand::description>("description", "Description of the command for people.").or_default(),
             field<&AvailableCommand::input>("input", "Present: the command takes text after its name."),
             meta_field<&AvailableCommand::meta>());
};
struct AvailableCommandsUpdate {
  static constexpr std::string_view tag = "available_commands_update";
  std::vector<AvailableCommand> available_commands{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&AvailableCommandsUpdate::available_commands>("availableCommands", "All commands. They replace the earlier list."),
      meta_field<&AvailableCommandsUpdate::meta>());
};
struct CurrentModeUpdate {
  static constexpr std::string_view tag = "current_mode_update";
  std::string current_mode_id{};
  Raw meta{};
  static constexpr auto wire = fields(field<&CurrentModeUpdate::current_mode_id>("currentModeId", "Id of the new mode."),
                                      meta_field<&CurrentModeUpdate::meta>());
};
struct ConfigOptionUpdate {
  static constexpr std::string_view tag = "config_option_update";
  std::vector<ConfigOption> config_options{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ConfigOptionUpdate::config_options>("configOptions", "All options with their present values."),
             meta_field<&ConfigOptionUpdate::meta>());
};
struct SessionInfoUpdate {
  static constexpr std::string_view tag = "session_info_update";
  std::optional<std::string> title{};
  std::optional<std::string> updated_at{};
  Raw meta{};
  static constexpr auto wire = fields(field<&SessionInfoUpdate::title>("title", "New title for people. Absent: unchanged."),
                                      field<&SessionInfoUpdate::updated_at>("updatedAt", "Time of the last change, ISO 8601."),
                                      meta_field<&SessionInfoUpdate::meta>());
};

// ---- usage and cost ---------------------------------------------------------------------------------------------------------

struct Cost {
  double amount = 0;
  std::string currency{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&Cost::amount>("amount", "Cost of the whole session."),
             field<&Cost::currency>("currency", "Currency code of ISO 4217, such as USD."), meta_field<&Cost::meta>());
};
struct UsageUpdate {
  static constexpr std::string_view tag = "usage_update";
  std::uint64_t used = 0;
  std::uint64_t size = 0;
  std::optional<Cost> cost{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&UsageUpdate::used>("used", "Number of tokens in the context window."),
             field<&UsageUpdate::size>("size", "Size of the context window in tokens."),
             field<&UsageUpdate::cost>("cost", "Cost of the session so far."), meta_field<&UsageUpdate::meta>());
};

// ---- updates by client capability (clientCapabilities.session) --------------------------------------------------------------

struct NoticeUpdate {
  static constexpr std::string_view tag = "notice";
  std::string severity{};
  std::string title{};
  std::optional<std::string> description{};
  Raw meta{};
  static constexpr auto wire = fields(field<&NoticeUpdate::severity>("severity", "Severity: info, warning or error."),
                                      field<&NoticeUpdate::title>("title", "Title of the notice for people."),
                                      field<&NoticeUpdate::description>("description", "Text of the notice for people."),
                                      meta_field<&NoticeUpdate::meta>());
};
struct CompactionUpdate {
  static constexpr std::string_view tag = "compaction_update";
  std::string compaction_id{};
  std::string status{};
  std::optional<std::vector<Content>> summary{};
  std::optional<std::string> error{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&CompactionUpdate::compaction_id>("compactionId", "Id of the compaction."),
             field<&CompactionUpdate::status>("status", "State: in_progress, completed, failed or cancelled."),
             field<&CompactionUpdate::summary>("summary", "The complete summary that replaces earlier messages."),
             field<&CompactionUpdate::error>("error", "Reason of a failure."), meta_field<&CompactionUpdate::meta>());
};
struct CompactionSummaryChunk {
  static constexpr std::string_view tag = "compaction_summary_chunk";
  std::string compaction_id{};
  Content content{};
  Raw meta{};
  static constexpr auto wire = fields(field<&CompactionSummaryChunk::compaction_id>("compactionId", "Id of the compaction."),
                                      field<&CompactionSummaryChunk::content>("content", "The next piece of the summary."),
                                      meta_field<&CompactionSummaryChunk::meta>());
};

using Update = Tagged<"sessionUpdate", AgentMessageChunk, AgentThoughtChunk, UserMessageChunk, ToolCall, ToolCallUpdate, Plan,
                      AvailableCommandsUpdate, CurrentModeUpdate, ConfigOptionUpdate, SessionInfoUpdate, UsageUpdate,
                      NoticeUpdate, CompactionUpdate, CompactionSummaryChunk, Other>;

struct SessionUpdate {
  std::string session_id{};
  Update update{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&SessionUpdate::session_id>("sessionId", "Id of the session."),
             field<&SessionUpdate::update>("update", "The event of the session."), meta_field<&SessionUpdate::meta>());
};

}  // namespace parlance::acp
