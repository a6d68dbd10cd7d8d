// SPDX-License-Identifier: Apache-2.0
#include "parlance/sqlite/query.h"

#include <algorithm>
#include <cmath>
#include <strings.h>
#include <unordered_set>

#include <sqlite3.h>

#include "parlance/base/utf8.h"
#include "parlance/sqlite/limits.h"

namespace parlance::sqlite {
namespace {

constexpr std::int64_t safe_integer = (std::int64_t{1} << 53) - 1;

// SQLite's own naming for such a SELECT as a subquery: x, x:1, x:2. Exact, so that x and X stay apart. Names are compared in
// their JSON form: two names outside UTF-8 can become equal.
std::vector<Column> columns_of(sqlite3_stmt* statement) {
  const int count = sqlite3_column_count(statement);
  std::vector<Column> columns(static_cast<std::size_t>(count));
  std::unordered_set<std::string> taken;
  for (int i = 0; i < count; ++i) {
    const char* const name = sqlite3_column_name(statement, i);
    columns[static_cast<std::size_t>(i)].name = to_valid_utf8(name == nullptr ? "" : name);
    if (const char* const type = sqlite3_column_decltype(statement, i)) columns[static_cast<std::size_t>(i)].declared_type = type;
  }
  for (const Column& column : columns) taken.insert(column.name);
  if (taken.size() == columns.size()) return columns;
  std::unordered_set<std::string> seen;
  for (Column& column : columns) {
    if (seen.insert(column.name).second) continue;
    column.original_name = column.name;
    for (int number = 1;; ++number) {
      column.name = column.original_name + ":" + std::to_string(number);
      if (!taken.contains(column.name) && seen.insert(column.name).second) break;
    }
  }
  return columns;
}

// A row as cells; returns the sum of their bytes.
class Cells {
 public:
  explicit Cells(std::size_t count) : cells_(count) {}

  std::size_t fill(sqlite3_stmt* statement) {
    std::size_t bytes = 0;
    unsafe = false;
    infinite = -1;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      Cell& cell = cells_[i];
      // One look-up for each cell; such a value is valid on its connection's own thread until the next step.
      sqlite3_value* const value = sqlite3_column_value(statement, static_cast<int>(i));
      switch (sqlite3_value_type(value)) {
        case SQLITE_INTEGER:
          cell.kind = Kind::integer;
          cell.integer = sqlite3_value_int64(value);
          unsafe |= cell.integer > safe_integer || cell.integer < -safe_integer;
          break;
        case SQLITE_FLOAT:
          cell.kind = Kind::real;
          cell.real = sqlite3_value_double(value);
          if (!std::isfinite(cell.real) && infinite < 0) infinite = static_cast<int>(i);
          break;
        case SQLITE_TEXT: {
          cell.kind = Kind::text;
          const auto* data = reinterpret_cast<const char*>(sqlite3_value_text(value));
          bytes += put(cell, data, sqlite3_value_bytes(value));
          break;
        }
        case SQLITE_BLOB: {
          cell.kind = Kind::blob;
          const auto* data = static_cast<const char*>(sqlite3_value_blob(value));
          bytes += put(cell, data, sqlite3_value_bytes(value));
          break;
        }
        default: cell.kind = Kind::null; break;
      }
    }
    return bytes;
  }

  // A row beyond the limit of a result keeps the beginning of its large cells.
  std::uint64_t cut() {
    std::uint64_t count = 0;
    for (Cell& cell : cells_) {
      if ((cell.kind != Kind::text && cell.kind != Kind::blob) || cell.size <= limits::sqlite_cut_bytes) continue;
      cell.cut = true;
      cell.bytes = cell.bytes.substr(0, limits::sqlite_cut_bytes);
      ++count;
    }
    return count;
  }

  std::span<const Cell> view() const { return cells_; }
  bool unsafe = false;
  int infinite = -1;  // column

 private:
  static std::size_t put(Cell& cell, const char* data, int size) {
    cell.cut = false;
    cell.size = data == nullptr ? 0 : static_cast<std::uint64_t>(size);
    cell.bytes = {data == nullptr ? "" : data, static_cast<std::size_t>(cell.size)};
    return static_cast<std::size_t>(cell.size);
  }
  std::vector<Cell> cells_;
};

// JSON has no number for a value of this row.
Failure not_finite(const Page& page, const Cells& cells) {
  const auto column = static_cast<std::size_t>(cells.infinite);
  Failure failure{.fault = Fault::invalid_number};
  failure.column = page.columns[column].name;
  failure.row = static_cast<std::int64_t>(page.rows);
  failure.value = cells.view()[column].real > 0 ? "Infinity" : "-Infinity";
  failure.message = "non-finite REAL in column " + failure.column;
  return failure;
}

const char* after_blank(const char* at, const char* end, bool semicolons) {
  for (;;) {
    while (at != end && (*at == ' ' || (*at >= '\t' && *at <= '\r') || (semicolons && *at == ';'))) ++at;
    if (end - at >= 2 && at[0] == '-' && at[1] == '-') {
      at = std::find(at, end, '\n');
    } else if (end - at >= 2 && at[0] == '/' && at[1] == '*') {
      const std::string_view left(at + 2, static_cast<std::size_t>(end - at - 2));
      const std::size_t close = left.find("*/");
      at = close == std::string_view::npos ? end : at + 2 + close + 2;  // SQLite accepts an open comment too
    } else if (end - at >= 3 && std::string_view(at, 3) == "\xEF\xBB\xBF") {
      at += 3;
    } else {
      return at;
    }
  }
}

}  // namespace

