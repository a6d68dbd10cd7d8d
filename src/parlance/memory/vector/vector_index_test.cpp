// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/vector/vector_index.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "parlance/memory/vector/vector_test_support.h"

namespace parlance::memory {
namespace {

using test::Indexed;
using test::Vectors;

constexpr std::uint32_t only(std::uint8_t group) { return 1U << group; }

TEST(VectorIndex, QuantizedVectorsAreNearTheirOriginals) {
  Vectors vectors(384, 1, 1);
  for (int round = 0; round < 100; ++round) {
    const std::vector<float> vector = vectors.uniform();
    const QuantizedVector quantized = quantize(vector);
    for (std::size_t i = 0; i < vector.size(); ++i) {
      EXPECT_NEAR(static_cast<float>(quantized.bytes[i]) * quantized.scale, vector[i], quantized.scale * 0.5001F);
      EXPECT_GE(quantized.bytes[i], -127);
    }
  }
}

TEST(VectorIndex, InvalidVectorsQuantizeToZeros) {
  const QuantizedVector zeros{.bytes = {0, 0, 0}, .scale = 0};
  for (const float odd : {0.0F, std::nanf(""), std::numeric_limits<float>::infinity()}) {
    const QuantizedVector quantized = quantize(std::vector<float>{odd == 0.0F ? 0.0F : 1.0F, odd, 0});
    EXPECT_EQ(quantized.bytes, zeros.bytes);
    EXPECT_EQ(quantized.scale, 0.0F);
  }
}

struct Shape {
  std::size_t dimension;
  std::size_t rows;
};

class VectorIndexOfDimension : public testing::TestWithParam<Shape> {};

TEST_P(VectorIndexOfDimension, FindsTheTrueTen) {
  const auto [dimension, count] = GetParam();
  Vectors vectors(dimension, 20, 2);
  Indexed uniform(dimension), clustered(dimension);
  for (std::size_t i = 0; i < count; ++i) {
    uniform.set(static_cast<std::int64_t>(i), vectors.uniform(), static_cast<std::uint8_t>(i % 5));
    clustered.set(static_cast<std::int64_t>(i), vectors.clustered(), static_cast<std::uint8_t>(i % 5));
  }
  for (int round = 0; round < 10; ++round) {
    EXPECT_EQ(uniform.hits(vectors.uniform(), 10), 10U);
    EXPECT_EQ(clustered.hits(vectors.clustered(), 10), 10U);
    EXPECT_EQ(clustered.hits(vectors.clustered(), 10, only(3)), 10U) << "of one group";
    EXPECT_EQ(clustered.hits(vectors.uniform(), 5, only(0) | only(4)), 5U) << "of two groups";
  }
}

INSTANTIATE_TEST_SUITE_P(OddOnes, VectorIndexOfDimension,
                         testing::Values(Shape{1, 300}, Shape{3, 3000}, Shape{383, 3000}, Shape{384, 5000}, Shape{768, 2000},
                                         Shape{1536, 1000}, Shape{3072, 500}),
                         [](const auto& shape) { return std::to_string(shape.param.dimension); });

TEST(VectorIndex, TheNearestComeFirstWithTheirCosines) {
  Vectors vectors(384, 10, 3);
  Indexed indexed(384);
  for (int i = 0; i < 500; ++i) indexed.set(i, vectors.clustered());
  const std::vector<float> query = vectors.clustered();
  const auto expected = indexed.truth(query, 10);
  const auto found = indexed.index.search(query, 10, indexed.exact);
  ASSERT_EQ(found.size(), 10U);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].number, expected[i].number);
    EXPECT_NEAR(found[i].cosine, expected[i].cosine, 1e-6);
  }
  const auto itself = indexed.index.search(indexed.rows.at(77).vector, 1, indexed.exact);
  ASSERT_EQ(itself.size(), 1U);
  EXPECT_EQ(itself[0], (VectorIndex::Found{.number = 77, .cosine = 1}));
}

TEST(VectorIndex, TheLengthOfAQueryDoesNotMatter) {
  Vectors vectors(100, 10, 4);
  Indexed indexed(100);
  for (int i = 0; i < 500; ++i) indexed.set(i, vectors.clustered());
  std::vector<float> query = vectors.clustered();
  const auto found = indexed.index.search(query, 10, indexed.exact);
  for (float& component : query) component *= 1024;
  EXPECT_EQ(indexed.index.search(query, 10, indexed.exact), found);
}

