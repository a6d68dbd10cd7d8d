// SPDX-License-Identifier: Apache-2.0
// The tables of hubs with a shared PostgreSQL, and their migrations. Blocking; one thread at a time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/pg/connection.h"
#include "parlance/pg/migrations.h"

namespace parlance::store {

// The schema version of this program. The database stores its own version and the oldest compatible reader.
inline constexpr int hub_schema_version = 7;

// SQLSTATE of fence(): not the owner, or not the next commit.
inline constexpr std::string_view fenced_off = "PF001";
// SQLSTATE of end_command(): the command has an outcome already, or is unknown.
inline constexpr std::string_view command_ended = "PF005";

// Migrates an empty or older database to this version, a step per transaction. Several hubs may call the function at once: one
// does the work. Errors: those of pg::migrate.
Result<void> migrate_hub(pg::Connection& connection);
// The same with other steps and versions, for tests.
Result<void> migrate_hub(pg::Connection& connection, std::span<const pg::Step> steps);

// The version string of a hub in `hubs`, with its schema version, so that other hubs know its tables.
std::string with_schema_version(std::string_view program_version, int schema_version = hub_schema_version);

}  // namespace parlance::store
