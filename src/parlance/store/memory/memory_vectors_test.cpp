// SPDX-License-Identifier: Apache-2.0
// Vectors and words: the source of each result, changes by other processes, failure and exchange of the embedder.
#include <filesystem>

#include <gmock/gmock.h>

#include "parlance/store/memory/memory_file.h"
#include "parlance/store/memory/memory_sqlite.h"
#include "parlance/store/memory/test_embedder.h"
#include "parlance/store/test_folder.h"

// hnswlib's row locks have no order (memory/vector/approximate_index_test.cpp explains why this is safe).
extern "C" const char* __tsan_default_options() { return "detect_deadlocks=0"; }

namespace parlance::store {
namespace {

using memory::Category;
using testing::ElementsAre;
using testing::IsEmpty;

class MemoryVectorsTest : public testing::Test {
 protected:
  // A separate program from the view of the database.
  struct Process {
    Process(Loop& on, const std::string& folder, memory::Embedder& embedder) : loop(on), store(on, folder, embedder) {}
    std::vector<memory::Put> put(std::vector<std::string> texts) {
      std::vector<memory::NewEntry> entries;
      for (std::string& text : texts) entries.push_back({.text = std::move(text)});
      const auto puts = loop.block_on(store.put("", std::move(entries)));
      PARLANCE_CHECK(puts, "memories that are taken");
      return *puts;
    }
    std::vector<std::string> found(std::string query, double min_score = 0.7) {
      const auto hits = loop.block_on(store.search("", {.text = std::move(query), .min_score = min_score}));
      PARLANCE_CHECK(hits, "a search that works");
      std::vector<std::string> texts;
      matched.clear();
      for (const memory::Hit& hit : *hits) {
        texts.push_back(hit.entry.text);
        matched.push_back(hit.matched);
      }
      return texts;
    }
    memory::Stats stats() { return *loop.block_on(store.stats("")); }
    // Runs until the end of the background work.
    void embed_all() {
      bool done = false;
      store.embed_in_background([&](const EmbeddingProgress& progress) {
        seen.push_back(progress);
        done = !progress.running;
      });
      loop.run_until([&] { return done; });
    }
    Loop& loop;
    MemorySqlite store;
    std::vector<std::string> matched;
    std::vector<EmbeddingProgress> seen;
  };

  std::int64_t number(const std::string& sql) const {
    auto db = sqlite::Database::open(folder.path() + "/memory.db");
    auto row = *(*db)->query(sql);
    return *row.step() ? row.integer(0) : -1;
  }

