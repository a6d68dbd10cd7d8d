// SPDX-License-Identifier: Apache-2.0
// Gateways with one PostgreSQL that lose their lease, or come to an end under `parlance up`; and what is shown of the database's address.
#include "parlance/codec/json/value.h"
#include "parlance/pg/connection.h"
#include "tests/postgres/gateways.h"

namespace parlance::test {
namespace {

using testing::HasSubstr;
using testing::Not;

using TwoGateways = GatewaysTest;

TEST_F(TwoGateways, OneThatWasFrozenEndsWhenItWakesAndWritesNothing) {
  const Gateway first = start_gateway("first");
  const Gateway second = start_gateway("second");
  auto page = page_at(first);
  const std::string id = new_conversation(*page);
  ASSERT_EQ(::kill(first.program->child().pid(), SIGSTOP), 0);
  page = page_in(second, id);
  prompt(*page, id, "help");  // done once the frozen one is taken for dead
  until_turns(*page, id, 1);
  EXPECT_EQ(owned_by(second), 1);
  ASSERT_EQ(::kill(first.program->child().pid(), SIGCONT), 0);
  until([&] { return first.program->ended(); }, "the end of the frozen one");
  EXPECT_EQ(first.program->child().exit_status()->code, lease_lost);
  EXPECT_THAT(first.program->errors, HasSubstr("the lease is lost"));
  expect_no_gap(*page, id);
  const Finished usage = parlance({"usage"}, "", {{"PARLANCE_STORE", store}});  // needs no lease
  EXPECT_EQ(usage.code, 0) << usage.errors;
}

// Its supervisor starts another, which works at once beside the others.
TEST_F(TwoGateways, OneThatLostItsLeaseIsStartedAgainByUp) {
  const auto up =
      launch(with_program({"up", "--listen", "127.0.0.1:0", "--embed-listen", "127.0.0.1:0", "--agent-socket", path("up.sock"),
                           "--state", path("up-state"), "--folder", work(), "--lease", "2", "--ready-file", ready_file()}),
             {{"PARLANCE_STORE", store}, {"PARLANCE_TOKEN", the_token}});
  until_file(ready_file(), [&] { return !read_file(ready_file()).empty() || up->ended(); }, "the ready file");
  ready = parsed(read_file(ready_file()));
  const pid_t frozen = service_pid("gateway");
  ASSERT_NE(frozen, 0) << up->errors;
  const Gateway second = start_gateway("second");
  ASSERT_EQ(::kill(frozen, SIGSTOP), 0);
  until_file(
      ready_file(), [&] { return parsed(read_file(ready_file())) != ready || up->ended(); },
      "the ready file to name the new process");
  ASSERT_FALSE(up->ended()) << up->errors;
  ready = parsed(read_file(ready_file()));
  EXPECT_NE(service_pid("gateway"), frozen);
  base = text_at(ready, {"services", "gateway", "address"});
  const auto page = connect();
  EXPECT_TRUE(page->conversations.empty());
}

TEST_F(TwoGateways, AFullDiskShowsEverywhereAndPasses) {
  const Gateway first = start_gateway("first");
  const Gateway second = start_gateway("second");
  const auto page = page_at(first);
  const std::string id = new_conversation(*page);
  const auto elsewhere = page_in(second, id);
  const pg::Interrupt interrupt;
  const auto admin = pg::Connection::open({.address = store}, interrupt);
  ASSERT_TRUE(admin) << admin.error().message;
  ASSERT_TRUE(
      (*admin)->run_script("CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION "
                           "'No space left on device' USING ERRCODE = '53100'; END $$; CREATE TRIGGER no_room BEFORE "
                           "INSERT ON events FOR EACH STATEMENT EXECUTE FUNCTION no_room()"));
  for (PageClient* const one : {page.get(), elsewhere.get()}) {
    const TimePoint began = Clock::now();
    const std::string asked = one->request("prompt", R"("conversation":")" + id + R"(","text":"help")");
    until([&] { return one->answered(asked); }, "an answer");
    EXPECT_LT(Clock::now() - began, std::chrono::seconds(5));
    EXPECT_EQ(one->type_of_answer(asked), "failed");
    EXPECT_THAT(text_at(one->answers.at(asked), {"message"}),
                testing::AllOf(HasSubstr("nothing was saved: the disk of the database server is full"),
                               HasSubstr("No space left on device"), HasSubstr("free disk space")));
  }
  until([&] { return page->frames.contains("disk of the database server is full"); }, "the state of the service on the page");
  EXPECT_EQ(text_at(health_of(first), {"status"}), "degraded");
  EXPECT_THAT(json::to_text(health_of(first)), HasSubstr("the disk of the database server is full"));
  ASSERT_TRUE((*admin)->run_script("DROP FUNCTION no_room CASCADE"));
  until_observed([&] { return text_at(health_of(first), {"status"}) == "ok"; }, "a store that works again");
  prompt(*elsewhere, id, "help");
  until_turns(*page, id, 1);
  const std::string& said = first.program->errors;
  const auto at = said.find("the store failed");
  EXPECT_NE(at, std::string::npos);
  EXPECT_EQ(said.find("the store failed", at + 1), std::string::npos) << "reported once: " << said;
  EXPECT_THAT(said, HasSubstr("the store works again"));
}

TEST_F(TwoGateways, ThePasswordIsShownNowhere) {
  const std::string with_password = store.substr(0, store.find('@')) + ":geheim" + store.substr(store.find('@'));
  const Finished config = parlance({"config", "--origin"}, "", {{"PARLANCE_STORE", with_password}});
  EXPECT_THAT(config.out, HasSubstr("postgresql://parlance:***@"));
  EXPECT_THAT(config.out, HasSubstr("environment PARLANCE_STORE"));
  EXPECT_THAT(config.out, Not(HasSubstr("geheim")));
  const Finished doctor = parlance({"doctor"}, "", {{"PARLANCE_STORE", with_password}});
  EXPECT_THAT(doctor.out, HasSubstr("postgresql://parlance:***@"));
  EXPECT_THAT(doctor.out, HasSubstr("no standby is synchronous"));
  EXPECT_THAT(doctor.out, Not(HasSubstr("geheim")));
  const Finished nobody =
      parlance({"gateway", "--listen", "127.0.0.1:0"}, "", {{"PARLANCE_STORE", "postgresql://a:geheim@127.0.0.1:1/db"}});
  EXPECT_EQ(nobody.code, 1);
  EXPECT_THAT(nobody.errors, HasSubstr("postgresql://a:***@127.0.0.1:1/db"));
  EXPECT_THAT(nobody.errors, Not(HasSubstr("geheim")));
}

}  // namespace
}  // namespace parlance::test
