// SPDX-License-Identifier: Apache-2.0
// The connection to the PostgreSQL of memories: connects on first use, migrates the tables, and reconnects after a loss. After a
// failed connection the next calls fail at once for a moment. Blocking; one thread at a time.
#pragma once

#include <string>
#include <vector>

#include "parlance/base/clock.h"
#include "parlance/base/result.h"
#include "parlance/pg/session.h"

namespace parlance::store {

class MemoryServer {
 public:
  MemoryServer(pg::ConnectSettings settings, const pg::Interrupt& interrupt)
      : settings_(std::move(settings)), interrupt_(interrupt), session_(settings_, interrupt) {}

  // For read-only statements: repeated once after a lost connection.
  Result<pg::Rows> read(pg::Statement statement);
  Result<std::vector<pg::Rows>> read(const std::vector<pg::Statement>& statements);

  struct Written {
    std::vector<pg::Rows> rows{};  // of each statement
    bool again = false;            // repeated after a lost connection: an earlier attempt may have succeeded
  };
  // One transaction in one round trip. Repeated after a lost connection: the statements must be idempotent.
  Result<Written> write(std::vector<pg::Statement> statements);

 private:
  Result<pg::Connection*> reach();
  Result<void> migrate();
  Error failed(const Error& error);

  pg::ConnectSettings settings_;
  const pg::Interrupt& interrupt_;
  pg::Session session_;
  bool has_tables_ = false;
  TimePoint away_until_{};
  Error away_{};  // the last error
};

}  // namespace parlance::store
