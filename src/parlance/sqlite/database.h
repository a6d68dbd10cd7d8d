// SPDX-License-Identifier: Apache-2.0
// SQLite for C++: connections, statements with typed binds, transactions, schema versions. A thin layer: its own SQL consists of
// PRAGMAs. One connection belongs to one thread at a time (usually a Worker's thread); no function waits on the loop.
//
//   PARLANCE_TRY(query, db.query("SELECT id, text FROM notes WHERE at > ?1"));
//   query.bind(since);
//   for (;;) {
//     PARLANCE_TRY(row, query.step());
//     if (!row) break;
//     use(query.integer(0), query.text(1));
//   }
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "parlance/base/bytes.h"
#include "parlance/base/result.h"
#include "parlance/sqlite/limits.h"

struct sqlite3;
struct sqlite3_stmt;

namespace parlance::sqlite {

class Database;

// Bytes of a BLOB column, to be bound. A text would be stored as TEXT.
struct BlobView {
  BytesView bytes{};
};

// One execution of a prepared statement of the connection. Its destructor resets the statement, so that no read transaction
// stays open. Returned views live until the next step. Must not outlive the connection.
class Query {
 public:
  Query(Query&& other) noexcept;
  Query& operator=(Query&&) = delete;
  ~Query();

  // Parameters ?1, ?2, … in this order. Texts and blobs are copied. A finished statement starts again.
  template <class... Values>
  Query& bind(const Values&... values) {
    put_all(true, values...);
    return *this;
  }

  Result<bool> step();  // True: a row; false: the end.
  Result<void> run();   // Runs to the end and ignores rows.
  // The same with these parameters, without copies of texts and blobs. Another run needs new parameters.
  template <class Value, class... Values>
  Result<void> run(const Value& value, const Values&... values) {
    put_all(false, value, values...);
    return run();
  }

  std::int64_t integer(int column) const;
  double number(int column) const;
  std::string_view text(int column) const;
  BytesView blob(int column) const;
  std::optional<std::string> text_or_null(int column) const;
  bool is_null(int column) const;

 private:
  friend class Database;
  Query(Database& db, sqlite3_stmt* statement) : db_(&db), statement_(statement) {}
  void begin_anew();
  template <class... Values>
  void put_all(bool copies, const Values&... values) {
    begin_anew();
    copies_ = copies;
    int index = 0;
    (put(++index, values), ...);
  }
  void put(int index, std::int64_t value);
  void put(int index, double value);
  void put(int index, std::string_view value);
  void put(int index, std::nullopt_t);
  void put(int index, BlobView value);
  void put(int index, int value) { put(index, std::int64_t{value}); }
  void put(int index, std::uint64_t value) { put(index, static_cast<std::int64_t>(value)); }
  void put(int index, const std::string& value) { put(index, std::string_view(value)); }
  void put(int index, const char* value) { put(index, std::string_view(value)); }
  template <class T>
  void put(int index, const std::optional<T>& value) {
    if (value) put(index, *value);
    else put(index, std::nullopt);
  }

  Database* db_;
  sqlite3_stmt* statement_;
  bool copies_ = true;  // of texts and blobs
};

struct OpenOptions {
  // Creates a missing file (0600) and folder (0700), because people's texts are private.
  std::chrono::milliseconds busy = limits::sqlite_busy;
};

// Steps of SQL. Each leads to the next version of a file's tables, stored as `user_version`.
struct SchemaSteps {
  std::size_t first = 1;  // version after the first step; files with a lower version are refused
  std::span<const std::string_view> steps{};
  std::size_t last() const { return first + steps.size() - 1; }
};

class Database {
 public:
  // WAL, so that readers and a writer do not wait for each other. `synchronous=NORMAL`: a commit survives the death of this
  // process at any point. The death of the machine may undo the last commits, never a part of one.
  static Result<std::unique_ptr<Database>> open(const std::string& path, OpenOptions options = {});
  // A foreign file: opened unchanged, without writes. not_found: no such file.
  static Result<std::unique_ptr<Database>> open_to_read(const std::string& path, OpenOptions options = {});
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  Result<Query> query(std::string_view sql);
  Result<void> execute(std::string_view sql);  // One or more statements; rows are ignored.

  // BEGIN IMMEDIATE … COMMIT around `work`. Its error, or a failed commit, rolls everything back. Immediate, because SQLite
  // refuses a transaction that reads first and then writes, if another process wrote in between.
  Result<void> transaction(const std::function<Result<void>()>& work);

  // BEGIN … COMMIT around `work`, which only reads: all its statements see the same state, despite writes by others.
  Result<void> snapshot(const std::function<Result<void>()>& work);

  // Refuses a file that the schema cannot upgrade: failed (a newer program made the file, or a program before the first release,
  // or the file has foreign tables). The file stays unchanged. A missing file is fine.
  static Result<void> check(const std::string& path, const SchemaSteps& schema);
  // Runs the missing steps in one transaction. Several processes may try at once. Errors: those of `check`.
  Result<void> migrate(const SchemaSteps& schema);
  // `check`, `open` and `migrate`.
  static Result<std::unique_ptr<Database>> open(const std::string& path, const SchemaSteps& schema);

  std::int64_t changes() const;   // Number of rows that the last statement changed.
  std::int64_t last_row() const;  // Rowid of the last inserted row.
  const std::string& path() const { return path_; }

 private:
  friend class Query;
  Database(sqlite3* handle, std::string path) : handle_(handle), path_(std::move(path)) {}
  Error error(int code) const;
  struct Version {
    std::size_t number = 0;
    bool has_tables = false;
  };
  Result<Version> version();
  Result<void> refuse_foreign(const Version& found, const SchemaSteps& schema) const;
  Result<void> between(std::string_view begin, const std::function<Result<void>()>& work);
  Result<void> set_wal(std::chrono::milliseconds patience);

  sqlite3* handle_;
  std::string path_;
  std::map<std::string, sqlite3_stmt*, std::less<>> statements_;
};

}  // namespace parlance::sqlite
