// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/acp/mcp_servers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"

namespace parlance::driver {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string sent(const std::vector<toolbox::McpServerSettings>& servers, std::optional<acp::McpCapabilities> can,
                 std::vector<std::string>& left_out) {
  std::string all;
  for (const acp::McpServer& mcp_server : acp_mcp_servers(servers, can, left_out)) all += json::to_text(mcp_server) + "\n";
  return all;
}

const std::vector<toolbox::McpServerSettings> servers{
    {.name = "files", .command = {"npx", "server", "/x"}, .environment = {{"A", "1"}}},
    {.name = "tickets", .url = "https://t/mcp", .token = "secret", .headers = {{"X", "y"}}},
    {.name = "old", .url = "https://o/sse", .way = mcp::HttpWay::sse},
    {.name = "given", .frames = [] { return nullptr; }}};

TEST(AcpMcpServers, AnAgentThatReachesAll) {
  std::vector<std::string> left_out;
  EXPECT_EQ(sent(servers, acp::McpCapabilities{.http = true, .sse = true}, left_out),
            R"({"name":"files","command":"npx","args":["server","/x"],"env":[{"name":"A","value":"1"}]})"
            "\n"
            R"({"type":"http","name":"tickets","url":"https://t/mcp","headers":[{"name":"X","value":"y"},)"
            R"({"name":"Authorization","value":"Bearer secret"}]})"
            "\n"
            R"({"type":"sse","name":"old","url":"https://o/sse","headers":[]})"
            "\n");
  EXPECT_THAT(left_out, ElementsAre("given"));
}

TEST(AcpMcpServers, AnAgentThatSaysNothingStartsProgramsAlone) {
  std::vector<std::string> left_out;
  EXPECT_EQ(acp_mcp_servers(servers, std::nullopt, left_out).size(), 1U);
  EXPECT_THAT(left_out, ElementsAre("tickets", "old", "given"));
  left_out.clear();
  EXPECT_EQ(acp_mcp_servers(servers, acp::McpCapabilities{.sse = true}, left_out).size(), 2U);
  EXPECT_THAT(left_out, ElementsAre("tickets", "given"));
  EXPECT_THAT(acp_mcp_servers({}, acp::McpCapabilities{}, left_out), IsEmpty());
}

}  // namespace
}  // namespace parlance::driver
