// SPDX-License-Identifier: Apache-2.0
// The limit of a long conversation's history, and histories of malformed logs.
#include <gtest/gtest.h>

#include "parlance/hub/agent/history.h"
#include "parlance/hub/conversation/event.h"

namespace parlance::hub {
namespace {

class Told {
 public:
  explicit Told(std::size_t most_bytes = 0) : history(most_bytes) {}
  Told& add(EventBody body) {
    history.add({.seq = ++seq_, .body = std::move(body)});
    return *this;
  }
  Told& prompt(std::string text) {
    return add(event::TurnStart{"t"}).add(event::UserMessage{.turn = "t", .text = std::move(text)});
  }
  Told& answer(std::string text) { return add(event::Text{std::move(text)}); }
  Told& call(std::string id, std::string output = "") {
    add(event::ToolStart{.call = id, .tool = "t", .input_json = "{}"});
    if (!output.empty()) add(event::ToolOutput{.call = id, .text = std::move(output)});
    return add(event::ToolEnd{.call = id});
  }
  // "u:a a:b[c] t:c=out"
  std::string show() const {
    std::string all;
    for (const ChatMessage& message : history.messages()) {
      if (!all.empty()) all += ' ';
      all += message.role == Role::user ? "u:" : message.role == Role::assistant ? "a:" : "t:";
      all += message.content;
      for (const ToolCall& call : message.calls) all += "[" + call.id + "]";
      for (const ToolResult& result : message.results) all += result.call + "=" + result.text;
    }
    return all;
  }
  History history;

