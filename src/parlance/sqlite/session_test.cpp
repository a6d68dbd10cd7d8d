// SPDX-License-Identifier: Apache-2.0
// A database that other programs replace, overwrite or change while it is open here.
#include "parlance/sqlite/session.h"

#include <unistd.h>

#include "parlance/sqlite/test_support.h"

namespace parlance::sqlite::test {
namespace {

namespace fs = std::filesystem;

class OverwrittenInPlace : public EngineTest {
 protected:
  // Two databases whose headers are the same, byte for byte, and whose rows differ.
  void make_twins() {
    raw("CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<400) INSERT INTO t SELECT i, printf('%0100d', i) FROM n");
    fs::copy_file(db, other);
    raw("UPDATE t SET v='a' || substr(v,2)");
    raw("UPDATE t SET v='b' || substr(v,2)", other);
    ASSERT_EQ(content(db).substr(0, 100), content(other).substr(0, 100));
    ASSERT_EQ(content(db).size(), content(other).size());
  }
  void overwrite() { fs::copy_file(other, db, fs::copy_options::overwrite_existing); }
  std::string first_letters() { return value("SELECT substr(v,1,1), count(*) FROM t GROUP BY 1"); }

  std::string other = folder + "/other.db";
};

TEST_F(OverwrittenInPlace, NoPageOfTheOldFileIsReadOrWrittenBack) {
  make_twins();
  EXPECT_EQ(first_letters(), "'a'|400");
  ASSERT_TRUE(execute("UPDATE t SET v='a' || substr(v,2) WHERE id=1"));
  raw("UPDATE t SET v='b' || substr(v,2) WHERE id=1", other);
  EXPECT_EQ(first_letters(), "'a'|400");
  overwrite();
  EXPECT_EQ(first_letters(), "'b'|400");
  ASSERT_TRUE(execute("UPDATE t SET v='c' || substr(v,2) WHERE id=200"));
  EXPECT_EQ(first_letters(), "'b'|399\n'c'|1");
  engine.reset();
  start({});
  EXPECT_EQ(first_letters(), "'b'|399\n'c'|1");
}

TEST_F(OverwrittenInPlace, AWriteIsTheFirstToNotice) {
  make_twins();
  ASSERT_TRUE(execute("UPDATE t SET v='a' || substr(v,2) WHERE id BETWEEN 1 AND 400"));
  raw("UPDATE t SET v='b' || substr(v,2) WHERE id BETWEEN 1 AND 400", other);
  overwrite();
  ASSERT_TRUE(execute("UPDATE t SET v='c' || substr(v,2) WHERE id=200"));
  EXPECT_EQ(first_letters(), "'b'|399\n'c'|1");
}

TEST_F(OverwrittenInPlace, OwnWritesDoNotOpenItAgain) {
  make_twins();
  const auto opening = [&] {
    return *loop.block_on(
        engine->on_worker<std::uint64_t>(db, engine->ticket(), [](Session& session, class Run& run) -> Outcome<std::uint64_t> {
          PARLANCE_TRY_DO(session.reader(run));
          return session.opening();
        }));
  };
  const std::uint64_t before = opening();
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(execute("UPDATE t SET v='c' || substr(v,2) WHERE id=1"));
  EXPECT_EQ(opening(), before);
  overwrite();
  EXPECT_NE(opening(), before);
}

// Files of SQLite beside the database would belong to the reader, and the owner could not write them.
class ReadOnlyOfAnotherUser : public EngineTest {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root";
    raw("PRAGMA journal_mode=WAL; CREATE TABLE t(a); INSERT INTO t VALUES(1)");
    fs::permissions(folder, fs::perms::all);
    ASSERT_EQ(::chown(db.c_str(), owner, owner), 0);
    start({.read_only = true});
    ASSERT_EQ(::seteuid(reader), 0);
  }
  void TearDown() override { static_cast<void>(::seteuid(0)); }
  static constexpr uid_t owner = 65'533;
  static constexpr uid_t reader = 65'532;
};

TEST_F(ReadOnlyOfAnotherUser, LeavesNoFilesAndSeesWrites) {
  EXPECT_EQ(value("SELECT a FROM t"), "1");
  EXPECT_FALSE(fs::exists(db + "-wal") || fs::exists(db + "-shm"));
  ASSERT_EQ(::seteuid(0), 0);
  ASSERT_EQ(::seteuid(owner), 0);
  raw("INSERT INTO t VALUES(2)");
  ASSERT_EQ(::seteuid(0), 0);
  ASSERT_EQ(::seteuid(reader), 0);
  EXPECT_EQ(value("SELECT a FROM t"), "1\n2");
  EXPECT_FALSE(fs::exists(db + "-wal") || fs::exists(db + "-shm"));
}

}  // namespace
}  // namespace parlance::sqlite::test
