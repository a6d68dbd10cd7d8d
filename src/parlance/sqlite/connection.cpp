// SPDX-License-Identifier: Apache-2.0
#include "parlance/sqlite/connection.h"

#include <algorithm>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <thread>
#include <unistd.h>

#include <sqlite3.h>

#include "parlance/sqlite/limits.h"

namespace parlance::sqlite {

namespace {

// Reads the header of SQLite's open file: a second open and close would release this process's locks.
bool is_wal(sqlite3* handle) {
  sqlite3_file* file = nullptr;
  constexpr sqlite3_int64 format_versions = 18;  // for writing and for reading; 2: WAL
  unsigned char versions[2]{};
  return sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, static_cast<void*>(&file)) == SQLITE_OK &&
         file != nullptr && file->pMethods != nullptr &&
         file->pMethods->xRead(file, versions, sizeof versions, format_versions) == SQLITE_OK && versions[1] == 2;
}

bool exists(const std::string& path) {
  struct stat about{};
  return ::lstat(path.c_str(), &about) == 0;
}

// A WAL database without a WAL: reading would need a -shm file that cannot be created, or that would lock out the owner.
bool needs_immutable(const PinnedFile& file, const ConnectionSettings& settings) {
  if (exists(file.path() + "-wal")) return false;
  struct statvfs mount{};
  if (::fstatvfs(file.descriptor(), &mount) == 0 && (mount.f_flag & ST_RDONLY) != 0) return true;
  struct stat about{};
  const uid_t self = ::geteuid();
  return settings.leaves_no_files && self != 0 && ::fstat(file.descriptor(), &about) == 0 && about.st_uid != self;
}

int open_handle(const PinnedFile& file, int flags, bool immutable, sqlite3** handle) {
  const PinnedFile::Opening opening;
  if (!immutable) return sqlite3_open_v2(file.path().c_str(), handle, flags, "unix");
  std::string uri = "file:";
  for (const char c : file.path()) {
    if (c == '%' || c == '?' || c == '#') uri += c == '%' ? "%25" : c == '?' ? "%3f" : "%23";
    else uri += c;
  }
  return sqlite3_open_v2((uri + "?immutable=1").c_str(), handle, flags | SQLITE_OPEN_URI, "unix");
}

constexpr std::size_t kept_text_bytes =
    16 << 10;  // longer statements are not kept: their preparation is a small part of their cost

}  // namespace

// ---- Statement -----------------------------------------------------------------------------------------------------------

Statement::~Statement() { sqlite3_finalize(handle_); }

Statement& Statement::bind(int index, std::int64_t value) {
  sqlite3_bind_int64(handle_, index, value);
  return *this;
}
Statement& Statement::bind(int index, std::string_view value) {
  sqlite3_bind_text64(handle_, index, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}
bool Statement::row() { return sqlite3_step(handle_) == SQLITE_ROW; }
std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(handle_, column); }
std::string Statement::text(int column) const { return text_or_null(column).value_or(""); }
std::optional<std::string> Statement::text_or_null(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column));
  if (text == nullptr) return std::nullopt;
  return std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column)));
}

// ---- opening -------------------------------------------------------------------------------------------------------------

Outcome<std::unique_ptr<Connection>> Connection::open(const PinnedFile& file, Use use, const ConnectionSettings& settings,
                                                      Run& run) {
  sqlite3* handle = nullptr;
  const int flags = (use == Use::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) | SQLITE_OPEN_NOFOLLOW |
                    SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  int code = open_handle(file, flags, false, &handle);
  const bool immutable = code == SQLITE_OK && use == Use::read && is_wal(handle) && needs_immutable(file, settings);
  if (immutable) {
    sqlite3_close_v2(handle);
    code = open_handle(file, flags, true, &handle);
  }
  std::unique_ptr<Connection> connection(new Connection(handle, use, settings));
  connection->immutable_ = immutable;
  if (code == SQLITE_OK) connection->harden();
  const Using under(*connection, run, Gate::Mode::own);
  // Any file opens; the first read detects a file that is not a database.
  if (code == SQLITE_OK) {
    const bool wal = is_wal(handle);
    auto first = connection->own("SELECT count(*) FROM sqlite_schema");
    if (!first) return std::unexpected(open_failure(first.error(), file.path(), wal));
    code = sqlite3_step(first->handle());
    if (code == SQLITE_ROW) code = SQLITE_OK;
    if (code != SQLITE_OK) {
      Failure failure = connection->failure(code);
      if (failure.fault != Fault::sql_error) return std::unexpected(std::move(failure));
      return std::unexpected(open_failure(std::move(failure), file.path(), wal));
    }
  } else {
    return std::unexpected(open_failure(connection->failure(code), file.path(), false));
  }
  if (!file.still_there()) {
    Failure failure{.fault = Fault::path_not_allowed, .message = "the path was changed while it was opened"};
    return std::unexpected(std::move(failure));
  }
  return connection;
}

