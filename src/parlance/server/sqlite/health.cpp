// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/sqlite/health.h"

#include <algorithm>
#include <cmath>

#include "parlance/server/sqlite/limits.h"
#include "parlance/sqlite/double_quoted.h"
#include "parlance/sqlite/health.h"

namespace parlance::server {
namespace {

using sqlite::Connection;
using sqlite::Failure;
using sqlite::Fault;
using sqlite::Outcome;
using sqlite::Run;
using sqlite::Session;

constexpr double much_is_free = 0.25;          // of the pages: worth a VACUUM
constexpr std::int64_t few_pages = 256;        // … unless the file is small anyway
constexpr std::uint64_t large_wal = 64 << 20;  // a checkpoint is overdue
constexpr std::size_t problems_in_words = 5;   // the rest is in the JSON

// The deadline; each step reads the remaining time. Uses the clock of the engine.
class Budget {
 public:
  explicit Budget(std::chrono::milliseconds time) : end_(time.count() == 0 ? never : Clock::now() + time) {}
  bool is_over() const { return end_ != never && Clock::now() + too_little >= end_; }
  std::chrono::milliseconds left() const {
    if (end_ == never) return std::chrono::milliseconds(0);  // no limit, in the engine's notation
    return std::max(too_little, std::chrono::duration_cast<std::chrono::milliseconds>(end_ - Clock::now()));
  }

