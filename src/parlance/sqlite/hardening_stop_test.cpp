// SPDX-License-Identifier: Apache-2.0
// The hardening rules about endings: slow statements, locks of other programs, cancelled calls (H11 to H13).
#include <future>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "parlance/sqlite/hardening_test_support.h"

namespace parlance::sqlite::test {

Locker::Locker(const std::string& path, const std::string& sql) {
  int down[2];
  int up[2];
  PARLANCE_CHECK(::pipe(down) == 0 && ::pipe(up) == 0, "pipes");
  pid_ = ::fork();
  if (pid_ == 0) {
    ::close(down[1]);
    sqlite3* handle = nullptr;
    const bool held = sqlite3_open(path.c_str(), &handle) == SQLITE_OK &&
                      sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
    char c = held ? 'y' : 'n';
    if (::write(up[1], &c, 1) == 1) static_cast<void>(::read(down[0], &c, 1));
    ::_exit(0);
  }
  ::close(down[0]);
  ::close(up[1]);
  to_child_ = down[1];
  char c = 0;
  PARLANCE_CHECK(::read(up[0], &c, 1) == 1 && c == 'y', "the other program has its lock");
  ::close(up[0]);
}
void Locker::release() {
  if (pid_ < 0) return;
  ::close(to_child_);
  ::waitpid(std::exchange(pid_, -1), nullptr, 0);
}
Locker::~Locker() { release(); }

namespace {

TEST_F(Hardening, H11TimeoutEndsARunawayStatementAndLargeValuesAreRefused) {
  std::string answer;
  const auto time = time_of([&] { answer = outcome_text(query(endless, {}, 100ms).page); });
  EXPECT_EQ(answer, "timeout: timed out after 100 ms");
  EXPECT_GE(time, 99ms);
  expect_that_it_ends();
  const auto large = query("SELECT length(zeroblob(300000000))");  // far below SQLite's own limit
  ASSERT_FALSE(large.page);
  EXPECT_EQ(large.page.error().sqlite_code, SQLITE_TOOBIG);
}

TEST_F(Hardening, H11TheStatementItselfLooksAtTheClock) {
  auto guard = PathGuard::make({});
  ASSERT_TRUE(guard);
  // Without an engine whose loop would stop the statement from outside; without the check of the clock, only `cancel` would end
  // the statement.
  class Run run(Clock::now() + 50ms);
  std::promise<void> over;
  std::thread rescue([&, ended = over.get_future()] {
    ended.wait_for(30s);
    run.cancel();
  });
  std::thread([&] {
    Session session(*guard, {}, db);
    Collected sink;
    auto connection = session.reader(run);
    ASSERT_TRUE(connection);
    EXPECT_EQ(fault_of(read(**connection, run, {.sql = endless}, sink)), Fault::timeout);
  }).join();
  over.set_value();
  rescue.join();
}

TEST_F(Hardening, H11ASlowFunctionDoesNotOutlastItsDeadlineNorBlockOthers) {
  EXPECT_EQ(outcome_text(query(slow_function, {}, 100ms).page), "timeout: timed out after 100 ms");
  EXPECT_TRUE(engine->has_stuck_statements()) << "the answer came before the function's end";
  EXPECT_EQ(value("SELECT count(*) FROM t"), "2") << "a new worker took over";
}

TEST_F(Hardening, H11ATimedOutWriteIsNeverCommittedLater) {
  // The row is written behind the slow function: at its return, the answer "timed out" has been sent.
  const auto late = execute("INSERT INTO t SELECT 3, instr(zeroblob(400000), zeroblob(200000)||x'01')", {}, 100ms);
  EXPECT_EQ(outcome_text(late), "timeout: timed out after 100 ms");
  expect_that_it_ends();
  EXPECT_EQ(value("SELECT count(*) FROM t"), "2");
}

TEST_F(Hardening, H11ACommitThatComesTooLateIsRefused) {
  auto guard = PathGuard::make({});
  ASSERT_TRUE(guard);
  std::thread([&] {
    class Run run(never);
    Session session(*guard, {}, db);
    auto connection = session.writer(run);
    ASSERT_TRUE(connection);
    const Connection::Using under(**connection, run, Gate::Mode::write);
    auto prepared = (*connection)->prepare("INSERT INTO t VALUES(9,9)");
    ASSERT_TRUE(prepared);
    // The run ends after the last check of the clock, where an interrupt has no effect.
    run.detach();
    ASSERT_TRUE(run.time_out());
    const int code = sqlite3_step(prepared->statement.handle());
    EXPECT_EQ(code, SQLITE_CONSTRAINT_COMMITHOOK);
    EXPECT_EQ((*connection)->failure(code).fault, Fault::timeout);
  }).join();
  EXPECT_EQ(value("SELECT count(*) FROM t"), "2");
}

TEST_F(Hardening, H12TheWaitForALockItselfLooksAtTheClock) {
  const Locker other(db, "BEGIN EXCLUSIVE");
  auto guard = PathGuard::make({});
  ASSERT_TRUE(guard);
  // Without an engine whose loop would stop the statement from outside, and with more patience than time.
  std::thread([&] {
    class Run run(Clock::now() + 150ms);
    Session session(*guard, {.read_busy = 10min, .write_busy = 10min}, db);
    EXPECT_EQ(fault_of(session.reader(run)), Fault::timeout);
  }).join();
}

TEST_F(Hardening, H12DeadlineEndsTheWaitForALock) {
  Locker other(db, "BEGIN EXCLUSIVE");
  EXPECT_EQ(outcome_text(query("SELECT * FROM t", {}, 150ms).page), "timeout: timed out after 150 ms");
  expect_that_it_ends();
  EXPECT_EQ(outcome_text(execute("INSERT INTO t VALUES(5,5)", {}, 150ms)), "timeout: timed out after 150 ms");
  expect_that_it_ends();

  start({.connections = {.read_busy = 30ms, .write_busy = 30ms}});
  const auto busy = execute("INSERT INTO t VALUES(5,5)");
  ASSERT_FALSE(busy);
  EXPECT_EQ(busy.error().fault, Fault::sql_error) << outcome_text(busy);
  EXPECT_EQ(busy.error().sqlite_code, SQLITE_BUSY);
  other.release();
  EXPECT_EQ(value("SELECT count(*) FROM t"), "2");
}

TEST_F(Hardening, H13CancelEndsAStatementAndDoesNotHurtTheNext) {
  const auto cancelled = [&](const char* sql) -> Task<std::string> {
    const Ticket ticket = engine->ticket(60s);
    Scope scope(loop);
    std::string result;
    const auto ask = [&]() -> Task<void> {
      result = outcome_text(co_await engine->query(db, {.sql = sql}, std::make_shared<Collected>(), ticket));
    };
    scope.start(ask());
    co_await sleep_for(loop, 20ms);
    EXPECT_TRUE(engine->cancel(ticket));
    EXPECT_FALSE(engine->cancel(ticket)) << "once";
    co_await scope.join();
    EXPECT_FALSE(engine->cancel(ticket)) << "it has been answered";
    co_return result;
  };
  EXPECT_EQ(loop.block_on(cancelled(endless)), "cancelled: cancelled");
  EXPECT_EQ(value("SELECT count(*) FROM t"), "2");
  EXPECT_EQ(loop.block_on(cancelled(slow_function)), "cancelled: cancelled");
  // Before its turn: the statement must not run at all.
  const Ticket early = engine->ticket();
  EXPECT_TRUE(engine->cancel(early));
  EXPECT_EQ(outcome_text(
                loop.block_on(engine->execute(db, {.sql = "INSERT INTO t VALUES(7,7)"}, std::make_shared<Collected>(), early))),
            "cancelled: cancelled");
  EXPECT_EQ(value("SELECT count(*) FROM t"), "2");
  const Ticket early_read = engine->ticket();
  EXPECT_TRUE(engine->cancel(early_read));
  EXPECT_EQ(outcome_text(loop.block_on(engine->query(db, {.sql = "SELECT 1"}, std::make_shared<Collected>(), early_read))),
            "cancelled: cancelled");
}

}  // namespace
}  // namespace parlance::sqlite::test
