// SPDX-License-Identifier: Apache-2.0
// Caches of a program while others write and delete: rows, exact vectors, the vector index, cached word lookups. Results equal
// those of a new program.
#include <random>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>

#include "parlance/memory/builtin_embedder.h"
#include "parlance/store/memory/memory_file.h"
#include "parlance/store/test_folder.h"

namespace parlance::store {
namespace {

using memory::Category;
using testing::ElementsAre;
using testing::IsEmpty;

Embedded embedded(std::string_view text, std::string id = std::string(memory::builtin_embedder_id)) {
  return {.embedder = {.id = std::move(id), .dimension = memory::builtin_dimension, .calibration = memory::builtin_calibration()},
          .vectors = {memory::embed_text(text)}};
}

enum class Vectors { with, without };

// A separate program from the view of the database.
struct Program {
  explicit Program(const std::string& folder) : file(folder) {}
  std::string put(const std::string& text, Vectors vectors = Vectors::with, Category category = Category::fact) {
    const auto puts = file.put({{.text = text, .category = category}}, vectors == Vectors::with ? embedded(text) : Embedded{});
    PARLANCE_CHECK(puts, "a memory that is taken");
    return puts->front().id;
  }
  void forget(const std::string& id) { PARLANCE_CHECK(file.forget({.id = id}).value_or(0) == 1, "a memory that was there"); }
  std::vector<memory::Hit> hits(const memory::Query& query, Vectors vectors = Vectors::with) {
    auto found = file.search(query, vectors == Vectors::with ? embedded(query.text) : Embedded{});
    PARLANCE_CHECK(found, "a search that works");
    return *std::move(found);
  }
  std::vector<std::string> found(std::string query, Vectors vectors = Vectors::with) {
    std::vector<std::string> texts;
    for (const memory::Hit& hit : hits({.text = std::move(query)}, vectors)) texts.push_back(hit.entry.text);
    return texts;
  }
  MemoryFile file;
};

class MemorySharing : public testing::Test {
 protected:
  void execute(const std::string& sql) const {
    auto db = *sqlite::Database::open(folder.path() + "/memory.db");
    ASSERT_TRUE(db->execute(sql)) << sql;
  }
  std::int64_t number_of(const std::string& id) const {
    auto db = *sqlite::Database::open(folder.path() + "/memory.db");
    auto row = *db->query("SELECT number FROM memories WHERE id=?1");
    row.bind(id);
    return *row.step() ? row.integer(0) : 0;
  }

