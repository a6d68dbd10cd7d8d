// SPDX-License-Identifier: Apache-2.0
// A database with the tables of hubs, hubs in it whose leases are what a test says, and what they write. One thread at a time.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "parlance/pg/connection.h"
#include "parlance/store/hub/test_store_suite.h"
#include "parlance/store/hub_pg/committer.h"
#include "parlance/store/hub_pg/schema.h"
#include "tests/postgres/server.h"

namespace parlance::store::test {

using namespace std::chrono_literals;
using parlance::test::postgres;
using parlance::test::PostgresServer;

class Ownership : public testing::Test {
 protected:
  void SetUp() override {
    PARLANCE_NEEDS_POSTGRES();
    address = postgres().new_database();
    auto opened = pg::Connection::open({.address = address, .patience = 1min, .silence = 1min}, interrupt);
    ASSERT_TRUE(opened) << opened.error().message;
    admin = *std::move(opened);
    const auto migrated = migrate_hub(*admin);
    ASSERT_TRUE(migrated) << migrated.error().message;
  }
  // A hub whose lease is what the test says.
  std::unique_ptr<Committer> hub(const std::string& name, const std::string& expires = "1 hour") {
    do_sql("INSERT INTO hubs(id, version, expires_at) VALUES('" + name + "', 't', clock_timestamp() + interval '" + expires +
           "')");
    return std::make_unique<Committer>(Committer::Settings{.connect = {.address = address},
                                                           .hub = name,
                                                           .lease = lease,
                                                           .alive = [this] { return alive; },
                                                           .refusal_patience = refusal_patience},
                                       interrupt);
  }
  void do_sql(const std::string& sql) {
    const auto done = admin->run_script(sql);
    ASSERT_TRUE(done) << done.error().message << ": " << sql;
  }
  std::string one(const std::string& sql) {
    const auto rows = admin->run({.sql = sql});
    return !rows ? rows.error().message : rows->empty() ? "(none)" : std::string(rows->text(0, 0));
  }
  static Result<void> commit(Committer& hub, hub::Commit change) {
    const auto shared = std::make_shared<const hub::Commit>(std::move(change));
    return hub.commit({&shared, 1}).front();
  }
  static hub::Commit event(std::uint64_t seq) { return {.events_of = "c1", .events = {text(seq)}}; }
  static hub::Commit first() { return {.conversation = conversation("c1"), .events_of = "c1", .events = {text(1)}}; }

  pg::Interrupt interrupt;
  std::string address;
  std::string lease = "15 seconds";
  bool alive = true;
  Duration refusal_patience = 300ms;
  std::unique_ptr<pg::Connection> admin;
};

inline bool is_gone(const Result<void>& result) { return !result && hub::is_not_owner(result.error()); }
inline Errc code_of(const Result<void>& result) { return result ? Errc::internal : result.error().code; }

}  // namespace parlance::store::test
