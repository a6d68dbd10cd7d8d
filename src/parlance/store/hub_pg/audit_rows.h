// SPDX-License-Identifier: Apache-2.0
// The rows of the audit: insert and read. Blocking; one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "parlance/base/result.h"
#include "parlance/hub/team/audit.h"
#include "parlance/pg/connection.h"

namespace parlance::store {

pg::Statement audit_statement(const hub::AuditEntry& entry);  // for the transaction of the action

struct AuditRow {
  std::int64_t number = 0;  // ascending; gaps are possible
  std::string time{};       // RFC 3339, UTC, by the database's clock
  hub::AuditEntry entry{};
};

// Calls `visit` for each row, oldest first, until false. `conversation`: only its rows; empty: all.
Result<void> visit_audit(const pg::ConnectSettings& settings, const pg::Interrupt& interrupt, const std::string& conversation,
                         const std::function<bool(const AuditRow& row)>& visit);

}  // namespace parlance::store
