// SPDX-License-Identifier: Apache-2.0
// The tests of every memory store: a suite over a type that opens a store.
//
//   struct Kind { static std::string unavailable(); std::unique_ptr<MemoryOnWorker> open(Loop&, memory::Embedder&); };
//
// All stores of one Kind share a database, like programs.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include "parlance/async/loop.h"
#include "parlance/memory/limits.h"
#include "parlance/store/memory/memory_on_worker.h"
#include "parlance/store/memory/test_embedder.h"

namespace parlance::store::test {

using memory::Category;
using testing::ElementsAre;
using testing::IsEmpty;
using Texts = std::vector<std::string>;

// A separate program from the view of the database.
struct Program {
  Program(Loop& on, std::unique_ptr<MemoryOnWorker> opened) : loop(on), store(std::move(opened)) {}

  std::vector<memory::Put> put_all(std::vector<memory::NewEntry> entries, const std::string& user = "") {
    auto puts = loop.block_on(store->put(user, std::move(entries)));
    EXPECT_TRUE(puts) << puts.error().message;
    return puts.value_or(std::vector<memory::Put>{});
  }
  memory::Put put(memory::NewEntry entry, const std::string& user = "") {
    std::vector<memory::NewEntry> entries;
    entries.push_back(std::move(entry));
    const auto puts = put_all(std::move(entries), user);
    return puts.empty() ? memory::Put{} : puts.front();
  }
  Texts found(memory::Query query, const std::string& user = "") {
    const auto hits = loop.block_on(store->search(user, std::move(query)));
    EXPECT_TRUE(hits) << hits.error().message;
    Texts texts;
    matched.clear();
    for (const memory::Hit& hit : hits.value_or(std::vector<memory::Hit>{})) {
      texts.push_back(hit.entry.text);
      matched.push_back(hit.matched);
    }
    return texts;
  }
  Texts found(const std::string& query) { return found(memory::Query{.text = query}); }
  Texts listed(memory::ListQuery query = {}, const std::string& user = "") {
    const auto page = loop.block_on(store->list(user, std::move(query)));
    EXPECT_TRUE(page) << page.error().message;
    Texts texts;
    next = page ? page->next : "";
    if (page)
      for (const memory::Entry& entry : page->entries) texts.push_back(entry.text);
    return texts;
  }
  std::uint64_t forget(memory::Forget what, const std::string& user = "") {
    const auto gone = loop.block_on(store->forget(user, std::move(what)));
    EXPECT_TRUE(gone) << gone.error().message;
    return gone.value_or(0);
  }
  memory::Stats stats(const std::string& user = "") {
    const auto stats = loop.block_on(store->stats(user));
    EXPECT_TRUE(stats) << stats.error().message;
    return stats.value_or(memory::Stats{});
  }
  Errc refusal(memory::NewEntry entry) {
    std::vector<memory::NewEntry> entries;
    entries.push_back(std::move(entry));
    const auto puts = loop.block_on(store->put("", std::move(entries)));
    return puts ? Errc::internal : puts.error().code;
  }
  // Runs until the end of the background work.
  void embed_all() {
    bool done = false;
    store->embed_in_background([&](const EmbeddingProgress& progress) { done = !progress.running; });
    loop.run_until([&] { return done; });
  }

  Loop& loop;
  std::unique_ptr<MemoryOnWorker> store;
  std::vector<std::string> matched;  // of the last search
  std::string next;                  // of the last page
};

template <class Kind>
class MemorySuite : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = Kind::unavailable(); !why.empty()) GTEST_SKIP() << why;
    kind = std::make_unique<Kind>();
    here = open(embedder);
  }
  std::unique_ptr<Program> open(memory::Embedder& with) { return std::make_unique<Program>(loop, kind->open(loop, with)); }
  void put(const Texts& texts) {
    for (const std::string& text : texts) here->put({.text = text});
  }

  Loop loop;
  WordEmbedder embedder;
  std::unique_ptr<Kind> kind;
  std::unique_ptr<Program> here;
};

TYPED_TEST_SUITE_P(MemorySuite);

