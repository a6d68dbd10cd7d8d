// SPDX-License-Identifier: Apache-2.0
// sqlite-helper with faults around: a full disk, dead writers, read-only folders, other programs at the same database, and its
// own sudden death.
#include <algorithm>
#include <filesystem>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>

#include "tests/sqlite/helper_program.h"

namespace parlance::test {
namespace {

constexpr std::string_view forever = "\"timeout_ms\":0";  // timing is irrelevant here

class Faults : public HelperTest {
 protected:
  std::string command(int id, std::string_view cmd, std::string_view payload, std::string_view name = "t.db") const {
    return "{\"id\":" + std::to_string(id) + ",\"cmd\":\"" + std::string(cmd) + "\",\"payload\":{\"path\":\"" + path(name) +
           "\"" + (payload.empty() ? "" : ",") + std::string(payload) + "}}";
  }
  static std::string sql(std::string_view text) { return "\"sql\":\"" + std::string(text) + "\""; }
  json::Value execute(std::string_view text, std::string_view name = "t.db") {
    return parsed(say_and_hear(command(1, "execute", sql(text), name)));
  }
  json::Value query(std::string_view text, std::string_view name = "t.db") {
    return parsed(say_and_hear(command(1, "query", sql(text), name)));
  }
  static std::string value(const json::Value& answer) {
    const json::Value row = at(answer, {"data", "rows", "0"});
    return row.object() != nullptr && !row.object()->members.empty() ? json::to_text(row.object()->members[0].second)
                                                                     : json::to_text(answer);
  }
  static std::string code(const json::Value& answer) { return text_at(answer, {"code"}); }
  static std::string detail(const json::Value& answer, std::string_view name) { return text_at(answer, {"details", name}); }
  std::string whole(std::string_view name = "t.db") {
    sqlite3* handle = nullptr;
    sqlite3_stmt* statement = nullptr;
    sqlite3_open(path(name).c_str(), &handle);
    sqlite3_prepare_v2(handle, "PRAGMA integrity_check", -1, &statement, nullptr);
    const std::string result = sqlite3_step(statement) == SQLITE_ROW
                                   ? reinterpret_cast<const char*>(sqlite3_column_text(statement, 0))
                                   : sqlite3_errmsg(handle);
    sqlite3_finalize(statement);
    sqlite3_close(handle);
    return result;
  }

