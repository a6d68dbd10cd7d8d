// SPDX-License-Identifier: Apache-2.0
// Findings about the database of several gateways, for its operator. Blocking; any thread.
#pragma once

#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/pg/connection.h"

namespace parlance::store {

struct LivingHub {
  std::string id{};
  std::string version{};        // of its program and schema (with_schema_version)
  std::string lease_s{};        // Seconds until its lease expires.
  std::string owned{};          // Number of its conversations.
  std::string conversations{};  // Number of all conversations.
};

// The live gateways of the database. Empty: none, or the database has no tables yet.
Result<std::vector<LivingHub>> living_hubs(const pg::ConnectSettings& settings, const pg::Interrupt& interrupt);

// Settings of the server that may lose commits or delay notifications, a sentence each. Empty: no warning.
Result<std::vector<std::string>> server_warnings(const pg::ConnectSettings& settings, const pg::Interrupt& interrupt);

}  // namespace parlance::store
