// SPDX-License-Identifier: Apache-2.0
// Operations on a hub's file without a running hub: lookup, fork, rewind, move. Blocking; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/log/log_reader.h"

namespace parlance::hub {
struct Conversation;
}

namespace parlance::store {

// The most recently changed conversations, newest first. Writes nothing. not_found: no such hub.
Result<std::vector<hub::Conversation>> newest_conversations(const std::string& state_folder, std::size_t most);
// The first of them; no value without conversations.
Result<std::optional<hub::Conversation>> newest_conversation(const std::string& state_folder);

// The newest match of the words in each conversation, for `most` conversations. Reads beside a running hub, and writes nothing.
// Errors: not_found (no such hub), those of SQLite.
Result<std::vector<hub::SearchHit>> newest_matches(const std::string& state_folder, const std::string& words, std::size_t most);

// Copies `from` to the empty folder `to`, without the events after `last` (0: all events). Marks agent sessions for a fork
// (SessionSetup::agent_session). `from` stays unchanged, also while a hub uses the file.
Result<void> fork_hub(const std::string& from, const std::string& to, std::uint64_t last = 0);

// Removes the events after `last`; the old file stays as hub.before-N.db. failed: a hub uses the file.
Result<void> rewind_hub(const std::string& state_folder, std::uint64_t last);

// Moves a conversation with its log, requests, attachments, own rules and sums of use. Rules for more than this conversation stay:
// a person allowed them for the other program. After a crash in between, both folders have the conversation; a repetition keeps
// the longer log. Errors: failed (a hub uses one of the files), not_found.
Result<void> move_conversation(const std::string& from, const std::string& to, const std::string& conversation);

}  // namespace parlance::store
