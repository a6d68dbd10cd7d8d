// SPDX-License-Identifier: Apache-2.0
// The tables of memories in a shared PostgreSQL, beside those of hubs and with a separate version: an agent's process opens them
// without its gateway. Blocking; one thread at a time.
#pragma once

#include "parlance/base/result.h"
#include "parlance/pg/connection.h"

namespace parlance::store {

// SQLSTATE of memory_turn(): no such person in this database.
inline constexpr std::string_view memory_unknown_person = "PF003";

Result<void> migrate_memories(pg::Connection& connection);
Result<void> check_memories(pg::Connection& connection);  // checks that this program supports the existing tables

}  // namespace parlance::store
