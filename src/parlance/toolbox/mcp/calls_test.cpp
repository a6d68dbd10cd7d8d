// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/mcp/calls.h"

#include <chrono>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/hub/agent/agent.h"

namespace parlance::toolbox {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

class McpCallsTest : public testing::Test {
 protected:
  hub::ToolHost host() {
    hub::ToolHost made;
    made.progress = [this](std::string_view line) { shown.emplace_back(line); };
    made.ask = [this](hub::AskRequest) -> Task<Result<hub::AskAnswer>> { co_return co_await answer.get(); };
    return made;
  }
  static Task<Result<mcp::CallToolResult>> forever(Loop& loop) {
    for (;;) co_await sleep_for(loop, 24h);
  }
  // A call of a server that sends only the messages of the test.
  Task<void> run(McpCall& call) { outcome = co_await call.outcome(forever(loop), 60s); }
  static mcp::ElicitParams question() {
    return {.message = "Really?", .requested_schema = {R"({"type":"object","properties":{}})"}};
  }
  Task<void> elicit() { elicited = co_await calls.elicit(question()); }

  Loop loop{Loop::Time::virtual_};
  McpCalls calls{loop, "files"};
  std::vector<std::string> shown;
  OneShot<Result<hub::AskAnswer>> answer{loop};
  std::optional<Result<mcp::CallToolResult>> outcome;
  std::optional<Result<mcp::ElicitResult>> elicited;
};

TEST_F(McpCallsTest, SilenceEndsACallAndProgressDoesNot) {
  McpCall call(calls, "conv", "files__read", host());
  Scope scope(loop);
  scope.start(run(call));
  for (int i = 0; i < 5; ++i) {
    loop.advance(59s);
    call.progress({.progress = static_cast<double>(i)});
  }
  EXPECT_FALSE(outcome) << "295 s, but never 60 without a word";
  loop.advance(61s);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->error().code, Errc::deadline_exceeded);
  EXPECT_THAT(outcome->error().message, HasSubstr("no message from the server for 60 s"));
}

TEST_F(McpCallsTest, EveryCallEnds) {
  McpCall call(calls, "conv", "files__read", host());
  Scope scope(loop);
  scope.start(run(call));
  for (auto time = 0s; time <= 6h && !outcome; time += 50s) {
    call.progress({.progress = static_cast<double>(time.count())});
    loop.advance(50s);
  }
  ASSERT_TRUE(outcome);
  EXPECT_THAT(outcome->error().message, HasSubstr("6 hours"));
}

TEST_F(McpCallsTest, AThinkingPersonIsNoSilence) {
  McpCall call(calls, "conv", "files__read", host());
  Scope scope(loop);
  scope.start(run(call));
  scope.start(elicit());
  loop.advance(1h);
  EXPECT_FALSE(outcome);
  answer.set(hub::AskAnswer{.kind = hub::OptionKind::choice, .answers = {{"Accept"}}});
  loop.advance(1s);
  ASSERT_TRUE(elicited && *elicited);
  EXPECT_EQ((*elicited)->action, mcp::ElicitAction::accept);
  EXPECT_FALSE(outcome);
  loop.advance(61s);
  EXPECT_TRUE(outcome) << "the server continues";
}

TEST_F(McpCallsTest, ARefusalByARuleDeclinesTheQuestion) {
  McpCall call(calls, "conv", "files__read", host());
  Scope scope(loop);
  scope.start(elicit());
  answer.set(hub::AskAnswer{.by = "rule", .why = "rule: no questions"});
  loop.advance(1s);
  ASSERT_TRUE(elicited && *elicited);
  EXPECT_EQ((*elicited)->action, mcp::ElicitAction::decline);
}

TEST_F(McpCallsTest, AQuestionEndsWithItsCall) {
  auto call = std::make_unique<McpCall>(calls, "conv", "files__read", host());
  Scope scope(loop);
  scope.start(elicit());
  loop.advance(1s);
  EXPECT_FALSE(elicited);
  call.reset();
  loop.advance(1s);
  ASSERT_TRUE(elicited);
  EXPECT_EQ(elicited->error().code, Errc::cancelled);
}

TEST_F(McpCallsTest, NoQuestionOutsideACallOrBetweenTwoConversations) {
  Scope scope(loop);
  scope.start(elicit());
  ASSERT_TRUE(elicited);
  EXPECT_THAT(elicited->error().message, HasSubstr("no running tool call"));
  McpCall mcp_call(calls, "a", "files__read", host());
  McpCall two(calls, "b", "files__read", host());
  scope.start(elicit());
  EXPECT_THAT(elicited->error().message, HasSubstr("several conversations"));
}

TEST_F(McpCallsTest, ThousandsOfStepsAreAFewLines) {
  McpCall call(calls, "conv", "files__read", host());
  for (int i = 0; i <= 10'000; ++i)
    call.progress({.progress = static_cast<double>(i), .total = 10'000, .message = "copying\x1b[2J"});
  EXPECT_THAT(shown, ElementsAre("copying [2J (0 of 10000)", "copying [2J (10000 of 10000)"));
}

}  // namespace
}  // namespace parlance::toolbox
