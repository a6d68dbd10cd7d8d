// SPDX-License-Identifier: Apache-2.0
#include "parlance/adapter/claude/mcp_servers.h"

#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/adapter/claude/idle_agent_test_support.h"
#include "parlance/codec/json/value.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/protocol/claude/host.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"

namespace parlance::adapter {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

// ---- --mcp-config

TEST(ClaudeMcpConfig, FourKindsOfServersAndAnUnknownKind) {
  const auto config = read_claude_mcp_config(
      R"( {"mcpServers":{"calc":{"type":"sdk","name":"calc"},"files":{"command":"/bin/files","args":["-v"],"env":{"A":"b"}},)"
      R"("web":{"type":"http","url":"http://h/mcp","headers":{"X-Key":"k"}},"old":{"type":"sse","url":"http://h/sse"},"new":{"type":"ws","url":"ws://h"}}})");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_THAT(config->of_host, ElementsAre("calc"));
  EXPECT_THAT(config->not_understood, ElementsAre("new"));
  ASSERT_EQ(config->started.size(), 3U);
  EXPECT_EQ(config->started[0].prefix, "mcp__files");
  EXPECT_THAT(config->started[0].command, ElementsAre("/bin/files", "-v"));
  EXPECT_THAT(config->started[0].environment, ElementsAre(Pair("A", "b")));
  EXPECT_EQ(config->started[1].way, mcp::HttpWay::sse);
  EXPECT_EQ(config->started[1].url, "http://h/sse");
  EXPECT_EQ(config->started[2].way, mcp::HttpWay::streamable);
  EXPECT_EQ(config->started[2].url, "http://h/mcp");
  EXPECT_THAT(config->started[2].headers, ElementsAre(Pair("X-Key", "k")));
}

TEST(ClaudeMcpConfig, AFileIsFineAndMistakesHaveAPlace) {
  const std::string path =
      (std::filesystem::temp_directory_path() / "parlance-mcp-config-").string() + std::to_string(::getpid());
  { std::ofstream(path) << R"({"mcpServers":{"a":{"command":"x"}}})"; }
  const auto config = read_claude_mcp_config(path);
  std::filesystem::remove(path);
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->started.size(), 1U);
  EXPECT_EQ(read_claude_mcp_config(path).error().code, Errc::not_found);
  for (const char* text :
       {R"({"mcpServers":{"a":{}}})", R"({"mcpServers":{"a":{"type":"http"}}})", R"({"mcpServers":{"a":7}})", "{"}) {
    const auto bad = read_claude_mcp_config(text);
    ASSERT_FALSE(bad) << text;
    EXPECT_THAT(bad.error().message, HasSubstr("--mcp-config")) << text;
  }
}

// ---- servers of the host, with a host that has one

struct NoTools final : hub::Tools {
  std::vector<hub::ToolSpec> list() const override { return {}; }
  Task<Result<hub::ToolIntent>> intent(const hub::SessionSetup&, const hub::ToolCall&) override {
    co_return fail(Errc::not_found, "no such tool");
  }
  Task<hub::ToolOutcome> call(const hub::SessionSetup&, const hub::ToolCall&, hub::ToolHost) override {
    co_return hub::ToolOutcome{.state = hub::ToolEndState::failed};
  }
};

struct CalcHost final : claude::HostHandler {
  void on_line(const claude::StreamLine&) override {}
  Task<Result<claude::PermissionResult>> can_use_tool(const claude::CanUseTool&) override { co_return fail(Errc::denied, "no"); }
  Task<Result<wire::Raw>> hook_callback(claude::HookCallback) override { co_return fail(Errc::denied, "no"); }
  Task<Result<claude::McpReply>> mcp_message(claude::McpMessage message) override {
    if (message.server_name != "calc") co_return fail(Errc::not_found, "SDK MCP server not found: " + message.server_name);
    const json::Value what = *json::parse(message.message.json);
    const std::string method(what.text_or("method", ""));
    methods.push_back(method);
    // The SDK answers notifications, with the id of an unrelated request.
    if (method.starts_with("notifications/")) co_return claude::McpReply{{R"({"jsonrpc":"2.0","result":{},"id":0})"}};
    std::string result =
        R"({"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"calc","version":"1"}})";
    if (method == "tools/list") result = R"({"tools":[{"name":"add","description":"adds","inputSchema":{"type":"object"}}]})";
    if (method == "tools/call") result = R"({"content":[{"type":"text","text":"forty-two"}]})";
    co_return claude::McpReply{{R"({"jsonrpc":"2.0","id":)" + json::to_text(*what.find("id")) + R"(,"result":)" + result + "}"}};
  }
  std::vector<std::string> methods;
};