bool is_blank(std::string_view sql) { return after_blank(sql.data(), sql.data() + sql.size(), true) == sql.data() + sql.size(); }

bool begins_with_word(std::string_view sql, std::string_view word) {
  const char* const end = sql.data() + sql.size();
  const char* const at = after_blank(sql.data(), end, true);
  const auto left = static_cast<std::size_t>(end - at);
  if (left < word.size() || ::strncasecmp(at, word.data(), word.size()) != 0) return false;
  return left == word.size() || (std::isalnum(static_cast<unsigned char>(at[word.size()])) == 0 && at[word.size()] != '_');
}

int count_statements(std::string_view sql) {
  const char* at = sql.data();
  const char* const end = at + sql.size();
  int count = 0;
  for (;;) {
    at = after_blank(at, end, true);
    if (at == end) return count;
    ++count;
    while (at != end && *at != ';') {
      const char quote = *at == '[' ? ']' : *at;
      if (quote == '\'' || quote == '"' || quote == '`' || quote == ']') {
        at = std::find(at + 1, end, quote);
        if (at != end) ++at;
      } else if (const char* const next = after_blank(at, end, false); next != at) {
        at = next;
      } else {
        ++at;
      }
    }
  }
}

Outcome<Page> fetch(Connection& connection, Statement& statement, const PageLimits& limits, RowSink& sink, bool to_its_end) {
  sqlite3_stmt* const handle = statement.handle();
  int code = sqlite3_step(handle);
  // The first step compiles a kept statement again after a change of the schema.
  Page page{.columns = columns_of(handle)};
  sink.begin(page.columns);
  Cells cells(page.columns.size());
  std::size_t untyped = page.columns.size();
  std::uint64_t skip = limits.offset;
  bool full = false;
  const auto stop_here = [&] {
    full = page.truncated = true;
    page.next_offset = limits.offset + page.rows;
  };
  for (;; code = sqlite3_step(handle)) {
    if (code == SQLITE_DONE) break;
    if (code != SQLITE_ROW) return std::unexpected(connection.failure(code));
    if (full) continue;
    if (skip != 0) {
      --skip;
      continue;
    }
    if (page.rows == limits.limit) {
      stop_here();
      if (to_its_end) continue;
      break;
    }
    const std::size_t bytes = cells.fill(handle);
    if (cells.infinite >= 0 && !limits.infinities) return std::unexpected(not_finite(page, cells));
    bool written = bytes <= limits.bytes;
    if (written) {
      sink.row(cells.view());
      if (sink.bytes() > limits.bytes) {
        sink.take_back();
        written = false;
      }
    }
    if (!written) {
      if (page.rows != 0) {
        stop_here();
        if (to_its_end) continue;
        break;
      }
      page.truncated_cells = cells.cut();
      sink.row(cells.view());
    }
    ++page.rows;
    page.unsafe_integers |= cells.unsafe;
    for (std::size_t i = 0; untyped != 0 && i < page.columns.size(); ++i) {
      const Kind kind = cells.view()[i].kind;
      if (page.columns[i].type != Kind::null || kind == Kind::null) continue;
      page.columns[i].type = kind;
      --untyped;
    }
  }
  return page;
}

namespace {

// Prepares a client's statement and checks it against every rule of the gate. `keep`: the statement can be reused.
Outcome<Statement> admit(Connection& connection, std::string_view sql, bool& keep) {
  PARLANCE_TRY(prepared, connection.prepare(sql));
  if (!prepared.statement) return fail(Fault::invalid_request, "empty statement");
  if (!is_blank(prepared.rest)) {
    Failure failure{.fault = Fault::invalid_request, .message = "query takes exactly one statement"};
    failure.statements = count_statements(sql);
    return std::unexpected(std::move(failure));
  }
  sqlite3_stmt* const statement = prepared.statement.handle();
  const Gate& gate = connection.gate();
  const bool reads = sqlite3_stmt_readonly(statement) != 0;
  if (!reads) {
    // SQLite counts journal_mode as a write, but without an argument it only reads.
    const bool only_reads_mode = gate.seen.pragma == Gate::Seen::Pragma::reads_journal_mode && !gate.seen.change;
    if (!only_reads_mode) return fail(Fault::not_readonly, "statement is not read-only");
  }
  if (sqlite3_stmt_isexplain(statement) != 0 && gate.seen.change && !reads)
    return fail(Fault::not_readonly, "statement is not read-only");
  keep = reads && !gate.seen.change && gate.seen.pragma == Gate::Seen::Pragma::none && !connection.old_quotes_in_use();
  return std::move(prepared.statement);
}

}  // namespace

Outcome<Page> read(Connection& connection, Run& run, const ReadRequest& request, RowSink& sink) {
  const Connection::Using under(connection, run, Gate::Mode::read);
  PARLANCE_TRY_DO(connection.still_going());
  bool keep = true;
  // A page may end in the middle of a statement; ending the statement here ends the read transaction.
  Statement statement = connection.take_kept(request.sql);
  if (!statement) {
    PARLANCE_TRY(admitted, admit(connection, request.sql, keep));
    statement = std::move(admitted);
  }
  PARLANCE_TRY_DO(connection.bind(statement, request.parameters));
  auto page = fetch(connection, statement, request.limits, sink, false);
  if (page && keep) connection.keep(request.sql, std::move(statement));
  return page;
}

}  // namespace parlance::sqlite
