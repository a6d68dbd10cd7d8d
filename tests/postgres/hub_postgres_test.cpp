// SPDX-License-Identifier: Apache-2.0
// The store on PostgreSQL with a real server: the suite of all stores, the fence, the ownership, and the outcome of a commit on a
// broken connection.
#include "parlance/store/hub_pg/hub_postgres.h"

#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/log/event_log.h"
#include "parlance/pg/connection.h"
#include "parlance/store/hub/test_store_suite.h"
#include "parlance/store/hub_pg/committer.h"
#include "parlance/store/hub_pg/reader.h"
#include "parlance/store/hub_pg/schema.h"
#include "tests/postgres/ownership.h"

namespace parlance::store::test {
namespace {

using namespace std::chrono_literals;
using parlance::test::postgres;
using parlance::test::PostgresServer;

struct Postgres {
  static std::string unavailable() {
    const std::string why = PostgresServer::missing();
    if (!why.empty() && std::getenv("CI") != nullptr) ADD_FAILURE() << why;
    return why;
  }
  std::unique_ptr<hub::Store> open(Loop& loop) {
    return std::make_unique<HubPostgres>(loop, HubPostgresSettings{.address = address});
  }
  void close(Loop& loop, std::unique_ptr<hub::Store> store) {
    EXPECT_TRUE(loop.block_on(static_cast<HubPostgres&>(*store).leave()));
    store.reset();
  }
  std::string address = postgres().new_database();
};

INSTANTIATE_TYPED_TEST_SUITE_P(Postgres, StoreSuite, Postgres);

// ---- ownership ---------------------------------------------------------------------------------------------------------------

TEST_F(Ownership, ALivingOwnerKeepsItsConversations) {
  const auto a = hub("a");
  const auto b = hub("b");
  ASSERT_TRUE(commit(*a, first()));
  EXPECT_FALSE(*b->claim("c1"));
  EXPECT_EQ(code_of(commit(*b, event(2))), Errc::not_found) << "it never had it";
  EXPECT_TRUE(commit(*a, event(2)));
  EXPECT_EQ(one("SELECT epoch || ' ' || revision || ' ' || last_seq FROM conversations"), "1 2 2");
}

TEST_F(Ownership, AReleasedConversationIsClaimedAndItsOldOwnerIsFencedOff) {
  const auto a = hub("a");
  const auto b = hub("b");
  ASSERT_TRUE(commit(*a, first()));
  ASSERT_TRUE(a->release("c1"));
  ASSERT_TRUE(*b->claim("c1"));
  EXPECT_TRUE(commit(*b, event(2)));
  EXPECT_FALSE(*a->claim("c1"));
  EXPECT_EQ(one("SELECT owner || ' ' || epoch FROM conversations"), "b 2");
}

TEST_F(Ownership, ADeadOwnersCommitIsRefusedPermanentlyAndItsConversationDropped) {
  lease = "0 seconds";
  const auto a = hub("a", "-1 second");
  const auto b = hub("b");
  ASSERT_TRUE(commit(*a, first()));
  ASSERT_TRUE(*b->claim("c1"));
  const auto refused = commit(*a, event(2));
  EXPECT_TRUE(is_gone(refused));
  EXPECT_TRUE(a->held().empty());
  EXPECT_EQ(one("SELECT dead FROM hubs WHERE id='a'"), "t");
  EXPECT_FALSE(*a->claim("c1")) << "dead is for ever";
  EXPECT_TRUE(commit(*b, event(2)));
  EXPECT_EQ(one("SELECT count(*) FROM events"), "2");
}

TEST_F(Ownership, AStaleRevisionOrEpochIsRefused) {
  const auto a = hub("a");
  ASSERT_TRUE(commit(*a, first()));
  do_sql("UPDATE conversations SET revision = revision + 5");
  EXPECT_TRUE(is_gone(commit(*a, event(2))));
  EXPECT_EQ(one("SELECT count(*) FROM events"), "1");
  ASSERT_TRUE(*a->claim("c1"));
  EXPECT_TRUE(commit(*a, event(2))) << "read again, it is the next";
  do_sql("UPDATE conversations SET epoch = epoch + 1");
  EXPECT_TRUE(is_gone(commit(*a, event(3))));
}

// The log of a hub repeats every failed write except this, so a lost conversation must not fail in another way later.
TEST_F(Ownership, EveryLaterCommitOfAnOldOwnerIsRefusedAsNotItsOwn) {
  const auto a = hub("a");
  ASSERT_TRUE(commit(*a, first()));
  do_sql("UPDATE conversations SET revision = revision + 5");
  EXPECT_TRUE(is_gone(commit(*a, event(2))));
  EXPECT_TRUE(is_gone(commit(*a, event(2))));
  EXPECT_TRUE(is_gone(commit(*a, {.conversation = conversation("c1")})));
  ASSERT_TRUE(*a->claim("c1"));
  ASSERT_TRUE(commit(*a, event(2)));
  ASSERT_TRUE(a->release("c1"));
  EXPECT_TRUE(is_gone(commit(*a, event(3))));
  EXPECT_TRUE(is_gone(commit(*a, first())));
}

// A backup may give two hubs the same epoch: the name distinguishes them.
TEST_F(Ownership, AnotherOwnerWithTheSameEpochAndRevisionIsRefused) {
  const auto a = hub("a");
  ASSERT_TRUE(commit(*a, first()));
  do_sql("INSERT INTO hubs VALUES('z', 't', clock_timestamp(), false); UPDATE conversations SET owner = 'z'");
  EXPECT_TRUE(is_gone(commit(*a, event(2))));
}

// During an outage every lease expires: no owner ends before its renewal was possible.
TEST_F(Ownership, AfterAServerStartNoOwnerEndsForTheLengthOfALease) {
  lease = "1 hour";
  const auto a = hub("a", "-1 second");
  const auto b = hub("b");
  ASSERT_TRUE(commit(*a, first()));
  EXPECT_FALSE(*b->claim("c1"));
  EXPECT_TRUE(commit(*a, event(2)));
}

TEST_F(Ownership, AFormerOwnerDoesNotStopTheOthersOfItsGroup) {
  const auto a = hub("a");
  std::vector<hub::CommitPtr> group;
  for (const char* id : {"c1", "c2", "c3"}) ASSERT_TRUE(commit(*a, {.conversation = conversation(id)}));
  do_sql("UPDATE conversations SET owner = NULL WHERE id = 'c2'");
  for (const char* id : {"c1", "c2", "c3"})
    group.push_back(std::make_shared<const hub::Commit>(hub::Commit{.events_of = id, .events = {text(1)}}));
  const auto outcomes = a->commit(group);
  EXPECT_TRUE(outcomes[0]);
  EXPECT_TRUE(is_gone(outcomes[1]));
  EXPECT_TRUE(outcomes[2]);
  EXPECT_EQ(one("SELECT string_agg(last_seq::text, ' ' ORDER BY id) FROM conversations"), "1 0 1");
}

TEST_F(Ownership, ARemovedConversationIsFencedToo) {
  lease = "0 seconds";
  const auto a = hub("a", "-1 second");
  const auto b = hub("b");
  ASSERT_TRUE(commit(*a, first()));
  ASSERT_TRUE(*b->claim("c1"));
  EXPECT_TRUE(is_gone(a->remove("c1")));
  EXPECT_TRUE(is_gone(a->remove("c1"))) << "it has forgotten the conversation";
  EXPECT_TRUE(b->remove("c1"));
  EXPECT_EQ(one("SELECT count(*) FROM events"), "0");
}

TEST_F(Ownership, AnEndedServerProcessLosesNothingAndRepeatsNothing) {
  const auto a = hub("a");
  ASSERT_TRUE(commit(*a, first()));
  for (std::uint64_t seq = 2; seq <= 10; ++seq) {
    do_sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()");
    const auto done = commit(*a, event(seq));
    ASSERT_TRUE(done) << done.error().message;
  }
  EXPECT_EQ(one("SELECT count(*) || ' ' || max(seq) FROM events"), "10 10");
  EXPECT_EQ(one("SELECT revision FROM conversations"), "10");
}

TEST_F(Ownership, WithoutAServerACommitFailsAndSaysSoAfterTheLease) {
  const auto a = hub("a");
  Committer nowhere({.connect = {.address = "postgresql://x@127.0.0.1:1/db"},
                     .hub = "a",
                     .alive = [this] { return std::exchange(alive, false); }},
                    interrupt);
  EXPECT_EQ(code_of(commit(nowhere, first())), Errc::disconnected);
}

TEST_F(Ownership, ASecondHubFindsTheFirstsDataAndOwnsThemAfterItsLeave) {
  Loop loop;
  HubPostgres one_hub(loop, {.address = address});
  ASSERT_TRUE(loop.block_on(one_hub.load()));
  ASSERT_TRUE(loop.block_on(one_hub.commit(first())));
  HubPostgres other(loop, {.address = address});
  const auto loaded = loop.block_on(other.load());
  ASSERT_TRUE(loaded) << loaded.error().message;
  ASSERT_EQ(loaded->conversations.size(), 1U);
  EXPECT_FALSE(*loop.block_on(other.claim("c1")));
  ASSERT_TRUE(loop.block_on(one_hub.commit(event(2))));
  ASSERT_TRUE(loop.block_on(one_hub.leave()));
  EXPECT_TRUE(*loop.block_on(other.claim("c1")));
  EXPECT_TRUE(loop.block_on(other.commit(event(3))));
  EXPECT_TRUE(is_gone(loop.block_on(one_hub.commit(event(3)))));
}

TEST_F(Ownership, AHubWithoutRenewalLosesItsLeaseAndLearnsSo) {
  Loop loop;
  std::string why;
  HubPostgres store(loop, {.address = address,
                           .lease = {.length = 8s, .own = 2s, .renewal = 100ms},
                           .on_lost = [&](const std::string& reason) { why = reason; }});
  ASSERT_TRUE(loop.block_on(store.load()));
  ASSERT_TRUE(loop.block_on(store.commit(first())));
  loop.run_for(2500ms);
  EXPECT_EQ(why, "") << "renewed, it goes on";
  do_sql("UPDATE hubs SET dead = true");
  loop.run_until([&] { return !why.empty(); });
  EXPECT_NE(why.find("took this one for dead"), std::string::npos) << why;
}

// Its log neither retries nor keeps the unwritable events.
TEST_F(Ownership, TheLogOfATakenOverConversationIsDropped) {
  Loop loop;
  HubPostgres store(loop, {.address = address});
  ASSERT_TRUE(loop.block_on(store.load()));
  ASSERT_TRUE(loop.block_on(store.commit(first())));
  do_sql("UPDATE conversations SET owner = NULL");
  std::string reported;
  hub::EventLog log(
      loop, store, "c1", 1,
      {.time_text = [] { return std::string("2026-01-01T00:00:00.000Z"); },
       .written = [&](const hub::CommitPtr&) { reported += "written "; },
       .health = [&](const Error* error) { reported += error != nullptr && hub::is_not_owner(*error) ? "gone " : "? "; },
       .row = [] { return *conversation("c1"); }});
  log.append(hub::event::Notice{.text = "on its way"});
  const auto outcome =
      log.operation([&] { log.append(hub::event::Notice{.text = "wanted"}); }, {.undo = [&] { reported += "undone "; }});
  EXPECT_FALSE(loop.block_on(outcome->get()));
  EXPECT_EQ(reported, "undone gone ");
  EXPECT_TRUE(log.idle());
  const auto written = loop.block_on(log.written());
  ASSERT_FALSE(written) << "also for who asks later";
  EXPECT_TRUE(hub::is_not_owner(written.error()));
  EXPECT_EQ(one("SELECT count(*) FROM events"), "1");
}

// ---- commands ----------------------------------------------------------------------------------------------------------------

TEST_F(Ownership, ACommandIsSentOnceAndItsOutcomeReachesAllCallers) {
  Loop loop;
  HubPostgres store(loop, {.address = address});
  ASSERT_TRUE(loop.block_on(store.load()));
  ASSERT_TRUE(loop.block_on(store.commit(first())));
  std::vector<std::string> outcomes;
  Scope scope(loop);
  for (int twice = 0; twice < 2; ++twice)
    scope.start([](HubPostgres& s, std::vector<std::string>& into) -> Task<void> {
      const hub::Submission command{
          .id = "k1",
          .conversation = "c1",
          .command = hub::SendPrompt{.text = "hello", .attachments = {{.about = {.name = "a"}, .data = std::string("\0b", 2)}}}};
      into.push_back((co_await s.send(command))->prompted.turn);
    }(store, outcomes));
  std::vector<hub::Submission> waiting;
  while (waiting.empty()) waiting = *loop.block_on(store.commands("c1"));
  ASSERT_EQ(waiting.size(), 1U);
  const auto& command = std::get<hub::SendPrompt>(waiting.front().command);
  EXPECT_EQ(command.text, "hello");
  EXPECT_EQ(command.attachments.front().data, std::string("\0b", 2));
  hub::Commit done = event(2);
  done.done = {{.id = "k1", .outcome = {.prompted = {.turn = "t1"}}}};
  ASSERT_TRUE(loop.block_on(store.commit(done)));
  ASSERT_TRUE(loop.block_on(store.done({.id = "k1", .outcome = {.error = Error{.message = "too late"}}})));
  loop.block_on(scope.join());
  EXPECT_EQ(outcomes, (std::vector<std::string>{"t1", "t1"}));
  EXPECT_TRUE(loop.block_on(store.commands("c1"))->empty());
  const auto nowhere = loop.block_on(store.send({.id = "k2", .conversation = "c9"}));
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, Errc::not_found);
  EXPECT_TRUE(*loop.block_on(store.withdraw_command("k1"))) << "it was done";
}

// The other commits of the transaction are stored.
TEST_F(Ownership, ACommitWithTheOutcomeOfAWithdrawnCommandIsRefused) {
  const auto owner = hub("a");
  ASSERT_TRUE(commit(*owner, first()));
  do_sql("INSERT INTO commands(id, conversation, body) SELECT k, number, '' FROM conversations, unnest(ARRAY['k1', 'k2']) AS k");
  Reader sender({.address = address}, interrupt, "b", lease);
  EXPECT_FALSE(*sender.withdraw_command("k1"));
  hub::Commit late = event(2);
  late.done = {{.id = "k1"}};
  const hub::Commit other{.conversation = conversation("c2"), .events_of = "c2", .events = {text(1)}};
  const std::vector<hub::CommitPtr> group{std::make_shared<const hub::Commit>(late), std::make_shared<const hub::Commit>(other)};
  const auto outcomes = owner->commit(group);
  ASSERT_FALSE(outcomes[0]);
  EXPECT_TRUE(hub::is_command_ended(outcomes[0].error())) << outcomes[0].error().message;
  EXPECT_TRUE(outcomes[1]) << outcomes[1].error().message;
  EXPECT_EQ(one("SELECT count(*) FROM events AS e JOIN conversations AS c ON c.number = e.conversation WHERE c.id = 'c1'"), "1");
  late.done = {{.id = "k2"}};
  EXPECT_TRUE(commit(*owner, late)) << "the conversation goes on";
  late = event(3);
  late.done = {{.id = "k2"}};
  EXPECT_FALSE(commit(*owner, late)) << "no command has its effect twice";
  late.done = {{.id = "k3"}};
  EXPECT_TRUE(hub::is_command_ended(commit(*owner, late).error())) << "an unknown command";
}

}  // namespace
}  // namespace parlance::store::test
