// SPDX-License-Identifier: Apache-2.0
// MCP servers of our configuration, started and reached by the real Claude Code of a hub: the promise of docs/howto/mcp_servers.md.
#include "parlance/adapter/claude/mcp_servers.h"
#include "parlance/hub/conversation/conversation.h"
#include "tests/peers/claude/cli_fixture.h"

namespace parlance::service {
namespace {

using ::testing::HasSubstr;

class ClaudeServers : public ClaudeCli {
 protected:
  static std::string fixture() { return PARLANCE_BINARY_DIR "/bin/mcp_fixture_server"; }
  void SetUp() override {
    ClaudeCli::SetUp();
    if (IsSkipped()) return;
    runtime = base + "/runtime";
    std::filesystem::create_directories(runtime);
    std::filesystem::permissions(runtime, std::filesystem::perms::owner_all);
    ::setenv("XDG_RUNTIME_DIR", runtime.c_str(), 1);
  }
  void TearDown() override {
    ::unsetenv("XDG_RUNTIME_DIR");
    ClaudeCli::TearDown();
  }
  std::vector<std::string> files() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(runtime)) all.push_back(entry.path().string());
    return all;
  }
  void use(const std::string& id, const std::string& tool) {
    begin(id, tool_step(tool, "{}") + step("echo"));
    const hub::Ask ask = asked();
    EXPECT_EQ(ask.tool, tool);
    answer(ask, "allow_once");
    until_idle(id);
    EXPECT_THAT(said(id), HasSubstr("This is a simple text response"));
  }
  std::string runtime;
};

// Secrets on its command line: run_test.cpp and serve_test.cpp (the CLI overwrites its command line after the start).
TEST_F(ClaudeServers, ReachItInAFileOfOursThatGoesWithIt) {
  auto far = ChildProcess::start(loop, {.command = {fixture(), "--http"}});
  ASSERT_TRUE(far) << far.error().message;
  const auto output = (*far)->take_stream();
  const std::string address = loop.block_on(first_line(*output));
  const std::vector<toolbox::McpServerSettings> servers{
      {.name = "near", .command = {fixture()}, .environment = {{"SECRET", "s3cret-of-near"}}},
      {.name = "far", .url = address, .token = "s3cret-of-far"}};
  mcp_servers = [servers] { return adapter::claude_mcp_config(servers); };
  open_hub();
  const std::string id = conversation();
  use(id, "mcp__near__test_simple_text");
  use(id, "mcp__far__test_simple_text");

  ASSERT_EQ(files().size(), 1U);
  const std::string file = files().front();
  EXPECT_THAT(read_file(file), HasSubstr("s3cret-of-far"));
  EXPECT_EQ(std::filesystem::status(file).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  hub.reset();
  EXPECT_FALSE(std::filesystem::exists(file)) << "nobody needs it any more";
}

// A team's memory, for example: absent from lists of programs and from any address.
TEST_F(ClaudeServers, AServerOfOursIsReachedThroughUs) {
  int made = 0;
  own_servers.push_back({.name = "memory", .make = [&](const hub::SessionSetup& of) {
                           auto server = std::make_unique<mcp::Server>(
                               loop, mcp::ServerSettings{.info = {.name = "memory", .version = "1"}});
                           server->add({.name = "memory_search"},
                                       [&made, agent = of.agent](mcp::Raw, mcp::Request&) -> Task<Result<mcp::CallToolResult>> {
                                         mcp::CallToolResult result;
                                         result.content.emplace().push_back(mcp::text("tea, says the memory of " + agent));
                                         ++made;
                                         co_return result;
                                       });
                           return std::make_unique<adapter::ClaudeOwnServer>(std::move(server));
                         }});
  open_hub();
  const std::string id = conversation();
  for (int turn = 1; turn <= 2; ++turn) {
    begin(id, tool_step("mcp__memory__memory_search", "{}") + step("echo"));
    answer(asked(), "allow_once");
    until_idle(id);
    EXPECT_THAT(said(id), HasSubstr("tea, says the memory of claude"));
    EXPECT_EQ(made, turn);
    open_hub();  // another process, which must ask again
  }
}

}  // namespace
}  // namespace parlance::service
