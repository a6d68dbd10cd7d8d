// SPDX-License-Identifier: Apache-2.0
// docs/policy.md: what each mode allows, printed from the tables that decide it (hub/policy, hub/commands/free_commands,
// workspace/guarded_places). Pure; any thread.
#pragma once

#include <string>

namespace parlance::app {

std::string describe_policy();

}  // namespace parlance::app
