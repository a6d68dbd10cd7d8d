// SPDX-License-Identifier: Apache-2.0
// Sessions: begun, taken up again, listed, ended; and what can be chosen in one: its mode, its model, its options. Values; any thread.
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
      field<&McpServer::type>("type", "http, sse; absent: a program on stdio."), field<&McpServer::name>("name", "Its name."),
      field<&McpServer::command>("command", "Of stdio: the program."), field<&McpServer::args>("args", "Of stdio."),
      field<&McpServer::env>("env", "Of stdio: added to its environment."), field<&McpServer::url>("url", "Of http and sse."),
      field<&McpServer::headers>("headers", "Of http and sse."), meta_field<&McpServer::meta>());
};

// iFlow's settings of a session; an agent of the standard passes over them.
struct IflowSettings {
  std::optional<std::string> permission_mode{};
  std::optional<std::string> system_prompt{};
  std::optional<std::string> append_system_prompt{};
  std::optional<std::int64_t> max_turns{};
  std::optional<std::vector<std::string>> allowed_tools{};
  std::optional<std::vector<std::string>> disallowed_tools{};
  std::optional<std::vector<std::string>> add_dirs{};
  static constexpr auto wire = fields(field<&IflowSettings::permission_mode>("permission_mode", "default, smart, yolo, plan."),
                                      field<&IflowSettings::system_prompt>("system_prompt", "In place of the agent's own."),
                                      field<&IflowSettings::append_system_prompt>("append_system_prompt", "Put behind it."),
                                      field<&IflowSettings::max_turns>("max_turns", "Calls of the model for a prompt at most."),
                                      field<&IflowSettings::allowed_tools>("allowed_tools", "No others."),
                                      field<&IflowSettings::disallowed_tools>("disallowed_tools", "All but these."),
                                      field<&IflowSettings::add_dirs>("add_dirs", "More folders that may be worked in."));
};

// ---- what can be chosen ---------------------------------------------------------------------------------------------------------

struct SessionMode {
  std::string id{};
  std::string name{};
  std::optional<std::string> description{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&SessionMode::id>("id", "For set_mode."), field<&SessionMode::name>("name", "For people.").or_default(),
             field<&SessionMode::description>("description", "What it does differently."), meta_field<&SessionMode::meta>());
};
struct SessionModes {
  std::string current_mode_id{};
  std::vector<SessionMode> available_modes{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&SessionModes::current_mode_id>("currentModeId", "The one in force."),
             field<&SessionModes::available_modes>("availableModes", "All of them."), meta_field<&SessionModes::meta>());
};
struct SessionModel {
  std::string model_id{};
  std::string name{};
  std::optional<std::string> description{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&SessionModel::model_id>("modelId", "For set_model.").also("id"),
             field<&SessionModel::name>("name", "For people.").or_default(),
             field<&SessionModel::description>("description", "For people."), meta_field<&SessionModel::meta>());
};
struct SessionModels {
  std::string current_model_id{};
  std::vector<SessionModel> available_models{};
  Raw meta{};
  static constexpr auto wire = fields(field<&SessionModels::current_model_id>("currentModelId", "The one in use.").or_default(),
                                      field<&SessionModels::available_models>("availableModels", "All of them.").or_default(),
                                      meta_field<&SessionModels::meta>());
};

struct ConfigValue {
  std::string value{};
  std::string name{};
  std::optional<std::string> description{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ConfigValue::value>("value", "For set_config_option."), field<&ConfigValue::name>("name", "For people."),
             field<&ConfigValue::description>("description", "For people."), meta_field<&ConfigValue::meta>());
};
// A value, or a group of them: the list holds only the one or only the other.
struct ConfigChoice {
  std::optional<std::string> value{};
  std::optional<std::string> group{};
  std::string name{};
  std::optional<std::string> description{};
  std::optional<std::vector<ConfigValue>> options{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ConfigChoice::value>("value", "Of a value: for set_config_option."),
             field<&ConfigChoice::group>("group", "Of a group: its id."), field<&ConfigChoice::name>("name", "For people."),
             field<&ConfigChoice::description>("description", "For people."),
             field<&ConfigChoice::options>("options", "Of a group: its values."), meta_field<&ConfigChoice::meta>());
};
struct ConfigOption {
  std::string id{};
  std::string name{};
  std::optional<std::string> description{};
  std::optional<std::string> category{};
  std::string type{"select"};
  Raw current_value{};
  std::vector<ConfigChoice> options{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ConfigOption::id>("id", "For set_config_option."), field<&ConfigOption::name>("name", "For people."),
             field<&ConfigOption::description>("description", "For people."),
             field<&ConfigOption::category>("category", "mode, model, model_config, thought_level, or the agent's own."),
             field<&ConfigOption::type>("type", "select or boolean.").or_default(),
             field<&ConfigOption::current_value>("currentValue", "Text of a select, true or false of a boolean.").or_default(),
             field<&ConfigOption::options>("options", "Of a select.").or_default(), meta_field<&ConfigOption::meta>());
};

// ---- beginning and taking up ------------------------------------------------------------------------------------------------------

