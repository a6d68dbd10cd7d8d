// SPDX-License-Identifier: Apache-2.0
// A server of ours that Claude Code asks through its host.
#include "parlance/adapter/claude/own_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parlance::adapter {
namespace {

using ::testing::HasSubstr;

struct Said {
  std::string text{};
  static constexpr auto wire = wire::fields(wire::field<&Said::text>("text", "Anything."));
};

struct OwnServer : ::testing::Test {
  OwnServer() : asked(loop) {
    auto made = std::make_unique<mcp::Server>(loop, mcp::ServerSettings{.info = {.name = "echo", .version = "1"}});
    made->tool<Said, Said>({.name = "say"}, [](Said& said, mcp::Request&) -> Task<Result<Said>> { co_return said; });
    made->tool<Said, Said>({.name = "wait"}, [this](Said& said, mcp::Request&) -> Task<Result<Said>> {
      co_await asked.wait();
      co_return said;
    });
    server = std::make_unique<ClaudeOwnServer>(std::move(made));
  }
  Task<Result<claude::McpReply>> send(std::string message) {
    return server->answer({.server_name = "echo", .message = {std::move(message)}});
  }
  Task<void> keep(std::string message, std::string& into) {
    const auto reply = co_await send(std::move(message));
    if (reply) into = reply->response.json;
  }
  std::string answer_to(std::string message) {
    const auto reply = loop.block_on(send(std::move(message)));
    return reply ? reply->response.json : "error: " + reply.error().message;
  }
  void begin() {
    answer_to(
        R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}})");
    answer_to(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  }
  static std::string call(std::string_view id, std::string_view tool) {
    return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":"tools/call","params":{"name":")" + std::string(tool) +
           R"(","arguments":{"text":"hello )" + std::string(tool) + R"("}}})";
  }
  Loop loop{Loop::Time::virtual_};
  Signal asked;
  std::unique_ptr<ClaudeOwnServer> server;
};

TEST_F(OwnServer, AnswersWhatIsAskedAndTakesNotices) {
  EXPECT_THAT(
      answer_to(
          R"({"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}})"),
      ::testing::AllOf(HasSubstr(R"("id":"a")"), HasSubstr("echo")));
  EXPECT_EQ(answer_to(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"), R"({"jsonrpc":"2.0","result":{},"id":0})");
  EXPECT_THAT(answer_to(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"), HasSubstr("\"say\""));
  EXPECT_THAT(answer_to(call("2", "say")), HasSubstr("hello say"));
  EXPECT_THAT(answer_to(call("3", "nothing")), ::testing::AllOf(HasSubstr(R"("id":3)"), HasSubstr("nothing")));
  EXPECT_THAT(answer_to("no JSON"), HasSubstr("error: "));
}

TEST_F(OwnServer, AnAnswerGoesToWhoAskedInWhateverOrderAndOneWhoWentGetsNone) {
  begin();
  std::string slow;
  Scope waiting(loop);
  waiting.start(keep(call("7", "wait"), slow));
  std::string gone;
  {
    Scope withdrawn(loop);
    withdrawn.start(keep(call("8", "wait"), gone));
    EXPECT_THAT(answer_to(call("9", "say")), HasSubstr("hello say"));
  }
  EXPECT_EQ(slow, "");
  asked.notify_all();
  loop.run_ready();
  EXPECT_THAT(slow, ::testing::AllOf(HasSubstr(R"("id":7)"), HasSubstr("hello wait")));
  EXPECT_EQ(gone, "");
}

}  // namespace
}  // namespace parlance::adapter
