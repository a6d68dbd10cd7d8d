// SPDX-License-Identifier: Apache-2.0
// Exports the logs of conversations, for archives and searches. Blocking; may run beside a hub.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "parlance/base/result.h"

namespace parlance::hub {
struct Conversation;
}

namespace parlance::store {

// Receives each event as JSON, with its conversation; returns false to stop.
using LogVisitor = std::function<bool(const hub::Conversation& conversation, std::string_view event_json)>;

// `conversation` empty: all conversations, oldest first. Holds one event in memory. Errors: not_found (no such conversation),
// those of the database.
Result<void> visit_log(const std::string& state_folder, const std::string& conversation, const LogVisitor& visit);

}  // namespace parlance::store
