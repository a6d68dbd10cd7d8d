// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/ranking.h"

#include <gtest/gtest.h>

#include "parlance/memory/builtin_embedder.h"

namespace parlance::memory {
namespace {

constexpr double minimum = 0.7;

TEST(Ranking, OneStrongSideOrTwoNearlyStrongSidesSuffice) {
  EXPECT_GE(join(0.75, 0), minimum);
  EXPECT_GE(join(0, 0.75), minimum);
  EXPECT_GE(join(0.65, 0.6), minimum);
  EXPECT_LT(join(0.65, 0.1), minimum);
  EXPECT_LT(join(0.5, 0.6), minimum) << "half of the words, and a vector of these words only";
  EXPECT_EQ(join(0, 0), 0);
  EXPECT_EQ(join(1, 1), 1);
}

TEST(Ranking, MoreOfEitherIsNeverLess) {
  for (double words = 0; words <= 1; words += 0.05)
    for (double vector = 0; vector <= 1; vector += 0.05) {
      const double here = join(words, vector);
      EXPECT_LE(here, 1);
      EXPECT_GE(here, std::max(words, vector));
      EXPECT_LE(here, join(std::min(1.0, words + 0.05), vector) + 1e-12);
      EXPECT_DOUBLE_EQ(here, join(vector, words));
    }
}

Match match_builtin(std::string_view query, std::string_view text) {
  return match(KeywordQuery(query), text, cosine(embed_text(query), embed_text(text)), builtin_calibration());
}

TEST(Ranking, SharedWordsWithoutAnAnswerStayBelow) {
  EXPECT_LT(match_builtin("database password", "The database is PostgreSQL").score, minimum);
  EXPECT_LT(match_builtin("red car insurance", "The car is parked outside").score, minimum);
  EXPECT_LT(match_builtin("数据库密码", "数据库在三号机房").score, minimum);
  EXPECT_GE(match_builtin("which database do we use", "The database is PostgreSQL").score, minimum);
  EXPECT_GE(match_builtin("port 5433", "The port is 5432").score, minimum) << "other numbers are still matches";
  EXPECT_GE(match_builtin("tabs for indentation", "Never use tabs for indentation").score, minimum) << "and so is a negation";
}

TEST(Ranking, AMatchNamesItsSource) {
  EXPECT_EQ((Match{.words = 0.9, .vector = 0.2}.by()), "keyword");
  EXPECT_EQ((Match{.words = 0.2, .vector = 0.9}.by()), "vector");
  EXPECT_EQ((Match{.words = 0.8, .vector = 0.8}.by()), "both");
  const Match without = match(KeywordQuery("vim"), "prefers vim", std::nullopt, builtin_calibration());
  EXPECT_EQ(without.by(), "keyword");
  EXPECT_EQ(without.score, without.words);
}

TEST(Ranking, ImportanceAndCategoryReorderNeighboursOnly) {
  const auto rank = [](double score, double importance, Category category) {
    return rank_of({.entry = {.category = category, .importance = importance}, .score = score});
  };
  EXPECT_GT(rank(0.8, 1, Category::other), rank(0.81, 0, Category::other));
  EXPECT_GT(rank(0.8, 0.5, Category::decision), rank(0.8, 0.5, Category::preference));
  EXPECT_GT(rank(0.8, 0.5, Category::preference), rank(0.8, 0.5, Category::fact));
  EXPECT_GT(rank(0.8, 0.5, Category::fact), rank(0.8, 0.5, Category::entity));
  EXPECT_GT(rank(0.8, 0.5, Category::entity), rank(0.8, 0.5, Category::other));
  EXPECT_LT(rank(0.7, 1, Category::decision), rank(0.9, 0, Category::other));
}

TEST(Ranking, Cosines) {
  const std::vector<float> a = {1, 0};
  const std::vector<float> b = {0.6F, 0.8F};
  EXPECT_NEAR(cosine(a, b), 0.6, 1e-6);
  EXPECT_EQ(cosine(a, std::vector<float>{0, 0}), 0);
  EXPECT_EQ(cosine(a, std::vector<float>{1, 0, 0}), 0) << "vectors of two embedders are never compared";
}

TEST(Calibration, IsStraightBetweenKnotsAndLevelOutside) {
  const Calibration curve{.knots = {{0.2, 0}, {0.6, 0.7}, {0.8, 0.9}}};
  EXPECT_EQ(curve.score(-1), 0);
  EXPECT_NEAR(curve.score(0.4), 0.35, 1e-9);
  EXPECT_NEAR(curve.score(0.6), 0.7, 1e-9);
  EXPECT_EQ(curve.score(1), 0.9);
  EXPECT_EQ(Calibration{}.score(0.3), 0.3);
  EXPECT_EQ(Calibration{}.score(-0.3), 0);
}

}  // namespace
}  // namespace parlance::memory
