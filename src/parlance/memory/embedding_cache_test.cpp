// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/embedding_cache.h"

#include <string>

#include <gtest/gtest.h>

namespace parlance::memory {
namespace {

constexpr std::size_t room_for_one = 4 * sizeof(float) + 200;

TEST(EmbeddingCache, KeepsStoredEntries) {
  EmbeddingCache cache;
  EXPECT_EQ(cache.find("tea"), nullptr);
  cache.put("tea", {1, 0});
  cache.put("coffee", {0, 1});
  ASSERT_NE(cache.find("tea"), nullptr);
  EXPECT_EQ(*cache.find("tea"), (Vector{1, 0}));
  EXPECT_EQ(*cache.find("coffee"), (Vector{0, 1}));
  EXPECT_EQ(cache.find("Tea"), nullptr);
  EXPECT_EQ(cache.size(), 2U);
}

TEST(EmbeddingCache, ASecondVectorOfATextReplacesTheFirst) {
  EmbeddingCache cache;
  cache.put("tea", {1, 0});
  const std::size_t bytes = cache.bytes();
  cache.put("tea", {0, 1});
  EXPECT_EQ(*cache.find("tea"), (Vector{0, 1}));
  EXPECT_EQ(cache.size(), 1U);
  EXPECT_EQ(cache.bytes(), bytes);
}

TEST(EmbeddingCache, EvictsTheLeastRecentlyUsedEntry) {
  EmbeddingCache cache(3 * room_for_one);
  for (const char* text : {"a", "b", "c"}) cache.put(text, {1, 2, 3, 4});
  ASSERT_EQ(cache.size(), 3U);
  ASSERT_NE(cache.find("a"), nullptr);  // used again: now b is the oldest
  cache.put("d", {1, 2, 3, 4});
  EXPECT_EQ(cache.find("b"), nullptr);
  for (const char* text : {"a", "c", "d"}) EXPECT_NE(cache.find(text), nullptr) << text;
}

TEST(EmbeddingCache, ItsBytesAreBounded) {
  constexpr std::size_t most = 20'000;
  EmbeddingCache cache(most);
  for (int i = 0; i < 1'000; ++i) {
    cache.put("text " + std::to_string(i), Vector(static_cast<std::size_t>(i % 50), 1.0F));
    ASSERT_LE(cache.bytes(), most);
  }
  EXPECT_GT(cache.size(), 10U);
  EXPECT_NE(cache.find("text 999"), nullptr);
  cache.put("too big for it", Vector(most, 1.0F));
  EXPECT_EQ(cache.find("too big for it"), nullptr);
  EXPECT_NE(cache.find("text 999"), nullptr);
  cache.clear();
  EXPECT_EQ(cache.bytes(), 0U);
  EXPECT_EQ(cache.find("text 999"), nullptr);
}

}  // namespace
}  // namespace parlance::memory
