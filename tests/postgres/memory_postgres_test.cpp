// The memory on PostgreSQL with a real server: as all memories have to be, each person's by itself, the same hits as in a file, several programs at once,
// and a server that goes away and comes back.
#include "parlance/store/memory_pg/memory_postgres.h"

#include <set>
#include <sys/wait.h>
#include <unistd.h>

#include "parlance/memory/builtin_embedder.h"
#include "parlance/pg/connection.h"
#include "parlance/store/memory/memory_sqlite.h"
#include "parlance/store/memory/test_memory_suite.h"
#include "parlance/store/test_folder.h"
#include "tests/memory/evaluation.h"
#include "tests/postgres/server.h"

namespace parlance::store::test {
namespace {

using namespace std::chrono_literals;
using parlance::test::postgres;
using parlance::test::PostgresServer;
using testing::HasSubstr;

std::unique_ptr<MemoryOnWorker> open_at(const std::string& address, Loop& loop, memory::Embedder& embedder) {
  return std::make_unique<MemoryPostgres>(loop, MemoryPostgresSettings{.address = address, .silence = 2s}, embedder);
}

struct InPostgres {
  static std::string unavailable() {
    const std::string why = PostgresServer::missing();
    if (!why.empty() && std::getenv("CI") != nullptr) ADD_FAILURE() << why;
    return why;
  }
  std::unique_ptr<MemoryOnWorker> open(Loop& loop, memory::Embedder& embedder) { return open_at(address, loop, embedder); }
  std::string address = postgres().new_database();
};

INSTANTIATE_TYPED_TEST_SUITE_P(Postgres, MemorySuite, InPostgres);

class SharedMemory : public testing::Test {
 protected:
  void SetUp() override {
    PARLANCE_NEEDS_POSTGRES();
    address = postgres().new_database();
    here = program();
    there = program();
  }
  std::unique_ptr<Program> program() { return std::make_unique<Program>(loop, open_at(address, loop, embedder)); }
  std::string one(const std::string& sql) {
    auto connection = pg::Connection::open({.address = address, .silence = 1min}, interrupt);
    const auto rows = (*connection)->run({.sql = sql});
    return !rows ? rows.error().message : rows->empty() ? "(none)" : std::string(rows->text(0, 0));
  }

