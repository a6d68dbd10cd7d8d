// SPDX-License-Identifier: Apache-2.0
// The gateway's own addresses, and the permission of each (routes.h). Values; any thread.
#pragma once

#include "parlance/gateway/routes.h"

namespace parlance::gateway {

// The page holds no secret. A service worker serves the paths below its own, so /sw.js is beside the page.
inline constexpr std::array own_addresses{
    Address{"GET", "/", Access::open, hub::Permission::open},
    Address{"GET", "/assets/*", Access::open, hub::Permission::open},
    Address{"GET", "/sw.js", Access::open, hub::Permission::open},
    Address{"POST", "/session", Access::open, hub::Permission::open},  // without a token the answer has no cookie
    Address{"DELETE", "/session", Access::open, hub::Permission::open},
    Address{"GET", "/metrics", Access::token, hub::Permission::enter},  // sums over all users, for scrapers
};

}  // namespace parlance::gateway
