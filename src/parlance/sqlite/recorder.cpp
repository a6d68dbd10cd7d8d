// SPDX-License-Identifier: Apache-2.0
#include "parlance/sqlite/recorder.h"

// Debian's SQLite has the session extension; its header declares it on demand.
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>

#include "parlance/sqlite/double_quoted.h"

namespace parlance::sqlite {
namespace {

struct Key {
  std::vector<std::string> columns{};
  bool may_be_null = false;
};

Key key_of(Connection& connection, std::string_view table) {
  Key key;
  auto statement = connection.own("SELECT name, \"notnull\", type FROM pragma_table_info(?1,'main') WHERE pk>0 ORDER BY pk");
  if (!statement) return key;
  statement->bind(1, table);
  bool integer = false;
  while (statement->row()) {
    key.columns.push_back(statement->text(0));
    key.may_be_null |= statement->integer(1) == 0;
    integer = statement->text(2) == "INTEGER" || statement->text(2) == "integer";
  }
  if (key.columns.size() == 1 && integer) key.may_be_null = false;  // the rowid itself
  return key;
}

bool has_null_key(Connection& connection, std::string_view table, const Key& key) {
  std::string sql = "SELECT 1 FROM main." + double_quoted(table) + " WHERE ";
  for (const std::string& column : key.columns)
    sql += (column == key.columns.front() ? "" : " OR ") + double_quoted(column) + " IS NULL";
  auto statement = connection.own(sql + " LIMIT 1");
  return statement && statement->row();
}

Value value_of(sqlite3_value* value) {
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER: return sqlite3_value_int64(value);
    case SQLITE_FLOAT: return sqlite3_value_double(value);
    case SQLITE_TEXT:
      return std::string(reinterpret_cast<const char*>(sqlite3_value_text(value)),
                         static_cast<std::size_t>(sqlite3_value_bytes(value)));
    case SQLITE_BLOB: {
      const auto* data = static_cast<const char*>(sqlite3_value_blob(value));
      return Blob{data == nullptr ? std::string() : std::string(data, static_cast<std::size_t>(sqlite3_value_bytes(value)))};
    }
    default: return {};
  }
}

class Changes {
 public:
  explicit Changes(const std::string& changeset) {
    // The library reads it only.
    code_ = sqlite3changeset_start(&iterator_, static_cast<int>(changeset.size()), const_cast<char*>(changeset.data()));
  }
  ~Changes() { sqlite3changeset_finalize(iterator_); }
  Changes(const Changes&) = delete;
  Changes& operator=(const Changes&) = delete;
  bool next() {
    return code_ == SQLITE_OK && (code_ = sqlite3changeset_next(iterator_)) == SQLITE_ROW && (code_ = SQLITE_OK, true);
  }
  bool whole() const { return code_ == SQLITE_OK || code_ == SQLITE_DONE; }
  sqlite3_changeset_iter* handle() const { return iterator_; }

