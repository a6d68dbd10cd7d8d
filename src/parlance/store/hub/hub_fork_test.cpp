// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub/hub_fork.h"

#include <filesystem>
#include <sys/stat.h>

#include <gtest/gtest.h>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/commit.h"
#include "parlance/store/hub/hub_file.h"
#include "parlance/store/test_folder.h"

namespace parlance::store {
namespace {

using namespace hub;

Event event(std::uint64_t seq, EventBody body) { return {.seq = seq, .time = "t", .body = std::move(body)}; }

// A conversation of two turns; in the second a tool was called.
void fill(const std::string& folder) {
  HubFile file(folder);
  ASSERT_TRUE(file.commit({.conversation = std::make_shared<const Conversation>(
                               Conversation{{.id = "c", .folder = "/f", .agent_session = {.id = "n"}}, {.updated_at = "2"}}),
                           .events_of = "c",
                           .events = {event(1, event::TurnStart{"t1"}), event(2, event::UserMessage{.turn = "t1", .text = "one"}),
                                      event(3, event::Text{"re: one"}), event(4, event::TurnEnd{.turn = "t1"}),
                                      event(5, event::TurnStart{"t2"}), event(6, event::UserMessage{.turn = "t2", .text = "two"}),
                                      event(7, event::ToolStart{.call = "k", .tool = "run"}),
                                      event(8, event::ToolEnd{.call = "k"}), event(9, event::TurnEnd{.turn = "t2"})},
                           .attachments = {{.about = {.id = "a"}, .data = "bytes"}},
                           .asks = {{.id = "ask", .conversation = "c", .state = AskState::orphaned}}}));
  ASSERT_TRUE(file.commit(
      {.conversation = std::make_shared<const Conversation>(Conversation{{.id = "old", .folder = "/g"}, {.updated_at = "1"}})}));
}
std::vector<Event> events(const std::string& folder) { return HubFile(folder).events("c", 0, UINT64_MAX, 0).value(); }

AgentSession::How how(const std::string& state) {
  const auto db = sqlite::Database::open_to_read(state + "/hub.db");
  auto rows = (*db)->query("SELECT native_how FROM conversations WHERE id='c'");
  EXPECT_TRUE(rows->step().value());
  return rows->text(0) == "fork" ? AgentSession::How::fork : AgentSession::How::resume;
}

TEST(HubFork, CopyAndOriginalAreIndependent) {
  TestFolder folder;
  const std::string old = folder.path() + "/old";
  const std::string copy = folder.path() + "/copy";
  std::filesystem::create_directories(old);
  fill(old);
  HubFile working(old);
  ASSERT_TRUE(working.load());  // a running hub does not block the fork
  ASSERT_TRUE(fork_hub(old, copy));
  struct stat status{};
  ASSERT_EQ(::stat((copy + "/hub.db").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  const auto forked = newest_conversation(copy);
  ASSERT_TRUE(forked && *forked);
  EXPECT_EQ((*forked)->id, "c") << "the newest of the two";
  EXPECT_EQ((*forked)->agent_session.id, "n");
  EXPECT_EQ(how(copy), AgentSession::How::fork);
  EXPECT_EQ(how(old), AgentSession::How::resume);
  EXPECT_EQ(events(copy).size(), 9U);
  {
    HubFile file(copy);
    EXPECT_EQ((*file.attachment("a"))->data, "bytes");
    ASSERT_TRUE(file.commit({.events_of = "c", .events = {event(10, event::Text{"more"})}}));
  }
  EXPECT_EQ(working.events("c", 0, UINT64_MAX, 0)->size(), 9U);
  ASSERT_TRUE(fork_hub(copy, folder.path() + "/third"));
  EXPECT_EQ(how(folder.path() + "/third"), AgentSession::How::fork);
  EXPECT_FALSE(fork_hub(old, copy)) << "there is one already";
  EXPECT_EQ(newest_conversation(folder.path() + "/none").error().code, Errc::not_found);
}

TEST(HubFork, TheNewestMatchIsFoundBesideARunningHub) {
  TestFolder folder;
  fill(folder.path());
  HubFile working(folder.path());
  ASSERT_TRUE(working.load());
  const auto found = newest_matches(folder.path(), "ONE", 10);
  ASSERT_TRUE(found && found->size() == 1);
  EXPECT_EQ(found->front().conversation, "c");
  EXPECT_EQ(found->front().seq, 3U) << "the answer is newer than the message";
  EXPECT_EQ(found->front().snippet, "re: one");
  EXPECT_TRUE(newest_matches(folder.path(), "three", 10)->empty());
  EXPECT_EQ(newest_matches(folder.path() + "/none", "one", 10).error().code, Errc::not_found);
}

TEST(HubFork, UpToAnEventTheLogIsWholeAgain) {
  TestFolder folder;
  const std::string old = folder.path() + "/old";
  std::filesystem::create_directories(old);
  fill(old);
  ASSERT_TRUE(fork_hub(old, folder.path() + "/at3", 3));
  auto cut = events(folder.path() + "/at3");
  ASSERT_EQ(cut.size(), 4U);
  EXPECT_EQ(cut.back().body, EventBody(event::TurnEnd{.turn = "t1", .stop_reason = StopReason::cancelled}));
  EXPECT_EQ((*newest_conversation(folder.path() + "/at3"))->last_seq, 4U);
  const std::vector<hub::LogPart> left = HubFile(folder.path() + "/at3").parts_with("one", 0, 10)->parts;
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left.front().last, 4U) << "later turns are cut";
  EXPECT_TRUE(HubFile(folder.path() + "/at3").load()->asks.empty());

  ASSERT_TRUE(fork_hub(old, folder.path() + "/at7", 7));
  cut = events(folder.path() + "/at7");
  ASSERT_EQ(cut.size(), 9U);
  EXPECT_EQ(cut[7].body, EventBody(event::ToolEnd{.call = "k", .state = ToolEndState::cancelled}));
  EXPECT_EQ(cut[8].body, EventBody(event::TurnEnd{.turn = "t2", .stop_reason = StopReason::cancelled}));
}

TEST(HubFork, RewindKeepsTheOldFile) {
  TestFolder folder;
  fill(folder.path());
  {
    HubFile working(folder.path());
    ASSERT_TRUE(working.load());
    EXPECT_EQ(rewind_hub(folder.path(), 4).error().code, Errc::failed) << "not under the feet of a hub";
  }
  ASSERT_TRUE(rewind_hub(folder.path(), 4));
  EXPECT_EQ(events(folder.path()).size(), 4U);
  ASSERT_TRUE(rewind_hub(folder.path(), 2));
  EXPECT_EQ(events(folder.path()).size(), 3U);
  EXPECT_TRUE(std::filesystem::exists(folder.path() + "/hub.before-1.db"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() + "/hub.before-2.db"));
}

// ---- move ------------------------------------------------------------------------------------------------------------------

class HubMove : public ::testing::Test {
 protected:
  HubMove() {
    std::filesystem::create_directories(from);
    std::filesystem::create_directories(to);
    fill(from);
  }
  TestFolder folder;
  const std::string from = folder.path() + "/from";
  const std::string to = folder.path() + "/to";
};

TEST_F(HubMove, AllPartsMove) {
  {
    HubFile file(from);
    ASSERT_TRUE(file.commit({.rules = {{.id = "own", .conversation = "c"}, {.id = "wide"}},
                             .spent = {{.day = "2026-01-02", .conversation = "c", .spent = {.turns = 2}}}}));
  }
  HubFile(to).commit({.conversation = std::make_shared<const Conversation>(Conversation{{.id = "other"}, {.updated_at = "3"}})});
  ASSERT_TRUE(move_conversation(from, to, "c"));
  HubFile moved(to);
  EXPECT_EQ(moved.events("c", 0, UINT64_MAX, 0)->size(), 9U);
  EXPECT_EQ((*moved.attachment("a"))->data, "bytes");
  EXPECT_EQ((*moved.ask("ask"))->state, AskState::orphaned);
  const auto loaded = moved.load();
  EXPECT_EQ(loaded->conversations.size(), 2U);
  ASSERT_EQ(loaded->rules.size(), 1U) << "a rule for more than the conversation stays";
  EXPECT_EQ(loaded->rules.front().id, "own");
  EXPECT_EQ(moved.spent("")->front().spent.turns, 2U);
  EXPECT_EQ(newest_matches(to, "two", 10)->size(), 1U);
  EXPECT_TRUE(moved.commit({.events_of = "c", .events = {event(10, event::Text{"more"})}})) << "the log continues";
  const auto left = newest_conversations(from, 10);
  ASSERT_EQ(left->size(), 1U);
  EXPECT_EQ(left->front().id, "old");
}

TEST_F(HubMove, TheLongerLogStaysAfterACrash) {
  ASSERT_TRUE(fork_hub(from, folder.path() + "/copy"));  // the state after a crash: both have the conversation
  {
    HubFile file(from);
    ASSERT_TRUE(file.commit({.events_of = "c", .events = {event(10, event::Text{"more"})}}));
  }
  ASSERT_TRUE(move_conversation(from, folder.path() + "/copy", "c"));
  EXPECT_EQ(events(folder.path() + "/copy").size(), 10U);
  fill(to);
  ASSERT_TRUE(move_conversation(to, folder.path() + "/copy", "c"));
  EXPECT_EQ(events(folder.path() + "/copy").size(), 10U) << "an older copy replaces nothing";
  EXPECT_EQ(newest_conversations(to, 10)->size(), 1U);
}

TEST_F(HubMove, NothingMovesUnderARunningHub) {
  HubFile working(from);
  ASSERT_TRUE(working.load());
  EXPECT_EQ(move_conversation(from, to, "c").error().code, Errc::failed);
  EXPECT_EQ(move_conversation(to, from, "c").error().code, Errc::failed);
  EXPECT_EQ(events(to).size(), 0U);
}

TEST_F(HubMove, AnUnknownConversationIsAnError) {
  EXPECT_EQ(move_conversation(from, to, "none").error().code, Errc::not_found);
  EXPECT_EQ(move_conversation(from, to, "").error().code, Errc::not_found);
  EXPECT_EQ(newest_conversations(from, 10)->size(), 2U);
}

}  // namespace
}  // namespace parlance::store
