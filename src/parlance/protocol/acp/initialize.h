// SPDX-License-Identifier: Apache-2.0
// The first request of a connection: who both sides are, which version they speak, what they can do; and how a person signs in.
// What a side does not name it cannot do. Values; any thread.
#pragma once

#include <map>

#include "parlance/protocol/acp/content.h"

namespace parlance::acp {

struct Implementation {
  std::string name{};
  std::optional<std::string> title{};
  std::string version{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&Implementation::name>("name", "For programs."), field<&Implementation::title>("title", "For people."),
             field<&Implementation::version>("version", "Of the program.").or_default(), meta_field<&Implementation::meta>());
};

struct Supported {  // that it is there is what it says
  Raw meta{};
  static constexpr auto wire = fields(meta_field<&Supported::meta>());
};

// ---- what a client can do ---------------------------------------------------------------------------------------------------

struct FileSystemCapabilities {
  bool read_text_file = false;
  bool write_text_file = false;
  Raw meta{};
  static constexpr auto wire =
      fields(field<&FileSystemCapabilities::read_text_file>("readTextFile", "fs/read_text_file is served.").or_default(),
             field<&FileSystemCapabilities::write_text_file>("writeTextFile", "fs/write_text_file is served.").or_default(),
             meta_field<&FileSystemCapabilities::meta>());
};
struct ConfigOptionCapabilities {
  std::optional<Supported> boolean{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ConfigOptionCapabilities::boolean>("boolean", "Options of the type boolean can be shown."),
             meta_field<&ConfigOptionCapabilities::meta>());
};
struct ClientSessionCapabilities {
  std::optional<Supported> compaction{};
  std::optional<ConfigOptionCapabilities> config_options{};
  std::optional<Supported> notices{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ClientSessionCapabilities::compaction>("compaction", "Updates compaction_… are understood."),
             field<&ClientSessionCapabilities::config_options>("configOptions", "Which options can be shown."),
             field<&ClientSessionCapabilities::notices>("notices", "Updates `notice` are understood."),
             meta_field<&ClientSessionCapabilities::meta>());
};
struct AuthCapabilities {
  bool terminal = false;
  Raw meta{};
  static constexpr auto wire =
      fields(field<&AuthCapabilities::terminal>("terminal", "The client can open a terminal to sign in.").or_default(),
             meta_field<&AuthCapabilities::meta>());
};
struct ElicitationCapabilities {
  std::optional<Supported> form{};
  std::optional<Supported> url{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ElicitationCapabilities::form>("form", "Forms can be shown."),
             field<&ElicitationCapabilities::url>("url", "Pages can be opened."), meta_field<&ElicitationCapabilities::meta>());
};
struct ClientCapabilities {
  std::optional<FileSystemCapabilities> fs{};
  bool terminal = false;
  std::optional<ClientSessionCapabilities> session{};
  std::optional<AuthCapabilities> auth{};
  std::optional<ElicitationCapabilities> elicitation{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ClientCapabilities::fs>("fs", "Files of the client."),
             field<&ClientCapabilities::terminal>("terminal", "All of terminal/… is served.").or_default(),
             field<&ClientCapabilities::session>("session", "Updates that not every client knows."),
             field<&ClientCapabilities::auth>("auth", "Ways to sign in."),
             field<&ClientCapabilities::elicitation>("elicitation", "Questions to the person."),
             meta_field<&ClientCapabilities::meta>());
};

// ---- what an agent can do ---------------------------------------------------------------------------------------------------

struct PromptCapabilities {
  bool image = false;
  bool audio = false;
  bool embedded_context = false;
  Raw meta{};
  static constexpr auto wire =
      fields(field<&PromptCapabilities::image>("image", "Prompts may hold images.").or_default(),
             field<&PromptCapabilities::audio>("audio", "Prompts may hold sound.").or_default(),
             field<&PromptCapabilities::embedded_context>("embeddedContext", "Prompts may hold resources.").or_default(),
             meta_field<&PromptCapabilities::meta>());
};
struct McpCapabilities {
  bool http = false;
  bool sse = false;
  Raw meta{};
  static constexpr auto wire = fields(field<&McpCapabilities::http>("http", "MCP servers over HTTP.").or_default(),
                                      field<&McpCapabilities::sse>("sse", "MCP servers over HTTP+SSE.").or_default(),
                                      meta_field<&McpCapabilities::meta>());
};
struct SessionCapabilities {
  std::optional<Supported> list{};
  std::optional<Supported> remove{};
  std::optional<Supported> additional_directories{};
  std::optional<Supported> resume{};
  std::optional<Supported> close{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&SessionCapabilities::list>("list", "session/list is served."),
      field<&SessionCapabilities::remove>("delete", "session/delete is served."),
      field<&SessionCapabilities::additional_directories>("additionalDirectories", "A session may have more folders than one."),
      field<&SessionCapabilities::resume>("resume", "session/resume is served."),
      field<&SessionCapabilities::close>("close", "session/close is served."), meta_field<&SessionCapabilities::meta>());
};
struct AgentAuthCapabilities {
  std::optional<Supported> logout{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&AgentAuthCapabilities::logout>("logout", "logout is served."), meta_field<&AgentAuthCapabilities::meta>());
};
struct AgentCapabilities {
  bool load_session = false;
  std::optional<PromptCapabilities> prompt{};
  std::optional<McpCapabilities> mcp{};
  std::optional<SessionCapabilities> session{};
  std::optional<AgentAuthCapabilities> auth{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&AgentCapabilities::load_session>("loadSession", "session/load is served.").or_default(),
      field<&AgentCapabilities::prompt>("promptCapabilities", "What prompts may hold besides text and links."),
      field<&AgentCapabilities::mcp>("mcpCapabilities", "MCP servers that it reaches besides those on stdio."),
      field<&AgentCapabilities::session>("sessionCapabilities", "What can be done with sessions."),
      field<&AgentCapabilities::auth>("auth", "What can be done with the account."), meta_field<&AgentCapabilities::meta>());
};

// ---- the request ---------------------------------------------------------------------------------------------------------------

struct InitializeParams {
  std::int64_t protocol_version = 0;
  std::optional<ClientCapabilities> capabilities{};
  std::optional<Implementation> client{};
  Raw mcp_servers{};
  Raw hooks{};
  Raw commands{};
  Raw agents{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&InitializeParams::protocol_version>("protocolVersion", "The highest that the client speaks: 1."),
             field<&InitializeParams::capabilities>("clientCapabilities", "What the client can do."),
             field<&InitializeParams::client>("clientInfo", "Who it is."),
             field<&InitializeParams::mcp_servers>("mcpServers", "iFlow: as in session/new.").or_default(),
             field<&InitializeParams::hooks>("hooks", "iFlow: commands to run at events.").or_default(),
             field<&InitializeParams::commands>("commands", "iFlow: slash commands to add.").or_default(),
             field<&InitializeParams::agents>("agents", "iFlow: sub-agents to add.").or_default(),
             meta_field<&InitializeParams::meta>());
};
struct AuthMethod {
  std::string id{};
  std::string name{};
  std::optional<std::string> description{};
  std::optional<std::string> type{};
  std::vector<std::string> args{};
  std::map<std::string, std::string> env{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&AuthMethod::id>("id", "For authenticate."), field<&AuthMethod::name>("name", "For people."),
             field<&AuthMethod::description>("description", "For people."),
             field<&AuthMethod::type>("type",
                                      "terminal: the agent's program is run in a terminal, and no authenticate sent. Absent: "
                                      "the agent does it."),
             field<&AuthMethod::args>("args", "Of type terminal: put behind the agent's command.").or_default(),
             field<&AuthMethod::env>("env", "Of type terminal: added to its environment.").or_default(),
             meta_field<&AuthMethod::meta>());
};
struct InitializeResult {
  std::int64_t protocol_version = 0;
  std::optional<AgentCapabilities> capabilities{};
  std::vector<AuthMethod> auth_methods{};
  std::optional<Implementation> agent{};
  std::optional<bool> is_authenticated{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&InitializeResult::protocol_version>("protocolVersion", "The same, or the highest that the agent speaks."),
      field<&InitializeResult::capabilities>("agentCapabilities", "What the agent can do."),
      field<&InitializeResult::auth_methods>("authMethods", "Ways to sign in.").or_default(),
      field<&InitializeResult::agent>("agentInfo", "Who it is."),
      field<&InitializeResult::is_authenticated>("isAuthenticated", "iFlow: false asks for authenticate before anything else."),
      meta_field<&InitializeResult::meta>());
};

// ---- signing in --------------------------------------------------------------------------------------------------------------

struct AuthMethodInfo {
  std::optional<std::string> api_key{};
  std::optional<std::string> base_url{};
  std::optional<std::string> model_name{};
  static constexpr auto wire = fields(field<&AuthMethodInfo::api_key>("apiKey", "Secret."),
                                      field<&AuthMethodInfo::base_url>("baseUrl", "Of the model's service."),
                                      field<&AuthMethodInfo::model_name>("modelName", "Which model."));
};
struct Authenticate {
  std::string method_id{};
  std::optional<AuthMethodInfo> method_info{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&Authenticate::method_id>("methodId", "One of authMethods."),
             field<&Authenticate::method_info>("methodInfo", "iFlow: what it signs in with."), meta_field<&Authenticate::meta>());
};
struct Authenticated {
  std::optional<std::string> method_id{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&Authenticated::method_id>("methodId", "iFlow: the one that was used."), meta_field<&Authenticated::meta>());
};
struct Logout {
  Raw meta{};
  static constexpr auto wire = fields(meta_field<&Logout::meta>());
};

}  // namespace parlance::acp
