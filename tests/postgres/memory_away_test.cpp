// SPDX-License-Identifier: Apache-2.0
// The memory on a PostgreSQL server that goes away and returns.
#include <set>

#include "parlance/store/memory/test_memory_suite.h"
#include "tests/postgres/memory_at.h"
#include "tests/postgres/server.h"

namespace parlance::store::test {
namespace {

using namespace std::chrono_literals;
using parlance::test::PostgresServer;
using testing::HasSubstr;

class MemoryServerAway : public testing::Test {
 protected:
  void SetUp() override {
    PARLANCE_NEEDS_POSTGRES();
    server = std::make_unique<PostgresServer>();
    address = server->new_database();
    here = std::make_unique<Program>(loop, open_at(address, loop, embedder));
  }
  Loop loop;
  WordEmbedder embedder;
  std::unique_ptr<PostgresServer> server;
  std::string address;
  std::unique_ptr<Program> here;
};

TEST_F(MemoryServerAway, IsReportedAtOnceAndWorksAgainAfterTheReturn) {
  here->put({.text = "quarterly budget of the team"});
  EXPECT_THAT(here->found("quarterly budget"), ElementsAre("quarterly budget of the team"));
  server->stop_immediately();
  for (int i = 0; i < 20; ++i) {
    const auto before = loop.now();
    const auto away = loop.block_on(here->store->search("", {.text = "quarterly budget"}));
    ASSERT_FALSE(away);
    EXPECT_EQ(away.error().code, Errc::disconnected);
    EXPECT_THAT(away.error().message, HasSubstr("the memory: PostgreSQL:"));
    EXPECT_THAT(away.error().message, HasSubstr("parlance doctor"));
    EXPECT_LT(loop.now() - before, 2s);
  }
  EXPECT_EQ(here->refusal({.text = "nowhere to keep it"}), Errc::disconnected);
  server->start();
  for (int tries = 0; tries < 100 && !loop.block_on(here->store->stats("")); ++tries) loop.run_for(50ms);
  EXPECT_THAT(here->found("quarterly budget"), ElementsAre("quarterly budget of the team"));
  here->put({.text = "green tea is drunk in Kyoto"});
  EXPECT_THAT(here->found("green tea"), ElementsAre("green tea is drunk in Kyoto"));
}

// Memories confirmed before the server's death exist; no memory exists twice.
TEST_F(MemoryServerAway, NoAcknowledgedMemoryIsLostAfterAKill) {
  std::set<std::string> acknowledged;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 20; ++i) {
      const std::string text = "note " + std::to_string(round) + " " + std::to_string(i);
      if (const auto put = loop.block_on(here->store->put("", {{.text = text}}))) acknowledged.insert(text);
      if (i == 10) server->stop_immediately();
    }
    server->start();
    for (int tries = 0; tries < 100 && !loop.block_on(here->store->stats("")); ++tries) loop.run_for(50ms);
  }
  const Texts listed = here->listed({.limit = 200});
  const std::set<std::string> there(listed.begin(), listed.end());
  EXPECT_EQ(there.size(), listed.size());
  EXPECT_GE(acknowledged.size(), 33U);
  for (const std::string& text : acknowledged) EXPECT_TRUE(there.contains(text)) << text;
}

TEST(MemoryPostgres, AnAddressWithoutAServerIsAnErrorAndNothingWaitsAtTheEnd) {
  PARLANCE_NEEDS_POSTGRES();
  Loop loop;
  WordEmbedder embedder;
  const auto begin = Clock::now();
  {
    Program nowhere(loop, open_at("postgresql://a:geheim@127.0.0.1:1/db", loop, embedder));
    const auto away = loop.block_on(nowhere.store->list("", {}));
    ASSERT_FALSE(away);
    EXPECT_EQ(away.error().code, Errc::disconnected);
    EXPECT_THAT(away.error().message, testing::Not(HasSubstr("geheim")));
  }
  EXPECT_LT(Clock::now() - begin, 5s);
}

}  // namespace
}  // namespace parlance::store::test
