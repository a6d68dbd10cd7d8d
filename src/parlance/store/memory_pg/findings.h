// SPDX-License-Identifier: Apache-2.0
// What is to be said of the memories in a PostgreSQL, for people: how many there are, of how many. Makes no tables. Blocking; any thread.
#pragma once

#include <string>

#include "parlance/base/result.h"
#include "parlance/pg/connection.h"

namespace parlance::store {

// A sentence. Errors: disconnected, failed (the tables are a newer program's, or not to be read).
Result<std::string> look_at_memories(const pg::ConnectSettings& settings, const pg::Interrupt& interrupt);

}  // namespace parlance::store
