// SPDX-License-Identifier: Apache-2.0
// The key `env` of [mcp.NAME] and [agents.NAME]: variables for the program, ["NAME", "NAME=value"]. A bare name takes the value
// of our own environment, so that a secret reaches only the program that needs it (process/child_secrets.h).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "apps/parlance/config/config_file.h"
#include "parlance/base/result.h"

namespace parlance::app {

// Errors: invalid_params for an empty name and for a bare name that our environment does not have.
Result<std::vector<std::pair<std::string, std::string>>> child_variables(const ConfigEntry& entry);

}  // namespace parlance::app
