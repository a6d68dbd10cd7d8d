// SPDX-License-Identifier: Apache-2.0
// Conversations as they are in the database, for those who look at what others do: statements, and what their rows say. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/log/shared_store.h"
#include "parlance/pg/statement.h"

namespace parlance::store {

// Whether nobody who lives owns the conversation `c` (`h`: its owner's row, if there is one); the lease is parameter `$2`.
inline constexpr const char* nobody_has_it =
    "(c.owner IS NULL OR h.dead OR clock_timestamp() > greatest(h.expires_at, pg_postmaster_start_time() + $2::interval))";

// Of rules, limits, users and tokens: whoever changes one of them counts it up.
inline constexpr const char* standing_version_of_all = "SELECT version FROM rules_version";

// What conversation_at reads, in that order, of the conversation `c`; behind it, in column 7, may come more.
inline constexpr const char* conversation_columns =
    "c.body, c.last_seq, c.turn, c.native_session, c.native_how, c.user_id, c.access";
Result<hub::Conversation> conversation_at(const pg::Rows& rows, std::size_t row);
std::optional<std::string> user_at(const pg::Rows& rows, std::size_t row, std::size_t column);  // '': the person of this machine
Result<hub::Ask> ask_at(const pg::Rows& rows, std::size_t row);                                 // body, answers, expires_at

struct Seen {
  hub::SeenConversation conversation{};
  std::int64_t revision = 0;
};
using RunStatements = std::function<Result<std::vector<pg::Rows>>(const std::vector<pg::Statement>&)>;

// Those that are there, of one moment, as the gateway `hub` sees them.
Result<std::vector<Seen>> look_at(const RunStatements& run, const std::vector<std::string>& conversations, const std::string& hub,
                                  const std::string& lease);

}  // namespace parlance::store
