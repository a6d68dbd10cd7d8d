// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/keyword.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/memory/store.h"

namespace parlance::memory {
namespace {

std::string terms(std::string_view text) {
  std::string out;
  const KeywordQuery query(text);
  for (const Word& word : query.terms()) out += (out.empty() ? "" : "|") + word.text;
  return out;
}

double score(std::string_view query, std::string_view text) { return KeywordQuery(query).score(text); }

TEST(Keyword, StopWordsDoNotCount) {
  EXPECT_EQ(terms("What is the name of the database?"), "name|database");
  EXPECT_EQ(terms("数据库的密码是什么"), "数据库|密码");
  EXPECT_EQ(terms("Wie heißt die Katze?"), "heißt|katze") << "as written, for an index";
  EXPECT_EQ(terms("who are you"), "who|are|you") << "unless there is nothing else";
  EXPECT_EQ(score("who are you", "they are what you think, and who knows"), 0);
  EXPECT_GT(score("who are you", "Asked: who are you?"), 0.9);
  EXPECT_EQ(terms("?!"), "");
  EXPECT_EQ(score("", "text"), 0);
}

TEST(Keyword, RareTopicsWeighLittle) {
  const KeywordQuery query("compiler used 12 Kraftwerk");
  ASSERT_EQ(query.terms().size(), 4U);
  const auto weight = [&](std::size_t i) { return query.terms()[i].weight; };
  EXPECT_LT(weight(1), weight(2));
  EXPECT_LT(weight(2), weight(0));
  EXPECT_LT(weight(0), weight(3)) << "an unknown word has the largest weight";
}

struct Pair {
  const char* query;
  const char* text;
  bool fits;  // at the default minimum
};

TEST(Keyword, TheDefaultMinimumMatchesPeoplesExpectations) {
  for (const Pair& pair : std::initializer_list<Pair>{
           {"vim", "The user prefers vim", true},
           {"editor preferences", "Prefers vim as the editor", true},
           {"deploying on tuesdays", "Deploys happen every Tuesday", true},
           {"favorite color", "The favourite colours of the user are blue and green", true},
           {"testing framework", "GoogleTest is the test framework", true},
           {"深色主题", "用户喜欢深色主题", true},
           {"喜欢什么主题", "用户喜欢深色主题", true},
           {"喜欢什么主题", "数据库使用 PostgreSQL", false},
           {"vim", "The user prefers emacs", false},
           {"database password", "The database is PostgreSQL", false},
           {"cat", "concatenate the files", false},
           {"port", "The support team answers within a day", false},
           {"red car insurance", "The car is parked outside", false},
           {"contract with the landlord", "The contrast of the screen is low", false},
           {"port 5433", "The port is 5432", true},
           {"never tabs", "Use tabs", true},
       }) {
    EXPECT_EQ(score(pair.query, pair.text) >= 0.7, pair.fits)
        << pair.query << " / " << pair.text << ": " << score(pair.query, pair.text);
    EXPECT_LE(score(pair.query, pair.text), 1);
  }
}

TEST(Keyword, FormsOfAWord) {
  for (const auto& [query, text] : std::initializer_list<std::pair<const char*, const char*>>{
           {"max connections", "max_connections = 100"},
           {"google test", "runs with GoogleTest"},
           {"GoogleTest", "a google test"},
           {"e-mail", "the email goes out at noon"},
           {"frontend", "the front end is Svelte"},
           {"python", "needs python3"},
           {"sqlite", "libsqlite3-dev"},
           {"kubernets", "runs on Kubernetes"},
           {"resume", "her résumé lies in the drawer"},
           {"ＡＰＩ", "the API"},
           {"Datenbankpasswort", "Das Passwort der Datenbank"},
           {"настройки", "Настройкой занимается Ира"},
           {"資料庫", "资料库在二楼"},
           {"ｶﾒﾗ", "カメラ"},
           {"한국어", "한국어를 배운다"},
       })
    EXPECT_GE(score(query, text), 0.7) << query << " / " << text;
}

TEST(Keyword, OtherNamesAndInstances) {
  EXPECT_GE(score("favourite editor", "prefers vim"), 0.7);
  EXPECT_GE(score("dark theme", "喜欢深色主题"), 0.7);
  EXPECT_GE(score("database", "runs on PostgreSQL"), 0.7);
  EXPECT_LT(score("PostgreSQL", "which database?"), 0.7) << "a kind is no instance";
  EXPECT_GT(score("k8s", "the kubernetes cluster"), 0.7);
}

TEST(Keyword, AnyBytes) {
  const std::string texts[] = {"\xff\xfe broken \xe4", std::string(3, '\0'), "\xf0\x9f", "\xed\xa0\x80x", "broken"};
  for (const std::string& text : texts)
    for (const std::string& query : texts) {
      const double s = score(query, text);
      EXPECT_GE(s, 0);
      EXPECT_LE(s, 1);
    }
  EXPECT_GT(score("broken \xe4", "\xff\xfe broken \xe4"), 0.9);
}

TEST(Category, NamesGoBothWays) {
  for (const Category category : {Category::preference, Category::decision, Category::fact, Category::entity, Category::other})
    EXPECT_EQ(category_from(to_string(category)), category);
  EXPECT_FALSE(category_from("nonsense"));
}

}  // namespace
}  // namespace parlance::memory
