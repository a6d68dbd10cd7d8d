// SPDX-License-Identifier: Apache-2.0
// Makes an agent that speaks ACP an agent of the hub. Each conversation has its own connection, opened by the first prompt or by
// `prepare`; a restart resumes its session. Permission requests of the agent go through the hub's policy to a person. Loop thread
// only; the hub keeps the provider longer than its agents.
//
// The driver never replaces a lost session silently: the person decides about a new session. A closed connection is never reused.
#pragma once

#include <memory>

#include "parlance/driver/acp/settings.h"
#include "parlance/hub/agent/agent.h"

namespace parlance::driver {

std::unique_ptr<hub::AgentProvider> agent_via_acp(Loop& loop, AcpAgentSettings settings);

}  // namespace parlance::driver
