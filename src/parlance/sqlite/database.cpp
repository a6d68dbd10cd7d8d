// SPDX-License-Identifier: Apache-2.0
#include "parlance/sqlite/database.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include <sqlite3.h>

#include "parlance/base/check.h"
#include "parlance/base/private_folder.h"

namespace parlance::sqlite {

// ---- Query -------------------------------------------------------------------------------------------------------------

Query::Query(Query&& other) noexcept : db_(other.db_), statement_(std::exchange(other.statement_, nullptr)) {}

Query::~Query() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

void Query::begin_anew() { sqlite3_reset(statement_); }

// A failed bind is a wrong index or no memory: a bug.
void Query::put(int index, std::int64_t value) {
  PARLANCE_CHECK(sqlite3_bind_int64(statement_, index, value) == SQLITE_OK, "a parameter of the statement");
}
void Query::put(int index, double value) {
  PARLANCE_CHECK(sqlite3_bind_double(statement_, index, value) == SQLITE_OK, "a parameter of the statement");
}
void Query::put(int index, std::string_view value) {
  const char* data = value.data() == nullptr ? "" : value.data();
  PARLANCE_CHECK(sqlite3_bind_text64(statement_, index, data, value.size(), copies_ ? SQLITE_TRANSIENT : SQLITE_STATIC,
                                     SQLITE_UTF8) == SQLITE_OK,
                 "a parameter of the statement");
}
void Query::put(int index, std::nullopt_t) {
  PARLANCE_CHECK(sqlite3_bind_null(statement_, index) == SQLITE_OK, "a parameter of the statement");
}

void Query::put(int index, BlobView value) {
  const char* data = value.bytes.data() == nullptr ? "" : value.bytes.data();
  PARLANCE_CHECK(
      sqlite3_bind_blob64(statement_, index, data, value.bytes.size(), copies_ ? SQLITE_TRANSIENT : SQLITE_STATIC) == SQLITE_OK,
      "a parameter of the statement");
}

Result<bool> Query::step() {
  switch (const int code = sqlite3_step(statement_)) {
    case SQLITE_ROW: return true;
    case SQLITE_DONE: return false;
    default: return std::unexpected(db_->error(code));
  }
}

Result<void> Query::run() {
  for (;;) {
    PARLANCE_TRY(row, step());
    if (!row) return {};
  }
}

std::int64_t Query::integer(int column) const { return sqlite3_column_int64(statement_, column); }
double Query::number(int column) const { return sqlite3_column_double(statement_, column); }
// sqlite3_column_text would copy the text for a zero byte behind it.
std::string_view Query::text(int column) const { return blob(column); }
BytesView Query::blob(int column) const {
  sqlite3_value* const value = sqlite3_column_value(statement_, column);  // valid on this thread until the next step
  const auto* data = static_cast<const char*>(sqlite3_value_blob(value));
  if (data == nullptr) return {};
  return {data, static_cast<std::size_t>(sqlite3_value_bytes(value))};
}
bool Query::is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }
std::optional<std::string> Query::text_or_null(int column) const {
  if (is_null(column)) return std::nullopt;
  return std::string(text(column));
}

// ---- Database ------------------------------------------------------------------------------------------------------------

namespace {

std::string damage_text(const std::string& path, const std::string& what) {
  return "the database " + path + " is damaged (" + what +
         "). Stop parlance and move the file away with its -wal and -shm: parlance then starts with an empty "
         "file. To recover the readable data: sqlite3 MOVED-FILE .recover | sqlite3 " +
         path;
}

Result<void> make_private_file(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  PARLANCE_TRY_DO(make_private_folders(folder.string()));
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return fail(system_error("open " + path, errno));
  struct stat about{};
  // The -wal and -shm files take over these permissions.
  if (::fstat(fd, &about) == 0 && (about.st_mode & 0077) != 0 && about.st_uid == ::getuid()) (void)::fchmod(fd, 0600);
  ::close(fd);
  return {};
}

std::string immutable_uri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') uri += c == '%' ? "%25" : c == '?' ? "%3f" : "%23";
    else uri += c;
  }
  return uri + "?immutable=1";
}

}  // namespace

Error Database::error(int code) const {
  const std::string message = sqlite3_errmsg(handle_);
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return {.code = Errc::overloaded, .message = "the database " + path_ + " is locked by another program"};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return {.code = Errc::failed, .message = damage_text(path_, message)};
    case SQLITE_FULL:
      return {.code = Errc::failed, .message = "no space is left for the database " + path_ + ": free space on its disk"};
    case SQLITE_IOERR:
      return {.code = Errc::failed,
              .message = "database " + path_ + ": " + message + ": check the disk and the system's log for its errors"};
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
    case SQLITE_AUTH:
      return {
          .code = Errc::denied,
          .message = "the database " + path_ + " cannot be written: " + message +
                     ": check that the disk is mounted for writing, and that the user of parlance owns the file and its folder"};
    default: return {.code = Errc::failed, .message = "database " + path_ + ": " + message};
  }
}

Result<std::unique_ptr<Database>> Database::open(const std::string& path, OpenOptions options) {
  PARLANCE_TRY_DO(make_private_file(path));
  sqlite3* handle = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  std::unique_ptr<Database> db(new Database(handle, path));
  if (code != SQLITE_OK) return std::unexpected(db->error(code));
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, static_cast<int>(options.busy.count()));
  PARLANCE_TRY_DO(db->set_wal(options.busy));
  PARLANCE_TRY_DO(db->execute("PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY"));
  return db;
}

