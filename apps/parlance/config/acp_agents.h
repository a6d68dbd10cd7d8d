// SPDX-License-Identifier: Apache-2.0
// The configured agents behind ACP, as tables of parlance.toml, in addition to the known agents (driver/acp/presets.h).
//
// A known agent:
//   [agents.gemini]
//   command = ["npx", "@google/gemini-cli", "--experimental-acp"]  # Given members replace the preset's members.
//
// A new agent:
//   [agents.tester]
//   name = "Our tester"
//   url = "ws://127.0.0.1:8090/acp"
//   token_file = "/home/ann/.tester-token"
//   dialect = "iflow"
//   sign_in = "key"
//   asks = "always"
//   files = "off"
//   terminals = "off"
//
// Members:
// `url`: the address of a running agent; or `command`.
// `token_file`: a file of mode 0600; or `token_variable`: the name of an environment variable.
// `dialect`: "standard" by default.
// `sign_in`: a sign-in method of the agent.
// `asks`: "always" for an agent without modes that asks before each action. By default, parlance looks for an asking mode.
// `files`: "off" for an agent that reads and writes files itself and asks for permission. The default is "on".
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
