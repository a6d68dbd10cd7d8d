// SPDX-License-Identifier: Apache-2.0
// The gateway of a runner's session, and the time of its last use: a file `gateway` in the session's folder, with the address,
// and the file's time. Blocking; any thread.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "parlance/base/clock.h"

namespace parlance::app {

// Marks the session now. No effect without the folder.
void mark_session(const std::string& folder, const std::string& gateway);

// Deletes the sessions of this gateway below `root` outside `spared` without a write since `before`; returns their number.
// Sessions of other or unknown gateways stay, because these may continue.
std::size_t remove_unwanted(const std::string& root, const std::string& gateway, const std::set<std::string>& spared,
                            WallTime before);

// A session without a message: a file `empty` in its folder, as old as its end. Sessions with a message, and open ones, have none.
void mark_empty(const std::string& folder, bool empty);
// Deletes the sessions below `root` that ended without a message before this time.
void remove_empty(const std::string& root, WallTime before);

}  // namespace parlance::app
