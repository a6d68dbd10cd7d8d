// SPDX-License-Identifier: Apache-2.0
// The way to the PostgreSQL of memories: connects when it is first needed, makes the tables, and connects anew when the connection was lost. A
// server that was not there is left alone for a moment, so that whoever asks next is told at once. Blocking; one thread at a time.
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

  // For what changes nothing: tried once more when the connection was lost meanwhile.
  Result<pg::Rows> read(pg::Statement statement);
  Result<std::vector<pg::Rows>> read(const std::vector<pg::Statement>& statements);

  struct Written {
    std::vector<pg::Rows> rows{};  // of each statement
    bool again = false;            // the connection was lost, and nobody knows whether it was done before this time already
  };
  // One transaction in one round trip. Sent again when the connection was lost: to do it twice must be as good as once.
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
  Error away_{};  // why
};

}  // namespace parlance::store
