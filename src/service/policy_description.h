// docs/policy.md: what each mode allows, printed from the tables that decide it (hub/policy, hub/free_commands,
// hub/guarded_places). Pure; any thread.
#pragma once

#include <string>

namespace parlance::service {

std::string describe_policy();

}  // namespace parlance::service
