// SPDX-License-Identifier: Apache-2.0
// What a statement may do, asked by SQLite while it prepares it (the authorizer). One gate a connection; its thread only.
//
// None of authorizer, sqlite3_stmt_readonly and a connection that was opened read-only is enough alone: flag PRAGMAs act while they are
// prepared and count as read-only, ATTACH and BEGIN count as read-only, VACUUM INTO asks the authorizer nothing before it runs and
// writes from a read-only connection. Together they hold; src/parlance/sqlite/hardening_test.cpp has a test for each.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "parlance/sqlite/failure.h"

struct sqlite3;

namespace parlance::sqlite {

class Gate {
 public:
  enum class Mode {
    own,    // our own statements
    read,   // somebody's statement that must only read
    write,  // somebody's statement that may write
  };

  void install(sqlite3* handle);

  Mode mode = Mode::own;
  // FTS and R-Tree prepare statements on their own tables when such a table is first used, R-Tree even writing ones. They cannot run
  // on a read connection; while this is set they may be prepared.
  bool inner_writes = false;
  bool vacuum = false;   // VACUUM attaches a nameless file
  bool several = false;  // one of several statements, inside a transaction

  // Since `clear`:
  bool saw_change = false;  // INSERT, UPDATE, DELETE of somebody's statement
  bool saw_schema_change = false;
  std::set<std::string> changed_tables;  // what a write may change, triggers included
  bool saw_pragma = false;
  bool only_journal_mode = false;  // PRAGMA journal_mode without an argument
  // Why it was refused first; empty: it was not.
  std::string denial;
  Fault fault = Fault::not_readonly;
  std::string denied_table;  // a change of it was refused
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
