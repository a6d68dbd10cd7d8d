// SPDX-License-Identifier: Apache-2.0
// The agent's memory for a client over net/rpc: defaults, members of entries, failures.
#include <cmath>
#include <limits>

#include <gmock/gmock.h>

#include "parlance/base/limits.h"
#include "parlance/server/agent/test_support.h"

namespace parlance::server {
namespace {

using testing::HasSubstr;

class MemoryOverGorpc : public test::AgentBench {};

TEST_F(MemoryOverGorpc, ASearchHasTheSeedsDefaults) {
  serve();
  ASSERT_TRUE(call(gorpc::memory_search, {.query = "tea"}));
  ASSERT_TRUE(call(gorpc::memory_search, {.query = "tea", .limit = -3, .min_score = -1}));
  for (const memory::Query& query : memory.queries) {
    EXPECT_EQ(query.limit, 5U);
    EXPECT_EQ(query.min_score, 0.7);
    EXPECT_EQ(query.category, std::nullopt);
  }
  ASSERT_TRUE(call(gorpc::memory_search, {.query = "tea", .category = "fact", .limit = 9, .min_score = 0.25}));
  EXPECT_EQ(memory.queries.back().limit, 9U);
  EXPECT_EQ(memory.queries.back().min_score, 0.25);
  EXPECT_EQ(memory.queries.back().category, memory::Category::fact);
  EXPECT_EQ(call(gorpc::memory_search, {}).error().message, "query is required");
  EXPECT_THAT(call(gorpc::memory_search, {.query = "tea", .category = "tea"}).error().message, HasSubstr("Category: \"tea\""));
  EXPECT_EQ(memory.queries.size(), 3U);
  ASSERT_TRUE(call(gorpc::memory_search, {.query = "tea", .min_score_given = true}));
  EXPECT_EQ(memory.queries.back().min_score, 0) << "gob leaves out a 0, so a flag distinguishes 0 from no score";
}

TEST_F(MemoryOverGorpc, HitsHaveTheFormOfDeployedPrograms) {
  serve();
  EXPECT_EQ(document(call(gorpc::memory_search, {.query = "tea"})),
            *json::parse(R"({"query":"tea","count":0,"result":"No relevant memories found."})"));
  memory.hits = {{.entry = memory.entry, .score = 0.83125, .matched = "keyword"}};
  const json::Value found = document(call(gorpc::memory_search, {.query = "tea"}));
  EXPECT_EQ(found.integer_or("count", 0), 1);
  EXPECT_EQ(found.text_or("result", ""), "Found 1 memory:\n- [preference] I like tea");
  const json::Value& item = found.find("items")->array()->at(0);
  EXPECT_EQ(item.text_or("id", ""), "mem_1");
  EXPECT_EQ(item.text_or("score", ""), "0.8313") << "as text, with four places";
  EXPECT_EQ(item.text_or("matched", ""), "keyword");
  EXPECT_THAT(std::string(item.text_or("createdAt", "")), testing::ContainsRegex("^2024-05-0[567] [0-9][0-9]:[0-9][0-9]$"));
  EXPECT_EQ(item.text_or("created_at", ""), "2024-05-06T07:08:09Z");
  memory.failure = Error{Errc::failed, "the disk is full"};
  EXPECT_EQ(call(gorpc::memory_search, {.query = "tea"}).error().message, "search failed: the disk is full");
}

TEST_F(MemoryOverGorpc, MemoriesAreKeptWithTheSeedsDefaults) {
  serve();
  const json::Value created = document(call(gorpc::memory_store, {.text = "I like tea"}));
  EXPECT_EQ(created, *json::parse(R"({"action":"created","id":"mem_1","result":"Stored: I like tea"})"));
  EXPECT_EQ(memory.puts.back().category, memory::Category::other);
  EXPECT_EQ(memory.puts.back().importance, 0.7);
  const json::Value duplicate =
      document(call(gorpc::memory_store, {.text = "I like tea", .category = "preference", .importance = 0.9}));
  EXPECT_EQ(duplicate, *json::parse(R"({"action":"duplicate","id":"mem_1","result":"Similar memory already exists"})"));
  EXPECT_EQ(memory.puts.back().category, memory::Category::preference);
  EXPECT_EQ(memory.puts.back().importance, 0.9);
  EXPECT_EQ(call(gorpc::memory_store, {}).error().message, "text is required");
  for (const double wrong : {2.0, -0.5, std::nan("")})
    EXPECT_EQ(call(gorpc::memory_store, {.text = "x", .importance = wrong}).error().message, "Importance: 0 to 1") << wrong;
  EXPECT_FALSE(call(gorpc::memory_store, {.text = "x", .category = "none"}));
  EXPECT_EQ(memory.puts.size(), 2U);
  memory.failure = Error{Errc::failed, "the disk is full"};
  EXPECT_EQ(call(gorpc::memory_store, {.text = "x"}).error().message, "store failed: the disk is full");
}

// "Absent" is 0.7; given values count, including 0.
TEST_F(MemoryOverGorpc, TheGivenImportanceIsStored) {
  serve();
  ASSERT_TRUE(call(gorpc::memory_store, {.text = "x", .importance = 0.0}));
  EXPECT_EQ(memory.puts.back().importance, 0.0);
  ASSERT_TRUE(call(gorpc::memory_store, {.text = "x", .importance_given = true}));
  EXPECT_EQ(memory.puts.back().importance, 0.0) << "gob does not send the 0 of a Go client";
  ASSERT_TRUE(call(gorpc::memory_store, {.text = "x", .importance = 1.0}));
  EXPECT_EQ(memory.puts.back().importance, 1.0);
  for (const double wrong : {-0.5, 1.01, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_EQ(call(gorpc::memory_store, {.text = "x", .importance = wrong}).error().message, "Importance: 0 to 1") << wrong;
  EXPECT_EQ(memory.puts.size(), 3U);
}

// The known message for a database that cannot be opened; a missing memory has another message.
TEST_F(MemoryOverGorpc, ABrokenStorageCountsAsNotInitialized) {
  serve();
  memory.failure = Error{Errc::disconnected, "the disk is gone"};
  const std::string memories = "memory store not initialized: the disk is gone";
  EXPECT_EQ(call(gorpc::memory_search, {.query = "tea"}).error().message, memories);
  EXPECT_EQ(call(gorpc::memory_get, {.path = "mem_1"}).error().message, memories);
  EXPECT_EQ(call(gorpc::memory_store, {.text = "x"}).error().message, memories);
  EXPECT_EQ(call(gorpc::memory_list, {}).error().message, memories);
  EXPECT_EQ(call(gorpc::memory_forget, {.path = "mem_1"}).error().message, memories);
  EXPECT_EQ(call(gorpc::stats, {}).error().message, "storage not initialized: the disk is gone");
}

TEST_F(MemoryOverGorpc, TheMemorysUserIsSent) {
  serve();
  ASSERT_TRUE(call(gorpc::memory_search, {.query = "tea", .user = "u_1"}));
  ASSERT_TRUE(call(gorpc::memory_get, {.path = "mem_1", .user = "u_2"}));
  ASSERT_TRUE(call(gorpc::memory_store, {.text = "tea", .user = "u_3"}));
  ASSERT_TRUE(call(gorpc::memory_list, {.user = "u_4"}));
  ASSERT_TRUE(call(gorpc::memory_forget, {.path = "mem_1", .user = "u_5"}));
  ASSERT_TRUE(call(gorpc::memory_search, {.query = "tea"}));
  EXPECT_THAT(memory.users, testing::ElementsAre("u_1", "u_2", "u_3", "u_4", "u_5", ""));
}

TEST_F(MemoryOverGorpc, AMemoryByItsId) {
  serve();
  const json::Value entry = document(call(gorpc::memory_get, {.path = "mem_1"}));
  EXPECT_EQ(entry.text_or("text", ""), "I like tea");
  EXPECT_THAT(std::string(entry.text_or("createdAt", "")), testing::ContainsRegex("^2024-05-0[567] [0-9:]+:09$"));
  EXPECT_EQ(call(gorpc::memory_get, {.path = "mem_2"}).error().message, "memory not found: mem_2");
  EXPECT_EQ(call(gorpc::memory_get, {}).error().message, "path is required");
}

TEST_F(MemoryOverGorpc, AMemoryKeepsItsSource) {
  serve();
  ASSERT_TRUE(call(gorpc::memory_store, {.text = "tea", .source = "agent", .conversation = "conv_1", .event = 17}));
  EXPECT_EQ(memory.puts.back().source, (memory::Source{.kind = "agent", .conversation = "conv_1", .event = 17}));
  ASSERT_TRUE(call(gorpc::memory_store, {.text = "by hand", .event = -5}));
  EXPECT_EQ(memory.puts.back().source, memory::Source{});
  memory.entry.source = {.kind = "agent", .conversation = "conv_1", .event = 17};
  const json::Value entry = document(call(gorpc::memory_get, {.path = "mem_1"}));
  EXPECT_EQ(entry.text_or("source", ""), "agent");
  EXPECT_EQ(entry.text_or("conversation", ""), "conv_1");
  EXPECT_EQ(entry.integer_or("event", 0), 17);
}

TEST_F(MemoryOverGorpc, MemoriesAreListedInPages) {
  serve();
  EXPECT_EQ(document(call(gorpc::memory_list, {})), *json::parse(R"({"count":0,"items":[]})"));
  EXPECT_EQ(memory.listings.back().limit, 50U);
  memory.page = {.entries = {memory.entry}, .next = "mem_1"};
  const json::Value page = document(
      call(gorpc::memory_list, {.category = "fact", .conversation = "conv_1", .before = "mem_9", .limit = 1'000'000'000}));
  EXPECT_EQ(memory.listings.back().category, memory::Category::fact);
  EXPECT_EQ(memory.listings.back().conversation, "conv_1");
  EXPECT_EQ(memory.listings.back().before, "mem_9");
  EXPECT_EQ(memory.listings.back().limit, limits::memory_page_entries);
  EXPECT_EQ(page.integer_or("count", 0), 1);
  EXPECT_EQ(page.text_or("next", ""), "mem_1");
  EXPECT_EQ(page.find("items")->array()->at(0).text_or("text", ""), "I like tea");
  EXPECT_FALSE(call(gorpc::memory_list, {.category = "none"}));
  memory.failure = Error{Errc::failed, "the disk is full"};
  EXPECT_EQ(call(gorpc::memory_list, {}).error().message, "list failed: the disk is full");
}

TEST_F(MemoryOverGorpc, AMemoryIsForgottenByItsId) {
  serve();
  const json::Value gone = document(call(gorpc::memory_forget, {.path = "mem_1"}));
  EXPECT_EQ(gone.text_or("action", ""), "forgotten");
  const auto missing = call(gorpc::memory_forget, {.path = "mem_2"});
  EXPECT_EQ(missing.error().message, "memory not found: mem_2");
  EXPECT_EQ(missing.error().code, Errc::not_found) << "the driver finds the code in the text";
  EXPECT_EQ(call(gorpc::memory_forget, {}).error().message, "path is required");
  memory.failure = Error{Errc::failed, "the disk is full"};
  EXPECT_EQ(call(gorpc::memory_forget, {.path = "mem_1"}).error().message, "forget failed: the disk is full");
}

}  // namespace
}  // namespace parlance::server
