// SPDX-License-Identifier: Apache-2.0
// Previews, their application, and the undo of writes.
#include "parlance/sqlite/test_support.h"

namespace parlance::sqlite::test {
namespace {

class Undo : public EngineTest {
 protected:
  Undo() {
    raw("CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT); INSERT INTO t VALUES(1,'one'),(2,'two'),(3,'three');"
        "CREATE TABLE log(id INTEGER PRIMARY KEY, what); CREATE TABLE nokey(x);"
        "CREATE TRIGGER tr AFTER DELETE ON t BEGIN INSERT INTO log(what) VALUES(old.b); END");
  }
  Outcome<Preview> preview(std::string sql) {
    return loop.block_on(engine->preview(db, {.sql = std::move(sql)}, std::make_shared<Collected>(), engine->ticket()));
  }
  Outcome<WriteResult> apply(const std::string& id) { return loop.block_on(engine->apply(db, id, engine->ticket())); }
  Outcome<WriteResult> undo(std::size_t count = 1) { return loop.block_on(engine->undo(db, count, engine->ticket())); }
  std::string all() { return value("SELECT group_concat(a||'='||b) FROM (SELECT * FROM t ORDER BY a)"); }
  std::string logged() { return value("SELECT count(*) FROM log"); }
};

TEST_F(Undo, APreviewReportsRowsAndValuesWithoutAChange) {
  const std::string before = content(db);
  const auto shown = preview("UPDATE t SET b='TWO' WHERE a=2; DELETE FROM t WHERE a=3; INSERT INTO t VALUES(9,'nine')");
  ASSERT_TRUE(shown) << outcome_text(shown);
  EXPECT_EQ(content(db), before);
  EXPECT_EQ(shown->would.changes, 3);
  EXPECT_TRUE(shown->missing.empty());
  ASSERT_EQ(shown->tables.size(), 2U);
  const TableChange& table = shown->tables[shown->tables[0].name == "t" ? 0 : 1];
  const TableChange& by_trigger = shown->tables[shown->tables[0].name == "t" ? 1 : 0];
  EXPECT_EQ(by_trigger.name, "log") << "what a trigger would do is shown as well";
  EXPECT_EQ(by_trigger.inserted, 1U);
  EXPECT_EQ(table.inserted + 10 * table.updated + 100 * table.deleted, 111U);
  for (const RowChange& row : table.rows) {
    if (row.kind != RowChange::Kind::updated) continue;
    EXPECT_EQ(row.key[0], (std::pair<std::string, Value>("a", std::int64_t{2})));
    EXPECT_EQ(row.before, (std::vector<std::pair<std::string, Value>>{{"b", std::string("two")}}));
    EXPECT_EQ(row.after, (std::vector<std::pair<std::string, Value>>{{"b", std::string("TWO")}}));
  }
}

TEST_F(Undo, SettingsCannotBeApplied) {
  for (const char* const sql : {"PRAGMA user_version=77", "INSERT INTO t VALUES(9,'nine'); PRAGMA user_version=78"}) {
    const auto shown = preview(sql);
    ASSERT_TRUE(shown) << sql;
    EXPECT_EQ(shown->id, "") << sql;
    EXPECT_EQ(shown->missing, std::vector<std::string>{"a setting changes, which cannot be recorded"}) << sql;
  }
  EXPECT_NE(preview("PRAGMA table_info(t); DELETE FROM t")->id, "") << "a read";
  EXPECT_EQ(preview("VACUUM").error().message, "VACUUM has no preview: run it without a preview");
}

TEST_F(Undo, AnAppliedPreviewMakesItsChangesOnce) {
  const auto shown = preview("DELETE FROM t WHERE a=3; UPDATE t SET b='TWO' WHERE a=2");
  ASSERT_TRUE(shown);
  EXPECT_EQ(outcome_text(apply(shown->id)), "ok");
  EXPECT_EQ(all(), "'1=one,2=TWO'");
  EXPECT_EQ(logged(), "1") << "the trigger's row comes from the recording, not from the trigger again";
  EXPECT_EQ(outcome_text(apply(shown->id)), "invalid_request: no such preview: " + shown->id);
  EXPECT_EQ(outcome_text(undo()), "ok");
  EXPECT_EQ(all(), "'1=one,2=two,3=three'");
  EXPECT_EQ(logged(), "0");
}

TEST_F(Undo, AnOutdatedPreviewIsRefusedWhole) {
  const auto shown = preview("UPDATE t SET b=b||'!'");
  ASSERT_TRUE(shown);
  raw("UPDATE t SET b='changed by another' WHERE a=2");
  const auto done = apply(shown->id);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().hint, "conflict");
  EXPECT_EQ(outcome_text(done), "sql_error: table t: a row has been changed since; nothing was changed");
  EXPECT_EQ(all(), "'1=one,2=changed by another,3=three'");
}

TEST_F(Undo, TheLastWritesAreTakenBack) {
  EXPECT_EQ(outcome_text(undo()), "invalid_request: only 0 writes can be undone");
  ASSERT_TRUE(execute("UPDATE t SET b='x'"));
  ASSERT_TRUE(execute("DELETE FROM t WHERE a=1"));
  ASSERT_TRUE(execute("INSERT INTO t(b) VALUES('new') RETURNING a"));
  EXPECT_FALSE(execute("INSERT INTO t VALUES(2,'no')")) << "what failed is not in the history";
  ASSERT_TRUE(execute("SELECT 1")) << "nor is what changed nothing";
  EXPECT_EQ(all(), "'2=x,3=x,4=new'");
  EXPECT_EQ(outcome_text(undo(4)), "invalid_request: only 3 writes can be undone");
  EXPECT_EQ(outcome_text(undo()), "ok");
  EXPECT_EQ(all(), "'2=x,3=x'");
  EXPECT_EQ(outcome_text(undo(2)), "ok");
  EXPECT_EQ(all(), "'1=one,2=two,3=three'");
  EXPECT_EQ(logged(), "0");
}

TEST_F(Undo, TheHistoryOutlivesAnIdleDatabase) {
  start({.idle = 20ms});
  ASSERT_TRUE(execute("DELETE FROM t WHERE a=1"));
  EXPECT_TRUE(loop.run_until([&] { return engine->open_databases().empty(); }));
  EXPECT_EQ(outcome_text(undo()), "ok");
  EXPECT_EQ(all(), "'1=one,2=two,3=three'");
}

TEST_F(Undo, UnrecordableChangesAreReportedAndNeverHalfUndone) {
  raw("CREATE TABLE textkey(k TEXT PRIMARY KEY, v); INSERT INTO textkey VALUES('a',1),(NULL,2);"
      "CREATE TABLE made(a INTEGER PRIMARY KEY, g AS (a+1) STORED);"
      "CREATE VIRTUAL TABLE f USING fts5(x)");
  for (const char* sql : {"DELETE FROM nokey; INSERT INTO nokey VALUES(1)", "CREATE TABLE n(x)", "ALTER TABLE t ADD COLUMN c",
                          "DELETE FROM textkey", "INSERT INTO f VALUES('x')"}) {
    const auto shown = preview(sql);
    ASSERT_TRUE(shown) << sql << ": " << outcome_text(shown);
    EXPECT_FALSE(shown->missing.empty()) << sql;
    EXPECT_EQ(shown->id, "") << sql;
  }
  // A recording of generated columns is either right or refused.
  const auto generated = preview("INSERT INTO made(a) VALUES(1)");
  ASSERT_TRUE(generated) << outcome_text(generated);
  if (!generated->id.empty()) {
    EXPECT_TRUE(apply(generated->id));
    EXPECT_EQ(value("SELECT a, g FROM made"), "1|2");
    EXPECT_TRUE(undo());
    EXPECT_EQ(value("SELECT count(*) FROM made"), "0");
  }
  ASSERT_TRUE(execute("DELETE FROM t WHERE a=1"));
  ASSERT_TRUE(execute("INSERT INTO nokey VALUES(1)"));
  EXPECT_EQ(outcome_text(undo()), "invalid_request: only 0 writes can be undone: table nokey has no primary key")
      << "undo does not jump over a write";
  EXPECT_EQ(all(), "'2=two,3=three'");
}

TEST_F(Undo, AWriteTooLargeToRecordSucceeds) {
  raw("CREATE TABLE big(a INTEGER PRIMARY KEY, b); INSERT INTO big WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n "
      "LIMIT 60000) "
      "SELECT i, zeroblob(1000) FROM n");
  EXPECT_EQ(execute("DELETE FROM big")->changes, 60000);
  EXPECT_EQ(value("SELECT count(*) FROM big"), "0");
  EXPECT_EQ(fault_of(undo()), Fault::invalid_request);
}

TEST_F(Undo, ASnapshotIsAWholeDatabase) {
  const std::string to = folder + "/copy.db";
  EXPECT_EQ(outcome_text(loop.block_on(engine->snapshot(db, to, engine->ticket()))), "ok");
  EXPECT_EQ(outcome_text(loop.block_on(engine->snapshot(db, to, engine->ticket()))), "open_failed: the file exists already");
  ASSERT_TRUE(execute("DELETE FROM t")) << "the database itself is guarded as before";
  db = to;
  EXPECT_EQ(all(), "'1=one,2=two,3=three'");
  EXPECT_EQ(value("PRAGMA integrity_check"), "'ok'");
  start({.paths = {.allowed_folders = {folder}}});
  EXPECT_EQ(fault_of(loop.block_on(engine->snapshot(db, "/tmp/outside.db", engine->ticket()))), Fault::path_not_allowed);
  EXPECT_FALSE(std::filesystem::exists("/tmp/outside.db"));
}

}  // namespace
}  // namespace parlance::sqlite::test
