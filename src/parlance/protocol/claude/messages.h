// SPDX-License-Identifier: Apache-2.0
// Messages between Claude Code and its host: control requests in both directions, and the stream messages that we parse. All
// other messages pass unchanged (StreamLine in stream.h).
//
// Names are those of the wire: envelopes are snake_case, permission answers and rules camelCase. Decorative members are Raw,
// because a request must be answered even if their type changes.
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
      field<&HookMatcher::matcher>("matcher", "Regular expression for the name of the tool. Absent: every tool matches."),
      field<&HookMatcher::callback_ids>("hookCallbackIds", "Ids of the host's callbacks."),
      field<&HookMatcher::timeout>("timeout", "Time limit of each callback in seconds."),
      field<&HookMatcher::on_failure>(
          "onFailure", "Effect of a failed callback: continue or block. Only 2.1.329 and later; older versions continue."));
};

struct Initialize {
  // Null and absent mean none; a received value stays unchanged.
  wire::Nullable<std::map<std::string, std::vector<HookMatcher>>> hooks{};
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
  wire::Raw received{};  // All members of a received request, also those of newer hosts.
  static constexpr auto wire = fields(
      field<&Initialize::hooks>("hooks", "Hooks by event: PreToolUse, PostToolUse, UserPromptSubmit, Stop and others."),
      field<&Initialize::sdk_mcp_servers>("sdkMcpServers", "Names of MCP servers inside the host, reached by mcp_message."),
      field<&Initialize::sdk_mcp_manifests>("sdkMcpServerManifests", "Results of initialize and tools/list of these servers.")
          .or_default(),
      field<&Initialize::sdk_mcp_server_configs>("sdkMcpServerConfigs",
                                                 "Time limits and permissions of the tools of these servers.")
          .or_default(),
      field<&Initialize::mcp_servers>("mcpServers",
                                      "MCP servers, in place of --mcp-config. Other users of the machine cannot read them here.")
          .or_default(),
      field<&Initialize::disallowed_tools>("disallowedTools", "Disabled tools, in place of --disallowedTools."),
      field<&Initialize::system_prompt>("systemPrompt", "Text, or a list of texts, in place of the agent's system prompt.")
          .or_default(),
      field<&Initialize::append_system_prompt>("appendSystemPrompt", "Text after the system prompt."),
      field<&Initialize::system_prompt_snapshot>(
          "systemPromptSnapshot",
          "Absent or true: the system prompt of the first prompt applies to the whole session. Only 2.1.329 and later."),
      field<&Initialize::agents>("agents", "Sub-agents by name.").or_default(),
      field<&Initialize::json_schema>("jsonSchema", "JSON Schema of a structured result.").or_default(),
      field<&Initialize::skills>("skills", "Skills that the agent may use.").or_default(),
      field<&Initialize::plugins>("plugins", "Plugins, in place of --plugin-dir.").or_default(),
      field<&Initialize::tool_aliases>("toolAliases", "Tools that replace tools of the agent.").or_default(),
      field<&Initialize::plan_mode_instructions>("planModeInstructions",
                                                 "Instructions in place of the agent's instructions for plan mode.")
          .or_default(),
      field<&Initialize::append_subagent_system_prompt>("appendSubagentSystemPrompt",
                                                        "Text after the system prompts of sub-agents.")
          .or_default(),
      field<&Initialize::exclude_dynamic_sections>("excludeDynamicSections",
                                                   "True: the system prompt contains no data of the machine.")
          .or_default(),
      field<&Initialize::forward_subagent_text>("forwardSubagentText", "True: the agent also sends the text of sub-agents.")
          .or_default(),
      field<&Initialize::prompt_suggestions>("promptSuggestions", "True: the agent also sends proposals for the next prompt.")
          .or_default(),
      field<&Initialize::agent_progress_summaries>("agentProgressSummaries",
                                                   "True: the agent also sends the progress of sub-agents.")
          .or_default(),
      field<&Initialize::title>("title", "Title of the session for people.").or_default(),
      field<&Initialize::settings>("settings", "Settings, in place of --settings.").or_default(),
      field<&Initialize::managed_settings>("managedSettings", "Settings that the person cannot change.").or_default());
};

struct ModelInfo {
  std::string value{};
  wire::Raw display_name{};
  static constexpr auto wire =
      fields(field<&ModelInfo::value>("value", "Id of the model, for set_model."),
             field<&ModelInfo::display_name>("displayName", "Name of the model for people.").or_default());
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
      field<&Initialized::commands>("commands", "Available slash commands.").or_default(),
      field<&Initialized::agents>("agents", "Sub-agents that the agent can start.").or_default(),
      field<&Initialized::output_style>("output_style", "Present output style."),
      field<&Initialized::output_styles>("available_output_styles", "Available output styles.").or_default(),
      field<&Initialized::models>("models", "Models that set_model accepts.").or_default(),
      field<&Initialized::account>("account", "Account of the user.").or_default(),
      field<&Initialized::pid>("pid", "Process id of the agent."),
      field<&Initialized::hook_on_failure>("hook_on_failure_supported", "True: the agent supports onFailure of hooks."),
      field<&Initialized::mcp_servers_applied>("mcp_servers_applied", "True: the agent uses the mcpServers of the request."),
      field<&Initialized::disallowed_tools_applied>("disallowed_tools_applied",
                                                    "True: the agent uses the disallowedTools of the request."));
};