 private:
  static constexpr std::chrono::milliseconds too_little{2};  // to begin anything
  TimePoint end_;
};

template <class T>
Nullable<T> known(T value) {
  Nullable<T> result;
  result.state = Nullable<T>::State::value;
  result.value = std::move(value);
  return result;
}
template <class T>
Nullable<T> unknown() {
  Nullable<T> result;
  result.state = Nullable<T>::State::null;
  return result;
}

std::string listed(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  return all;
}

std::string bytes_in_words(std::uint64_t bytes) {
  if (bytes < 10'240) return std::to_string(bytes) + " bytes";
  const char* unit = "KiB";
  double size = static_cast<double>(bytes) / 1024;
  for (const char* const next : {"MiB", "GiB", "TiB"}) {
    if (size < 1024) break;
    size /= 1024;
    unit = next;
  }
  const auto tenths = std::llround(size * 10);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " " + unit;
}

class Examination {
 public:
  Examination(sqlite::Engine& engine, HealthRequest request)
      : engine_(engine), request_(std::move(request)), budget_(request_.time) {}

  Task<Outcome<Health>> run() {
    auto facts = co_await ask<sqlite::FileFacts>(&sqlite::file_facts);
    if (!facts) co_return std::unexpected(std::move(facts).error());
    auto schema = co_await engine_.schema(request_.database, engine_.ticket(budget_.left()));
    if (!schema) co_return std::unexpected(std::move(schema).error());
    const auto path = engine_.resolve(request_.database);
    health_.db_path = path ? *path : request_.database;
    copy_facts(*facts);
    if (auto done = co_await check(*facts); !done) co_return std::unexpected(std::move(done).error());
    if (auto done = co_await check_keys(); !done) co_return std::unexpected(std::move(done).error());
    if (auto done = co_await count(*schema); !done) co_return std::unexpected(std::move(done).error());
    advise(*facts, *schema);
    sort_findings();
    co_return std::move(health_);
  }

 private:
  template <class T>
  Task<Outcome<T>> ask(std::move_only_function<Outcome<T>(Connection&, Run&)> what) {
    auto answer = co_await engine_.on_worker<T>(request_.database, engine_.ticket(budget_.left()),
                                                [what = std::move(what)](Session& session, Run& run) mutable -> Outcome<T> {
                                                  PARLANCE_TRY(connection, session.reader(run));
                                                  return what(*connection, run);
                                                });
    if (request_.step) request_.step();
    co_return answer;
  }

  void find(HealthLevel level, std::optional<std::string> table, std::string text, std::optional<std::string> cure = {}) {
    health_.findings.push_back({.level = level, .table = std::move(table), .text = std::move(text), .cure = std::move(cure)});
  }

  void sort_findings() {
    std::vector<HealthFinding> sorted;
    for (const HealthLevel level : {HealthLevel::error, HealthLevel::warning, HealthLevel::advice})
      for (HealthFinding& finding : health_.findings)
        if (finding.level == level) sorted.push_back(std::move(finding));
    health_.findings = std::move(sorted);
  }

  void copy_facts(const sqlite::FileFacts& facts) {
    health_.file_bytes = facts.file_bytes;
    health_.wal_bytes = facts.wal_bytes;
    health_.page_size = facts.page_size;
    health_.page_count = facts.page_count;
    health_.freelist_count = facts.free_pages;
    health_.journal_mode = facts.journal_mode;
    health_.encoding = facts.encoding;
    health_.auto_vacuum = facts.auto_vacuum;
    health_.user_version = facts.user_version;
    health_.application_id = facts.application_id;
  }

  // Only a cancel ends the whole check: a step without time or with an error is a fact about the database.
  static bool ends_it(const Failure& failure) { return failure.fault == Fault::cancelled; }

  Task<Outcome<>> check(const sqlite::FileFacts& facts) {
    const bool full = request_.full || facts.file_bytes <= limits::sqlite_full_check_bytes;
    health_.check.kind = full ? "integrity_check" : "quick_check";
    auto problems = co_await ask<std::vector<std::string>>(
        [full](Connection& connection, Run& run) { return sqlite::integrity_problems(connection, run, full); });
    if (problems) {
      health_.check.ok = known(problems->empty());
      health_.check.problems = *std::move(problems);
      if (!health_.check.problems.empty())
        find(HealthLevel::error, {}, "the " + health_.check.kind + " found damage: " + health_.check.problems.front(),
             "copy the file and its -wal and -journal first; then recover it with `sqlite3 FILE .recover`");
      co_return Outcome<>{};
    }
    if (ends_it(problems.error())) co_return std::unexpected(std::move(problems).error());
    health_.check.ok = unknown<bool>();
    find(HealthLevel::warning, {}, "the " + health_.check.kind + " was not finished: " + problems.error().message,
         "increase the time limit (--timeout-ms)");
    co_return Outcome<>{};
  }

  Task<Outcome<>> check_keys() {
    HealthKeys& keys = health_.foreign_key_check;
    keys.violations = unknown<std::int64_t>();
    if (budget_.is_over()) {
      keys.error = "the time limit expired";
      co_return Outcome<>{};
    }
    auto broken = co_await ask<std::vector<sqlite::BrokenKey>>(&sqlite::broken_keys);
    if (!broken) {
      if (ends_it(broken.error())) co_return std::unexpected(std::move(broken).error());
      keys.error = broken.error().message;
      find(HealthLevel::warning, {}, "foreign keys could not be checked: " + broken.error().message);
      co_return Outcome<>{};
    }
    std::int64_t all = 0;
    for (const sqlite::BrokenKey& broken_key : *broken) {
      all += broken_key.rows;
      keys.tables.push_back({.table = broken_key.table, .ref_table = broken_key.to_table, .rows = broken_key.rows});
      find(HealthLevel::warning, broken_key.table,
           std::to_string(broken_key.rows) + (broken_key.rows == 1 ? " row refers" : " rows refer") + " to nothing in " +
               broken_key.to_table,
           "delete or correct these rows; SQLite checks foreign keys only with PRAGMA foreign_keys on");
    }
    keys.violations = known(all);
    co_return Outcome<>{};
  }

  Task<Outcome<>> count(const sqlite::Schema& schema) {
    health_.views = schema.views.size();
    for (const sqlite::Table& table : schema.tables) {
      health_.tables.push_back({.name = table.name,
                                .kind = table.kind,
                                .rows = unknown<std::int64_t>(),
                                .columns = table.columns.size(),
                                .indexes = table.indexes.size()});
      if (budget_.is_over()) continue;
      auto rows = co_await ask<std::int64_t>(
          [name = table.name](Connection& connection, Run& run) { return sqlite::count_rows(connection, run, name); });
      if (rows) {
        health_.tables.back().rows = known(*rows);
        continue;
      }
      if (ends_it(rows.error())) co_return std::unexpected(std::move(rows).error());
      if (rows.error().fault != Fault::timeout)
        find(table.kind == "virtual" ? HealthLevel::warning : HealthLevel::error, table.name,
             "its rows cannot be counted: " + rows.error().message);
    }
    co_return Outcome<>{};
  }

  void advise(const sqlite::FileFacts& facts, const sqlite::Schema& schema) {
    for (const sqlite::View& view : schema.views)
      if (!view.error.empty())
        find(HealthLevel::warning, view.name, "the view no longer works: " + view.error, "drop or rewrite the view");
    for (const sqlite::UnindexedKey& key : sqlite::unindexed_keys(schema)) {
      std::vector<std::string> quoted;
      for (const std::string& column : key.columns) quoted.push_back(sqlite::double_quoted(column));
      find(HealthLevel::advice, key.table,
           "no index for the foreign key (" + listed(key.columns) + ") to " + key.to_table +
               ": each delete there reads this whole table",
           "CREATE INDEX … ON " + sqlite::double_quoted(key.table) + "(" + listed(quoted) + ")");
    }
    for (const sqlite::RedundantIndex& index : sqlite::redundant_indexes(schema))
      find(HealthLevel::advice, index.table,
           "the index " + index.index + " seems redundant: the index " + index.covered_by + " covers its columns",
           "compare them, then DROP INDEX " + sqlite::double_quoted(index.index));
    if (facts.page_count > few_pages &&
        static_cast<double>(facts.free_pages) > much_is_free * static_cast<double>(facts.page_count))
      find(HealthLevel::advice, {},
           std::to_string(facts.free_pages) + " of " + std::to_string(facts.page_count) + " pages hold nothing", "VACUUM");
    if (facts.wal_bytes > large_wal)
      find(HealthLevel::advice, {}, "the write-ahead log has " + bytes_in_words(facts.wal_bytes),
           "end long-running readers, then PRAGMA wal_checkpoint(TRUNCATE)");
    const bool has_indexes =
        std::ranges::any_of(schema.tables, [](const sqlite::Table& table) { return !table.indexes.empty(); });
    if (!facts.has_statistics && has_indexes && facts.page_count > few_pages)
      find(HealthLevel::advice, {}, "no statistics exist for the choice between indexes", "ANALYZE");
  }

  sqlite::Engine& engine_;
  HealthRequest request_;
  Budget budget_;
  Health health_;
};

std::string rows_in_words(const HealthTable& table) {
  return table.rows.state == Nullable<std::int64_t>::State::value ? std::to_string(table.rows.value) + " rows"
                                                                  : "rows not counted";
}

}  // namespace

Task<Outcome<Health>> examine(sqlite::Engine& engine, HealthRequest request) {
  Examination examination(engine, std::move(request));
  co_return co_await examination.run();
}

std::string readable(const Health& health) {
  std::string text = "Health of " + health.db_path + "\n\n";
  text += "Size: " + bytes_in_words(health.file_bytes) + " (" + std::to_string(health.page_count) + " pages of " +
          std::to_string(health.page_size) + " bytes, " + std::to_string(health.freelist_count) + " of them free)\n";
  text += "Journal: " + health.journal_mode +
          (health.wal_bytes != 0 ? ", " + bytes_in_words(health.wal_bytes) + " in the write-ahead log" : "") + "\n";
  text += "Encoding: " + health.encoding + "; user_version " + std::to_string(health.user_version) + "\n";
  const bool finished = health.check.ok.state == Nullable<bool>::State::value;
  text += health.check.kind + ": " + (!finished ? "not finished" : health.check.ok.value ? "ok" : "damage found") + "\n";
  for (std::size_t i = 0; i < std::min(health.check.problems.size(), problems_in_words); ++i)
    text += "  " + health.check.problems[i] + "\n";
  if (health.check.problems.size() > problems_in_words)
    text += "  and " + std::to_string(health.check.problems.size() - problems_in_words) + " more\n";
  const HealthKeys& keys = health.foreign_key_check;
  text += "foreign_key_check: " +
          (keys.violations.state == Nullable<std::int64_t>::State::value ? std::to_string(keys.violations.value) + " violations"
                                                                         : "not finished: " + keys.error.value_or("")) +
          "\n\n";
  text += std::to_string(health.tables.size()) + " tables, " + std::to_string(health.views) + " views\n";
  for (const HealthTable& table : health.tables)
    text += "  " + table.name + ": " + rows_in_words(table) + ", " + std::to_string(table.columns) + " columns, " +
            std::to_string(table.indexes) + " indexes" + (table.kind == "virtual" ? " (virtual)" : "") + "\n";
  text += health.findings.empty() ? "\nNo problems found.\n" : "\nFindings\n";
  for (const HealthFinding& finding : health.findings)
    text += "  " + std::string(wire::name_of(finding.level)) + ": " + (finding.table ? *finding.table + ": " : "") +
            finding.text + (finding.cure ? ". Cure: " + *finding.cure : "") + "\n";
  return text;
}

}  // namespace parlance::server
