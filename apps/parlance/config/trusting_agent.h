// An agent whose program starts in a folder only after a person has seen and allowed the files there by which it would run others
// (folder_programs.h). The request stands in the conversation before the first prompt reaches the agent, on every frontend. "Allow" is
// remembered by path and contents in the state folder, so a changed file asks again. Any other answer, and none, refuses the prompt: the
// agent's program does not start. Loop thread only.
#pragma once

#include <memory>
#include <string>

#include "parlance/hub/agent.h"

namespace parlance::app {

std::unique_ptr<hub::AgentProvider> in_trusted_folders(std::unique_ptr<hub::AgentProvider> inner, std::string state_folder);

}  // namespace parlance::app
