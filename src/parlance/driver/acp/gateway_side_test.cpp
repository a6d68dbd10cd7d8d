// SPDX-License-Identifier: Apache-2.0
// A gateway as an agent of the hub: the gateway decides, and sessions resume at their position.
#include "parlance/driver/acp/gateway_side.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/driver/acp/gateway_word.h"
#include "parlance/driver/acp/test_support.h"

namespace parlance::driver {
namespace {

using test::AcpBench;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

AcpAgentSettings a_gateway() {
  return {.gateway = std::make_shared<GatewaySide>(), .session_meta = R"({"parlance":{"agent":"acp"}})"};
}

void tell(Peer& gateway, const std::string& update, int position) {
  acp::SessionUpdate told{.session_id = "s-1", .update = *json::from_text<acp::Update>(update)};
  if (position != 0) told.meta.json = R"({"parlance":{"position":)" + std::to_string(position) + "}}";
  static_cast<void>(gateway.notify(acp::method::update, told));
}
std::string text(const std::string& words, const std::string& message) {
  return R"({"sessionUpdate":"agent_message_chunk","messageId":")" + message + R"(","content":{"type":"text","text":")" + words +
         "\"}}";
}

struct GatewayBench : AcpBench {
  GatewayBench() : AcpBench(a_gateway()) {
    agent_script.initialized.capabilities = acp::AgentCapabilities{
        .load_session = true, .session = acp::SessionCapabilities{.resume = acp::Supported{}, .close = acp::Supported{}}};
    agent_script.modes =
        acp::SessionModes{.current_mode_id = "default", .available_modes = {{.id = "default"}, {.id = "yolo"}, {.id = "smart"}}};
  }
};

TEST(GatewaySide, SessionResumesAtItsLastPosition) {
  GatewayBench bench;
  std::vector<std::string> wished;
  bench.agent_script.load = [&](const acp::LoadSession& which, Peer& gateway) {
    wished.push_back(which.meta.json);
    tell(gateway, R"({"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"Bob asks"}})", 5);
    tell(gateway, text("two", "m-1"), 6);
  };
  bench.agent_script.prompt = [&](const acp::Prompt&, Peer& gateway) -> Task<Result<acp::PromptResult>> {
    tell(gateway, text("one ", "m-1"), 4);
    co_await bench.agent_script.proceed.wait();  // for ever
    co_return acp::PromptResult{};
  };
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  bench.cut();
  bench.settle();
  ASSERT_EQ(bench.events<hub::event::Failure>(id).size(), 1U);
  EXPECT_THAT(bench.events<hub::event::Failure>(id).front().message, HasSubstr("Your next message connects again"));
  bench.agent_script.prompt = [&](const acp::Prompt&, Peer& gateway) -> Task<Result<acp::PromptResult>> {
    tell(gateway, text("three", "m-2"), 9);
    co_return acp::PromptResult{};
  };
  bench.begin(id, "again");
  EXPECT_THAT(wished, ElementsAre(R"({"parlance":{"agent":"acp","after":4}})"));
  EXPECT_EQ(bench.said(id), "one two\n\nthree");
  const auto notices = bench.events<hub::event::Notice>(id);
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_EQ(notices.front().text, "Said at the gateway: Bob asks");
  EXPECT_EQ(bench.settings.gateway->position("s-1"), 9U);
}

TEST(GatewaySide, ItsModesAreOursByNameAndItsOwnCounts) {
  GatewayBench bench;
  const std::string id = bench.acp_conversation(hub::Mode::smart);
  bench.begin(id);
  EXPECT_THAT(bench.agent_script.modes_set, ElementsAre("smart"));
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(id, hub::ChangeSettings{{.mode = hub::Mode::yolo}})));
  EXPECT_THAT(bench.agent_script.modes_set, ElementsAre("smart", "yolo")) << "at once, where others hear of it";
  bench.cut();
  bench.settle();
  bench.begin(id, "again");  // another client may have reset the mode meanwhile
  EXPECT_THAT(bench.agent_script.modes_set, ElementsAre("smart", "yolo"));
  EXPECT_EQ(bench.hub->find(id)->mode, hub::Mode::default_);
}

TEST(GatewaySide, RequestsOfAGatewayReachThePersonUnchanged) {
  GatewayBench bench;
  std::string chosen;
  bench.agent_script.prompt = [&](const acp::Prompt& prompt, Peer& gateway) -> Task<Result<acp::PromptResult>> {
    const auto answer = co_await gateway.call(
        acp::method::request_permission,
        {.session_id = prompt.session_id,
         .tool_call = *json::from_text<acp::ToolCallUpdate>(
             R"({"toolCallId":"t","title":"rm x","kind":"execute","content":[{"type":"content","content":{"type":"text","text":"```\nrm x\n```"}},)"
             R"({"type":"content","content":{"type":"text","text":"it changes files"}}]})"),
         .options = {{.option_id = "rule-7", .name = "Always", .kind = {.value = acp::PermissionKind::allow_always}},
                     {.option_id = "no", .name = "No", .kind = {.value = acp::PermissionKind::reject_once}}}});
    chosen = json::to_text(*answer);
    co_return acp::PromptResult{};
  };
  const std::string id = bench.acp_conversation(hub::Mode::yolo);
  bench.begin(id);
  const hub::Ask ask = bench.asked();
  EXPECT_EQ(ask.why, "it changes files");
  EXPECT_EQ(ask.detail, "rm x");
  EXPECT_EQ(ask.options.size(), 2U) << "nothing is added";
  bench.choose(ask, "rule-7");
  EXPECT_THAT(chosen, HasSubstr("rule-7"));
  EXPECT_THAT(bench.hub->snapshot().rules, IsEmpty()) << "it is kept there";
}

TEST(GatewaySide, DisconnectDoesNotStopTheGatewaysTurns) {
  GatewayBench bench;
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(id, hub::RemoveConversation{})));
  bench.settle();
  EXPECT_THAT(bench.agent_script.asked, Not(::testing::Contains("session/close")));
}

TEST(GatewaySide, OnlyAParlanceGatewayReportsItsAgents) {
  GatewayBench bench;
  EXPECT_THAT(bench.loop.block_on(ask_gateway(bench.loop, bench.settings)).error().message,
              HasSubstr("is no gateway of parlance"));
  bench.agent_script.initialized.meta.json = R"({"parlance":{"folder":"/srv","agents":[{"id":"a","name":"A"}]}})";
  bool asked = false;
  bench.agent_script.initialize = [&](const acp::InitializeParams& told) {
    asked = told.meta.json == R"({"parlance":{"positions":true}})";
  };
  const auto word = bench.loop.block_on(ask_gateway(bench.loop, bench.settings));
  ASSERT_TRUE(word) << word.error().message;
  EXPECT_TRUE(asked);
  EXPECT_EQ(word->folder, "/srv");
  EXPECT_EQ(word->agents.front().id, "a");
}

}  // namespace
}  // namespace parlance::driver
