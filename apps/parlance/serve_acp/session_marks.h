// SPDX-License-Identifier: Apache-2.0
// By which gateway a runner's session was begun, and when that last wanted it: a file `gateway` in the session's folder, with its address, and
// the time of the file. Blocking; any thread.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "parlance/base/clock.h"

namespace parlance::app {

// Now. Nothing, where there is no such folder.
void mark_session(const std::string& folder, const std::string& gateway);

// Deletes the sessions below `root` that this gateway began, that are not `spared`, and in which nothing was written since `before`; gives
// how many. What other gateways began, or nobody knows who, stays: they may go on with it.
std::size_t remove_unwanted(const std::string& root, const std::string& gateway, const std::set<std::string>& spared,
                            WallTime before);

// A session without a message: a file `empty` in its folder, as old as its end. Sessions with a message, and open ones, have none.
void mark_empty(const std::string& folder, bool empty);
// Deletes the sessions below `root` that ended without a message before this time.
void remove_empty(const std::string& root, WallTime before);

}  // namespace parlance::app
