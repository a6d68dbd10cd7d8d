// SPDX-License-Identifier: Apache-2.0
#include "parlance/sqlite/gate.h"

#include <algorithm>
#include <array>
#include <strings.h>

#include <sqlite3.h>

namespace parlance::sqlite {
namespace {

using Names = std::initializer_list<std::string_view>;

bool same(std::string_view a, std::string_view b) {
  return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}
bool one_of(std::string_view name, Names names) {
  return std::ranges::any_of(names, [&](std::string_view allowed) { return same(name, allowed); });
}

bool begins_one_of(std::string_view beginning, Names names) {
  return std::ranges::any_of(names, [&](std::string_view name) { return same(beginning, name.substr(0, beginning.size())); });
}

// Functions with access outside the database, or with pointers as results.
constexpr Names outside_functions{"load_extension", "fts3_tokenizer", "writefile", "readfile", "edit", "fts5"};
// PRAGMAs that only read; PRAGMAs of the second list may have an argument.
constexpr Names readable{"user_version",   "schema_version", "application_id", "data_version", "page_count",    "page_size",
                         "freelist_count", "encoding",       "auto_vacuum",    "journal_mode", "database_list", "compile_options",
                         "collation_list", "function_list",  "module_list",    "pragma_list"};
constexpr Names readable_with_argument{"table_info",  "table_xinfo",      "table_list",        "index_list",      "index_info",
                                       "index_xinfo", "foreign_key_list", "foreign_key_check", "integrity_check", "quick_check"};
// PRAGMAs that a person may write. Excluded are PRAGMAs that weaken the protection of the file (synchronous, writable_schema,
// mmap_size, locking_mode …). Also excluded are PRAGMAs with effects beyond this database (heap limits, folders), and PRAGMAs of
// the engine (busy_timeout, query_only).
constexpr Names writable{"user_version",       "application_id",     "journal_mode",  "wal_checkpoint",     "incremental_vacuum",
                         "optimize",           "foreign_keys",       "auto_vacuum",   "page_size",          "encoding",
                         "secure_delete",      "analysis_limit",     "cache_size",    "recursive_triggers", "defer_foreign_keys",
                         "wal_autocheckpoint", "journal_size_limit", "max_page_count"};
// … and without effect, or failing, inside a transaction.
constexpr Names alone{"foreign_keys", "journal_mode", "page_size", "auto_vacuum", "wal_checkpoint", "encoding"};

bool is_change(int action) { return action == SQLITE_INSERT || action == SQLITE_UPDATE || action == SQLITE_DELETE; }

}  // namespace

void Gate::install(sqlite3* handle) { sqlite3_set_authorizer(handle, &Gate::ask, this); }

void Gate::clear() {
  seen = {};
  changed_tables.clear();
  denial.clear();
  denied_table.clear();
  fault = Fault::not_readonly;
}

int Gate::ask(void* self, int action, const char* first, const char* second, const char* database, const char*) {
  const auto view = [](const char* text) { return text == nullptr ? std::string_view() : std::string_view(text); };
  return static_cast<Gate*>(self)->decide(action, view(first), second, view(database));
}

int Gate::decide(int action, std::string_view first, const char* second, std::string_view) {
  if (mode == Mode::own) return SQLITE_OK;
  if (action == SQLITE_FUNCTION) {
    const std::string_view name = second == nullptr ? std::string_view() : std::string_view(second);
    if (one_of(name, outside_functions))
      return deny("function " + std::string(name) + " is not allowed",
                  mode == Mode::read ? Fault::not_readonly : Fault::invalid_request);
    return SQLITE_OK;
  }
  if (action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_RECURSIVE) return SQLITE_OK;
  return mode == Mode::read ? decide_read(action, first, second) : decide_write(action, first, second);
}

int Gate::decide_read(int action, std::string_view first, const char* second) {
  switch (action) {
    case SQLITE_PRAGMA: return read_pragma(first, second);
    case SQLITE_UPDATE:
      // The first use of json_each, pragma_… or FTS5 on a connection declares its table and needs this permission. All other
      // checks refuse a real write to the schema.
      if (one_of(first, {"sqlite_master", "sqlite_temp_master", "sqlite_schema"})) return SQLITE_OK;
      break;
    case SQLITE_ATTACH: return deny("ATTACH is not allowed", Fault::not_readonly);
    case SQLITE_DETACH: return deny("DETACH is not allowed", Fault::not_readonly);
    case SQLITE_TRANSACTION: return deny(std::string(first) + " is not allowed", Fault::not_readonly);
    case SQLITE_SAVEPOINT: return deny("SAVEPOINT is not allowed", Fault::not_readonly);
    default: break;
  }
  if (is_change(action) && inner_writes) {
    seen.change = true;
    return SQLITE_OK;
  }
  if (is_change(action) && denied_table.empty()) denied_table = first;
  return deny("statement is not read-only", Fault::not_readonly);
}

int Gate::decide_write(int action, std::string_view first, const char* second) {
  if (is_change(action)) {
    seen.change = true;
    const bool schema = one_of(first, {"sqlite_master", "sqlite_temp_master", "sqlite_schema"});
    if (!schema) changed_tables.insert(std::string(first));
  }
  switch (action) {
    case SQLITE_PRAGMA: return write_pragma(first, second);
    case SQLITE_ATTACH:
      if (vacuum && first.empty()) return SQLITE_OK;
      return deny(vacuum ? "VACUUM INTO is not allowed: it writes to another file" : "ATTACH is not allowed",
                  Fault::invalid_request);
    case SQLITE_DETACH:
      if (vacuum) return SQLITE_OK;
      return deny("DETACH is not allowed", Fault::invalid_request);
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT:
      // An open transaction would hold a lock while the person thinks.
      if (vacuum) return SQLITE_OK;
      return deny((action == SQLITE_SAVEPOINT ? "SAVEPOINT" : std::string(first)) +
                      " is not allowed: several statements in a request already form a transaction",
                  Fault::invalid_request);
    case SQLITE_CREATE_INDEX:
    case SQLITE_CREATE_TABLE:
    case SQLITE_CREATE_TRIGGER:
    case SQLITE_CREATE_VIEW:
    case SQLITE_CREATE_VTABLE:
    case SQLITE_DROP_INDEX:
    case SQLITE_DROP_TABLE:
    case SQLITE_DROP_TRIGGER:
    case SQLITE_DROP_VIEW:
    case SQLITE_DROP_VTABLE:
    case SQLITE_ALTER_TABLE: seen.schema_change = true; return SQLITE_OK;
    default: return SQLITE_OK;
  }
}

int Gate::read_pragma(std::string_view name, const char* argument) {
  seen.pragma = Seen::Pragma::reads;
  if (one_of(name, readable_with_argument)) return SQLITE_OK;
  if (argument == nullptr && one_of(name, readable)) {
    if (same(name, "journal_mode")) seen.pragma = Seen::Pragma::reads_journal_mode;
    return SQLITE_OK;
  }
  return deny("pragma " + std::string(name) + " is not allowed here", Fault::not_readonly);
}

int Gate::write_pragma(std::string_view name, const char* argument) {
  seen.pragma = Seen::Pragma::reads;
  if (one_of(name, readable_with_argument) || (argument == nullptr && one_of(name, readable))) return SQLITE_OK;
  if (!one_of(name, writable)) return deny("pragma " + std::string(name) + " is not allowed here", Fault::invalid_request);
  // A crash in the middle of a write would leave the database damaged. SQLite takes any beginning of the word.
  if (same(name, "journal_mode") && argument != nullptr && begins_one_of(argument, {"off", "memory"}))
    return deny("journal_mode=" + std::string(argument) + " is not allowed: a crash would damage the database",
                Fault::invalid_request);
  if (several && argument != nullptr && one_of(name, alone))
    return deny("pragma " + std::string(name) + " must run alone: inside a transaction, the statement has no effect",
                Fault::invalid_request);
  seen.pragma = Seen::Pragma::changes;
  return SQLITE_OK;
}

int Gate::deny(std::string why, Fault what) {
  if (denial.empty()) {
    denial = std::move(why);
    fault = what;
  }
  return SQLITE_DENY;
}

}  // namespace parlance::sqlite