TYPED_TEST_P(MemorySuite, StoredMemoryIsReturnedWhole) {
  const std::string id = this->here
                             ->put({.text = "  It's \"quoted\" \\ 主题 {a,b} NULL  ",
                                    .category = Category::decision,
                                    .importance = 0.9,
                                    .source = {.kind = "agent", .conversation = "conv_1", .event = 17}})
                             .id;
  const auto entry = this->loop.block_on(this->here->store->get("", id));
  ASSERT_TRUE(entry) << entry.error().message;
  EXPECT_EQ(entry->text, "It's \"quoted\" \\ 主题 {a,b} NULL");
  EXPECT_EQ(entry->category, Category::decision);
  EXPECT_EQ(entry->importance, 0.9);
  EXPECT_EQ(entry->source, (memory::Source{.kind = "agent", .conversation = "conv_1", .event = 17}));
  EXPECT_EQ(entry->created_at, entry->updated_at);
  EXPECT_EQ(this->loop.block_on(this->here->store->get("", "mem_none")).error().message, "memory not found: mem_none");
  EXPECT_EQ(this->here->forget({.id = id}), 1U);
  EXPECT_EQ(this->here->forget({.id = id}), 0U);
  EXPECT_THAT(this->here->found("quoted"), IsEmpty()) << "the index forgot it too";
}

TYPED_TEST_P(MemorySuite, TheSameTextIsKeptOnce) {
  const std::string id = this->here->put({.text = "The user prefers tabs"}).id;
  const memory::Put again = this->here->put({.text = "\n the User   prefers tabs! "});
  EXPECT_TRUE(again.duplicate);
  EXPECT_EQ(again.id, id);
  EXPECT_TRUE(this->here->put({.text = "another text", .id = id}).duplicate) << "and one id once";
  const auto puts = this->here->put_all({{.text = "new"}, {.text = "the user prefers tabs"}, {.text = "New."}, {.text = "last"}});
  ASSERT_EQ(puts.size(), 4U);
  EXPECT_FALSE(puts[0].duplicate);
  EXPECT_EQ(puts[1].id, id);
  EXPECT_TRUE(puts[2].duplicate);
  EXPECT_EQ(puts[2].id, puts[0].id);
  EXPECT_FALSE(puts[3].duplicate);
  EXPECT_THAT(this->here->listed(), ElementsAre("last", "new", "The user prefers tabs"));
}

TYPED_TEST_P(MemorySuite, AnImportKeepsIdsAndTimes) {
  const memory::NewEntry entry{.text = "from elsewhere",
                               .id = "mem_x",
                               .created_at = "2024-01-02T03:04:05.000Z",
                               .updated_at = "2024-02-02T03:04:05.000Z"};
  EXPECT_EQ(this->here->put(entry).id, "mem_x");
  EXPECT_TRUE(this->here->put(entry).duplicate) << "an import that was interrupted is run again";
  const auto entry_now = this->loop.block_on(this->here->store->get("", "mem_x"));
  EXPECT_EQ(entry_now->created_at, entry.created_at);
  EXPECT_EQ(entry_now->updated_at, entry.updated_at);
}

TYPED_TEST_P(MemorySuite, InvalidInputIsRefusedCompletely) {
  EXPECT_EQ(this->here->refusal({.text = " \n"}), Errc::invalid_params);
  EXPECT_EQ(this->here->refusal({.text = std::string(limits::memory_text_bytes + 1, 'x')}), Errc::invalid_params);
  const auto some = this->loop.block_on(this->here->store->put("", {{.text = "good"}, {.text = ""}}));
  EXPECT_EQ(some.error().message, "entry 2: text is required");
  EXPECT_EQ(this->loop.block_on(this->here->store->search("", {.text = " "})).error().message, "query is required");
  EXPECT_EQ(this->loop.block_on(this->here->store->forget("", {})).error().code, Errc::invalid_params);
  EXPECT_THAT(this->here->listed(), IsEmpty());
  EXPECT_FALSE(this->here->put({.text = "bad \xff\xfe bytes", .importance = std::nan("")}).id.empty());
}

