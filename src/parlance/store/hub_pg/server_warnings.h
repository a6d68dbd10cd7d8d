// SPDX-License-Identifier: Apache-2.0
// What whoever runs the database of several gateways should know: sentences, none when all is well. Blocking; any thread.
#pragma once

#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/pg/connection.h"

namespace parlance::store {

// The gateways of the database that live, a sentence each; none when it has no tables yet.
Result<std::vector<std::string>> living_hubs(const pg::ConnectSettings& settings, const pg::Interrupt& interrupt);

Result<std::vector<std::string>> server_warnings(const pg::ConnectSettings& settings, const pg::Interrupt& interrupt);

}  // namespace parlance::store
