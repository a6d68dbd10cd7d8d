// SPDX-License-Identifier: Apache-2.0
// Reads and writes parlance's members of `_meta`, beside ACP (protocol/acp/gateway.h). Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "parlance/hub/agent.h"
#include "parlance/protocol/acp/gateway.h"

namespace parlance::face {

// Empty without members of parlance.
acp::SessionWish wish_in(const wire::Raw& meta);
bool wants_positions(const wire::Raw& meta);  // in `initialize`; then the answer has:
std::string gateway_meta(std::string folder, const std::vector<hub::AgentInfo>& agents);
std::string position_meta(std::uint64_t position);

}  // namespace parlance::face
