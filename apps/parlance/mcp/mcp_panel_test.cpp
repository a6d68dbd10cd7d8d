// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/mcp/mcp_panel.h"

#include <filesystem>

#include <gmock/gmock.h>

#include "apps/parlance/config/test_support.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/session_setup.h"

namespace parlance::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct NoToolsAtAll final : hub::Tools {
  std::vector<hub::ToolSpec> list() const override { return {}; }
  Task<Result<hub::ToolIntent>> intent(const hub::SessionSetup&, const hub::ToolCall&) override {
    co_return fail(Errc::not_found, "no such tool");
  }
  Task<hub::ToolOutcome> call(const hub::SessionSetup&, const hub::ToolCall&, hub::ToolHost) override {
    co_return hub::ToolOutcome{};
  }
};

// A gateway with a server of parlance.toml at an unused address.
class McpPanelTest : public test::ConfigTest {
 protected:
  McpPanelTest() { start(); }
  void start() {
    panel.reset();
    tools.reset();
    const Settings settings = resolved(
        {}, write("f.toml", "[mcp.files]\nurl = \"http://127.0.0.1:1/mcp?key=secret\"\n[mcp.own]\ncommand = \"none\"\n"));
    auto configured = configured_mcp_servers(settings);
    ASSERT_TRUE(configured) << configured.error().message;
    tools.emplace(loop, none, tool_settings(*configured));
    panel.emplace(loop, state_folder(settings), *tools, *std::move(configured),
                  [this](hub::ServiceInfo service) { services[service.name] = service.detail; });
  }
  std::string change(std::string action, std::string name, std::optional<std::string> url = std::nullopt) {
    const auto done = loop.block_on(panel->change({.action = std::move(action), .name = std::move(name), .url = std::move(url)}));
    return done ? "done" : done.error().message;
  }
  std::vector<std::string> states() {
    std::vector<std::string> all;
    for (const page::McpServerValue& server : panel->servers(false).servers) all.push_back(server.name + " " + server.state);
    return all;
  }

  Loop loop;
  NoToolsAtAll none;
  std::map<std::string, std::string> services;
  std::optional<toolbox::ToolsViaMcp> tools;
  std::optional<McpPanel> panel;
};

TEST_F(McpPanelTest, AnAddressHasNoQueryAndItsLoginIsMissing) {
  const auto all = panel->servers(true).servers;
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].address, "http://127.0.0.1:1/mcp");
  EXPECT_EQ(all[0].login, "missing");
  EXPECT_TRUE(all[0].log.has_value());
  EXPECT_EQ(all[1].address, "none");
  EXPECT_EQ(all[1].login, "none");
  EXPECT_FALSE(panel->servers(false).servers[0].log.has_value());
}

TEST_F(McpPanelTest, ChangesHoldAfterARestart) {
  EXPECT_EQ(change("add", "tickets", "https://127.0.0.1:1/mcp"), "done");
  EXPECT_EQ(change("pause", "own"), "done");
  EXPECT_THAT(states(), ElementsAre(HasSubstr("files"), "own paused", HasSubstr("tickets")));
  start();
  EXPECT_THAT(states(), ElementsAre(HasSubstr("files"), "own paused", HasSubstr("tickets")));
  EXPECT_EQ(change("resume", "own"), "done");
  EXPECT_EQ(change("remove", "tickets"), "done");
  EXPECT_EQ(services["mcp tickets"], "removed");
  start();
  EXPECT_THAT(states(), ElementsAre("files connecting", "own connecting"));
}

TEST_F(McpPanelTest, WrongChangesHaveAReasonAndNoEffect) {
  EXPECT_THAT(change("add", "files", "https://x.example"), HasSubstr("exists already"));
  for (const char* url : {"", "file:///etc/passwd", "ftp://x.example", "x.example"})
    EXPECT_NE(change("add", "x", url), "done") << url;
  EXPECT_NE(change("add", "x"), "done");
  for (const char* name : {"", "a b", "../x", "x\n"}) EXPECT_NE(change("add", name, "https://x.example"), "done") << name;
  EXPECT_THAT(change("remove", "files"), HasSubstr("parlance.toml"));
  for (const char* action : {"remove", "pause", "resume", "restart", "login", "logout"})
    EXPECT_THAT(change(action, "unknown"), HasSubstr("has the name unknown")) << action;
  for (const char* action : {"", "Pause", "delete"}) EXPECT_THAT(change(action, "files"), HasSubstr("unknown value")) << action;
  EXPECT_THAT(change("login", "own"), HasSubstr("needs no login"));
  EXPECT_THAT(change("logout", "own"), HasSubstr("has no login"));
  EXPECT_EQ(states().size(), 2U);
}

TEST_F(McpPanelTest, AFailedLoginHasItsReason) {
  EXPECT_NE(change("login", "files"), "done");
  const auto server = panel->servers(false).servers[0];
  EXPECT_EQ(server.login, "missing");
  EXPECT_TRUE(server.login_problem.has_value());
  EXPECT_THAT(server.login_problem.value_or(""), testing::Not(HasSubstr("secret")));
}

}  // namespace
}  // namespace parlance::app
