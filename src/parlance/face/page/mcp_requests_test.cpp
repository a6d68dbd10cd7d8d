// SPDX-License-Identifier: Apache-2.0
// Requests of pages about MCP servers: readers, admins, and malformed requests.
#include <gtest/gtest.h>

#include "parlance/face/page/test_support.h"
#include "parlance/hub/test_team.h"

namespace parlance::face {
namespace {

using hub::TeamRole;

struct FakeServers final : McpPort {
  page::McpServersValue servers(bool with_log) override {
    page::McpServerValue server{.name = "tickets", .state = "failed", .address = "https://t.example/mcp", .login = "missing"};
    if (with_log) server.log = std::vector<std::string>{"secret line"};
    return {.servers = {std::move(server)}};
  }
  Task<Result<page::McpChangedValue>> change(page::ChangeMcpServer wanted) override {
    changes.push_back(wanted.action + " " + wanted.name + " " + wanted.url.value_or("-"));
    if (wanted.action == "login") co_return page::McpChangedValue{.login_page = "https://auth.example/a"};
    co_return page::McpChangedValue{};
  }
  std::vector<std::string> changes;
};

struct McpRequests : hub::test::TeamOfTwo {
  FakeServers servers;
  PageServer server{loop, {.home = "/home/ann", .default_folder = "/tmp", .mcp = &servers}};
};

TEST_F(McpRequests, OnlyAdminsReadTheLog) {
  for (const TeamRole role : {TeamRole::viewer, TeamRole::member, TeamRole::admin}) {
    test::TestPage page(loop, server, of("ann", role));
    const std::string text = json::to_text(page.answer(page.request("mcp_servers")));
    EXPECT_TRUE(text.contains(R"("name":"tickets")")) << text;
    EXPECT_EQ(text.contains("secret line"), role == TeamRole::admin) << text;
  }
}

TEST_F(McpRequests, OnlyAdminsChangeServers) {
  for (const TeamRole role : {TeamRole::viewer, TeamRole::member}) {
    test::TestPage page(loop, server, of("ann", role));
    for (const char* action : {"add", "remove", "pause", "resume", "restart", "login", "logout"})
      EXPECT_EQ(page.code(page.request("mcp_change", R"("action":")" + std::string(action) + R"(","name":"tickets")")), "denied");
  }
  EXPECT_TRUE(servers.changes.empty());
  test::TestPage page(loop, server, of("ann", TeamRole::admin));
  const json::Value answer = page.answer(page.request("mcp_change", R"("action":"login","name":"tickets")"));
  EXPECT_EQ(answer.find("value")->text_or("login_page", ""), "https://auth.example/a");
  page.request("mcp_change", R"("action":"add","name":"x","url":"https://x.example")");
  EXPECT_EQ(servers.changes, (std::vector<std::string>{"login tickets -", "add x https://x.example"}));
}

TEST_F(McpRequests, MalformedOnesChangeNothing) {
  test::TestPage page(loop, server, of("ann", TeamRole::admin));
  for (const char* wrong : {"", R"("action":"pause")", R"("name":"x")", R"("action":null,"name":"x")", R"("action":5,"name":"x")",
                            R"("action":"pause","name":["x"])", R"("action":"add","name":"x","url":7)"})
    EXPECT_EQ(page.code(page.request("mcp_change", wrong)), "invalid_params") << wrong;
  EXPECT_TRUE(servers.changes.empty());
}

TEST_F(McpRequests, AHostWithoutServersIsNamed) {
  PageServer bare(loop, {});
  test::TestPage page(loop, bare, of("ann", TeamRole::admin));
  EXPECT_EQ(page.code(page.request("mcp_servers")), "unknown_method");
  EXPECT_EQ(page.code(page.request("mcp_change", R"("action":"pause","name":"x")")), "unknown_method");
}

}  // namespace
}  // namespace parlance::face