struct SetPermissionMode {
  std::string mode{};
  static constexpr auto wire = fields(field<&SetPermissionMode::mode>(
      "mode", "New mode: default, acceptEdits, plan or bypassPermissions. Newer agents also have dontAsk and auto."));
};
struct ModeReply {
  std::string mode{};
  static constexpr auto wire = fields(field<&ModeReply::mode>("mode", "The present mode.").or_default());
};
struct SetModel {
  wire::Nullable<std::string> model{};  // Null and absent mean the default; a received value passes unchanged.
  static constexpr auto wire =
      fields(field<&SetModel::model>("model", "Id of the model. Absent, null or default: the agent's own choice."));
};
struct SetMaxThinkingTokens {
  wire::Nullable<std::int64_t> tokens{.state = wire::Nullable<std::int64_t>::State::null};  // Null: no limit of ours.
  static constexpr auto wire = fields(field<&SetMaxThinkingTokens::tokens>(
      "max_thinking_tokens", "Highest number of thinking tokens. Null: the agent's own choice; 0: no thinking."));
};
struct Interrupted {
  std::optional<std::vector<std::string>> still_queued{};
  static constexpr auto wire =
      fields(field<&Interrupted::still_queued>("still_queued", "User messages that still wait. Only 2.1.329 and later."));
};
struct McpStatus {
  wire::Raw servers{};
  static constexpr auto wire =
      fields(field<&McpStatus::servers>("mcpServers", "Name and state of each MCP server.").or_default());
};
struct RewindFiles {
  std::string user_message_id{};
  std::optional<bool> dry_run{};
  static constexpr auto wire = fields(field<&RewindFiles::user_message_id>("user_message_id", "Id of the message to rewind to."),
                                      field<&RewindFiles::dry_run>("dry_run", "True: report the changes without making them."));
};
struct StopTask {
  std::string task_id{};
  static constexpr auto wire = fields(field<&StopTask::task_id>("task_id", "Id of the background task."));
};

// ---- both ways ---------------------------------------------------------------------------------------------------------

struct McpMessage {
  std::string server_name{};
  wire::Raw message{};
  wire::Raw received{};  // All members of a received request.
  static constexpr auto wire = fields(field<&McpMessage::server_name>("server_name", "Name of one of the sdkMcpServers."),
                                      field<&McpMessage::message>("message", "A JSON-RPC message."));
};
struct McpReply {
  wire::Raw response{};
  static constexpr auto wire =
      fields(field<&McpReply::response>("mcp_response", "The JSON-RPC answer. Empty for a notification.").or_default());
};

// ---- agent -> host -----------------------------------------------------------------------------------------------------

struct CanUseTool {
  std::string tool_name{};
  wire::Raw input{};
  wire::Raw suggestions{};
  wire::Raw blocked_path{};
  wire::Raw blocked_paths{};
  wire::Raw decision_reason{};
  wire::Raw decision_reason_type{};
  std::optional<std::string> tool_use_id{};
  wire::Raw agent_id{};
  wire::Raw display_name{};
  wire::Raw description{};
  wire::Raw title{};
  static constexpr auto wire = fields(
      field<&CanUseTool::tool_name>("tool_name", "Name of the tool. Tools of MCP servers are named mcp__SERVER__TOOL."),
      field<&CanUseTool::display_name>("display_name", "Name of the tool for people.").or_default(),
      field<&CanUseTool::input>("input", "Input of the tool."),
      field<&CanUseTool::description>("description", "Purpose of the call.").or_default(),
      field<&CanUseTool::title>("title", "Purpose of the call in one line.").or_default(),
      field<&CanUseTool::suggestions>("permission_suggestions", "Suggested rules that would answer later requests of this kind.")
          .or_default(),
      field<&CanUseTool::blocked_path>("blocked_path", "Path outside of the allowed folders. Absent: no such path.").or_default(),
      field<&CanUseTool::blocked_paths>("blocked_paths", "List of such paths, in requests of earlier versions.").or_default(),
      field<&CanUseTool::decision_reason>("decision_reason", "Reason of the request, for people.").or_default(),
      field<&CanUseTool::decision_reason_type>("decision_reason_type", "Reason of the request, for programs.").or_default(),
      field<&CanUseTool::tool_use_id>("tool_use_id", "Id of the call in the stream."),
      field<&CanUseTool::agent_id>("agent_id", "Id of the sub-agent that asks. Absent: the main agent.").or_default());
};

