// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/text/text_features.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace parlance::memory {
namespace {

std::string words(std::string_view text) {
  std::string out;
  const TextFeatures features(text);
  for (const Token& token : features.tokens()) out += (out.empty() ? "" : "|") + std::string(features.text(token));
  return out;
}

TEST(Characters, AreReadFromAnyBytes) {
  std::size_t at = 0;
  EXPECT_EQ(next_character("é", at), U'é');
  EXPECT_EQ(at, 2U);
  for (const std::string bad : {"\xff", "\xc3", "\xe4\xb8", "\xc0\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xf0\x80\x80\xaf"}) {
    at = 0;
    EXPECT_EQ(next_character(bad, at), U'\ufffd');
    EXPECT_EQ(at, 1U) << "one byte at a time, so that later characters are read";
  }
}

TEST(Characters, EquivalentCharactersAreEqual) {
  EXPECT_EQ(folded("ÄÖÜ ß Éa ñ Łódź Œuvre Ằ İ"), "aou ss ea n lodz oeuvre a i");
  EXPECT_EQ(folded("ＡＢＣ１２"), "abc12");
  EXPECT_EQ(folded("Ёжик, МОЙ"), "ежик, мои");
  EXPECT_EQ(folded("ΆΛΦΑΣ"), folded("άλφας"));
  EXPECT_EQ(folded("資料庫"), "资料库");
  EXPECT_EQ(folded("ｶﾒﾗ"), "カメラ");
  EXPECT_EQ(folded("e\xcc\x81"), "e") << "a combining accent";
  EXPECT_EQ(folded("日本 한국어 🎉"), "日本 한국어 🎉");
}

TEST(TextFeatures, WordsOfLetters) {
  EXPECT_EQ(words("Hello, World-wide snake_case 42!"), "hello|world|wide|snake|case|42");
  EXPECT_EQ(words("größer, дом «quoted» “text”"), "grosser|дом|quoted|text");
  EXPECT_EQ(words("AcmeWidgets PostgreSQL JavaScript iPhone"), "acme|widgets|postgresql|javascript|iphone")
      << "known words stay whole";
  EXPECT_EQ(words("python3 k8s sha256 3pm libsqlite3"), "python|3|k8s|sha|256|3|pm|libsqlite|3");
  EXPECT_EQ(words("HTTPServer ABC"), "httpserver|abc");
  EXPECT_EQ(words("?! … —"), "");
  EXPECT_EQ(words(""), "");
}

TEST(TextFeatures, RunsWithoutBlanksAreCutIntoKnownWords) {
  EXPECT_EQ(words("用户喜欢vim编辑器。"), "用户|喜欢|vim|编辑器");
  EXPECT_EQ(words("数据库的密码是什么"), "数据库|的|密码|是|什么");
  EXPECT_EQ(words("テーマが好き"), "テーマ|が|好|き") << "scripts part words";
  EXPECT_EQ(words("데이터베이스는"), "데이터베이스|는");
  EXPECT_EQ(words("鏖时"), "鏖时") << "a weak character beside an unknown word is a part of it";
}

TEST(TextFeatures, TokensHaveTheirPosition) {
  const std::string text = "Ein ÄRGER, x";
  const TextFeatures features(text);
  ASSERT_EQ(features.tokens().size(), 3U);
  const Token& token = features.tokens()[1];
  EXPECT_EQ(features.text(token), "arger");
  EXPECT_EQ(text.substr(token.written_begin, token.written_end - token.written_begin), "ÄRGER");
  EXPECT_TRUE(features.tokens()[0].filler());
  EXPECT_FALSE(token.filler());
}

TEST(Vocabulary, EndingsOfEnglish) {
  for (const auto& [word, stem] : std::initializer_list<std::pair<const char*, const char*>>{{"deploys", "deploy"},
                                                                                             {"deploying", "deploy"},
                                                                                             {"deployed", "deploy"},
                                                                                             {"running", "run"},
                                                                                             {"databases", "databas"},
                                                                                             {"database", "databas"},
                                                                                             {"cities", "cit"},
                                                                                             {"city", "cit"},
                                                                                             {"boxes", "box"},
                                                                                             {"class", "class"},
                                                                                             {"string", "string"},
                                                                                             {"bed", "bed"},
                                                                                             {"need", "need"},
                                                                                             {"weekly", "week"},
                                                                                             {"status", "status"},
                                                                                             {"größen", "größen"},
                                                                                             {"a", "a"},
                                                                                             {"", ""}})
    EXPECT_EQ(stem_of(word), stem) << word;
}

bool share_a_meaning(std::string_view a, std::string_view b) {
  const TextFeatures left(a);
  const TextFeatures right(b);
  for (const Concept meaning : left.tokens().at(0).info.concepts)
    for (const Concept concept_of_other : right.tokens().at(0).info.concepts)
      if (meaning != 0 && meaning == concept_of_other) return true;
  return false;
}

TEST(Vocabulary, KnowsOtherNames) {
  EXPECT_TRUE(share_a_meaning("favourite", "prefers"));
  EXPECT_TRUE(share_a_meaning("editors", "编辑器"));
  EXPECT_TRUE(share_a_meaning("Timezone", "time zone"));
  EXPECT_TRUE(share_a_meaning("資料庫", "database"));
  EXPECT_FALSE(share_a_meaning("cat", "dog"));
  EXPECT_FALSE(share_a_meaning("Kraftwerk", "Kraftwerk")) << "the vocabulary has no meaning of it";
}

TEST(Vocabulary, KnowsKindsOfThings) {
  const TextFeatures kind("database");
  const TextFeatures instance("Postgres");
  const Concept database = kind.tokens().at(0).info.concepts[0];
  const auto& kinds = instance.tokens().at(0).info.kinds;
  EXPECT_NE(std::find(kinds.begin(), kinds.end(), database), kinds.end());
  EXPECT_EQ(TextFeatures("the").tokens().at(0).info.band, Band::filler);
  EXPECT_EQ(TextFeatures("used").tokens().at(0).info.band, Band::faint);
  EXPECT_EQ(TextFeatures("theme").tokens().at(0).info.band, Band::known) << "no filler because of `them`";
}

TEST(Vocabulary, ListsOtherWordsForAnIndex) {
  const auto others = [](std::string_view word, std::size_t most) {
    const TextFeatures features(word);
    return Vocabulary::builtin().other_words(features.tokens().at(0).info, most);
  };
  const auto databases = others("database", 30);
  EXPECT_NE(std::ranges::find(databases, "postgresql"), databases.end()) << "a word of the kind";
  EXPECT_NE(std::ranges::find(databases, "数据库"), databases.end());
  EXPECT_EQ(others("database", 4).size(), 4U);
  EXPECT_TRUE(others("Kraftwerk", 10).empty());
  for (std::size_t i = 0; i < databases.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(databases[i].starts_with(databases[j])) << "looked for already";
}

}  // namespace
}  // namespace parlance::memory
