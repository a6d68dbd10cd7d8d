// SPDX-License-Identifier: Apache-2.0
// The memory on PostgreSQL with a real server: as all memories have to be, each person's by itself, the same hits as in a file, several programs at once.
#include <random>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

#include "parlance/memory/builtin_embedder.h"
#include "parlance/pg/connection.h"
#include "parlance/store/memory/memory_sqlite.h"
#include "parlance/store/memory/test_memory_suite.h"
#include "parlance/store/test_folder.h"
#include "tests/memory/evaluation.h"
#include "tests/postgres/memory_at.h"
#include "tests/postgres/server.h"

namespace parlance::store::test {
namespace {

using namespace std::chrono_literals;
using parlance::test::postgres;
using parlance::test::PostgresServer;
using testing::HasSubstr;

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

TEST_F(SharedMemory, MemoriesOfOtherUsersAreNotFound) {
  const std::string mine = here->put({.text = "the key lies under the blue pot"}).id;
  const std::string adas =
      here->put({.text = "the key lies in the cellar", .source = {.kind = "agent", .conversation = "c1"}}, "u_ada").id;
  here->put({.text = "密码在保险箱里"}, "u_ada");
  EXPECT_THAT(here->found({.text = "where does the key lie", .min_score = 0.3}), ElementsAre("the key lies under the blue pot"));
  EXPECT_THAT(here->found({.text = "where does the key lie", .min_score = 0.3}, "u_ada"),
              ElementsAre("the key lies in the cellar"));
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

// Searches by words without vectors too, with only the index of words.
TEST_F(SharedMemory, NorByWordsAloneNorThroughLaterVectors) {
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
  // People's memories and subjects, in English and Chinese, including common words. Excluded are intended differences. With
  // accents, Zurich finds Zürich here by its word alone, in a file by its vector. For pairs of ideographs in more than
  // limits::memory_candidates texts, the newest come first here, in a file any.
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
    const char* const what[] = {"the blue ladder", "the server of the club", "an old editor", "the password hint", "新的颜色",
                                "备份的钥匙"};
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
    for (const memory::Hit& hit : hits)
      all.push_back(hit.entry.id + ' ' + hit.matched + ' ' + std::to_string(hit.score) + ' ' + hit.entry.text);
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

// They create the tables simultaneously, too.
TEST_F(SharedMemory, ConcurrentWritersLoseNoTextAndKeepEachOnce) {
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
  EXPECT_EQ(one("SELECT count(*) FROM memory_users AS u WHERE last_change <> (SELECT max(change) FROM memory_changes AS c WHERE "
                "c.user_id = u.user_id)"),
            "0");
  EXPECT_EQ(one("SELECT count(*) FROM memory_exact"), one("SELECT count(*) FROM memories"));
}

// A program's cached index of words follows other programs' changes: it finds the same as a newly started program. Words are in
// fewer and in more texts than a search reads.
TEST_F(SharedMemory, TheCachedWordIndexEqualsTheDatabase) {
  embedder.failure = "away";
  std::mt19937 random(7);
  const char* const words[] = {"server", "backup", "printer", "主题", "数据库", "invoice", "go", "editor", "café"};
  const auto text = [&] {
    std::string made = "note " + std::to_string(random() % 100'000);
    for (int i = 0; i < 3; ++i) made += std::string(" ") + words[random() % std::size(words)];
    return made;
  };
  std::vector<std::string> ids;
  const auto add = [&](std::size_t count) {
    std::vector<memory::NewEntry> entries;
    for (std::size_t i = 0; i < count; ++i) entries.push_back({.text = text(), .category = static_cast<Category>(random() % 5)});
    for (const memory::Put& put : there->put_all(std::move(entries))) ids.push_back(put.id);
  };
  add(300);
  std::size_t found = 0;
  for (int round = 0; round < 12; ++round) {
    add(round == 6 ? 100 : 3);  // an import is too much to follow
    for (int i = 0; i < 5; ++i) there->forget({.id = ids[random() % ids.size()]});
    const auto fresh = program();
    for (int i = 0; i < 8; ++i) {
      memory::Query query{.text = std::string(words[random() % std::size(words)]) + " " + words[random() % std::size(words)],
                          .limit = 100};
      if (i % 4 == 3) query.category = static_cast<Category>(random() % 5);
      const Texts kept = here->found(query);
      EXPECT_EQ(kept, fresh->found(query)) << query.text << ", round " << round;
      found += kept.size();
    }
  }
  EXPECT_GT(found, 500U) << "or nothing was compared";
}

TEST_F(SharedMemory, AProgramFarBehindReloads) {
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

// Another database under the same address, like after the restore of an old copy.
TEST_F(SharedMemory, AnEmptiedDatabaseIsFilledAgain) {
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

}  // namespace
}  // namespace parlance::store::test
