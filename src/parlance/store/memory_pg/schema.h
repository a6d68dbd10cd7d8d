// SPDX-License-Identifier: Apache-2.0
// The tables of memories that share a PostgreSQL, beside those of hubs and numbered by themselves: an agent's process opens them without its
// gateway. Blocking; one thread at a time.
#pragma once

#include "parlance/base/result.h"
#include "parlance/pg/connection.h"

namespace parlance::store {

// SQLSTATE of memory_turn(): there is no such person in this database.
inline constexpr std::string_view memory_nobody = "PF003";

Result<void> migrate_memories(pg::Connection& connection);
Result<void> check_memories(pg::Connection& connection);  // that this program may use the tables that are there

}  // namespace parlance::store