// int8 cannot distinguish these rows: only exact rows, as many as necessary, put them in order.
TEST(VectorIndex, NearDuplicatesAreDistinguished) {
  Vectors vectors(384, 1, 5);
  Indexed indexed(384);
  const std::vector<float> centre = vectors.uniform();
  for (int i = 0; i < 1200; ++i) indexed.set(i, vectors.near(centre, 2e-4F));
  for (int round = 0; round < 10; ++round) {
    const std::vector<float> query = vectors.near(centre, 0.03F);
    const auto expected = indexed.truth(query, 10);
    const auto found = indexed.index.search(query, 10, indexed.exact);
    ASSERT_EQ(found.size(), 10U);
    for (std::size_t i = 0; i < 10; ++i) EXPECT_FLOAT_EQ(found[i].cosine, expected[i].cosine);
  }
}

TEST(VectorIndex, EqualRowsComeByNumber) {
  Vectors vectors(64, 1, 6);
  Indexed indexed(64);
  const std::vector<float> vector = vectors.uniform();
  for (const int number : {9, -3, 5, 700, 1}) indexed.set(number, vector);
  std::vector<std::int64_t> numbers;
  for (const auto& found : indexed.index.search(vector, 4, indexed.exact)) numbers.push_back(found.number);
  EXPECT_EQ(numbers, (std::vector<std::int64_t>{-3, 1, 5, 9}));
}

TEST(VectorIndex, EveryProcessorFindsTheSame) {
  std::vector<std::vector<VectorIndex::Found>> of_first;
  for (const ScanKernel& kernel : scan_kernels()) {
    Vectors vectors(383, 30, 7);
    Indexed indexed(383, {.kernel = &kernel});
    for (int i = 0; i < 3000; ++i) indexed.set(i, i % 3 ? vectors.clustered() : vectors.uniform());
    std::vector<std::vector<VectorIndex::Found>> all;
    for (int round = 0; round < 50; ++round) all.push_back(indexed.index.search(vectors.clustered(), 10, indexed.exact));
    if (of_first.empty()) of_first = all;
    EXPECT_EQ(all, of_first) << kernel.name;
  }
}

TEST(VectorIndex, ChangesAreSeenAtOnce) {
  Vectors vectors(48, 12, 8);
  Indexed indexed(48);
  for (int step = 0; step < 6000; ++step) {
    const auto number = static_cast<std::int64_t>(vectors.any(1500)) - 500;
    if (const auto group = static_cast<std::uint8_t>(vectors.any(5)); vectors.any(4) != 0) {
      indexed.set(number, vectors.clustered(), group);
    } else if (const bool there = indexed.rows.contains(number); vectors.any(3) == 0) {
      EXPECT_EQ(indexed.index.set_group(number, group), there);
      if (there) indexed.rows[number].group = group;
    } else {
      EXPECT_EQ(indexed.index.remove(number), there);
      indexed.remove(number);
    }
    ASSERT_EQ(indexed.index.size(), indexed.rows.size());
    if (step % 20 == 0 && indexed.rows.size() > 100) {
      ASSERT_EQ(indexed.hits(vectors.clustered(), 10), 10U);
      ASSERT_EQ(indexed.hits(vectors.clustered(), 3, only(2)), 3U);
    }
  }
  while (!indexed.rows.empty()) indexed.remove(indexed.rows.begin()->first);
  EXPECT_EQ(indexed.index.size(), 0U);
  EXPECT_TRUE(indexed.index.search(vectors.uniform(), 10, indexed.exact).empty());
  indexed.set(1, vectors.uniform());
  indexed.index.clear();
  EXPECT_EQ(indexed.index.size(), 0U);
  EXPECT_FALSE(indexed.index.remove(1));
}

