// SPDX-License-Identifier: Apache-2.0
// The MCP servers of the configuration: tables [mcp.NAME], and our own for the databases that a person named.
#include "apps/parlance/config/mcp_servers.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/parlance/config/resolve_settings.h"
#include "parlance/toolbox/mcp/limits.h"
#include "tests/support/programs.h"

namespace parlance::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using namespace std::chrono_literals;

class McpServers : public test::ProgramTest {
 protected:
  McpServers() { ::unsetenv("PARLANCE_DATABASES"); }

  Result<std::vector<toolbox::McpServerSettings>> servers(std::string_view toml, std::map<std::string, std::string> flags = {}) {
    test::write_file(path("parlance.toml"), toml);
    auto settings = resolve_settings(flags, path("parlance.toml"));
    EXPECT_TRUE(settings) << settings.error().message;
    if (!settings) return std::unexpected(settings.error());
    return mcp_servers(*settings);
  }
  std::string fault(std::string_view toml) {
    const auto read = servers(toml);
    return read ? "none" : read.error().message;
  }
};

TEST_F(McpServers, AreTablesWithACommandOrAnAddress) {
  ::setenv("TICKETS_TOKEN", "secret", 1);
  const auto all = servers(R"(
listen = "127.0.0.1:1"
[mcp.files]
command = ["npx", "some server", "/home/ada"]
[mcp.plain]
command = "plain  --flag"
[mcp.tick-ets_2]
url = "https://tickets.example/mcp"
token_variable = "TICKETS_TOKEN"
timeout = 60
)");
  ::unsetenv("TICKETS_TOKEN");
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_EQ(all->size(), 3U);
  EXPECT_EQ((*all)[0].name, "files");
  EXPECT_THAT((*all)[0].command, ElementsAre("npx", "some server", "/home/ada")) << "a list is taken as it stands";
  EXPECT_THAT((*all)[1].command, ElementsAre("plain", "--flag")) << "one text is a command line";
  EXPECT_EQ((*all)[1].call_time, std::chrono::milliseconds(limits::mcp_tool_time));
  EXPECT_EQ((*all)[2].name, "tick-ets_2");
  EXPECT_EQ((*all)[2].url, "https://tickets.example/mcp");
  EXPECT_EQ((*all)[2].token, "secret");
  EXPECT_EQ((*all)[2].call_time, 60s);
  EXPECT_EQ((*all)[2].way, mcp::HttpWay::automatic);
}

TEST_F(McpServers, TheWayOverHttpCanBeSaid) {
  const auto all =
      servers("[mcp.a]\nurl = \"http://x\"\ntransport = \"sse\"\n[mcp.b]\nurl = \"http://x\"\ntransport = \"http\"\n");
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_EQ((*all)[0].way, mcp::HttpWay::sse);
  EXPECT_EQ((*all)[1].way, mcp::HttpWay::streamable);
  EXPECT_THAT(fault("[mcp.a]\nurl = \"http://x\"\ntransport = \"carrier\""), HasSubstr("use http or sse"));
  EXPECT_THAT(fault("[mcp.a]\ncommand = \"x\"\ntransport = \"sse\""), HasSubstr("only allowed with a url"));
}

TEST_F(McpServers, AFaultIsReportedWithItsPlace) {
  ::unsetenv("NO_SUCH_TOKEN");
  EXPECT_THAT(fault("[mcp.a]\ncommand = \"x\"\nurl = \"http://x\""), HasSubstr("[mcp.a]: either command or url"));
  EXPECT_THAT(fault("[mcp.a]\ntimeout = 5"), HasSubstr("[mcp.a]: either command or url"));
  EXPECT_THAT(fault("[mcp.a]\nurl = \"http://x\"\ntimeout = 0"), HasSubstr("no number of seconds"));
  EXPECT_THAT(fault("[mcp.a]\nurl = \"http://x\"\ntimeout = \"soon\""), HasSubstr("\"soon\""));
  EXPECT_THAT(fault("[mcp.a]\nurl = \"http://x\"\ntoken_variable = \"NO_SUCH_TOKEN\""), HasSubstr("NO_SUCH_TOKEN"));
  const std::string unknown = fault("[mcp.a]\nurl = \"http://x\"\nurls = \"y\"");
  EXPECT_THAT(unknown, HasSubstr(path("parlance.toml")));
  EXPECT_THAT(unknown, HasSubstr("[mcp.a] urls"));
  EXPECT_THAT(fault("[mcp]\ncommand = \"x\""), HasSubstr("a server is a table [mcp.NAME]"));
}

TEST_F(McpServers, NoServerRunsWithoutASetting) {
  const auto all = servers("listen = \"127.0.0.1:1\"\n");
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->empty());
}

TEST_F(McpServers, NamedDatabasesAreServedByOurOwnServer) {
  std::filesystem::create_directories(path("x"));
  const std::string a = path("a.db");
  const std::string b = path("x/b.db");
  const auto listed = servers("databases = [\"" + a + "\", \"" + b + "\"]\n");
  ASSERT_TRUE(listed) << listed.error().message;
  ASSERT_EQ(listed->size(), 1U);
  EXPECT_EQ(listed->front().name, "sqlite");
  EXPECT_THAT(listed->front().command, ElementsAre(own_program(), "sqlite", "--mcp", "--db", a, "--db", b, "--allowed-dir",
                                                   folder(), "--allowed-dir", path("x")));
  const auto flagged = servers("", {{"databases", a + ":" + b}});
  ASSERT_TRUE(flagged);
  EXPECT_EQ(flagged->front().command, listed->front().command);
  const auto one = servers("databases = \"" + a + "\"\n");
  ASSERT_TRUE(one);
  EXPECT_THAT(one->front().command, ElementsAre(own_program(), "sqlite", "--mcp", "--db", a, "--allowed-dir", folder()));
}
TEST_F(McpServers, ATableOfThisNameWins) {
  const auto all = servers("databases = \"" + path("a.db") + "\"\n[mcp.sqlite]\ncommand = [\"other\"]\n");
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_EQ(all->size(), 1U);
  EXPECT_THAT(all->front().command, ElementsAre("other"));
}
TEST_F(McpServers, ADatabaseInNoFolderIsAMistake) {
  EXPECT_THAT(fault("databases = \"/no/such/folder/a.db\"\n"), HasSubstr("databases: no such folder: /no/such/folder"));
}

}  // namespace
}  // namespace parlance::app
