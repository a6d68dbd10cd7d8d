// SPDX-License-Identifier: Apache-2.0
#include "parlance/sqlite/health.h"

#include <gmock/gmock.h>

#include "parlance/sqlite/double_quoted.h"
#include "parlance/sqlite/test_support.h"

namespace parlance::sqlite {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Health : public test::EngineTest {
 protected:
  template <class T>
  Outcome<T> ask(std::move_only_function<Outcome<T>(Connection&, sqlite::Run&)> what) {
    return loop.block_on(engine->on_worker<T>(db, engine->ticket(),
                                              [what = std::move(what)](Session& session, sqlite::Run& run) mutable -> Outcome<T> {
                                                PARLANCE_TRY(connection, session.reader(run));
                                                return what(*connection, run);
                                              }));
  }
  Schema declared() { return *loop.block_on(engine->schema(db, engine->ticket())); }
  std::vector<std::string> unindexed() {
    std::vector<std::string> all;
    for (const UnindexedKey& key : unindexed_keys(declared())) all.push_back(key.table + "." + key.columns.front());
    return all;
  }
  std::vector<std::string> redundant() {
    std::vector<std::string> all;
    for (const RedundantIndex& index : redundant_indexes(declared())) all.push_back(index.index + " by " + index.covered_by);
    return all;
  }
  Outcome<std::vector<std::string>> problems(bool full) {
    return ask<std::vector<std::string>>([full](Connection& c, sqlite::Run& run) { return integrity_problems(c, run, full); });
  }
};

TEST_F(Health, FactsAreTheFiles) {
  raw("PRAGMA page_size=1024; PRAGMA encoding='UTF-16le'; PRAGMA auto_vacuum=2; PRAGMA user_version=7; PRAGMA application_id=9;"
      "CREATE TABLE t(x);"
      "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 40) SELECT randomblob(500) FROM n;"
      "DELETE FROM t; CREATE INDEX i ON t(x); ANALYZE");
  const auto facts = ask<FileFacts>(&file_facts);
  ASSERT_TRUE(facts) << test::outcome_text(facts);
  EXPECT_EQ(facts->page_size, 1024);
  EXPECT_EQ(facts->file_bytes, std::filesystem::file_size(db));
  EXPECT_EQ(static_cast<std::uint64_t>(facts->page_count * facts->page_size), facts->file_bytes);
  EXPECT_GT(facts->free_pages, 0);
  EXPECT_EQ(facts->encoding, "UTF-16le");
  EXPECT_EQ(facts->auto_vacuum, 2);
  EXPECT_EQ(facts->journal_mode, "delete");
  EXPECT_EQ(facts->user_version, 7);
  EXPECT_EQ(facts->application_id, 9);
}
TEST_F(Health, OnlyTheFullCheckComparesIndexesWithTables) {
  raw("CREATE TABLE t(id INTEGER PRIMARY KEY, x); CREATE INDEX i ON t(x); INSERT INTO t(x) VALUES(1),(2),(3)");
  EXPECT_THAT(*problems(true), ElementsAre());
  // An index that says something else than its table.
  raw("CREATE TABLE other(id INTEGER PRIMARY KEY, x); CREATE INDEX other_i ON other(x); INSERT INTO other(x) VALUES(1);"
      "PRAGMA writable_schema=1; UPDATE sqlite_schema SET rootpage=(SELECT rootpage FROM sqlite_schema WHERE name='other_i') "
      "WHERE name='i'; DELETE FROM sqlite_schema WHERE name='other_i'");
  const auto quick = problems(false);
  const auto full = problems(true);
  ASSERT_TRUE(quick && full);
  EXPECT_GT(full->size(), quick->size());
  EXPECT_THAT(*full, testing::Contains(HasSubstr("missing from index i")));
}
TEST_F(Health, RowsThatReferToNothingAreCountedByTables) {
  raw("CREATE TABLE p(id INTEGER PRIMARY KEY); CREATE TABLE c(a REFERENCES p(id), b REFERENCES p(id)); INSERT INTO p VALUES(1);"
      "INSERT INTO c VALUES(1,1),(2,1),(3,4),(NULL,NULL)");
  const auto broken = ask<std::vector<BrokenKey>>(&broken_keys);
  ASSERT_TRUE(broken);
  ASSERT_EQ(broken->size(), 1U);
  EXPECT_EQ(broken->front().table + " " + broken->front().to_table, "c p");
  EXPECT_EQ(broken->front().rows, 3);
}
TEST_F(Health, RowsAreCountedWhateverATableIsCalled) {
  const std::string name = "we\"ird; DROP TABLE t--";
  raw("CREATE TABLE t(x); INSERT INTO t VALUES(1); CREATE TABLE " + double_quoted(name) + "(x); INSERT INTO " +
      double_quoted(name) + " VALUES(1),(2)");
  const auto rows = ask<std::int64_t>([&](Connection& c, sqlite::Run& run) { return count_rows(c, run, name); });
  EXPECT_EQ(rows.value_or(-1), 2);
  EXPECT_EQ(value("SELECT count(*) FROM t"), "1");
}
TEST_F(Health, AForeignKeyIsIndexedWhenAnIndexBeginsWithItsColumns) {
  raw("CREATE TABLE p(id INTEGER PRIMARY KEY, a, b, UNIQUE(a,b));"
      "CREATE TABLE bare(x REFERENCES p(id));"
      "CREATE TABLE by_rowid(id INTEGER PRIMARY KEY REFERENCES p(id));"
      "CREATE TABLE by_key(id TEXT PRIMARY KEY REFERENCES p(id)) WITHOUT ROWID;"
      "CREATE TABLE first(x REFERENCES p(id), y); CREATE INDEX first_i ON first(x, y);"
      "CREATE TABLE second(x, y REFERENCES p(id)); CREATE INDEX second_i ON second(x, y);"
      "CREATE TABLE partly(x REFERENCES p(id)); CREATE INDEX partly_i ON partly(x) WHERE x>1;"
      "CREATE TABLE turned(a, b, FOREIGN KEY(a,b) REFERENCES p(a,b)); CREATE INDEX turned_i ON turned(b, a)");
  EXPECT_THAT(unindexed(), ElementsAre("bare.x", "partly.x", "second.y"));
}
TEST_F(Health, AnIndexIsRedundantWhenAnotherBeginsWithIt) {
  raw("CREATE TABLE t(a UNIQUE, b, c); CREATE INDEX ab ON t(b, c); CREATE INDEX ab_again ON t(b, c); CREATE INDEX b ON t(b);"
      "CREATE INDEX c ON t(c); CREATE UNIQUE INDEX only ON t(b, c, a); CREATE INDEX on_a ON t(a); CREATE INDEX some ON t(c) "
      "WHERE "
      "c>1; CREATE INDEX sum ON t(b+c)");
  EXPECT_THAT(redundant(), ElementsAre("ab by only", "ab_again by ab", "b by ab", "on_a by sqlite_autoindex_t_1"));
}

}  // namespace
}  // namespace parlance::sqlite
