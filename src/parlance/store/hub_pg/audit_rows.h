// SPDX-License-Identifier: Apache-2.0
// The audit as rows: how they are added, and read again. Blocking; one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "parlance/base/result.h"
#include "parlance/hub/log/audit.h"
#include "parlance/pg/connection.h"

namespace parlance::store {

pg::Statement audit_statement(const hub::AuditEntry& entry);  // in the transaction of what it tells

struct AuditRow {
  std::int64_t number = 0;
  std::string time{};  // RFC 3339, UTC, by the clock of the database
  hub::AuditEntry entry{};
};

// Told of each, the oldest first; false: no more. `conversation`: only what was done there; empty: all.
Result<void> visit_audit(const pg::ConnectSettings& settings, const pg::Interrupt& interrupt, const std::string& conversation,
                         const std::function<bool(const AuditRow& row)>& visit);

}  // namespace parlance::store
