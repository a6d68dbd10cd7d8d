// SPDX-License-Identifier: Apache-2.0
// Claude Code as an agent of the hub: one process a conversation, started with its first prompt or to prepare it, resumed by its session
// id after a restart. Its questions go through the hub's policy to a person; what it suggests as rules becomes choices. Loop thread only;
// the provider outlives its agents (the hub sees to it).
#pragma once

#include <memory>
#include <string>

#include "parlance/driver/claude/settings.h"
#include "parlance/hub/agent.h"

namespace parlance::driver {

std::unique_ptr<hub::AgentProvider> agent_via_claude(Loop& loop, ClaudeAgentSettings settings);

}  // namespace parlance::driver