  Loop loop;
  WordEmbedder embedder;
  pg::Interrupt interrupt;
  std::string address;
  std::unique_ptr<Program> here;
  std::unique_ptr<Program> there;
};

// ---- people --------------------------------------------------------------------------------------------------------------

TEST_F(SharedMemory, NobodyFindsAnothersMemories) {
  const std::string mine = here->put({.text = "the key lies under the blue pot"}).id;
  const std::string adas = here->put({.text = "the key lies in the cellar", .source = {.kind = "agent", .conversation = "c1"}}, "u_ada").id;
  here->put({.text = "密码在保险箱里"}, "u_ada");
  EXPECT_THAT(here->found({.text = "where does the key lie", .min_score = 0.3}), ElementsAre("the key lies under the blue pot"));
  EXPECT_THAT(here->found({.text = "where does the key lie", .min_score = 0.3}, "u_ada"), ElementsAre("the key lies in the cellar"));
  EXPECT_THAT(here->found({.text = "密码", .min_score = 0.1}), IsEmpty());
  EXPECT_THAT(here->found({.text = "the key", .min_score = 0.01}, "u_bob"), IsEmpty());
  EXPECT_THAT(here->listed({}, "u_bob"), IsEmpty());
  EXPECT_THAT(here->listed(), ElementsAre("the key lies under the blue pot"));
  EXPECT_THAT(here->listed({.conversation = "c1"}), IsEmpty());
  EXPECT_EQ(loop.block_on(here->store->get("u_ada", mine)).error().code, Errc::not_found);
  EXPECT_EQ(loop.block_on(here->store->get("", adas)).error().code, Errc::not_found);
  EXPECT_EQ(loop.block_on(here->store->list("u_bob", {.before = adas})).error().code, Errc::not_found);
  EXPECT_EQ(here->forget({.id = adas}), 0U);
  EXPECT_EQ(here->forget({.conversation = "c1"}, "u_bob"), 0U);
  EXPECT_EQ(here->stats("u_ada").entries, 2U);
  EXPECT_EQ(here->stats("u_ada").embedded, 2U);
  EXPECT_EQ(here->stats("u_bob").entries, 0U);
}

// Words are looked for without vectors as well, where the index of words is all there is.
TEST_F(SharedMemory, NorByWordsAloneNorThroughVectorsThatCameLater) {
  embedder.failure = "away";
  here->put({.text = "alpha beta gamma"}, "u_ada");
  here->put({.text = "alpha beta delta"}, "u_bob");
  EXPECT_THAT(here->found({.text = "alpha beta", .min_score = 0.1}, "u_bob"), ElementsAre("alpha beta delta"));
  embedder.failure = "";
  there->embed_all();
  EXPECT_THAT(there->found({.text = "alpha beta", .min_score = 0.1}, "u_ada"), ElementsAre("alpha beta gamma"));
  EXPECT_THAT(there->matched, ElementsAre("both"));
  EXPECT_EQ(there->stats("u_bob").embedded, 1U);
}

TEST_F(SharedMemory, TwoPeopleMayKeepTheSameTextAndTheSameId) {
  const memory::NewEntry entry{.text = "We deploy on Tuesdays", .id = "mem_1"};
  EXPECT_FALSE(here->put(entry, "u_ada").duplicate);
  EXPECT_FALSE(here->put(entry, "u_bob").duplicate);
  EXPECT_EQ(here->forget({.id = "mem_1"}, "u_ada"), 1U);
  EXPECT_THAT(here->found({.text = "deploy on Tuesdays"}, "u_bob"), ElementsAre("We deploy on Tuesdays"));
}

TEST_F(SharedMemory, OfMorePeopleThanAProcessKeepsEachFindsTheirOwn) {
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 40; ++i) {
      const std::string user = "u_" + std::to_string(i);
      const std::string text = "the favourite number of " + user + " is " + std::to_string(i * 7);
      EXPECT_EQ(here->put({.text = text}, user).duplicate, round == 1);
      EXPECT_THAT(here->found({.text = "favourite number", .min_score = 0.3}, user), ElementsAre(text));
    }
}

// ---- as in a file --------------------------------------------------------------------------------------------------------

class AsInAFile : public SharedMemory, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    SharedMemory::SetUp();
    if (IsSkipped()) return;
    address = postgres().new_database_in(GetParam());
    for (const char* name : {"dev", "heldout"}) {
      auto some = parlance::test::read_pairs(std::string(PARLANCE_SOURCE_DIR) + "/tests/memory/pairs." + name + ".jsonl");
      ASSERT_TRUE(some);
      pairs.insert(pairs.end(), some->begin(), some->end());
    }
  }
  // What people remember and talk about, in English and Chinese, among others with the words that everybody uses. Left out is where the two differ on
  // purpose: with accents (here Zurich finds Zürich by its word alone, in a file by its vector), and pairs of ideographs in more than
  // limits::memory_candidates texts (here the newest of these come first, in a file any).
  std::vector<memory::NewEntry> entries() const {
    std::vector<memory::NewEntry> all;
    std::set<std::string> seen;
    const auto add = [&](std::string text) {
      const std::size_t i = all.size();
      all.push_back({.text = std::move(text),
                     .category = static_cast<Category>(i % 5),
                     .importance = static_cast<double>(i % 11) / 10,
                     .id = "mem_" + std::to_string(10'000 + i),
                     .created_at = "2026-01-01T00:00:00.000Z"});
    };
    for (const auto& pair : pairs)
      if (!pair.text.contains('\xc3') && seen.insert(pair.text).second) add(pair.text);
    const char* const who[] = {"Ingrid", "the night shift", "Mr. Haddad", "our supplier", "小陈", "物业"};
    const char* const does[] = {"asked for", "lost", "repaired", "写下了", "安排了"};
    const char* const what[] = {"the blue ladder", "the server of the club", "an old editor", "the password hint", "新的颜色", "备份的钥匙"};
    for (int i = 0; i < 300; ++i)
      add(std::string(who[i % 6]) + ' ' + does[i / 6 % 5] + ' ' + what[i / 30 % 6] + ", note " + std::to_string(i));
    return all;
  }
  std::size_t compare(Program& shared, Program& file) {
    std::size_t hits = 0;
    std::set<std::string> asked;
    for (const auto& pair : pairs) {
      if (!asked.insert(pair.query).second) continue;
      for (const double least : {0.7, 0.3}) {
        memory::Query query{.text = pair.query, .limit = 10, .min_score = least};
        if (asked.size() % 7 == 0) query.category = static_cast<Category>(asked.size() % 5);
        const auto here = loop.block_on(shared.store->search("", query));
        const auto there = loop.block_on(file.store->search("", query));
        EXPECT_TRUE(here && there);
        if (!here || !there) return hits;
        hits += here->size();
        EXPECT_EQ(shown(*here), shown(*there)) << pair.query << ", at least " << least;
      }
    }
    return hits;
  }
  static Texts shown(const std::vector<memory::Hit>& hits) {
    Texts all;
    for (const memory::Hit& hit : hits) all.push_back(hit.entry.id + ' ' + hit.matched + ' ' + std::to_string(hit.score) + ' ' + hit.entry.text);
    return all;
  }
  std::vector<parlance::test::LabelledPair> pairs;
};

