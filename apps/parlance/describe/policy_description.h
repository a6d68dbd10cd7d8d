// SPDX-License-Identifier: Apache-2.0
// docs/policy.md: the allowed calls of each mode, printed from the deciding tables (hub/policy, hub/commands/free_commands,
// workspace/guarded_places). Pure; any thread.
#pragma once

#include <string>

namespace parlance::app {

std::string describe_policy();

}  // namespace parlance::app
