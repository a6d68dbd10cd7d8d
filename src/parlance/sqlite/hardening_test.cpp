// SPDX-License-Identifier: Apache-2.0
// The hardening rules of reading and opening, a test for each: each test fails without its rule. The rules about time, locks and
// cancelling are in hardening_stop_test.cpp.
#include <fcntl.h>
#include <future>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "parlance/sqlite/hardening_test_support.h"

namespace parlance::sqlite::test {
namespace {

TEST_F(Hardening, H1ReadGateRefusesBeyondEachSingleCheck) {
  raw("CREATE INDEX t_b ON t(b)");
  const std::string before = content(db);
  for (const char* sql : {"DELETE FROM t", "WITH d AS (SELECT 1) DELETE FROM t", "INSERT INTO t VALUES(9,9) RETURNING a",
                          "VACUUM", "REINDEX", "ANALYZE", "BEGIN IMMEDIATE", "PRAGMA user_version=5", "PRAGMA wal_checkpoint",
                          "CREATE TABLE u(x)", "DROP TABLE t", "ALTER TABLE t RENAME TO u", "EXPLAIN DELETE FROM t",
                          "EXPLAIN QUERY PLAN DELETE FROM t", "PRAGMA journal_mode=WAL", "PRAGMA incremental_vacuum"})
    EXPECT_EQ(fault_of(query(sql).page), Fault::not_readonly) << sql << ": " << refused(sql);
  EXPECT_EQ(refused("SELECT 1; DELETE FROM t"), "invalid_request: query takes exactly one statement");
  EXPECT_EQ(refused("DELETE FROM t; SELECT 1"), "not_readonly: statement is not read-only");
  // SQLite runs VACUUM without a question to the authorizer.
  EXPECT_EQ(refused("VACUUM"), "not_readonly: statement is not read-only");
  EXPECT_EQ(content(db), before);
  EXPECT_EQ(value(";; /* c */ SELECT count(*) FROM t ; -- end"), "2");
  EXPECT_NE(value("EXPLAIN QUERY PLAN SELECT * FROM t"), "");
}

TEST_F(Hardening, H2FlagPragmasHaveNoEffectDuringPreparation) {
  for (const char* sql :
       {"PRAGMA query_only=0", "PRAGMA foreign_keys=1", "PRAGMA cache_size=7", "PRAGMA busy_timeout=1",
        "PRAGMA mmap_size=1000000", "PRAGMA synchronous=0", "PRAGMA locking_mode=EXCLUSIVE", "PRAGMA writable_schema=1",
        "PRAGMA trusted_schema=1", "PRAGMA soft_heap_limit=1", "PRAGMA hard_heap_limit=1", "PRAGMA threads=4",
        "PRAGMA case_sensitive_like=1", "PRAGMA temp_store_directory='/tmp'", "PRAGMA optimize", "PRAGMA shrink_memory",
        "PRAGMA query_only", "PRAGMA encoding='UTF-16'"})
    EXPECT_EQ(fault_of(query(sql).page), Fault::not_readonly) << sql;
  EXPECT_EQ(refused("PRAGMA query_only=0"), "not_readonly: pragma query_only is not allowed here");
  EXPECT_EQ(sqlite3_hard_heap_limit64(-1), 0) << "it would hold for the whole process";
  EXPECT_EQ(value("SELECT 'A' LIKE 'a'"), "1");
}

TEST_F(Hardening, H2AKeptStatementIsCheckedAgainAfterASchemaChange) {
  raw("CREATE VIEW v AS SELECT a, b FROM t");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(value("SELECT b FROM v WHERE a=1"), "'x'");
  raw("DROP VIEW v; CREATE VIEW v AS SELECT a, 'new' AS b FROM t");
  EXPECT_EQ(value("SELECT b FROM v WHERE a=1"), "'new'");
  raw("DROP VIEW v; CREATE VIEW v AS SELECT 1 AS a, load_extension('x') AS b");
  EXPECT_FALSE(query("SELECT b FROM v WHERE a=1").page);
  // No trace of the previous run remains: neither values nor a lock.
  const auto with = [&](std::int64_t number) {
    return query_with({.sql = "SELECT a, b FROM t WHERE a>=?1 ORDER BY a",
                       .parameters = {.in_order = {number}, .given = true},
                       .limits = {.limit = 1}})
        .text();
  };
  EXPECT_EQ(with(1), "1|'x'");
  EXPECT_EQ(with(2), "2|'y'");
  EXPECT_EQ(outcome_text(query("SELECT a, b FROM t WHERE a>=?1 ORDER BY a").page),
            "invalid_request: the statement has 1 parameters, given are 0");
  EXPECT_EQ(with(1), "1|'x'");
  const Locker other(db, "BEGIN EXCLUSIVE");
}

TEST_F(Hardening, H3ReadAuthorizerAllowsReadsOnly) {
  for (const char* sql : {"PRAGMA user_version", "PRAGMA table_info(t)", "PRAGMA table_xinfo('t')", "PRAGMA integrity_check",
                          "PRAGMA quick_check(1)", "PRAGMA page_count", "PRAGMA database_list", "PRAGMA compile_options",
                          "SELECT * FROM pragma_table_info('t')", "SELECT * FROM pragma_user_version", "PRAGMA foreign_key_check",
                          "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n LIMIT 3) SELECT * FROM n"})
    EXPECT_EQ(refused(sql), "ok") << sql;
  for (const char* sql : {"SELECT load_extension('x')", "SELECT fts3_tokenizer('simple')", "SELECT fts5(1)"})
    EXPECT_EQ(fault_of(query(sql).page), Fault::not_readonly) << sql;
  EXPECT_EQ(fault_of(query("SELECT * FROM pragma_query_only").page), Fault::not_readonly);
}

TEST_F(Hardening, H4VirtualTablesWorkOnTheirFirstUse) {
  raw("CREATE VIRTUAL TABLE f5 USING fts5(x); INSERT INTO f5 VALUES('hello world');"
      "CREATE VIRTUAL TABLE f4 USING fts4(x); INSERT INTO f4 VALUES('hello moon');"
      "CREATE VIRTUAL TABLE r USING rtree(id,a,b); INSERT INTO r VALUES(1,2,3)");
  for (const char* sql : {"SELECT count(*) FROM json_each('[1,2]')", "SELECT count(*) FROM f5 WHERE f5 MATCH 'hello'",
                          "SELECT count(*) FROM f4 WHERE f4 MATCH 'moon'", "SELECT count(*) FROM r WHERE a>1",
                          "SELECT count(*)>0 FROM dbstat", "SELECT count(*)>0 FROM pragma_function_list"}) {
    start({});  // each the first statement of its connection
    const Answer answer = query(sql);
    EXPECT_TRUE(answer.page) << sql << ": " << outcome_text(answer.page);
    EXPECT_NE(answer.text(), "0") << sql;
  }
  start({});
  EXPECT_EQ(fault_of(query("INSERT INTO r VALUES(2,2,3)").page), Fault::not_readonly);
  EXPECT_EQ(fault_of(query("EXPLAIN INSERT INTO r VALUES(2,2,3)").page), Fault::not_readonly);
}

TEST_F(Hardening, H5JournalModeIsReportedAndExplainOfWritesRefused) {
  EXPECT_EQ(value("PRAGMA journal_mode"), "'delete'");
  EXPECT_EQ(value("PRAGMA main.journal_mode"), "'delete'");
  EXPECT_EQ(fault_of(query("PRAGMA journal_mode=wal").page), Fault::not_readonly);
  EXPECT_EQ(fault_of(query("PRAGMA journal_mode(wal)").page), Fault::not_readonly);
  EXPECT_EQ(fault_of(query("EXPLAIN UPDATE t SET b=1").page), Fault::not_readonly);
  EXPECT_EQ(refused("EXPLAIN SELECT 1"), "ok");
}

TEST_F(Hardening, H6ReadConnectionIsSetUpAsWritten) {
  const auto facts = loop.block_on(engine->on_worker<std::vector<std::int64_t>>(
      db, engine->ticket(), [](Session& session, class Run& run) -> Outcome<std::vector<std::int64_t>> {
        PARLANCE_TRY(connection, session.reader(run));
        sqlite3* const handle = connection->handle();
        std::vector<std::int64_t> list{sqlite3_db_readonly(handle, "main")};
        for (const int option : {SQLITE_DBCONFIG_DEFENSIVE, SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION,
                                 SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL}) {
          int on = -1;
          sqlite3_db_config(handle, option, -1, &on);
          list.push_back(on);
        }
        for (const int limit : {SQLITE_LIMIT_ATTACHED, SQLITE_LIMIT_LENGTH, SQLITE_LIMIT_SQL_LENGTH, SQLITE_LIMIT_VDBE_OP,
                                SQLITE_LIMIT_EXPR_DEPTH, SQLITE_LIMIT_TRIGGER_DEPTH, SQLITE_LIMIT_WORKER_THREADS})
          list.push_back(sqlite3_limit(handle, limit, -1));
        for (const char* pragma : {"query_only", "cell_size_check", "mmap_size", "temp_store"}) {
          PARLANCE_TRY(statement, connection->own(std::string("PRAGMA ") + pragma));
          list.push_back(statement.row() ? statement.integer(0) : -1);
        }
        return list;
      }));
  ASSERT_TRUE(facts) << outcome_text(facts);
  EXPECT_EQ(*facts, (std::vector<std::int64_t>{1, 1, 0, 0, 0, 0, 0, 256 << 20, 1 << 20, 10'000'000, 200, 50, 0, 1, 1, 0, 2}));
  const std::int64_t soft = sqlite3_soft_heap_limit64(-1);
  limit_heap();
  EXPECT_EQ(sqlite3_soft_heap_limit64(-1), 256LL << 20);
  EXPECT_EQ(sqlite3_hard_heap_limit64(-1), 512LL << 20);
  sqlite3_hard_heap_limit64(0);
  sqlite3_soft_heap_limit64(soft);
}

TEST_F(Hardening, H7VacuumIntoWritesNowhere) {
  const std::string target = folder + "/copy.db";
  EXPECT_EQ(fault_of(query("VACUUM INTO '" + target + "'").page), Fault::not_readonly);
  const auto into = execute("VACUUM INTO '" + target + "'");
  EXPECT_EQ(outcome_text(into), "invalid_request: VACUUM INTO is not allowed: it writes to another file");
  EXPECT_FALSE(std::filesystem::exists(target));
  EXPECT_EQ(outcome_text(execute("VACUUM")), "ok");
}

TEST_F(Hardening, H8AttachIsRefusedAndMakesNoFile) {
  const std::string other = folder + "/other.db";
  EXPECT_EQ(refused("ATTACH '" + other + "' AS x"), "not_readonly: ATTACH is not allowed");
  EXPECT_EQ(outcome_text(execute("ATTACH '" + other + "' AS x")), "invalid_request: ATTACH is not allowed");
  EXPECT_EQ(outcome_text(execute("ATTACH '' AS x")), "invalid_request: ATTACH is not allowed");
  EXPECT_EQ(fault_of(execute("ATTACH 'a'||'b' AS x")), Fault::invalid_request);
  EXPECT_FALSE(std::filesystem::exists(other));
}

TEST_F(Hardening, H9TransactionControlIsRefused) {
  for (const char* sql : {"BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT s", "RELEASE s", "DETACH x", "PRAGMA optimize", "END"}) {
    EXPECT_EQ(fault_of(query(sql).page), Fault::not_readonly) << sql;
    if (std::string_view(sql) != "PRAGMA optimize") EXPECT_EQ(fault_of(execute(sql)), Fault::invalid_request) << sql;
  }
  EXPECT_EQ(fault_of(execute("INSERT INTO t VALUES(3,3); COMMIT; INSERT INTO t VALUES(4,4)")), Fault::invalid_request);
  EXPECT_EQ(value("SELECT count(*) FROM t"), "2");
}

TEST_F(Hardening, H10TemporaryTablesAreRefusedInReads) {
  EXPECT_EQ(refused("CREATE TEMP TABLE z(x)"), "not_readonly: statement is not read-only");
  EXPECT_EQ(refused("CREATE TEMP VIEW z AS SELECT 1"), "not_readonly: statement is not read-only");
  // By the gate itself, not only because the statement counts as a write: a read-only connection would run the statement.
  const auto prepared =
      loop.block_on(engine->on_worker<void>(db, engine->ticket(), [](Session& session, class Run& run) -> Outcome<> {
        PARLANCE_TRY(connection, session.reader(run));
        const Connection::Using under(*connection, run, Gate::Mode::read);
        PARLANCE_TRY_DO(connection->prepare("CREATE TEMP TABLE z(x)"));
        return {};
      }));
  EXPECT_EQ(outcome_text(prepared), "not_readonly: statement is not read-only");
}

TEST_F(Hardening, H15AForeignFileFailsToOpen) {
  std::ofstream(folder + "/text.db") << std::string(2000, 'x');
  const auto text = connect(folder + "/text.db");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().fault, Fault::open_failed);
  EXPECT_EQ(text.error().sqlite_code, SQLITE_NOTADB);
  std::ofstream(folder + "/empty.db").close();
  EXPECT_EQ(outcome_text(connect(folder + "/empty.db")), "ok") << "SQLite's own rule";
  EXPECT_EQ(outcome_text(connect(folder + "/missing.db")), "open_failed: no such file");
  EXPECT_FALSE(std::filesystem::exists(folder + "/missing.db"));
  EXPECT_EQ(outcome_text(connect(folder + "/new.db", {.create = true})), "ok");
  EXPECT_TRUE(std::filesystem::exists(folder + "/new.db"));
}

TEST_F(Hardening, H16WalInAReadOnlyFolderIsNeverReadWithoutItsWal) {
  if (::geteuid() == 0) {
    // The superuser can write everywhere, so the test checks only that the file is not opened immutable: a row in the WAL is
    // visible.
    sqlite3* writer = nullptr;
    ASSERT_EQ(sqlite3_open(db.c_str(), &writer), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(writer, "PRAGMA journal_mode=WAL; INSERT INTO t VALUES(3,'in the wal')", nullptr, nullptr, nullptr),
              SQLITE_OK);
    EXPECT_EQ(value("SELECT b FROM t WHERE a=3"), "'in the wal'");
    sqlite3_close(writer);
    Failure failure{.fault = Fault::sql_error, .sqlite_code = SQLITE_READONLY, .sqlite_extended_code = SQLITE_READONLY_DIRECTORY};
    EXPECT_EQ(open_failure(failure, db).hint, "wal-readonly-directory");
    return;
  }
  raw("PRAGMA journal_mode=WAL; INSERT INTO t VALUES(3,3)");
  ASSERT_EQ(::chmod(folder.c_str(), 0500), 0);
  const auto opened = connect(db);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().fault, Fault::open_failed);
  EXPECT_EQ(opened.error().hint, "wal-readonly-directory");
}

