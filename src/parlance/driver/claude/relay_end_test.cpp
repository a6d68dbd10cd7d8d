// SPDX-License-Identifier: Apache-2.0
// The agent's end of a relay: the answerer of each request, and the errors for a host without a Claude Code.
#include "parlance/driver/claude/relay_end.h"

#include <gtest/gtest.h>

#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"

namespace parlance::driver {
namespace {

struct Deaf final : claude::HostHandler {
  void on_line(const claude::StreamLine&) override {}
  Task<Result<claude::PermissionResult>> can_use_tool(const claude::CanUseTool&) override {
    co_return claude::PermissionResult{claude::Allow{}};
  }
  Task<Result<wire::Raw>> hook_callback(claude::HookCallback) override { co_return wire::Raw{"{}"}; }
  Task<Result<claude::McpReply>> mcp_message(claude::McpMessage) override { co_return claude::McpReply{}; }
};

struct Relayed : testing::Test {
  Loop loop{Loop::Time::virtual_};
  adapter::ClaudeRelay relay{loop};
  Deaf handler;
  std::pair<std::unique_ptr<ByteStream>, std::unique_ptr<ByteStream>> link = memory_pair(loop);
  claude::Host host{loop, framed_stream(loop, std::move(link.first), line_framing()), handler};
  std::optional<Error> ended;
};

TEST_F(Relayed, WithoutAHostBehindTheAgentNothingIsPassedOn) {
  RelayEnd none(nullptr);
  none.enter(host, ended);
  EXPECT_FALSE(none.has_hooks());
  EXPECT_FALSE(none.host_is_slow());
  EXPECT_EQ(loop.block_on(none.other("elicitation", {"{}"})).error().code, Errc::unknown_method);
  EXPECT_EQ(loop.block_on(none.mcp_message({.server_name = "files"})).error().message, "SDK MCP server not found: files");
  bool by_hook = true;
  const auto ask = [&](const claude::CanUseTool&, bool wants) -> Task<Result<claude::PermissionResult>> {
    by_hook = wants;
    co_return claude::PermissionResult{claude::Allow{}};
  };
  const claude::CanUseTool request{.tool_name = "Bash", .tool_use_id = "t1"};
  EXPECT_TRUE(loop.block_on(none.can_use_tool(request, ask)));
  EXPECT_FALSE(by_hook);
}

TEST_F(Relayed, AnAnswerOfTheHostCountsAsItGaveIt) {
  RelayEnd end(&relay);
  relay.asked_by_hook.insert("t1");
  bool by_hook = false;
  const auto ask = [&](const claude::CanUseTool& asked, bool wants) -> Task<Result<claude::PermissionResult>> {
    by_hook = wants;
    EXPECT_EQ(relay.questions.at("t1").request.tool_name, asked.tool_name);
    relay.questions.at("t1").answer = claude::PermissionResult{claude::Deny{.message = "in the host's words"}};
    co_return claude::PermissionResult{claude::Deny{.message = "in ours"}};
  };
  const claude::CanUseTool request{.tool_name = "Bash", .tool_use_id = "t1"};
  const auto answer = loop.block_on(end.can_use_tool(request, ask));
  ASSERT_TRUE(answer);
  EXPECT_EQ(std::get<claude::Deny>(answer->value).message, "in the host's words");
  EXPECT_TRUE(by_hook);
  EXPECT_TRUE(relay.questions.empty()) << "it is settled";
}

TEST_F(Relayed, AClaudeCodeThatHasEndedIsAskedNothing) {
  RelayEnd end(&relay);
  end.enter(host, ended);
  ASSERT_TRUE(relay.status && relay.request && relay.to_agent);
  ended = Error{Errc::disconnected, "gone"};
  EXPECT_EQ(loop.block_on(relay.status()).error().message, "Claude Code has ended");
  EXPECT_EQ(loop.block_on(relay.request("x", {"{}"})).error().message, "Claude Code has ended");
  EXPECT_EQ(loop.block_on(relay.to_agent({})).error().code, Errc::disconnected);
}

TEST_F(Relayed, OneThatEndsLateDoesNotTakeTheNextOnesPlace) {
  RelayEnd next(&relay);
  {
    RelayEnd late(&relay);
    late.enter(host, ended);
    next.enter(host, ended);
  }
  EXPECT_TRUE(relay.status) << "it is the next one's";
  next.leave();
  EXPECT_FALSE(relay.status);
  EXPECT_EQ(relay.agent, nullptr);
}

}  // namespace
}  // namespace parlance::driver
