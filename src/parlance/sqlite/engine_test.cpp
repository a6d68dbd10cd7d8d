// SPDX-License-Identifier: Apache-2.0
// What the engine does besides keeping danger out: values, pages, parameters, writes, schemas.
#include <cmath>
#include <thread>

#include "parlance/sqlite/limits.h"
#include "parlance/sqlite/test_support.h"

namespace parlance::sqlite::test {
namespace {

class Values : public EngineTest {};

TEST_F(Values, EveryKindComesExactly) {
  raw("CREATE TABLE v(i INTEGER, r REAL, t TEXT, b BLOB)");
  EXPECT_EQ(value("SELECT 9223372036854775807, -9223372036854775807-1, 1.5, 'a', x'00ff', NULL, x'', ''"),
            "9223372036854775807|-9223372036854775808|1.500000|'a'|x'00ff'|null|x''|''");
  EXPECT_EQ(value("SELECT 'a'||char(0)||'b'"), std::string("'a\0b'", 5));
  EXPECT_EQ(value("SELECT CAST(x'ff41' AS TEXT)"), "'\xff\x41'") << "no byte is replaced";
  const Answer types = query("SELECT i, r+0 AS r, NULL AS n FROM v UNION ALL SELECT NULL,NULL,NULL UNION ALL SELECT 1,2.5,NULL");
  ASSERT_TRUE(types.page);
  EXPECT_EQ(types.page->columns[0].type, Kind::integer) << "of the first value that is not null";
  EXPECT_EQ(types.page->columns[0].declared_type, "INTEGER");
  EXPECT_EQ(types.page->columns[1].type, Kind::real);
  EXPECT_EQ(types.page->columns[1].declared_type, std::nullopt);
  EXPECT_EQ(types.page->columns[2].type, Kind::null);
}

TEST_F(Values, Utf16DatabasesReadAsUtf8) {
  raw("PRAGMA encoding='UTF-16le'; CREATE TABLE u(x); INSERT INTO u VALUES('çelik'||char(0)||'x')");
  EXPECT_EQ(value("SELECT x FROM u"), std::string("'çelik\0x'", 10));
}

TEST_F(Values, InfinitiesAreAnErrorUnlessAllowed) {
  raw("CREATE TABLE o(total REAL); INSERT INTO o VALUES(1),(9e999)");
  const Answer answer = query("SELECT * FROM o");
  ASSERT_FALSE(answer.page);
  EXPECT_EQ(answer.page.error().fault, Fault::invalid_number);
  EXPECT_EQ(answer.page.error().column, "total");
  EXPECT_EQ(answer.page.error().row, 1);
  EXPECT_EQ(answer.page.error().value, "Infinity");
  EXPECT_EQ(query("SELECT * FROM o", {.infinities = true}).rows.size(), 2U);
}

TEST_F(Values, IntegersBeyondADoubleAreFlagged) {
  raw("CREATE TABLE n(i)");
  EXPECT_FALSE(query("SELECT 9007199254740991, -9007199254740991").page->unsafe_integers);
  EXPECT_TRUE(query("SELECT 9007199254740992").page->unsafe_integers);
  EXPECT_TRUE(query("SELECT -9007199254740992").page->unsafe_integers);
}

TEST_F(Values, ColumnNamesThatAreNotUtf8StayApart) {
  raw("CREATE TABLE odd(\"\xff\", \"\xfe\")");
  const Answer answer = query("SELECT * FROM odd");
  ASSERT_TRUE(answer.page) << outcome_text(answer.page);
  EXPECT_EQ(answer.page->columns[0].name, "\xEF\xBF\xBD");
  EXPECT_EQ(answer.page->columns[1].name, "\xEF\xBF\xBD:1");
}

// The same SELECT again: the engine keeps its compiled form, and another program changes the schema.
TEST_F(Values, AKeptStatementFollowsTheSchema) {
  const auto names = [&] {
    std::string all;
    const Answer answer = query("SELECT * FROM k");
    for (const Column& column : answer.page->columns) all += column.name + " ";
    return all + (answer.rows.empty() ? "" : answer.rows[0]);
  };
  raw("CREATE TABLE k(a); INSERT INTO k VALUES(1)");
  EXPECT_EQ(names(), "a 1");
  raw("ALTER TABLE k ADD COLUMN b DEFAULT 2");
  EXPECT_EQ(names(), "a b 1|2");
  raw("DROP TABLE k; CREATE TABLE k(x, y, z); INSERT INTO k VALUES(1,2,3)");
  EXPECT_EQ(names(), "x y z 1|2|3");
  raw("DROP TABLE k; CREATE TABLE k(x); INSERT INTO k VALUES(1)");
  EXPECT_EQ(names(), "x 1");
}

TEST_F(Values, OneLargeValueDoesNotHideThePage) {
  raw("CREATE TABLE big(id, b); INSERT INTO big VALUES(1, zeroblob(70000000)),(2, 'small')");
  EXPECT_EQ(value("SELECT id, length(b) FROM big"), "1|70000000\n2|5");
  EXPECT_EQ(value("SELECT substr(b, 1, 2) FROM big"), "x'0000'\n'sm'");
  const Answer page = query("SELECT id, b FROM big", {.limit = 10, .bytes = 1 << 20});
  ASSERT_TRUE(page.page);
  EXPECT_EQ(page.page->rows, 2U);
  EXPECT_EQ(page.page->truncated_cells, 1U) << "the large one is cut";
}

TEST_F(Values, ColumnsHaveUniqueNames) {
  raw("CREATE TABLE n(i)");
  const Answer answer = query("SELECT 1 AS x, 2 AS x, 3 AS \"x:1\", 4 AS x, 5 AS X, 6 AS \"\"");
  ASSERT_TRUE(answer.page);
  std::string names;
  for (const Column& column : answer.page->columns) names += column.name + "(" + column.original_name + ") ";
  EXPECT_EQ(names, "x() x:2(x) x:1() x:3(x) X() () ");
}

class Pages : public EngineTest {
 protected:
  Pages() {
    raw("CREATE TABLE t(a INTEGER PRIMARY KEY, b);"
        "INSERT INTO t WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n LIMIT 10) SELECT i, hex(zeroblob(50)) FROM "
        "n");
  }
  std::string page(PageLimits limits, const char* sql = "SELECT a FROM t ORDER BY a") {
    const Answer answer = query(sql, limits);
    if (!answer.page) return outcome_text(answer.page);
    std::string all;
    for (const std::string& row : answer.rows) all += row + " ";
    return all + (answer.page->truncated ? "more" : "end") +
           (answer.page->next_offset ? " " + std::to_string(*answer.page->next_offset) : "");
  }
};

TEST_F(Pages, LimitAndOffsetByStepping) {
  EXPECT_EQ(page({.limit = 3}), "1 2 3 more 3");
  EXPECT_EQ(page({.limit = 3, .offset = 6}), "7 8 9 more 9");
  EXPECT_EQ(page({.limit = 3, .offset = 7}), "8 9 10 end") << "truncated only if there is one more";
  EXPECT_EQ(page({.limit = 3, .offset = 99}), "end");
  EXPECT_EQ(page({.limit = 0}), "more 0");
  EXPECT_EQ(page({.limit = 0, .offset = 10}), "end");
  EXPECT_EQ(page({.limit = 2}, "PRAGMA table_info(t)").substr(0, 2), "0|") << "what cannot be a subquery has pages, too";
  EXPECT_EQ(page({.limit = 1}, "SELECT 1) LIMIT 1 --"), "sql_error: near \")\": syntax error");
}

TEST_F(Pages, BytesEndAPageAndALargeRowIsCut) {
  EXPECT_EQ(page({.bytes = 8}), "1 2 3 4 5 6 7 8 more 8");
  EXPECT_EQ(page({.offset = 8, .bytes = 3}), "9 10 end");
  raw("CREATE TABLE big(a, b); INSERT INTO big VALUES(1, zeroblob(100000)),(2, 'small'),(3, hex(zeroblob(40000)))");
  const Answer first = query("SELECT a, b FROM big", {.bytes = 1000});
  ASSERT_TRUE(first.page);
  ASSERT_EQ(first.rows.size(), 1U) << "always one row at least";
  EXPECT_EQ(first.page->truncated_cells, 1U);
  EXPECT_EQ(first.page->next_offset, 1U);
  EXPECT_EQ(first.rows[0].size(), std::string("1|x''/100000").size() + 2 * limits::sqlite_cut_bytes);
  EXPECT_EQ(first.rows[0].substr(first.rows[0].rfind('/')), "/100000");
  const Answer second = query("SELECT a, b FROM big", {.offset = 1, .bytes = 1000});
  EXPECT_EQ(second.text(), "2|'small'");
  EXPECT_EQ(second.page->truncated_cells, 0U);
}

class Binding : public EngineTest {
 protected:
  Binding() { raw("CREATE TABLE t(a)"); }
  std::string ask(std::string sql, Parameters parameters) {
    parameters.given = true;
    const Answer answer = query_with({.sql = std::move(sql), .parameters = std::move(parameters)});
    return answer.page ? answer.text() : outcome_text(answer.page);
  }
};

TEST_F(Binding, InOrderAndByName) {
  EXPECT_EQ(ask("SELECT ?, typeof(?2), typeof(?3), typeof(?4), ?5",
                {.in_order = {std::int64_t{1}, 1.0, std::string("x\0y", 3), Blob{"\xff"}, {}}}),
            "1|'real'|'text'|'blob'|null");
  EXPECT_EQ(ask("SELECT :a, @b, $c, :a",
                {.by_name = {{"a", std::int64_t{1}}, {"@b", std::int64_t{2}}, {"$c", std::int64_t{3}}}, .named = true}),
            "1|2|3|1");
  EXPECT_EQ(ask("SELECT ?", {}), "invalid_request: the statement has 1 parameters, given are 0");
  EXPECT_EQ(ask("SELECT ?", {.in_order = {1.0, 2.0}}), "invalid_request: the statement has 1 parameters, given are 2");
  EXPECT_EQ(ask("SELECT :a", {.by_name = {{"b", 1.0}}, .named = true}), "invalid_request: no value for parameter :a");
  EXPECT_EQ(ask("SELECT :a", {.by_name = {{"a", 1.0}, {"b", 1.0}}, .named = true}),
            "invalid_request: the statement has no parameter b");
}

class Writes : public EngineTest {
 protected:
  Writes() { raw("CREATE TABLE t(a INTEGER PRIMARY KEY, b UNIQUE); CREATE TABLE k(k TEXT PRIMARY KEY) WITHOUT ROWID"); }
};

TEST_F(Writes, ReportTheirChanges) {
  auto done = execute("INSERT INTO t(b) VALUES(1),(2)");
  ASSERT_TRUE(done) << outcome_text(done);
  EXPECT_EQ(done->changes, 2);
  EXPECT_EQ(done->last_insert_rowid, 2);
  done = execute("INSERT INTO k VALUES('x')");
  EXPECT_EQ(done->changes, 1);
  EXPECT_EQ(done->last_insert_rowid, std::nullopt) << "a table without rowids";
  EXPECT_EQ(execute("CREATE TABLE n(x)")->changes, 0) << "not the changes of the statement before";
  EXPECT_EQ(execute("DELETE FROM t")->changes, 2);
  EXPECT_EQ(execute("SELECT 1")->changes, 0);
  EXPECT_EQ(returned->rows, std::vector<std::string>{"1"});
}

TEST_F(Writes, SeveralStatementsStandOrFallTogether) {
  EXPECT_EQ(execute("INSERT INTO t(b) VALUES(1); INSERT INTO t(b) VALUES(2); -- end")->changes, 2);
  const auto failed = execute("INSERT INTO t(b) VALUES(3); INSERT INTO t(b) VALUES(1)");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().statement, 2);
  EXPECT_EQ(failed.error().sqlite_code, SQLITE_CONSTRAINT);
  EXPECT_EQ(value("SELECT count(*) FROM t"), "2");
  const auto late =
      execute("DELETE FROM t; WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n", {}, 100ms);
  EXPECT_EQ(fault_of(late), Fault::timeout);
  EXPECT_EQ(value("SELECT count(*) FROM t"), "2");
  EXPECT_TRUE(execute("CREATE TRIGGER tr AFTER INSERT ON t BEGIN DELETE FROM k; SELECT 1; END; INSERT INTO t(b) VALUES(9)"))
      << "semicolons inside a trigger part nothing";
}

TEST_F(Writes, AStatementWithoutEffectInATransactionMustRunAlone) {
  EXPECT_EQ(outcome_text(execute("PRAGMA foreign_keys=1; INSERT INTO t(b) VALUES(1)")),
            "invalid_request: pragma foreign_keys must run alone: inside a transaction, the statement has no effect");
  EXPECT_FALSE(execute("VACUUM; INSERT INTO t(b) VALUES(1)"));
  EXPECT_EQ(value("SELECT count(*) FROM t"), "0");
  EXPECT_EQ(outcome_text(execute("PRAGMA journal_mode=WAL")), "ok");
  EXPECT_EQ(returned->rows, std::vector<std::string>{"'wal'"});
  EXPECT_EQ(outcome_text(execute("PRAGMA user_version=7")), "ok");
  EXPECT_EQ(value("PRAGMA user_version"), "7");
}

TEST_F(Writes, ReturningIsReportedAndItsErrorUndoesTheWrite) {
  const auto done = execute("INSERT INTO t(b) VALUES('p'),('q') RETURNING a, b");
  ASSERT_TRUE(done) << outcome_text(done);
  EXPECT_EQ(done->changes, 2);
  EXPECT_EQ(returned->rows, (std::vector<std::string>{"1|'p'", "2|'q'"}));
  EXPECT_EQ(fault_of(execute("INSERT INTO t(b) VALUES('r') RETURNING 9e999")), Fault::invalid_number);
  EXPECT_EQ(value("SELECT count(*) FROM t"), "2") << "a failed write changes nothing";
}

TEST_F(Writes, AreRefusedWhenDatabasesAreOpenedForReadingOnly) {
  start({.read_only = true});
  EXPECT_EQ(fault_of(execute("INSERT INTO t(b) VALUES(1)")), Fault::not_readonly);
  EXPECT_EQ(fault_of(connect(folder + "/new.db", {.create = true})), Fault::not_readonly);
  EXPECT_FALSE(std::filesystem::exists(folder + "/new.db"));
}

TEST_F(Writes, AReplacedFileIsOpenedAgain) {
  EXPECT_TRUE(execute("INSERT INTO t(b) VALUES(1)"));
  std::filesystem::remove(db);
  raw("CREATE TABLE t(a INTEGER PRIMARY KEY, b)");
  EXPECT_EQ(value("SELECT count(*) FROM t"), "0");
  EXPECT_TRUE(execute("INSERT INTO t(b) VALUES(2),(3)"));
  EXPECT_EQ(value("SELECT count(*) FROM t"), "2");
  std::filesystem::remove(db);
  EXPECT_EQ(refused("SELECT 1"), "open_failed: no such file");
  EXPECT_FALSE(std::filesystem::exists(db)) << "nothing is made where a database was";
}

TEST_F(Writes, ManyWritersWaitForEachOther) {
  auto other = Engine::make(loop, {});
  ASSERT_TRUE(other);
  const auto both = [&]() -> Task<int> {
    int done = 0;
    Scope scope(loop);
    const auto write = [&](Engine& at) -> Task<void> {
      for (int i = 0; i < 50; ++i)
        done +=
            (co_await at.execute(db, {.sql = "INSERT INTO t(b) VALUES(random())"}, std::make_shared<Collected>(), at.ticket()))
                ? 1
                : 0;
    };
    scope.start(write(*engine));
    scope.start(write(**other));
    co_await scope.join();
    co_return done;
  };
  EXPECT_EQ(loop.block_on(both()), 100);
  EXPECT_EQ(value("SELECT count(*) FROM t"), "100");
}

class Schemas : public EngineTest {
 protected:
  Schema read_schema() {
    auto schema = loop.block_on(engine->schema(db, engine->ticket()));
    EXPECT_TRUE(schema) << outcome_text(schema);
    return schema ? *std::move(schema) : Schema{};
  }
  std::vector<std::string> names(bool views = false) { return *loop.block_on(engine->tables(db, views, engine->ticket())); }
};

TEST_F(Schemas, ListTablesWithAllTheirParts) {
  raw("CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'x', twice AS (id*2), s TEXT AS ('t'||id) STORED);"
      "CREATE TABLE orders(id INTEGER, user INT REFERENCES users(id) ON DELETE CASCADE, u2 INT REFERENCES users);"
      "CREATE TABLE kv(k TEXT, j INT, v ANY, PRIMARY KEY(k,j)) WITHOUT ROWID, STRICT;"
      "CREATE UNIQUE INDEX o_user ON orders(user, lower(u2)) WHERE id>1;"
      "CREATE TRIGGER tr AFTER DELETE ON users BEGIN DELETE FROM orders; END;"
      "CREATE VIEW v AS SELECT id, name FROM users; CREATE VIEW broken AS SELECT * FROM gone;"
      "CREATE VIRTUAL TABLE f USING fts5(x); CREATE TABLE sqliteXfoo(x); CREATE TABLE \"we\"\"ird na'me\"(\"a b\")");
  EXPECT_EQ(names(), (std::vector<std::string>{"f", "kv", "orders", "sqliteXfoo", "users", "we\"ird na'me"}));
  EXPECT_EQ(names(true).size(), 8U);
  const Schema schema = read_schema();
  ASSERT_EQ(schema.tables.size(), 6U);
  EXPECT_EQ(schema.tables[0].kind, "virtual");
  const Table& kv = schema.tables[1];
  EXPECT_TRUE(kv.strict && kv.without_rowid);
  EXPECT_EQ(kv.columns[1].primary_key, 2);
  const Table& orders = schema.tables[2];
  ASSERT_EQ(orders.foreign_keys.size(), 2U);
  EXPECT_EQ(orders.foreign_keys[0].to_columns[0], std::nullopt);
  EXPECT_EQ(orders.foreign_keys[1].on_delete, "CASCADE");
  ASSERT_EQ(orders.indexes.size(), 1U);
  EXPECT_TRUE(orders.indexes[0].unique && orders.indexes[0].partial);
  EXPECT_EQ(orders.indexes[0].columns, (std::vector<std::optional<std::string>>{"user", std::nullopt}));
  const Table& users = schema.tables[4];
  EXPECT_EQ(users.triggers, std::vector<std::string>{"tr"});
  EXPECT_TRUE(users.columns[1].not_null);
  EXPECT_EQ(users.columns[1].default_sql, "'x'");
  EXPECT_EQ(users.columns[2].generated, TableColumn::Generated::virtual_);
  EXPECT_EQ(users.columns[3].generated, TableColumn::Generated::stored);
  ASSERT_EQ(schema.views.size(), 2U);
  EXPECT_EQ(schema.views[0].name, "broken");
  EXPECT_NE(schema.views[0].error, "");
  EXPECT_EQ(schema.views[1].columns.size(), 2U);
}

TEST_F(Schemas, ColumnsOfAMissingTableAreAnError) {
  raw("CREATE TABLE t(a)");
  EXPECT_EQ(outcome_text(loop.block_on(engine->columns(db, "nosuch", engine->ticket()))),
            "invalid_request: no such table: nosuch");
  EXPECT_EQ(loop.block_on(engine->columns(db, "T", engine->ticket()))->size(), 1U);
}

}  // namespace
}  // namespace parlance::sqlite::test
