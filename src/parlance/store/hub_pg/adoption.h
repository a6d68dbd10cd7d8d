// SPDX-License-Identifier: Apache-2.0
// What has to be done to a database that was restored, before any gateway works with it: who owned conversations in the one that it is a copy
// of owns none here, and never comes back. Blocking; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/pg/connection.h"

namespace parlance::store {

// Hubs that renew their lease in this very database, by their ids; it is watched for as long as a renewal may take, which is a few seconds. The rows
// alone cannot tell: those of a copy look as alive as the original's were.
Result<std::vector<std::string>> renewing_hubs(pg::Connection& connection, const pg::Interrupt& interrupt);

struct Adopted {
  std::size_t conversations = 0;  // all
  std::size_t freed = 0;          // that had an owner
  std::size_t hubs = 0;           // that did not know yet that they are dead
};
// All hubs are dead for ever, and no conversation has an owner. Once more changes nothing. Errors: not_found (no conversations here), disconnected.
Result<Adopted> adopt(pg::Connection& connection);

}  // namespace parlance::store
