// SPDX-License-Identifier: Apache-2.0
// Prepares a restored database before any gateway uses it: hubs of the original database must not own conversations in the copy.
// Blocking; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/pg/connection.h"

namespace parlance::store {

// Ids of hubs that renew their lease in this database. Watches for the longest time between renewals, a few seconds. The rows
// alone are no proof: copied rows look alive too.
Result<std::vector<std::string>> renewing_hubs(pg::Connection& connection, const pg::Interrupt& interrupt);

struct Adopted {
  std::size_t conversations = 0;  // total
  std::size_t freed = 0;          // had an owner
  std::size_t hubs = 0;           // were not marked dead
};
// Marks all hubs dead permanently and removes all owners. Idempotent. Errors: not_found (no conversations here), disconnected.
Result<Adopted> adopt(pg::Connection& connection);

}  // namespace parlance::store
