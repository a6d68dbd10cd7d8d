// MCP servers of our configuration, started and reached by the real Claude Code of a hub: the promise of docs/howto/mcp_servers.md.
#include <algorithm>

#include "service/claude_mcp_servers.h"
#include "tests/peers/claude/cli_fixture.h"

namespace parlance::service {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ClaudeServers : public ClaudeCli {
 protected:
  static std::string fixture() { return PARLANCE_BINARY_DIR "/bin/mcp_fixture_server"; }
  // What all its processes were started with, by words.
  std::vector<std::string> words() const {
    std::vector<std::string> all;
    for (const pid_t pid : processes_with("ANTHROPIC_BASE_URL", url)) {
      std::istringstream line(read_file("/proc/" + std::to_string(pid) + "/cmdline"));
      for (std::string word; std::getline(line, word, '\0');) all.push_back(word);
    }
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
};

TEST_F(ClaudeServers, ReachItWhileItsCommandLineTellsNoSecret) {
  auto far = ChildProcess::start(loop, {.command = {fixture(), "--http"}});
  ASSERT_TRUE(far) << far.error().message;
  const auto output = (*far)->take_stream();
  const std::string address = loop.block_on(first_line(*output));
  const std::vector<McpServerSettings> servers{
      {.name = "near", .command = {fixture()}, .environment = {{"SECRET", "s3cret-of-near"}}},
      {.name = "far", .url = address, .token = "s3cret-of-far"}};
  mcp_servers = [servers] { return claude_mcp_config(servers); };
  open_hub();
  const std::string id = conversation();
  use(id, "mcp__near__test_simple_text");
  use(id, "mcp__far__test_simple_text");

  const std::vector<std::string> told = words();
  for (const std::string& word : told) EXPECT_THAT(word, Not(HasSubstr("s3cret")));
  const auto flag = std::ranges::find(told, "--mcp-config");
  ASSERT_NE(flag, told.end());
  const std::string file = *(flag + 1);
  EXPECT_THAT(read_file(file), HasSubstr("s3cret-of-far"));
  EXPECT_EQ(std::filesystem::status(file).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  hub.reset();
  EXPECT_FALSE(std::filesystem::exists(file)) << "nobody needs it any more";
}

}  // namespace
}  // namespace parlance::service
