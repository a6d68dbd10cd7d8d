// SPDX-License-Identifier: Apache-2.0
// A running server refuses to write. A trigger raises the same SQLSTATE as a full disk.
#include <chrono>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/postgres/cutting_proxy.h"
#include "tests/postgres/ownership.h"

namespace parlance::store::test {
namespace {

using parlance::test::CuttingProxy;
using testing::HasSubstr;

class Refusal : public Ownership {
 protected:
  void refuse(const std::string& sqlstate, const std::string& when = "BEFORE INSERT ON events",
              const std::string& where = "true") {
    do_sql("CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF " + where +
           " THEN RAISE EXCEPTION 'no room' USING ERRCODE = '" + sqlstate +
           "'; END IF; RETURN NULL; END $$; CREATE TRIGGER refuse " + when + " FOR EACH STATEMENT EXECUTE FUNCTION refuse()");
  }
  void accept() { do_sql("DROP FUNCTION refuse CASCADE"); }
  Duration time_of(const std::function<void()>& work) {
    const TimePoint began = Clock::now();
    work();
    return Clock::now() - began;
  }
};

TEST_F(Refusal, FailsACommitSoonAndPasses) {
  const auto a = hub("a");
  ASSERT_TRUE(commit(*a, first()));
  refuse("53100");
  EXPECT_LT(time_of([&] {
              const auto full = commit(*a, event(2));
              EXPECT_EQ(code_of(full), Errc::overloaded);
              EXPECT_THAT(full.error().message,
                          testing::AllOf(HasSubstr("nothing was saved: the disk of the database server is full"),
                                         HasSubstr("no room (53100)"), HasSubstr("free disk space")));
            }),
            5s);
  EXPECT_LT(time_of([&] { EXPECT_EQ(code_of(commit(*a, event(2))), Errc::overloaded); }), refusal_patience)
      << "the next does not wait for what is known";
  EXPECT_EQ(one("SELECT count(*) || ' ' || max(revision) FROM events, conversations"), "1 1");
  accept();
  EXPECT_TRUE(commit(*a, event(2)));
  EXPECT_EQ(one("SELECT count(*) || ' ' || max(revision) FROM events, conversations"), "2 2");
}

TEST_F(Refusal, OfAMomentFailsNothing) {
  refusal_patience = 1min;
  const auto a = hub("a");
  ASSERT_TRUE(commit(*a, first()));
  do_sql("CREATE SEQUENCE attempts");  // a rollback does not return the number
  refuse("53300", "BEFORE INSERT ON events", "nextval('attempts') < 3");
  EXPECT_TRUE(commit(*a, event(2)));
  EXPECT_EQ(one("SELECT count(*) FROM events"), "2");
}

TEST_F(Refusal, OfEveryKindFailsCommitsClaimsAndDeletions) {
  for (const char* state : {"53100", "53200", "53400", "25006", "58030"}) {
    SCOPED_TRACE(state);
    refusal_patience = 0s;
    do_sql("DELETE FROM conversations; DELETE FROM hubs");
    const auto a = hub("a");
    ASSERT_TRUE(commit(*a, first()));
    refuse(state, "BEFORE DELETE OR UPDATE ON conversations");
    EXPECT_EQ(code_of(a->remove("c1")), Errc::overloaded);
    EXPECT_EQ(code_of(commit(*a, event(2))), Errc::overloaded);
    const auto b = hub("b");
    const auto claimed = b->claim("c1");
    ASSERT_FALSE(claimed);
    EXPECT_EQ(claimed.error().code, Errc::overloaded) << claimed.error().message;
    accept();
    EXPECT_TRUE(a->remove("c1"));
  }
}

TEST_F(Refusal, OfAConnectionFailsACommitLikeTheOthers) {
  refusal_patience = 0s;
  do_sql("CREATE ROLE guest LOGIN CONNECTION LIMIT 0");
  std::string as_guest = address;
  as_guest.replace(as_guest.find("//") + 2, as_guest.find('@') - as_guest.find("//") - 2, "guest");
  Committer guest({.connect = {.address = as_guest}, .hub = "a", .alive = [] { return true; }, .refusal_patience = 0s},
                  interrupt);
  const auto refused = commit(guest, first());
  do_sql("DROP ROLE guest");
  EXPECT_EQ(code_of(refused), Errc::overloaded);
  EXPECT_THAT(refused.error().message,
              testing::AllOf(HasSubstr("connections of the database server are in use"), HasSubstr("(53300)")));
  EXPECT_THAT(refused.error().message, testing::Not(HasSubstr("LOCATION")));
}

// After a lost reply the committer reads the row before a refusal of the second attempt becomes the outcome.
TEST_F(Refusal, AfterALostReplyReportsTheCommitsOutcome) {
  const auto through = std::make_unique<CuttingProxy>(postgres().port());
  do_sql("INSERT INTO hubs VALUES('a', 't', clock_timestamp() + interval '1 hour', false)");
  Committer a({.connect = {.address = through->address(address.substr(address.rfind('/') + 1))},
               .hub = "a",
               .alive = [] { return true; },
               .refusal_patience = 0s},
              interrupt);
  ASSERT_TRUE(commit(a, first()));
  // The second commit passes, its reply is cut, and the server refuses every later attempt.
  refuse("53100", "BEFORE UPDATE ON conversations", "(SELECT max(revision) FROM conversations) >= 2");
  through->cut_reply_after(6);
  EXPECT_TRUE(commit(a, event(2)));
  EXPECT_EQ(through->cuts(), 1);
  EXPECT_EQ(one("SELECT count(*) || ' ' || max(revision) FROM events, conversations"), "2 2");
  EXPECT_EQ(code_of(commit(a, event(3))), Errc::overloaded);
  accept();
  EXPECT_TRUE(commit(a, event(3)));
}

}  // namespace
}  // namespace parlance::store::test
