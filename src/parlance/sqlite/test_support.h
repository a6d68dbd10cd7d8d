// SPDX-License-Identifier: Apache-2.0
// For tests: databases in a folder of the test, made by SQLite without our protection, and an engine.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdlib.h>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "parlance/async/scope.h"
#include "parlance/base/bytes.h"
#include "parlance/base/check.h"
#include "parlance/sqlite/engine.h"

namespace parlance::sqlite::test {

using namespace std::chrono_literals;

// Rows as text: 1, 2.5, 'a', x'00ff', null. Cut values have their size at the end.
class Collected final : public RowSink {
 public:
  void begin(std::span<const Column> columns) override {
    names.clear();
    rows.clear();
    bytes_.assign(1, 0);
    for (const Column& column : columns) names.push_back(column.name);
  }
  void row(std::span<const Cell> cells) override {
    std::string text;
    for (const Cell& cell : cells) text += (text.empty() ? "" : "|") + show(cell);
    bytes_.push_back(bytes_.back() + text.size());
    rows.push_back(std::move(text));
  }
  std::size_t bytes() const override { return bytes_.back(); }
  void take_back() override {
    rows.pop_back();
    bytes_.pop_back();
  }
  static std::string show(const Cell& cell) {
    const std::string size = cell.cut ? "/" + std::to_string(cell.size) : "";
    switch (cell.kind) {
      case Kind::null: return "null";
      case Kind::integer: return std::to_string(cell.integer);
      case Kind::real: return std::to_string(cell.real);
      case Kind::text: return "'" + std::string(cell.bytes) + "'" + size;
      case Kind::blob: return "x'" + to_hex(cell.bytes) + "'" + size;
    }
    return {};
  }
  std::vector<std::string> names;
  std::vector<std::string> rows;

 private:
  std::vector<std::size_t> bytes_{0};
};

struct Answer {
  Outcome<Page> page = fail(Fault::internal, "not asked");
  std::vector<std::string> rows;
  std::string text() const {
    std::string all;
    for (const std::string& row : rows) all += (all.empty() ? "" : "\n") + row;
    return all;
  }
};

// "not_readonly: statement is not read-only", or "ok".
template <class T>
std::string outcome_text(const Outcome<T>& outcome) {
  if (outcome) return "ok";
  static constexpr const char* names[]{"invalid_request", "path_not_allowed", "open_failed", "sql_error", "not_readonly",
                                       "invalid_number",  "timeout",          "cancelled",   "internal"};
  return names[static_cast<std::size_t>(outcome.error().fault)] + std::string(": ") + outcome.error().message;
}
template <class T>
Fault fault_of(const Outcome<T>& outcome) {
  return outcome ? Fault::internal : outcome.error().fault;
}

class EngineTest : public testing::Test {
 protected:
  EngineTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "parlance-engine-XXXXXX").string();
    PARLANCE_CHECK(::mkdtemp(pattern.data()) != nullptr, "a folder for the test");
    folder = std::filesystem::canonical(pattern).string();
    db = folder + "/t.db";
    start({});
  }
  ~EngineTest() override {
    engine.reset();
    loop.run_ready();
    std::error_code ignored;
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(folder, ignored);
  }
  void start(EngineSettings settings) {
    engine.reset();
    auto made = Engine::make(loop, std::move(settings));
    PARLANCE_CHECK(made, "an engine");
    engine = *std::move(made);
  }

  // Like any other program.
  void raw(const std::string& sql, const std::string& path = {}) {
    sqlite3* handle = nullptr;
    char* why = nullptr;
    ASSERT_EQ(sqlite3_open((path.empty() ? db : path).c_str(), &handle), SQLITE_OK);
    sqlite3_busy_timeout(handle, 60'000);  // The engine may still be releasing its last answer.
    EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, &why), SQLITE_OK) << sql << ": " << (why == nullptr ? "" : why);
    sqlite3_free(why);
    sqlite3_close(handle);
  }

  Answer query(std::string sql, PageLimits limits = {}, std::optional<std::chrono::milliseconds> timeout = {}) {
    return query_with({.sql = std::move(sql), .limits = limits}, timeout);
  }
  Answer query_with(ReadRequest request, std::optional<std::chrono::milliseconds> timeout = {}) {
    const auto sink = std::make_shared<Collected>();
    Answer answer;
    answer.page = loop.block_on(engine->query(db, std::move(request), sink, engine->ticket(timeout)));
    if (answer.page) answer.rows = sink->rows;
    return answer;
  }
  std::string refused(std::string sql) { return outcome_text(query(std::move(sql)).page); }
  Outcome<WriteResult> execute(std::string sql, Parameters parameters = {},
                               std::optional<std::chrono::milliseconds> timeout = {}) {
    returned = std::make_shared<Collected>();
    return loop.block_on(
        engine->execute(db, {.sql = std::move(sql), .parameters = std::move(parameters)}, returned, engine->ticket(timeout)));
  }
  Outcome<> connect(const std::string& path, OpenRequest request = {}) {
    return loop.block_on(engine->open(path, request, engine->ticket()));
  }
  std::string value(const std::string& sql) { return query(sql).text(); }
  static std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  template <class F>
  std::chrono::milliseconds time_of(F work) {
    const TimePoint before = Clock::now();
    work();
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - before);
  }

  Loop loop;
  std::string folder;
  std::string db;
  std::unique_ptr<Engine> engine;
  std::shared_ptr<Collected> returned;
};

// Holds a lock on a database like another program. It is a process, because SQLite's locks belong to processes.
class Locker {
 public:
  Locker(const std::string& path, const std::string& sql);  // Returns with the lock held.
  ~Locker();                                                // Releases the lock.
  void release();

 private:
  int pid_ = -1;
  int to_child_ = -1;
};

}  // namespace parlance::sqlite::test
