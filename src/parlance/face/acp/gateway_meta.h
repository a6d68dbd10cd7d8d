// SPDX-License-Identifier: Apache-2.0
// What `_meta` of a client says to us, and of ours to it, beside ACP (protocol/acp/gateway.h). Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "parlance/hub/agent.h"
#include "parlance/protocol/acp/gateway.h"

namespace parlance::face {

// Nothing of ours in it: nothing is wished.
acp::SessionWish wish_in(const wire::Raw& meta);
bool wants_positions(const wire::Raw& meta);  // of initialize; then it is told:
std::string gateway_meta(std::string folder, const std::vector<hub::AgentInfo>& agents);
std::string position_meta(std::uint64_t position);

}  // namespace parlance::face
