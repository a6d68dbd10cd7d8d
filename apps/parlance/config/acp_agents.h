// SPDX-License-Identifier: Apache-2.0
// The agents behind ACP that a person configured, as tables of parlance.toml, beside those that are known (driver/acp/presets.h):
//
//   [agents.gemini]                        # a known one: what is written here takes the place of the preset's
//   command = ["npx", "@google/gemini-cli", "--experimental-acp"]
//
//   [agents.tester]
//   name = "Our tester"
//   url = "ws://127.0.0.1:8090/acp"        # or command
//   token_file = "/home/ann/.tester-token" # mode 0600; or token_variable: the name of a variable of the environment
//   dialect = "iflow"                      # left out: standard
//   sign_in = "key"                        # one of the agent's ways to sign in
//   asks = "always"                        # it has no modes and asks before each action; left out: an asking mode is looked for
//   files = "off"                          # it reads and writes by itself, and asks for a permission; left out: on
//   terminals = "off"
#pragma once

#include <vector>

#include "apps/parlance/config/settings.h"
#include "parlance/driver/acp/settings.h"

namespace parlance::app {

struct ConfiguredAgent {
  driver::AcpAgentSettings settings{};
  bool named = false;  // in a file: that it is missing is worth a word
};
// All presets and all tables, each once. Errors: invalid_params, with the file and the key.
Result<std::vector<ConfiguredAgent>> acp_agents(const Settings& settings);

// Of what agents are told in a person's place: the environment's.
adapter::Language language_of_locale();

}  // namespace parlance::app
