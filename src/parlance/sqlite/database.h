// SPDX-License-Identifier: Apache-2.0
// SQLite as C++ wants it: connections, statements with typed binds, transactions, schema versions. Thin: no SQL of its own but
// PRAGMAs. One connection belongs to one thread at a time (usually a Worker's); nothing here waits on the loop.
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

// Bytes of a BLOB column, to be bound; a text would be stored as TEXT.
struct BlobView {
  BytesView bytes{};
};

// One execution of a statement that its connection keeps prepared. At its end the statement is reset, so that no read
// transaction stays open. The views it hands out live until the next step. Must not outlive the connection.
class Query {
 public:
  Query(Query&& other) noexcept;
  Query& operator=(Query&&) = delete;
  ~Query();

  // Parameters ?1, ?2, … in this order. Texts and blobs are copied. A statement that has run begins anew.
  template <class... Values>
  Query& bind(const Values&... values) {
    begin_anew();
    int index = 0;
    (put(++index, values), ...);
    return *this;
  }

  Result<bool> step();  // true: a row; false: the end
  Result<void> run();   // to the end, rows ignored

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
};

struct OpenOptions {
  // The file and its folder are made if they are missing: 0600 and 0700, for what people write is private.
  std::chrono::milliseconds busy = limits::sqlite_busy;
};

class Database {
 public:
  // WAL, so that readers and one writer do not wait for each other. `synchronous=NORMAL`: a commit survives the death of this
  // process at any point; the death of the machine may undo the last commits, never a part of one.
  static Result<std::unique_ptr<Database>> open(const std::string& path, OpenOptions options = {});
  // Somebody else's: as it is, and nothing is written. not_found: there is no such file.
  static Result<std::unique_ptr<Database>> open_to_read(const std::string& path, OpenOptions options = {});
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  Result<Query> query(std::string_view sql);
  Result<void> execute(std::string_view sql);  // one statement or several, rows ignored

  // BEGIN IMMEDIATE … COMMIT around `work`; its error, or a failed commit, rolls everything back. Immediate: a transaction that
  // reads first and then writes would be refused, not made to wait, when another process wrote in between.
  Result<void> transaction(const std::function<Result<void>()>& work);

  // BEGIN … COMMIT around `work`, which only reads: all its statements see the same state, whatever others write meanwhile.
  Result<void> snapshot(const std::function<Result<void>()>& work);

  // Brings the schema to version steps.size(): each step is SQL, run once, in its own version. Several processes may try at once.
  // An error when the file was made by a newer program. `also(n)` does, in the same transaction, what SQL cannot say of step n
  // (from 1), after it.
  Result<void> migrate(std::span<const std::string_view> steps, const std::function<Result<void>(std::size_t)>& also = {});

  std::int64_t changes() const;   // rows that the last statement changed
  std::int64_t last_row() const;  // rowid of the last row that was inserted
  const std::string& path() const { return path_; }

 private:
  friend class Query;
  Database(sqlite3* handle, std::string path) : handle_(handle), path_(std::move(path)) {}
  Error error(int code) const;
  Result<void> between(std::string_view begin, const std::function<Result<void>()>& work);
  Result<void> set_wal(std::chrono::milliseconds patience);

  sqlite3* handle_;
  std::string path_;
  std::map<std::string, sqlite3_stmt*, std::less<>> statements_;
};

}  // namespace parlance::sqlite
