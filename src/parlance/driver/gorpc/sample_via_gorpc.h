// SPDX-License-Identifier: Apache-2.0
// The built-in agent's model for requests of tools outside the conversation (hub::Sampler), over Go net/rpc. Loop thread only;
// loop and link must outlive running requests.
#pragma once

#include <string>

#include "parlance/driver/gorpc/agent_link.h"
#include "parlance/hub/agent/tool_host.h"

namespace parlance::driver {

// `model`: the conversation's name of the model; empty: the agent's default.
hub::Sampler sample_via_gorpc(Loop& loop, AgentLink& link, std::string model);

}  // namespace parlance::driver