TEST_F(Hardening, H17HotJournalIsReportedAndRepairedOnlyWhenAsked) {
  const std::string crashed = folder + "/crashed.db";
  {
    // A writer that died after its pages reached the file: simulated by a copy.
    sqlite3* writer = nullptr;
    ASSERT_EQ(sqlite3_open(db.c_str(), &writer), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(writer,
                           "PRAGMA cache_size=1; PRAGMA cache_spill=1; BEGIN; UPDATE t SET b='lost';"
                           "INSERT INTO t(b) WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n LIMIT 500) "
                           "SELECT hex(randomblob(500)) FROM n",
                           nullptr, nullptr, nullptr),
              SQLITE_OK);
    std::filesystem::copy_file(db, crashed);
    std::filesystem::copy_file(db + "-journal", crashed + "-journal");
    sqlite3_exec(writer, "ROLLBACK", nullptr, nullptr, nullptr);
    sqlite3_close(writer);
  }
  const auto opened = connect(crashed);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().fault, Fault::open_failed) << outcome_text(opened);
  EXPECT_EQ(opened.error().hint, "hot-journal");
  EXPECT_TRUE(std::filesystem::exists(crashed + "-journal"));
  EXPECT_EQ(outcome_text(connect(crashed, {.repair = true})), "ok");
  db = crashed;
  EXPECT_EQ(value("SELECT group_concat(b) FROM t"), "'x,y'");
}