INSTANTIATE_TEST_SUITE_P(Locales, AsInAFile, testing::Values("C", "C.UTF-8"));

// The same content, the same questions: the same hits in the same order with the same scores, whatever the locale of the database.
TEST_P(AsInAFile, TheSameIsFoundInTheSameOrder) {
  memory::BuiltinEmbedder builtin;
  TestFolder folder;
  Program shared(loop, open_at(address, loop, builtin));
  Program file(loop, std::make_unique<MemorySqlite>(loop, folder.path(), builtin));
  ASSERT_FALSE(shared.put_all(entries()).empty());
  ASSERT_FALSE(file.put_all(entries()).empty());
  EXPECT_GT(compare(shared, file), 500U) << "or nothing was compared";
}

TEST_P(AsInAFile, ByWordsAloneAsWell) {
  embedder.failure = "away";
  TestFolder folder;
  Program shared(loop, open_at(address, loop, embedder));
  Program file(loop, std::make_unique<MemorySqlite>(loop, folder.path(), embedder));
  ASSERT_FALSE(shared.put_all(entries()).empty());
  ASSERT_FALSE(file.put_all(entries()).empty());
  EXPECT_GT(compare(shared, file), 300U) << "or nothing was compared";
}

// ---- several programs ----------------------------------------------------------------------------------------------------

