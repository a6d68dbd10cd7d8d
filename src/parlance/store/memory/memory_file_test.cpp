// SPDX-License-Identifier: Apache-2.0
// Memory: search results, equality of texts, and parallel writers.
#include "parlance/store/memory/memory_file.h"

#include <cmath>
#include <fstream>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "parlance/memory/limits.h"
#include "parlance/store/test_folder.h"

namespace parlance::store {
namespace {

using memory::Category;

Result<memory::Put> put_into(MemoryFile& file, memory::NewEntry entry) {
  PARLANCE_TRY(puts, file.put({std::move(entry)}));
  return puts.front();
}

class Memory : public testing::Test {
 protected:
  Result<memory::Put> put_one(memory::NewEntry entry) { return put_into(file, std::move(entry)); }
  std::string put(std::string text, Category category = Category::fact, double importance = 0.7) {
    const auto done = put_one({.text = std::move(text), .category = category, .importance = importance});
    PARLANCE_CHECK(done, "a memory that is taken");
    return done->id;
  }
  std::vector<std::string> found(std::string query, double min_score = 0.7) {
    std::vector<std::string> texts;
    const auto hits = file.search({.text = std::move(query), .min_score = min_score});
    PARLANCE_CHECK(hits, "a search that works");
    for (const memory::Hit& hit : *hits) texts.push_back(hit.entry.text);
    return texts;
  }
  using Texts = std::vector<std::string>;

