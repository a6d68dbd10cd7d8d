// SPDX-License-Identifier: Apache-2.0
#include "parlance/agent/recall.h"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/agent/limits.h"
#include "parlance/memory/limits.h"

namespace parlance::agent {
namespace {

using namespace std::chrono_literals;
using memory::Category;
using model::Message;
using model::Role;
using ::testing::ElementsAre;

// Returns the test's memories after the test's delay.
class FakeStore final : public memory::Store {
 public:
  explicit FakeStore(Loop& loop) : loop_(loop) {}
  Task<Result<std::vector<memory::Hit>>> search(std::string user, memory::Query query) override {
    users.push_back(user);
    queries.push_back(query);
    if (delay > 0s) co_await sleep_for(loop_, delay);
    co_return hits;
  }
  Task<Result<std::vector<memory::Put>>> put(std::string, std::vector<memory::NewEntry>) override {
    co_return std::vector<memory::Put>{};
  }
  Task<Result<memory::Entry>> get(std::string, std::string) override { co_return memory::Entry{}; }
  Task<Result<memory::Page>> list(std::string, memory::ListQuery) override { co_return memory::Page{}; }
  Task<Result<std::uint64_t>> forget(std::string, memory::Forget) override { co_return 0; }
  Task<Result<memory::Stats>> stats(std::string) override { co_return memory::Stats{}; }

  Result<std::vector<memory::Hit>> hits = std::vector<memory::Hit>{};
  std::vector<memory::Query> queries;
  std::vector<std::string> users;
  Duration delay{0};

 private:
  Loop& loop_;
};

memory::Hit hit(std::string id, double score, Category category = Category::other, double importance = 0.5) {
  return {.entry = {.id = id, .text = "text of " + id, .category = category, .importance = importance}, .score = score};
}
std::vector<std::string> ids(const std::vector<memory::Hit>& hits) {
  std::vector<std::string> all;
  for (const memory::Hit& hit : hits) all.push_back(hit.entry.id);
  return all;
}
Message said_by_user(std::string text) { return {.role = Role::user, .content = std::move(text)}; }

class RecallTest : public ::testing::Test {
 protected:
  void add(std::vector<Message>& messages) { loop.block_on(recall.add_to(messages, user)); }
  std::vector<Message> added(std::vector<Message> messages) {
    add(messages);
    return messages;
  }

