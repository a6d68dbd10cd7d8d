// SPDX-License-Identifier: Apache-2.0
// What a runner offers, as it may be taken: names that are names, folders that are paths. Pure; any thread.
#pragma once

#include <string>

#include "parlance/base/result.h"
#include "parlance/protocol/acp/runner.h"

namespace parlance::driver {

// Errors: invalid_params, with the place and what to do.
Result<void> check_offer(const acp::Offer& offer);
// For people: USER@HOST.
inline std::string account_of(const acp::Offer& offer) { return offer.account + "@" + offer.host; }

}  // namespace parlance::driver
