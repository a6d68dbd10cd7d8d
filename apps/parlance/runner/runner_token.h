// The token by which a runner is let in: from a file, from PARLANCE_TOKEN, or of a gateway of this user on this machine. Any thread.
#pragma once

#include <string>

#include "apps/parlance/config/settings.h"
#include "parlance/base/result.h"

namespace parlance::app {

// Errors: invalid_params (there is none, or it is more than one word).
Result<std::string> runner_token(const std::string& token_file, const Settings& settings);

}  // namespace parlance::app
