// SPDX-License-Identifier: Apache-2.0
// The labelled pairs in a store: what the ranking calls a match is found among thousands of other memories.
#include <algorithm>
#include <cstdio>
#include <set>

#include <gtest/gtest.h>

#include "parlance/async/loop.h"
#include "parlance/memory/builtin_embedder.h"
#include "parlance/store/memory/memory_sqlite.h"
#include "parlance/store/test_folder.h"
#include "tests/memory/evaluation.h"

namespace parlance::test {
namespace {

constexpr double default_minimum = 0.7;

std::vector<memory::NewEntry> entries_of(const std::vector<LabelledPair>& pairs) {
  std::vector<memory::NewEntry> entries;
  std::set<std::string> seen;
  for (const LabelledPair& pair : pairs)
    if (seen.insert(pair.text).second) entries.push_back({.text = pair.text});
  // What others talk about, with the words that everybody uses.
  const char* const who[] = {"Ingrid", "the night shift", "Mr. Haddad", "the choir", "our supplier", "nobody", "小陈", "物业"};
  const char* const does[] = {"asked for", "lost", "paid for", "likes", "repaired", "forgot", "写下了", "安排了"};
  const char* const what[] = {
      "the blue ladder",   "a database of stamps", "the server of the club", "tickets to Riga", "an old editor",
      "the password hint", "the test drive",       "the Sunday meeting",     "新的颜色",        "备份的钥匙"};
  for (int i = 0; i < 3000; ++i)
    entries.push_back(
        {.text = std::string(who[i % 8]) + ' ' + does[i / 8 % 8] + ' ' + what[i / 64 % 10] + ", note " + std::to_string(i)});
  return entries;
}

TEST(LabelledStore, FindsWhatTheRankingCallsAMatchAmongThousandsOfOthers) {
  std::vector<LabelledPair> pairs;
  for (const char* name : {"dev", "heldout"}) {
    auto some = read_pairs(std::string(PARLANCE_SOURCE_DIR) + "/tests/memory/pairs." + name + ".jsonl");
    ASSERT_TRUE(some);
    pairs.insert(pairs.end(), some->begin(), some->end());
  }
  Loop loop;
  memory::BuiltinEmbedder embedder;
  const store::TestFolder folder;
  store::MemorySqlite memories(loop, folder.path(), embedder);
  ASSERT_TRUE(loop.block_on(memories.put("", entries_of(pairs))));

  const auto scored = loop.block_on(score_pairs(embedder, std::move(pairs)));
  ASSERT_TRUE(scored);
  std::size_t matches = 0;
  std::size_t found = 0;
  std::size_t among_five = 0;
  for (const ScoredPair& one : *scored) {
    const auto hits = loop.block_on(memories.search("", {.text = one.pair.query, .limit = 50}));
    ASSERT_TRUE(hits);
    const auto hit = std::ranges::find(*hits, one.pair.text, [](const memory::Hit& each) { return each.entry.text; });
    if (hit != hits->end()) EXPECT_NEAR(hit->score, one.match.score, 1e-4) << "one score, in the store and here";
    if (one.match.score < default_minimum) EXPECT_EQ(hit, hits->end());
    if (one.match.score < default_minimum || !one.pair.match) continue;
    ++matches;
    found += hit != hits->end() ? 1 : 0;
    among_five += hit - hits->begin() < 5 && hit != hits->end() ? 1 : 0;
  }
  std::printf("%zu pairs that match: %zu found, %zu of them among the first five\n", matches, found, among_five);
  EXPECT_GE(static_cast<double>(found), 0.95 * static_cast<double>(matches));
  EXPECT_GE(static_cast<double>(among_five), 0.9 * static_cast<double>(matches));
}

}  // namespace
}  // namespace parlance::test
