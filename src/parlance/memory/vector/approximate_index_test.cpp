// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/vector/approximate_index.h"

#include <thread>

#include <gtest/gtest.h>

#include "parlance/memory/vector/vector_test_support.h"

// hnswlib's locks on rows have no order, because many threads might insert at once. Here a single thread inserts, and takes no
// other locks.
extern "C" const char* __tsan_default_options() { return "detect_deadlocks=0"; }

namespace parlance::memory {
namespace {

using test::Indexed;
using test::Vectors;

constexpr std::size_t dimension = 64;
constexpr std::size_t topics = 40;
constexpr VectorIndexSettings from_thousand_rows{.approximate_from_bytes = 1000 * row_length(dimension)};

// The duration of a build is unknown here: the test polls for the result.
void finish_build(VectorIndex& index) {
  while (!index.poll()) std::this_thread::yield();
}

void fill(Indexed& indexed, Vectors& vectors, std::int64_t from, std::int64_t count) {
  for (std::int64_t i = from; i < from + count; ++i) {
    indexed.set(i, vectors.of_topic(static_cast<std::size_t>(i)), static_cast<std::uint8_t>(i % 5));
  }
}

double recall(Indexed& indexed, Vectors& vectors) {
  std::size_t hits = 0;
  constexpr std::size_t rounds = 100;
  for (std::size_t i = 0; i < rounds; ++i) hits += indexed.hits(vectors.clustered(), 10);
  return static_cast<double>(hits) / (10.0 * rounds);
}

class ApproximateIndexTest : public testing::Test {
 protected:
  Vectors vectors{dimension, topics, 1};
  Indexed indexed{dimension, from_thousand_rows};

  void build() {
    indexed.index.start_approximate();
    finish_build(indexed.index);
    ASSERT_TRUE(indexed.index.approximate());
  }
};

TEST_F(ApproximateIndexTest, IsWantedFromASizeOn) {
  fill(indexed, vectors, 0, 999);
  EXPECT_FALSE(indexed.index.wants_approximate());
  fill(indexed, vectors, 999, 1);
  EXPECT_TRUE(indexed.index.wants_approximate());
  EXPECT_EQ(indexed.index.measure_recall(10, indexed.exact), std::nullopt);
  indexed.index.start_approximate();
  EXPECT_FALSE(indexed.index.wants_approximate()) << "one is being built";
  ASSERT_TRUE(indexed.index.approximate_progress().has_value());
  finish_build(indexed.index);
  EXPECT_TRUE(indexed.index.approximate());
  EXPECT_FALSE(indexed.index.wants_approximate());
  EXPECT_EQ(indexed.index.approximate_progress(), std::nullopt);
  EXPECT_FALSE(indexed.index.poll()) << "nothing new";
}

TEST_F(ApproximateIndexTest, FindsNearlyAllOfTheNearest) {
  fill(indexed, vectors, 0, 6000);
  const std::size_t before = indexed.index.bytes();
  build();
  EXPECT_GE(recall(indexed, vectors), 0.98);
  EXPECT_GE(indexed.index.measure_recall(50, indexed.exact).value_or(0), 0.98);
  EXPECT_GT(indexed.index.bytes(), before);
  EXPECT_LE(indexed.index.bytes() - before, 6000U * 200U) << "links, and no copy of the rows";
  for (int round = 0; round < 20; ++round) EXPECT_EQ(indexed.hits(vectors.clustered(), 10, 1U << 2), 10U) << "a filter: exact";
}

// The graph contains the rows from the beginning of its build.
TEST_F(ApproximateIndexTest, ChangesDuringTheBuildAreNotLost) {
  fill(indexed, vectors, 0, 3000);
  indexed.index.start_approximate();
  EXPECT_EQ(recall(indexed, vectors), 1.0) << "exact meanwhile";
  for (std::int64_t i = 0; i < 300; ++i) indexed.remove(i * 10);
  for (std::int64_t i = 0; i < 300; ++i) indexed.set(i * 10 + 1, vectors.clustered());
  fill(indexed, vectors, 3000, 200);
  EXPECT_EQ(recall(indexed, vectors), 1.0);
  finish_build(indexed.index);
  ASSERT_TRUE(indexed.index.approximate());
  EXPECT_EQ(indexed.index.size(), indexed.rows.size());
  EXPECT_GE(recall(indexed, vectors), 0.98);
  for (const std::int64_t number : {1L, 2991L, 3000L, 3199L}) {
    const auto found = indexed.index.search(indexed.rows.at(number).vector, 1, indexed.exact);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].number, number) << "added or replaced meanwhile";
  }
}