  TestFolder folder;
  Loop loop;
  WordEmbedder words;
};

TEST_F(MemoryVectorsTest, VectorSearchFindsTextsWithoutSharedWords) {
  Process process(loop, folder.path(), words);
  process.put({"alpha beta gamma delta", "epsilon zeta"});
  // Cosine 1 in any order: same words for the embedder and for the keyword score.
  EXPECT_THAT(process.found("delta gamma beta alpha"), ElementsAre("alpha beta gamma delta"));
  EXPECT_THAT(process.matched, ElementsAre("both"));
  EXPECT_EQ(process.stats().embedded, 2U);
  EXPECT_EQ(process.stats().embedder, "words/64");
  EXPECT_GT(process.stats().index_bytes, 0U);
}

TEST_F(MemoryVectorsTest, OtherProcessesWritesAndDeletesAreSeenAtTheNextSearch) {
  Process process(loop, folder.path(), words);
  Process two(loop, folder.path(), words);
  const auto first = process.put({"alpha beta gamma"});
  EXPECT_THAT(two.found("gamma beta alpha"), ElementsAre("alpha beta gamma"));
  process.put({"delta epsilon"});
  EXPECT_THAT(two.found("epsilon delta"), ElementsAre("delta epsilon"));
  EXPECT_EQ(*loop.block_on(two.store.forget("", {.id = first.front().id})), 1U);
  EXPECT_THAT(process.found("gamma beta alpha"), IsEmpty());
  // A new memory reuses the last deleted number: the old vector must not apply.
  const auto gone = process.put({"zeta eta"});
  EXPECT_THAT(two.found("zeta eta"), ElementsAre("zeta eta"));
  EXPECT_EQ(*loop.block_on(process.store.forget("", {.id = gone.front().id})), 1U);
  process.put({"theta iota"});
  EXPECT_THAT(two.found("zeta eta", 0.3), IsEmpty());
  EXPECT_THAT(two.found("theta iota"), ElementsAre("theta iota"));
  EXPECT_EQ(number("SELECT count(*) FROM vectors"), 2);
  EXPECT_EQ(number("SELECT count(*) FROM exact_vectors"), 2);
}

TEST_F(MemoryVectorsTest, ProcessFarBehindReloads) {
  Process process(loop, folder.path(), words);
  Process two(loop, folder.path(), words);
  process.put({"alpha beta"});
  EXPECT_THAT(two.found("alpha beta"), ElementsAre("alpha beta"));
  process.put({"gamma delta"});
  {
    auto db = *sqlite::Database::open(folder.path() + "/memory.db");
    ASSERT_TRUE(db->execute("UPDATE memory_changes SET change=change+1000"));  // truncates the log
  }
  EXPECT_THAT(two.found("delta gamma"), ElementsAre("gamma delta"));
}

TEST_F(MemoryVectorsTest, SimilarMemoryIsReportedAndNotMerged) {
  Process process(loop, folder.path(), words);
  const auto puts = process.put({"the port of the database is five thousand and one", "cats"});
  EXPECT_THAT(puts[0].similar, IsEmpty());
  const auto near = process.put({"the port of the database is five thousand and two"});
  EXPECT_FALSE(near[0].duplicate);
  EXPECT_THAT(near[0].similar, ElementsAre(puts[0].id));
  const auto same = process.put({"The port of the database: is five thousand and TWO."});
  EXPECT_TRUE(same[0].duplicate);
  EXPECT_EQ(same[0].id, near[0].id);
  EXPECT_THAT(same[0].similar, IsEmpty());
}

TEST_F(MemoryVectorsTest, FailedEmbedderFallsBackToWordsAndRecovers) {
  words.failure = "no such host";
  Process process(loop, folder.path(), words);
  process.put({"alpha beta", "gamma delta"});
  EXPECT_THAT(process.found("alpha beta"), ElementsAre("alpha beta"));
  EXPECT_THAT(process.matched, ElementsAre("keyword"));
  EXPECT_EQ(process.stats().embedder, "");
  EXPECT_EQ(process.stats().embedder_trouble, "no such host");
  words.failure.clear();
  Process later(loop, folder.path(), words);
  EXPECT_EQ(later.stats().embedded, 0U);
  later.embed_all();
  EXPECT_EQ(later.stats().embedded, 2U);
  EXPECT_THAT(later.found("beta alpha"), ElementsAre("alpha beta"));
  EXPECT_THAT(later.matched, ElementsAre("both"));
}

TEST_F(MemoryVectorsTest, RejectedTextDoesNotBlockOtherVectors) {
  words.rejected = "poison";
  Process process(loop, folder.path(), words);
  process.put({"alpha beta"});
  process.put({"much poison here", "gamma delta"});
  EXPECT_EQ(process.stats().embedded, 1U) << "a batch goes in without vectors";
  EXPECT_EQ(process.stats().embedder_trouble, "") << "the embedder is well";
  process.embed_all();
  EXPECT_EQ(process.stats().embedded, 3U);
  EXPECT_THAT(process.found("much poison"), ElementsAre("much poison here"));
  EXPECT_THAT(process.matched, ElementsAre("keyword"));
}

TEST_F(MemoryVectorsTest, AnotherEmbedderGetsItsOwnVectorsAndTheOldOnesGo) {
  std::vector<std::string> texts;
  for (int i = 0; i < 699; ++i) texts.push_back("memory number " + std::to_string(i));
  texts.push_back("zebra crossing");
  Process old(loop, folder.path(), words);
  old.put(texts);
  old.embed_all();
  WordEmbedder others("others/32", 32);
  Process process(loop, folder.path(), others);
  EXPECT_EQ(process.stats().embedded, 0U);
  EXPECT_THAT(process.found("zebra crossing", 0.9), ElementsAre("zebra crossing"));
  EXPECT_THAT(process.matched, ElementsAre("keyword")) << "vectors of two embedders are never compared";
  process.embed_all();
  EXPECT_EQ(process.stats().embedded, 700U);
  EXPECT_EQ(others.embedded, 700U + 1U) << "each memory once, and the query";
  ASSERT_GE(process.seen.size(), 3U);
  EXPECT_TRUE(process.seen.front().running);
  EXPECT_EQ(process.seen.front().entries, 700U);
  EXPECT_EQ(process.seen.back().embedded, 700U);
  EXPECT_THAT(process.found("crossing zebra", 0.9), ElementsAre("zebra crossing"));
  EXPECT_THAT(process.matched, ElementsAre("both"));
  EXPECT_EQ(number("SELECT count(*) FROM embedders"), 1);
  EXPECT_EQ(number("SELECT count(*) FROM vectors"), 700);
  EXPECT_EQ(number("SELECT count(*) FROM exact_vectors"), 700);
  // The program with the old embedder finds by words, and does not restart the embedding.
  EXPECT_THAT(old.found("zebra crossing", 0.9), ElementsAre("zebra crossing"));
  EXPECT_THAT(old.matched, ElementsAre("keyword"));
  EXPECT_EQ(old.stats().embedded, 0U);
}

TEST_F(MemoryVectorsTest, EmbeddingIsInterruptedAndGoesOnInTwoProcessesAtOnce) {
  std::vector<std::string> texts;
  for (int i = 0; i < 999; ++i) texts.push_back("memory number " + std::to_string(i));
  texts.push_back("zebra crossing");
  {
    words.failure = "down";
    Process process(loop, folder.path(), words);
    process.put(texts);
    words.failure.clear();
  }
  std::uint64_t before = 0;
  {
    Process process(loop, folder.path(), words);
    process.store.embed_in_background();
    loop.run_until([&] { return process.store.progress().embedded != 0; });
    before = process.store.progress().embedded;
  }
  EXPECT_GE(number("SELECT rows FROM embedders"), static_cast<std::int64_t>(before)) << "what was done stays";
  EXPECT_LT(number("SELECT rows FROM embedders"), 1000);
  Process process(loop, folder.path(), words);
  Process two(loop, folder.path(), words);
  two.store.embed_in_background();
  process.embed_all();
  loop.run_until([&] { return !two.store.progress().running && two.store.progress().entries != 0; });
  EXPECT_EQ(number("SELECT rows FROM embedders"), 1000);
  EXPECT_EQ(number("SELECT count(*) FROM vectors"), 1000);
  EXPECT_EQ(number("SELECT count(*) FROM exact_vectors"), 1000);
  EXPECT_THAT(process.found("crossing zebra", 0.9), ElementsAre("zebra crossing"));
}

TEST_F(MemoryVectorsTest, PagesContinueAfterAForgottenEntry) {
  MemoryFile file(folder.path());
  std::vector<memory::NewEntry> entries;
  for (int i = 0; i < 5; ++i) entries.push_back({.text = "note " + std::to_string(i)});
  const auto puts = *file.put(entries);
  const auto first = *file.list({.limit = 2});
  ASSERT_EQ(first.entries.size(), 2U);
  EXPECT_EQ(first.entries[0].text, "note 4");
  EXPECT_EQ(*file.forget({.id = first.entries[1].id}), 1U);
  const auto second = *file.list({.before = first.next, .limit = 2});
  EXPECT_EQ(second.entries[0].text, "note 2");
  EXPECT_EQ(file.list({.before = puts[2].id})->entries[0].text, "note 1");
  EXPECT_EQ(file.list({.limit = 1, .oldest_first = true})->entries[0].text, "note 0");
  EXPECT_EQ(file.list({.before = "mem_none"}).error().code, Errc::not_found);
}

TEST_F(MemoryVectorsTest, RareWordsAreFoundAmongCommonWords) {
  MemoryFile file(folder.path());
  std::vector<memory::NewEntry> entries;
  for (int i = 0; i < 2000; ++i) entries.push_back({.text = "the server writes a backup every night, note " + std::to_string(i)});
  entries.push_back({.text = "the server of Brauer writes no backup"});
  for (int i = 0; i < 2000; ++i) entries.push_back({.text = "the server writes a report every week, note " + std::to_string(i)});
  entries.push_back({.text = "数据库每晚备份到东京"});
  ASSERT_TRUE(file.put(entries));
  const auto first = [&](std::string query) {
    const auto hits = *file.search({.text = std::move(query)});
    return hits.empty() ? std::string("nothing") : hits.front().entry.text;
  };
  EXPECT_EQ(first("backup server Brauer"), "the server of Brauer writes no backup");
  EXPECT_EQ(first("brauer"), "the server of Brauer writes no backup");
  EXPECT_EQ(first("东京"), "数据库每晚备份到东京");
  EXPECT_EQ(first("京"), "数据库每晚备份到东京") << "one character, the last of the text";
  EXPECT_EQ(file.search({.text = "server writes backup"})->size(), 5U) << "common words together";
}

// The graph is in one process; all processes see its recall.
TEST_F(MemoryVectorsTest, RecallOfAGraphReachesOtherProcesses) {
  const memory::VectorIndexSettings small{.approximate_from_bytes = std::size_t{64} * 400};
  std::vector<memory::NewEntry> entries;
  for (int i = 0; i < 500; ++i)
    entries.push_back(
        {.text = "note " + std::to_string(i) + " about w" + std::to_string(i % 37) + " and v" + std::to_string(i % 11)});
  MemorySqlite agent(loop, folder.path(), words, small);
  agent.embed_in_background();
  ASSERT_TRUE(loop.block_on(agent.put("", std::move(entries))));
  MemorySqlite shell(loop, folder.path(), words, small);
  EXPECT_FALSE(loop.block_on(shell.stats(""))->recall) << "no recall is measured yet";
  for (int tries = 0; tries < 2000 && !loop.block_on(shell.stats(""))->recall; ++tries) {
    ASSERT_TRUE(loop.block_on(agent.search("", {.text = "note about w5"})));  // uses the graph after its build
    loop.run_for(std::chrono::milliseconds(5));
  }
  const auto stats = loop.block_on(shell.stats(""));
  ASSERT_TRUE(stats->recall) << "the agent has measured it";
  EXPECT_EQ(stats->index, "approximate");
  EXPECT_EQ(stats->recall, loop.block_on(agent.stats(""))->recall);
  EXPECT_GE(*stats->recall, 0.9);

  WordEmbedder others("others/32", 32);
  MemorySqlite other(loop, folder.path(), others, small);
  EXPECT_FALSE(loop.block_on(other.stats(""))->recall) << "of another embedder's vectors nothing is known";
}

}  // namespace
}  // namespace parlance::store
