// SPDX-License-Identifier: Apache-2.0
// SQLite's own fuzzing corpora through our engine: 10,461 hostile databases read completely, 35,756 hostile SQL texts queried and
// written. The engine must not crash, hang, grow without bound, or leave a trace after reading. Skipped without the corpora:
// scripts/peers.sh install sqlite-corpora.
//
// Split into parts, so that ctest uses all processors. After a crash, the test's folder remains with the input.
#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <map>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

#include "parlance/sqlite/limits.h"
#include "parlance/sqlite/test_support.h"

namespace parlance::sqlite::test {
namespace {

constexpr int parts = 8;
constexpr std::array database_files{"fuzzdata3.db", "fuzzdata7.db"};
constexpr std::array text_files{"fuzzdata1.db", "fuzzdata2.db", "fuzzdata4.db", "fuzzdata5.db", "fuzzdata6.db", "fuzzdata8.db"};
constexpr int databases = 10'461;
constexpr int texts = 35'756;

// of a request; the engine answers by then or reports the timeout
constexpr auto patience = 100ms;
// The process's memory limit: SQLite's own bound, and this program. Sanitizers keep freed memory for a while.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PARLANCE_ASAN 1
#endif
#endif
#if defined(PARLANCE_ASAN) || defined(__SANITIZE_ADDRESS__)
constexpr long most_kib = 3L << 20;
#else
constexpr long most_kib = (limits::sqlite_hard_heap_bytes >> 10) + (128L << 10);
#endif

std::string corpus(const std::string& name) {
  const char* peers = std::getenv("PARLANCE_PEERS");
  return std::string(peers != nullptr ? peers : PARLANCE_SOURCE_DIR "/.peers") + "/sqlite-corpora/test/" + name;
}

// Every part-th row of the first column of a query in a corpus.
template <class F>
int each(const std::string& file, const char* sql, int part, int& number, F use) {
  sqlite3* handle = nullptr;
  sqlite3_stmt* statement = nullptr;
  PARLANCE_CHECK(sqlite3_open_v2(corpus(file).c_str(), &handle, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK, "a corpus");
  PARLANCE_CHECK(sqlite3_prepare_v2(handle, sql, -1, &statement, nullptr) == SQLITE_OK, "its table");
  int used = 0;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    if (number++ % parts != part) continue;
    const void* const bytes = sqlite3_column_blob(statement, 0);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, 0));
    use(bytes == nullptr ? std::string() : std::string(static_cast<const char*>(bytes), size));
    ++used;
  }
  sqlite3_finalize(statement);
  sqlite3_close(handle);
  return used;
}

long peak_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::strtol(line.c_str() + 6, nullptr, 10);
  return 0;
}

std::string quoted(const std::string& name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

// The pieces between semicolons. Pieces of a trigger are equally hostile.
std::vector<std::string> pieces(const std::string& text) {
  std::vector<std::string> all;
  std::size_t from = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"' || c == '`' || c == '[') {
      quote = c == '[' ? ']' : c;
    } else if (c == ';') {
      if (i > from) all.push_back(text.substr(from, i - from));
      from = i + 1;
    }
  }
  if (from != 0 && from < text.size()) all.push_back(text.substr(from));
  return all;
}

class Corpora : public EngineTest, public testing::WithParamInterface<int> {
 protected:
  Corpora() { limit_heap(); }
  ~Corpora() override {
    sqlite3_hard_heap_limit64(0);
    sqlite3_soft_heap_limit64(0);
  }
  void SetUp() override {
    if (!std::filesystem::exists(corpus("fuzzdata8.db")))
      GTEST_SKIP() << "no " << corpus("") << ": scripts/peers.sh install sqlite-corpora";
    std::filesystem::create_directory(folder + "/in");
    db = folder + "/in/t.db";
    start({.paths = {.allowed_folders = {folder + "/in"}}, .timeout = patience});
  }
  void TearDown() override {
    if (IsSkipped()) return;
    calm_down();
    EXPECT_LE(peak_kib(), most_kib) << "of memory";
    EXPECT_LE(sqlite3_memory_highwater(0), limits::sqlite_hard_heap_bytes);
    std::string summary;
    for (const auto& [kind, count] : outcomes) summary += " " + std::to_string(count) + " " + kind;
    std::printf("%d inputs:%s; %ld MiB\n", inputs, summary.c_str(), peak_kib() >> 10);
  }

