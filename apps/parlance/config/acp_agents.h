// SPDX-License-Identifier: Apache-2.0
// The configured agents behind ACP, as tables of parlance.toml, in addition to the known agents (driver/acp/presets.h):
//
//   [agents.gemini]                        # a known agent: these members replace the preset's
//   command = ["npx", "@google/gemini-cli", "--experimental-acp"]
//
//   [agents.tester]
//   name = "Our tester"
//   url = "ws://127.0.0.1:8090/acp"        # or command
//   token_file = "/home/ann/.tester-token" # mode 0600; or token_variable: the name of a variable of the environment
//   dialect = "iflow"                      # default: standard
//   sign_in = "key"                        # one of the agent's ways to sign in
//   asks = "always"                        # it has no modes and asks before each action; default: an asking mode is looked for
//   files = "off"                          # it reads and writes by itself, and asks for a permission; default: on
//   terminals = "off"
#pragma once

#include <vector>

#include "apps/parlance/config/settings.h"
#include "parlance/driver/acp/settings.h"

namespace parlance::app {

struct ConfiguredAgent {
  driver::AcpAgentSettings settings{};
  bool named = false;  // named in a file: a missing program is reported
};
// All presets and all tables, each once. Errors: invalid_params, with the file and the key.
Result<std::vector<ConfiguredAgent>> acp_agents(const Settings& settings);

// The language of messages to agents in a person's place, from the environment.
adapter::Language language_of_locale();

}  // namespace parlance::app
