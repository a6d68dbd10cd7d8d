// SPDX-License-Identifier: Apache-2.0
// Reads of conversations for followers: statements, and the conversion of rows. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/log/replication_update.h"
#include "parlance/hub/log/shared_store.h"
#include "parlance/pg/statement.h"

namespace parlance::store {

// True if no live hub owns the conversation `c` (`h`: its owner's row, if any); the lease is parameter `$2`.
inline constexpr const char* has_no_owner =
    "(c.owner IS NULL OR h.dead OR clock_timestamp() > greatest(h.expires_at, pg_postmaster_start_time() + $2::interval))";

// The version of rules, limits, users and tokens: each change increments it.
inline constexpr const char* settings_version_of_all = "SELECT version FROM rules_version";

// The columns of conversation_at for the conversation `c`, in order; further columns may follow from column 7 on.
inline constexpr const char* conversation_columns =
    "c.body, c.last_seq, c.turn, c.native_session, c.native_how, c.user_id, c.access";
// The row's columns override the values in its JSON. Errors: invalid JSON.
Result<hub::Conversation> conversation_at(const pg::Rows& rows, std::size_t row);
std::optional<std::string> user_at(const pg::Rows& rows, std::size_t row, std::size_t column);  // '': the person of this machine
Result<hub::Ask> ask_at(const pg::Rows& rows, std::size_t row);                                 // body, answers, expires_at

struct ReplicatedRow {
  hub::ReplicatedConversation conversation{};
  std::int64_t revision = 0;
};
using RunStatements = std::function<Result<std::vector<pg::Rows>>(const std::vector<pg::Statement>&)>;

// The existing conversations in a consistent snapshot, from the view of the gateway `hub`.
Result<std::vector<ReplicatedRow>> read_replicated(const RunStatements& run, const std::vector<std::string>& conversations,
                                                   const std::string& hub, const std::string& lease);

}  // namespace parlance::store
