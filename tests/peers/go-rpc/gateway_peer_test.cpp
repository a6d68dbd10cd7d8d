// SPDX-License-Identifier: Apache-2.0
// All of it together: a client of /ws/chat, our gateway, and Go's own net/rpc server as the agent.
#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include <gmock/gmock.h>

#include "parlance/transport/http/websocket_client.h"
#include "tests/support/programs.h"

namespace parlance::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class GoAgentBehindTheGateway : public ProgramTest {
 protected:
  void SetUp() override {
    if (std::string_view(PARLANCE_GO_PEERS).empty())
      GTEST_SKIP() << "no go here: apt-get install golang-go, then configure again";
    agent = launch({PARLANCE_GO_PEERS "/peer-server", "-sock", path("a.sock")});
    until([&] { return !agent->lines.empty() || agent->ended(); }, "Go's server");
    ASSERT_FALSE(agent->ended()) << agent->errors;
    std::filesystem::create_directories(path("work"));
    gateway = launch(with_program({"gateway", "--listen", "127.0.0.1:0", "--agent-socket", path("a.sock"), "--state",
                                   path("state"), "--folder", path("work"), "--ready-file", path("ready.json")}));
    until_file(path("ready.json"), [&] { return !read_file(path("ready.json")).empty() || gateway->ended(); }, "the gateway");
    ASSERT_FALSE(gateway->ended()) << gateway->errors;
    const json::Value ready = parsed(read_file(path("ready.json")));
    const std::string url = text_at(ready, {"url"});
    auto connected = get(
        connect_websocket(loop, {.url = "ws" + url.substr(4, url.find('#') - 4) + "ws/chat?token=" + text_at(ready, {"token"})}));
    ASSERT_TRUE(connected) << connected.error().message;
    socket = *std::move(connected);
  }
  // What ends the answer to it.
  json::Value said(const std::string& text) {
    EXPECT_TRUE(socket->send(R"({"type":"chat","content":{"messages":[{"role":"user","content":")" + text + R"("}]}})"));
    return get(end_of_answer(*socket));
  }
  static Task<json::Value> end_of_answer(Frames& frames) {
    for (;;) {
      const auto batch = co_await read_frames(frames);
      if (!batch || batch->empty()) throw std::runtime_error("the connection ended");
      for (const BytesView frame : *batch)
        if (auto message = parsed(frame); message.text_or("type", "") != "chunk") co_return message;
    }
  }

  std::unique_ptr<Program> agent;
  std::unique_ptr<Program> gateway;
  std::unique_ptr<WebSocketFrames> socket;
};

// It answers Chat with a ToolCall; the gateway runs the tool and calls again with what it gave.
TEST_F(GoAgentBehindTheGateway, GetsItsToolsRun) {
  write_file(path("work/a.txt"), "green tea");
  const json::Value read = said("call:read_file");
  EXPECT_EQ(text_at(read, {"type"}), "done") << json::to_text(read);
  EXPECT_THAT(text_at(read, {"content", "content"}), StartsWith("results: "));
  EXPECT_THAT(text_at(read, {"content", "content"}), HasSubstr("green tea")) << "the tool ran in the configured folder";
  const auto executions = [&] {  // by Go's server, which writes its lines beside its answers
    return std::ranges::count_if(agent->lines, [](const std::string& line) {
      return line.find("ToolExecutionResults") != std::string::npos && line.find("green tea") != std::string::npos;
    });
  };
  until([&] { return executions() != 0; }, "what the tool gave, at Go's server");
  EXPECT_EQ(executions(), 1);
  EXPECT_EQ(text_at(said("hello"), {"content", "content"}), "echo: hello") << "knows nothing of the request before";
}

TEST_F(GoAgentBehindTheGateway, ItsErrorsAreTheClients) {
  const json::Value failed = said("error:agent busy");
  EXPECT_EQ(text_at(failed, {"type"}), "error");
  EXPECT_EQ(text_at(failed, {"content", "error"}), "chat error: agent busy");
}

}  // namespace
}  // namespace parlance::test
