// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/memory_pg/server.h"

#include <iterator>
#include <utility>

#include "parlance/store/memory_pg/limits.h"
#include "parlance/store/memory_pg/schema.h"

namespace parlance::store {

// For every failure: `parlance doctor` on the same machine has the diagnosis.
Error MemoryServer::failed(const Error& error) {
  if (error.message.contains("(42P01)")) has_tables_ = false;  // the database was emptied
  Error explained = error.in("the memory");
  explained.message += "; `parlance doctor` looks at the database";
  return explained;
}

Result<pg::Connection*> MemoryServer::reach() {
  if (Clock::now() < away_until_) return std::unexpected(away_);
  const auto connection = session_.connection();
  Result<void> ready;
  if (!connection) ready = std::unexpected(failed(pg::error_of(connection.error())));
  else if (!has_tables_) ready = migrate();
  if (ready) return *connection;
  away_ = ready.error();
  away_until_ = Clock::now() + limits::memory_server_pause;
  return std::unexpected(away_);
}

// Uses a separate connection, which may be silent for long.
Result<void> MemoryServer::migrate() {
  pg::ConnectSettings patient = settings_;
  patient.silence = limits::memory_migration;
  const auto own = pg::Connection::open(patient, interrupt_);
  if (!own) return std::unexpected(failed(pg::error_of(own.error())));
  if (auto done = migrate_memories(**own); !done) return std::unexpected(failed(done.error()));
  has_tables_ = true;
  return {};
}

Result<pg::Rows> MemoryServer::read(pg::Statement statement) {
  PARLANCE_TRY(all, read(std::vector{std::move(statement)}));
  return std::move(all.front());
}

Result<std::vector<pg::Rows>> MemoryServer::read(const std::vector<pg::Statement>& statements) {
  PARLANCE_TRY_DO(reach());
  auto rows = session_.read(statements);
  if (!rows) return std::unexpected(failed(rows.error()));
  return rows;
}

Result<MemoryServer::Written> MemoryServer::write(std::vector<pg::Statement> statements) {
  statements.insert(statements.begin(), {.sql = "BEGIN"});
  statements.push_back({.sql = "COMMIT"});
  for (bool again = false;; again = true) {
    PARLANCE_TRY(connection, reach());
    auto rows = connection->run(statements);
    if (!rows && rows.error().unknown() && !again) continue;
    if (!rows) return std::unexpected(failed(pg::error_of(rows.error())));
    Written written{.again = again};
    written.rows.assign(std::move_iterator(rows->begin() + 1), std::move_iterator(rows->end() - 1));
    return written;
  }
}

}  // namespace parlance::store
