// SPDX-License-Identifier: Apache-2.0
// The first request of a connection: names, protocol version and capabilities of both sides, and the ways to sign in. An
// unnamed capability is absent. Values; any thread.
#pragma once

#include <map>

#include "parlance/protocol/acp/content.h"

namespace parlance::acp {

struct Implementation {
  std::string name{};
  std::optional<std::string> title{};
  std::string version{};
  Raw meta{};
  static constexpr auto wire = fields(field<&Implementation::name>("name", "Name of the program, for programs."),
                                      field<&Implementation::title>("title", "Title of the program, for people."),
                                      field<&Implementation::version>("version", "Version of the program.").or_default(),
                                      meta_field<&Implementation::meta>());
};

struct Supported {  // Its presence is the whole content.
  Raw meta{};
  static constexpr auto wire = fields(meta_field<&Supported::meta>());
};

// ---- capabilities of a client -----------------------------------------------------------------------------------------------

struct FileSystemCapabilities {
  bool read_text_file = false;
  bool write_text_file = false;
  Raw meta{};
  static constexpr auto wire = fields(
      field<&FileSystemCapabilities::read_text_file>("readTextFile", "True: the client serves fs/read_text_file.").or_default(),
      field<&FileSystemCapabilities::write_text_file>("writeTextFile", "True: the client serves fs/write_text_file.")
          .or_default(),
      meta_field<&FileSystemCapabilities::meta>());
};
struct ConfigOptionCapabilities {
  std::optional<Supported> boolean{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ConfigOptionCapabilities::boolean>("boolean", "Present: the client can show options of the type boolean."),
             meta_field<&ConfigOptionCapabilities::meta>());
};
struct ClientSessionCapabilities {
  std::optional<Supported> compaction{};
  std::optional<ConfigOptionCapabilities> config_options{};
  std::optional<Supported> notices{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&ClientSessionCapabilities::compaction>("compaction", "Present: the client understands updates about compaction."),
      field<&ClientSessionCapabilities::config_options>("configOptions", "Kinds of options that the client can show."),
      field<&ClientSessionCapabilities::notices>("notices", "Present: the client understands updates of the kind `notice`."),
      meta_field<&ClientSessionCapabilities::meta>());
};
struct AuthCapabilities {
  bool terminal = false;
  Raw meta{};
  static constexpr auto wire =
      fields(field<&AuthCapabilities::terminal>("terminal", "True: the client can open a terminal for a login.").or_default(),
             meta_field<&AuthCapabilities::meta>());
};
struct ElicitationCapabilities {
  std::optional<Supported> form{};
  std::optional<Supported> url{};
  Raw meta{};
  static constexpr auto wire = fields(field<&ElicitationCapabilities::form>("form", "Present: the client can show forms."),
                                      field<&ElicitationCapabilities::url>("url", "Present: the client can open pages."),
                                      meta_field<&ElicitationCapabilities::meta>());
};
struct ClientCapabilities {
  std::optional<FileSystemCapabilities> fs{};
  bool terminal = false;
  std::optional<ClientSessionCapabilities> session{};
  std::optional<AuthCapabilities> auth{};
  std::optional<ElicitationCapabilities> elicitation{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ClientCapabilities::fs>("fs", "File methods of the client."),
             field<&ClientCapabilities::terminal>("terminal", "True: the client serves all methods terminal/….").or_default(),
             field<&ClientCapabilities::session>("session", "Optional session updates that the client understands."),
             field<&ClientCapabilities::auth>("auth", "Login methods that the client supports."),
             field<&ClientCapabilities::elicitation>("elicitation", "Questions that the client can show to the person."),
             meta_field<&ClientCapabilities::meta>());
};

// ---- capabilities of an agent -----------------------------------------------------------------------------------------------

struct PromptCapabilities {
  bool image = false;
  bool audio = false;
  bool embedded_context = false;
  Raw meta{};
  static constexpr auto wire =
      fields(field<&PromptCapabilities::image>("image", "True: prompts may contain images.").or_default(),
             field<&PromptCapabilities::audio>("audio", "True: prompts may contain audio.").or_default(),
             field<&PromptCapabilities::embedded_context>("embeddedContext", "True: prompts may contain embedded resources.")
                 .or_default(),
             meta_field<&PromptCapabilities::meta>());
};
struct McpCapabilities {
  bool http = false;
  bool sse = false;
  Raw meta{};
  static constexpr auto wire =
      fields(field<&McpCapabilities::http>("http", "True: the agent connects to MCP servers over HTTP.").or_default(),
             field<&McpCapabilities::sse>("sse", "True: the agent connects to MCP servers over HTTP with SSE.").or_default(),
             meta_field<&McpCapabilities::meta>());
};
struct SessionCapabilities {
  std::optional<Supported> list{};
  std::optional<Supported> remove{};
  std::optional<Supported> additional_directories{};
  std::optional<Supported> resume{};
  std::optional<Supported> close{};
  Raw meta{};
  static constexpr auto wire = fields(field<&SessionCapabilities::list>("list", "Present: the agent serves session/list."),
                                      field<&SessionCapabilities::remove>("delete", "Present: the agent serves session/delete."),
                                      field<&SessionCapabilities::additional_directories>(
                                          "additionalDirectories", "Present: a session may have additional folders."),
                                      field<&SessionCapabilities::resume>("resume", "Present: the agent serves session/resume."),
                                      field<&SessionCapabilities::close>("close", "Present: the agent serves session/close."),
                                      meta_field<&SessionCapabilities::meta>());
};
struct AgentAuthCapabilities {
  std::optional<Supported> logout{};
  Raw meta{};
  static constexpr auto wire = fields(field<&AgentAuthCapabilities::logout>("logout", "Present: the agent serves logout."),
                                      meta_field<&AgentAuthCapabilities::meta>());
};
struct AgentCapabilities {
  bool load_session = false;
  std::optional<PromptCapabilities> prompt{};
  std::optional<McpCapabilities> mcp{};
  std::optional<SessionCapabilities> session{};
  std::optional<AgentAuthCapabilities> auth{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&AgentCapabilities::load_session>("loadSession", "True: the agent serves session/load.").or_default(),
      field<&AgentCapabilities::prompt>("promptCapabilities", "Content of prompts in addition to text and links."),
      field<&AgentCapabilities::mcp>("mcpCapabilities", "Transports of MCP servers in addition to stdio."),
      field<&AgentCapabilities::session>("sessionCapabilities", "Optional session methods of the agent."),
      field<&AgentCapabilities::auth>("auth", "Optional account methods of the agent."), meta_field<&AgentCapabilities::meta>());
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
      fields(field<&InitializeParams::protocol_version>("protocolVersion", "Highest protocol version of the client: 1."),
             field<&InitializeParams::capabilities>("clientCapabilities", "Capabilities of the client."),
             field<&InitializeParams::client>("clientInfo", "Name and version of the client."),
             field<&InitializeParams::mcp_servers>("mcpServers", "iFlow: MCP servers, as in session/new.").or_default(),
             field<&InitializeParams::hooks>("hooks", "iFlow: commands that run at events.").or_default(),
             field<&InitializeParams::commands>("commands", "iFlow: additional slash commands.").or_default(),
             field<&InitializeParams::agents>("agents", "iFlow: additional sub-agents.").or_default(),
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
  static constexpr auto wire = fields(
      field<&AuthMethod::id>("id", "Id of the method, for authenticate."),
      field<&AuthMethod::name>("name", "Name of the method for people."),
      field<&AuthMethod::description>("description", "Description of the method for people."),
      field<&AuthMethod::type>("type",
                               "`terminal`: the client runs the agent's program in a terminal and sends no authenticate. Absent: "
                               "the agent performs the login."),
      field<&AuthMethod::args>("args", "With type terminal: arguments after the agent's command.").or_default(),
      field<&AuthMethod::env>("env", "With type terminal: additional environment variables.").or_default(),
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
      field<&InitializeResult::protocol_version>(
          "protocolVersion", "Protocol version of the connection: the requested version, or the highest version of the agent."),
      field<&InitializeResult::capabilities>("agentCapabilities", "Capabilities of the agent."),
      field<&InitializeResult::auth_methods>("authMethods", "Offered login methods. Empty: no login is possible.").or_default(),
      field<&InitializeResult::agent>("agentInfo", "Name and version of the agent."),
      field<&InitializeResult::is_authenticated>("isAuthenticated",
                                                 "iFlow: false requires authenticate before any other request."),
      meta_field<&InitializeResult::meta>());
};

// ---- signing in --------------------------------------------------------------------------------------------------------------

struct AuthMethodInfo {
  std::optional<std::string> api_key{};
  std::optional<std::string> base_url{};
  std::optional<std::string> model_name{};
  static constexpr auto wire = fields(field<&AuthMethodInfo::api_key>("apiKey", "API key. Secret."),
                                      field<&AuthMethodInfo::base_url>("baseUrl", "Address of the model's service."),
                                      field<&AuthMethodInfo::model_name>("modelName", "Name of the model."));
};
struct Authenticate {
  std::string method_id{};
  std::optional<AuthMethodInfo> method_info{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&Authenticate::method_id>("methodId", "Id of one of the offered authMethods."),
             field<&Authenticate::method_info>("methodInfo", "iFlow: data for the login."), meta_field<&Authenticate::meta>());
};
struct Authenticated {
  std::optional<std::string> method_id{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&Authenticated::method_id>("methodId", "iFlow: id of the used method."), meta_field<&Authenticated::meta>());
};
struct Logout {
  Raw meta{};
  static constexpr auto wire = fields(meta_field<&Logout::meta>());
};

}  // namespace parlance::acp
