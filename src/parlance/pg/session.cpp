// SPDX-License-Identifier: Apache-2.0
#include "parlance/pg/session.h"

#include <utility>

namespace parlance::pg {

Outcome<Connection*> Session::connection() {
  if (connection_ && connection_->lost()) connection_.reset();
  if (connection_) return connection_.get();
  auto opened = Connection::open(settings_, interrupt_);
  if (!opened) return std::unexpected(std::move(opened).error());
  connection_ = *std::move(opened);
  return connection_.get();
}

Result<std::vector<Rows>> Session::read(const std::vector<Statement>& statements) {
  for (bool was_open = connection_ != nullptr;; was_open = false) {
    const auto here = connection();
    if (!here) return std::unexpected(error_of(here.error()));
    auto rows = (*here)->run(statements);
    if (rows) return *std::move(rows);
    if (!rows.error().unknown() || !was_open) return std::unexpected(error_of(rows.error()));
  }
}

Result<Rows> Session::read(const Statement& statement) {
  PARLANCE_TRY(all, read(std::vector{statement}));
  return std::move(all.front());
}

}  // namespace parlance::pg