Connection::~Connection() {
  kept_ = Statement();
  sqlite3_close_v2(handle_);
}

void Connection::keep_wal() {
  int was = 0;
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, &was);
}

void Connection::forget_pages() {
  kept_ = Statement();
  sqlite3_db_release_memory(handle_);
}

void Connection::harden() {
  sqlite3* const db = handle_;
  const bool reads = use_ == Use::read;
  int was = 0;
  sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, &was);
  sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, &was);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, &was);
  // "nosuchcolumn" in double quotes would silently be a text: a typing mistake should be an error. Existing schemas keep their
  // meaning.
  sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, &was);
  if (reads) sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, &was);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FKEY, settings_.foreign_keys ? 1 : 0, &was);
  sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, reads ? 0 : 1);  // VACUUM needs an attached database
  if (reads) sqlite3_limit(db, SQLITE_LIMIT_LENGTH, limits::sqlite_cell_bytes);
  sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, reads ? limits::sqlite_read_sql_bytes : limits::sqlite_write_sql_bytes);
  sqlite3_limit(db, SQLITE_LIMIT_VDBE_OP, limits::sqlite_program_steps);
  sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, limits::sqlite_expression_depth);
  sqlite3_limit(db, SQLITE_LIMIT_TRIGGER_DEPTH, limits::sqlite_trigger_depth);
  sqlite3_limit(db, SQLITE_LIMIT_WORKER_THREADS, 0);
  sqlite3_progress_handler(db, limits::sqlite_progress_steps, &Connection::on_progress, this);
  sqlite3_busy_handler(db, &Connection::on_busy, this);
  if (!reads) sqlite3_commit_hook(db, &Connection::on_commit, this);
  gate_.install(db);
  static_cast<void>(execute_own("PRAGMA cell_size_check=1; PRAGMA mmap_size=0"));
  if (reads) static_cast<void>(execute_own("PRAGMA query_only=1; PRAGMA temp_store=MEMORY"));
}

Failure open_failure(Failure failure, const std::string& path, bool wal) {
  if (failure.fault != Fault::sql_error) return failure;
  // Locked by another program: temporary, and not a fault of the file.
  if (failure.sqlite_code == SQLITE_BUSY || failure.sqlite_code == SQLITE_LOCKED) return failure;
  failure.fault = Fault::open_failed;
  const bool has_wal = exists(path + "-wal");
  switch (failure.sqlite_extended_code.value_or(0)) {
    case SQLITE_READONLY_ROLLBACK: failure.hint = "hot-journal"; break;
    case SQLITE_READONLY_RECOVERY:
    case SQLITE_READONLY_CANTINIT:
    case SQLITE_READONLY_DIRECTORY: failure.hint = "wal-readonly-directory"; break;
    default:
      // The same on read-only media: SQLite has no separate error.
      if (failure.sqlite_code == SQLITE_CANTOPEN && (has_wal || wal)) failure.hint = "wal-readonly-directory";
  }
  if (failure.hint == "hot-journal")
    failure.message = "a program ended in the middle of a write; the database must be opened for writing once to undo that";
  else if (failure.hint == "wal-readonly-directory")
    failure.message = "the database is in WAL mode, and its folder cannot be written";
  return failure;
}

void limit_heap() {
  sqlite3_soft_heap_limit64(limits::sqlite_soft_heap_bytes);
  sqlite3_hard_heap_limit64(limits::sqlite_hard_heap_bytes);
}

std::string library_version() { return sqlite3_libversion(); }

// ---- running --------------------------------------------------------------------------------------------------------------

Connection::Using::Using(Connection& connection, Run& run, Gate::Mode mode) : connection_(connection) {
  connection.run_ = &run;
  connection.gate_.mode = mode;
  connection.gate_.inner_writes = connection.gate_.vacuum = connection.gate_.several = false;
  connection.gate_.clear();
  if (connection.handle_ != nullptr) run.attach(connection.handle_);
}

