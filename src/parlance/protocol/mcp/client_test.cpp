// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/mcp/client.h"

#include <gmock/gmock.h>

#include "parlance/protocol/mcp/limits.h"
#include "parlance/protocol/mcp/test_support.h"

namespace parlance::mcp {
namespace {

using test::Link;
using testing::ElementsAre;
using testing::HasSubstr;
using namespace std::chrono_literals;

// Our client and our server over a pair of streams.
class McpClient : public testing::TestWithParam<std::tuple<Link, Era>> {
 protected:
  McpClient() : server(loop, test::settings()), scope(loop) {
    test::fill(server, watched);
    auto [near, far] = parlance::test::make_link(loop, std::get<0>(GetParam()));
    scope.start(serve(server, framed_stream(loop, std::move(far), line_framing())));
    ClientSettings settings{.info = {.name = "t", .version = "1"}, .era = std::get<1>(GetParam())};
    settings.handlers.elicit = [this](ElicitParams asked) -> Task<Result<ElicitResult>> {
      questions.push_back(asked.message);
      co_return ElicitResult{.action = ElicitAction::accept, .content = {R"({"said":"yes"})"}};
    };
    settings.handlers.log = [this](const LogMessage& message) { logged.push_back(message.data.json); };
    settings.handlers.tools_changed = [this] { ++changes; };
    settings.handlers.resource_updated = [this](const std::string& uri) { updated.push_back(uri); };
    client.emplace(loop, framed_stream(loop, std::move(near), line_framing()), std::move(settings));
    const auto connected = run(client->connect());
    EXPECT_TRUE(connected) << connected.error().message;
  }
  ~McpClient() override {
    client.reset();
    scope.cancel();
  }
  bool modern() const { return client->era() == Era::modern; }

  template <class T>
  Result<T> run(Task<Result<T>> task) {
    std::optional<Result<T>> done;
    const auto finish = [&](Task<Result<T>> inner) -> Task<void> { done.emplace(co_await std::move(inner)); };
    Scope scope(loop);
    scope.start(finish(std::move(task)));
    while (loop.run_ready()) {}
    if (!done) return fail(Errc::internal, "it did not end");
    return *std::move(done);
  }
  static Task<void> serve(Server& server, std::unique_ptr<Frames> frames) {
    static_cast<void>(co_await server.serve(std::move(frames)));
  }

  Loop loop{Loop::Time::virtual_};
  test::Watched watched;
  Server server;
  std::vector<std::string> questions;
  std::vector<std::string> logged;
  std::vector<std::string> updated;
  int changes = 0;
  std::optional<Client> client;
  Scope scope;
};
INSTANTIATE_TEST_SUITE_P(All, McpClient,
                         testing::Combine(testing::Values(Link::memory, Link::memory_one_byte),
                                          testing::Values(Era::legacy, Era::undecided)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param) == Link::memory ? "whole" : "one_byte") +
                                  (std::get<1>(info.param) == Era::legacy ? "_legacy" : "_modern");
                         });

