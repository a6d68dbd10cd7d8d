// SPDX-License-Identifier: Apache-2.0
#include "selftest.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "parlance/base/sha256.h"
#include "parlance/server/sqlite/convert.h"
#include "parlance/server/sqlite/rows.h"
#include "parlance/sqlite/engine.h"

namespace parlance::app {
namespace {

using namespace std::chrono_literals;

struct Try {
  const char* rule;
  std::string sql;
};

std::vector<Try> tries(const std::string& folder) {
  return {
      {"H1", "DELETE FROM sqlite_schema"},
      {"H1", "WITH x AS (SELECT 1) INSERT INTO sqlite_schema(name) SELECT 'x'"},
      {"H1", "SELECT 1; CREATE TABLE second(x)"},
      {"H1", "CREATE TABLE made(x)"},
      {"H1", "REINDEX"},
      {"H1", "ANALYZE"},
      {"H2", "PRAGMA query_only=0"},
      {"H2", "PRAGMA writable_schema=1"},
      {"H2", "PRAGMA hard_heap_limit=1"},
      {"H2", "PRAGMA locking_mode=EXCLUSIVE"},
      {"H3", "PRAGMA user_version=77"},
      {"H3", "PRAGMA wal_checkpoint(TRUNCATE)"},
      {"H3", "SELECT fts3_tokenizer('simple', x'00')"},
      {"H5", "PRAGMA journal_mode=WAL"},
      {"H5", "EXPLAIN DELETE FROM sqlite_schema"},
      {"H7", "VACUUM INTO '" + folder + "/escaped.db'"},
      {"H7", "VACUUM"},
      {"H8", "ATTACH '" + folder + "/attached.db' AS a"},
      {"H8", "ATTACH 'file:" + folder + "/attached.db?mode=rwc' AS a"},
      {"H9", "BEGIN EXCLUSIVE"},
      {"H9", "SAVEPOINT held"},
      {"H9", "PRAGMA optimize"},
      {"H10", "CREATE TEMP TABLE z(x)"},
      {"H11", "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n"},
      {"H11", "SELECT length(replace(hex(zeroblob(300000000)),'0','ab'))"},
      {"H18", "SELECT zeroblob(900000000)"},
      {"H20", "SELECT load_extension('" + folder + "/x.so')"},
  };
}

std::string fingerprint(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path().string());
  std::erase(files, folder + "/copy.db-shm");  // Readers write marks to the shared memory of the write-ahead log.
  std::ranges::sort(files);
  std::string all;
  for (const std::string& path : files) {
    std::ifstream file(path, std::ios::binary);
    all += path + "\n" + sha256_hex(std::string(std::istreambuf_iterator<char>(file), {})) + "\n";
  }
  return all;
}

class Folder {
 public:
  Folder() : path_((std::filesystem::temp_directory_path() / "sqlite-helper-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) path_.clear();
    else path_ = std::filesystem::canonical(path_).string();
  }
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

int run_sqlite_selftest(const std::string& database) {
  Loop loop;
  const Folder folder;
  if (folder.path().empty()) return std::fprintf(stderr, "sqlite-helper: no folder for the copy\n"), 1;
  const std::string copy = folder.path() + "/copy.db";
  auto engine = sqlite::Engine::make(loop, {.timeout = 500ms});
  if (!engine) return std::fprintf(stderr, "sqlite-helper: %s\n", engine.error().message.c_str()), 1;
  if (const auto copied = loop.block_on((*engine)->snapshot(database, copy, (*engine)->ticket(0ms))); !copied)
    return std::fprintf(stderr, "sqlite-helper: %s: %s\n", database.c_str(), copied.error().message.c_str()), 1;

  std::printf("SQLite %s; on a copy of %s\n", sqlite::library_version().c_str(), database.c_str());
  const auto ask = [&](const std::string& sql) {
    return loop.block_on((*engine)->query(copy, {.sql = sql}, std::make_shared<server::RowWriter>(), (*engine)->ticket()));
  };
  static_cast<void>(ask("SELECT count(*) FROM sqlite_schema"));  // A database in WAL mode gets its log with the first read.
  int held = 0;
  int count = 0;
  const std::string before = fingerprint(folder.path());
  for (const Try& attempt : tries(folder.path())) {
    ++count;
    const auto outcome = ask(attempt.sql);
    const bool harmless = fingerprint(folder.path()) == before && ask("SELECT count(*) FROM sqlite_schema").has_value();
    held += harmless ? 1 : 0;
    const char* const verdict = !harmless ? "BYPASSED" : outcome ? "harmless" : "refused";
    const std::string why =
        outcome ? "" : std::string(wire::name_of(server::to_wire(outcome.error()).code)) + ": " + outcome.error().message;
    std::printf("  %-8s %-4s %-58.58s %.60s\n", verdict, attempt.rule, server::shown_sql(attempt.sql).c_str(), why.c_str());
  }
  const bool reads = ask("SELECT * FROM sqlite_schema").has_value() && ask("PRAGMA table_list").has_value();
  std::printf("The read gate refused or contained %d of %d attempts; reading %s.\n", held, count,
              reads ? "works" : "does NOT work");
  return held == count && reads ? 0 : 1;
}

}  // namespace parlance::app
