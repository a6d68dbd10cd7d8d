// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/calibrate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "parlance/async/loop.h"
#include "parlance/memory/builtin_embedder.h"

namespace parlance::memory {
namespace {

std::vector<double> spread(double from, double to, int count = 40) {
  std::vector<double> all;
  for (int i = 0; i < count; ++i) all.push_back(from + (to - from) * i / (count - 1));
  return all;
}

void expect_rising(const Calibration& calibration) {
  for (std::size_t i = 1; i < calibration.knots.size(); ++i) {
    EXPECT_LT(calibration.knots[i - 1].cosine, calibration.knots[i].cosine);
    EXPECT_LE(calibration.knots[i - 1].score, calibration.knots[i].score);
  }
}

struct Embeddings {
  const char* what;
  std::vector<double> together, near, apart;
};

TEST(Calibrate, SeparatesAnyRangeOfAnEmbedder) {
  for (const Embeddings& embeddings : {Embeddings{"wide", spread(0.6, 0.95), spread(0.2, 0.5), spread(-0.2, 0.15)},
                                       Embeddings{"all high", spread(0.86, 0.97), spread(0.78, 0.84), spread(0.68, 0.77)},
                                       Embeddings{"all low", spread(0.3, 0.7), spread(0.1, 0.25), spread(-0.05, 0.1)}}) {
    const Calibrated found = calibration_from(embeddings.together, embeddings.near, embeddings.apart);
    expect_rising(found.calibration);
    EXPECT_EQ(found.recall, 1) << embeddings.what;
    EXPECT_EQ(found.precision, 1) << embeddings.what;
    for (const double cosine : embeddings.together) EXPECT_GE(found.calibration.score(cosine), 0.7) << embeddings.what;
    for (const double cosine : embeddings.near) EXPECT_LT(found.calibration.score(cosine), 0.7) << embeddings.what;
    for (const double cosine : embeddings.apart) EXPECT_LT(found.calibration.score(cosine), 0.4) << embeddings.what;
    EXPECT_EQ(found.calibration.score(1), 1);
  }
}

TEST(Calibrate, WhereThePairsOverlapOtherSubjectsStayOut) {
  const Calibrated found = calibration_from(spread(0.4, 0.9), spread(0.2, 0.6), spread(-0.1, 0.45));
  expect_rising(found.calibration);
  EXPECT_GT(found.precision, 0.8);
  EXPECT_GT(found.recall, 0.4);
  EXPECT_LT(found.recall, 1);
  EXPECT_LT(found.calibration.score(0.45), 0.7);
}

TEST(Calibrate, VectorsThatSayNothingScoreNothing) {
  const double broken = std::numeric_limits<double>::quiet_NaN();
  for (const Embeddings& embeddings : {Embeddings{"alike", spread(0.99, 0.99), spread(0.99, 0.99), spread(0.99, 0.99)},
                                       Embeddings{"zeros", spread(0, 0), spread(0, 0), spread(0, 0)},
                                       Embeddings{"turned", spread(0, 0.1), spread(0.5, 0.9), spread(0.5, 0.9)},
                                       Embeddings{"no numbers", {broken}, {broken}, {broken}}, Embeddings{"none", {}, {}, {}}}) {
    const Calibrated found = calibration_from(embeddings.together, embeddings.near, embeddings.apart);
    for (const double cosine : {-1.0, 0.0, 0.5, 0.9, 0.99}) EXPECT_EQ(found.calibration.score(cosine), 0) << embeddings.what;
    EXPECT_EQ(found.calibration.score(1), 1) << "but for the same text";
  }
}

TEST(Calibrate, TheSentencesAreDistinctAndOfTwoLanguages) {
  const auto& texts = calibration_texts();
  EXPECT_EQ(std::set<std::string>(texts.begin(), texts.end()).size(), texts.size());
  EXPECT_EQ(texts.size() % 3, 0U);
  EXPECT_LE(texts.size(), 100U) << "one batch of most services";
  EXPECT_TRUE(std::ranges::any_of(texts, [](const std::string& text) { return static_cast<unsigned char>(text[0]) >= 0xe4; }));
}

class Failing : public Embedder {
 public:
  explicit Failing(bool short_answer) : short_answer_(short_answer) {}
  Task<Result<EmbedderInfo>> info() override {
    PARLANCE_CHECK(false, "calibrate asks for no info: an embedder may calibrate to answer that");
  }
  Task<Result<std::vector<Vector>>> embed(std::vector<std::string> texts) override {
    if (!short_answer_) co_return fail(Errc::disconnected, "no service");
    co_return std::vector<Vector>(texts.size() - 1, Vector{1, 0});
  }

 private:
  bool short_answer_;
};

TEST(Calibrate, AsksTheEmbedderOnceAndPassesItsErrorsOn) {
  Loop loop;
  BuiltinEmbedder builtin;
  const auto found = loop.block_on(calibrate(builtin));
  ASSERT_TRUE(found);
  expect_rising(*found);
  EXPECT_GE(found->score(1), 0.99);
  Failing failing(false);
  EXPECT_EQ(loop.block_on(calibrate(failing)).error().message, "no service");
  Failing careless(true);
  EXPECT_EQ(loop.block_on(calibrate(careless)).error().code, Errc::invalid_params);
}

}  // namespace
}  // namespace parlance::memory
