// SPDX-License-Identifier: Apache-2.0
// What a gateway says of itself, before there is a session. Loop thread only.
#pragma once

#include "parlance/driver/acp/settings.h"
#include "parlance/protocol/acp/gateway.h"

namespace parlance::driver {

// Whether it is there, takes us, and whom it has. Errors: those of connecting; failed (it is no gateway of ours, or an older one).
Task<Result<acp::GatewayWord>> ask_gateway(Loop& loop, const AcpAgentSettings& settings);

}  // namespace parlance::driver
