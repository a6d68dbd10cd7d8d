// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/builtin_embedder.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

#include <gtest/gtest.h>

#include "parlance/async/loop.h"
#include "parlance/base/sha256.h"
#include "parlance/base/utf8.h"
#include "parlance/memory/ranking.h"

namespace parlance::memory {
namespace {

double near(std::string_view a, std::string_view b) { return cosine(embed_text(a), embed_text(b)); }

double length(const Vector& vector) {
  double squares = 0;
  for (const float x : vector) squares += static_cast<double>(x) * static_cast<double>(x);
  return std::sqrt(squares);
}

std::string bytes_of(const Vector& vector) {
  std::string bytes;
  for (const float x : vector)
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(std::bit_cast<std::uint32_t>(x) >> shift);
  return bytes;
}

TEST(BuiltinEmbedder, TheSameBytesOnEveryMachine) {
  // Stored vectors depend on these. A change needs another id of the embedder (and only then a new hash).
  ASSERT_EQ(builtin_embedder_id, "parlance-1/384");
  std::string all;
  for (const char* text : {"", "a", "The user prefers vim.", "Deployments happen every Tuesday at 10:00, but never in December.",
                           "用户喜欢深色主题", "数据库使用 PostgreSQL 16", "暗いテーマが好き", "데이터베이스는 어디에 있나요",
                           "Größe, Straße, Œuvre", "Настройки редактора", "max_connections = 100; // libsqlite3-dev", "🎉 party",
                           "ＦＵＬＬ ｗｉｄｔｈ", "to be or not to be, to be or not to be"})
    all += bytes_of(embed_text(text));
  std::string words;
  for (int i = 0; i < 3000; ++i) words += "word" + std::to_string(i * 7919 % 1000) + ' ';
  all += bytes_of(embed_text(words));
  EXPECT_EQ(sha256_hex(all), "8687a65a1fa5d5e31c3a22479e543ce28dfd8213fa9beb10c303f7b192e5584c");
}

TEST(BuiltinEmbedder, VectorsHaveUnitLengthOrAreZero) {
  for (const char* text : {"x", "7", "the", "编", "🎉", "The quick brown fox", "\xff\xfe valid \xe4"})
    EXPECT_NEAR(length(embed_text(text)), 1, 1e-6) << text;
  for (const char* text : {"", " \n\t", "?!… — «»", "。、「」", "\xff\xfe\xfd", "\xcc\x81"})
    EXPECT_EQ(embed_text(text), Vector(builtin_dimension)) << text;
}

TEST(BuiltinEmbedder, EquivalentSpellingsAreEqual) {
  EXPECT_EQ(embed_text("The Café, OPENS!"), embed_text("the cafe opens"));
  EXPECT_EQ(embed_text("ＶＩＭ　編輯"), embed_text("vim 编辑"));
  EXPECT_EQ(embed_text("Ёлка"), embed_text("елка"));
  EXPECT_NE(embed_text("vim"), embed_text("emacs"));
}

TEST(BuiltinEmbedder, MoreCommonWordsAreNearer) {
  EXPECT_GT(near("favourite editor", "prefers vim as the editor"), near("favourite editor", "the bus leaves at nine"));
  EXPECT_GT(near("deploying", "deployments"), 0.3) << "parts of words";
  EXPECT_GT(near("depoyl the servre", "deploy the server"), near("depoyl the servre", "water the garden"));
  EXPECT_GT(near("dark theme", "喜欢深色主题"), 0.3) << "names in two languages";
  EXPECT_GT(near("数据库备份", "备份每天的数据库"), 0.5);
  EXPECT_GT(near("Datenbankpasswort", "Passwort der Datenbank"), 0.1);
  EXPECT_LT(std::abs(near("the cat sleeps", "quarterly tax report")), 0.2);
  EXPECT_LT(near("what is the and of", "what is the cat of"), 0.5) << "fillers do not make texts alike";
  EXPECT_GT(near("log log log log", "log"), 0.9) << "said again is not said more";
}

TEST(BuiltinEmbedder, AnyBytesOfAnyLength) {
  std::mt19937_64 random(20240611);
  for (int i = 0; i < 300; ++i) {
    std::string text(random() % 200, '\0');
    for (char& c : text) c = static_cast<char>(random());
    const Vector vector = embed_text(text);
    ASSERT_EQ(vector.size(), builtin_dimension);
    EXPECT_TRUE(std::abs(length(vector) - 1) < 1e-6 || length(vector) == 0);
    EXPECT_EQ(vector, embed_text(text));
  }
  std::string huge;
  while (huge.size() < std::size_t{4} << 20) huge += "word" + std::to_string(huge.size()) + " 字";
  EXPECT_NEAR(length(embed_text(huge)), 1, 1e-6);
  EXPECT_NEAR(length(embed_text(std::string(std::size_t{1} << 20, 'x'))), 1, 1e-6);
}

TEST(BuiltinEmbedder, IsAnEmbedder) {
  Loop loop;
  BuiltinEmbedder embedder;
  const auto info = loop.block_on(embedder.info());
  ASSERT_TRUE(info);
  EXPECT_EQ(info->dimension, builtin_dimension);
  EXPECT_EQ(info->id, builtin_embedder_id);
  EXPECT_TRUE(info->id.ends_with("/" + std::to_string(info->dimension)));
  const auto vectors = loop.block_on(embedder.embed({"one", "", "two"}));
  ASSERT_TRUE(vectors);
  EXPECT_EQ(*vectors, (std::vector<Vector>{embed_text("one"), embed_text(""), embed_text("two")}));
  EXPECT_TRUE(loop.block_on(embedder.embed({}))->empty());
}

}  // namespace
}  // namespace parlance::memory