TEST(VectorIndex, FewerRowsThanAskedFor) {
  Vectors vectors(16, 3, 9);
  Indexed indexed(16);
  EXPECT_TRUE(indexed.index.search(vectors.uniform(), 10, indexed.exact).empty());
  for (int i = 0; i < 7; ++i) indexed.set(i, vectors.uniform(), static_cast<std::uint8_t>(i % 2));
  EXPECT_EQ(indexed.index.search(vectors.uniform(), 10, indexed.exact).size(), 7U);
  EXPECT_EQ(indexed.index.search(vectors.uniform(), 10, indexed.exact, only(1)).size(), 3U);
  EXPECT_TRUE(indexed.index.search(vectors.uniform(), 10, indexed.exact, only(9)).empty());
  EXPECT_TRUE(indexed.index.search(vectors.uniform(), 0, indexed.exact).empty());
}

TEST(VectorIndex, AZeroVectorIsSimilarToNoVector) {
  Vectors vectors(16, 3, 10);
  Indexed indexed(16);
  indexed.set(1, std::vector<float>(16, 0.0F));
  indexed.set(2, vectors.uniform());
  EXPECT_TRUE(indexed.index.search(std::vector<float>(16, 0.0F), 10, indexed.exact).empty());
  const auto found = indexed.index.search(vectors.uniform(), 10, indexed.exact);
  ASSERT_EQ(found.size(), 1U) << "the row of zeros is not found";
  EXPECT_EQ(found[0].number, 2);
}

// Another process may have deleted them in the database while this one still has them in its index.
TEST(VectorIndex, RemovedRowsLeaveTheirSlotToOthers) {
  Vectors vectors(64, 1, 11);
  Indexed indexed(64);
  const std::vector<float> centre = vectors.uniform();
  for (int i = 0; i < 60; ++i) indexed.set(i, vectors.near(centre, 0.01F));
  for (int i = 60; i < 80; ++i) indexed.set(i, vectors.uniform());
  for (int i = 0; i < 60; ++i) indexed.exact.remove(i);
  const auto found = indexed.index.search(centre, 10, indexed.exact);
  ASSERT_EQ(found.size(), 10U);
  for (const auto& neighbour : found) EXPECT_GE(neighbour.number, 60);
}

TEST(VectorIndex, MemoryIsProportionalToRows) {
  constexpr std::size_t dimension = 384, count = 20000;
  Vectors vectors(dimension, 1, 12);
  const std::vector<float> vector = vectors.uniform();
  Indexed indexed(dimension);
  const QuantizedVector quantized = quantize(vector);
  for (std::size_t i = 0; i < count; ++i) {
    indexed.index.set(static_cast<std::int64_t>(i), quantized.bytes, quantized.scale, 0);
    indexed.exact.set(static_cast<std::int64_t>(i), vector);
  }
  EXPECT_LE(static_cast<double>(indexed.index.bytes()), 1.3 * count * dimension);
  EXPECT_LE(static_cast<double>(indexed.index.bytes() + indexed.exact.bytes()), 1.3 * count * dimension * 5);
  EXPECT_GE(indexed.index.bytes(), count * dimension);
  for (std::size_t i = 0; i < count - 10; ++i) indexed.index.remove(static_cast<std::int64_t>(i));
  EXPECT_LE(indexed.index.bytes(), count * dimension / 4) << "given back";
}

TEST(ExactRows, AreTheLatestValues) {
  Vectors vectors(7, 1, 13);
  ExactRowsInMemory exact(7);
  std::map<std::int64_t, std::vector<float>> model;
  for (int step = 0; step < 20000; ++step) {
    const auto number = static_cast<std::int64_t>(vectors.any(12000)) * 1'000'003;
    if (vectors.any(3) != 0) {
      exact.set(number, model[number] = vectors.uniform());
    } else {
      ASSERT_EQ(exact.remove(number), model.erase(number) == 1);
    }
  }
  ASSERT_EQ(exact.size(), model.size());
  for (const auto& [number, vector] : model) {
    const std::int64_t numbers[]{-1, number};
    std::vector<float> out(14, 0.0F);
    exact.read(numbers, out);
    EXPECT_EQ(std::vector<float>(out.begin(), out.begin() + 7), std::vector<float>(7, 0.0F));
    EXPECT_EQ(std::vector<float>(out.begin() + 7, out.end()), vector);
  }
}

}  // namespace
}  // namespace parlance::memory
