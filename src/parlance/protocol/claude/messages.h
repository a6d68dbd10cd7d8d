// SPDX-License-Identifier: Apache-2.0
// What Claude Code and the program that drives it say to each other: control requests both ways, and the stream messages that we
// read or write field by field. Everything else travels as it came (StreamLine in stream.h).
//
// Names are the wire's own: envelopes are snake_case, permission answers and rules camelCase. What only is shown to people is Raw,
// because a request whose decoration changes its type must still be answered.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/protocol/claude/stream_messages.h"
#include "parlance/wire/call.h"

namespace parlance::claude {

using wire::field;
using wire::fields;

// ---- host -> agent -----------------------------------------------------------------------------------------------------

struct HookMatcher {
  std::optional<std::string> matcher{};
  std::vector<std::string> callback_ids{};
  std::optional<double> timeout{};
  std::optional<std::string> on_failure{};
  static constexpr auto wire = fields(
      field<&HookMatcher::matcher>("matcher", "Regular expression on the tool's name; absent: every tool."),
      field<&HookMatcher::callback_ids>("hookCallbackIds", "The host's names for its callbacks."),
      field<&HookMatcher::timeout>("timeout", "Seconds that the agent waits for each."),
      field<&HookMatcher::on_failure>("onFailure", "continue or block, when a callback fails (2.1.329; older ones continue)."));
};

struct Initialize {
  wire::Nullable<std::map<std::string, std::vector<HookMatcher>>> hooks{};  // null and absent mean none; what came stays so
  std::optional<std::vector<std::string>> sdk_mcp_servers{};
  wire::Raw sdk_mcp_manifests{};
  wire::Raw sdk_mcp_server_configs{};
  wire::Raw mcp_servers{};
  std::optional<std::vector<std::string>> disallowed_tools{};
  wire::Raw system_prompt{};
  std::optional<std::string> append_system_prompt{};
  std::optional<bool> system_prompt_snapshot{};
  wire::Raw agents{};
  wire::Raw json_schema{};
  wire::Raw skills{};
  wire::Raw plugins{};
  wire::Raw tool_aliases{};
  wire::Raw plan_mode_instructions{};
  wire::Raw append_subagent_system_prompt{};
  wire::Raw exclude_dynamic_sections{};
  wire::Raw forward_subagent_text{};
  wire::Raw prompt_suggestions{};
  wire::Raw agent_progress_summaries{};
  wire::Raw title{};
  wire::Raw settings{};
  wire::Raw managed_settings{};
  wire::Raw as_told{};  // of one that came: all of it, with what newer hosts put in
  static constexpr auto wire = fields(
      field<&Initialize::hooks>("hooks", "By event: PreToolUse, PostToolUse, UserPromptSubmit, Stop, …"),
      field<&Initialize::sdk_mcp_servers>("sdkMcpServers", "MCP servers that the host itself runs, reached by mcp_message."),
      field<&Initialize::sdk_mcp_manifests>("sdkMcpServerManifests", "What they would answer to initialize and tools/list.")
          .or_default(),
      field<&Initialize::sdk_mcp_server_configs>("sdkMcpServerConfigs", "Times and permissions of their tools.").or_default(),
      field<&Initialize::mcp_servers>("mcpServers", "What --mcp-config says otherwise, which others of the machine could read.")
          .or_default(),
      field<&Initialize::disallowed_tools>("disallowedTools", "The same of --disallowedTools."),
      field<&Initialize::system_prompt>("systemPrompt", "Text, or a list of texts; replaces the agent's own.").or_default(),
      field<&Initialize::append_system_prompt>("appendSystemPrompt", "Put behind the system prompt."),
      field<&Initialize::system_prompt_snapshot>(
          "systemPromptSnapshot",
          "Absent or true: what the first prompt of a session brought holds for all that follow (2.1.329; older ones do not)."),
      field<&Initialize::agents>("agents", "Sub-agents by name.").or_default(),
      field<&Initialize::json_schema>("jsonSchema", "Shape of a structured result.").or_default(),
      field<&Initialize::skills>("skills", "Which skills there are.").or_default(),
      field<&Initialize::plugins>("plugins", "What --plugin-dir says otherwise.").or_default(),
      field<&Initialize::tool_aliases>("toolAliases", "Other tools in the place of its own.").or_default(),
      field<&Initialize::plan_mode_instructions>("planModeInstructions", "In place of its own for that mode.").or_default(),
      field<&Initialize::append_subagent_system_prompt>("appendSubagentSystemPrompt", "Put behind those of sub-agents.")
          .or_default(),
      field<&Initialize::exclude_dynamic_sections>("excludeDynamicSections", "Nothing of this machine in the system prompt.")
          .or_default(),
      field<&Initialize::forward_subagent_text>("forwardSubagentText", "What sub-agents say is told, too.").or_default(),
      field<&Initialize::prompt_suggestions>("promptSuggestions", "What a person might say next is told.").or_default(),
      field<&Initialize::agent_progress_summaries>("agentProgressSummaries", "How far sub-agents are is told.").or_default(),
      field<&Initialize::title>("title", "Of the session, for people.").or_default(),
      field<&Initialize::settings>("settings", "What --settings says otherwise.").or_default(),
      field<&Initialize::managed_settings>("managedSettings", "Those that the person cannot change.").or_default());
};

struct ModelInfo {
  std::string value{};
  wire::Raw display_name{};
  static constexpr auto wire = fields(field<&ModelInfo::value>("value", "What set_model takes."),
                                      field<&ModelInfo::display_name>("displayName", "What a person reads.").or_default());
};

struct Initialized {
  std::vector<ModelInfo> models{};
  wire::Raw commands{};
  wire::Raw agents{};
  std::optional<std::string> output_style{};
  std::vector<std::string> output_styles{};
  wire::Raw account{};
  std::optional<std::int64_t> pid{};
  std::optional<bool> hook_on_failure{};
  std::optional<bool> mcp_servers_applied{};
  std::optional<bool> disallowed_tools_applied{};
  static constexpr auto wire = fields(
      field<&Initialized::commands>("commands", "Slash commands.").or_default(),
      field<&Initialized::agents>("agents", "Sub-agents.").or_default(),
      field<&Initialized::output_style>("output_style", "The style in use."),
      field<&Initialized::output_styles>("available_output_styles", "All styles.").or_default(),
      field<&Initialized::models>("models", "What set_model takes.").or_default(),
      field<&Initialized::account>("account", "Who pays.").or_default(), field<&Initialized::pid>("pid", "The agent's process."),
      field<&Initialized::hook_on_failure>("hook_on_failure_supported", "Whether onFailure of hooks means anything."),
      field<&Initialized::mcp_servers_applied>("mcp_servers_applied", "Those of the request are read."),
      field<&Initialized::disallowed_tools_applied>("disallowed_tools_applied", "The same of its tools."));
};

struct SetPermissionMode {
  std::string mode{};
  static constexpr auto wire = fields(field<&SetPermissionMode::mode>(
      "mode", "default, acceptEdits, plan, bypassPermissions; newer agents know dontAsk and auto."));
};
struct ModeReply {
  std::string mode{};
  static constexpr auto wire = fields(field<&ModeReply::mode>("mode", "The mode that holds now.").or_default());
};
struct SetModel {
  wire::Nullable<std::string> model{};  // null and absent both mean the default; what came goes back as it came
  static constexpr auto wire = fields(field<&SetModel::model>("model", "Absent, null or default: the agent's own choice."));
};
struct SetMaxThinkingTokens {
  wire::Nullable<std::int64_t> tokens{.state = wire::Nullable<std::int64_t>::State::null};  // null means no limit of ours
  static constexpr auto wire =
      fields(field<&SetMaxThinkingTokens::tokens>("max_thinking_tokens", "null: the agent's own choice; 0: none."));
};
struct Interrupted {
  std::optional<std::vector<std::string>> still_queued{};
  static constexpr auto wire =
      fields(field<&Interrupted::still_queued>("still_queued", "User messages that wait still (2.1.329)."));
};
struct McpStatus {
  wire::Raw servers{};
  static constexpr auto wire = fields(field<&McpStatus::servers>("mcpServers", "Name and status of each.").or_default());
};
struct RewindFiles {
  std::string user_message_id{};
  std::optional<bool> dry_run{};
  static constexpr auto wire = fields(field<&RewindFiles::user_message_id>("user_message_id", "The message to go back to."),
                                      field<&RewindFiles::dry_run>("dry_run", "Only tell what would change."));
};
struct StopTask {
  std::string task_id{};
  static constexpr auto wire = fields(field<&StopTask::task_id>("task_id", "A background task."));
};

// ---- both ways ---------------------------------------------------------------------------------------------------------

struct McpMessage {
  std::string server_name{};
  wire::Raw message{};
  wire::Raw as_told{};  // of one that came: all of it
  static constexpr auto wire = fields(field<&McpMessage::server_name>("server_name", "One of sdkMcpServers."),
                                      field<&McpMessage::message>("message", "One JSON-RPC message."));
};
struct McpReply {
  wire::Raw response{};
  static constexpr auto wire =
      fields(field<&McpReply::response>("mcp_response", "The JSON-RPC answer; for a notification an empty one.").or_default());
};

// ---- agent -> host -----------------------------------------------------------------------------------------------------

struct CanUseTool {
  std::string tool_name{};
  wire::Raw input{};
  wire::Raw suggestions{};
  wire::Raw blocked_path{};
  wire::Raw decision_reason{};
  wire::Raw decision_reason_type{};
  std::optional<std::string> tool_use_id{};
  wire::Raw agent_id{};
  wire::Raw display_name{};
  wire::Raw description{};
  wire::Raw title{};
  static constexpr auto wire =
      fields(field<&CanUseTool::tool_name>("tool_name", "The tool; of MCP servers mcp__SERVER__TOOL."),
             field<&CanUseTool::display_name>("display_name", "How people call the tool.").or_default(),
             field<&CanUseTool::input>("input", "What the tool would get."),
             field<&CanUseTool::description>("description", "What the call is for.").or_default(),
             field<&CanUseTool::title>("title", "The same in one line.").or_default(),
             field<&CanUseTool::suggestions>("permission_suggestions", "Rules that would answer this from now on.").or_default(),
             field<&CanUseTool::blocked_path>("blocked_path", "The path outside of the allowed folders.").or_default(),
             field<&CanUseTool::decision_reason>("decision_reason", "Why it is asked.").or_default(),
             field<&CanUseTool::decision_reason_type>("decision_reason_type", "The same for programs.").or_default(),
             field<&CanUseTool::tool_use_id>("tool_use_id", "The call in the stream."),
             field<&CanUseTool::agent_id>("agent_id", "The sub-agent that asks.").or_default());
};

struct Deny {
  static constexpr std::string_view tag = "deny";
  std::string message{};  // always sent, for the same reason
  std::optional<bool> interrupt{};
  std::optional<std::string> tool_use_id{};
  static constexpr auto wire = fields(field<&Deny::message>("message", "Why, for the model.").or_default(),
                                      field<&Deny::interrupt>("interrupt", "End the turn as well."),
                                      field<&Deny::tool_use_id>("toolUseID", "That of the request."));
};
struct Allow {
  static constexpr std::string_view tag = "allow";
  wire::Raw updated_input{};        // always sent: 2.0.76 and 2.1.112 refuse the tool without it
  wire::Raw updated_permissions{};  // a list of PermissionUpdate, as suggested or our own
  std::optional<std::string> tool_use_id{};
  static constexpr auto wire =
      fields(field<&Allow::updated_input>("updatedInput", "What the tool gets; the request's input when unchanged.").or_default(),
             field<&Allow::updated_permissions>("updatedPermissions", "Rules and modes to take over.").or_default(),
             field<&Allow::tool_use_id>("toolUseID", "That of the request."));
};
// Deny comes first: an unset result refuses.
using PermissionResult = wire::Tagged<"behavior", Deny, Allow>;

struct PermissionRule {
  std::string tool_name{};
  std::optional<std::string> content{};
  static constexpr auto wire =
      fields(field<&PermissionRule::tool_name>("toolName", "The tool."),
             field<&PermissionRule::content>("ruleContent", "What of it, in the agent's own words; absent: all."));
};
// Unknown kinds of updates travel untouched, because they are kept as Raw; this is what we read of the known ones.
struct PermissionUpdate {
  std::string type{};
  std::vector<PermissionRule> rules{};
  std::optional<std::string> behavior{};
  std::optional<std::string> mode{};
  std::vector<std::string> directories{};
  std::optional<std::string> destination{};
  static constexpr auto wire = fields(
      field<&PermissionUpdate::type>("type", "addRules, replaceRules, removeRules, setMode, addDirectories, …"),
      field<&PermissionUpdate::rules>("rules", "Of the rule updates.").or_default(),
      field<&PermissionUpdate::behavior>("behavior", "allow, deny or ask."),
      field<&PermissionUpdate::mode>("mode", "Of setMode."),
      field<&PermissionUpdate::directories>("directories", "Of the directory updates.").or_default(),
      field<&PermissionUpdate::destination>("destination", "userSettings, projectSettings, localSettings, session or cliArg."));
};

struct HookCallback {
  std::string callback_id{};
  wire::Raw input{};
  std::optional<std::string> tool_use_id{};
  wire::Raw as_told{};  // of one that came: all of it
  static constexpr auto wire =
      fields(field<&HookCallback::callback_id>("callback_id", "As the host named it in initialize."),
             field<&HookCallback::input>("input", "session_id, cwd, hook_event_name and what belongs to the event.").or_default(),
             field<&HookCallback::tool_use_id>("tool_use_id", "The call that it is about."));
};

// ---- requests in both directions, and the messages of the stream -----------------------------------------------------------------------

inline constexpr auto methods = wire::methods(
    wire::call<Initialize, Initialized>("initialize", "Hooks and MCP servers of the host; once."),
    wire::call<SetPermissionMode, ModeReply>("set_permission_mode", "What may be done without asking.").or_no_body(),
    wire::call<SetModel, wire::Raw>("set_model", "The model of the next turns."),
    wire::call<SetMaxThinkingTokens, wire::Raw>("set_max_thinking_tokens", "How much the model may think."),
    wire::call<wire::Nothing, Interrupted>("interrupt", "Ends the running turn.").or_no_body(),
    wire::call<wire::Nothing, McpStatus>("mcp_status", "How the MCP servers are."),
    wire::call<McpMessage, McpReply>("mcp_message", "One message of an MCP server that the host runs.").or_no_body(),
    wire::call<RewindFiles, wire::Raw>("rewind_files", "Puts files back as they were."),
    wire::call<StopTask, wire::Raw>("stop_task", "Ends a background task."),
    wire::call<CanUseTool, PermissionResult>("can_use_tool", "May this tool run?"),
    wire::call<HookCallback, wire::Raw>("hook_callback", "A hook of the host; the answer is its output."),
    wire::notice<UserMessage>("user", "A prompt (host), or results of tools (agent)."),
    wire::notice<wire::Nothing>("keep_alive", "Nothing."),
    wire::notice<SystemInit>("system", "What the agent is and can do, at the start of every turn (agent)."),
    wire::notice<TurnResult>("result", "The end of a turn (agent)."),
    wire::notice<wire::Raw>("", "Any stream message: a whole line, as it stands."));

inline constexpr const auto& initialize = wire::method<methods, "initialize">;
inline constexpr const auto& set_permission_mode = wire::method<methods, "set_permission_mode">;
inline constexpr const auto& set_model = wire::method<methods, "set_model">;
inline constexpr const auto& set_max_thinking_tokens = wire::method<methods, "set_max_thinking_tokens">;
inline constexpr const auto& interrupt = wire::method<methods, "interrupt">;
inline constexpr const auto& mcp_status = wire::method<methods, "mcp_status">;
inline constexpr const auto& mcp_message = wire::method<methods, "mcp_message">;
inline constexpr const auto& rewind_files = wire::method<methods, "rewind_files">;
inline constexpr const auto& stop_task = wire::method<methods, "stop_task">;
inline constexpr const auto& can_use_tool = wire::method<methods, "can_use_tool">;
inline constexpr const auto& hook_callback = wire::method<methods, "hook_callback">;
inline constexpr const auto& user = wire::method<methods, "user">;
inline constexpr const auto& keep_alive = wire::method<methods, "keep_alive">;
inline constexpr const auto& system_init = wire::method<methods, "system">;
inline constexpr const auto& turn_result = wire::method<methods, "result">;
inline constexpr const auto& any_line = wire::method<methods, "">;

}  // namespace parlance::claude
