// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/mcp/server.h"

#include <gmock/gmock.h>

#include "parlance/protocol/mcp/test_support.h"

namespace parlance::mcp {
namespace {

using test::at;
using test::Lines;
using test::Link;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr bool modern = true;
constexpr bool legacy = false;

class McpServer : public testing::TestWithParam<Link> {
 protected:
  Lines wire{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Links, McpServer, testing::Values(Link::memory, Link::memory_one_byte),
                         [](const auto& info) { return info.param == Link::memory ? "whole" : "one_byte"; });

// ---- eras ------------------------------------------------------------------------------------------------------------------------

TEST_P(McpServer, InitializeMakesAConnectionLegacy) {
  const json::Value reply = wire.ask(
      "initialize", R"("protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"})", legacy);
  EXPECT_EQ(at(reply, {"result", "protocolVersion"}), "2025-06-18");
  EXPECT_EQ(at(reply, {"result", "serverInfo", "name"}), "test");
  EXPECT_EQ(at(reply, {"result", "capabilities", "tools", "listChanged"}), "true");
  EXPECT_EQ(at(reply, {"result", "resultType"}), "(absent)");
  EXPECT_EQ(at(wire.ask("server/discover", "", modern), {"error", "code"}), "-32601");
  EXPECT_EQ(at(wire.ask("subscriptions/listen", R"("notifications":{})", modern), {"error", "code"}), "-32601");
  EXPECT_EQ(at(wire.ask("ping", "", legacy), {"result"}), "{}");
  const json::Value tools = wire.ask("tools/list", "", legacy);
  EXPECT_EQ(at(tools, {"result", "ttlMs"}), "(absent)");
}
TEST_P(McpServer, AnUnknownOldVersionIsAnsweredWithOurNewest) {
  const json::Value reply = wire.ask(
      "initialize", R"("protocolVersion":"2099-01-01","capabilities":{},"clientInfo":{"name":"t","version":"1"})", legacy);
  EXPECT_EQ(at(reply, {"result", "protocolVersion"}), "2025-11-25");
}
TEST_P(McpServer, DiscoverMakesAConnectionModern) {
  const json::Value reply = wire.ask("server/discover", "", modern);
  EXPECT_EQ(at(reply, {"result", "resultType"}), "complete");
  EXPECT_EQ(at(reply, {"result", "supportedVersions"}), R"(["2026-07-28"])");
  EXPECT_EQ(at(reply, {"result", "cacheScope"}), "private");
  EXPECT_EQ(at(reply, {"result", "_meta", "io.modelcontextprotocol/serverInfo", "name"}), "test");
  EXPECT_EQ(at(wire.ask("tools/list", "", legacy), {"error", "code"}), "-32602") << "every request needs its envelope";
  EXPECT_EQ(at(wire.ask("ping", "", modern), {"error", "code"}), "-32601");
  EXPECT_EQ(at(wire.ask("resources/subscribe", "", modern), {"error", "code"}), "-32601");
  const json::Value late = wire.ask(
      "initialize", R"("protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"})", legacy);
  EXPECT_EQ(at(late, {"error", "code"}), "-32022");
}
TEST_P(McpServer, AnUnknownVersionOfARequestLeavesTheConnectionUndecided) {
  const json::Value reply = wire.ask(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01","io.modelcontextprotocol/clientCapabilities":{}}}})");
  EXPECT_EQ(at(reply, {"error", "code"}), "-32022");
  EXPECT_EQ(at(reply, {"error", "data", "requested"}), "2027-01-01");
  EXPECT_EQ(at(reply, {"error", "data", "supported"}), R"(["2026-07-28"])");
  wire.initialize();
  EXPECT_EQ(at(wire.ask("tools/call", R"("name":"add","arguments":{"a":1})", legacy), {"result", "structuredContent", "value"}),
            "1");
}
TEST_P(McpServer, ABareRequestIsServedAsLegacy) {
  EXPECT_EQ(
      at(wire.ask("tools/call", R"("name":"add","arguments":{"a":1,"b":2})", legacy), {"result", "structuredContent", "value"}),
      "3");
}
TEST_P(McpServer, EachPartOfTheEnvelopeIsRequired) {
  for (const char* meta :
       {R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28"})", R"({"io.modelcontextprotocol/clientCapabilities":{}})",
        R"({"io.modelcontextprotocol/protocolVersion":3})", "{}"}) {
    const json::Value reply =
        wire.ask(R"({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":)" + std::string(meta) + "}}");
    EXPECT_EQ(at(reply, {"error", "code"}), "-32602") << meta;
  }
}

// ---- envelopes of JSON-RPC ----------------------------------------------------------------------------------------------------------

TEST_P(McpServer, MalformedRequestsAreReportedAndTheConnectionLives) {
  const auto code = [&](std::string_view line) { return at(wire.ask(line), {"error", "code"}); };
  EXPECT_EQ(code("{nonsense"), "-32700");
  EXPECT_EQ(code("[]"), "-32600");
  EXPECT_EQ(code(R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])"), "-32600");
  EXPECT_EQ(code(R"({"jsonrpc":"1.0","id":1,"method":"ping"})"), "-32600");
  EXPECT_EQ(code(R"({"jsonrpc":"2.0","id":null,"method":"ping"})"), "-32600");
  EXPECT_EQ(code(R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})"), "-32600");
  EXPECT_EQ(code(R"({"jsonrpc":"2.0","id":{},"method":"ping"})"), "-32600");
  EXPECT_EQ(code(R"({"jsonrpc":"2.0","id":1,"method":"no/such"})"), "-32601");
  EXPECT_EQ(code(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}})"), "-32602");
  wire.send(R"({"jsonrpc":"2.0","id":77,"result":{}})");
  EXPECT_TRUE(wire.received().empty()) << "a reply to nothing";
  EXPECT_EQ(at(wire.ask(R"({"jsonrpc":"2.0","id":"text","method":"ping"})"), {"id"}), "text");
}

