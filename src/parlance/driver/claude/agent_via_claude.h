// SPDX-License-Identifier: Apache-2.0
// Makes Claude Code an agent of the hub: one process per conversation, started by the first prompt or by `prepare`; a restart
// resumes its session by id. Its requests go through the hub's policy to a person; its suggested rules become options. Loop
// thread only; the hub keeps the provider longer than its agents.
#pragma once

#include <memory>
#include <string>

#include "parlance/driver/claude/settings.h"
#include "parlance/hub/agent/agent.h"

namespace parlance::driver {

std::unique_ptr<hub::AgentProvider> agent_via_claude(Loop& loop, ClaudeAgentSettings settings);

}  // namespace parlance::driver
