// SPDX-License-Identifier: Apache-2.0
// Questions decided before any wait: a later withdrawal must not touch their state.
#include "parlance/face/claude/host_questions.h"

#include <gtest/gtest.h>

#include "parlance/adapter/claude/idle_agent_test_support.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/test_support.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"

namespace parlance::face {
namespace {

class ClaudeHostQuestions : public testing::Test {
 protected:
  ClaudeHostQuestions() {
    bench.script = [](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
      turn.emit(hub::event::ToolStart{.call = "c1", .tool = "run_command", .title = "ls", .input_json = R"({"command":"ls"})"});
      const hub::ToolIntent intent{.kind = hub::ToolKind::execute, .title = "ls", .command = "ls"};
      PARLANCE_CO_TRY_DO(co_await turn.ask({.call = "c1", .tool = "run_command", .intent = intent}));
      turn.emit(hub::event::ToolEnd{"c1", hub::ToolEndState::done});
      co_return hub::StopReason::end_turn;
    };
    conversation = bench.conversation();
    bench.prompt(conversation);
    settle();
  }
  void settle() {
    for (int i = 0; i < 50; ++i) {
      while (bench.loop.run_ready()) {}
      bench.loop.advance(std::chrono::milliseconds(20));
    }
  }
  HostQuestions::Settings settings() {
    return {.conversation = conversation,
            .asks = [] { return true; },
            .input_of = [](const std::string&) -> const json::Value* { return nullptr; },
            .hook_input = [](const std::string&) { return json::Object{}; }};
  }
  hub::Ask the_ask() const { return bench.store.asks.begin()->second; }

  hub::test::Bench bench;
  std::string conversation;
  adapter::IdleAgent handler;
  std::pair<std::unique_ptr<ByteStream>, std::unique_ptr<ByteStream>> link = memory_pair(bench.loop);
  claude::AgentSide agent{bench.loop, framed_stream(bench.loop, std::move(link.first), line_framing()), handler};
  ClaudeRules rules;
  HostHooks hooks{bench.loop, agent};
  HostTools tools{bench.loop, hooks, rules, [](const std::string&) { return json::Object{}; }, nullptr, [] {}};
};

TEST_F(ClaudeHostQuestions, OneThatIsDecidedAtOnceIsNotThereToBeWithdrawn) {
  ASSERT_EQ(bench.store.asks.size(), 1U);
  rules.deny({"Bash"});
  HostQuestions questions(bench.loop, *bench.hub, agent, hooks, tools, rules, settings());
  const hub::Ask ask = the_ask();
  questions.ask(ask);
  questions.withdraw(ask.id);  // the answer is on its way: it is no withdrawal
  settle();
  EXPECT_NE(the_ask().state, hub::AskState::open);
  EXPECT_EQ(the_ask().by, "host");
  questions.withdraw(ask.id);
  questions.withdraw(ask.id);
}

TEST_F(ClaudeHostQuestions, OneThatWaitsForTheHostIsWithdrawn) {
  HostQuestions questions(bench.loop, *bench.hub, agent, hooks, tools, rules, settings());
  const hub::Ask ask = the_ask();
  questions.ask(ask);
  settle();
  EXPECT_EQ(the_ask().state, hub::AskState::open);
  questions.withdraw(ask.id);
  questions.withdraw(ask.id);
  settle();
  EXPECT_EQ(the_ask().state, hub::AskState::open) << "the withdrawer settles the request";
}

}  // namespace
}  // namespace parlance::face
