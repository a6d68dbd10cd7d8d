// SPDX-License-Identifier: Apache-2.0
// Queries a gateway before a session exists. Loop thread only.
#pragma once

#include "parlance/driver/acp/settings.h"
#include "parlance/protocol/acp/gateway.h"

namespace parlance::driver {

// Connects and authenticates, and returns the gateway's agents. Errors: those of connecting; failed (not a parlance gateway, or
// an older version).
Task<Result<acp::GatewayWord>> ask_gateway(Loop& loop, const AcpAgentSettings& settings);

}  // namespace parlance::driver
