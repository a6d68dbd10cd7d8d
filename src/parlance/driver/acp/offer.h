// SPDX-License-Identifier: Apache-2.0
// Checks a runner's offer: valid names, absolute folders. Pure; any thread.
#pragma once

#include <string>

#include "parlance/base/result.h"
#include "parlance/protocol/acp/runner.h"

namespace parlance::driver {

// Errors: invalid_params, with the field and the remedy.
Result<void> check_offer(const acp::Offer& offer);
// For people: USER@HOST.
inline std::string account_of(const acp::Offer& offer) { return offer.account + "@" + offer.host; }

}  // namespace parlance::driver