  TestFolder folder;
  Program here{folder.path()};
  Program there{folder.path()};
};

TEST_F(MemorySharing, ReusedNumberReturnsTheNewMemory) {
  for (const Vectors vectors : {Vectors::with, Vectors::without}) {
    const std::string first = there.put("the printer of Brauer stands in the cellar", vectors);
    EXPECT_THAT(here.found("printer Brauer cellar", vectors), ElementsAre("the printer of Brauer stands in the cellar"));
    const std::int64_t number = number_of(first);
    there.forget(first);
    const std::string second = there.put("green tea is drunk in Kyoto", vectors);
    ASSERT_EQ(number_of(second), number) << "the number has passed on";
    EXPECT_THAT(here.found("printer Brauer cellar", vectors), IsEmpty());
    EXPECT_THAT(here.found("green tea Kyoto", vectors), ElementsAre("green tea is drunk in Kyoto"));
    there.forget(second);
    EXPECT_THAT(here.found("green tea Kyoto", vectors), IsEmpty());
    const std::string third = there.put("invoices are paid on Fridays", vectors);
    ASSERT_EQ(number_of(third), number);
    EXPECT_THAT(here.found("invoices Fridays", vectors), ElementsAre("invoices are paid on Fridays"));
    here.forget(third);
    EXPECT_THAT(here.found("invoices Fridays", vectors), IsEmpty()) << "its own writes count as well";
  }
}

TEST_F(MemorySharing, CachesAreClearedBehindTheLogOfChanges) {
  const std::string first = there.put("the printer of Brauer stands in the cellar");
  EXPECT_THAT(here.found("printer Brauer cellar"), ElementsAre("the printer of Brauer stands in the cellar"));
  there.forget(first);
  ASSERT_EQ(number_of(there.put("green tea is drunk in Kyoto")), 1);
  for (const char* const cut : {"UPDATE memory_changes SET change=change+1000", "DELETE FROM memory_changes"}) {
    execute(cut);
    EXPECT_THAT(here.found("printer Brauer cellar"), IsEmpty()) << cut;
    EXPECT_THAT(here.found("green tea Kyoto"), ElementsAre("green tea is drunk in Kyoto")) << cut;
  }
}

TEST_F(MemorySharing, ATrueOtherProcessIsSeenToo) {
  const std::string first = here.put("the printer of Brauer stands in the cellar");
  EXPECT_THAT(here.found("printer Brauer cellar"), ElementsAre("the printer of Brauer stands in the cellar"));
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Program other(folder.path());
    other.forget(first);
    other.put("green tea is drunk in Kyoto");
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  EXPECT_THAT(here.found("printer Brauer cellar"), IsEmpty());
  EXPECT_THAT(here.found("green tea Kyoto"), ElementsAre("green tea is drunk in Kyoto"));
}

TEST_F(MemorySharing, FailedVectorLoadIsRepeatedByTheNextSearch) {
  there.put("quarterly budget of the team");
  execute("ALTER TABLE vectors RENAME TO elsewhere");
  EXPECT_FALSE(here.file.search({.text = "quarterly budget"}, embedded("quarterly budget")));
  execute("ALTER TABLE elsewhere RENAME TO vectors");
  const auto hits = here.hits({.text = "team budget each quarter", .min_score = 0.1});
  ASSERT_EQ(hits.size(), 1U);
  EXPECT_NE(hits.front().matched, "keyword");
}

TEST_F(MemorySharing, RolledBackPutMixesNoVectorsOfEmbedders) {
  EXPECT_THAT(here.found("anything"), IsEmpty());
  execute("CREATE TRIGGER no BEFORE INSERT ON memory_changes BEGIN SELECT RAISE(ABORT, 'no'); END");
  EXPECT_FALSE(here.file.put({{.text = "one"}}, embedded("one"))) << "its embedder had got the first number by then";
  execute("DROP TRIGGER no");
  ASSERT_TRUE(there.file.put({{.text = "green tea is drunk in Kyoto"}}, embedded("green tea is drunk in Kyoto", "other/384")));
  const auto hits = here.hits({.text = "green tea is drunk in Kyoto"});
  ASSERT_EQ(hits.size(), 1U);
  EXPECT_EQ(hits.front().matched, "keyword");
}

TEST_F(MemorySharing, CachesStayWithinTheirBytes) {
  std::string padding;
  for (int i = 0; padding.size() < 30'000; ++i) padding += " w" + std::to_string(i);
  std::vector<memory::NewEntry> entries;
  for (char c = 'a'; c <= 'z'; ++c)
    for (char d = 'a'; d <= 'd'; ++d) entries.push_back({.text = "quux" + std::string(3, c) + std::string(3, d) + padding});
  ASSERT_TRUE(here.file.put(entries));
  std::size_t most = 0;
  for (const memory::NewEntry& entry : entries) {
    ASSERT_EQ(here.found(entry.text.substr(0, 10), Vectors::without).size(), 1U);
    most = std::max(most, here.file.kept_bytes());
  }
  EXPECT_GT(most, MemoryRows::most_bytes / 2) << "or nothing was kept";
  EXPECT_LT(most, MemoryRows::most_bytes * 5 / 4) << "what one search reads may be too much until the next";
}

// Two programs write, delete and search in turns, and a third program without caches gives the expected results.
class MemorySharingBySeed : public MemorySharing, public testing::WithParamInterface<unsigned> {
 protected:
  std::string one_of(std::vector<std::string> words) { return words[random() % words.size()]; }
  std::string text() {
    return one_of({"the server", "Maria", "用户", "our team"}) + " " + one_of({"needs", "uses", "喜欢", "moved to"}) + " " +
           one_of({"a backup", "green tea", "深色主题", "port 5432"}) + " " + one_of({"Kyoto", "Brauer", "Lima", "zeta"});
  }
  void expect_right(const memory::Query& query, Vectors vectors) {
    const auto right = Program(folder.path()).hits(query, vectors);
    for (Program* const program : {&here, &there}) {
      const auto hits = program->hits(query, vectors);
      ASSERT_EQ(hits.size(), right.size()) << query.text;
      for (std::size_t i = 0; i < hits.size(); ++i) {
        EXPECT_EQ(hits[i].entry, right[i].entry) << query.text;
        EXPECT_EQ(hits[i].score, right[i].score) << query.text;
      }
      found += hits.size();
    }
  }
  std::mt19937 random{GetParam()};
  std::size_t found = 0;
};

INSTANTIATE_TEST_SUITE_P(Seeds, MemorySharingBySeed, testing::Range(1U, 5U));

TEST_P(MemorySharingBySeed, TwoProgramsFindTheSameAsANewProgram) {
  std::vector<std::string> ids;
  // Enough memories for frequent words with cached lists.
  std::vector<memory::NewEntry> many;
  for (int i = 0; i < 150; ++i) many.push_back({.text = text() + " " + std::to_string(i)});
  ASSERT_TRUE(here.file.put(many));
  for (int step = 0; step < 120; ++step) {
    Program& writer = random() % 2 == 0 ? here : there;
    if (!ids.empty() && random() % 2 == 0) {
      const std::size_t gone =
          random() % 3 == 0 ? random() % ids.size() : ids.size() - 1;  // mostly the last, so a new memory reuses its number
      writer.forget(ids[gone]);
      ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(gone));
    } else {
      ids.push_back(writer.put(text() + " s" + std::to_string(step), random() % 4 == 0 ? Vectors::without : Vectors::with,
                               static_cast<Category>(random() % 5)));
    }
    if (step % 3 != 0) continue;
    memory::Query query{.text = text(), .limit = random() % 2 == 0 ? 5U : 40U, .min_score = random() % 2 == 0 ? 0.7 : 0.4};
    if (random() % 4 == 0) query.category = static_cast<Category>(random() % 5);
    expect_right(query, random() % 4 == 0 ? Vectors::without : Vectors::with);
  }
  EXPECT_GT(found, 200U) << "or nothing was compared";
}

}  // namespace
}  // namespace parlance::store
