// SPDX-License-Identifier: Apache-2.0
// State of resumed sessions: the mode chosen by the person persists.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/driver/acp/test_support.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/tool_event.h"

namespace parlance::driver {
namespace {

using test::AcpBench;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

acp::SessionModes two_modes() {
  return {.current_mode_id = "default", .available_modes = {{.id = "default", .name = "Ask"}, {.id = "plan", .name = "Plan"}}};
}

TEST(AcpResumedSession, TheModeSurvivesTheEndOfThisProgramAndOfTheAgent) {
  AcpBench bench;
  bench.agent_script.initialized.capabilities = acp::AgentCapabilities{.load_session = true};
  bench.agent_script.modes = two_modes();
  const std::string id = bench.acp_conversation(hub::Mode::plan);
  bench.begin(id);
  EXPECT_THAT(bench.agent_script.modes_set, ElementsAre("plan"));
  bench.restart();  // the agent restarts in its default mode, and reports it
  bench.begin(id, "again");
  EXPECT_THAT(bench.agent_script.asked, ElementsAre("initialize", "session/new", "session/set_mode", "session/prompt",
                                                    "initialize", "session/load", "session/set_mode", "session/prompt"));
  EXPECT_THAT(bench.agent_script.modes_set, ElementsAre("plan", "plan")) << "before the prompt, not after it";
  EXPECT_EQ(bench.hub->find(id)->mode, hub::Mode::plan);
  bench.cut();
  bench.settle();
  bench.begin(id, "and again");
  EXPECT_THAT(bench.agent_script.modes_set, ElementsAre("plan", "plan", "plan"));
  EXPECT_EQ(bench.hub->find(id)->mode, hub::Mode::plan);
}

TEST(AcpResumedSession, AListWithPagesInTurnsEnds) {
  AcpBench bench;
  bench.agent_script.initialized.capabilities =
      acp::AgentCapabilities{.load_session = true, .session = acp::SessionCapabilities{.list = acp::Supported{}}};
  int pages = 0;
  bench.agent_script.list = [&pages](const acp::ListSessions& asked) -> acp::SessionList {
    return {.sessions = {{.session_id = std::to_string(++pages), .cwd = "/project"}},
            .next_cursor = asked.cursor == "a" ? "b" : "a"};
  };
  const auto kept = bench.loop.block_on(bench.hub->kept_sessions("acp", "/project"));
  ASSERT_TRUE(kept) << kept.error().message;
  EXPECT_EQ(kept->size(), 3U);
}

TEST(AcpResumedSession, RequestOfASubAgentIsShown) {
  AcpBench bench({.flavour = acp::Flavour::iflow});
  bench.agent_script.prompt = [](const acp::Prompt& prompt, Peer& agent) -> Task<Result<acp::PromptResult>> {
    const auto send = [&](std::string_view update) {
      static_cast<void>(
          agent.notify(acp::method::update, {.session_id = "default-session", .update = *json::from_text<acp::Update>(update)}));
    };
    send(R"({"sessionUpdate":"agent_message_chunk","agentId":"subagent-t1-0-1","content":{"type":"text","text":"I look"}})");
    const auto answer = co_await agent.call(
        acp::method::request_permission,
        {.session_id = "default-session",  // an unknown session: the behaviour of iFlow's sub-agents
         .tool_call = *json::from_text<acp::ToolCallUpdate>(
             R"({"toolCallId":"t","title":"rm x","kind":"execute","agentId":"subagent-t1-0-1","rawInput":{"command":"rm x"}})"),
         .options = {{.option_id = "proceed_once", .name = "Yes", .kind = {.value = acp::PermissionKind::allow_once}},
                     {.option_id = "cancel", .name = "No", .kind = {.value = acp::PermissionKind::reject_once}}}});
    static_cast<void>(agent.notify(acp::method::update, acp::test::said(json::to_text(*answer), prompt.session_id)));
    co_return acp::PromptResult{};
  };
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  const hub::Ask ask = bench.asked();
  EXPECT_EQ(ask.kind, hub::AskKind::permission);
  EXPECT_EQ(ask.detail, "rm x");
  bench.choose(ask, "proceed_once");
  EXPECT_THAT(bench.said(id), HasSubstr(R"("optionId":"proceed_once")"));
  const auto starts = bench.events<hub::event::ToolStart>(id);
  ASSERT_EQ(starts.size(), 2U) << "the sub-agent, and its call";
  EXPECT_EQ(starts[1].parent, starts[0].call);
}

}  // namespace
}  // namespace parlance::driver
