// SPDX-License-Identifier: Apache-2.0
// The bounded search equals the measured search: same memories, order and scores.
#include "parlance/store/memory/memory_search.h"

#include <array>
#include <random>

#include <gtest/gtest.h>

#include "parlance/memory/builtin_embedder.h"
#include "parlance/store/memory/memory_file.h"
#include "parlance/store/test_folder.h"

namespace parlance::store {
namespace {

using memory::Category;

constexpr std::array who = {"the user", "we", "Maria", "the build", "用户", "团队", "Ben", "project atlas"};
constexpr std::array does = {"prefers", "decided to use", "runs on", "喜欢", "使用", "moved to", "needs"};
constexpr std::array what = {"the vim editor", "PostgreSQL", "Debian 12", "port 5432", "a dark theme",    "深色主题",
                             "café au lait",   "green tea",  "C++",       "go",        "a nightly backup"};

class SearchWays : public testing::TestWithParam<unsigned> {
 protected:
  template <std::size_t N>
  std::string one_of(const std::array<const char*, N>& words) {
    return words[random() % N];
  }
  std::string name() {
    std::string made;
    for (int i = 0; i < 2; ++i) (made += "bdfgklmnt"[random() % 9]) += "aeiou"[random() % 5];
    return made;
  }
  std::string text() { return one_of(who) + " " + one_of(does) + " " + one_of(what) + " " + name(); }
  std::string question() {
    switch (random() % 5) {
      case 0: return name();
      case 1: return one_of(who) + " " + one_of(what);
      case 2: return "what " + one_of(does) + " " + one_of(who) + " " + name();
      case 3: return one_of(what) + " " + one_of(what) + " " + one_of(does);
      default: return text();
    }
  }
  Embedded embedded(const std::vector<std::string>& texts) {
    Embedded made{.embedder = {.id = std::string(memory::builtin_embedder_id),
                               .dimension = memory::builtin_dimension,
                               .calibration = memory::builtin_calibration()}};
    for (const std::string& text : texts) made.vectors.push_back(memory::embed_text(text));
    return made;
  }
  void put(std::size_t count, bool with_vectors = true) {
    std::vector<memory::NewEntry> entries;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < count; ++i) {
      texts.push_back(text());
      entries.push_back({.text = texts.back(),
                         .category = static_cast<Category>(random() % 5),
                         .importance = static_cast<double>(random() % 11) / 10});
    }
    const auto puts = file.put(entries, with_vectors ? embedded(texts) : Embedded{});
    ASSERT_TRUE(puts) << puts.error().message;
    for (const memory::Put& put : *puts) ids.push_back(put.id);
  }
  void expect_the_same(const memory::Query& query, bool with_vector = true) {
    const Embedded vector = with_vector ? embedded({query.text}) : Embedded{};
    const auto quick = file.search(query, vector);
    const auto whole = file.search(query, vector, SearchMode::measured);
    ASSERT_TRUE(quick && whole);
    ASSERT_EQ(quick->size(), whole->size()) << query.text << ", at least " << query.min_score;
    found += quick->size();
    for (std::size_t i = 0; i < quick->size(); ++i) {
      EXPECT_EQ((*quick)[i].entry, (*whole)[i].entry) << query.text;
      EXPECT_EQ((*quick)[i].score, (*whole)[i].score) << query.text;
      EXPECT_EQ((*quick)[i].matched, (*whole)[i].matched) << query.text;
    }
  }

  TestFolder folder;
  MemoryFile file{folder.path()};
  std::mt19937 random{GetParam()};
  std::vector<std::string> ids;
  std::size_t found = 0;
};

INSTANTIATE_TEST_SUITE_P(Seeds, SearchWays, testing::Range(1U, 5U));

TEST_P(SearchWays, FindTheSameWithTheSameScores) {
  static constexpr std::array least = {0.7, 0.7, 0.5, 0.9, 0.3, 0.01};
  static constexpr std::array<std::size_t, 4> limits = {5, 1, 20, 100};
  for (int round = 0; round < 5; ++round) {
    put(round == 0 ? 3 : 300);
    if (round == 3) put(20, false);  // during an embedder's failure
    for (int i = 0; i < 40; ++i) ASSERT_TRUE(file.forget({.id = ids[random() % ids.size()]}));
    for (int i = 0; i < 60; ++i) {
      memory::Query query{
          .text = question(), .limit = limits[random() % limits.size()], .min_score = least[random() % least.size()]};
      if (random() % 4 == 0) query.category = static_cast<Category>(random() % 5);
      expect_the_same(query, random() % 8 != 0);
    }
  }
  EXPECT_GT(found, 500U) << "or nothing was compared";
}

TEST_P(SearchWays, FindTheSameAmongManyThatAreEquallyNear) {
  std::vector<memory::NewEntry> entries;
  std::vector<std::string> texts;
  // The test embedder nearly ignores numbers: hundreds of rows are nearly as near as the twentieth.
  for (int i = 0; i < 800; ++i) {
    texts.push_back("the server writes a backup every night " + std::to_string(i % 400) + (i < 400 ? "" : " !?"));
    entries.push_back({.text = texts.back(), .importance = static_cast<double>(random() % 11) / 10});
  }
  ASSERT_TRUE(file.put(entries, embedded(texts)));
  for (const char* const text : {"nightly backup of the server", "server backup 17", "who writes", "every night 399 backup"})
    for (const double least : {0.7, 0.4, 0.01})
      for (const std::size_t limit : {std::size_t{5}, std::size_t{50}})
        expect_the_same({.text = text, .limit = limit, .min_score = least});
  EXPECT_GT(found, 50U);
}

}  // namespace
}  // namespace parlance::store
