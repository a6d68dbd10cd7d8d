// SPDX-License-Identifier: Apache-2.0
// Counters of chats across processes.
#include "parlance/store/chat_counts.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/store/test_folder.h"

namespace parlance::store {
namespace {

using Numbers = ChatCounts::Numbers;
using testing::HasSubstr;

class ChatCountsTest : public testing::Test {
 protected:
  Result<Numbers> sums(ChatCounts& counts) { return loop.block_on(counts.sums()); }

  TestFolder folder;
  Loop loop;
};

TEST_F(ChatCountsTest, CountsSurviveARestart) {
  {
    ChatCounts counts(loop, folder.path());
    EXPECT_EQ(*sums(counts), Numbers{});
    counts.add({.sessions = 1, .messages = 1});
    counts.add({.messages = 2, .tool_calls = 3});
    EXPECT_EQ(*sums(counts), (Numbers{.sessions = 1, .messages = 3, .tool_calls = 3}));
    counts.add({.messages = 1});
    ASSERT_TRUE(sums(counts));
  }
  ChatCounts counts(loop, folder.path());
  EXPECT_EQ(*sums(counts), (Numbers{.sessions = 1, .messages = 4, .tool_calls = 3}));
}

TEST_F(ChatCountsTest, CountsAreWrittenWithoutARead) {
  {
    ChatCounts counts(loop, folder.path());
    counts.add({.sessions = 1, .messages = 2});
    EXPECT_TRUE(loop.run_until([&] { return std::filesystem::exists(folder.path() + "/agent.db"); }));
  }  // its worker finishes running work
  ChatCounts counts(loop, folder.path());
  EXPECT_EQ(*sums(counts), (Numbers{.sessions = 1, .messages = 2}));
}

TEST_F(ChatCountsTest, SeveralProcessesShareAFolder) {
  ChatCounts one(loop, folder.path());
  ChatCounts other(loop, folder.path());
  one.add({.messages = 5});
  other.add({.messages = 7, .tool_calls = 1});
  ASSERT_TRUE(sums(one));
  ASSERT_TRUE(sums(other));
  EXPECT_EQ(*sums(one), (Numbers{.messages = 12, .tool_calls = 1}));
}

TEST_F(ChatCountsTest, UnwrittenCountsAreWrittenLater) {
  const std::string database = folder.path() + "/agent.db";
  std::filesystem::create_directory(database);  // where the file should be
  ChatCounts counts(loop, folder.path());
  counts.add({.sessions = 1});
  const auto refused = sums(counts);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::disconnected);
  EXPECT_THAT(refused.error().message, HasSubstr("agent.db"));
  std::filesystem::remove(database);
  EXPECT_EQ(*sums(counts), Numbers{.sessions = 1});
}

}  // namespace
}  // namespace parlance::store