TYPED_TEST_P(MemorySuite, FindsWordsTheirFormsTheirPartsAndChinese) {
  this->embedder.failure = "away";  // by words alone
  this->put({"The user prefers the vim editor for everything", "We decided to use PostgreSQL as the team database",
             "Deploys happen every Tuesday at 10:00", "uses libsqlite3-dev from Debian", "Go is used for peers",
             "用户喜欢深色主题", "部署的密码在保险箱里", "the café opens at eight"});
  Program& here = *this->here;
  EXPECT_THAT(here.found("what editor does the user prefer?"), ElementsAre("The user prefers the vim editor for everything"));
  EXPECT_THAT(here.found("which database do we use"), ElementsAre("We decided to use PostgreSQL as the team database"));
  EXPECT_THAT(here.found("POSTGRESQL"), ElementsAre("We decided to use PostgreSQL as the team database"));
  EXPECT_THAT(here.found("When do deploys happen?"), ElementsAre("Deploys happen every Tuesday at 10:00"));
  EXPECT_THAT(here.found("sqlite"), ElementsAre("uses libsqlite3-dev from Debian")) << "within a word";
  EXPECT_THAT(here.found("go"), ElementsAre("Go is used for peers"));
  EXPECT_THAT(here.found("深色主题"), ElementsAre("用户喜欢深色主题"));
  EXPECT_THAT(here.found("主题"), ElementsAre("用户喜欢深色主题"));
  EXPECT_THAT(here.found("部署密码"), ElementsAre("部署的密码在保险箱里"));
  EXPECT_THAT(here.found("café"), ElementsAre("the café opens at eight"));
  EXPECT_THAT(here.found("favourite restaurant in Lisbon"), IsEmpty());
  EXPECT_THAT(here.matched, IsEmpty());
  for (const char* query : {"\"hello", "* OR (", "text:hello", "%hello%", "'; DROP TABLE memories; --", "{a,b}", "\\", "$1"})
    EXPECT_TRUE(this->loop.block_on(here.store->search("", {.text = query}))) << query;
}

TYPED_TEST_P(MemorySuite, FiltersHoldBeforeTheLimit) {
  std::vector<memory::NewEntry> notes;
  for (int i = 0; i < 80; ++i) notes.push_back({.text = "project note number " + std::to_string(i)});
  this->here->put_all(std::move(notes));
  this->here->put({.text = "project note by decision", .category = Category::decision});
  EXPECT_THAT(this->here->found({.text = "project note", .category = Category::decision}),
              ElementsAre("project note by decision"));
  EXPECT_EQ(this->here->found({.text = "project note"}).size(), 5U);
  EXPECT_EQ(this->here->found({.text = "project note", .limit = 20}).size(), 20U);
}

TYPED_TEST_P(MemorySuite, PagesContinueAfterAForgottenEntry) {
  this->put({"one", "two", "three", "four", "five"});
  EXPECT_THAT(this->here->listed({.limit = 2}), ElementsAre("five", "four"));
  const std::string before = this->here->next;
  const std::string four = this->loop.block_on(this->here->store->list("", {.limit = 2}))->entries.at(1).id;
  EXPECT_EQ(this->here->forget({.id = four}), 1U);
  EXPECT_THAT(this->here->listed({.before = before, .limit = 2}), ElementsAre("three", "two"));
  EXPECT_THAT(this->here->listed({.before = this->here->next, .limit = 2}), ElementsAre("one"));
  EXPECT_EQ(this->here->next, "");
  EXPECT_THAT(this->here->listed({.limit = 3, .oldest_first = true}), ElementsAre("one", "two", "three"));
  EXPECT_THAT(this->here->listed({.before = this->here->next, .oldest_first = true}), ElementsAre("five"));
  EXPECT_EQ(this->loop.block_on(this->here->store->list("", {.before = "mem_none"})).error().code, Errc::not_found);
}

TYPED_TEST_P(MemorySuite, ForgetsBySource) {
  this->here->put({.text = "one", .source = {.kind = "agent", .conversation = "c1"}});
  this->here->put({.text = "two", .source = {.kind = "manual", .conversation = "c1"}});
  this->here->put({.text = "three", .source = {.kind = "agent", .conversation = "c2"}});
  EXPECT_THAT(this->here->listed({.conversation = "c1"}), ElementsAre("two", "one"));
  EXPECT_EQ(this->here->forget({.source_kind = "agent", .conversation = "c1"}), 1U);
  EXPECT_EQ(this->here->forget({.conversation = "c2"}), 1U);
  EXPECT_THAT(this->here->listed(), ElementsAre("two"));
}

