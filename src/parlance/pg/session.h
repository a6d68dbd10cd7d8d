// SPDX-License-Identifier: Apache-2.0
// A connection made on first use and remade after a loss. Blocking; one thread at a time.
#pragma once

#include <memory>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/pg/connection.h"

namespace parlance::pg {

class Session {
 public:
  Session(ConnectSettings settings, const Interrupt& interrupt) : settings_(std::move(settings)), interrupt_(interrupt) {}

  Outcome<Connection*> connection();
  void drop() { connection_.reset(); }

  // For reading statements: tried again on a new connection if the old connection was lost meanwhile.
  Result<Rows> read(const Statement& statement);
  Result<std::vector<Rows>> read(const std::vector<Statement>& statements);

 private:
  ConnectSettings settings_;
  const Interrupt& interrupt_;
  std::unique_ptr<Connection> connection_;
};

}  // namespace parlance::pg
