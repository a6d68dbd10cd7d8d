// SPDX-License-Identifier: Apache-2.0
// The tables of a hub's database.
#pragma once

#include <memory>
#include <string>

#include "parlance/base/result.h"
#include "parlance/sqlite/database.h"

namespace parlance::store {

// Schema 6, frozen: later versions add steps and leave this one unchanged.
sqlite::SchemaSteps hub_schema();

// Errors: not_found (no such file), those of Database::check and of the open.
Result<std::unique_ptr<sqlite::Database>> open_hub_to_read(const std::string& path);

}  // namespace parlance::store
