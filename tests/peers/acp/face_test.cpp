// SPDX-License-Identifier: Apache-2.0
// The reference SDK of the Agent Client Protocol as a client of `parlance serve-acp`, over each transport. Our own agent and
// Claude Code are behind; the first messages of a session are checked line by line.
#include <filesystem>
#include <fstream>
#include <map>
#include <signal.h>
#include <sstream>

#include "parlance/transport/http/websocket_client.h"
#include "tests/peers/acp/face_fixture.h"

namespace parlance::test {
namespace {

using testing::HasSubstr;

struct AcpReferenceClient : AcpFrontendTest {
  void SetUp() override {
    if (const std::string why = missing("acp-sdk"); !why.empty()) GTEST_SKIP() << why;
    std::filesystem::create_directories(path("work"));
  }
  Finished client(Variables more = {}) {
    more.emplace_back("SDK", packages("acp-sdk"));
    return run({PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/acp/face_client.mjs"}, "", variables(std::move(more)));
  }
};

TEST_F(AcpReferenceClient, DrivesOurAgentOverStdio) { expect_all_ok(client()); }

TEST_F(AcpReferenceClient, DrivesOurAgentOverAWebSocket) {
  const std::string url = listen({});
  expect_all_ok(client({{"URL", url}}));
}

TEST_F(AcpReferenceClient, DrivesOurAgentOverHttpWithStreams) {
  const std::string url = listen({});
  expect_all_ok(client({{"URL", "http" + url.substr(2)}}));
}

TEST_F(AcpReferenceClient, DrivesClaudeCodeThroughUs) {
  const std::string cli = packages("claude-cli") + "/@anthropic-ai/claude-code/cli.js";
  if (!std::filesystem::exists(cli)) GTEST_SKIP() << "no " << cli << ": scripts/peers.sh install claude-cli";
  const auto model = launch({PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/models/mock-anthropic/server.mjs", "--port", "0"});
  until([&] { return !model->lines.empty(); }, "a model");
  expect_all_ok(client({{"AGENT", "claude"},
                        {"PARLANCE_CLAUDE_COMMAND", std::string(PARLANCE_NODE) + " " + cli},
                        {"ANTHROPIC_BASE_URL", text_at(parsed(model->lines.front()), {"url"})},
                        {"ANTHROPIC_API_KEY", "dummy"},
                        {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"},
                        {"DISABLE_TELEMETRY", "1"},
                        {"DISABLE_ERROR_REPORTING", "1"}}));
}

// Another vendor's agent on our client side, another vendor's client on our agent side: the client's services pass through.
TEST_F(AcpReferenceClient, ReachesAnotherAcpAgentThroughUs) {
  const std::string own = path("parlance.toml");
  std::ofstream(own) << "[agents.tester]\ncommand = [\"" << PARLANCE_NODE
                     << "\", \"" PARLANCE_SOURCE_DIR "/tests/peers/acp/sdk_agent.mjs\"]\n"
                     << "[mcp.ours]\ncommand = [\"our-server\"]\n";
  const std::string peers = std::filesystem::path(packages("acp-sdk")).parent_path().parent_path();
  const Finished client = run({PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/acp/through_client.mjs"}, "",
                              variables({{"SDK", packages("acp-sdk")}, {"CONFIG", own}, {"PARLANCE_PEERS", peers}}));
  expect_all_ok(client);
}

// ---- without a client of others

struct ServeAcp : AcpFrontendTest {
  Finished says(const std::string& lines, Words flags = {}) {
    std::filesystem::create_directories(path("work"));
    Words words{"serve-acp"};
    words.insert(words.end(), flags.begin(), flags.end());
    return parlance(std::move(words), lines, variables());
  }
};

TEST_F(ServeAcp, WritesOnlyMessagesAndEndsWithItsInput) {
  const Finished one =
      says("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":1}}\n\n[]\nnonsense\n");
  EXPECT_EQ(one.code, 0) << one.errors;
  std::istringstream lines(one.out);
  std::vector<json::Value> all;
  for (std::string line; std::getline(lines, line);) all.push_back(parsed(line));
  ASSERT_EQ(all.size(), 3) << one.out;
  EXPECT_EQ(text_at(all[0], {"result", "agentInfo", "name"}), "parlance");
  EXPECT_EQ(json::to_text(at(all[1], {"error", "code"})), "-32600");
  EXPECT_EQ(json::to_text(at(all[2], {"error", "code"})), "-32700");
  EXPECT_FALSE(std::filesystem::exists(path("state/acp-sessions"))) << "nobody began one";
}

TEST_F(ServeAcp, AMissingAgentIsAnErrorOfTheSession) {
  const Finished one = says(
      "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":1}}\n"
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session/new\",\"params\":{\"cwd\":\"/tmp\",\"mcpServers\":[]}}\n",
      {"--agent", "nobody"});
  EXPECT_THAT(one.out, HasSubstr("no such agent"));
}

// A client of its own, message by message.
struct RawClient {
  RawClient(Loop& loop, const std::string& url) : loop_(loop), scope_(loop) {
    auto connected = loop.block_on(connect_websocket(loop, {.url = url}));
    if (!connected) throw std::runtime_error(connected.error().message);
    frames_ = *std::move(connected);
    scope_.start(receive());
    ask("initialize", R"({"protocolVersion":1,"clientCapabilities":{"session":{"notices":{}}}})");
  }
  int send(const std::string& method, const std::string& params) {
    static_cast<void>(frames_->send(R"({"jsonrpc":"2.0","id":)" + std::to_string(next_) + R"(,"method":")" + method +
                                    R"(","params":)" + params + "}"));
    return next_++;
  }
  json::Value answer(int id) {
    EXPECT_TRUE(loop_.run_until([&] { return answers_.contains(id); }, long_enough))
        << "no answer to request " << id << "; received: " << received;
    return answers_[id];
  }
  json::Value ask(const std::string& method, const std::string& params) { return answer(send(method, params)); }
  // The received text in one piece.
  std::string received;

 private:
  Task<void> receive() {
    for (;;) {
      const auto batch = co_await read_frames(*frames_);
      if (!batch || batch->empty()) co_return;
      for (const BytesView frame : *batch) {
        json::Value message = parsed(frame);
        if (message.find("method") == nullptr) answers_[static_cast<int>(message.integer_or("id", -1))] = std::move(message);
        else received += std::string(frame) + "\n";
      }
    }
  }
  Loop& loop_;
  int next_ = 0;
  std::map<int, json::Value> answers_;
  std::unique_ptr<WebSocketFrames> frames_;
  Scope scope_;  // goes first
};

TEST_F(ServeAcp, ASessionOpenedTwiceAtOnceIsTheSameAndTheLaterClientLearnsItsLimits) {
  std::filesystem::create_directories(path("work"));
  std::filesystem::create_directories(path("other"));
  const std::string cwd = R"("cwd":")" + path("work") + "\"";
  std::string id;
  {
    const std::string url = listen({});
    RawClient client(loop, url);
    id = text_at(client.ask("session/new", "{" + cwd + R"(,"mcpServers":[]})"), {"result", "sessionId"});
    client.ask("session/prompt", R"({"sessionId":")" + id + R"(","prompt":[{"type":"text","text":"markdown"}]})");
    ::kill(server->child().pid(), SIGTERM);
    until([&] { return server->ended(); }, "its end");
  }
  const std::string url = listen({});
  RawClient one(loop, url);
  RawClient two(loop, url);
  const std::string load = R"({"sessionId":")" + id + "\"," + cwd + R"(,"additionalDirectories":[)";
  const std::string with = R"({"name":"notes","command":")" + parlance_program() + R"(","args":["memory","serve"],"env":[]})";
  const int first = one.send("session/load", load + R"(],"mcpServers":[]})");
  const int second = two.send("session/load", load + "\"" + path("other") + R"("],"mcpServers":[)" + with + "]}");
  EXPECT_NE(at(one.answer(first), {"result"}).object(), nullptr) << json::to_text(one.answer(first));
  EXPECT_NE(at(two.answer(second), {"result"}).object(), nullptr) << json::to_text(two.answer(second));
  one.ask("session/prompt", R"({"sessionId":")" + id + R"(","prompt":[{"type":"text","text":"long 40"}]})");
  until([&] { return two.received.find("long 40") != std::string::npos; }, "what the other asked");
  EXPECT_THAT(two.received, HasSubstr("The MCP server notes does not reach this session"));
  EXPECT_THAT(two.received, HasSubstr("This session does not work in " + path("other")));
  EXPECT_THAT(one.received, testing::Not(HasSubstr("does not")));
}

TEST_F(ServeAcp, PagesOfABrowserMayNotSpeak) {
  const std::string url = listen({});
  const std::string address = "http" + url.substr(2);
  const Finished refused =
      run({"curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Origin: http://127.0.0.1", address});
  if (refused.code != 0) GTEST_SKIP() << "no curl here";
  EXPECT_EQ(refused.out, "403");
}

}  // namespace
}  // namespace parlance::test
