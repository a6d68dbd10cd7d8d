// SPDX-License-Identifier: Apache-2.0
#include "parlance/sqlite/database.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdlib.h>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "parlance/base/check.h"

namespace parlance::sqlite {
namespace {

class Sqlite : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "parlance-sqlite-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder = pattern;
    db = open();
  }
  void TearDown() override {
    db.reset();
    std::filesystem::remove_all(folder);
  }
  std::unique_ptr<Database> open(std::chrono::milliseconds busy = std::chrono::seconds(5)) {
    auto opened = Database::open(folder + "/t.db", {.busy = busy});
    PARLANCE_CHECK(opened, "a database that opens");
    return *std::move(opened);
  }
  std::string folder;
  std::unique_ptr<Database> db;
};

TEST_F(Sqlite, BindsAndReadsEveryType) {
  ASSERT_TRUE(db->execute("CREATE TABLE t(a, b, c, d, e)"));
  auto insert = *db->query("INSERT INTO t VALUES(?1,?2,?3,?4,?5)");
  ASSERT_TRUE(insert.run(std::int64_t{-5}, 2.5, std::string("te\0xt", 5), std::optional<std::string>{}, std::string_view{}));
  EXPECT_EQ(db->changes(), 1);
  auto rows = *db->query("SELECT * FROM t");
  ASSERT_TRUE(*rows.step());
  EXPECT_EQ(rows.integer(0), -5);
  EXPECT_EQ(rows.number(1), 2.5);
  EXPECT_EQ(rows.text(2), std::string_view("te\0xt", 5));
  EXPECT_TRUE(rows.is_null(3));
  EXPECT_FALSE(rows.text_or_null(3));
  EXPECT_FALSE(rows.is_null(4)) << "an empty text is not null";
  EXPECT_FALSE(*rows.step());
}

TEST_F(Sqlite, BlobsKeepEveryByte) {
  ASSERT_TRUE(db->execute("CREATE TABLE t(a BLOB)"));
  const std::string bytes("\0\xff\x80z", 4);
  auto insert = *db->query("INSERT INTO t VALUES(?1)");
  ASSERT_TRUE(insert.run(BlobView{bytes}));
  auto rows = *db->query("SELECT a, typeof(a), x'', NULL FROM t");
  ASSERT_TRUE(*rows.step());
  EXPECT_EQ(rows.blob(0), bytes);
  EXPECT_EQ(rows.text(1), "blob");
  EXPECT_EQ(rows.blob(2), "");
  EXPECT_EQ(rows.blob(3), "");
}

TEST_F(Sqlite, AStatementMayRunAgainWithOtherValues) {
  ASSERT_TRUE(db->execute("CREATE TABLE t(a)"));
  auto insert = *db->query("INSERT INTO t VALUES(?1) RETURNING a");
  for (const int value : {3, 4, 5}) {
    ASSERT_TRUE(*insert.bind(value).step());
    EXPECT_EQ(insert.integer(0), value);
  }
  ASSERT_TRUE(insert.run(6));
  auto rows = *db->query("SELECT sum(a) FROM t");
  ASSERT_TRUE(*rows.step());
  EXPECT_EQ(rows.integer(0), 18);
}

TEST_F(Sqlite, AForeignFileIsOnlyRead) {
  ASSERT_TRUE(db->execute("PRAGMA journal_mode=DELETE; CREATE TABLE t(a); INSERT INTO t VALUES(7)"));
  db.reset();
  const std::string path = folder + "/t.db";
  {
    const auto other = Database::open_to_read(path);
    ASSERT_TRUE(other) << other.error().message;
    auto rows = *(*other)->query("SELECT a FROM t");
    ASSERT_TRUE(*rows.step());
    EXPECT_EQ(rows.integer(0), 7);
    EXPECT_EQ((*other)->execute("INSERT INTO t VALUES(8)").error().code, Errc::denied);
  }
  EXPECT_FALSE(std::filesystem::exists(path + "-wal")) << "its journal mode stays";
  EXPECT_EQ(Database::open_to_read(folder + "/none.db").error().code, Errc::not_found);
  EXPECT_FALSE(std::filesystem::exists(folder + "/none.db"));
}

TEST_F(Sqlite, ASnapshotSeesASingleState) {
  ASSERT_TRUE(db->execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)"));
  const auto other = open();
  const auto count = [&]() -> std::int64_t {
    auto rows = *db->query("SELECT count(*) FROM t");
    return *rows.step() ? rows.integer(0) : -1;
  };
  const auto done = db->snapshot([&]() -> Result<void> {
    EXPECT_EQ(count(), 1);
    PARLANCE_TRY_DO(other->execute("INSERT INTO t VALUES(2)"));
    EXPECT_EQ(count(), 1);
    return {};
  });
  EXPECT_TRUE(done);
  EXPECT_EQ(count(), 2);
}

