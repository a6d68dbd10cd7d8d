// SPDX-License-Identifier: Apache-2.0
// Agent sessions on disconnected runners after the removal of their conversations. Each is a row of `settings`, a table whose
// unknown rows every version ignores. Blocking; a single thread at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/sqlite/database.h"

namespace parlance::store {

// Prefix of the row's name, followed by the runner's name, a slash and the session's name, in both kinds of store.
inline constexpr std::string_view unused_session_prefix = "left_session/";

// Records the session of a conversation in the transaction of its removal. Does nothing for a local conversation, without a
// session, or after an unfinished adoption: that session existed before the conversation.
Result<void> note_unused_session(sqlite::Database& db, const std::string& conversation);
// The names of sessions on one runner, at most limits::unused_sessions, and the removal of a name. An unknown name is no error.
Result<std::vector<std::string>> read_unused_sessions(sqlite::Database& db, const std::string& runner);
Result<void> forget_unused_session(sqlite::Database& db, const std::string& runner, const std::string& session);

}  // namespace parlance::store
