// SPDX-License-Identifier: Apache-2.0
// The settings of the gateway's frontends, from the settings of a person. Main thread.
#pragma once

#include <string>

#include "apps/parlance/config/settings.h"
#include "apps/parlance/gateway/frontends.h"

namespace parlance::app {

// `settings` outlives the result. Errors: invalid_params, with the faulty flag.
Result<GatewayFrontendsSettings> frontends_settings(const Settings& settings, const std::string& token);

}  // namespace parlance::app
