// SPDX-License-Identifier: Apache-2.0
// The limit of a long conversation's history, and histories of malformed logs.
#include <gtest/gtest.h>

#include "parlance/hub/agent/history.h"
#include "parlance/hub/conversation/event.h"

namespace parlance::hub {
namespace {

class HistoryBuilder {
 public:
  explicit HistoryBuilder(std::size_t most_bytes = 0) : history(most_bytes) {}
  HistoryBuilder& add(EventBody body) {
    history.add({.seq = ++seq_, .body = std::move(body)});
    return *this;
  }
  HistoryBuilder& prompt(std::string text) {
    return add(event::TurnStart{"t"}).add(event::UserMessage{.turn = "t", .text = std::move(text)});
  }
  HistoryBuilder& answer(std::string text) { return add(event::Text{std::move(text)}); }
  HistoryBuilder& call(std::string id, std::string output = "") {
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
  HistoryBuilder builder(10);
  builder.prompt("aaa").answer("bb").prompt("ccccc");
  EXPECT_EQ(builder.show(), "u:aaa a:bb u:ccccc");
  EXPECT_EQ(builder.history.bytes(), 10U);
  EXPECT_FALSE(builder.history.messages().front().after_others);
}

TEST(HistoryLimit, AboveTheLimitHalfStaysWithANotice) {
  HistoryBuilder builder(10);
  builder.prompt("aaa").answer("bb").prompt("cccccc");
  EXPECT_EQ(builder.show(), "u:cccccc") << "that is more than half, but the newest prompt stays";
  EXPECT_TRUE(builder.history.messages().front().after_others);
  EXPECT_EQ(builder.history.bytes(), 6U);
}

TEST(HistoryLimit, CutHistoryBeginsWithAPrompt) {
  HistoryBuilder builder(20);
  builder.prompt("1111").answer("2222").call("c", "3333").answer("4444").prompt("55").answer("66").prompt("777");
  EXPECT_EQ(builder.show(), "u:55 a:66 u:777");
}

TEST(HistoryLimit, IsCheckedAtPromptsOnly) {
  HistoryBuilder builder(10);
  builder.prompt("a").answer(std::string(50, 'x'));
  EXPECT_EQ(builder.history.messages().size(), 2U);
  builder.call("c", std::string(50, 'y'));
  EXPECT_EQ(builder.history.messages().size(), 3U);
  builder.prompt("b");
  EXPECT_EQ(builder.show(), "u:b");
}

TEST(HistoryLimit, CallWeighsItsInputAndItsLongerOutput) {
  HistoryBuilder builder(100);
  builder.prompt("")
      .add(event::ToolStart{.call = "c", .input_json = "[12345]"})
      .add(event::ToolOutput{.call = "c", .text = "ab"});
  EXPECT_EQ(builder.history.bytes(), 9U);
  builder.add(event::ToolUpdate{.call = "c", .content = {{ToolText{"abc"}}}});
  EXPECT_EQ(builder.history.bytes(), 12U);
}

TEST(HistoryLimit, ClearedHistoryHasNoNotice) {
  HistoryBuilder builder(10);
  builder.prompt("aaaa").answer("bbbb").prompt("cccc").add(event::Cleared{});
  EXPECT_EQ(builder.history.bytes(), 0U);
  builder.prompt("d");
  EXPECT_FALSE(builder.history.messages().front().after_others);
}

TEST(HistoryLimit, CutHistoryHasANoticeUntilItsClear) {
  HistoryBuilder builder;
  builder.history.begin_after_others();
  EXPECT_TRUE(builder.history.messages().empty()) << "of nothing there is no first message";
  builder.prompt("a");
  EXPECT_TRUE(builder.history.messages().front().after_others);
  builder.add(event::Cleared{}).prompt("b");
  EXPECT_FALSE(builder.history.messages().front().after_others);
}

// ---- odd logs -----------------------------------------------------------------------------------------------------------------------

TEST(OddHistory, EmptyLogGivesAnEmptyHistory) {
  EXPECT_TRUE(history_of({}).empty());
  EXPECT_EQ(HistoryBuilder().add(event::TurnStart{"t"}).add(event::TurnEnd{"t"}).show(), "");
}

TEST(OddHistory, LogWithoutAPromptBeginsWithTheAgent) {
  EXPECT_EQ(HistoryBuilder().add(event::TurnStart{"t"}).answer("hello").show(), "a:hello");
}

TEST(OddHistory, EmptyAnswersAreLeftOut) {
  EXPECT_EQ(HistoryBuilder().prompt("a").answer("").prompt("b").show(), "u:a u:b") << "models refuse a message without contents";
}

TEST(OddHistory, EmptyPromptStaysForItsAttachments) {
  HistoryBuilder builder;
  builder.add(event::UserMessage{.turn = "t", .attachments = {{{.id = "p", .media_type = "image/png"}}}});
  ASSERT_EQ(builder.history.messages().size(), 1U);
  EXPECT_EQ(builder.history.messages()[0].attachments.size(), 1U);
}

TEST(OddHistory, OutputOfUnknownCallsIsIgnored) {
  EXPECT_EQ(HistoryBuilder()
                .prompt("a")
                .add(event::ToolOutput{.call = "x", .text = "?"})
                .add(event::ToolEnd{.call = "x"})
                .answer("b")
                .show(),
            "u:a a:b");
}

TEST(OddHistory, OutputOfACallOfTheTurnBeforeIsIgnored) {
  EXPECT_EQ(HistoryBuilder().prompt("a").call("x", "1").prompt("b").add(event::ToolOutput{.call = "x", .text = "2"}).show(),
            "u:a a:[x] t:x=1 u:b");
}

TEST(OddHistory, TextBetweenTwoTurnsIsAnAnswerOfItsOwn) {
  EXPECT_EQ(HistoryBuilder().prompt("a").answer("b").add(event::TurnStart{"u"}).answer("c").show(), "u:a a:b a:c");
}

TEST(OddHistory, FailedCallWithoutTextHasAFailureText) {
  HistoryBuilder builder;
  builder.prompt("a").add(event::ToolStart{.call = "x"}).add(event::ToolEnd{.call = "x", .state = ToolEndState::failed});
  EXPECT_EQ(builder.show(), "u:a a:[x] t:x=failed");
}

TEST(OddHistory, ACallWithoutInputHasAnEmptyObject) {
  HistoryBuilder builder;
  builder.prompt("a").add(event::ToolStart{.call = "x"});
  EXPECT_EQ(builder.history.messages()[1].calls[0].arguments_json, "{}") << "models want one";
  builder.add(event::ToolUpdate{.call = "x", .input_json = ""});
  EXPECT_EQ(builder.history.messages()[1].calls[0].arguments_json, "{}");
}

TEST(OddHistory, InterruptionFollowsTheOutput) {
  HistoryBuilder builder;
  builder.prompt("a").add(event::ToolStart{.call = "x"}).add(event::ToolOutput{.call = "x", .text = "half\n"});
  EXPECT_EQ(builder.show(), "u:a a:[x] t:x=half\ninterrupted: the call did not finish");
}

TEST(OddHistory, RejectionWithAReasonIsNotRepeated) {
  HistoryBuilder builder;
  builder.prompt("a").add(event::ToolStart{.call = "x"}).add(event::ToolConfirmation{{.id = "k", .call = "x"}});
  builder.add(event::AskSettled{.ask = "k", .text = "use make"});
  builder.add(event::ToolOutput{.call = "x", .text = "no: use make"})
      .add(event::ToolEnd{.call = "x", .state = ToolEndState::rejected});
  EXPECT_EQ(builder.show(), "u:a a:[x] t:x=no: use make");
}

TEST(OddHistory, AskWithoutCallAndUnknownAnswerAreIgnored) {
  HistoryBuilder builder;
  builder.prompt("a").add(event::ToolConfirmation{{.id = "k"}}).add(event::AskSettled{.ask = "k", .text = "?"});
  builder.add(event::AskSettled{.ask = "unknown", .text = "?"}).answer("b");
  EXPECT_EQ(builder.show(), "u:a a:b");
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
