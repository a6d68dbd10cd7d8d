// SPDX-License-Identifier: Apache-2.0
// A person's memory for the tools of an agent. Another agent serves the memory as documents.
#include "parlance/server/memory/memory_of_one.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/async/loop.h"
#include "parlance/toolbox/memory_test_support.h"

namespace parlance::server {
namespace {

struct OfAnAgent : testing::Test {
  Loop loop;
  toolbox::test::FakeMemory agent;
  std::shared_ptr<MemoryOfOne> memory = memory_of_agent(agent, "ann", "conv_1");
};

TEST_F(OfAnAgent, ASearchIsOfThatPersonAndItsDocumentIsRead) {
  agent.document =
      R"({"count":1,"items":[{"id":"m1","text":"tea","category":"fact","importance":0.5,"score":"0.8313","matched":"both","created_at":"2024-05-06T07:08:09Z"}]})";
  const auto hits = loop.block_on(memory->search({.text = "t", .category = memory::Category::fact, .limit = 3, .min_score = 0}));
  ASSERT_TRUE(hits);
  ASSERT_EQ(hits->size(), 1U);
  EXPECT_EQ(hits->front().entry.id, "m1");
  EXPECT_EQ(hits->front().entry.category, memory::Category::fact);
  EXPECT_DOUBLE_EQ(hits->front().score, 0.8313);
  EXPECT_EQ(hits->front().entry.created_at, "2024-05-06T07:08:09Z");
  EXPECT_EQ(agent.searches.front().user, "ann");
  EXPECT_EQ(agent.searches.front().category, "fact");
  EXPECT_EQ(agent.searches.front().limit, 3);
  EXPECT_EQ(agent.searches.front().min_score, 0);
  agent.document = R"({"count":0,"result":"No relevant memories found."})";
  EXPECT_TRUE(loop.block_on(memory->search({.text = "t"}))->empty());
}

TEST_F(OfAnAgent, ANewMemoryNamesItsConversation) {
  agent.document = R"({"action":"duplicate","id":"m1","similar":["m2"]})";
  const auto put =
      loop.block_on(memory->put({.text = "tea", .category = memory::Category::preference, .source = {.kind = "mcp"}}));
  ASSERT_TRUE(put);
  EXPECT_TRUE(put->duplicate);
  EXPECT_EQ(put->id, "m1");
  EXPECT_THAT(put->similar, testing::ElementsAre("m2"));
  const agent::MemoryItem& item = agent.items.front();
  EXPECT_EQ(item.user + " " + item.conversation + " " + item.source + " " + item.category, "ann conv_1 mcp preference");
}

TEST_F(OfAnAgent, WhileItIsClosedNothingReachesIt) {
  bool closed = true;
  const auto guarded = memory_unless([&] { return closed; }, memory);
  EXPECT_EQ(loop.block_on(guarded->search({.text = "t"})).error().code, Errc::denied);
  EXPECT_EQ(loop.block_on(guarded->put({.text = "tea"})).error().code, Errc::denied);
  EXPECT_EQ(loop.block_on(guarded->forget("m1")).error().code, Errc::denied);
  EXPECT_TRUE(agent.searches.empty() && agent.items.empty() && agent.users.empty());
  closed = false;
  EXPECT_TRUE(loop.block_on(guarded->forget("m1")));
}

TEST_F(OfAnAgent, AMissingMemoryIsNotForgotten) {
  EXPECT_TRUE(loop.block_on(memory->forget("m1")));
  EXPECT_EQ(agent.users.front(), "ann");
  EXPECT_EQ(loop.block_on(memory->forget("m2")).error().code, Errc::not_found);
}

}  // namespace
}  // namespace parlance::server
