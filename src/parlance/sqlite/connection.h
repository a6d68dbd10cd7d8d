// SPDX-License-Identifier: Apache-2.0
// One hardened connection to a person's database. Worker thread only.
//
// Foreign SQL goes through `prepare`, under a Run (Using), with the gate in its mode. Our own statements go through `own`, with
// bound parameters.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "parlance/sqlite/failure.h"
#include "parlance/sqlite/gate.h"
#include "parlance/sqlite/limits.h"
#include "parlance/sqlite/path_guard.h"
#include "parlance/sqlite/run.h"
#include "parlance/sqlite/value.h"

struct sqlite3;
struct sqlite3_stmt;

namespace parlance::sqlite {

// Observes the statements of a connection.
class StatementWatch {
 public:
  virtual void before_statement() = 0;  // The statement is prepared; the gate knows its permitted changes.
  virtual void check() = 0;             // Called repeatedly while the statement runs.

 protected:
  ~StatementWatch() = default;
};

// Owns one prepared statement.
class Statement {
 public:
  explicit Statement(sqlite3_stmt* handle = nullptr) : handle_(handle) {}
  Statement(Statement&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Statement& operator=(Statement&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Statement();
  explicit operator bool() const { return handle_ != nullptr; }
  sqlite3_stmt* handle() const { return handle_; }

  // For our own statements.
  Statement& bind(int index, std::int64_t value);
  Statement& bind(int index, std::string_view value);
  bool row();  // False: the end, or a failure, which the next call on the connection reports.
  std::int64_t integer(int column) const;
  std::string text(int column) const;
  std::optional<std::string> text_or_null(int column) const;

 private:
  sqlite3_stmt* handle_;
};

enum class Use : std::uint8_t { read, write };

struct ConnectionSettings {
  std::chrono::milliseconds read_busy = limits::sqlite_read_busy;
  std::chrono::milliseconds write_busy = limits::sqlite_write_busy;
  bool foreign_keys = false;  // enforced on the writing connection; SQLite's default is false
  // No writes. A database of another user receives no -wal and -shm files from us, because the owner could not write the files.
  bool leaves_no_files = false;
};

struct Prepared {
  Statement statement{};    // Empty: white space and comments only.
  std::string_view rest{};  // Of the text.
};

class Connection {
 public:
  // Opens the file and reads its header. The file must be active on this thread (PinnedFile::activate).
  static Outcome<std::unique_ptr<Connection>> open(const PinnedFile& file, Use use, const ConnectionSettings& settings, Run& run);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // During its lifetime, statements run under this run, with the gate in this mode.
  class Using {
   public:
    Using(Connection& connection, Run& run, Gate::Mode mode);
    ~Using();
    Using(const Using&) = delete;
    Using& operator=(const Using&) = delete;

   private:
    Connection& connection_;
  };

  // The first statement of foreign text.
  Outcome<Prepared> prepare(std::string_view text);
  Outcome<> bind(Statement& statement, const Parameters& parameters);
  // One of our statements. It may be prepared while a foreign statement runs.
  Outcome<Statement> own(std::string_view sql);
  Outcome<> execute_own(std::string_view sql);

  // The statement of the last read page, kept because readers request page after page with the same text. It has passed the
  // gate, and SQLite asks the gate again after a change of the schema.
  Statement take_kept(std::string_view text);  // Empty: another statement.
  void keep(std::string_view text, Statement statement);
  bool old_quotes_in_use() const { return old_quotes_; }

  // The latest failure: stopped by its run, or SQLite's message.
  Failure failure(int code);
  Outcome<> still_going();  // The run may continue.

  // Accepts texts in double quotes, as in old schemas, until the end of this use.
  void old_quotes(bool on);

  void keep_wal();      // closing keeps the WAL
  void forget_pages();  // the next statement reads all pages again

  void watch(StatementWatch* watch) { watch_ = watch; }
  StatementWatch* watch() const { return watch_; }
  sqlite3* handle() const { return handle_; }
  Gate& gate() { return gate_; }
  Run* run() { return run_; }
  Use use() const { return use_; }
  // SQLite treats the file as immutable: no locks, no WAL. The caller compares the file before and after a read.
  bool is_immutable() const { return immutable_; }

 private:
  Connection(sqlite3* handle, Use use, ConnectionSettings settings) : handle_(handle), use_(use), settings_(settings) {}
  void harden();
  bool is_shadow_table(const std::string& name);
  static int on_progress(void* self);
  static int on_busy(void* self, int tries);
  static int on_commit(void* self);

  sqlite3* handle_;
  Use use_;
  bool immutable_ = false;
  ConnectionSettings settings_;
  Gate gate_;
  bool old_quotes_ = false;
  Run* run_ = nullptr;
  StatementWatch* watch_ = nullptr;
  TimePoint busy_since_{};
  std::string kept_text_;
  Statement kept_;
};

// Once for each process, in programs with memory for this purpose only. Above the soft limit SQLite releases caches, above the
// hard limit a statement fails in place of the machine.
void limit_heap();
std::string library_version();  // Of SQLite: 3.40.1.

// The reason of a failed open, with a remedy for people. `wal`: its header says that the file is in WAL mode.
Failure open_failure(Failure failure, const std::string& path, bool wal = false);

}  // namespace parlance::sqlite