 private:
  std::uint64_t seq_ = 0;
};

// ---- the limit ----------------------------------------------------------------------------------------------------------------------

TEST(HistoryLimit, BelowTheLimitAllMessagesStay) {
  Told told(10);
  told.prompt("aaa").answer("bb").prompt("ccccc");
  EXPECT_EQ(told.show(), "u:aaa a:bb u:ccccc");
  EXPECT_EQ(told.history.bytes(), 10U);
  EXPECT_FALSE(told.history.messages().front().after_others);
}

TEST(HistoryLimit, AboveTheLimitHalfStaysWithANotice) {
  Told told(10);
  told.prompt("aaa").answer("bb").prompt("cccccc");
  EXPECT_EQ(told.show(), "u:cccccc") << "that is more than half, but the newest prompt stays";
  EXPECT_TRUE(told.history.messages().front().after_others);
  EXPECT_EQ(told.history.bytes(), 6U);
}

TEST(HistoryLimit, CutHistoryBeginsWithAPrompt) {
  Told told(20);
  told.prompt("1111").answer("2222").call("c", "3333").answer("4444").prompt("55").answer("66").prompt("777");
  EXPECT_EQ(told.show(), "u:55 a:66 u:777");
}

TEST(HistoryLimit, IsCheckedAtPromptsOnly) {
  Told told(10);
  told.prompt("a").answer(std::string(50, 'x'));
  EXPECT_EQ(told.history.messages().size(), 2U);
  told.call("c", std::string(50, 'y'));
  EXPECT_EQ(told.history.messages().size(), 3U);
  told.prompt("b");
  EXPECT_EQ(told.show(), "u:b");
}

TEST(HistoryLimit, CallWeighsItsInputAndItsLongerOutput) {
  Told told(100);
  told.prompt("").add(event::ToolStart{.call = "c", .input_json = "[12345]"}).add(event::ToolOutput{.call = "c", .text = "ab"});
  EXPECT_EQ(told.history.bytes(), 9U);
  told.add(event::ToolUpdate{.call = "c", .content = {{ToolText{"abc"}}}});
  EXPECT_EQ(told.history.bytes(), 12U);
}

TEST(HistoryLimit, ClearedHistoryHasNoNotice) {
  Told told(10);
  told.prompt("aaaa").answer("bbbb").prompt("cccc").add(event::Cleared{});
  EXPECT_EQ(told.history.bytes(), 0U);
  told.prompt("d");
  EXPECT_FALSE(told.history.messages().front().after_others);
}

TEST(HistoryLimit, CutHistoryHasANoticeUntilItsClear) {
  Told told;
  told.history.begin_after_others();
  EXPECT_TRUE(told.history.messages().empty()) << "of nothing there is no first message";
  told.prompt("a");
  EXPECT_TRUE(told.history.messages().front().after_others);
  told.add(event::Cleared{}).prompt("b");
  EXPECT_FALSE(told.history.messages().front().after_others);
}

// ---- odd logs -----------------------------------------------------------------------------------------------------------------------

TEST(OddHistory, EmptyLogGivesAnEmptyHistory) {
  EXPECT_TRUE(history_of({}).empty());
  EXPECT_EQ(Told().add(event::TurnStart{"t"}).add(event::TurnEnd{"t"}).show(), "");
}

TEST(OddHistory, LogWithoutAPromptBeginsWithTheAgent) {
  EXPECT_EQ(Told().add(event::TurnStart{"t"}).answer("hello").show(), "a:hello");
}

TEST(OddHistory, EmptyAnswersAreLeftOut) {
  EXPECT_EQ(Told().prompt("a").answer("").prompt("b").show(), "u:a u:b") << "models refuse a message without contents";
}

TEST(OddHistory, EmptyPromptStaysForItsAttachments) {
  Told told;
  told.add(event::UserMessage{.turn = "t", .attachments = {{{.id = "p", .media_type = "image/png"}}}});
  ASSERT_EQ(told.history.messages().size(), 1U);
  EXPECT_EQ(told.history.messages()[0].attachments.size(), 1U);
}

TEST(OddHistory, OutputOfUnknownCallsIsIgnored) {
  EXPECT_EQ(
      Told().prompt("a").add(event::ToolOutput{.call = "x", .text = "?"}).add(event::ToolEnd{.call = "x"}).answer("b").show(),
      "u:a a:b");
}

TEST(OddHistory, OutputOfACallOfTheTurnBeforeIsIgnored) {
  EXPECT_EQ(Told().prompt("a").call("x", "1").prompt("b").add(event::ToolOutput{.call = "x", .text = "2"}).show(),
            "u:a a:[x] t:x=1 u:b");
}

TEST(OddHistory, TextBetweenTwoTurnsIsAnAnswerOfItsOwn) {
  EXPECT_EQ(Told().prompt("a").answer("b").add(event::TurnStart{"u"}).answer("c").show(), "u:a a:b a:c");
}

TEST(OddHistory, FailedCallWithoutTextHasAFailureText) {
  Told told;
  told.prompt("a").add(event::ToolStart{.call = "x"}).add(event::ToolEnd{.call = "x", .state = ToolEndState::failed});
  EXPECT_EQ(told.show(), "u:a a:[x] t:x=failed");
}

TEST(OddHistory, ACallWithoutInputHasAnEmptyObject) {
  Told told;
  told.prompt("a").add(event::ToolStart{.call = "x"});
  EXPECT_EQ(told.history.messages()[1].calls[0].arguments_json, "{}") << "models want one";
  told.add(event::ToolUpdate{.call = "x", .input_json = ""});
  EXPECT_EQ(told.history.messages()[1].calls[0].arguments_json, "{}");
}

TEST(OddHistory, InterruptionFollowsTheOutput) {
  Told told;
  told.prompt("a").add(event::ToolStart{.call = "x"}).add(event::ToolOutput{.call = "x", .text = "half\n"});
  EXPECT_EQ(told.show(), "u:a a:[x] t:x=half\ninterrupted: the call did not finish");
}

TEST(OddHistory, RejectionWithAReasonIsNotRepeated) {
  Told told;
  told.prompt("a").add(event::ToolStart{.call = "x"}).add(event::ToolConfirmation{{.id = "k", .call = "x"}});
  told.add(event::AskSettled{.ask = "k", .text = "use make"});
  told.add(event::ToolOutput{.call = "x", .text = "no: use make"})
      .add(event::ToolEnd{.call = "x", .state = ToolEndState::rejected});
  EXPECT_EQ(told.show(), "u:a a:[x] t:x=no: use make");
}

TEST(OddHistory, AskWithoutCallAndUnknownAnswerAreIgnored) {
  Told told;
  told.prompt("a").add(event::ToolConfirmation{{.id = "k"}}).add(event::AskSettled{.ask = "k", .text = "?"});
  told.add(event::AskSettled{.ask = "nobody's", .text = "?"}).answer("b");
  EXPECT_EQ(told.show(), "u:a a:b");
}

TEST(OddHistory, TheOccasionIsTheNewestPromptWithoutItsContext) {
  const std::vector<ChatMessage> messages{{.role = Role::user, .content = "old", .event = 1},
                                          {.role = Role::user, .content = "context|new", .words_at = 8, .event = 4},
                                          {.role = Role::assistant, .content = "yes"}};
  EXPECT_EQ(occasion_of(messages).said, "new");
  EXPECT_EQ(occasion_of(messages).event, 4U);
}

}  // namespace
}  // namespace parlance::hub
