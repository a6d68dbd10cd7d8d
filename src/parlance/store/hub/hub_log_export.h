// SPDX-License-Identifier: Apache-2.0
// The log of every conversation as it lies on this machine, for whoever wants to keep it elsewhere or look through it. Blocking; reads beside
// a hub that runs.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/hub/conversation/conversation.h"

namespace parlance::store {

// Told of each event, as JSON, in its conversation; false: no more.
using LogVisitor = std::function<bool(const hub::Conversation& conversation, std::string_view event_json)>;

// `conversation` empty: of all, the oldest first. One event at a time is in memory. Errors: not_found (no such conversation), those of the
// database.
Result<void> visit_log(const std::string& state_folder, const std::string& conversation, const LogVisitor& visit);

}  // namespace parlance::store