struct NewSession {
  std::string cwd{};
  std::vector<McpServer> mcp_servers{};
  std::optional<std::vector<std::string>> additional_directories{};
  std::optional<IflowSettings> settings{};
  Raw hooks{};
  Raw commands{};
  Raw agents{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&NewSession::cwd>("cwd", "The folder, an absolute path."),
             field<&NewSession::mcp_servers>("mcpServers", "Servers whose tools the agent is to have."),
             field<&NewSession::additional_directories>("additionalDirectories", "More folders, where the agent can."),
             field<&NewSession::settings>("settings", "iFlow: how the session is to run."),
             field<&NewSession::hooks>("hooks", "iFlow: commands to run at events.").or_default(),
             field<&NewSession::commands>("commands", "iFlow: slash commands to add.").or_default(),
             field<&NewSession::agents>("agents", "iFlow: sub-agents to add.").or_default(), meta_field<&NewSession::meta>());
};
// What session/new, /load and /resume answer; the last two without an id, which the client has.
struct SessionState {
  std::optional<std::string> session_id{};
  std::optional<SessionModes> modes{};
  std::optional<SessionModels> models{};
  std::optional<std::vector<ConfigOption>> config_options{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&SessionState::session_id>("sessionId", "The new session's name; always there in the answer to session/new."),
      field<&SessionState::modes>("modes", "Its modes."),
      field<&SessionState::models>("models", "Its models, of agents that do not make a config option of them."),
      field<&SessionState::config_options>("configOptions", "What else can be chosen."), meta_field<&SessionState::meta>());
};
struct LoadSession {
  std::string session_id{};
  std::string cwd{};
  std::vector<McpServer> mcp_servers{};
  std::optional<std::vector<std::string>> additional_directories{};
  std::optional<IflowSettings> settings{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&LoadSession::session_id>("sessionId", "Which session."),
             field<&LoadSession::cwd>("cwd", "The folder, an absolute path."),
             field<&LoadSession::mcp_servers>("mcpServers", "As in session/new. May be absent in session/resume.").or_default(),
             field<&LoadSession::additional_directories>("additionalDirectories", "As in session/new."),
             field<&LoadSession::settings>("settings", "iFlow: as in session/new."), meta_field<&LoadSession::meta>());
};

// ---- of a session that there is ---------------------------------------------------------------------------------------------------

struct OfSession {
  std::string session_id{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&OfSession::session_id>("sessionId", "Which session."), meta_field<&OfSession::meta>());
};
struct ListSessions {
  std::optional<std::string> cwd{};
  std::optional<std::string> cursor{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ListSessions::cwd>("cwd", "Only those of this folder."),
             field<&ListSessions::cursor>("cursor", "Where the last answer ended."), meta_field<&ListSessions::meta>());
};
struct SessionInfo {
  std::string session_id{};
  std::string cwd{};
  std::optional<std::vector<std::string>> additional_directories{};
  std::optional<std::string> title{};
  std::optional<std::string> updated_at{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&SessionInfo::session_id>("sessionId", "Its name."), field<&SessionInfo::cwd>("cwd", "Its folder.").or_default(),
      field<&SessionInfo::additional_directories>("additionalDirectories", "Its other folders."),
      field<&SessionInfo::title>("title", "For people."), field<&SessionInfo::updated_at>("updatedAt", "ISO 8601."),
      meta_field<&SessionInfo::meta>());
};
struct SessionList {
  std::vector<SessionInfo> sessions{};
  std::optional<std::string> next_cursor{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&SessionList::sessions>("sessions", "The newest first."),
             field<&SessionList::next_cursor>("nextCursor", "There are more: `cursor` of the next request."),
             meta_field<&SessionList::meta>());
};
struct SetMode {
  std::string session_id{};
  std::string mode_id{};
  Raw meta{};
  static constexpr auto wire = fields(field<&SetMode::session_id>("sessionId", "Which session."),
                                      field<&SetMode::mode_id>("modeId", "One of its modes."), meta_field<&SetMode::meta>());
};
struct ModeSet {
  std::optional<bool> success{};
  std::optional<std::string> current_mode_id{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ModeSet::success>("success", "iFlow: whether it was done."),
             field<&ModeSet::current_mode_id>("currentModeId", "iFlow, which sends no current_mode_update: the one in force."),
             meta_field<&ModeSet::meta>());
};
struct SetModel {
  std::string session_id{};
  std::string model_id{};
  Raw meta{};
  static constexpr auto wire = fields(field<&SetModel::session_id>("sessionId", "Which session."),
                                      field<&SetModel::model_id>("modelId", "One of its models."), meta_field<&SetModel::meta>());
};
struct ModelSet {
  std::optional<bool> success{};
  std::optional<std::string> current_model_id{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ModelSet::success>("success", "iFlow: whether it was done."),
             field<&ModelSet::current_model_id>("currentModelId", "iFlow: the one in use."), meta_field<&ModelSet::meta>());
};
struct SetConfigOption {
  std::string session_id{};
  std::string config_id{};
  std::optional<std::string> type{};
  Raw value{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&SetConfigOption::session_id>("sessionId", "Which session."),
             field<&SetConfigOption::config_id>("configId", "Which option."),
             field<&SetConfigOption::type>("type", "boolean: the value is true or false. Absent: it is text."),
             field<&SetConfigOption::value>("value", "What it is to be."), meta_field<&SetConfigOption::meta>());
};
struct ConfigOptions {
  std::vector<ConfigOption> config_options{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ConfigOptions::config_options>("configOptions", "All options: one may change others."),
             meta_field<&ConfigOptions::meta>());
};

}  // namespace parlance::acp