TEST_F(Hardening, H18SchemasOfStrangersAreNotTrusted) {
  raw("CREATE VIEW burns AS WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n) SELECT count(*) AS c FROM n;"
      "CREATE TABLE g(a, big AS (zeroblob(a)));"
      "INSERT INTO g(a) VALUES(300000000);"
      "CREATE VIEW reads AS SELECT load_extension('x') AS c");
  EXPECT_EQ(fault_of(query("SELECT * FROM burns", {}, 100ms).page), Fault::timeout);
  const auto big = query("SELECT length(big) FROM g");
  ASSERT_FALSE(big.page);
  EXPECT_EQ(big.page.error().sqlite_code, SQLITE_TOOBIG);
  EXPECT_FALSE(query("SELECT * FROM reads").page);
  EXPECT_FALSE(execute("UPDATE sqlite_schema SET sql='x'"));
  EXPECT_FALSE(execute("PRAGMA writable_schema=1"));
  EXPECT_EQ(outcome_text(execute("PRAGMA journal_mode=OFF")),
            "invalid_request: journal_mode=OFF is not allowed: a crash would damage the database");
  EXPECT_FALSE(execute("PRAGMA journal_mode=o"));
  EXPECT_FALSE(execute("PRAGMA synchronous=0"));
  EXPECT_EQ(outcome_text(loop.block_on(engine->schema(db, engine->ticket()))), "ok")
      << "the schema lists tables without running their SQL";
  raw("CREATE VIEW looks_around AS SELECT * FROM pragma_database_list; CREATE VIRTUAL TABLE f USING fts5(x)");
  EXPECT_EQ(refused("SELECT * FROM pragma_database_list"), "ok");
  EXPECT_EQ(refused("SELECT * FROM looks_around"), "sql_error: unsafe use of virtual table \"pragma_database_list\"")
      << "what a person may ask, a file may not";
  EXPECT_FALSE(execute("UPDATE f_data SET block=x'00'")) << "the tables behind a virtual table are its own";
}