TEST_F(ApproximateIndexTest, ChangesAreSeenAtOnce) {
  fill(indexed, vectors, 0, 3000);
  build();
  for (int step = 0; step < 600; ++step) {
    const auto number = static_cast<std::int64_t>(vectors.any(3100));
    if (vectors.any(2) != 0) {
      indexed.set(number, vectors.clustered());
    } else {
      indexed.remove(number);
    }
  }
  EXPECT_EQ(indexed.index.size(), indexed.rows.size());
  EXPECT_GE(recall(indexed, vectors), 0.98);
}

TEST_F(ApproximateIndexTest, ANewCategoryIsNoNewRow) {
  fill(indexed, vectors, 0, 2000);
  build();
  for (std::int64_t i = 0; i < 2000; ++i) indexed.set(i, indexed.rows.at(i).vector, 7);
  EXPECT_FALSE(indexed.index.wants_approximate());
  EXPECT_EQ(indexed.index.size(), 2000U);
  EXPECT_EQ(indexed.hits(vectors.clustered(), 10, 1U << 7), 10U);
}

// All rows near the query are forgotten: the search continues to the nearest remaining rows.
TEST_F(ApproximateIndexTest, AForgottenTopicDoesNotHideTheOthers) {
  fill(indexed, vectors, 0, 4000);
  indexed.index.start_approximate();
  for (std::int64_t i = 9; i < 4000; i += topics) indexed.remove(i);
  finish_build(indexed.index);
  ASSERT_TRUE(indexed.index.approximate());
  for (std::int64_t i = 7; i < 4000; i += topics) indexed.remove(i);
  for (const std::size_t topic : {7U, 9U}) {
    std::size_t hits = 0;
    for (int round = 0; round < 20; ++round) hits += indexed.hits(vectors.of_topic(topic), 10);
    EXPECT_GE(hits, 20U * 10 * 95 / 100) << "forgotten " << (topic == 7 ? "after" : "during") << " the build";
  }
}

TEST_F(ApproximateIndexTest, IsBuiltAgainAfterManyChanges) {
  fill(indexed, vectors, 0, 2000);
  build();
  fill(indexed, vectors, 2000, 500);
  EXPECT_FALSE(indexed.index.wants_approximate());
  fill(indexed, vectors, 2500, 1);
  ASSERT_TRUE(indexed.index.wants_approximate());
  indexed.index.start_approximate();
  EXPECT_TRUE(indexed.index.approximate()) << "the old one serves until then";
  EXPECT_GE(recall(indexed, vectors), 0.98);
  finish_build(indexed.index);
  EXPECT_TRUE(indexed.index.approximate());
  EXPECT_FALSE(indexed.index.wants_approximate());
  EXPECT_GE(recall(indexed, vectors), 0.98);
}

TEST_F(ApproximateIndexTest, GivesRoomBackWhenMuchIsGone) {
  fill(indexed, vectors, 0, 12000);
  build();
  const std::size_t before = indexed.index.bytes();
  for (std::int64_t i = 0; i < 9000; ++i) indexed.remove(i);
  ASSERT_TRUE(indexed.index.wants_approximate());
  indexed.index.start_approximate();
  EXPECT_FALSE(indexed.index.approximate()) << "rows move together: no graph until the new one";
  EXPECT_EQ(recall(indexed, vectors), 1.0);
  finish_build(indexed.index);
  ASSERT_TRUE(indexed.index.approximate());
  EXPECT_LT(indexed.index.bytes(), before / 2);
  EXPECT_GE(recall(indexed, vectors), 0.98);
}

