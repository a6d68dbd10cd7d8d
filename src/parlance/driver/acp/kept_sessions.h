// SPDX-License-Identifier: Apache-2.0
// The sessions that an ACP agent keeps of a folder, asked over a connection of its own that ends with the answer. Loop thread only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "parlance/driver/acp/shared.h"
#include "parlance/hub/agent.h"

namespace parlance::driver {

// Newest first, at most limits::kept_sessions. Errors: unknown_method (the agent cannot list them), and those of reaching it.
Task<Result<std::vector<hub::KeptSession>>> acp_kept_sessions(std::shared_ptr<AcpShared> shared, std::string folder);

}  // namespace parlance::driver