TEST_F(Sqlite, AFailedTransactionLeavesNoChange) {
  ASSERT_TRUE(db->execute("CREATE TABLE t(a UNIQUE)"));
  const auto done = db->transaction([&]() -> Result<void> {
    PARLANCE_TRY_DO(db->execute("INSERT INTO t VALUES(1)"));
    return db->execute("INSERT INTO t VALUES(1)");
  });
  EXPECT_NE(done.error().message.find("UNIQUE"), std::string::npos);
  auto rows = *db->query("SELECT count(*) FROM t");
  ASSERT_TRUE(*rows.step());
  EXPECT_EQ(rows.integer(0), 0);
}

TEST_F(Sqlite, AnAbandonedQueryHoldsNoLock) {
  ASSERT_TRUE(db->execute("CREATE TABLE t(a); INSERT INTO t VALUES(1),(2)"));
  for (int i = 0; i < 3; ++i) {
    auto rows = *db->query("SELECT a FROM t");
    ASSERT_TRUE(*rows.step());
    EXPECT_EQ(rows.integer(0), 1) << "from the beginning each time";
  }
  EXPECT_TRUE(open()->execute("DROP TABLE t"));
}

TEST_F(Sqlite, ALockedDatabaseIsReportedAfterItsPatience) {
  ASSERT_TRUE(db->execute("CREATE TABLE t(a)"));
  ASSERT_TRUE(db->execute("BEGIN IMMEDIATE"));
  const auto other = open(std::chrono::milliseconds(10));
  const auto refused = other->transaction([&] { return other->execute("INSERT INTO t VALUES(1)"); });
  EXPECT_EQ(refused.error().code, Errc::overloaded);
  ASSERT_TRUE(db->execute("COMMIT"));
  EXPECT_TRUE(other->transaction([&] { return other->execute("INSERT INTO t VALUES(1)"); }));
}

TEST_F(Sqlite, MigrationsRunOnceEachAlsoWhenManyStart) {
  static constexpr std::array<std::string_view, 2> steps{"CREATE TABLE t(a); INSERT INTO t VALUES(1)",
                                                         "ALTER TABLE t ADD COLUMN b; INSERT INTO t VALUES(2, 3)"};
  const SchemaSteps first{.first = 6, .steps = std::span(steps).first(1)};
  const SchemaSteps second{.first = 6, .steps = steps};
  ASSERT_TRUE(db->migrate(first));
  std::vector<std::thread> threads;
  std::array<bool, 4> fine{};
  for (std::size_t i = 0; i < fine.size(); ++i) threads.emplace_back([&, i] { fine[i] = open()->migrate(second).has_value(); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(fine, (std::array<bool, 4>{true, true, true, true}));
  auto rows = *db->query("SELECT count(*), sum(b) FROM t");
  ASSERT_TRUE(*rows.step());
  EXPECT_EQ(rows.integer(0), 2);
  EXPECT_EQ(rows.integer(1), 3);
  EXPECT_FALSE(db->migrate(first)) << "an older program changes nothing";
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(Sqlite, AFileOfAnotherOriginIsRefusedUnchanged) {
  static constexpr std::array<std::string_view, 1> steps{"CREATE TABLE t(a)"};
  const std::string path = folder + "/strange?.db";
  for (const char* version : {"0", "5"}) {
    sqlite3* other = nullptr;  // as another program makes it: without a write-ahead log
    ASSERT_EQ(sqlite3_open(path.c_str(), &other), SQLITE_OK);
    const std::string sql = "CREATE TABLE IF NOT EXISTS theirs(a); PRAGMA user_version=" + std::string(version);
    ASSERT_EQ(sqlite3_exec(other, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(other);
    const std::string before = bytes_of(path);
    const auto refused = Database::open(path, SchemaSteps{.first = 6, .steps = steps});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find(path), std::string::npos) << refused.error().message;
    EXPECT_NE(refused.error().message.find("move it away"), std::string::npos);
    EXPECT_EQ(bytes_of(path), before);
    EXPECT_FALSE(std::filesystem::exists(path + "-wal"));
  }
}

TEST_F(Sqlite, BadSqlIsAnErrorWithItsReason) {
  EXPECT_NE(db->query("SELEC 1").error().message.find("syntax error"), std::string::npos);
  EXPECT_NE(db->execute("SELECT * FROM nowhere").error().message.find("no such table"), std::string::npos);
}

TEST(SqliteOpen, AnImpossibleFolderIsReported) { EXPECT_FALSE(Database::open("/proc/nowhere/t.db")); }

}  // namespace
}  // namespace parlance::sqlite