 private:
  sqlite3_changeset_iter* iterator_ = nullptr;
  int code_;
};

Value side(int (*get)(sqlite3_changeset_iter*, int, sqlite3_value**), sqlite3_changeset_iter* at, int column, bool& present) {
  sqlite3_value* value = nullptr;
  present = get(at, column, &value) == SQLITE_OK && value != nullptr;
  return present ? value_of(value) : Value{};
}

RowChange row_of(sqlite3_changeset_iter* at, int operation, int columns, const std::vector<std::string>& names) {
  RowChange row{.kind = operation == SQLITE_INSERT   ? RowChange::Kind::inserted
                        : operation == SQLITE_UPDATE ? RowChange::Kind::updated
                                                     : RowChange::Kind::deleted};
  unsigned char* keys = nullptr;
  sqlite3changeset_pk(at, &keys, nullptr);
  for (int i = 0; i < columns; ++i) {
    const auto index = static_cast<std::size_t>(i);
    const std::string name = index < names.size() ? names[index] : "column " + std::to_string(i + 1);
    bool has_old = false;
    bool has_new = false;
    Value old_value = operation == SQLITE_INSERT ? Value{} : side(&sqlite3changeset_old, at, i, has_old);
    Value new_value = operation == SQLITE_DELETE ? Value{} : side(&sqlite3changeset_new, at, i, has_new);
    if (keys != nullptr && keys[i] != 0) row.key.emplace_back(name, has_old ? old_value : new_value);
    const bool unchanged_key = operation == SQLITE_UPDATE && keys != nullptr && keys[i] != 0;
    if (has_old && !unchanged_key) row.before.emplace_back(name, std::move(old_value));
    if (has_new && !unchanged_key) row.after.emplace_back(name, std::move(new_value));
  }
  return row;
}

struct Conflict {
  std::string table{};
  const char* what = nullptr;
};

int on_conflict(void* context, int why, sqlite3_changeset_iter* at) {
  auto& conflict = *static_cast<Conflict*>(context);
  if (conflict.what != nullptr) return SQLITE_CHANGESET_ABORT;
  const char* table = nullptr;
  int columns = 0;
  int operation = 0;
  if (why != SQLITE_CHANGESET_FOREIGN_KEY && sqlite3changeset_op(at, &table, &columns, &operation, nullptr) == SQLITE_OK &&
      table != nullptr)
    conflict.table = table;
  conflict.what = why == SQLITE_CHANGESET_DATA          ? "a row has been changed since"
                  : why == SQLITE_CHANGESET_NOTFOUND    ? "a row no longer exists"
                  : why == SQLITE_CHANGESET_CONFLICT    ? "a row with the same key exists now"
                  : why == SQLITE_CHANGESET_FOREIGN_KEY ? "rows would reference missing rows"
                                                        : "a constraint of the table would be broken";
  return SQLITE_CHANGESET_ABORT;
}

// Triggers and foreign-key actions did their part when the changes were recorded.
class Plain {
 public:
  explicit Plain(sqlite3* handle) : handle_(handle) {
    set(SQLITE_DBCONFIG_ENABLE_TRIGGER, -1, triggers_);
    set(SQLITE_DBCONFIG_ENABLE_FKEY, -1, foreign_keys_);
    int ignored = 0;
    set(SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, ignored);
    set(SQLITE_DBCONFIG_ENABLE_FKEY, 0, ignored);
  }
  ~Plain() {
    int ignored = 0;
    set(SQLITE_DBCONFIG_ENABLE_TRIGGER, triggers_, ignored);
    set(SQLITE_DBCONFIG_ENABLE_FKEY, foreign_keys_, ignored);
  }
  Plain(const Plain&) = delete;
  Plain& operator=(const Plain&) = delete;

 private:
  void set(int option, int on, int& was) { sqlite3_db_config(handle_, option, on, &was); }
  sqlite3* handle_;
  int triggers_ = 1;
  int foreign_keys_ = 0;
};

}  // namespace

Recorder::Recorder(Connection& connection, std::size_t most_bytes) : connection_(connection), most_bytes_(most_bytes) {
  sqlite3* const db = connection.handle();
  if (sqlite3session_create(db, "main", &session_) != SQLITE_OK) session_ = nullptr;
  if (session_ != nullptr) {
    sqlite3session_table_filter(session_, &Recorder::wants, this);
    sqlite3session_attach(session_, nullptr);
  }
  auto shadows = connection.own("SELECT name FROM pragma_table_list WHERE schema='main' AND type='shadow'");
  while (shadows && shadows->row()) behind_.insert(shadows->text(0));
  sqlite3_update_hook(db, &Recorder::on_update, this);
  connection.watch(this);
}

Recorder::~Recorder() {
  connection_.watch(nullptr);
  sqlite3_update_hook(connection_.handle(), nullptr, nullptr);
  if (session_ != nullptr) sqlite3session_delete(session_);
}

int Recorder::wants(void* self, const char* table) { return static_cast<Recorder*>(self)->behind_.contains(table) ? 0 : 1; }

void Recorder::on_update(void* self, int, const char* database, const char* table, long long) {
  if (std::string_view(database) == "main") static_cast<Recorder*>(self)->changed_.insert(table);
}

void Recorder::before_statement() {
  const Gate& gate = connection_.gate();
  schema_changed_ |= gate.seen.schema_change;
  settings_changed_ |= gate.seen.pragma == Gate::Seen::Pragma::changes;
  const std::set<std::string> tables = gate.changed_tables;  // a copy: the statements below change the gate's set
  for (const std::string& table : tables) {
    const Key key = key_of(connection_, table);
    if (!key.may_be_null) continue;
    if (has_null_key(connection_, table, key)) null_keys_.insert(table);
  }
}

void Recorder::check() {
  if (overflowed_ || session_ == nullptr) return;
  if (sqlite3session_memory_used(session_) <= static_cast<std::int64_t>(most_bytes_)) return;
  overflowed_ = true;
  sqlite3session_enable(session_, 0);
}

