// SPDX-License-Identifier: Apache-2.0
// The model of our own agent for a tool that asks it something outside the conversation (hub::Sampler), over Go net/rpc. Loop thread only;
// loop and link outlive what it starts.
#pragma once

#include <string>

#include "parlance/driver/gorpc/agent_link.h"
#include "parlance/hub/tool_host.h"

namespace parlance::driver {

// `model`: as the conversation names it; empty: the agent's own.
hub::Sampler sample_via_gorpc(Loop& loop, AgentLink& link, std::string model);

}  // namespace parlance::driver
