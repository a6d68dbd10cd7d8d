// SPDX-License-Identifier: Apache-2.0
// The memory in a file: the common suite, and the restriction to one person.
#include "parlance/store/memory/memory_sqlite.h"

#include <filesystem>

#include "parlance/store/memory/test_memory_suite.h"
#include "parlance/store/test_folder.h"

namespace parlance::store::test {
namespace {

struct InAFile {
  static std::string unavailable() { return ""; }
  std::unique_ptr<MemoryOnWorker> open(Loop& loop, memory::Embedder& embedder) {
    return std::make_unique<MemorySqlite>(loop, folder.path(), embedder);
  }
  TestFolder folder;
};

INSTANTIATE_TYPED_TEST_SUITE_P(Sqlite, MemorySuite, InAFile);

TEST(MemorySqlite, OpensNothingBeforeItIsAsked) {
  TestFolder folder;
  Loop loop;
  WordEmbedder embedder;
  { const MemorySqlite store(loop, folder.path() + "/state", embedder); }
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/state"));
}

// Otherwise a gateway with users would show all users the memories of the machine's person.
TEST(MemorySqlite, HasASingleUser) {
  TestFolder folder;
  Loop loop;
  WordEmbedder embedder;
  MemorySqlite store(loop, folder.path(), embedder);
  const auto put = loop.block_on(store.put("", {{.text = "remember the milk"}}));
  ASSERT_TRUE(put);
  const std::string id = put->front().id;
  const auto refused = [](const auto& result) { return !result && result.error().message.contains("--store=postgresql://"); };
  EXPECT_TRUE(refused(loop.block_on(store.put("u_ada", {{.text = "tea"}}))));
  EXPECT_TRUE(refused(loop.block_on(store.search("u_ada", {.text = "milk"}))));
  EXPECT_TRUE(refused(loop.block_on(store.get("u_ada", id))));
  EXPECT_TRUE(refused(loop.block_on(store.list("u_ada", {}))));
  EXPECT_TRUE(refused(loop.block_on(store.forget("u_ada", {.id = id}))));
  EXPECT_TRUE(refused(loop.block_on(store.stats("u_ada"))));
  EXPECT_EQ(loop.block_on(store.stats(""))->entries, 1U);
}

}  // namespace
}  // namespace parlance::store::test