Recording Recorder::finish() {
  Recording recording;
  check();
  // The extension reads the rows again by statements of its own.
  const Gate::Mode mode = std::exchange(connection_.gate().mode, Gate::Mode::own);
  recording.changes_settings = settings_changed_;
  if (schema_changed_) recording.missing.push_back("the schema changes, which cannot be recorded");
  if (overflowed_) recording.missing.push_back("more is changed than can be recorded");
  for (const std::string& table : changed_) {
    if (behind_.contains(table)) {
      recording.missing.push_back("table " + table + " stands behind a virtual table");
      continue;
    }
    const Key key = key_of(connection_, table);
    if (key.columns.empty()) {
      recording.missing.push_back("table " + table + " has no primary key");
      continue;
    }
    if (key.may_be_null) {
      if (null_keys_.contains(table) || has_null_key(connection_, table, key))
        recording.missing.push_back("table " + table + " has rows with a NULL primary key");
    }
  }
  int size = 0;
  void* bytes = nullptr;
  const int code = session_ == nullptr ? SQLITE_ERROR
                   : overflowed_       ? SQLITE_OK
                                       : sqlite3session_changeset(session_, &size, &bytes);
  if (code != SQLITE_OK)
    recording.missing.push_back("the changes cannot be recorded (generated columns, or a changed table definition)");
  else if (bytes != nullptr) recording.changeset.assign(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
  sqlite3_free(bytes);
  connection_.gate().mode = mode;
  return recording;
}

Outcome<std::vector<TableChange>> describe(Connection& connection, const std::string& changeset, std::size_t most_rows) {
  std::vector<TableChange> tables;
  std::vector<std::string> names;
  std::size_t rows = 0;
  Changes changes(changeset);
  while (changes.next()) {
    const char* table = nullptr;
    int columns = 0;
    int operation = 0;
    sqlite3changeset_op(changes.handle(), &table, &columns, &operation, nullptr);
    if (tables.empty() || tables.back().name != table) {
      tables.push_back({.name = table});
      names.clear();
      PARLANCE_TRY(statement, connection.own("SELECT name FROM pragma_table_info(?1,'main') ORDER BY cid"));
      statement.bind(1, table);
      while (statement.row()) names.push_back(statement.text(0));
    }
    TableChange& change = tables.back();
    ++(operation == SQLITE_INSERT ? change.inserted : operation == SQLITE_UPDATE ? change.updated : change.deleted);
    if (rows++ < most_rows) change.rows.push_back(row_of(changes.handle(), operation, columns, names));
  }
  if (!changes.whole()) return fail(Fault::internal, "an unreadable changeset");
  return tables;
}

Outcome<std::string> inverse_of(const std::string& changeset) {
  int size = 0;
  void* bytes = nullptr;
  const int code = sqlite3changeset_invert(static_cast<int>(changeset.size()), changeset.data(), &size, &bytes);
  std::string inverse(static_cast<const char*>(bytes), code == SQLITE_OK ? static_cast<std::size_t>(size) : 0U);
  sqlite3_free(bytes);
  if (code != SQLITE_OK) return fail(Fault::internal, "a changeset without an inverse");
  return inverse;
}

Outcome<std::int64_t> apply(Connection& connection, Run& run, const std::string& changeset) {
  const Connection::Using under(connection, run, Gate::Mode::own);
  PARLANCE_TRY_DO(connection.still_going());
  const Plain plain(connection.handle());
  PARLANCE_TRY_DO(connection.execute_own("BEGIN IMMEDIATE"));
  const std::int64_t before = sqlite3_total_changes64(connection.handle());
  Conflict conflict;
  int code = sqlite3changeset_apply(connection.handle(), static_cast<int>(changeset.size()), const_cast<char*>(changeset.data()),
                                    nullptr, &on_conflict, &conflict);
  Outcome<> done{};
  if (conflict.what != nullptr) {
    Failure failure{
        .fault = Fault::sql_error, .message = std::string(conflict.what), .sqlite_code = SQLITE_ABORT, .hint = "conflict"};
    if (!conflict.table.empty()) failure.message = "table " + conflict.table + ": " + failure.message;
    failure.message += "; nothing was changed";
    done = std::unexpected(std::move(failure));
  } else if (code != SQLITE_OK) {
    done = std::unexpected(connection.failure(code));
  }
  const std::int64_t changes = sqlite3_total_changes64(connection.handle()) - before;
  if (done) done = connection.still_going();
  if (done) done = connection.execute_own("COMMIT");
  if (!done) {
    if (sqlite3_get_autocommit(connection.handle()) == 0) static_cast<void>(connection.execute_own("ROLLBACK"));
    return std::unexpected(std::move(done).error());
  }
  return changes;
}

}  // namespace parlance::sqlite