// ---- lists ----------------------------------------------------------------------------------------------------------------------------

TEST(McpServerLists, ComeInPages) {
  Lines wire;
  EXPECT_EQ(at(wire.ask("tools/list", "", legacy), {"result", "nextCursor"}), "(absent)");
  EXPECT_EQ(at(wire.ask("tools/list", R"("cursor":"bm9uc2Vuc2U=")", legacy), {"error", "code"}), "-32602");
  EXPECT_EQ(at(wire.ask("tools/list", R"("cursor":"")", legacy), {"error", "code"}), "-32602");
  for (int i = 0; i < 250; ++i)
    wire.server.add({.name = "tool" + std::to_string(i)},
                    [](Raw, Request&) -> Task<Result<CallToolResult>> { co_return test::says("x"); });
  wire.received();
  std::size_t tools = 0;
  std::string cursor;
  int pages = 0;
  do {
    const json::Value page = wire.ask("tools/list", cursor.empty() ? "" : R"("cursor":")" + cursor + '"', legacy);
    tools += page.find("result")->find("tools")->array()->size();
    cursor = at(page, {"result", "nextCursor"});
    ++pages;
  } while (cursor != "(absent)");
  EXPECT_EQ(tools, 254U);
  EXPECT_EQ(pages, 3);
  const std::string tool_cursor = at(wire.ask("tools/list", "", legacy), {"result", "nextCursor"});
  EXPECT_EQ(at(wire.ask("prompts/list", R"("cursor":")" + tool_cursor + '"', legacy), {"error", "code"}), "-32602")
      << "a cursor belongs to its list";
}
TEST_P(McpServer, SchemasOfToolsAreClosedAndComeFromTheTable) {
  const json::Value tools = wire.ask("tools/list", "", legacy);
  EXPECT_EQ(at(tools, {"result", "tools", "0", "name"}), "add");
  EXPECT_EQ(at(tools, {"result", "tools", "0", "inputSchema", "additionalProperties"}), "false");
  EXPECT_EQ(at(tools, {"result", "tools", "0", "inputSchema", "required"}), R"(["a"])");
  EXPECT_EQ(at(tools, {"result", "tools", "0", "outputSchema", "properties", "value", "type"}), "integer");
}

// ---- calls ----------------------------------------------------------------------------------------------------------------------------

TEST_P(McpServer, ErrorsOfToolsAreResultsAndErrorsOfTheProtocolAreErrors) {
  const json::Value fine = wire.ask("tools/call", R"("name":"add","arguments":{"a":1,"b":2})", modern);
  EXPECT_EQ(at(fine, {"result", "structuredContent", "value"}), "3");
  EXPECT_EQ(at(fine, {"result", "content", "0", "text"}), R"({"value":3})");
  EXPECT_EQ(at(fine, {"result", "isError"}), "(absent)");
  const json::Value refused = wire.ask("tools/call", R"("name":"add","arguments":{"a":13})", modern);
  EXPECT_EQ(at(refused, {"result", "isError"}), "true");
  EXPECT_EQ(at(refused, {"result", "content", "0", "text"}), "13 is not added");
  for (const char* arguments : {R"({"a":"text"})", "{}"})
    EXPECT_EQ(at(wire.ask("tools/call", R"("name":"add","arguments":)" + std::string(arguments), modern), {"result", "isError"}),
              "true");
  // Unknown arguments are skipped, and the model receives a note.
  const json::Value surplus = wire.ask("tools/call", R"("name":"add","arguments":{"a":1,"c":2,"d":[]})", modern);
  EXPECT_EQ(at(surplus, {"result", "isError"}), "(absent)");
  EXPECT_EQ(at(surplus, {"result", "structuredContent", "value"}), "1");
  EXPECT_EQ(at(surplus, {"result", "content", "1", "text"}), "Ignored, for add has no such argument: c, d");
  EXPECT_EQ(at(wire.ask("tools/call", R"("name":"none")", modern), {"error", "code"}), "-32602");
  EXPECT_EQ(at(wire.ask("tools/call", R"("name":"add","arguments":[1])", modern), {"error", "code"}), "-32602");
}
TEST_P(McpServer, ProgressGrowsAndReachesOnlyRequestingClients) {
  wire.initialize();
  wire.send(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"steps","_meta":{"progressToken":"t"}}})");
  std::vector<std::string> steps;
  for (const json::Value& message : wire.received())
    if (at(message, {"method"}) == "notifications/progress")
      steps.push_back(at(message, {"params", "progress"}) + at(message, {"params", "progressToken"}) +
                      at(message, {"params", "message"}));
  EXPECT_THAT(steps, ElementsAre("1tone", "2t(absent)"));
  wire.send(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"steps"}})");
  for (const json::Value& message : wire.received()) EXPECT_NE(at(message, {"method"}), "notifications/progress");
}
TEST_P(McpServer, LogMessagesFollowTheLevelOfTheConnectionOrTheRequest) {
  const auto logged = [&](std::string_view line) {
    wire.send(line);
    std::vector<std::string> all;
    for (const json::Value& message : wire.received())
      if (at(message, {"method"}) == "notifications/message") all.push_back(at(message, {"params", "data"}));
    return all;
  };
  wire.initialize();
  constexpr std::string_view call = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"steps"}})";
  EXPECT_THAT(logged(call), ElementsAre("details", "careful"));
  wire.ask("logging/setLevel", R"("level":"warning")", legacy);
  EXPECT_THAT(logged(call), ElementsAre("careful"));
  EXPECT_EQ(at(wire.ask("logging/setLevel", R"("level":"loud")", legacy), {"error", "code"}), "-32602");
  wire.connect(GetParam());
  EXPECT_THAT(
      logged(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"steps",)" + std::string(Lines::envelope) + "}}"),
      ElementsAre());
  EXPECT_THAT(
      logged(
          R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"steps","_meta":{"io.modelcontextprotocol/logLevel":"info","io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})"),
      ElementsAre("careful"));
}
TEST_P(McpServer, ACancelledCallEndsAndIsNotAnswered) {
  wire.initialize();
  wire.send(R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"wait"}})");
  EXPECT_EQ(wire.watched.running, 1);
  wire.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5,"reason":"enough"}})");
  EXPECT_EQ(wire.watched.running, 0);
  EXPECT_TRUE(wire.received().empty());
  EXPECT_EQ(at(wire.ask("ping", "", legacy), {"result"}), "{}");
}
TEST_P(McpServer, ADisconnectedClientStopsItsCalls) {
  wire.send(R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"wait"}})");
  EXPECT_EQ(wire.watched.running, 1);
  wire.connect(GetParam());
  EXPECT_EQ(wire.watched.running, 0);
}