  // A running SQL function cannot be interrupted; it ends by itself, because its input is bounded.
  void calm_down() {
    ASSERT_TRUE(loop.run_until([&] { return !engine->has_stuck_statements(); }, 200s)) << "a statement that never ends";
  }
  template <class T>
  void count(const Outcome<T>& outcome) {
    const std::string how = outcome_text(outcome);
    ++outcomes[how.substr(0, how.find(':'))];
    // No input may cause an internal error.
    if (!outcome) EXPECT_NE(outcome.error().fault, Fault::internal) << how;
    if (!outcome && outcome.error().fault == Fault::timeout) calm_down();
  }
  Outcome<Page> ask(const std::string& sql) {
    const auto sink = std::make_shared<Collected>();
    auto page =
        loop.block_on(engine->query(db, {.sql = sql, .limits = {.limit = 1000, .infinities = true}}, sink, engine->ticket()));
    if (page) EXPECT_EQ(sink->rows.size(), page->rows);
    count(page);
    return page;
  }
  std::set<std::string> files() {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
      names.insert(entry.path().lexically_relative(folder).string());
    return names;
  }
  void close(const std::string& path) { static_cast<void>(loop.block_on(engine->close(path, engine->ticket()))); }

  std::map<std::string, int> outcomes;
  int inputs = 0;
};

TEST_P(Corpora, H18HostileDatabasesAreReadWithoutATrace) {
  int number = 0;
  int whole = 0;
  int refused = 0;
  for (const char* file : database_files)
    inputs += each(file, "SELECT dbcontent FROM db", GetParam(), number, [&](const std::string& bytes) {
      std::ofstream(db, std::ios::binary) << bytes;
      // A reader of a database in WAL mode creates its companions; SQLite has no alternative.
      const bool wal = bytes.size() > 19 && (bytes[18] == 2 || bytes[19] == 2);
      const auto opened = connect(db);
      count(opened);
      bool all = opened.has_value();
      refused += opened ? 0 : 1;
      if (opened) {
        const auto schema = loop.block_on(engine->schema(db, engine->ticket()));
        count(schema);
        const auto names = loop.block_on(engine->tables(db, true, engine->ticket()));
        count(names);
        all = schema && names;
        if (names)
          for (const std::string& name : *names) {
            all = ask("SELECT * FROM " + quoted(name)).has_value() && all;
            count(loop.block_on(engine->columns(db, name, engine->ticket())));
          }
        count(ask("PRAGMA integrity_check(10)"));
      }
      whole += all ? 1 : 0;
      close(db);
      EXPECT_TRUE(content(db) == bytes) << "database " << number << " was written to";
      for (const std::string& name : files())
        EXPECT_TRUE(name == "in" || name == "in/t.db" || (wal && (name == "in/t.db-wal" || name == "in/t.db-shm")))
            << "database " << number << " left " << name;
      for (const char* left : {"", "-wal", "-shm"}) std::filesystem::remove(db + left);
    });
  EXPECT_EQ(number, databases);
  EXPECT_GT(whole, 0);
  EXPECT_GT(refused, 0);
  std::printf("%d read whole, %d not opened\n", whole, refused);
}

constexpr const char* a_bit_of_everything =
    "CREATE TABLE t1(a INTEGER PRIMARY KEY, b TEXT); CREATE TABLE t2(x, y, z UNIQUE);"
    "CREATE TABLE t3(k TEXT PRIMARY KEY, v) WITHOUT ROWID; CREATE INDEX t2xy ON t2(x, lower(y)) WHERE z>3;"
    "CREATE TABLE v0(v1, v2, v3); CREATE TABLE a(a, b, c); CREATE TABLE x(x, y); CREATE TABLE t(a, b, c);"
    "INSERT INTO t1 WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n LIMIT 40)"
    " SELECT i, 'text '||i FROM n;"
    "INSERT INTO t2 SELECT CASE a%3 WHEN 0 THEN NULL WHEN 1 THEN a*1.5 ELSE randomblob(20) END, b, a FROM t1;"
    "INSERT INTO t3 SELECT y, x FROM t2; INSERT INTO v0 SELECT z, y, x FROM t2 LIMIT 5;"
    "INSERT INTO a SELECT x, y, z FROM t2 LIMIT 5; INSERT INTO x SELECT a, b FROM t1 LIMIT 5; INSERT INTO t SELECT * FROM a;"
    "CREATE VIRTUAL TABLE f5 USING fts5(x, y); INSERT INTO f5 SELECT b, b FROM t1;"
    "CREATE VIRTUAL TABLE f3 USING fts4(x); INSERT INTO f3 SELECT b FROM t1;"
    "CREATE VIRTUAL TABLE r USING rtree(id, x0, x1); INSERT INTO r SELECT a, a, a+1 FROM t1;"
    "CREATE VIEW v1 AS SELECT x, y FROM t2 WHERE z IS NOT NULL;"
    "CREATE TRIGGER tr AFTER INSERT ON t2 BEGIN UPDATE t1 SET b=new.x WHERE a=new.x; END; ANALYZE";

