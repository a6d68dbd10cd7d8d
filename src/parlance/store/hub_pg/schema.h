// SPDX-License-Identifier: Apache-2.0
// The tables of hubs that share a PostgreSQL, and how they came about. Blocking; one thread at a time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/pg/connection.h"
#include "parlance/pg/migrations.h"

namespace parlance::store {

// What this program writes. A database knows its own version, and which readers still understand it.
inline constexpr int hub_schema_version = 5;

// SQLSTATE of fence(): not the owner, or not the next commit.
inline constexpr std::string_view fenced_off = "PF001";

// Brings an empty or older database up to what this program writes, one step a transaction. Several hubs may call it at once: one does the work.
// Errors: failed (a newer parlance made it and no longer cares for us; an older hub lives that still reads what a step would take away; and why
// the server refused), disconnected.
Result<void> migrate_hub(pg::Connection& connection);
// With these steps in place of ours, and as the program that knows them.
Result<void> migrate_hub(pg::Connection& connection, std::span<const pg::Step> steps);

// What a hub says of itself beside its program's version, so that others know which tables it reads.
std::string with_schema_version(std::string_view program_version, int schema_version = hub_schema_version);

}  // namespace parlance::store
