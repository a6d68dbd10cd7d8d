// SPDX-License-Identifier: Apache-2.0
// The tables of a shared store on a real server: made once, taken further while gateways of two versions work side by side, and adopted after a restore.
#include <array>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>

#include "parlance/store/hub_pg/adoption.h"
#include "parlance/store/hub_pg/lease_rows.h"
#include "tests/postgres/ownership.h"

namespace parlance::store::test {
namespace {

using testing::HasSubstr;
using Schema = Ownership;

constexpr int now = hub_schema_version;
constexpr pg::Step adds{.least_reader = now, .sql = {"CREATE TABLE added(n int);"}};
constexpr pg::Step removes{.least_reader = now + 1, .sql = {"DROP TABLE added;"}};

// Our existing steps, and steps of future programs.
std::vector<pg::Step> ours_and(std::initializer_list<pg::Step> more) {
  std::vector<pg::Step> steps(static_cast<std::size_t>(now - 5));  // the first is 6
  steps.insert(steps.end(), more);
  return steps;
}

TEST_F(Schema, AnIncompatibleNewerDatabaseIsNotTouched) {
  do_sql("UPDATE schema SET version = 99, least_reader = 98");
  const auto refused = migrate_hub(*admin);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("newer parlance"), std::string::npos) << refused.error().message;
  LeaseRows late({.address = address}, interrupt, "late", "t", "15 seconds");
  EXPECT_FALSE(*late.join()) << "also who looked before it came";
  do_sql("UPDATE schema SET version = 99, least_reader = 1");
  EXPECT_TRUE(migrate_hub(*admin)) << "one that does is worked with";
  EXPECT_TRUE(*late.join());
}

TEST_F(Schema, TablesOfAnUnreleasedVersionAreRefusedUnchanged) {
  do_sql("UPDATE schema SET version = 5, least_reader = 2");
  const auto refused = migrate_hub(*admin);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "cannot open the tables of the store in this database: a version before the first release made them (schema 5, this "
            "program reads from 6 on). The tables are unchanged: use another database");
  EXPECT_EQ(one("SELECT version || ' ' || least_reader FROM schema"), "5 2");
}

TEST_F(Schema, ForeignTablesAreRefusedUnchanged) {
  address = postgres().new_database();
  admin = *pg::Connection::open({.address = address, .patience = 1min, .silence = 1min}, interrupt);
  do_sql("CREATE TABLE conversations(theirs int)");
  EXPECT_FALSE(migrate_hub(*admin));
  EXPECT_EQ(one("SELECT to_regclass('schema') IS NULL AND to_regclass('hubs') IS NULL"), "t");
}

TEST_F(Schema, TwoSpellingsOfANameAreOneUser) {
  do_sql("INSERT INTO users(id, name, role) VALUES('user_1', 'ann', 'member')");
  EXPECT_FALSE(admin->run({.sql = "INSERT INTO users(id, name, role) VALUES('user_2', 'ANN', 'member')"}));
}

TEST_F(Schema, TwoHubsWithAnEmptyDatabaseCreateItsTablesOnce) {
  const std::string empty = postgres().new_database();
  std::vector<std::thread> hubs;
  std::array<bool, 4> good{};
  for (bool& one : good)
    hubs.emplace_back([&] {
      auto connection = pg::Connection::open({.address = empty, .patience = 1min, .silence = 1min}, interrupt);
      one = connection && migrate_hub(**connection);
    });
  for (std::thread& one : hubs) one.join();
  EXPECT_EQ(std::ranges::count(good, true), 4);
}

TEST_F(Schema, AnAddingStepRunsBesideOlderGatewaysAndARemovingStepWaitsForTheirEnd) {
  const auto older = hub("older");
  do_sql("UPDATE hubs SET version = '" + with_schema_version("0.2") + "'");
  ASSERT_TRUE(migrate_hub(*admin, ours_and({adds})));
  EXPECT_TRUE(commit(*older, first())) << "it works on";
  const std::vector<pg::Step> all = ours_and({adds, removes});
  const auto refused = migrate_hub(*admin, all);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("Stop these, then start this gateway again"));
  EXPECT_THAT(refused.error().message, HasSubstr("older (0.2, schema " + std::to_string(now) + ")"));
  EXPECT_EQ(one("SELECT version || ' ' || least_reader FROM schema"), std::to_string(now + 1) + " " + std::to_string(now));
  EXPECT_EQ(one("SELECT count(*) FROM added"), "0");
  do_sql("UPDATE hubs SET version = '" + with_schema_version("0.3", now + 1) + "'");
  ASSERT_TRUE(migrate_hub(*admin, all)) << "it reads what is left";
  EXPECT_EQ(one("SELECT version || ' ' || least_reader FROM schema"), std::to_string(now + 2) + " " + std::to_string(now + 1));
  EXPECT_EQ(one("SELECT to_regclass('added') IS NULL"), "t");
}

TEST_F(Schema, DeadOlderGatewaysBlockNoStep) {
  hub("gone", "-1 second");
  hub("dead");
  do_sql("UPDATE hubs SET dead = true WHERE id = 'dead'");
  EXPECT_TRUE(migrate_hub(*admin, ours_and({adds, removes})));
}

// ---- after a restore ---------------------------------------------------------------------------------------------------------

TEST_F(Schema, ARestoredDatabaseIsAdoptedAndEarlierGatewaysCannotWrite) {
  const auto before = hub("before");
  ASSERT_TRUE(commit(*before, first()));
  const auto adopted = adopt(*admin);
  ASSERT_TRUE(adopted) << adopted.error().message;
  EXPECT_EQ(adopted->conversations, 1U);
  EXPECT_EQ(adopted->freed, 1U);
  EXPECT_EQ(adopted->hubs, 1U);
  EXPECT_TRUE(is_gone(commit(*before, event(2)))) << "an owner that came along with the copy";
  const auto next = hub("next");
  ASSERT_TRUE(*next->claim("c1"));
  EXPECT_TRUE(commit(*next, event(2)));
  EXPECT_EQ(adopt(*admin)->freed, 1U);
  EXPECT_EQ(adopt(*admin)->freed, 0U) << "once more changes nothing";
}

// A copy's rows look as alive as the original's.
TEST_F(Schema, ARenewingGatewayLearnsFromTheStatusRow) {
  hub("copied", "4 seconds");
  EXPECT_TRUE(renewing_hubs(*admin, interrupt)->empty());
  do_sql("UPDATE hubs SET expires_at = clock_timestamp() + interval '4 seconds'");
  LeaseRows rows({.address = address}, interrupt, "here", "t", "4 seconds");
  ASSERT_TRUE(*rows.join());
  std::jthread renews([&](const std::stop_token& enough) {
    while (!enough.stop_requested() && *rows.renew()) std::this_thread::sleep_for(100ms);
  });
  EXPECT_EQ(*renewing_hubs(*admin, interrupt), std::vector<std::string>{"here"});
}

TEST_F(Schema, WithoutARestoreTheDatabaseIsNotAdopted) {
  address = postgres().new_database();
  admin = *pg::Connection::open({.address = address, .patience = 1min, .silence = 1min}, interrupt);
  const auto refused = adopt(*admin);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::not_found);
  EXPECT_THAT(refused.error().message, HasSubstr("restore the backup first"));
}

}  // namespace
}  // namespace parlance::store::test
