// SPDX-License-Identifier: Apache-2.0
// Lines of the agent are handled in order, one by one, and a blocked handler stops the reading.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/async/channel.h"
#include "parlance/protocol/claude/host.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"

namespace parlance::claude {
namespace {

struct Slow final : HostHandler {
  explicit Slow(Loop& loop) : reads(loop) {}
  void on_line(const StreamLine& line) override {
    seen.emplace_back(line.type);
    full = stops_at_each_line;
  }
  Task<Result<PermissionResult>> can_use_tool(const CanUseTool&) override {
    seen.emplace_back("can_use_tool");
    co_return PermissionResult{Allow{}};
  }
  Task<Result<wire::Raw>> hook_callback(HookCallback) override { co_return wire::Raw{"{}"}; }
  Task<Result<McpReply>> mcp_message(McpMessage) override { co_return McpReply{}; }
  bool congested() const override { return full; }
  Task<void> wait_writable() override {
    while (full) co_await reads.wait();
  }
  void take_more() {
    full = false;
    reads.notify_all();
  }
  Signal reads;
  bool full = false;
  bool stops_at_each_line = true;
  std::vector<std::string> seen;
};

class ClaudePressure : public testing::TestWithParam<bool> {
 protected:
  ClaudePressure() {
    const auto run = [](Host& host, bool& over) -> Task<void> {
      static_cast<void>(co_await host.run());
      over = true;
    };
    scope.start(run(host, ended));
  }
  ~ClaudePressure() override { scope.cancel(); }
  void turn() {
    while (loop.run_ready()) {}
  }
  using Seen = std::vector<std::string>;

  Loop loop{Loop::Time::virtual_};
  std::pair<std::unique_ptr<ByteStream>, std::unique_ptr<ByteStream>> link = memory_pair(loop, {.one_byte_reads = GetParam()});
  Slow handler{loop};
  Host host{loop, framed_stream(loop, std::move(link.first), line_framing()), handler};
  bool ended = false;
  Scope scope{loop};
};

TEST_P(ClaudePressure, NoLineIsHandledWhileTheHandlerIsFull) {
  link.second->try_write(
      "{\"type\":\"one\"}\n"
      R"({"type":"control_request","request_id":"a","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{}}})"
      "\n{\"type\":\"two\"}\n{\"type\":\"three\"}\n");
  link.second->close_output();
  turn();
  EXPECT_EQ(handler.seen, Seen{"one"}) << "all came at once";
  handler.take_more();
  turn();
  EXPECT_EQ(handler.seen, (Seen{"one", "can_use_tool", "two"})) << "requests keep their place among the lines";
  EXPECT_FALSE(ended);
  handler.stops_at_each_line = false;
  handler.take_more();
  turn();
  EXPECT_EQ(handler.seen, (Seen{"one", "can_use_tool", "two", "three"}));
  EXPECT_TRUE(ended);
}

INSTANTIATE_TEST_SUITE_P(Reads, ClaudePressure, testing::Values(false, true),
                         [](const auto& run) { return run.param ? std::string("OneByte") : std::string("Whole"); });

}  // namespace
}  // namespace parlance::claude
