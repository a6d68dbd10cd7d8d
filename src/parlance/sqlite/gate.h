// SPDX-License-Identifier: Apache-2.0
// The permissions of a statement, checked by SQLite during preparation (the authorizer). One gate for each connection; its
// thread only.
//
// None of the authorizer, sqlite3_stmt_readonly and a read-only connection suffices alone. Flag PRAGMAs act during preparation
// and count as read-only. ATTACH and BEGIN count as read-only. VACUUM INTO does not ask the authorizer before it runs, and
// writes from a read-only connection. Together they suffice; src/parlance/sqlite/hardening_test.cpp has a test for each.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "parlance/sqlite/failure.h"

struct sqlite3;

namespace parlance::sqlite {

class Gate {
 public:
  enum class Mode {
    own,    // Our own statements.
    read,   // A foreign statement without permission to write.
    write,  // A foreign statement with this permission.
  };

  void install(sqlite3* handle);

  Mode mode = Mode::own;
  // At the first use of their tables, FTS and R-Tree prepare statements on their own tables, and R-Tree even writing ones. These
  // cannot run on a read connection. While this is set, they may be prepared.
  bool inner_writes = false;
  bool vacuum = false;   // VACUUM attaches a nameless file.
  bool several = false;  // One of several statements inside a transaction.

  // Contents of the prepared statements since `clear`.
  struct Seen {
    bool change = false;  // INSERT, UPDATE, DELETE of a foreign statement.
    bool schema_change = false;
    // A PRAGMA: a reading one, journal_mode without an argument, or a change of a setting.
    enum class Pragma : std::uint8_t { none, reads, reads_journal_mode, changes } pragma = Pragma::none;
  };
  Seen seen;
  std::set<std::string> changed_tables;  // Possible changes of a write, triggers included.
  // Reason of the first refusal. Empty: no refusal.
  std::string denial;
  Fault fault = Fault::not_readonly;
  std::string denied_table;  // A change of the schema was refused.
  void clear();

 private:
  static int ask(void* self, int action, const char* first, const char* second, const char* database, const char* inside);
  int decide(int action, std::string_view first, const char* second, std::string_view database);
  int decide_read(int action, std::string_view first, const char* second);
  int decide_write(int action, std::string_view first, const char* second);
  int read_pragma(std::string_view name, const char* argument);
  int write_pragma(std::string_view name, const char* argument);
  int deny(std::string why, Fault what);
};

}  // namespace parlance::sqlite
