// SPDX-License-Identifier: Apache-2.0
// Removes "always" from an offer. Pure; any thread.
#pragma once

#include <vector>

#include "parlance/hub/policy/policy.h"

namespace parlance::hub {

// Leaves the answers to a single call, with `once_offer` if no answer allows once. Removes all rules.
void withhold_always(std::vector<AskOption>& options, std::vector<OfferedRule>& rules);

}  // namespace parlance::hub
