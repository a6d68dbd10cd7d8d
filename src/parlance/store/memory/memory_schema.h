// SPDX-License-Identifier: Apache-2.0
// The tables of memory.db and how old ones become new ones. Blocking; the database's thread.
#pragma once

#include <cstdint>

#include "parlance/base/result.h"
#include "parlance/sqlite/database.h"

namespace parlance::store {

// Vectors of several embedders stand in one table, those of one embedder together: its number above, the memory's below.
inline constexpr int memory_number_bits = 40;
inline constexpr std::int64_t memory_number_mask = (std::int64_t{1} << memory_number_bits) - 1;

Result<void> migrate_memory(sqlite::Database& db);

}  // namespace parlance::store