// ---- input ----------------------------------------------------------------------------------------------------------------------------

TEST_P(McpServer, AsksALegacyClientMeanwhile) {
  wire.initialize();
  const json::Value first = wire.ask(R"({"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"ask"}})");
  EXPECT_EQ(at(first, {"method"}), "elicitation/create");
  EXPECT_EQ(at(first, {"params", "message"}), "Who?");
  const auto answer = [&](const json::Value& to, std::string_view content) {
    return wire.ask(R"({"jsonrpc":"2.0","id":)" + at(to, {"id"}) + R"(,"result":{"action":"accept","content":)" +
                    std::string(content) + "}}");
  };
  const json::Value second = answer(first, R"({"n":1})");
  EXPECT_EQ(at(second, {"params", "message"}), "Which?");
  const json::Value result = answer(second, R"({"c":2})");
  EXPECT_EQ(at(result, {"id"}), "9");
  EXPECT_EQ(at(result, {"result", "content", "0", "text"}), R"(nothing {"n":1}{"c":2})");
}
TEST_P(McpServer, AModernCallEndsWithItsQuestionsAndReturns) {
  const json::Value first = wire.ask("tools/call", R"("name":"ask")", modern);
  EXPECT_EQ(at(first, {"result", "resultType"}), "input_required");
  EXPECT_EQ(at(first, {"result", "content"}), "(absent)");
  EXPECT_EQ(at(first, {"result", "inputRequests", "name", "method"}), "elicitation/create");
  const auto again = [&](const json::Value& before, std::string_view responses) {
    return wire.ask("tools/call",
                    R"("name":"ask","requestState":")" + at(before, {"result", "requestState"}) + R"(","inputResponses":)" +
                        std::string(responses),
                    modern);
  };
  const json::Value second = again(first, R"({"name":{"action":"accept","content":{"n":1}},"unasked":3})");
  EXPECT_EQ(at(second, {"result", "inputRequests", "name"}), "(absent)");
  EXPECT_EQ(at(second, {"result", "inputRequests", "color", "params", "message"}), "Which?");
  EXPECT_NE(at(second, {"result", "requestState"}), at(first, {"result", "requestState"}));
  const json::Value result = again(second, R"({"color":{"action":"accept","content":{"c":2}}})");
  EXPECT_EQ(at(result, {"result", "resultType"}), "complete");
  EXPECT_EQ(at(result, {"result", "content", "0", "text"}), R"(begun {"n":1}{"c":2})");
}
TEST_P(McpServer, ChangedOrBorrowedStateIsRefused) {
  const json::Value first = wire.ask("tools/call", R"("name":"ask")", modern);
  const std::string state = at(first, {"result", "requestState"});
  const auto code = [&](std::string_view tool, std::string_view with, std::string_view responses) {
    return at(wire.ask("tools/call",
                       R"("name":")" + std::string(tool) + R"(","requestState":")" + std::string(with) +
                           R"(","inputResponses":)" + std::string(responses),
                       modern),
              {"error", "code"});
  };
  EXPECT_EQ(code("ask", state + "x", "{}"), "-32602");
  EXPECT_EQ(code("ask", "x" + state, "{}"), "-32602");
  EXPECT_EQ(code("ask", "", "{}"), "-32602");
  EXPECT_EQ(code("steps", state, "{}"), "-32602") << "it belongs to another tool";
  EXPECT_EQ(code("ask", state, "null"), "-32602");
  EXPECT_EQ(code("ask", state, R"({"name":12345})"), "-32602");
  EXPECT_EQ(code("ask", state, R"({"other":{}})"), "(absent)") << "asked again";
}
TEST_P(McpServer, NoQuestionBeyondTheClientsCapabilities) {
  const json::Value reply = wire.ask(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})");
  EXPECT_EQ(at(reply, {"error", "code"}), "-32021");
  EXPECT_EQ(at(reply, {"error", "data", "requiredCapabilities", "elicitation"}), "{}");
}

