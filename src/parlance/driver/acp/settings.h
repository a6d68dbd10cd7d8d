// SPDX-License-Identifier: Apache-2.0
// The settings of an ACP agent: name, connection, capabilities. A value.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parlance/adapter/acp/plan_mode.h"
#include "parlance/adapter/acp/prompt.h"
#include "parlance/driver/acp/agent_modes.h"
#include "parlance/driver/acp/limits.h"
#include "parlance/protocol/acp/client.h"
#include "parlance/toolbox/mcp/tools_via_mcp.h"

namespace parlance::hub {
struct AgentInfo;
}

namespace parlance::driver {

// A found program: its command line, and its description for people.
struct AcpProgram {
  std::vector<std::string> command{};
  std::string detail{};
};

// An agent's program on a port. Ends with `stop`, or with the value.
struct ListeningAgent {
  std::function<Task<Result<std::unique_ptr<Frames>>>()> connect{};
  std::function<Task<void>()> stop{};
};

// The runner of a remote agent, with its account.
struct AcpRunner {
  std::string name{};                      // the runner's
  std::function<std::string()> account{};  // USER@HOST, current
};

struct AcpAgentSettings {
  std::string id = "acp";
  std::string name = "ACP agent";
  std::vector<std::string> command{};  // a program with ACP on stdio …
  // Finds the complete command on this machine; `refresh`: ignores earlier results. Error: not_found, with the remedy. Empty: use
  // `command` unchanged.
  std::function<Task<Result<AcpProgram>>(bool refresh)> find{};
  // Starts the program on a port, for programs without stdio support. Empty: not supported.
  std::function<Task<Result<ListeningAgent>>(std::string folder)> start_listening{};
  // Called before each prompt: writes the agent's settings file, with the model ("": unchanged). Returns a message for the
  // person, or an empty text.
  std::function<std::string(const std::string& model)> write_settings{};
  std::string url{};      // … or ws://, wss://, http://, https://: address of a running agent
  std::string running{};  // … or the address of a possibly running agent: the command starts only if the address does not answer
  std::string token{};    // for this address, sent as a Bearer token
  std::function<Task<Result<std::unique_ptr<Frames>>>()> connect{};  // … or custom frames, for tests and embedding programs
  acp::Flavour flavour = acp::Flavour::standard;
  // Added to this process's environment, which is inherited without secrets.
  std::vector<std::pair<std::string, std::string>> environment{};
  std::optional<acp::Authenticate> sign_in{};  // the authentication method, if required
  // The MCP servers for the agent's tools; called at each begin or resume of a session.
  std::function<std::vector<toolbox::McpServerSettings>()> mcp_servers{};
  std::chrono::milliseconds timeout = limits::acp_prompt_timeout;       // of all requests except prompts
  std::chrono::milliseconds history_quiet = limits::acp_history_quiet;  // after session/load, for history after the reply
  std::size_t prompt_file_bytes = adapter::prompt_file_bytes;           // per file sent as text
  bool files = true;                                                    // the agent may request files …
  bool terminals = true;                                                // … and for terminals
  adapter::Language language = adapter::Language::english;              // of instructions about plan mode
  std::optional<AcpRunner> runner{};                                    // none: on this machine
  AgentModes modes{};                                                   // its asking and planning modes; empty: found by name
  std::string session_meta{};                                           // `_meta` of its sessions, as JSON; empty: none
  std::string version = "0";                                            // version of this program, sent to the agent
  std::string install{};                                                // instruction for a missing program
  std::function<void(const hub::AgentInfo&)> changed{};                 // for Hub::agent_changed
};

// The error of a missing program, with the remedy.
Error no_acp_agent(const AcpAgentSettings& settings);

}  // namespace parlance::driver
