// SPDX-License-Identifier: Apache-2.0
// Operations on a hub's file without a running hub: lookup, fork, rewind. Blocking; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "parlance/base/result.h"
#include "parlance/hub/log/log_reader.h"

namespace parlance::hub {
struct Conversation;
}

namespace parlance::store {

// The most recently changed conversation; no value without conversations. Writes nothing. not_found: no such hub.
Result<std::optional<hub::Conversation>> newest_conversation(const std::string& state_folder);

// The newest match of the words in all texts; no value without a match. Reads beside a running hub, and writes nothing. Errors:
// not_found (no such hub), those of SQLite.
Result<std::optional<hub::SearchHit>> newest_match(const std::string& state_folder, const std::string& words);

// Copies `from` to the empty folder `to`, without the events after `last` (0: all events). Marks agent sessions for a fork
// (SessionSetup::agent_session). `from` stays unchanged, also while a hub uses the file.
Result<void> fork_hub(const std::string& from, const std::string& to, std::uint64_t last = 0);

// Removes the events after `last`; the old file stays as hub.before-N.db. failed: a hub uses the file.
Result<void> rewind_hub(const std::string& state_folder, std::uint64_t last);

}  // namespace parlance::store