struct Deny {
  static constexpr std::string_view tag = "deny";
  std::string message{};  // Always sent, for the same reason.
  std::optional<bool> interrupt{};
  std::optional<std::string> tool_use_id{};
  static constexpr auto wire = fields(field<&Deny::message>("message", "Reason of the refusal, for the model.").or_default(),
                                      field<&Deny::interrupt>("interrupt", "True: the turn ends too."),
                                      field<&Deny::tool_use_id>("toolUseID", "Id of the call, as in the request."));
};
struct Allow {
  static constexpr std::string_view tag = "allow";
  wire::Raw updated_input{};        // Always sent: 2.0.76 and 2.1.112 refuse the tool without it.
  wire::Raw updated_permissions{};  // A list of PermissionUpdate: suggestions, or our own.
  std::optional<std::string> tool_use_id{};
  static constexpr auto wire =
      fields(field<&Allow::updated_input>("updatedInput", "Input for the tool. Equal to the input of the request if unchanged.")
                 .or_default(),
             field<&Allow::updated_permissions>("updatedPermissions", "Rules and modes to apply from now on.").or_default(),
             field<&Allow::tool_use_id>("toolUseID", "Id of the call, as in the request."));
};
// Deny comes first, so that an unset result refuses.
using PermissionResult = wire::Tagged<"behavior", Deny, Allow>;

struct PermissionRule {
  std::string tool_name{};
  std::optional<std::string> content{};
  static constexpr auto wire =
      fields(field<&PermissionRule::tool_name>("toolName", "Name of the tool."),
             field<&PermissionRule::content>(
                 "ruleContent", "Part of the tool's use that the rule covers, in the agent's syntax. Absent: every use."));
};
// Unknown kinds of updates pass unchanged as Raw. These are the parsed members of known kinds.
struct PermissionUpdate {
  std::string type{};
  std::vector<PermissionRule> rules{};
  std::optional<std::string> behavior{};
  std::optional<std::string> mode{};
  std::vector<std::string> directories{};
  std::optional<std::string> destination{};
  static constexpr auto wire =
      fields(field<&PermissionUpdate::type>(
                 "type", "Kind of the update: addRules, replaceRules, removeRules, setMode, addDirectories and others."),
             field<&PermissionUpdate::rules>("rules", "With a rule update: the rules.").or_default(),
             field<&PermissionUpdate::behavior>("behavior", "With a rule update: allow, deny or ask."),
             field<&PermissionUpdate::mode>("mode", "With setMode: the new mode."),
             field<&PermissionUpdate::directories>("directories", "With a directory update: the folders.").or_default(),
             field<&PermissionUpdate::destination>(
                 "destination", "Place of the update: userSettings, projectSettings, localSettings, session or cliArg."));
};

struct HookCallback {
  std::string callback_id{};
  wire::Raw input{};
  std::optional<std::string> tool_use_id{};
  wire::Raw received{};  // All members of a received callback.
  static constexpr auto wire = fields(
      field<&HookCallback::callback_id>("callback_id", "Id of the callback from initialize."),
      field<&HookCallback::input>("input", "Input of the hook: session_id, cwd, hook_event_name and the members of the event.")
          .or_default(),
      field<&HookCallback::tool_use_id>("tool_use_id", "Id of the tool call. Absent: the event concerns no call."));
};

// ---- requests in both directions, and the messages of the stream -----------------------------------------------------------------------

inline constexpr auto methods = wire::methods(
    wire::call<Initialize, Initialized>("initialize", "Starts the session with hooks and MCP servers of the host. Sent once."),
    wire::call<SetPermissionMode, ModeReply>("set_permission_mode", "Changes the permission mode.").or_no_body(),
    wire::call<SetModel, wire::Raw>("set_model", "Changes the model of later turns."),
    wire::call<SetMaxThinkingTokens, wire::Raw>("set_max_thinking_tokens", "Changes the limit of thinking tokens."),
    wire::call<wire::Nothing, Interrupted>("interrupt", "Interrupts the running turn.").or_no_body(),
    wire::call<wire::Nothing, McpStatus>("mcp_status", "Returns the states of the MCP servers."),
    wire::call<McpMessage, McpReply>("mcp_message", "Carries a message of an MCP server inside the host.").or_no_body(),
    wire::call<RewindFiles, wire::Raw>("rewind_files", "Restores files to their state at an earlier message."),
    wire::call<StopTask, wire::Raw>("stop_task", "Stops a background task."),
    wire::call<CanUseTool, PermissionResult>("can_use_tool", "Asks for permission to run a tool call."),
    wire::call<HookCallback, wire::Raw>("hook_callback", "Runs a hook of the host and returns its output."),
    wire::notice<UserMessage>("user", "From the host: a prompt. From the agent: results of tools."),
    wire::notice<wire::Nothing>("keep_alive", "Has no effect."),
    wire::notice<SystemInit>("system", "From the agent: reports its state and capabilities at the start of each turn."),
    wire::notice<TurnResult>("result", "From the agent: reports the end of a turn."),
    wire::notice<wire::Raw>("", "Any other message of the stream: a whole unchanged line."));

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