TEST_F(Hardening, H19AMistypedNameInDoubleQuotesIsAnError) {
  EXPECT_EQ(refused("SELECT \"nosuchcol\" FROM t"), "sql_error: no such column: nosuchcol");
  EXPECT_EQ(outcome_text(execute("UPDATE t SET b=\"nosuch\"")), "sql_error: no such column: nosuch");
  raw("CREATE VIEW old AS SELECT \"a text\" AS c");
  EXPECT_EQ(refused("SELECT c FROM old"), "ok");
  EXPECT_EQ(value("SELECT c FROM old"), "'a text'") << "a schema that was written so goes on working";
  EXPECT_EQ(refused("SELECT \"nosuchcol\" FROM t"), "sql_error: no such column: nosuchcol") << "and nothing stays open";
}

TEST_F(Hardening, H20ExtensionsAreNeverLoaded) {
  EXPECT_EQ(refused("SELECT load_extension('x')"), "not_readonly: function load_extension is not allowed");
  EXPECT_EQ(outcome_text(execute("SELECT load_extension('x')")), "invalid_request: function load_extension is not allowed");
}

TEST_F(Hardening, H21ADatabaseInOrderManyAtOnceAndIdleDatabasesAreClosed) {
  start({.idle = 400ms});
  raw("CREATE TABLE u(x)", folder + "/u.db");
  const auto both = [&]() -> Task<std::string> {
    std::string order;
    Scope scope(loop);
    const auto ask = [&](std::string path, std::string sql, char name, Ticket ticket) -> Task<void> {
      static_cast<void>(co_await engine->query(std::move(path), {.sql = std::move(sql)}, std::make_shared<Collected>(), ticket));
      order += name;
    };
    scope.start(ask(db, endless, 'a', engine->ticket(100ms)));
    scope.start(ask(db, "SELECT 1", 'b', engine->ticket()));
    scope.start(ask(folder + "/u.db", "SELECT 1", 'c', engine->ticket()));
    co_await scope.join();
    co_return order;
  };
  EXPECT_EQ(loop.block_on(both()), "cab");
  EXPECT_EQ(engine->open_databases().size(), 2U);
  const auto holds_it = [&] {
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
      std::error_code gone;
      if (std::filesystem::read_symlink(entry, gone) == db) return true;
    }
    return false;
  };
  EXPECT_TRUE(holds_it());
  EXPECT_TRUE(loop.run_until([&] { return engine->open_databases().empty() && !holds_it(); }))
      << "closed, and no descriptor left";
  EXPECT_EQ(value("SELECT count(*) FROM t"), "2");
}

}  // namespace
}  // namespace parlance::sqlite::test
