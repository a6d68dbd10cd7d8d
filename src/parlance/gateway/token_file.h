// SPDX-License-Identifier: Apache-2.0
// The token of the gateway: given by the person, or created once and stored in the state folder (mode 0600), so that bookmarks and
// programs work after a restart. Blocking file access; any thread.
#pragma once

#include <string>

#include "parlance/base/result.h"

namespace parlance::gateway {

// `wanted`: the token itself (16 to 512 characters), or "auto" for the stored token, which is created if absent. Creates the folder
// (mode 0700). Errors: invalid_params (length or characters), denied (other users can read the file), failed (no valid token in the
// file), those of the system.
Result<std::string> resolve_token(const std::string& wanted, const std::string& state_folder);

// The stored token. Empty: absent, readable for others, or invalid. Creates nothing.
std::string kept_token(const std::string& state_folder);

}  // namespace parlance::gateway
