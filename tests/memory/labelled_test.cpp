// SPDX-License-Identifier: Apache-2.0
// The effect of the default minimum: the labelled pairs, with the built-in embedder and the store's ranking.
#include <array>
#include <cstdio>
#include <set>

#include <gtest/gtest.h>

#include "parlance/async/loop.h"
#include "parlance/memory/builtin_embedder.h"
#include "parlance/memory/calibrate.h"
#include "tests/memory/evaluation.h"

namespace parlance::test {
namespace {

constexpr double default_minimum = 0.7;
constexpr std::array<std::string_view, 1> words = {"words"};
constexpr std::array<std::string_view, 1> paraphrases = {"paraphrase"};

std::vector<LabelledPair> pairs_of(const std::string& name) {
  auto pairs = read_pairs(std::string(PARLANCE_SOURCE_DIR) + "/tests/memory/pairs." + name + ".jsonl");
  PARLANCE_CHECK(pairs, "the labelled pairs are there");
  return *std::move(pairs);
}

class Labelled : public testing::TestWithParam<const char*> {
 protected:
  std::vector<ScoredPair> scored(memory::Embedder& embedder) {
    auto all = loop.block_on(score_pairs(embedder, pairs_of(GetParam())));
    PARLANCE_CHECK(all, "an embedder that answers");
    return *std::move(all);
  }
  Loop loop;
};

// The built-in vectors with an estimated calibration, as for an unknown service.
class Uncalibrated : public memory::BuiltinEmbedder {
 public:
  explicit Uncalibrated(memory::Calibration found) : found_(std::move(found)) {}
  Task<Result<memory::EmbedderInfo>> info() override {
    auto info = co_await BuiltinEmbedder::info();
    info->calibration = found_;
    co_return info;
  }

 private:
  memory::Calibration found_;
};

TEST_P(Labelled, MatchesWithCommonWordsRankAboveLookalikes) {
  memory::BuiltinEmbedder embedder;
  const auto pairs = scored(embedder);
  std::fputs(report(std::string("built in, ") + GetParam(), pairs).c_str(), stdout);
  const Figures found = figures(pairs, words, default_minimum);
  EXPECT_GE(found.precision(), 0.9);
  EXPECT_GE(found.recall(), 0.8);
  // Without a common word, only the vocabulary helps; prints its success. The vocabulary grew together with the dev pairs, so
  // trust the others.
  EXPECT_GT(figures(pairs, paraphrases, default_minimum).found, 0U);
}

TEST_P(Labelled, AFoundCalibrationIsAboutAsGoodAsAMeasuredOne) {
  memory::BuiltinEmbedder embedder;
  auto calibration = loop.block_on(memory::calibrate(embedder));
  ASSERT_TRUE(calibration);
  Uncalibrated unknown(*calibration);
  const auto pairs = scored(unknown);
  std::fputs(report(std::string("built in, calibration found, ") + GetParam(), pairs).c_str(), stdout);
  const Figures found = figures(pairs, words, default_minimum);
  EXPECT_GE(found.precision(), 0.85);
  EXPECT_GE(found.recall(), 0.8);
}

INSTANTIATE_TEST_SUITE_P(Pairs, Labelled, testing::Values("dev", "heldout"),
                         [](const auto& set) { return std::string(set.param); });

TEST(LabelledPairs, AreEnoughAndOfEveryKind) {
  std::size_t all = 0;
  std::set<std::string> seen;
  for (const char* name : {"dev", "heldout"}) {
    std::set<std::string> kinds;
    for (const LabelledPair& pair : pairs_of(name)) {
      ++all;
      kinds.insert(pair.kind + "/" + pair.lang);
      EXPECT_EQ(pair.match, pair.kind == "words" || pair.kind == "paraphrase");
      EXPECT_TRUE(seen.insert(pair.query + '\n' + pair.text).second) << "a pair is there twice";
    }
    for (const char* kind : {"words", "paraphrase", "other", "hard"})
      for (const char* lang : {"en", "zh", "mixed"})
        EXPECT_TRUE(kinds.contains(std::string(kind) + "/" + lang)) << kind << ' ' << lang;
  }
  EXPECT_GE(all, 300U);
}

TEST(LabelledPairs, CalibrationSentencesAreNotAmongThem) {
  std::set<std::string> ours(memory::calibration_texts().begin(), memory::calibration_texts().end());
  for (const char* name : {"dev", "heldout"})
    for (const LabelledPair& pair : pairs_of(name)) EXPECT_FALSE(ours.contains(pair.query) || ours.contains(pair.text));
}

}  // namespace
}  // namespace parlance::test
