// SPDX-License-Identifier: Apache-2.0
// Answers of a Claude host to can_use_tool, from the bytes to the effect on the call. Only an explicit allow runs the tool.
#include <gtest/gtest.h>

#include "parlance/adapter/claude/idle_agent_test_support.h"
#include "parlance/face/claude/host_questions.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/test_support.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"

namespace parlance::face {
namespace {

// One open request, and a host with hand-written bytes.
struct AskedHost {
  AskedHost() {
    bench.script = [this](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
      turn.emit(hub::event::ToolStart{.call = "c1", .tool = "run_command", .title = "ls", .input_json = R"({"command":"ls"})"});
      const hub::ToolIntent intent{.kind = hub::ToolKind::execute, .title = "ls", .command = "ls"};
      PARLANCE_CO_TRY(answer, co_await turn.ask({.call = "c1", .tool = "run_command", .intent = intent}));
      ++settled;
      ran = answer.allowed();
      reason = answer.text;
      turn.emit(hub::event::ToolEnd{"c1", ran ? hub::ToolEndState::done : hub::ToolEndState::rejected});
      co_return hub::StopReason::end_turn;
    };
    conversation = bench.conversation();
    bench.prompt(conversation);
    settle();
    scope.start([](claude::AgentSide& agent_side) -> Task<void> { static_cast<void>(co_await agent_side.run()); }(agent));
    questions.emplace(bench.loop, *bench.hub, agent, hooks, tools, rules,
                      HostQuestions::Settings{.conversation = conversation,
                                              .asks = [] { return true; },
                                              .input_of = [this](const std::string&) { return &input; },
                                              .hook_input = [](const std::string&) { return json::Object{}; }});
    questions->ask(bench.store.asks.begin()->second);
    settle();
  }
  ~AskedHost() {
    questions.reset();
    scope.cancel();
  }
  void settle() {
    for (int i = 0; i < 20; ++i) {
      while (bench.loop.run_ready()) {}
      bench.loop.advance(std::chrono::milliseconds(20));
    }
  }
  // `members` follow the request id in the `response` of a control_response.
  void says(const std::string& members) {
    line(R"({"type":"control_response","response":{"request_id":"req_1")" + members + "}}");
  }
  void line(const std::string& text) {
    EXPECT_EQ(link.second->try_write(text + "\n"), text.size() + 1);
    settle();
  }

  const json::Value input = *json::parse(R"({"command":"ls"})");
  hub::test::Bench bench;
  std::string conversation;
  int settled = 0;
  bool ran = false;
  std::string reason;
  adapter::IdleAgent handler;
  std::pair<std::unique_ptr<ByteStream>, std::unique_ptr<ByteStream>> link = memory_pair(bench.loop);
  claude::AgentSide agent{bench.loop, framed_stream(bench.loop, std::move(link.first), line_framing()), handler};
  ClaudeRules rules;
  HostHooks hooks{bench.loop, agent};
  HostTools tools{bench.loop, hooks, rules, [](const std::string&) { return json::Object{}; }, nullptr, [] {}};
  std::optional<HostQuestions> questions;
  Scope scope{bench.loop};
};

constexpr const char* allow = R"(,"subtype":"success","response":{"behavior":"allow","updatedInput":{"command":"ls"}})";
constexpr const char* deny = R"(,"subtype":"success","response":{"behavior":"deny","message":"not now"})";

TEST(HostAnswers, OnlyAnExplicitAllowRunsTheTool) {
  struct Row {
    const char* members;
    bool runs;
  };
  constexpr Row rows[] = {
      {R"(,"subtype":"success")", false},
      {R"(,"subtype":"success","response":null)", false},
      {R"(,"subtype":"success","response":{})", false},
      {R"(,"subtype":"success","response":"allow")", false},
      {R"(,"subtype":"success","response":"")", false},
      {R"(,"subtype":"success","response":true)", false},
      {R"(,"subtype":"success","response":[{"behavior":"allow"}])", false},
      {R"(,"subtype":"success","response":{"behavior":"ask"})", false},
      {R"(,"subtype":"success","response":{"behavior":"ALLOW"})", false},
      {R"(,"subtype":"success","response":{"behavior":null,"updatedInput":{"command":"ls"}})", false},
      {R"(,"subtype":"success","response":{"behavior":"allow","updatedInput":"ls"})", false},
      {R"(,"subtype":"success","response":{"behavior":"allow","updatedInput":["ls"]})", false},
      {R"(,"subtype":"success","response":{"behavior":"allow","updatedInput":null})", false},
      {R"(,"subtype":"success","response":NaN)", false},
      {R"(,"subtype":"maybe","response":{"behavior":"allow"})", false},
      {R"(,"response":{"behavior":"allow"})", false},
      {R"(,"subtype":"error","error":"no","response":{"behavior":"allow"})", false},
      {R"(,"subtype":"error")", false},
      {deny, false},
      {allow, true},
      {R"(,"subtype":"success","response":{"behavior":"allow"})", true},
  };
  for (const Row& row : rows) {
    AskedHost host;
    ASSERT_EQ(host.settled, 0) << row.members;
    host.says(row.members);
    EXPECT_EQ(host.settled, 1) << row.members;
    EXPECT_EQ(host.ran, row.runs) << row.members;
  }
}

TEST(HostAnswers, AnInvalidOneIsRefusedInClaudeCodesWords) {
  AskedHost host;
  host.says(R"(,"subtype":"success","response":{"behavior":"allow","updatedInput":"ls"})");
  EXPECT_EQ(host.reason, "The canUseTool callback returned an invalid permission result: $.updatedInput: expected object");
}

TEST(HostAnswers, ALaterOneChangesNothing) {
  AskedHost refused;
  refused.says(deny);
  refused.says(allow);
  refused.line(
      R"({"type":"control_response","response":{"request_id":"req_2","subtype":"success","response":{"behavior":"allow"}}})");
  EXPECT_EQ(refused.settled, 1);
  EXPECT_FALSE(refused.ran);
  AskedHost stopped;
  EXPECT_TRUE(stopped.bench.hub->submit_at_once(stopped.conversation, hub::StopTurn{}));
  stopped.settle();
  stopped.says(allow);
  EXPECT_FALSE(stopped.ran);
}

}  // namespace
}  // namespace parlance::face