TEST_F(SharedMemory, ATrueOtherProcessIsSeenAtTheNextSearch) {
  const std::string first = here->put({.text = "the printer of Brauer stands in the cellar"}).id;
  EXPECT_THAT(here->found("printer Brauer"), ElementsAre("the printer of Brauer stands in the cellar"));
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Loop own;
    WordEmbedder words;
    Program other(own, open_at(address, own, words));
    const bool gone = other.forget({.id = first}) == 1;
    other.put({.text = "green tea is drunk in Kyoto"});
    ::_exit(gone ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  EXPECT_THAT(here->found("printer Brauer"), IsEmpty());
  EXPECT_THAT(here->found("green tea"), ElementsAre("green tea is drunk in Kyoto"));
  EXPECT_THAT(here->matched, ElementsAre("both")) << "its vector came along";
}

// They make the tables at once, too.
TEST_F(SharedMemory, ManyWritersAtOnceLoseNothingAndKeepEachTextOnce) {
  constexpr int writers = 5;
  constexpr int each = 60;
  std::vector<pid_t> children;
  for (int writer = 0; writer < writers; ++writer) {
    const pid_t child = ::fork();
    if (child == 0) {
      Loop own;
      WordEmbedder words;
      Program mine(own, open_at(address, own, words));
      for (int i = 0; i < each; ++i) {
        const auto puts = mine.put_all({{.text = "writer " + std::to_string(writer) + " note " + std::to_string(i)},
                                        {.text = "common note " + std::to_string(i)}},
                                       i % 2 == 0 ? "" : "u_ada");
        if (puts.size() != 2) ::_exit(1);
      }
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(here->stats().entries + here->stats("u_ada").entries, static_cast<std::uint64_t>(writers * each + each));
  EXPECT_EQ(here->stats().embedded, here->stats().entries);
  EXPECT_EQ(here->found("writer 3 note 58").at(0), "writer 3 note 58");
  EXPECT_EQ(one("SELECT count(*) FROM memory_users AS u WHERE last_change <> (SELECT max(change) FROM memory_changes AS c WHERE c.user_id = u.user_id)"),
            "0");
  EXPECT_EQ(one("SELECT count(*) FROM memory_exact"), one("SELECT count(*) FROM memories"));
}

TEST_F(SharedMemory, WhoFellFarBehindLoadsAnew) {
  here->put({.text = "quarterly budget of the team"});
  EXPECT_THAT(there->found("quarterly budget"), ElementsAre("quarterly budget of the team"));
  const std::string id = here->put({.text = "green tea is drunk in Kyoto"}).id;
  here->forget({.id = id});
  here->put({.text = "invoices are paid on Fridays"});
  one("DELETE FROM memory_changes WHERE change < (SELECT max(change) FROM memory_changes)");
  EXPECT_THAT(there->found("invoices Fridays"), ElementsAre("invoices are paid on Fridays"));
  EXPECT_THAT(there->matched, ElementsAre("both"));
  EXPECT_THAT(there->found("green tea"), IsEmpty());
}

// Another database under the same address, as after somebody put back an old copy.
TEST_F(SharedMemory, ADatabaseThatWasEmptiedIsFilledAgain) {
  here->put({.text = "quarterly budget of the team"}, "u_ada");
  EXPECT_THAT(here->found({.text = "quarterly budget"}, "u_ada"), ElementsAre("quarterly budget of the team"));
  one("TRUNCATE memories, memory_users, memory_vectors, memory_exact, memory_changes");
  EXPECT_THAT(here->found({.text = "quarterly budget"}, "u_ada"), IsEmpty());
  here->put({.text = "green tea is drunk in Kyoto"}, "u_ada");
  EXPECT_THAT(here->found({.text = "green tea"}, "u_ada"), ElementsAre("green tea is drunk in Kyoto"));
}

TEST_F(SharedMemory, ANewerParlancesTablesAreLeftAlone) {
  here->put({.text = "quarterly budget of the team"});
  one("UPDATE memory_schema SET version = 9, least_reader = 9");
  const auto newer = program();
  const auto refused = loop.block_on(newer->store->search("", {.text = "budget"}));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("a newer parlance made this database (schema 9"));
}

// ---- a server that goes away ---------------------------------------------------------------------------------------------

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

TEST_F(MemoryServerAway, IsToldAtOnceAndWorksAgainWhenItIsBack) {
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

// What was told stored before the server died is there; nothing is there twice.
TEST_F(MemoryServerAway, NothingThatWasToldStoredIsLostWhenItIsKilled) {
  std::set<std::string> told;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 20; ++i) {
      const std::string text = "note " + std::to_string(round) + " " + std::to_string(i);
      if (const auto put = loop.block_on(here->store->put("", {{.text = text}}))) told.insert(text);
      if (i == 10) server->stop_immediately();
    }
    server->start();
    for (int tries = 0; tries < 100 && !loop.block_on(here->store->stats("")); ++tries) loop.run_for(50ms);
  }
  const Texts listed = here->listed({.limit = 200});
  const std::set<std::string> there(listed.begin(), listed.end());
  EXPECT_EQ(there.size(), listed.size());
  EXPECT_GE(told.size(), 33U);
  for (const std::string& text : told) EXPECT_TRUE(there.contains(text)) << text;
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
