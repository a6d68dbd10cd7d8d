// SPDX-License-Identifier: Apache-2.0
// The tables of a hub's database. Blocks.
#pragma once

#include "parlance/base/result.h"
#include "parlance/sqlite/database.h"

namespace parlance::store {

// Brings them up to what this program writes, whatever wrote the file before.
Result<void> migrate_hub(sqlite::Database& db);

}  // namespace parlance::store