  TestFolder folder;
  MemoryFile file{folder.path()};
};

TEST_F(Memory, StoredMemoryIsReturnedWhole) {
  const auto done = put_one({.text = "  The build runs on Debian 12  ",
                             .category = Category::decision,
                             .importance = 0.9,
                             .source = {.kind = "agent", .conversation = "conv_1", .event = 17}});
  ASSERT_TRUE(done);
  const auto entry = file.get(done->id);
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->text, "The build runs on Debian 12");
  EXPECT_EQ(entry->category, Category::decision);
  EXPECT_EQ(entry->importance, 0.9);
  EXPECT_EQ(entry->source, (memory::Source{.kind = "agent", .conversation = "conv_1", .event = 17}));
  EXPECT_EQ(entry->created_at, entry->updated_at);
  EXPECT_EQ(file.get("mem_none").error().message, "memory not found: mem_none");
  EXPECT_EQ(*file.forget({.id = done->id}), 1U);
  EXPECT_EQ(*file.forget({.id = done->id}), 0U);
  EXPECT_TRUE(found("debian build").empty()) << "the index forgot it too";
}

TEST_F(Memory, TheSameTextIsKeptOnce) {
  const std::string id = put("The user prefers tabs");
  const auto again = put_one({.text = "\n The user   prefers tabs "});
  EXPECT_TRUE(again->duplicate);
  EXPECT_EQ(again->id, id);
  EXPECT_EQ(file.stats()->entries, 1U);
  EXPECT_TRUE(put_one({.text = "The user prefers Tabs!"})->duplicate);
  EXPECT_FALSE(put_one({.text = "The user prefers no tabs"})->duplicate);
}

TEST_F(Memory, BadInputIsRefused) {
  EXPECT_EQ(put_one({.text = " \n"}).error().message, "text is required");
  EXPECT_EQ(put_one({.text = std::string(limits::memory_text_bytes + 1, 'x')}).error().code, Errc::invalid_params);
  EXPECT_EQ(file.search({.text = "  "}).error().message, "query is required");
  EXPECT_TRUE(put_one({.text = "bad \xff\xfe bytes", .importance = std::nan("")}));
}

TEST_F(Memory, StrongKeywordHitsPassTheDefaultMinimum) {
  put("The user prefers the vim editor for everything");
  put("We decided to use PostgreSQL as the team database", Category::decision);
  put("Deploys happen every Tuesday at 10:00");
  put("The cat of the user is called Minka", Category::entity);
  EXPECT_EQ(found("what editor does the user prefer?").at(0), "The user prefers the vim editor for everything");
  EXPECT_EQ(found("which database do we use"), Texts{"We decided to use PostgreSQL as the team database"});
  EXPECT_EQ(found("postgresql"), Texts{"We decided to use PostgreSQL as the team database"});
  EXPECT_EQ(found("When do deploys happen?"), Texts{"Deploys happen every Tuesday at 10:00"});
  EXPECT_EQ(found("vaccination of the cat"), Texts{}) << "half of it is not enough";
  EXPECT_EQ(found("vaccination of the cat", 0.4), Texts{"The cat of the user is called Minka"});
  EXPECT_TRUE(found("favourite restaurant in Lisbon").empty());
  EXPECT_TRUE(found("the of and is").empty());
}

TEST_F(Memory, ScoresAreBetweenZeroAndOneWithExactTextFirst) {
  put("paint the garden fence");
  put("never paint the garden fence in winter");
  put("fence");
  const auto hits = *file.search({.text = "paint the garden fence", .min_score = 0.01});
  ASSERT_EQ(hits.size(), 3U);
  for (const memory::Hit& hit : hits) {
    EXPECT_GT(hit.score, 0);
    EXPECT_LE(hit.score, 1);
    EXPECT_EQ(hit.matched, "keyword");
  }
  EXPECT_LT(hits[2].score, 0.7);
}

TEST_F(Memory, FindsWithoutBlanksBetweenWordsAndPartsOfWords) {
  put("用户喜欢深色主题");
  put("数据库使用 PostgreSQL");
  put("uses libsqlite3-dev from Debian");
  put("Go is used for peers");
  EXPECT_EQ(found("深色主题"), Texts{"用户喜欢深色主题"});
  EXPECT_EQ(found("主题"), Texts{"用户喜欢深色主题"}) << "two characters are too few for the index";
  EXPECT_EQ(found("数据库"), Texts{"数据库使用 PostgreSQL"});
  EXPECT_EQ(found("sqlite"), Texts{"uses libsqlite3-dev from Debian"});
  EXPECT_EQ(found("go"), Texts{"Go is used for peers"});
}

TEST_F(Memory, QuotesAndOperatorsInAQueryAreText) {
  put("she said \"hello world\" AND left");
  for (const char* query :
       {"\"hello", "hello AND world", "hello* OR (", "text:hello", "NEAR(hello world)", "%hello%", "'; DROP TABLE memories; --"})
    EXPECT_TRUE(file.search({.text = query})) << query;
  EXPECT_EQ(found("\"hello world\"").size(), 1U);
  EXPECT_TRUE(found("100%").empty());
}

TEST_F(Memory, FiltersHoldBeforeTheLimit) {
  for (int i = 0; i < 50; ++i) put("project note number " + std::to_string(i), Category::other);
  put("project note by decision", Category::decision);
  const auto hits = *file.search({.text = "project note", .category = Category::decision, .limit = 5});
  ASSERT_EQ(hits.size(), 1U);
  EXPECT_EQ(hits[0].entry.category, Category::decision);
  EXPECT_EQ(file.search({.text = "project note"})->size(), 5U);
  EXPECT_EQ(file.search({.text = "project note", .limit = 20})->size(), 20U);
}

TEST_F(Memory, ImportanceOrdersButNeverLifts) {
  put("server address is alpha", Category::other, 0.1);
  put("server address is beta", Category::other, 1.0);
  EXPECT_EQ(found("server address").at(0), "server address is beta");
  put("server", Category::decision, 1.0);
  EXPECT_EQ(found("server address").size(), 2U);
}

TEST_F(Memory, StatsCountByCategory) {
  put("a b c", Category::preference);
  put("d e f", Category::fact);
  put("g h i", Category::fact);
  const auto stats = *file.stats();
  EXPECT_EQ(stats.entries, 3U);
  EXPECT_EQ(stats.by_category.at("fact"), 2U);
  EXPECT_GT(stats.bytes, 0U);
}

TEST_F(Memory, TenParallelWritersLoseNoMemory) {
  constexpr int writers = 10;
  constexpr int each = 200;
  std::vector<pid_t> children;
  for (int writer = 0; writer < writers; ++writer) {
    const pid_t child = ::fork();
    if (child == 0) {
      MemoryFile mine(folder.path());  // the file does not exist yet: the writers also create it in parallel
      for (int i = 0; i < each; ++i) {
        if (!put_into(mine, {.text = "writer " + std::to_string(writer) + " note " + std::to_string(i)})) ::_exit(1);
        if (!put_into(mine, {.text = "common note " + std::to_string(i)})) ::_exit(2);
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
  EXPECT_EQ(file.stats()->entries, static_cast<std::uint64_t>(writers * each + each)) << "the common ones once";
  EXPECT_EQ(found("writer 7 note 199").at(0), "writer 7 note 199");
}

}  // namespace
}  // namespace parlance::store
