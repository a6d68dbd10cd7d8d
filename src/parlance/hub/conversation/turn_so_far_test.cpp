// SPDX-License-Identifier: Apache-2.0
// The state of a turn, folded from its events.
#include "parlance/hub/conversation/turn_so_far.h"

#include <gtest/gtest.h>

#include "parlance/hub/conversation/event.h"

namespace parlance::hub {
namespace {

TurnSoFar after(const std::vector<EventBody>& bodies) {
  TurnSoFar turn;
  std::uint64_t seq = 0;
  for (const EventBody& body : bodies) {
    ++seq;
    turn.see({.seq = seq, .time = "2026-01-01T00:00:0" + std::to_string(seq % 10) + ".000Z", .body = body});
  }
  return turn;
}

EventBody call_begins(std::string call) { return event::ToolStart{.call = std::move(call), .tool = "run", .input_json = "{}"}; }
EventBody done(std::string call) { return event::ToolEnd{.call = std::move(call)}; }

TEST(TurnSoFar, HoldsThePartialAnswer) {
  const TurnSoFar turn = after({event::TurnStart{.turn = "t"}, event::UserMessage{.turn = "t", .text = "hi"},
                                event::ThinkingStart{}, event::ThinkingContent{"h"}, event::ThinkingContent{"m"},
                                event::ThinkingEnd{}, event::Text{"Hel"}, event::Text{"lo"}, event::ThinkingStart{}});
  EXPECT_EQ(turn.text, "Hello");
  EXPECT_EQ(turn.thought, "hm");
  EXPECT_TRUE(turn.thinking);
  EXPECT_FALSE(turn.usage);
  EXPECT_EQ(turn.answers, 0U);
  EXPECT_EQ(turn.began, "2026-01-01T00:00:01.000Z");
  EXPECT_EQ(turn.thinking_since, "2026-01-01T00:00:09.000Z");
}

TEST(TurnSoFar, AnswerEndsWithItsLastCall) {
  const std::vector<EventBody> begin{event::TurnStart{}, event::Text{"Let me look."}, event::Usage{.input_tokens = 1},
                                     call_begins("a"), call_begins("b")};
  std::vector<EventBody> events = begin;
  EXPECT_EQ(after(events).answers, 1U);
  EXPECT_TRUE(after(events).usage);
  ASSERT_EQ(after(events).calls.size(), 2U);
  EXPECT_FALSE(after(events).calls[0].begun);
  events.push_back(done("a"));
  ASSERT_EQ(after(events).calls.size(), 1U);
  EXPECT_EQ(after(events).calls[0].call.id, "b");
  EXPECT_EQ(after(events).answers, 1U);
  events.push_back(done("b"));
  EXPECT_TRUE(after(events).calls.empty());
  EXPECT_EQ(after(events).text, "");
  EXPECT_FALSE(after(events).usage) << "that was the answer before";
  events.push_back(call_begins("a"));
  EXPECT_EQ(after(events).answers, 2U);
}

TEST(TurnSoFar, CallHasBegunAfterRunningOrOutput) {
  const auto begun = [](EventBody body) {
    const TurnSoFar turn = after({event::TurnStart{}, call_begins("a"), std::move(body)});
    return turn.calls.at(0).begun;
  };
  EXPECT_TRUE(begun(event::ToolUpdate{.call = "a", .status = CallStatus::running}));
  EXPECT_TRUE(begun(event::ToolOutput{.call = "a", .text = "x"}));
  EXPECT_FALSE(begun(event::ToolUpdate{.call = "a", .title = "other"}));
  EXPECT_FALSE(begun(event::ToolUpdate{.call = "a", .status = CallStatus::pending}));
  EXPECT_FALSE(begun(event::ToolUpdate{.call = "b", .status = CallStatus::running}));
}

TEST(TurnSoFar, AsksBelongToOpenCalls) {
  std::vector<EventBody> events{event::TurnStart{}, call_begins("a"), event::ToolConfirmation{Ask{.id = "ask_1", .call = "a"}},
                                call_begins("b"), event::UserQuestion{Ask{.id = "ask_2", .call = "b"}}};
  EXPECT_EQ(after(events).asks.size(), 2U);
  events.push_back(done("a"));
  ASSERT_EQ(after(events).asks.size(), 1U);
  EXPECT_EQ(after(events).asks[0].id, "ask_2");
}

TEST(TurnSoFar, LostAnswerDoesNotCount) {
  const TurnSoFar turn =
      after({event::TurnStart{}, event::Text{"Hel"}, event::Failure{.code = std::string(answers_anew)}, event::Text{"Good"}});
  EXPECT_EQ(turn.text, "Good");
  const TurnSoFar other = after({event::TurnStart{}, event::Text{"Hel"}, event::Failure{.code = "not_shown"}});
  EXPECT_EQ(other.text, "Hel");
}

TEST(TurnSoFar, NextTurnResetsTheState) {
  const TurnSoFar turn = after({event::TurnStart{.turn = "t"}, event::Text{"x"}, call_begins("a"), done("a"), event::TurnEnd{},
                                event::TurnStart{.turn = "u", .options = PromptOptions{.most_rounds = 2}}});
  EXPECT_EQ(turn.answers, 0U);
  EXPECT_EQ(turn.options.most_rounds, 2U);
}

}  // namespace
}  // namespace parlance::hub
