// SPDX-License-Identifier: Apache-2.0
// What an agent tells of a session: the pieces of its answer, its tool calls, its plan, what can be chosen now. A kind that is not
// here is kept as it came and means nothing. Values; any thread.
#pragma once

#include "parlance/protocol/acp/session.h"
#include "parlance/protocol/acp/tool_call.h"

namespace parlance::acp {

struct Chunk {  // of a message: to be put behind what came before
  Content content{};
  std::optional<std::string> message_id{};
  std::optional<std::string> agent_id{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&Chunk::content>("content", "One block."),
             field<&Chunk::message_id>("messageId", "Which message it is of; another id begins another message."),
             field<&Chunk::agent_id>("agentId", "iFlow: the sub-agent that speaks."), meta_field<&Chunk::meta>());
};
// Three kinds with the members of Chunk: their tables are its own, since each begins with one.
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
  static constexpr auto wire =
      fields(field<&PlanEntry::content>("content", "What is to be done."),
             field<&PlanEntry::priority>("priority", "Absent: medium.").or_default(),
             field<&PlanEntry::status>("status", "Absent: pending.").or_default(), meta_field<&PlanEntry::meta>());
};
struct Plan {
  static constexpr std::string_view tag = "plan";
  std::vector<PlanEntry> entries{};
  Raw meta{};
  static constexpr auto wire = fields(field<&Plan::entries>("entries", "The whole plan, every time."), meta_field<&Plan::meta>());
};

// ---- what can be done now ------------------------------------------------------------------------------------------------------

struct CommandInput {
  std::string hint{};
  Raw meta{};
  static constexpr auto wire = fields(field<&CommandInput::hint>("hint", "What to write behind the command's name.").or_default(),
                                      meta_field<&CommandInput::meta>());
};
struct AvailableCommand {
  std::string name{};
  std::string description{};
  std::optional<CommandInput> input{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&AvailableCommand::name>("name", "Without its slash; used by a prompt that begins with /name."),
             field<&AvailableCommand::description>("description", "For people.").or_default(),
             field<&AvailableCommand::input>("input", "That it wants words behind it."), meta_field<&AvailableCommand::meta>());
};
struct AvailableCommandsUpdate {
  static constexpr std::string_view tag = "available_commands_update";
  std::vector<AvailableCommand> available_commands{};
  Raw meta{};
  static constexpr auto wire = fields(field<&AvailableCommandsUpdate::available_commands>("availableCommands", "All of them."),
                                      meta_field<&AvailableCommandsUpdate::meta>());
};
struct CurrentModeUpdate {
  static constexpr std::string_view tag = "current_mode_update";
  std::string current_mode_id{};
  Raw meta{};
  static constexpr auto wire = fields(field<&CurrentModeUpdate::current_mode_id>("currentModeId", "The mode in force now."),
                                      meta_field<&CurrentModeUpdate::meta>());
};
struct ConfigOptionUpdate {
  static constexpr std::string_view tag = "config_option_update";
  std::vector<ConfigOption> config_options{};
  Raw meta{};
  static constexpr auto wire = fields(field<&ConfigOptionUpdate::config_options>("configOptions", "All of them."),
                                      meta_field<&ConfigOptionUpdate::meta>());
};
struct SessionInfoUpdate {
  static constexpr std::string_view tag = "session_info_update";
  std::optional<std::string> title{};
  std::optional<std::string> updated_at{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&SessionInfoUpdate::title>("title", "For people."),
             field<&SessionInfoUpdate::updated_at>("updatedAt", "ISO 8601."), meta_field<&SessionInfoUpdate::meta>());
};

// ---- what it costs -------------------------------------------------------------------------------------------------------------

struct Cost {
  double amount = 0;
  std::string currency{};
  Raw meta{};
  static constexpr auto wire = fields(field<&Cost::amount>("amount", "Of the whole session."),
                                      field<&Cost::currency>("currency", "ISO 4217: USD."), meta_field<&Cost::meta>());
};
struct UsageUpdate {
  static constexpr std::string_view tag = "usage_update";
  std::uint64_t used = 0;
  std::uint64_t size = 0;
  std::optional<Cost> cost{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&UsageUpdate::used>("used", "Tokens in the context now."),
             field<&UsageUpdate::size>("size", "Tokens that the context holds."),
             field<&UsageUpdate::cost>("cost", "What the session has cost so far."), meta_field<&UsageUpdate::meta>());
};

// ---- what a client asks for (clientCapabilities.session) -------------------------------------------------------------------------

struct NoticeUpdate {
  static constexpr std::string_view tag = "notice";
  std::string severity{};
  std::string title{};
  std::optional<std::string> description{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&NoticeUpdate::severity>("severity", "info, warning, error."), field<&NoticeUpdate::title>("title", "For people."),
      field<&NoticeUpdate::description>("description", "For people."), meta_field<&NoticeUpdate::meta>());
};
struct CompactionUpdate {
  static constexpr std::string_view tag = "compaction_update";
  std::string compaction_id{};
  std::string status{};
  std::optional<std::vector<Content>> summary{};
  std::optional<std::string> error{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&CompactionUpdate::compaction_id>("compactionId", "Which one."),
             field<&CompactionUpdate::status>("status", "in_progress, completed, failed, cancelled."),
             field<&CompactionUpdate::summary>("summary", "What stays of the conversation, whole."),
             field<&CompactionUpdate::error>("error", "Why it failed."), meta_field<&CompactionUpdate::meta>());
};
struct CompactionSummaryChunk {
  static constexpr std::string_view tag = "compaction_summary_chunk";
  std::string compaction_id{};
  Content content{};
  Raw meta{};
  static constexpr auto wire = fields(field<&CompactionSummaryChunk::compaction_id>("compactionId", "Which one."),
                                      field<&CompactionSummaryChunk::content>("content", "A piece of the summary."),
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
      fields(field<&SessionUpdate::session_id>("sessionId", "Which session."),
             field<&SessionUpdate::update>("update", "What happened."), meta_field<&SessionUpdate::meta>());
};

}  // namespace parlance::acp