Connection::Using::~Using() {
  connection_.run_->detach();
  connection_.run_ = nullptr;
  connection_.gate_.mode = Gate::Mode::own;
  connection_.old_quotes(false);
}

int Connection::on_progress(void* self) {
  const auto& connection = *static_cast<Connection*>(self);
  if (connection.watch_ != nullptr) connection.watch_->check();
  return connection.run_ == nullptr || connection.run_->may_go_on() ? 0 : 1;
}

// SQLite's own busy handler checks neither the deadline nor an interrupt.
int Connection::on_busy(void* self, int tries) {
  auto& connection = *static_cast<Connection*>(self);
  const TimePoint now = Clock::now();
  if (tries == 0) connection.busy_since_ = now;
  const auto patience = connection.use_ == Use::read ? connection.settings_.read_busy : connection.settings_.write_busy;
  if (now - connection.busy_since_ >= patience) return 0;
  if (connection.run_ != nullptr && !connection.run_->may_go_on()) return 0;
  std::this_thread::sleep_for(tries < 3 ? std::chrono::milliseconds(1) : limits::sqlite_busy_pause);
  return 1;
}

int Connection::on_commit(void* self) {
  Run* const run = static_cast<Connection*>(self)->run_;
  return run == nullptr || run->begin_commit() ? 0 : 1;
}

Outcome<> Connection::still_going() {
  if (run_ == nullptr || run_->may_go_on()) return {};
  return std::unexpected(failure(SQLITE_INTERRUPT));
}

Failure Connection::failure(int code) {
  Failure failure = sql_failure(handle_, code);
  const Run::State state = run_ == nullptr ? Run::State::going : run_->state();
  const int primary = code & 0xff;
  const bool stopped = primary == SQLITE_INTERRUPT || primary == SQLITE_BUSY || primary == SQLITE_ABORT ||
                       (code & 0xffff) == SQLITE_CONSTRAINT_COMMITHOOK;
  if (stopped && state == Run::State::timed_out)
    return {.fault = Fault::timeout, .message = "timed out", .sqlite_code = SQLITE_INTERRUPT};
  if (stopped && state == Run::State::cancelled)
    return {.fault = Fault::cancelled, .message = "cancelled", .sqlite_code = SQLITE_INTERRUPT};
  if (!gate_.denial.empty() && (primary == SQLITE_AUTH || primary == SQLITE_ERROR))
    return {.fault = gate_.fault, .message = gate_.denial};
  return failure;
}

// ---- statements -------------------------------------------------------------------------------------------------------------

Outcome<Prepared> Connection::prepare(std::string_view text) {
  PARLANCE_TRY_DO(still_going());
  if (text.find('\0') != std::string_view::npos) return fail(Fault::invalid_request, "the SQL text contains a NUL");
  const auto attempt = [&](int& code) {
    gate_.clear();
    sqlite3_stmt* made = nullptr;
    const char* tail = nullptr;
    code = sqlite3_prepare_v3(handle_, text.data(), static_cast<int>(text.size()), 0, &made, &tail);
    Prepared prepared{.statement = Statement(made)};
    if (tail != nullptr) prepared.rest = text.substr(static_cast<std::size_t>(tail - text.data()));
    return prepared;
  };
  int code = SQLITE_OK;
  old_quotes(false);
  Prepared prepared = attempt(code);
  if (code == SQLITE_AUTH && use_ == Use::read && !gate_.denied_table.empty() && is_shadow_table(gate_.denied_table)) {
    gate_.inner_writes = true;
    prepared = attempt(code);
  }
  if (code == SQLITE_ERROR) {
    constexpr std::string_view unknown = "no such column: ";
    const std::string message = sqlite3_errmsg(handle_);
    if (message.starts_with(unknown) && text.find("\"" + message.substr(unknown.size()) + "\"") == std::string_view::npos) {
      // Not a mistake of the client: a view of the database contains texts in double quotes. The setting stays until the
      // statement has run: a change makes SQLite prepare the statement again.
      old_quotes(true);
      prepared = attempt(code);
    }
  }
  if (code != SQLITE_OK) return std::unexpected(failure(code));
  return prepared;
}

Statement Connection::take_kept(std::string_view text) {
  if (!kept_ || text != kept_text_) return Statement();
  return std::exchange(kept_, Statement());
}

