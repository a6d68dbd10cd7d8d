// SPDX-License-Identifier: Apache-2.0
// The bounded wait of a turn for starting MCP servers.
#include <gtest/gtest.h>

#include "parlance/hub/conversation/agent_info.h"
#include "parlance/toolbox/mcp/tools_via_mcp.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"

namespace parlance::driver {
namespace {

using toolbox::McpServerSettings;
using toolbox::ToolsViaMcp;

struct NoOtherTools final : hub::Tools {
  std::vector<hub::ToolSpec> list() const override { return {}; }
  Task<Result<hub::ToolIntent>> intent(const hub::SessionSetup&, const hub::ToolCall&) override {
    co_return fail(Errc::not_found, "no such tool");
  }
  Task<hub::ToolOutcome> call(const hub::SessionSetup&, const hub::ToolCall&, hub::ToolHost) override {
    co_return hub::ToolOutcome{};
  }
};

struct ServerWait : ::testing::Test {
  // A connected server without answers.
  McpServerSettings silent() {
    return {.name = "silent", .frames = [this]() -> std::unique_ptr<Frames> {
              auto [near, far] = memory_pair(loop, {.capacity = 1 << 16});
              far_ends.push_back(std::move(far));
              return framed_stream(loop, std::move(near), line_framing());
            }};
  }
  McpServerSettings gone() {
    return {.name = "gone", .frames = []() -> std::unique_ptr<Frames> { return nullptr; }};
  }
  void start(std::vector<McpServerSettings> servers) {
    tools.emplace(loop, others, std::move(servers));
    tools->start();
    scope.start([](ToolsViaMcp& all, bool& settled) -> Task<void> {
      static_cast<void>(co_await all.settled());
      settled = true;
    }(*tools, settled));
    loop.run_ready();
  }

  Loop loop{Loop::Time::virtual_};
  std::vector<std::unique_ptr<ByteStream>> far_ends;
  NoOtherTools others;
  std::optional<ToolsViaMcp> tools;
  bool settled = false;
  Scope scope{loop};
};

TEST_F(ServerWait, ATurnDoesNotWaitForAFailedServer) {
  start({gone()});
  EXPECT_TRUE(settled);
  EXPECT_FALSE(tools->health().front().waited_for);
  EXPECT_EQ(tools->health().front().state, toolbox::ToolsViaMcp::Health::State::failed);
}

TEST_F(ServerWait, ATurnWaitsForASilentServerForABoundedTime) {
  start({gone(), silent()});
  loop.advance(limits::mcp_first_wait - std::chrono::seconds(1));
  EXPECT_FALSE(settled);
  EXPECT_TRUE(tools->health().back().waited_for);
  loop.advance(std::chrono::seconds(1));
  EXPECT_TRUE(settled);
  EXPECT_FALSE(tools->health().back().waited_for) << "later turns do not wait again";
}

}  // namespace
}  // namespace parlance::driver
