// SPDX-License-Identifier: Apache-2.0
// The token that a gateway elsewhere wants of us. Never a flag: those of a process are seen by all users. Any thread.
#pragma once

#include <string>

#include "apps/parlance/config/gateway_address.h"
#include "apps/parlance/config/settings.h"

namespace parlance::app {

// The one word in a file that nobody else may read. Errors: invalid_params, not_found, denied (mode), with the file and the cure, never what
// it holds.
Result<std::string> read_token_file(const std::string& path);

// From the file, if one is named; else PARLANCE_TOKEN; else, for a gateway of this machine, the one in the state folder.
Result<std::string> token_for(const GatewayAddress& to, const std::string& file, const Settings& settings);

}  // namespace parlance::app