  // A program that dies during a write: its pages have reached the file, its commit has not.
  void die_while_writing(const std::string& name, const char* before, const char* then) {
    const std::string file = path(name);
    const pid_t child = ::fork();
    if (child == 0) {
      sqlite3* handle = nullptr;
      if (sqlite3_open(file.c_str(), &handle) == SQLITE_OK &&
          sqlite3_exec(handle, before, nullptr, nullptr, nullptr) == SQLITE_OK)
        sqlite3_exec(handle, then, nullptr, nullptr, nullptr);
      ::kill(::getpid(), SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
  }
  void leave_hot_journal(const std::string& name) {
    raw("CREATE TABLE t(a INTEGER PRIMARY KEY, b); INSERT INTO t VALUES(1,'x'),(2,'y')", name);
    die_while_writing(name, "PRAGMA cache_size=1; PRAGMA cache_spill=1",
                      "BEGIN; UPDATE t SET b='lost'; INSERT INTO t(b) WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 "
                      "FROM n LIMIT 500) SELECT hex(randomblob(500)) FROM n");
    ASSERT_TRUE(std::filesystem::exists(path(name + "-journal")));
    ASSERT_GT(std::filesystem::file_size(path(name)), 100U << 10) << "its pages are in the file";
  }

  // Runs a command after the mounts of `script`, in a separate namespace: with our own rights if sufficient, else with the
  // kernel's rights for everybody. Empty: neither is allowed here.
  Words in_namespace(const std::string& script, Words command) {
    for (const Words& way : {Words{"unshare", "--mount"}, Words{"unshare", "--user", "--map-root-user", "--mount"}}) {
      Words words{"/usr/bin/env"};
      words.insert(words.end(), way.begin(), way.end());
      for (const char* word : {"sh", "-ec"}) words.emplace_back(word);
      Words attempt = words;
      attempt.push_back(script);
      if (run(attempt).code != 0) continue;
      words.push_back(script + "; exec \"$@\"");
      words.emplace_back("sh");
      words.insert(words.end(), command.begin(), command.end());
      return words;
    }
    return {};
  }
};

constexpr const char* no_mount = "nothing may be mounted here, not even in a namespace of our own";

// ---- a full disk --------------------------------------------------------------------------------------------------------------

// After a failed write on a full disk: the error is reported, no part of the write exists, and a smaller write succeeds.
constexpr std::string_view large =
    "INSERT INTO t(b) WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n LIMIT 4000) SELECT hex(zeroblob(250)) FROM n";

TEST_F(Faults, AFullDiskUndoesTheWriteWithAnError) {
  std::filesystem::create_directory(path("disk"));
  const Words words = in_namespace("mount -t tmpfs -o size=600k none " + path("disk"), helper());
  if (words.empty()) GTEST_SKIP() << no_mount;
  program = launch(words);
  ASSERT_EQ(text_at(parsed(say_and_hear(command(1, "connect", "\"create\":true", "disk/t.db"))), {"status"}), "ok");
  ASSERT_EQ(
      text_at(execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b); INSERT INTO t(b) VALUES('kept')", "disk/t.db"), {"status"}),
      "ok");
  for (int i = 0; i < 3; ++i) {
    const json::Value full = execute(large, "disk/t.db");
    EXPECT_EQ(code(full), "SQL_ERROR") << json::to_text(full);
    EXPECT_EQ(detail(full, "sqlite_code"), std::to_string(SQLITE_FULL));
    EXPECT_EQ(value(query("SELECT count(*) FROM t", "disk/t.db")), std::to_string(i + 1));
    EXPECT_EQ(value(query("PRAGMA integrity_check", "disk/t.db")), "\"ok\"");
    EXPECT_EQ(text_at(execute("INSERT INTO t(b) VALUES('small')", "disk/t.db"), {"data", "changes"}), "1");
  }
  // Several statements form one transaction, also on a full disk.
  const json::Value several = execute("DELETE FROM t; " + std::string(large), "disk/t.db");
  EXPECT_EQ(detail(several, "sqlite_code"), std::to_string(SQLITE_FULL)) << json::to_text(several);
  EXPECT_EQ(value(query("SELECT count(*) FROM t", "disk/t.db")), "4");
  EXPECT_EQ(end().code, 0);
}

// The same without a mount, so that the test runs everywhere: the file must not grow beyond a limit.
TEST_F(Faults, AFileAtItsSizeLimitUndoesTheWriteWithAnError) {
  raw("CREATE TABLE t(a INTEGER PRIMARY KEY, b); INSERT INTO t(b) VALUES('kept')");
  Words words{"/bin/sh", "-c", "ulimit -f 800; exec \"$@\"", "sh"};
  for (const std::string& word : helper()) words.push_back(word);
  program = launch(words);
  for (int i = 0; i < 3; ++i) {
    const json::Value full = execute(large);
    EXPECT_EQ(code(full), "SQL_ERROR") << json::to_text(full);
    EXPECT_EQ(value(query("SELECT count(*) FROM t")), std::to_string(i + 1));
    EXPECT_EQ(text_at(execute("INSERT INTO t(b) VALUES('small')"), {"data", "changes"}), "1");
  }
  EXPECT_EQ(end().code, 0);
  EXPECT_EQ(whole(), "ok");
  EXPECT_FALSE(std::filesystem::exists(path("t.db-journal")));
}

TEST_F(Faults, ADatabaseAtItsSizeLimitReportsFull) {
  raw("CREATE TABLE t(a INTEGER PRIMARY KEY, b); INSERT INTO t(b) VALUES('kept')");
  begin();
  ASSERT_EQ(text_at(execute("PRAGMA max_page_count=20"), {"status"}), "ok");
  const json::Value full = execute(large);
  EXPECT_EQ(code(full), "SQL_ERROR") << json::to_text(full);
  EXPECT_EQ(detail(full, "sqlite_code"), std::to_string(SQLITE_FULL));
  EXPECT_EQ(value(query("SELECT count(*) FROM t")), "1");
  EXPECT_EQ(end().code, 0);
  EXPECT_EQ(whole(), "ok");
}

// ---- dead writers
// ---------------------------------------------------------------------------------------------------------------

TEST_F(Faults, H17AReaderReportsAHotJournalAndChangesNothing) {
  leave_hot_journal("t.db");
  const std::string before = read_file(path("t.db"));
  const std::string journal = read_file(path("t.db-journal"));
  begin({"--read-only"});
  for (int i = 0; i < 2; ++i) {
    const json::Value answer = i == 0 ? parsed(say_and_hear(command(1, "connect", ""))) : query("SELECT count(*) FROM t");
    EXPECT_EQ(code(answer), "DB_OPEN_FAILED") << json::to_text(answer);
    EXPECT_EQ(detail(answer, "hint"), "hot-journal");
    EXPECT_EQ(detail(answer, "sqlite_extended_code"), std::to_string(SQLITE_READONLY_ROLLBACK));
  }
  EXPECT_EQ(code(parsed(say_and_hear(command(1, "connect", "\"repair\":true")))), "NOT_READONLY");
  EXPECT_EQ(end().code, 0);
  EXPECT_TRUE(read_file(path("t.db")) == before);
  EXPECT_TRUE(read_file(path("t.db-journal")) == journal);
}

TEST_F(Faults, H17RepairOnRequestUndoesAnIncompleteWrite) {
  leave_hot_journal("t.db");
  begin();
  EXPECT_EQ(text_at(parsed(say_and_hear(command(1, "connect", "\"repair\":true"))), {"data"}), "true");
  EXPECT_EQ(value(query("SELECT group_concat(b) FROM t")), "\"x,y\"");
  EXPECT_EQ(end().code, 0);
  EXPECT_FALSE(std::filesystem::exists(path("t.db-journal")));
  EXPECT_EQ(whole(), "ok");
}

TEST_F(Faults, H17AWriterUndoesAnIncompleteWriteFirst) {
  leave_hot_journal("t.db");
  begin();
  const json::Value written = execute("INSERT INTO t(b) VALUES('z')");
  EXPECT_EQ(text_at(written, {"data", "changes"}), "1") << json::to_text(written);
  EXPECT_EQ(value(query("SELECT group_concat(b) FROM t")), "\"x,y,z\"");
  EXPECT_EQ(end().code, 0);
  EXPECT_EQ(whole(), "ok");
}

// ---- read-only folders
// ------------------------------------------------------------------------------------------------------------

class ReadOnlyMedia : public Faults {
 protected:
  ReadOnlyMedia() { std::filesystem::create_directory(path("cd")); }
  // The helper sees the folder as read-only; other processes see the real folder. False: impossible here.
  bool begin_on_cd() {
    const Words words =
        in_namespace("mount --bind " + path("cd") + " " + path("cd") + "; mount -o remount,bind,ro " + path("cd"), helper());
    if (words.empty()) return false;
    program = launch(words);
    return true;
  }
};

TEST_F(ReadOnlyMedia, H16AWalDatabaseIsNeverReadWithoutItsWal) {
  // First closed; then with a dead writer's WAL: the valid rows are only there.
  raw("PRAGMA journal_mode=WAL; CREATE TABLE t(a); INSERT INTO t VALUES(1)", "cd/closed.db");
  raw("PRAGMA journal_mode=WAL; CREATE TABLE t(a); INSERT INTO t VALUES(1)", "cd/left.db");
  die_while_writing("cd/left.db", "PRAGMA wal_autocheckpoint=0; INSERT INTO t VALUES(2)", "SELECT 1");
  ASSERT_GT(std::filesystem::file_size(path("cd/left.db-wal")), 0U);
  std::filesystem::remove(path("cd/left.db-shm"));
  if (!begin_on_cd()) GTEST_SKIP() << no_mount;
  const json::Value left = query("SELECT count(*) FROM t", "cd/left.db");
  EXPECT_EQ(code(left), "DB_OPEN_FAILED") << json::to_text(left);
  EXPECT_EQ(detail(left, "hint"), "wal-readonly-directory") << json::to_text(left);
  const json::Value closed = query("SELECT count(*) FROM t", "cd/closed.db");
  EXPECT_THAT(json::to_text(closed), testing::HasSubstr("\"count(*)\":1")) << "without a WAL the file is complete";
  EXPECT_EQ(end().code, 0);
}

TEST_F(ReadOnlyMedia, H16AWalDatabaseOpenInALiveWriterIsReadWithItsWal) {
  sqlite3* writer = nullptr;
  ASSERT_EQ(sqlite3_open(path("cd/t.db").c_str(), &writer), SQLITE_OK);
  ASSERT_EQ(
      sqlite3_exec(writer, "PRAGMA journal_mode=WAL; CREATE TABLE t(a); INSERT INTO t VALUES(1)", nullptr, nullptr, nullptr),
      SQLITE_OK);
  const bool mounted = begin_on_cd();
  if (mounted) {
    EXPECT_EQ(value(query("SELECT count(*) FROM t", "cd/t.db")), "1");
    ASSERT_EQ(sqlite3_exec(writer, "INSERT INTO t VALUES(2)", nullptr, nullptr, nullptr), SQLITE_OK);
    EXPECT_EQ(value(query("SELECT count(*) FROM t", "cd/t.db")), "2") << "not the state of a moment ago";
    EXPECT_EQ(end().code, 0);
  }
  sqlite3_close(writer);
  if (!mounted) GTEST_SKIP() << no_mount;
}

TEST_F(ReadOnlyMedia, OtherDatabasesAreReadAndWritesAreReportedAsImpossible) {
  raw("CREATE TABLE t(a); INSERT INTO t VALUES(1)", "cd/t.db");
  leave_hot_journal("cd/hot.db");
  if (!begin_on_cd()) GTEST_SKIP() << no_mount;
  EXPECT_EQ(value(query("SELECT a FROM t", "cd/t.db")), "1");
  const json::Value written = execute("INSERT INTO t VALUES(2)", "cd/t.db");
  EXPECT_EQ(text_at(written, {"status"}), "error");
  EXPECT_EQ(detail(written, "sqlite_code"), std::to_string(SQLITE_READONLY)) << json::to_text(written);
  EXPECT_EQ(value(query("SELECT count(*) FROM t", "cd/t.db")), "1") << "and reading goes on";
  for (const char* payload : {"", "\"repair\":true"}) {
    const json::Value hot = parsed(say_and_hear(command(1, "connect", payload, "cd/hot.db")));
    EXPECT_EQ(code(hot), "DB_OPEN_FAILED") << json::to_text(hot);
    EXPECT_EQ(detail(hot, "hint"), "hot-journal") << json::to_text(hot);
  }
  EXPECT_EQ(end().code, 0);
}

// ---- others at the same database ----------------------------------------------------------------------------------------------------

TEST_F(Faults, ManyProcessesWriteAndNoWriteIsLost) {
  constexpr int helpers = 4;
  constexpr int writes = 40;
  for (const std::string mode : {"DELETE", "WAL"}) {
    const std::string name = mode + ".db";
    raw("PRAGMA journal_mode=" + mode +
            "; CREATE TABLE t(a INTEGER PRIMARY KEY, who, what); CREATE TABLE n(n); INSERT INTO n VALUES(0)",
        name);
    std::vector<std::unique_ptr<Program>> all;
    for (int who = 0; who < helpers; ++who) {
      all.push_back(launch(helper({"--busy-timeout-ms", "600000", "--timeout-ms", "0"})));
      std::string text;
      for (int i = 0; i < writes; ++i)
        text += command(i, "execute",
                        sql("UPDATE n SET n=n+1; INSERT INTO t(who, what) VALUES(" + std::to_string(who) + "," +
                            std::to_string(i) + ")"),
                        name) +
                "\n";
      type(*all.back(), text);
    }
    // Another program, with SQLite's default impatience: it must retry.
    sqlite3* other = nullptr;
    ASSERT_EQ(sqlite3_open(path(name).c_str(), &other), SQLITE_OK);
    int done = 0;
    int busy = 0;
    until_observed(
        [&] {
          if (done < writes) {
            const int code =
                sqlite3_exec(other, "BEGIN IMMEDIATE; UPDATE n SET n=n+1; INSERT INTO t(who) VALUES('other'); COMMIT", nullptr,
                             nullptr, nullptr);
            if (code == SQLITE_OK) ++done;
            else if (++busy, sqlite3_get_autocommit(other) == 0) sqlite3_exec(other, "ROLLBACK", nullptr, nullptr, nullptr);
          }
          return done == writes && std::ranges::all_of(all, [&](const auto& one) { return one->lines.size() == writes; });
        },
        "all writes");
    sqlite3_close(other);
    for (const auto& one : all) {
      for (const std::string& line : one->lines) EXPECT_EQ(text_at(parsed(line), {"status"}), "ok") << line;
      one->stream().close_output();
      EXPECT_EQ(get(one->child().wait()).code, 0) << one->errors;
    }
    EXPECT_EQ(count("SELECT count(*) FROM t", name), (helpers + 1) * writes) << mode;
    EXPECT_EQ(count("SELECT n FROM n", name), (helpers + 1) * writes) << mode << ": no update was lost";
    EXPECT_EQ(whole(name), "ok");
    std::printf("%s: the other program was told %d times that the database is busy\n", mode.c_str(), busy);
  }
}

TEST_F(Faults, H12BusyIsReportedAfterTheTimeoutAndPasses) {
  raw("CREATE TABLE t(a)");
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(path("t.db").c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
  begin({"--busy-timeout-ms", "30"});
  const json::Value written = execute("INSERT INTO t VALUES(1)");
  EXPECT_EQ(code(written), "SQL_ERROR") << json::to_text(written);
  EXPECT_EQ(detail(written, "sqlite_code"), std::to_string(SQLITE_BUSY));
  const json::Value read = query("SELECT count(*) FROM t");
  EXPECT_EQ(code(read), "SQL_ERROR") << json::to_text(read);
  EXPECT_EQ(detail(read, "sqlite_code"), std::to_string(SQLITE_BUSY));
  ASSERT_EQ(sqlite3_exec(other, "COMMIT", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_EQ(text_at(execute("INSERT INTO t VALUES(1)"), {"data", "changes"}), "1");
  EXPECT_EQ(value(query("SELECT count(*) FROM t")), "1");
  EXPECT_EQ(end().code, 0);
  sqlite3_close(other);
}

// ---- its own sudden death -----------------------------------------------------------------------------------------------------------

TEST_F(Faults, AKillDuringAWriteLeavesAWholeDatabase) {
  constexpr int rows = 3000;  // of a write: more than SQLite's cache, so that pages reach the file before the commit
  constexpr int batches = 400;
  raw("CREATE TABLE t(batch, i, filler, PRIMARY KEY(batch, i)); CREATE INDEX ti ON t(filler)");
  int batch = 0;
  int in_the_middle = 0;
  for (int round = 0; round < 5 || (in_the_middle == 0 && round < 100); ++round) {
    const int first = batch;
    const auto answers = static_cast<std::size_t>(round % 3);
    program = launch(helper());
    taken = 0;
    for (int i = 0; i < 5 && batch < batches; ++i, ++batch)
      say(command(batch, "execute",
                  std::string(forever) + "," +
                      sql("INSERT INTO t WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n LIMIT " +
                          std::to_string(rows) + ") SELECT " + std::to_string(batch) + ", i, hex(randomblob(400)) FROM n")));
    until([&] { return program->lines.size() >= answers || program->ended(); }, "some answers");
    // At any point; and if a journal shows an incomplete transaction, most likely there.
    if (round % 2 == 0)
      until_observed([&] { return std::filesystem::exists(path("t.db-journal")) || program->lines.size() == 5; },
                     "a write that has begun");
    ASSERT_EQ(::kill(program->child().pid(), SIGKILL), 0);
    EXPECT_EQ(get(program->child().wait()).signal, SIGKILL);
    std::vector<int> acknowledged;
    for (const std::string& line : program->lines) acknowledged.push_back(static_cast<int>(parsed(line).integer_or("id", -1)));
    in_the_middle += std::filesystem::exists(path("t.db-journal")) ? 1 : 0;

    // The next writer rolls back the incomplete transaction.
    const json::Value next = parsed(ask({command(1, "execute", sql("CREATE TABLE IF NOT EXISTS next(a)"))})[0]);
    EXPECT_EQ(text_at(next, {"status"}), "ok") << json::to_text(next);
    EXPECT_EQ(whole(), "ok");
    EXPECT_EQ(count("SELECT count(*) FROM (SELECT batch FROM t GROUP BY batch HAVING count(*)<>" + std::to_string(rows) + ")"), 0)
        << "each write is there as a whole or not at all";
    for (const int one : acknowledged)
      EXPECT_EQ(count("SELECT count(*) FROM t WHERE batch=" + std::to_string(one)), rows) << "it was acknowledged";
    EXPECT_EQ(count("SELECT count(DISTINCT batch) FROM t WHERE batch>=" + std::to_string(first + 5)), 0);
    raw("DELETE FROM t");
  }
  EXPECT_GT(in_the_middle, 0);
  std::printf("%d times in the middle of a write\n", in_the_middle);
}

}  // namespace
}  // namespace parlance::test
