// SPDX-License-Identifier: Apache-2.0
// The part of a history behind a mark.
#include <gtest/gtest.h>

#include "parlance/hub/agent/history.h"
#include "parlance/hub/conversation/event.h"

namespace parlance::hub {
namespace {

struct HistoryParts : ::testing::Test {
  void add(EventBody body) { history.add({.seq = ++seq, .body = std::move(body)}); }
  void turn(const std::string& prompt, const std::string& answer) {
    add(event::TurnStart{"t"});
    add(event::UserMessage{.turn = "t", .text = prompt});
    if (!answer.empty()) add(event::Text{answer});
  }
  static std::vector<std::string> texts(const HistoryPart& part) {
    std::vector<std::string> all;
    for (const ChatMessage& message : part.messages) all.push_back(message.content);
    return all;
  }
  using Texts = std::vector<std::string>;
  std::uint64_t seq = 0;
  History history{100};
};

TEST_F(HistoryParts, WithoutAMarkAPartIsTheWholeHistory) {
  EXPECT_FALSE(history.since({}).continues);
  EXPECT_TRUE(history.since({}).messages.empty());
  turn("p1", "");
  const HistoryPart first = history.since({});
  EXPECT_EQ(texts(first), Texts{"p1"});
  EXPECT_EQ(first.settled, 0U) << "the newest prompt and its turn may change";
  add(event::Text{"a1"});
  turn("p2", "");
  const HistoryPart second = history.since({});
  EXPECT_FALSE(second.continues);
  EXPECT_EQ(texts(second), (Texts{"p1", "a1", "p2"}));
  EXPECT_EQ(second.settled, 2U);
}

TEST_F(HistoryParts, BehindAMarkAPartHasLaterMessagesOnly) {
  turn("p1", "a1");
  turn("p2", "");
  const HistoryMark mark = history.since({}).mark;
  EXPECT_EQ(texts(history.since(mark)), Texts{"p2"});
  add(event::ToolStart{.call = "c", .tool = "t", .input_json = "{}"});
  add(event::ToolOutput{.call = "c", .text = "out"});
  add(event::ToolEnd{.call = "c"});
  turn("p3", "");
  const HistoryPart part = history.since(mark);
  EXPECT_TRUE(part.continues);
  ASSERT_EQ(part.messages.size(), 4U) << "prompt, call, result, prompt";
  EXPECT_EQ(part.settled, 3U);
  EXPECT_EQ(part.messages[2].results.at(0).text, "out");
  const std::vector<ChatMessage> all = history.messages();
  EXPECT_EQ(all.size(), 2 + part.messages.size());
  EXPECT_EQ(texts(history.since(part.mark)), Texts{"p3"});
}

TEST_F(HistoryParts, LateEventsOfAnEarlierTurnDoNotChangeSettledMessages) {
  turn("p1", "");
  add(event::ToolStart{.call = "c", .tool = "t", .input_json = "{}"});
  turn("p2", "");
  const HistoryPart before = history.since({});
  add(event::ToolOutput{.call = "c", .text = "late"});
  add(event::ToolEnd{.call = "c"});
  const HistoryPart after = history.since({});
  ASSERT_EQ(before.settled, 3U);
  EXPECT_EQ(before.messages[2].results, after.messages[2].results);
}

TEST_F(HistoryParts, AMarkIsInvalidAfterTheOldestMessagesLeave) {
  turn("p1", std::string(60, 'a'));
  turn("p2", "");
  const HistoryMark mark = history.since({}).mark;
  turn(std::string(60, 'p'), "");
  const HistoryPart part = history.since(mark);
  EXPECT_FALSE(part.continues);
  ASSERT_FALSE(part.messages.empty());
  EXPECT_TRUE(part.messages.front().after_others);
  turn("p4", "");
  const HistoryPart later = history.since(part.mark);
  EXPECT_TRUE(later.continues);
  EXPECT_TRUE(later.messages.front().after_others) << "the note about the missing begin precedes each request";
}

TEST_F(HistoryParts, AMarkIsInvalidAfterAClear) {
  turn("p1", "a1");
  turn("p2", "");
  const HistoryMark mark = history.since({}).mark;
  add(event::Cleared{});
  turn("p3", "a3");
  turn("p4", "");
  EXPECT_FALSE(history.since(mark).continues);
  EXPECT_EQ(texts(history.since(mark)), (Texts{"p3", "a3", "p4"}));
}

TEST_F(HistoryParts, AMarkOfAnotherHistoryIsInvalid) {
  turn("p1", "a1");
  turn("p2", "");
  const HistoryMark mark = history.since({}).mark;
  history = History(100);  // forgotten, and read again from the log
  turn("q1", "b1");
  turn("q2", "");
  EXPECT_EQ(texts(history.since(mark)), (Texts{"q1", "b1", "q2"}));
}

}  // namespace
}  // namespace parlance::hub