// Each text is queried, whole and in pieces, on a database that must not change; and written to another database, which must stay
// sound. Slow texts are not repeated: planning a join of sixty tables takes seconds without a possible interruption.
class Texts : public Corpora {
 protected:
  void SetUp() override {
    Corpora::SetUp();
    if (IsSkipped()) return;
    raw(a_bit_of_everything);
    original = content(db);
    const std::array times{timespec{.tv_sec = long_ago, .tv_nsec = 0}, timespec{.tv_sec = long_ago, .tv_nsec = 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, db.c_str(), times.data(), 0), 0);
    written = folder + "/in/w.db";
    std::ofstream(written, std::ios::binary) << original;
    input = ::open((folder + "/input").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    ASSERT_GE(input, 0);
    before = files();
  }
  void TearDown() override {
    if (input >= 0) ::close(input);
    Corpora::TearDown();
  }
  void remember(const std::string& text) const {
    ASSERT_EQ(::ftruncate(input, 0), 0);
    ASSERT_EQ(::pwrite(input, text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  }
  void expect_no_trace(const std::string& what) {
    struct stat about{};
    ASSERT_EQ(::stat(db.c_str(), &about), 0);
    ASSERT_EQ(about.st_mtim.tv_sec, long_ago) << "written to by " << what;
    std::set<std::string> now = files();
    for (const char* companion : {"-journal", "-wal", "-shm"}) now.erase(std::string("in/w.db") + companion);
    ASSERT_EQ(now, before) << "left by " << what;
  }
  void expect_sound(const std::string& what) {
    close(written);
    sqlite3* handle = nullptr;
    std::string verdict;
    ASSERT_EQ(sqlite3_open(written.c_str(), &handle), SQLITE_OK);
    // Constraints that SQLite permits to violate are not damage.
    const auto keep = [](void* into, int, char** values, char**) {
      const std::string_view message = values[0] == nullptr ? "" : values[0];
      if (!message.starts_with("NULL value in") && !message.starts_with("CHECK constraint failed"))
        static_cast<std::string*>(into)->append(message).append(" ");
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(handle, "PRAGMA quick_check", keep, &verdict, nullptr), SQLITE_OK) << sqlite3_errmsg(handle);
    EXPECT_TRUE(verdict.empty() || verdict == "ok ") << verdict << "after " << what;
    sqlite3_close(handle);
    for (const char* left : {"", "-journal", "-wal", "-shm"}) std::filesystem::remove(written + left);
    std::ofstream(written, std::ios::binary) << original;
  }

  static constexpr std::time_t long_ago = 1'000'000'000;  // any write gives the file another time
  std::string written;
  int input = -1;
  std::string original;
  std::set<std::string> before;
};

TEST_P(Texts, H1H18HostileTextsLeaveNoTraceWhereTheyAreAskedAndNoDamageWhereTheyAreWritten) {
  constexpr int texts_for_a_database = 100;  // afterwards, little of its contents remains
  int number = 0;
  int since = 0;
  int done = 0;
  for (const char* file : text_files)
    inputs += each(file, "SELECT sqltext FROM xsql", GetParam(), number, [&](const std::string& text) {
      const std::string what = "text " + std::to_string(number) + ", in " + file + ": " + text.substr(0, 1000);
      remember(text);
      const int late = outcomes["timeout"];
      static_cast<void>(ask(text));
      if (const auto several = pieces(text); several.size() > 1)
        for (const std::string& piece : several) static_cast<void>(ask(piece));
      if (outcomes["timeout"] == late) {
        returned = std::make_shared<Collected>();
        const auto outcome = loop.block_on(engine->execute(written, {.sql = text}, returned, engine->ticket()));
        count(outcome);
        done += outcome ? 1 : 0;
      }
      expect_no_trace(what);
      if (++since == texts_for_a_database) expect_sound(what), since = 0;
    });
  expect_sound("the last text");
  EXPECT_EQ(number, texts);
  close(db);
  EXPECT_TRUE(content(db) == original);
  EXPECT_GT(outcomes["ok"], done) << "some were read";
  EXPECT_GT(done, 0) << "some were written";
  EXPECT_GT(outcomes["not_readonly"], 0) << "some were kept out";
}

INSTANTIATE_TEST_SUITE_P(Part, Corpora, testing::Range(0, parts));
INSTANTIATE_TEST_SUITE_P(Part, Texts, testing::Range(0, parts));

}  // namespace
}  // namespace parlance::sqlite::test
