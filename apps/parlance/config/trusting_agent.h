// SPDX-License-Identifier: Apache-2.0
// Asks a person before an agent's program starts in a folder with programs of its own (folder_programs.h). The conversation shows the request
// on every frontend, before the first prompt reaches the agent. The state folder keeps "allow" by path and contents, so a changed file asks
// again. Any other answer, or none, refuses the prompt, and the program does not start. Loop thread only.
#pragma once

#include <memory>
#include <string>

#include "parlance/hub/agent/agent.h"

namespace parlance::app {

std::unique_ptr<hub::AgentProvider> in_trusted_folders(std::unique_ptr<hub::AgentProvider> inner, std::string state_folder);

}  // namespace parlance::app
