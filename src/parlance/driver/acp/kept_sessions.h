// SPDX-License-Identifier: Apache-2.0
// Lists an ACP agent's own sessions of a folder, over a separate connection. Loop thread only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "parlance/driver/acp/shared.h"
#include "parlance/hub/agent/agent.h"

namespace parlance::driver {

// Newest first, at most limits::kept_sessions. Errors: unknown_method (the agent cannot list sessions), and those of connecting.
Task<Result<std::vector<hub::KeptSession>>> acp_kept_sessions(std::shared_ptr<AcpShared> shared, std::string folder);

}  // namespace parlance::driver
