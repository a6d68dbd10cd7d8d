// SPDX-License-Identifier: Apache-2.0
// Sessions: create, load, list and close; and their settings: mode, model and options. Values; any thread.
#pragma once

#include "parlance/protocol/acp/content.h"

namespace parlance::acp {

struct McpServer {
  std::optional<std::string> type{};
  std::string name{};
  std::optional<std::string> command{};
  std::optional<std::vector<std::string>> args{};
  std::optional<std::vector<NameValue>> env{};
  std::optional<std::string> url{};
  std::optional<std::vector<NameValue>> headers{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&McpServer::type>("type", "Transport of the server: http or sse. Absent: stdio."),
      field<&McpServer::name>("name", "Name of the server."), field<&McpServer::command>("command", "With stdio: the program."),
      field<&McpServer::args>("args", "With stdio: arguments of the program."),
      field<&McpServer::env>("env", "With stdio: additional environment variables."),
      field<&McpServer::url>("url", "With http and sse: address of the server."),
      field<&McpServer::headers>("headers", "With http and sse: headers of each request."), meta_field<&McpServer::meta>());
};

// iFlow's settings of a session. Agents of the standard skip them.
struct IflowSettings {
  std::optional<std::string> permission_mode{};
  std::optional<std::string> system_prompt{};
  std::optional<std::string> append_system_prompt{};
  std::optional<std::int64_t> max_turns{};
  std::optional<std::vector<std::string>> allowed_tools{};
  std::optional<std::vector<std::string>> disallowed_tools{};
  std::optional<std::vector<std::string>> add_dirs{};
  static constexpr auto wire = fields(
      field<&IflowSettings::permission_mode>("permission_mode", "Mode of the session: default, smart, yolo or plan."),
      field<&IflowSettings::system_prompt>("system_prompt", "Instructions in place of the agent's own instructions."),
      field<&IflowSettings::append_system_prompt>("append_system_prompt", "Instructions after the agent's own instructions."),
      field<&IflowSettings::max_turns>("max_turns", "Highest number of model calls for a prompt."),
      field<&IflowSettings::allowed_tools>("allowed_tools", "Names of the allowed tools. All other tools are disabled."),
      field<&IflowSettings::disallowed_tools>("disallowed_tools", "Names of the disabled tools."),
      field<&IflowSettings::add_dirs>("add_dirs", "Additional working folders."));
};

// ---- modes, models and options ----------------------------------------------------------------------------------------------

struct SessionMode {
  std::string id{};
  std::string name{};
  std::optional<std::string> description{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&SessionMode::id>("id", "Id of the mode, for session/set_mode."),
             field<&SessionMode::name>("name", "Name of the mode for people.").or_default(),
             field<&SessionMode::description>("description", "Effect of the mode."), meta_field<&SessionMode::meta>());
};
struct SessionModes {
  std::string current_mode_id{};
  std::vector<SessionMode> available_modes{};
  Raw meta{};
  static constexpr auto wire = fields(field<&SessionModes::current_mode_id>("currentModeId", "Id of the present mode."),
                                      field<&SessionModes::available_modes>("availableModes", "All modes of the session."),
                                      meta_field<&SessionModes::meta>());
};
struct SessionModel {
  std::string model_id{};
  std::string name{};
  std::optional<std::string> description{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&SessionModel::model_id>("modelId", "Id of the model, for session/set_model.").also("id"),
             field<&SessionModel::name>("name", "Name of the model for people.").or_default(),
             field<&SessionModel::description>("description", "Description of the model for people."),
             meta_field<&SessionModel::meta>());
};
struct SessionModels {
  std::string current_model_id{};
  std::vector<SessionModel> available_models{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&SessionModels::current_model_id>("currentModelId", "Id of the present model.").or_default(),
             field<&SessionModels::available_models>("availableModels", "All models of the session.").or_default(),
             meta_field<&SessionModels::meta>());
};

struct ConfigValue {
  std::string value{};
  std::string name{};
  std::optional<std::string> description{};
  Raw meta{};
  static constexpr auto wire = fields(field<&ConfigValue::value>("value", "Value for session/set_config_option."),
                                      field<&ConfigValue::name>("name", "Name of the value for people."),
                                      field<&ConfigValue::description>("description", "Description of the value for people."),
                                      meta_field<&ConfigValue::meta>());
};
// A value, or a group of values: a list contains one of the two kinds only.
struct ConfigChoice {
  std::optional<std::string> value{};
  std::optional<std::string> group{};
  std::string name{};
  std::optional<std::string> description{};
  std::optional<std::vector<ConfigValue>> options{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ConfigChoice::value>("value", "Of a value: value for session/set_config_option."),
             field<&ConfigChoice::group>("group", "Of a group: id of the group."),
             field<&ConfigChoice::name>("name", "Name for people."),
             field<&ConfigChoice::description>("description", "Description for people."),
             field<&ConfigChoice::options>("options", "Of a group: values in the group."), meta_field<&ConfigChoice::meta>());
};
struct ConfigOption {
  std::string id{};
  std::string name{};
  std::optional<std::string> description{};
  std::optional<std::string> category{};
  std::string type{"select"};
  Raw current_value{};
  std::optional<std::vector<ConfigChoice>> options{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ConfigOption::id>("id", "Id of the option, for session/set_config_option."),
             field<&ConfigOption::name>("name", "Name of the option for people."),
             field<&ConfigOption::description>("description", "Description of the option for people."),
             field<&ConfigOption::category>("category",
                                            "Category: mode, model, model_config, thought_level, or a category of the agent."),
             field<&ConfigOption::type>("type", "Type of the option: select or boolean.").or_default(),
             field<&ConfigOption::current_value>("currentValue", "Present value: text for select, true or false for boolean.")
                 .or_default(),
             field<&ConfigOption::options>("options", "Offered values, for the type select."), meta_field<&ConfigOption::meta>());
};

// ---- beginning and resuming --------------------------------------------------------------------------------------------------------

struct NewSession {
  std::string cwd{};
  std::vector<McpServer> mcp_servers{};
  std::optional<std::vector<std::string>> additional_directories{};
  std::optional<IflowSettings> settings{};
  Raw hooks{};
  Raw commands{};
  Raw agents{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&NewSession::cwd>("cwd", "Absolute path of the working folder."),
      field<&NewSession::mcp_servers>("mcpServers", "MCP servers whose tools the agent may use."),
      field<&NewSession::additional_directories>("additionalDirectories", "Additional folders, for agents with this capability."),
      field<&NewSession::settings>("settings", "iFlow: settings of the session."),
      field<&NewSession::hooks>("hooks", "iFlow: commands that run at events.").or_default(),
      field<&NewSession::commands>("commands", "iFlow: additional slash commands.").or_default(),
      field<&NewSession::agents>("agents", "iFlow: additional sub-agents.").or_default(), meta_field<&NewSession::meta>());
};
// The answer to session/new, /load and /resume. The last two have no id, because the client has it.
struct SessionState {
  std::optional<std::string> session_id{};
  std::optional<SessionModes> modes{};
  std::optional<SessionModels> models{};
  std::optional<std::vector<ConfigOption>> config_options{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&SessionState::session_id>("sessionId", "Id of the new session. Always present in the answer to session/new."),
      field<&SessionState::modes>("modes", "Modes of the session. Absent: the agent has no modes."),
      field<&SessionState::models>("models", "Models of the session. Absent: the agent offers models as an option, or none."),
      field<&SessionState::config_options>("configOptions", "Options of the session."), meta_field<&SessionState::meta>());
};
struct LoadSession {
  std::string session_id{};
  std::string cwd{};
  std::vector<McpServer> mcp_servers{};
  std::optional<std::vector<std::string>> additional_directories{};
  std::optional<IflowSettings> settings{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&LoadSession::session_id>("sessionId", "Id of the session."),
             field<&LoadSession::cwd>("cwd", "Absolute path of the working folder."),
             field<&LoadSession::mcp_servers>("mcpServers", "MCP servers, as in session/new. May be absent in session/resume.")
                 .or_default(),
             field<&LoadSession::additional_directories>("additionalDirectories", "Additional folders, as in session/new."),
             field<&LoadSession::settings>("settings", "iFlow: settings, as in session/new."), meta_field<&LoadSession::meta>());
};

// ---- of a session that there is ---------------------------------------------------------------------------------------------------

struct OfSession {
  std::string session_id{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&OfSession::session_id>("sessionId", "Id of the session."), meta_field<&OfSession::meta>());
};
struct ListSessions {
  std::optional<std::string> cwd{};
  std::optional<std::string> cursor{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ListSessions::cwd>("cwd", "Return only sessions of this folder. Absent: all sessions."),
             field<&ListSessions::cursor>("cursor", "The nextCursor of the page before. Absent: the first page."),
             meta_field<&ListSessions::meta>());
};
struct SessionInfo {
  std::string session_id{};
  std::string cwd{};
  std::optional<std::vector<std::string>> additional_directories{};
  std::optional<std::string> title{};
  std::optional<std::string> updated_at{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&SessionInfo::session_id>("sessionId", "Id of the session."),
      field<&SessionInfo::cwd>("cwd", "Absolute path of the working folder.").or_default(),
      field<&SessionInfo::additional_directories>("additionalDirectories", "Additional folders of the session."),
      field<&SessionInfo::title>("title", "Title for people."),
      field<&SessionInfo::updated_at>("updatedAt", "Time of the last change, ISO 8601."), meta_field<&SessionInfo::meta>());
};
struct SessionList {
  std::vector<SessionInfo> sessions{};
  std::optional<std::string> next_cursor{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&SessionList::sessions>("sessions", "Sessions, newest first."),
             field<&SessionList::next_cursor>("nextCursor", "Cursor of the next page. Absent: this is the last page."),
             meta_field<&SessionList::meta>());
};
struct SetMode {
  std::string session_id{};
  std::string mode_id{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&SetMode::session_id>("sessionId", "Id of the session."),
             field<&SetMode::mode_id>("modeId", "Id of one of the session's modes."), meta_field<&SetMode::meta>());
};
struct ModeSet {
  std::optional<bool> success{};
  std::optional<std::string> current_mode_id{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&ModeSet::success>("success", "iFlow: true if the mode changed."),
      field<&ModeSet::current_mode_id>("currentModeId", "iFlow: id of the present mode. iFlow sends no current_mode_update."),
      meta_field<&ModeSet::meta>());
};
struct SetModel {
  std::string session_id{};
  std::string model_id{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&SetModel::session_id>("sessionId", "Id of the session."),
             field<&SetModel::model_id>("modelId", "Id of one of the session's models."), meta_field<&SetModel::meta>());
};
struct ModelSet {
  std::optional<bool> success{};
  std::optional<std::string> current_model_id{};
  Raw meta{};
  static constexpr auto wire = fields(field<&ModelSet::success>("success", "iFlow: true if the model changed."),
                                      field<&ModelSet::current_model_id>("currentModelId", "iFlow: id of the present model."),
                                      meta_field<&ModelSet::meta>());
};
struct SetConfigOption {
  std::string session_id{};
  std::string config_id{};
  std::optional<std::string> type{};
  Raw value{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&SetConfigOption::session_id>("sessionId", "Id of the session."),
             field<&SetConfigOption::config_id>("configId", "Id of the option."),
             field<&SetConfigOption::type>("type", "`boolean`: the value is true or false. Absent: the value is text."),
             field<&SetConfigOption::value>("value", "The new value."), meta_field<&SetConfigOption::meta>());
};
struct ConfigOptions {
  std::vector<ConfigOption> config_options{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ConfigOptions::config_options>(
                 "configOptions", "All options with their present values, because one option may change others."),
             meta_field<&ConfigOptions::meta>());
};

}  // namespace parlance::acp
