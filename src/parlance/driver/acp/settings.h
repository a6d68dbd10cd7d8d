// SPDX-License-Identifier: Apache-2.0
// An agent that speaks ACP, as an agent of the hub: what it is called, how it is reached, what it may have. A value.
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
#include "parlance/hub/conversation/conversation.h"
#include "parlance/protocol/acp/client.h"
#include "parlance/toolbox/mcp/tools_via_mcp.h"

namespace parlance::driver {

// A program as it was found: all words of its command line, and what a person is told of it.
struct AcpProgram {
  std::vector<std::string> command{};
  std::string detail{};
};

// The machine of a runner, where an agent works as one of its users.
struct AcpPlace {
  std::string name{};                      // the runner's
  std::function<std::string()> account{};  // USER@HOST, as it is now
};

class GatewaySide;  // gateway_side.h

struct AcpAgentSettings {
  std::string id = "acp";
  std::string name = "ACP agent";
  std::vector<std::string> command{};  // a program that speaks on stdio …
  // How that is started on this machine, where it takes more than its name; `anew`: what was found earlier is forgotten. Error: not_found, with
  // what to do. Empty: `command` as it stands.
  std::function<Task<Result<AcpProgram>>(bool anew)> find{};
  // Asked before each prompt: writes down what the agent reads elsewhere than from us, the model ("": as it is) among it. What comes back is
  // told to the person, if anything.
  std::function<std::string(const std::string& model)> write_settings{};
  std::string url{};      // … or ws://, wss://, http://, https://: one that runs already
  std::string running{};  // … or where one may run already: the command is only started where nobody answers
  std::string token{};    // of that address, sent as a Bearer
  std::function<Task<Result<std::unique_ptr<Frames>>>()>
      connect{};  // … or whatever frames are given, for tests and programs of one's own
  acp::Flavour flavour = acp::Flavour::standard;
  std::vector<std::pair<std::string, std::string>> environment{};  // In addition to ours, which is inherited without our secrets.
  std::optional<acp::Authenticate> sign_in{};                      // how, where it wants that
  // Whose tools it is to have; asked when a session begins or is taken up.
  std::function<std::vector<toolbox::McpServerSettings>()> mcp_servers{};
  std::chrono::milliseconds timeout = limits::acp_prompt_timeout;  // of all requests but prompts
  std::chrono::milliseconds history_quiet =
      limits::acp_history_quiet;                               // after session/load, for history that comes behind the reply
  std::size_t prompt_file_bytes = adapter::prompt_file_bytes;  // of a file that goes along as text
  bool files = true;                                           // it may ask us for files …
  bool terminals = true;                                       // … and for terminals
  adapter::Language language = adapter::Language::english;     // of what it is told of plan mode
  std::optional<AcpPlace> place{};                             // none: it works on this machine
  // None: it is an agent. Else what it asks has been judged there, by rules of its own: it goes to the person as it stands; its modes are ours by
  // name; and it goes on with what was asked of it whether we are there or not.
  std::shared_ptr<GatewaySide> gateway{};
  AgentModes modes{};                                    // in which it asks and plans; empty: by their names
  std::string session_meta{};                            // `_meta` of its sessions, as JSON; empty: none
  std::string version = "0";                             // of this program, which it is told
  std::string install{};                                 // what to do when its program is not there
  std::function<void(const hub::AgentInfo&)> changed{};  // for Hub::agent_changed
};

// Its program is not there, and what to do about it.
Error no_acp_agent(const AcpAgentSettings& settings);

}  // namespace parlance::driver