  Loop loop{Loop::Time::virtual_};
  FakeStore store{loop};
  Recall recall{loop, store};
  std::string user;
};

TEST(ByUse, ImportanceAndCategoryReorder) {
  EXPECT_THAT(ids(by_use({hit("a", 0.8), hit("b", 0.9), hit("c", 0.8, Category::other, 0.9)})), ElementsAre("c", "b", "a"));
  EXPECT_THAT(ids(by_use({hit("other", 0.8), hit("entity", 0.8, Category::entity), hit("fact", 0.8, Category::fact),
                          hit("preference", 0.8, Category::preference), hit("decision", 0.8, Category::decision)})),
              ElementsAre("decision", "preference", "fact", "entity", "other"));
  EXPECT_THAT(ids(by_use({hit("first", 0.8), hit("second", 0.8)})), ElementsAre("first", "second")) << "equals stay in order";
  EXPECT_DOUBLE_EQ(by_use({hit("a", 0.8, Category::decision, 1)})[0].score, 0.8) << "the score stays what it was";
}

TEST(WithinLimits, CountAndBytesAreBounded) {
  std::vector<memory::Hit> many;
  for (int i = 0; i < 20; ++i) many.push_back(hit("m" + std::to_string(i), 0.9));
  EXPECT_EQ(within_limits(many).size(), limits::recall_entries);
  for (memory::Hit& hit : many) hit.entry.text = std::string(10'000, 'x') + "é";
  many.back().entry.text = "short";
  const auto found = within_limits(many);
  std::size_t bytes = 0;
  for (const model::Remembered& remembered : found) bytes += remembered.text.size();
  EXPECT_LE(bytes, limits::recall_bytes);
  EXPECT_EQ(found.back().text, "short") << "one that is too long does not keep a short one out";
  memory::Hit chinese = hit("c", 0.9);
  for (int i = 0; i < 1000; ++i) chinese.entry.text += "记";
  EXPECT_TRUE(within_limits({chinese})[0].text.ends_with("记…")) << "cut between characters";
}

TEST_F(RecallTest, MemoriesPrecedeThePersonsMessage) {
  store.hits = std::vector<memory::Hit>{hit("m1", 0.8), hit("m2", 0.75, Category::decision, 0.9)};
  const auto messages = added({{.role = Role::system, .content = "rules"},
                               said_by_user("old"),
                               {.role = Role::assistant, .content = "yes"},
                               said_by_user("  which port? ")});
  ASSERT_EQ(messages.size(), 5U);
  EXPECT_EQ(messages[4].content, "  which port? ");
  EXPECT_THAT(model::remembered_in(messages[3]),
              ElementsAre(model::Remembered{"m2", "decision", "text of m2"}, model::Remembered{"m1", "other", "text of m1"}));
  ASSERT_EQ(store.queries.size(), 1U);
  EXPECT_EQ(store.queries[0].text, "which port?");
  EXPECT_EQ(store.queries[0].limit, 10U);
  EXPECT_EQ(store.queries[0].min_score, 0.7);
  EXPECT_EQ(store.queries[0].category, std::nullopt);
}

// Memories kept for the later steps of a turn belong to a single person.
TEST_F(RecallTest, TwoUsersWithTheSameMessageGetTheirOwnMemories) {
  user = "u_ada";
  store.hits = std::vector<memory::Hit>{hit("m1", 0.8)};
  EXPECT_EQ(added({said_by_user("which port?")}).size(), 2U);
  user = "u_bob";
  const std::vector<Message> later{said_by_user("which port?"),
                                   {.role = Role::assistant, .tool_calls = {{"c", "f", "{}"}}},
                                   {.role = Role::tool, .tool_results = {{"c", "5432"}}}};
  EXPECT_EQ(added(later), later) << "nothing was found for this one";
  store.hits = std::vector<memory::Hit>{};
  EXPECT_EQ(added({said_by_user("which port?")}).size(), 1U);
  user = "u_ada";
  EXPECT_EQ(added(later).size(), 4U);
  EXPECT_THAT(store.users, ElementsAre("u_ada", "u_bob"));
}

TEST_F(RecallTest, WithoutHitsTheMessageIsUnchanged) {
  const std::vector<Message> said{said_by_user("hi")};
  EXPECT_EQ(added(said), said);
  EXPECT_EQ(added({}), std::vector<Message>{});
  const std::vector<Message> blank{said_by_user(" \n ")};
  EXPECT_EQ(added(blank), blank);
  EXPECT_EQ(store.queries.size(), 1U) << "nothing to look for, nothing looked for";
}

TEST_F(RecallTest, LaterStepsOfATurnRepeatTheMemoriesWithoutAnotherSearch) {
  store.hits = std::vector<memory::Hit>{hit("m1", 0.8)};
  const std::vector<Message> first = added({said_by_user("which port?")});
  store.hits = std::vector<memory::Hit>{hit("m2", 0.9)};
  const std::vector<Message> later = added({said_by_user("which port?"),
                                            {.role = Role::assistant, .tool_calls = {{"c", "f", "{}"}}},
                                            {.role = Role::tool, .tool_results = {{"c", "5432"}}}});
  ASSERT_EQ(later.size(), 4U);
  EXPECT_EQ(later[0], first[0]);
  EXPECT_EQ(store.queries.size(), 1U);
  added({said_by_user("which port?")});
  EXPECT_EQ(store.queries.size(), 2U) << "said anew, it is looked for anew";
  // A turn whose beginning this agent missed (because of a restart) continues without memories.
  EXPECT_EQ(added({said_by_user("other"), {.role = Role::assistant, .content = "x"}}).size(), 2U);
}

TEST_F(RecallTest, ASlowMemoryIsNotWaitedFor) {
  store.hits = std::vector<memory::Hit>{hit("m1", 0.8)};
  store.delay = 3600s;
  const TimePoint began = loop.now();
  EXPECT_EQ(added({said_by_user("hi")}).size(), 1U);
  EXPECT_EQ(loop.now() - began, limits::recall_time);
  store.delay = 0s;
  EXPECT_EQ(added({said_by_user("hi")}).size(), 2U);
}

TEST_F(RecallTest, ABrokenMemoryIsLoggedOnceAndBreaksNoChat) {
  store.hits = fail(Errc::failed, "the disk is full");
  testing::internal::CaptureStderr();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(added({said_by_user("hi")}).size(), 1U);
  const std::string logged = testing::internal::GetCapturedStderr();
  EXPECT_NE(logged.find("the disk is full"), std::string::npos) << logged;
  EXPECT_EQ(logged.find("the disk is full"), logged.rfind("the disk is full")) << logged;
  store.hits = std::vector<memory::Hit>{hit("m1", 0.8)};
  EXPECT_EQ(added({said_by_user("hi")}).size(), 2U);
}

TEST_F(RecallTest, MemoriesKeptForRunningTurnsAreBounded) {
  store.hits = std::vector<memory::Hit>{hit("m1", 0.8)};
  const std::vector<Message> step{{.role = Role::assistant, .tool_calls = {{"c", "f", "{}"}}},
                                  {.role = Role::tool, .tool_results = {{"c", "x"}}}};
  const auto later = [&](std::string said) {
    std::vector<Message> messages{said_by_user(std::move(said))};
    messages.insert(messages.end(), step.begin(), step.end());
    return added(std::move(messages)).size();
  };
  for (std::size_t i = 0; i <= limits::recall_kept; ++i) added({said_by_user("turn " + std::to_string(i))});
  EXPECT_EQ(later("turn 0"), 3U) << "the oldest is dropped";
  EXPECT_EQ(later("turn 1"), 4U);
}

TEST_F(RecallTest, AVeryLongMessageIsSearchedByItsBeginning) {
  std::string text;
  while (text.size() < 100'000) text += "端口 ";
  added({said_by_user(text)});
  ASSERT_EQ(store.queries.size(), 1U);
  EXPECT_LE(store.queries[0].text.size(), limits::memory_query_bytes);
}

}  // namespace
}  // namespace parlance::agent
