// The tables of hubs that share a PostgreSQL, and how they came about. Blocking; one thread at a time.
#pragma once

#include <cstdint>

#include "parlance/base/result.h"
#include "parlance/pg/connection.h"

namespace parlance::store {

// What this program writes. A database knows its own version, and which readers still understand it.
inline constexpr int hub_schema_version = 2;

// SQLSTATE of fence(): not the owner, or not the next commit.
inline constexpr std::string_view fenced_off = "PF001";

// Brings an empty or older database up to what this program writes, one step a transaction. Several hubs may call it at once: one does the work.
// Errors: failed (a newer parlance made it and no longer cares for us, and why the server refused), disconnected.
Result<void> migrate_hub(pg::Connection& connection);

}  // namespace parlance::store