struct ServersOfTheHost : ::testing::Test {
  ServersOfTheHost() : pipe(memory_pair(loop)) {
    host = std::make_unique<claude::Host>(loop, framed_stream(loop, std::move(pipe.first), line_framing()), calc);
    agent = std::make_unique<claude::AgentSide>(loop, framed_stream(loop, std::move(pipe.second), line_framing()), handler);
    scope.start(run(*host));
    scope.start(run(*agent));
    servers = std::make_unique<ClaudeMcpServers>(loop, *agent, &tools);
  }
  ~ServersOfTheHost() override {
    servers.reset();
    scope.cancel();
  }
  template <class T>
  static Task<void> run(T& side) {
    static_cast<void>(co_await side.run());
  }
  hub::ToolOutcome call(std::string tool) {
    return loop.block_on(tools.call({}, {.id = "1", .tool = std::move(tool), .arguments_json = R"({"a":2})"}, {}));
  }

  Loop loop;
  NoTools none;
  toolbox::ToolsViaMcp tools{loop, none, {}};
  CalcHost calc;
  IdleAgent handler;
  decltype(memory_pair(std::declval<Loop&>())) pipe;
  std::unique_ptr<claude::Host> host;
  std::unique_ptr<claude::AgentSide> agent;
  std::unique_ptr<ClaudeMcpServers> servers;
  Scope scope{loop};
};

TEST_F(ServersOfTheHost, TheirToolsAreOfferedAndCalledUnderClaudeCodesNames) {
  servers->add_of_host({"calc", "calc"});
  loop.block_on(servers->settled());
  ASSERT_EQ(tools.list().size(), 1U);
  EXPECT_EQ(tools.list()[0].name, "mcp__calc__add");
  const hub::ToolOutcome outcome = call("mcp__calc__add");
  EXPECT_EQ(outcome.state, hub::ToolEndState::done);
  EXPECT_EQ(outcome.text, "forty-two");
  EXPECT_THAT(calc.methods, ElementsAre("initialize", "notifications/initialized", "tools/list", "tools/call"));
  EXPECT_EQ(json::to_text(servers->status()), R"([{"name":"calc","status":"connected"}])");
}

TEST_F(ServersOfTheHost, AServerUnknownToTheHostIsReportedAsFailed) {
  servers->add_of_host({"ghost"});
  loop.block_on(servers->settled());
  EXPECT_TRUE(tools.list().empty());
  const std::string status = json::to_text(servers->status());
  EXPECT_THAT(status, HasSubstr(R"("status":"failed")"));
  EXPECT_THAT(status, HasSubstr("SDK MCP server not found: ghost"));
}

TEST_F(ServersOfTheHost, ServersEndWithTheHost) {
  servers->add_of_host({"calc"});
  loop.block_on(servers->settled());
  servers.reset();
  loop.run_until([&] { return tools.list().empty(); });
  EXPECT_TRUE(tools.list().empty());
  EXPECT_EQ(call("mcp__calc__add").state, hub::ToolEndState::failed);
}

TEST(ServersOfAHost, AnAgentWithoutToolsSaysSo) {
  Loop loop;
  IdleAgent handler;
  auto pipe = memory_pair(loop);
  claude::AgentSide agent(loop, framed_stream(loop, std::move(pipe.first), line_framing()), handler);
  ClaudeMcpServers servers(loop, agent, nullptr);
  servers.add_of_host({"calc"});
  loop.block_on(servers.settled());
  EXPECT_THAT(json::to_text(servers.status()), HasSubstr(R"("status":"failed")"));
}

}  // namespace
}  // namespace parlance::adapter
