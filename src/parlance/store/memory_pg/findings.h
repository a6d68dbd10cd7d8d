// SPDX-License-Identifier: Apache-2.0
// Counts of the memories in a PostgreSQL. Creates no tables. Blocking; any thread.
#pragma once

#include <optional>
#include <string>

#include "parlance/base/result.h"
#include "parlance/pg/connection.h"

namespace parlance::store {

struct MemoryCounts {
  std::string memories{};
  std::string people{};  // Number of users with a memory.
};

// Absent: the database has no tables of memories yet. Errors: disconnected, failed (a newer program made the tables, or they are unreadable).
Result<std::optional<MemoryCounts>> look_at_memories(const pg::ConnectSettings& settings, const pg::Interrupt& interrupt);

}  // namespace parlance::store
