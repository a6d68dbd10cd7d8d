// SPDX-License-Identifier: Apache-2.0
// iFlow as an agent of the hub, beside what acp_agents says of it: how it is found on this machine and started, and what is written into its
// own settings before each prompt. Loop thread only.
#pragma once

#include "apps/parlance/config/settings.h"
#include "parlance/driver/acp/settings.h"

namespace parlance::app {

// An agent of the dialect `iflow`, by whatever name; of any other, and of one on another machine, nothing changes. What is made here goes with the agent, before the
// loop. Errors: those of reading --iflow-key-file.
Result<void> complete_iflow(Loop& loop, const Settings& settings, driver::AcpAgentSettings& agent);

}  // namespace parlance::app