TEST_F(ApproximateIndexTest, GoesWhenFewRowsAreLeft) {
  fill(indexed, vectors, 0, 1200);
  build();
  for (std::int64_t i = 0; i < 800; ++i) indexed.remove(i);
  EXPECT_TRUE(indexed.index.poll());
  EXPECT_FALSE(indexed.index.approximate());
  EXPECT_FALSE(indexed.index.wants_approximate());
  EXPECT_EQ(recall(indexed, vectors), 1.0);
}

TEST_F(ApproximateIndexTest, ABuildCanBeGivenUp) {
  fill(indexed, vectors, 0, 3000);
  indexed.index.start_approximate();
  indexed.remove(5);
  indexed.index.cancel_approximate();
  EXPECT_FALSE(indexed.index.poll());
  EXPECT_FALSE(indexed.index.approximate());
  EXPECT_EQ(indexed.index.size(), 2999U);
  EXPECT_EQ(recall(indexed, vectors), 1.0);
  EXPECT_TRUE(indexed.index.wants_approximate()) << "it may be started again";
  indexed.index.start_approximate();
  indexed.index.clear();
  EXPECT_EQ(indexed.index.size(), 0U);
  indexed.index.start_approximate();
  EXPECT_EQ(indexed.index.approximate_progress(), std::nullopt) << "there is nothing to build it over";
}

TEST_F(ApproximateIndexTest, AnIndexMayEndDuringABuild) {
  fill(indexed, vectors, 0, 3000);
  indexed.index.start_approximate();
  VectorIndex moved = std::move(indexed.index);
  EXPECT_EQ(moved.search(indexed.rows.at(3).vector, 1, indexed.exact).at(0).number, 3);
  indexed.index = VectorIndex(dimension);
}

// Scanning is slower, but right.
TEST(ApproximateIndex, IsNotUsedWithALowRecall) {
  Vectors vectors(dimension, topics, 3);
  Indexed indexed(dimension, {.approximate_from_bytes = from_thousand_rows.approximate_from_bytes, .approximate_recall = 1.01});
  fill(indexed, vectors, 0, 1500);
  ASSERT_TRUE(indexed.index.wants_approximate());
  indexed.index.start_approximate();
  finish_build(indexed.index);
  EXPECT_FALSE(indexed.index.approximate());
  EXPECT_EQ(recall(indexed, vectors), 1.0);
  EXPECT_FALSE(indexed.index.wants_approximate()) << "the same rows would not do better";
  fill(indexed, vectors, 1500, 1500);
  EXPECT_TRUE(indexed.index.wants_approximate()) << "twice as many might";
}

TEST(ApproximateIndex, EveryProcessorBuildsTheSame) {
  std::vector<std::vector<VectorIndex::Found>> of_first;
  for (const ScanKernel& kernel : scan_kernels()) {
    Vectors vectors(dimension, topics, 4);
    Indexed indexed(dimension, {.approximate_from_bytes = from_thousand_rows.approximate_from_bytes, .kernel = &kernel});
    fill(indexed, vectors, 0, 1500);
    indexed.index.start_approximate();
    finish_build(indexed.index);
    ASSERT_TRUE(indexed.index.approximate());
    std::vector<std::vector<VectorIndex::Found>> all;
    for (int round = 0; round < 50; ++round) all.push_back(indexed.index.search(vectors.uniform(), 10, indexed.exact));
    if (of_first.empty()) of_first = all;
    EXPECT_EQ(all, of_first) << kernel.name;
  }
}

}  // namespace
}  // namespace parlance::memory
