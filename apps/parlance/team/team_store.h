// SPDX-License-Identifier: Apache-2.0
// The store of a team, for the commands that a person runs it with. Blocks; main thread.
#pragma once

#include <string>

#include "apps/parlance/config/settings.h"
#include "parlance/base/result.h"
#include "parlance/store/hub_pg/team_rows.h"

namespace parlance::app {

// Errors: invalid_params without a shared store in the settings; errors of the server.
Result<store::TeamRows> team_store(const Settings& settings);

}  // namespace parlance::app
