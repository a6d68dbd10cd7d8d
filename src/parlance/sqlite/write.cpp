// SPDX-License-Identifier: Apache-2.0
#include "parlance/sqlite/write.h"

#include <sqlite3.h>

#include "parlance/sqlite/recorder.h"

namespace parlance::sqlite {
namespace {

// Steps a statement to its end and adds its effect.
Outcome<> step_through(Connection& connection, Statement& statement, const WriteRequest& request, RowSink& sink,
                       WriteResult& result) {
  sqlite3* const db = connection.handle();
  const std::int64_t total = sqlite3_total_changes64(db);
  if (sqlite3_column_count(statement.handle()) != 0) {
    PARLANCE_TRY(page, fetch(connection, statement, request.limits, sink, true));
    result.result = std::move(page);
  } else {
    int code = SQLITE_ROW;
    while (code == SQLITE_ROW) code = sqlite3_step(statement.handle());
    if (code != SQLITE_DONE) return std::unexpected(connection.failure(code));
  }
  // `changes` keeps its old value after statements without a changed row.
  const std::int64_t moved = sqlite3_total_changes64(db) - total;
  if (moved != 0) result.changes += sqlite3_changes64(db);
  result.total_changes += moved;
  return {};
}

Failure numbered(Failure failure, int statement, bool several) {
  if (several) failure.statement = statement;
  return failure;
}

class Transaction {
 public:
  explicit Transaction(Connection& connection) : connection_(connection) {}
  ~Transaction() {
    if (sqlite3_get_autocommit(connection_.handle()) == 0) static_cast<void>(connection_.execute_own("ROLLBACK"));
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

 private:
  Connection& connection_;
};

Outcome<> no_transaction_left(Connection& connection) {
  if (sqlite3_get_autocommit(connection.handle()) != 0) return {};
  static_cast<void>(connection.execute_own("ROLLBACK"));
  return fail(Fault::internal, "a transaction was left open and has been rolled back");
}

}  // namespace

Outcome<WriteResult> write_statements(Connection& connection, const WriteRequest& request, RowSink& sink, bool several) {
  WriteResult result;
  Gate& gate = connection.gate();
  gate.several = several;
  std::string_view rest = request.sql;
  for (int number = 1; !is_blank(rest); ++number) {
    gate.vacuum = begins_with_word(rest, "VACUUM");
    auto prepared = connection.prepare(rest);
    if (!prepared) return std::unexpected(numbered(std::move(prepared).error(), number, several));
    rest = prepared->rest;
    if (!prepared->statement) continue;
    if (several && sqlite3_bind_parameter_count(prepared->statement.handle()) != 0)
      return std::unexpected(
          numbered({.fault = Fault::invalid_request, .message = "parameters need a single statement"}, number, several));
    if (!several) PARLANCE_TRY_DO(connection.bind(prepared->statement, request.parameters));
    if (StatementWatch* const watch = connection.watch()) watch->before_statement();
    if (auto done = step_through(connection, prepared->statement, request, sink, result); !done)
      return std::unexpected(numbered(std::move(done).error(), number, several));
  }
  if (const std::int64_t row = sqlite3_last_insert_rowid(connection.handle()); row != 0) result.last_insert_rowid = row;
  return result;
}

Outcome<WriteResult> write(Connection& connection, Run& run, const WriteRequest& request, RowSink& sink) {
  const Connection::Using under(connection, run, Gate::Mode::write);
  if (is_blank(request.sql)) return fail(Fault::invalid_request, "empty statement");
  Gate& gate = connection.gate();
  sqlite3_set_last_insert_rowid(connection.handle(), 0);

  bool several = false;
  bool writes = false;
  bool returns_rows = false;
  {
    gate.vacuum = begins_with_word(request.sql, "VACUUM");
    several = count_statements(request.sql) > 1;
    gate.several = several;
    auto first = connection.prepare(request.sql);
    if (!first) return std::unexpected(numbered(std::move(first).error(), 1, several));
    several = !is_blank(first->rest);
    writes = first->statement && sqlite3_stmt_readonly(first->statement.handle()) == 0;
    returns_rows = writes && sqlite3_column_count(first->statement.handle()) != 0 && gate.seen.pragma == Gate::Seen::Pragma::none;
  }
  if (several && request.parameters.given) return fail(Fault::invalid_request, "parameters need a single statement");
  if (!several && !returns_rows) {
    auto result = write_statements(connection, request, sink, false);
    if (auto clean = no_transaction_left(connection); !clean && result) return std::unexpected(std::move(clean).error());
    return result;
  }

  // An abandoned statement with RETURNING would be committed, and several statements form one transaction. Begins with a write
  // lock if the first statement writes: a transaction that reads first is refused, instead of waiting, after another program's
  // write.
  PARLANCE_TRY_DO(connection.execute_own(writes ? "BEGIN IMMEDIATE" : "BEGIN"));
  const Transaction transaction(connection);
  auto result = write_statements(connection, request, sink, several);
  if (!result) return result;
  PARLANCE_TRY_DO(connection.still_going());
  if (sqlite3_get_autocommit(connection.handle()) != 0)  // a trigger's RAISE(ROLLBACK), a full disk
    return fail(Fault::sql_error, "the database rolled the transaction back");
  PARLANCE_TRY_DO(connection.execute_own("COMMIT"));
  return result;
}

}  // namespace parlance::sqlite