TYPED_TEST_P(MemorySuite, ChangesByOthersAppearInTheNextSearch) {
  const auto there = this->open(this->embedder);
  this->put({"quarterly budget of the team"});
  EXPECT_THAT(there->found("quarterly budget"), ElementsAre("quarterly budget of the team"));
  const std::string id = there->put({.text = "green tea is drunk in Kyoto"}).id;
  EXPECT_THAT(this->here->found("green tea"), ElementsAre("green tea is drunk in Kyoto"));
  EXPECT_EQ(this->here->forget({.id = id}), 1U);
  EXPECT_THAT(there->found("green tea"), IsEmpty());
  EXPECT_EQ(there->stats().entries, 1U);
}

TYPED_TEST_P(MemorySuite, FailedEmbedderFallsBackToWordsAndRecovers) {
  this->embedder.failure = "away";
  this->put({"alpha beta gamma", "delta epsilon zeta"});
  EXPECT_EQ(this->here->stats().embedded, 0U);
  EXPECT_EQ(this->here->stats().embedder_trouble, "away");
  this->embedder.failure = "";
  const auto there = this->open(this->embedder);
  EXPECT_THAT(there->found("alpha beta gamma"), ElementsAre("alpha beta gamma"));
  EXPECT_THAT(there->matched, ElementsAre("keyword"));
  there->embed_all();
  EXPECT_EQ(there->stats().embedded, 2U);
  EXPECT_THAT(there->found("alpha beta gamma"), ElementsAre("alpha beta gamma"));
  EXPECT_THAT(there->matched, ElementsAre("both"));
}

TYPED_TEST_P(MemorySuite, AnotherEmbedderGetsItsOwnVectorsAndTheOldOnesGo) {
  this->put({"alpha beta gamma", "delta epsilon zeta"});
  WordEmbedder other("others/32", 32);
  const auto there = this->open(other);
  EXPECT_EQ(there->stats().embedded, 0U);
  there->embed_all();
  EXPECT_EQ(there->stats().embedded, 2U);
  EXPECT_EQ(this->here->stats().embedded, 0U) << "the last that was wanted is kept";
  EXPECT_THAT(this->here->found("alpha beta gamma"), ElementsAre("alpha beta gamma"));
  EXPECT_THAT(this->here->matched, ElementsAre("keyword"));
}

TYPED_TEST_P(MemorySuite, SimilarMemoryIsReportedAndNotMerged) {
  const std::string first = this->here->put({.text = "the port of the database server is 5432"}).id;
  const memory::Put second = this->here->put({.text = "the port of the database server is 5433"});
  EXPECT_FALSE(second.duplicate);
  EXPECT_THAT(second.similar, ElementsAre(first));
}

TYPED_TEST_P(MemorySuite, CountsMemories) {
  this->here->put({.text = "a b c", .category = Category::preference});
  this->here->put_all({{.text = "d e f", .category = Category::fact}, {.text = "g h i", .category = Category::fact}});
  const memory::Stats stats = this->here->stats();
  EXPECT_EQ(stats.entries, 3U);
  EXPECT_EQ(stats.by_category.at("fact"), 2U);
  EXPECT_EQ(stats.embedded, 3U);
  EXPECT_GT(stats.bytes, 0U);
}

REGISTER_TYPED_TEST_SUITE_P(MemorySuite, StoredMemoryIsReturnedWhole, TheSameTextIsKeptOnce, AnImportKeepsIdsAndTimes,
                            InvalidInputIsRefusedCompletely, FindsWordsTheirFormsTheirPartsAndChinese, FiltersHoldBeforeTheLimit,
                            PagesContinueAfterAForgottenEntry, ForgetsBySource, ChangesByOthersAppearInTheNextSearch,
                            FailedEmbedderFallsBackToWordsAndRecovers, AnotherEmbedderGetsItsOwnVectorsAndTheOldOnesGo,
                            SimilarMemoryIsReportedAndNotMerged, CountsMemories);

}  // namespace parlance::store::test
