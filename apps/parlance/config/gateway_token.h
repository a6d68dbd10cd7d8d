// SPDX-License-Identifier: Apache-2.0
// The token for a remote gateway. Never a flag, because all users can see the flags of a process. Any thread.
#pragma once

#include <string>

#include "apps/parlance/config/gateway_address.h"
#include "apps/parlance/config/settings.h"

namespace parlance::app {

// The single word of a private file. Errors: invalid_params, not_found, denied (mode), with the file and the remedy, never its
// contents.
Result<std::string> read_token_file(const std::string& path);

// From the named file; else PARLANCE_TOKEN; else, for a gateway of this machine, from the state folder.
Result<std::string> token_for(const GatewayAddress& to, const std::string& file, const Settings& settings);

}  // namespace parlance::app