TEST_P(McpClient, DetectsTheServer) {
  EXPECT_EQ(modern(), std::get<1>(GetParam()) == Era::undecided);
  EXPECT_EQ(client->server_info().name, "test");
  EXPECT_TRUE(client->capabilities().tools.has_value());
  EXPECT_TRUE(run(client->ping()));
}
TEST_P(McpClient, CallsReadsAndCompletes) {
  const auto sum = run(client->call_tool("add", {R"({"a":2,"b":3})"}));
  ASSERT_TRUE(sum) << sum.error().message;
  EXPECT_EQ(sum->structured.json, R"({"value":5})");
  EXPECT_EQ(readable(*sum), R"({"value":5})");
  EXPECT_EQ(run(client->call_tool("none", {"{}"})).error().code, Errc::invalid_params);
  EXPECT_EQ(run(client->read_resource("test://a"))->contents->at(0).text, "text of a");
  EXPECT_FALSE(run(client->read_resource("test://nothing")));
  EXPECT_EQ(run(client->get_prompt("greet", {{"who", "you"}}))->messages->size(), 1U);
  EXPECT_EQ(run(client->complete({.reference = {PromptReference{.name = "greet"}}, .argument = {.name = "who", .value = "x"}}))
                ->completion.values.size(),
            100U);
}
TEST_P(McpClient, ListsAllPages) {
  for (int i = 0; i < 250; ++i)
    server.add({.name = "tool" + std::to_string(i)},
               [](Raw, Request&) -> Task<Result<CallToolResult>> { co_return test::says("x"); });
  EXPECT_EQ(run(client->list_tools())->size(), 254U);
  EXPECT_EQ(run(client->list_resources())->size(), 1U);
  EXPECT_EQ(run(client->list_templates())->size(), 1U);
  EXPECT_EQ(run(client->list_prompts())->size(), 1U);
}
TEST_P(McpClient, AnswersRequestsOfTheServer) {
  const auto result = run(client->call_tool("ask", {"{}"}));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_THAT(questions, ElementsAre("Who?", "Which?"));
  EXPECT_EQ(readable(*result), std::string(modern() ? "begun" : "nothing") + R"( {"said":"yes"}{"said":"yes"})");
}
TEST_P(McpClient, HearsProgressAndLogMessages) {
  std::vector<double> steps;
  static_cast<void>(run(client->set_log_level("warning")));
  const auto result =
      run(client->call_tool("steps", {"{}"}, {.progress = [&](const Progress& p) { steps.push_back(p.progress); }}));
  ASSERT_TRUE(result);
  EXPECT_THAT(steps, ElementsAre(1, 2));
  EXPECT_THAT(logged, ElementsAre("\"careful\""));
}
TEST_P(McpClient, ADroppedCallIsCancelledAndADeadlineToo) {
  {
    Scope scope(loop);
    const auto forget = [&]() -> Task<void> { static_cast<void>(co_await client->call_tool("wait", {"{}"})); };
    scope.start(forget());
    while (loop.run_ready()) {}
    EXPECT_EQ(watched.running, 1);
  }
  while (loop.run_ready()) {}
  EXPECT_EQ(watched.running, 0);

  std::optional<Result<CallToolResult>> done;
  const auto limited = [&]() -> Task<void> { done = co_await client->call_tool("wait", {"{}"}, {.time = 5s}); };
  Scope scope(loop);
  scope.start(limited());
  while (loop.run_ready()) {}
  EXPECT_FALSE(done);
  loop.advance(5s);
  while (loop.run_ready()) {}
  ASSERT_TRUE(done);
  EXPECT_EQ(done->error().code, Errc::deadline_exceeded);
  EXPECT_EQ(watched.running, 0);
  EXPECT_TRUE(run(client->ping()));
}
TEST_P(McpClient, ReceivesChanges) {
  Scope listening(loop);
  const auto listen = [&]() -> Task<void> {
    static_cast<void>(co_await client->listen({.tools_changed = true, .resources = std::vector<std::string>{"test://a"}}));
  };
  if (modern()) listening.start(listen());
  else EXPECT_TRUE(run(client->subscribe("test://a")));
  while (loop.run_ready()) {}
  server.tools_changed();
  server.resource_updated("test://a");
  while (loop.run_ready()) {}
  EXPECT_EQ(changes, 1);
  EXPECT_THAT(updated, ElementsAre("test://a"));
}
TEST_P(McpClient, AnEndOfTheServerFailsWaitingCalls) {
  std::optional<Result<CallToolResult>> done;
  const auto wait = [&]() -> Task<void> { done = co_await client->call_tool("wait", {"{}"}); };
  Scope waits(loop);
  waits.start(wait());
  while (loop.run_ready()) {}
  scope.cancel();
  while (loop.run_ready()) {}
  ASSERT_TRUE(done);
  EXPECT_EQ(done->error().code, Errc::disconnected);
  EXPECT_TRUE(client->ended());
  EXPECT_EQ(run(client->list_tools()).error().code, Errc::disconnected);
}
TEST_P(McpClient, MayEndBeforeItsCalls) {
  std::optional<Result<CallToolResult>> done;
  const auto wait = [&]() -> Task<void> {
    done = co_await client->call_tool("wait", {"{}"}, {.progress = [](const Progress&) {}});
  };
  Scope scope(loop);
  scope.start(wait());
  while (loop.run_ready()) {}
  client.reset();
  while (loop.run_ready()) {}
  ASSERT_TRUE(done);
  EXPECT_EQ(done->error().code, Errc::disconnected);
}