// ---- resources, prompts, completion ----------------------------------------------------------------------------------------------------

TEST_P(McpServer, ReadsResourcesAndTemplates) {
  EXPECT_EQ(at(wire.ask("resources/read", R"("uri":"test://a")", legacy), {"result", "contents", "0", "text"}), "text of a");
  EXPECT_EQ(at(wire.ask("resources/read", R"("uri":"test://b%20c/items?limit=5")", legacy), {"result", "contents", "0", "text"}),
            "b c 5");
  for (const char* uri : {"test://nothing", "test://none/items", "test://a/items?other=1"}) {
    const json::Value reply = wire.ask("resources/read", R"("uri":")" + std::string(uri) + '"', legacy);
    EXPECT_EQ(at(reply, {"error", "code"}), "-32002");
    EXPECT_EQ(at(reply, {"error", "data", "uri"}), uri);
  }
  wire.connect(GetParam());
  EXPECT_EQ(at(wire.ask("resources/read", R"("uri":"test://nothing")", modern), {"error", "code"}), "-32602");
}
TEST_P(McpServer, ArgumentsAsTextOfTheirTypeAreRead) {
  const json::Value sum = wire.ask("tools/call", R"("name":"add","arguments":{"a":"2","b":"3"})", legacy);
  EXPECT_EQ(at(sum, {"result", "structuredContent", "value"}), "5");
  for (const char* other : {R"({"a":"two"})", R"({"a":"[2]"})", R"({"a":""})"})
    EXPECT_NE(json::to_text(wire.ask("tools/call", R"("name":"add","arguments":)" + std::string(other), legacy)).find("$.a"),
              std::string::npos)
        << other;
}
TEST_P(McpServer, SchemesOfResourcesHaveNoCase) {
  EXPECT_EQ(at(wire.ask("resources/read", R"("uri":"TEST://a")", legacy), {"result", "contents", "0", "text"}), "text of a");
  EXPECT_EQ(at(wire.ask("resources/read", R"("uri":"Test://b/items?limit=1")", legacy), {"result", "contents", "0", "text"}),
            "b 1");
  EXPECT_EQ(at(wire.ask("resources/read", R"("uri":"test://A")", legacy), {"result", "contents"}), "(absent)");
}
TEST_P(McpServer, PromptsWantTheirArguments) {
  EXPECT_EQ(at(wire.ask("prompts/get", R"("name":"greet","arguments":{"who":"you"})", legacy),
               {"result", "messages", "0", "content", "text"}),
            "Hello you");
  EXPECT_EQ(at(wire.ask("prompts/get", R"("name":"greet")", legacy), {"error", "code"}), "-32602");
  EXPECT_EQ(at(wire.ask("prompts/get", R"("name":"other")", legacy), {"error", "code"}), "-32602");
}
TEST_P(McpServer, CompletionsAreCutAtTheProtocolsLimit) {
  const json::Value reply = wire.ask(
      "completion/complete", R"("ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who","value":"x"})", legacy);
  EXPECT_EQ(reply.find("result")->find("completion")->find("values")->array()->size(), 100U);
  EXPECT_EQ(at(reply, {"result", "completion", "total"}), "150");
  EXPECT_EQ(at(reply, {"result", "completion", "hasMore"}), "true");
}

// ---- changes -----------------------------------------------------------------------------------------------------------------------------

TEST_P(McpServer, AReadyLegacyClientReceivesChanges) {
  wire.server.tools_changed();
  EXPECT_TRUE(wire.received().empty());
  wire.initialize();
  wire.server.tools_changed();
  const auto notices = wire.received();
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_EQ(at(notices[0], {"method"}), "notifications/tools/list_changed");
  wire.server.resource_updated("test://a");
  EXPECT_TRUE(wire.received().empty());
  wire.ask("resources/subscribe", R"("uri":"test://a")", legacy);
  wire.server.resource_updated("test://a");
  wire.server.resource_updated("test://b");
  EXPECT_EQ(wire.received().size(), 1U);
  wire.ask("resources/unsubscribe", R"("uri":"test://a")", legacy);
  wire.server.resource_updated("test://a");
  EXPECT_TRUE(wire.received().empty());
  EXPECT_THAT(wire.watched.subscriptions, ElementsAre("+test://a", "-test://a"));
}
TEST_P(McpServer, AModernClientReceivesItsSubscriptions) {
  const json::Value ack = wire.ask(
      R"({"jsonrpc":"2.0","id":"listen:1","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["test://a"]},)" +
      std::string(Lines::envelope) + "}}");
  EXPECT_EQ(at(ack, {"method"}), "notifications/subscriptions/acknowledged");
  EXPECT_EQ(at(ack, {"params", "notifications", "toolsListChanged"}), "true");
  EXPECT_EQ(at(ack, {"params", "_meta", "io.modelcontextprotocol/subscriptionId"}), "listen:1");
  wire.server.prompts_changed();
  EXPECT_TRUE(wire.received().empty());
  wire.server.tools_changed();
  wire.server.resource_updated("test://a");
  const auto notices = wire.received();
  ASSERT_EQ(notices.size(), 2U);
  EXPECT_EQ(at(notices[1], {"params", "_meta", "io.modelcontextprotocol/subscriptionId"}), "listen:1");
  wire.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"listen:1"}})");
  wire.server.tools_changed();
  EXPECT_TRUE(wire.received().empty());
  EXPECT_THAT(wire.watched.subscriptions, ElementsAre("+test://a", "-test://a"));
}
TEST_P(McpServer, ToolsAppearAndDisappearWhileRunning) {
  wire.initialize();
  wire.send(R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"wait"}})");
  EXPECT_TRUE(wire.server.remove_tool("wait"));
  EXPECT_FALSE(wire.server.remove_tool("wait"));
  EXPECT_EQ(wire.watched.running, 1);
  EXPECT_EQ(wire.received().size(), 1U) << "list_changed";
  EXPECT_EQ(at(wire.ask("tools/call", R"("name":"wait")", legacy), {"error", "code"}), "-32602");
}

}  // namespace
}  // namespace parlance::mcp
