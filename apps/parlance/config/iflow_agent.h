// SPDX-License-Identifier: Apache-2.0
// iFlow as an agent of the hub, beyond acp_agents: finding and starting the program on this machine, and writing its settings
// before each prompt. Loop thread only.
#pragma once

#include "apps/parlance/config/settings.h"
#include "parlance/driver/acp/settings.h"

namespace parlance::app {

// Completes an agent of the dialect `iflow`, regardless of its name; other agents, and agents on other machines, stay unchanged.
// Created objects end with the agent, before the loop. Errors: of reading --iflow-key-file.
Result<void> complete_iflow(Loop& loop, const Settings& settings, driver::AcpAgentSettings& agent);

}  // namespace parlance::app