Result<std::unique_ptr<Database>> Database::open_to_read(const std::string& path, OpenOptions options) {
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) return fail(Errc::not_found, "there is no file " + path);
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
  std::unique_ptr<Database> db(new Database(handle, path));
  if (code != SQLITE_OK) return std::unexpected(db->error(code));
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, static_cast<int>(options.busy.count()));
  // The first access to the file: reports a file that is not a database.
  PARLANCE_TRY_DO(db->execute("SELECT count(*) FROM sqlite_schema"));
  return db;
}

// SQLite refuses simultaneous changes of a new file to WAL without a call of the busy handler: retry here.
Result<void> Database::set_wal(std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  for (;;) {
    Result<void> done = execute("PRAGMA journal_mode=WAL");
    if (done || done.error().code != Errc::overloaded || std::chrono::steady_clock::now() > until) return done;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

Database::~Database() {
  for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
  sqlite3_close(handle_);
}

Result<Query> Database::query(std::string_view sql) {
  if (const auto known = statements_.find(sql); known != statements_.end()) {
    PARLANCE_CHECK(sqlite3_stmt_busy(known->second) == 0, "a statement cannot run twice at the same time");
    return Query(*this, known->second);
  }
  sqlite3_stmt* statement = nullptr;
  const int code =
      sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return std::unexpected(error(code));
  statements_.emplace(sql, statement);
  return Query(*this, statement);
}

Result<void> Database::execute(std::string_view sql) {
  const int code = sqlite3_exec(handle_, std::string(sql).c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return std::unexpected(error(code));
  return {};
}

Result<void> Database::transaction(const std::function<Result<void>()>& work) { return between("BEGIN IMMEDIATE", work); }
Result<void> Database::snapshot(const std::function<Result<void>()>& work) { return between("BEGIN", work); }

Result<void> Database::between(std::string_view begin, const std::function<Result<void>()>& work) {
  const auto run = [&](std::string_view sql) -> Result<void> {
    PARLANCE_TRY(statement, query(sql));
    return statement.run();
  };
  PARLANCE_TRY_DO(run(begin));
  Result<void> done = work();
  if (done) done = run("COMMIT");
  // After some errors SQLite has rolled back by itself.
  if (!done && sqlite3_get_autocommit(handle_) == 0) (void)execute("ROLLBACK");
  return done;
}

Result<Database::Version> Database::version() {
  PARLANCE_TRY(pragma, query("SELECT user_version, (SELECT count(*) FROM sqlite_schema) FROM pragma_user_version"));
  PARLANCE_TRY_DO(pragma.step());
  return Version{.number = static_cast<std::size_t>(pragma.integer(0)), .has_tables = pragma.integer(1) != 0};
}

Result<void> Database::refuse_foreign(const Version& found, const SchemaSteps& schema) const {
  if (found.number > schema.last())
    return fail(Errc::failed, "the database " + path_ + " was written by a newer parlance (schema " +
                                  std::to_string(found.number) + ", this program knows " + std::to_string(schema.last()) +
                                  "): use the newer program, or another state folder");
  if (found.number >= schema.first || (found.number == 0 && !found.has_tables)) return {};
  const std::string origin = found.number == 0
                                 ? "it contains tables of another program"
                                 : "a version before the first release made it (schema " + std::to_string(found.number) +
                                       ", this program reads from " + std::to_string(schema.first) + " on)";
  return fail(Errc::failed, "cannot open the database " + path_ + ": " + origin +
                                ". The file is unchanged: move it away, or choose another state folder");
}

// The immutable open neither changes the file nor leaves files beside it. Without the write-ahead log it may see an older state;
// `migrate` checks again.
Result<void> Database::check(const std::string& path, const SchemaSteps& schema) {
  std::error_code missing;
  if (const auto size = std::filesystem::file_size(path, missing); missing || size == 0) return {};
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(immutable_uri(path).c_str(), &handle,
                                   SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  const std::unique_ptr<Database> db(new Database(handle, path));
  if (code != SQLITE_OK) return {};  // `open` gives the reason
  const auto found = db->version();
  return found ? db->refuse_foreign(*found, schema) : Result<void>{};
}

Result<std::unique_ptr<Database>> Database::open(const std::string& path, const SchemaSteps& schema) {
  PARLANCE_TRY_DO(check(path, schema));
  PARLANCE_TRY(db, open(path));
  PARLANCE_TRY_DO(db->migrate(schema));
  return db;
}

Result<void> Database::migrate(const SchemaSteps& schema) {
  PARLANCE_TRY(before, version());
  if (before.number == schema.last()) return {};
  return transaction([&]() -> Result<void> {
    PARLANCE_TRY(now, version());  // another process may have been faster
    PARLANCE_TRY_DO(refuse_foreign(now, schema));
    const std::size_t done = now.number == 0 ? 0 : now.number - schema.first + 1;
    for (const std::string_view step : schema.steps.subspan(done)) PARLANCE_TRY_DO(execute(step));
    return execute("PRAGMA user_version=" + std::to_string(schema.last()));
  });
}

std::int64_t Database::changes() const { return sqlite3_changes64(handle_); }
std::int64_t Database::last_row() const { return sqlite3_last_insert_rowid(handle_); }

}  // namespace parlance::sqlite
