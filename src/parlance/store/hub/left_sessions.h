// SPDX-License-Identifier: Apache-2.0
// Sessions on machines of runners whose conversations were removed while nobody could tell those machines: a row of `settings` each, which every
// version reads past. Blocking; one thread at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/sqlite/database.h"

namespace parlance::store {

// Before the name of the place, a slash and that of the session, in both kinds of store.
inline constexpr std::string_view left_session_prefix = "left_session/";

// Of a conversation that is about to be removed, in the same transaction; nothing, when it works on this machine or has no session.
Result<void> note_left_session(sqlite::Database& db, const std::string& conversation);
Result<std::vector<std::string>> read_left_sessions(sqlite::Database& db, const std::string& place);
Result<void> forget_left_session(sqlite::Database& db, const std::string& place, const std::string& session);

}  // namespace parlance::store
