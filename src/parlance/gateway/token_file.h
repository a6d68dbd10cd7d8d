// SPDX-License-Identifier: Apache-2.0
// The token that frontends must show: given by the person, or made once and kept in the state folder (0600), so that an address that was
// bookmarked yesterday still works.
#pragma once

#include <string>

#include "parlance/base/result.h"

namespace parlance::gateway {

// `wanted`: the token itself, or "auto". Makes the folder (0700) when it is needed.
Result<std::string> resolve_token(const std::string& wanted, const std::string& state_folder);

// The one that is kept there, or empty. Makes nothing.
std::string kept_token(const std::string& state_folder);

}  // namespace parlance::gateway