// A server without answers to unknown methods.
TEST(McpClientAlone, ASilentServerIsAskedTheOldWay) {
  Loop loop(Loop::Time::virtual_);
  auto [near, far] = parlance::test::make_link(loop, Link::memory);
  auto frames = framed_stream(loop, std::move(far), line_framing());
  const auto answer = [](Frames& to) -> Task<void> {
    for (;;) {
      const auto batch = co_await read_frames(to);
      if (!batch || batch->empty()) co_return;
      for (const BytesView frame : *batch) {
        const auto message = json::parse(frame);
        if (message && message->text_or("method", "") == "initialize")
          static_cast<void>(to.send(
              R"({"jsonrpc":"2.0","id":)" + std::to_string(message->integer_or("id", 0)) +
              R"(,"result":{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"old","version":"1"}}})"));
      }
    }
  };
  Client client(loop, framed_stream(loop, std::move(near), line_framing()), {.info = {.name = "t", .version = "1"}});
  std::optional<Result<void>> done;
  const auto connect = [&]() -> Task<void> { done = co_await client.connect(); };
  Scope scope(loop);
  scope.start(answer(*frames));
  scope.start(connect());
  while (loop.run_ready()) {}
  EXPECT_FALSE(done);
  loop.advance(limits::mcp_discover_time);
  while (loop.run_ready()) {}
  ASSERT_TRUE(done);
  EXPECT_TRUE(*done) << done->error().message;
  EXPECT_EQ(client.version(), "2024-11-05");
  EXPECT_EQ(client.server_info().name, "old");
}

// It answers for the first time after the client gave up server/discover and sent initialize.
TEST(McpClientAlone, ALateStartRepeatsTheDetection) {
  Loop loop(Loop::Time::virtual_);
  auto [near, far] = parlance::test::make_link(loop, Link::memory);
  auto frames = framed_stream(loop, std::move(far), line_framing());
  const auto answer = [](Frames& to) -> Task<void> {
    for (;;) {
      const auto batch = co_await read_frames(to);
      if (!batch || batch->empty()) co_return;
      for (const BytesView frame : *batch) {
        const auto message = json::parse(frame);
        const bool asked = message && message->text_or("method", "") == "server/discover";
        static_cast<void>(to.send(R"({"jsonrpc":"2.0","id":)" + std::to_string(message ? message->integer_or("id", 0) : 0) +
                                  (asked ? R"(,"result":{"supportedVersions":["2026-07-28"],"capabilities":{}}})"
                                         : R"(,"error":{"code":-32601,"message":"no initialize here"}})")));
      }
    }
  };
  Client client(loop, framed_stream(loop, std::move(near), line_framing()), {.info = {.name = "t", .version = "1"}});
  std::optional<Result<void>> done;
  const auto connect = [&]() -> Task<void> { done = co_await client.connect(); };
  Scope scope(loop);
  scope.start(connect());
  while (loop.run_ready()) {}
  loop.advance(limits::mcp_discover_time);
  while (loop.run_ready()) {}
  EXPECT_FALSE(done);
  scope.start(answer(*frames));
  while (loop.run_ready()) {}
  ASSERT_TRUE(done);
  EXPECT_TRUE(*done) << done->error().message;
  EXPECT_EQ(client.version(), "2026-07-28");
}

}  // namespace
}  // namespace parlance::mcp
