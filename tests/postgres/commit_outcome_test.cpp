// SPDX-License-Identifier: Apache-2.0
// The outcome of a commit on a broken connection, for every point of the break: the commit exists once, and the hub knows.
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "parlance/hub/log/commit.h"
#include "parlance/pg/connection.h"
#include "parlance/store/hub/test_store_suite.h"
#include "parlance/store/hub_pg/committer.h"
#include "parlance/store/hub_pg/schema.h"
#include "tests/postgres/cutting_proxy.h"
#include "tests/postgres/server.h"

namespace parlance::store::test {
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(StoreSuite);  // only its helpers for rows are used here
namespace {

using namespace std::chrono_literals;
using parlance::test::CuttingProxy;
using parlance::test::postgres;
using parlance::test::PostgresServer;

class CommitOutcome : public testing::Test {
 protected:
  void SetUp() override {
    PARLANCE_NEEDS_POSTGRES();
    address = postgres().new_database();
    proxy = std::make_unique<CuttingProxy>(postgres().port());
    admin = *pg::Connection::open({.address = address, .patience = 1min, .silence = 1min}, interrupt);
    ASSERT_TRUE(migrate_hub(*admin));
    ASSERT_TRUE(admin->run({.sql = "INSERT INTO hubs VALUES('a', 't', clock_timestamp() + interval '1 hour', false)"}));
    hub = committer(proxy->address(address.substr(address.rfind('/') + 1)));
  }
  std::unique_ptr<Committer> committer(const std::string& where) {
    return std::make_unique<Committer>(
        Committer::Settings{.connect = {.address = where}, .hub = "a", .alive = [] { return true; }}, interrupt);
  }
  static hub::CommitPtr shared(hub::Commit change) { return std::make_shared<const hub::Commit>(std::move(change)); }
  std::vector<Result<void>> commit(std::vector<hub::CommitPtr> group) { return hub->commit(group); }
  std::string one(const std::string& sql) {
    const auto rows = admin->run({.sql = sql});
    return rows ? std::string(rows->text(0, 0)) : rows.error().message;
  }
  // The next event of each conversation; the first time their rows as well.
  std::vector<hub::CommitPtr> next_group(std::uint64_t seq) {
    std::vector<hub::CommitPtr> group;
    for (const char* id : {"c1", "c2", "c3"}) {
      hub::Commit change{.events_of = id, .events = {text(seq)}};
      if (seq == 1 || seq % 3 == 0) change.conversation = conversation(id);
      group.push_back(shared(std::move(change)));
    }
    return group;
  }
  void all_good(const std::vector<Result<void>>& outcomes) {
    for (const auto& outcome : outcomes) ASSERT_TRUE(outcome) << outcome.error().message;
  }
  void expect_each_once(std::uint64_t events) {
    const std::string count = std::to_string(events);
    EXPECT_EQ(one("SELECT count(*) FROM events"), std::to_string(events * 3));
    for (const char* column : {"revision", "last_seq", "(SELECT count(*) FROM events WHERE conversation = number)"})
      EXPECT_EQ(one("SELECT min(" + std::string(column) + ") || ' ' || max(" + column + ") FROM conversations"),
                count + " " + count)
          << column;
  }

  pg::Interrupt interrupt;
  std::string address;
  std::unique_ptr<CuttingProxy> proxy;
  std::unique_ptr<pg::Connection> admin;
  std::unique_ptr<Committer> hub;
};

// Cuts at every message of a reply, until a commit passes uncut.
TEST_F(CommitOutcome, AReplyThatIsCutAtAnyMessageIsLookedForAndNeverRepeated) {
  std::uint64_t seq = 0;
  for (int cut = 0;; ++cut) {
    const int before = proxy->cuts();
    if (cut > 0) proxy->cut_reply_after(cut - 1);
    all_good(commit(next_group(++seq)));
    if (HasFatalFailure() || (cut > 1 && proxy->cuts() == before)) break;
  }
  EXPECT_GT(seq, 15U) << "a reply has as many messages";
  expect_each_once(seq);
}

TEST_F(CommitOutcome, ARequestThatIsCutAtAnyMessageIsSentAgain) {
  std::uint64_t seq = 0;
  for (int cut = 0;; ++cut) {
    const int before = proxy->cuts();
    if (cut > 0) proxy->cut_request_after(cut - 1);
    all_good(commit(next_group(++seq)));
    if (HasFatalFailure() || (cut > 1 && proxy->cuts() == before)) break;
  }
  EXPECT_GT(seq, 15U);
  expect_each_once(seq);
}

// The very first commit creates the rows, so no fence can decide; the rows themselves do.
TEST_F(CommitOutcome, ANewConversationWhoseReplyWasLostIsThereOnce) {
  for (int cut = 0; cut < 12; ++cut) {
    ASSERT_TRUE(admin->run({.sql = "DELETE FROM conversations"}));
    hub = committer(proxy->address(address.substr(address.rfind('/') + 1)));
    all_good(commit({shared({.removed_rules = {"none"}})}));  // connected
    proxy->cut_reply_after(cut);
    all_good(commit(next_group(1)));
    expect_each_once(1);
    all_good(commit(next_group(2)));
    expect_each_once(2);
    if (HasFailure()) return;
  }
}

TEST_F(CommitOutcome, AServerThatCrashesAndComesBackHasEveryAcknowledgedCommitOnce) {
  PostgresServer own;
  address = own.new_database();
  admin = *pg::Connection::open({.address = address, .patience = 1min, .silence = 1min}, interrupt);
  ASSERT_TRUE(migrate_hub(*admin));
  ASSERT_TRUE(admin->run({.sql = "INSERT INTO hubs VALUES('a', 't', clock_timestamp() + interval '1 hour', false)"}));
  hub = committer(address);
  std::atomic<bool> enough = false;
  std::atomic<std::uint64_t> acknowledged = 0;
  std::string problem;
  std::thread writer([&] {
    for (std::uint64_t seq = 1; !enough; ++seq) {
      for (const auto& outcome : commit(next_group(seq)))
        if (!outcome) problem = outcome.error().message;
      if (!problem.empty()) return;
      acknowledged = seq;
    }
  });
  const auto wait_for = [&](std::uint64_t more) {
    const std::uint64_t until = acknowledged + more;
    while (acknowledged < until && problem.empty()) std::this_thread::yield();
  };
  wait_for(20);
  own.stop_immediately();
  own.start();
  wait_for(20);
  enough = true;
  writer.join();
  ASSERT_EQ(problem, "");
  admin = *pg::Connection::open({.address = address, .patience = 1min, .silence = 1min}, interrupt);
  expect_each_once(acknowledged);
}

}  // namespace
}  // namespace parlance::store::test
