// SPDX-License-Identifier: Apache-2.0
// Any agent that speaks ACP as an agent of the hub: one connection a conversation, made with its first prompt or to prepare it, its
// session taken up again after a restart. What it wants to be allowed goes through the hub's policy to a person. Loop thread only; the
// provider outlives its agents (the hub sees to it).
//
// A session that cannot be taken up is never replaced in silence: the person is asked whether to begin a new one. A connection that
// has ended is never used again.
#pragma once

#include <memory>

#include "parlance/driver/acp/settings.h"
#include "parlance/hub/agent.h"

namespace parlance::driver {

std::unique_ptr<hub::AgentProvider> agent_via_acp(Loop& loop, AcpAgentSettings settings);

}  // namespace parlance::driver