void Connection::keep(std::string_view text, Statement statement) {
  if (text.size() > kept_text_bytes) return;
  // Its values may be large, and its end is the end of the read transaction.
  sqlite3_reset(statement.handle());
  sqlite3_clear_bindings(statement.handle());
  kept_text_ = text;
  kept_ = std::move(statement);
}

void Connection::old_quotes(bool on) {
  if (std::exchange(old_quotes_, on) == on) return;
  int was = 0;
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_DQS_DML, on ? 1 : 0, &was);
}

// Of an R-Tree or FTS table. A client's statement that writes to such a table is still refused: the statement is not read-only.
bool Connection::is_shadow_table(const std::string& name) {
  auto statement = own("SELECT 1 FROM pragma_table_list WHERE type='shadow' AND name=?1");
  return statement && statement->bind(1, name).row();
}

Outcome<Statement> Connection::own(std::string_view sql) {
  const Gate::Mode mode = std::exchange(gate_.mode, Gate::Mode::own);
  sqlite3_stmt* made = nullptr;
  const int code = sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()), 0, &made, nullptr);
  gate_.mode = mode;
  if (code != SQLITE_OK) return std::unexpected(failure(code));
  return Statement(made);
}

Outcome<> Connection::execute_own(std::string_view sql) {
  const Gate::Mode mode = std::exchange(gate_.mode, Gate::Mode::own);
  const int code = sqlite3_exec(handle_, std::string(sql).c_str(), nullptr, nullptr, nullptr);
  gate_.mode = mode;
  if (code != SQLITE_OK) return std::unexpected(failure(code));
  return {};
}

// ---- parameters --------------------------------------------------------------------------------------------------------------

namespace {

int bind_value(sqlite3_stmt* statement, int index, const Value& value) {
  const auto some = [](const std::string& bytes) { return bytes.data() == nullptr ? "" : bytes.data(); };
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return sqlite3_bind_int64(statement, index, *integer);
  if (const auto* real = std::get_if<double>(&value)) return sqlite3_bind_double(statement, index, *real);
  if (const auto* text = std::get_if<std::string>(&value))
    return sqlite3_bind_text64(statement, index, some(*text), text->size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  if (const auto* blob = std::get_if<Blob>(&value))
    return sqlite3_bind_blob64(statement, index, some(blob->bytes), blob->bytes.size(), SQLITE_TRANSIENT);
  return sqlite3_bind_null(statement, index);
}

bool same_name(std::string_view asked, std::string_view declared) {
  return asked == declared || asked == declared.substr(1);  // :name, @name, $name
}

}  // namespace

Outcome<> Connection::bind(Statement& statement, const Parameters& parameters) {
  sqlite3_stmt* const handle = statement.handle();
  const int count = sqlite3_bind_parameter_count(handle);
  const auto put = [&](int index, const Value& value) -> Outcome<> {
    if (const int code = bind_value(handle, index, value); code != SQLITE_OK) return std::unexpected(failure(code));
    return {};
  };
  if (!parameters.named) {
    if (parameters.in_order.size() != static_cast<std::size_t>(count))
      return fail(Fault::invalid_request, "the statement has " + std::to_string(count) + " parameters, given are " +
                                              std::to_string(parameters.in_order.size()));
    for (int i = 0; i < count; ++i) PARLANCE_TRY_DO(put(i + 1, parameters.in_order[static_cast<std::size_t>(i)]));
    return {};
  }
  std::vector<bool> used(parameters.by_name.size());
  for (int i = 1; i <= count; ++i) {
    const char* const declared = sqlite3_bind_parameter_name(handle, i);
    if (declared == nullptr || declared[0] == '?')
      return fail(Fault::invalid_request, "the statement has parameters without a name");
    const auto found =
        std::ranges::find_if(parameters.by_name, [&](const auto& parameter) { return same_name(parameter.first, declared); });
    if (found == parameters.by_name.end()) return fail(Fault::invalid_request, std::string("no value for parameter ") + declared);
    used[static_cast<std::size_t>(found - parameters.by_name.begin())] = true;
    PARLANCE_TRY_DO(put(i, found->second));
  }
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i]) return fail(Fault::invalid_request, "the statement has no parameter " + parameters.by_name[i].first);
  return {};
}

}  // namespace parlance::sqlite
