// SPDX-License-Identifier: Apache-2.0
// The clients over real sockets, against our own HTTP server in the same loop, for effects of a network on a stream.
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/model/provider/make_model.h"
#include "parlance/model/settings.h"
#include "parlance/transport/http/http_server.h"
#include "tests/support/model.h"

namespace parlance::model {
namespace {

using namespace std::chrono_literals;
using test::Chunks;
using test::data;
using ::testing::HasSubstr;

const std::string first_words = data(R"({"choices":[{"delta":{"content":"Hello"}}]})");
const std::string end_of_stream = data(R"({"choices":[{"delta":{},"finish_reason":"stop"}]})") + data("[DONE]");

class OverHttp : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"}) unsetenv(name);
    auto listening = HttpServer::listen(loop, {.host = "127.0.0.1", .port = 0}, [this](HttpExchange& exchange) -> Task<void> {
      ++requests;
      last_target = exchange.request().target;
      ++handling;
      struct Leaving {
        int& count;
        ~Leaving() { --count; }
      } const leaving{handling};
      co_await handler(exchange);
    });
    ASSERT_TRUE(listening) << listening.error().message;
    server = *std::move(listening);
    settings.kind = Kind::openai;
    settings.name = "m";
    settings.url = "http://127.0.0.1:" + std::to_string(server->port());
    settings.limits.retry_first = settings.limits.retry_most = 2ms;
  }
  void TearDown() override {
    model.reset();
    server.reset();
  }
  Result<Completion> ask() {
    model = make_model(loop, settings).value();
    return loop.block_on(model->chat({.messages = {{.role = Role::user, .content = "hi"}}}, chunks));
  }
  static Task<void> begin(HttpExchange& exchange) {
    (void)co_await exchange.begin(200, std::vector<HttpHeader>{{"Content-Type", "text/event-stream"}});
  }

  Loop loop;
  std::function<Task<void>(HttpExchange&)> handler;
  std::unique_ptr<HttpServer> server;
  ModelSettings settings;
  std::unique_ptr<Model> model;
  Chunks chunks;
  int requests = 0;
  int handling = 0;
  std::string last_target;
};

TEST_F(OverHttp, AnAnswerStreams) {
  handler = [](HttpExchange& exchange) -> Task<void> {
    co_await begin(exchange);
    for (const char c : first_words + end_of_stream) (void)co_await exchange.write(std::string(1, c));
    (void)co_await exchange.end();
  };
  const auto answer = ask();
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->content, "Hello");
  EXPECT_EQ(last_target, "/v1/chat/completions");
}

TEST_F(OverHttp, SilenceBeforeTheFirstByteEndsAtTheIdleLimit) {
  settings.limits.idle = 500ms;  // long enough for the request to arrive on a busy machine
  handler = [this](HttpExchange&) -> Task<void> { co_await sleep_until(loop, never); };
  const auto answer = ask();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Errc::deadline_exceeded) << answer.error().message;
  EXPECT_EQ(requests, 1);
}

TEST_F(OverHttp, SilenceInMidStreamEndsAtTheIdleLimit) {
  settings.limits.idle = 500ms;
  handler = [this](HttpExchange& exchange) -> Task<void> {
    co_await begin(exchange);
    (void)co_await exchange.write(first_words);
    co_await sleep_until(loop, never);
  };
  const auto answer = ask();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Errc::deadline_exceeded) << answer.error().message;
  EXPECT_EQ(chunks.text, "Hello");
}

TEST_F(OverHttp, SignsOfLifeKeepASlowAnswerAlive) {
  settings.limits.idle = 1s;
  handler = [this](HttpExchange& exchange) -> Task<void> {
    co_await begin(exchange);
    for (int i = 0; i < 25; ++i) {
      (void)co_await exchange.write(": still here\n\n");
      co_await sleep_for(loop, 50ms);
    }
    (void)co_await exchange.write(first_words + end_of_stream);
    (void)co_await exchange.end();
  };
  const auto answer = ask();
  ASSERT_TRUE(answer) << answer.error().message;
}

TEST_F(OverHttp, ACutStreamIsDisconnectedAndNotRepeated) {
  handler = [](HttpExchange& exchange) -> Task<void> {
    co_await begin(exchange);
    (void)co_await exchange.write(first_words);
  };
  const auto answer = ask();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Errc::disconnected) << answer.error().message;
  EXPECT_EQ(requests, 1);
}

TEST_F(OverHttp, TroubleIsRetriedWithTheSameBody) {
  std::vector<std::string> bodies;
  handler = [&](HttpExchange& exchange) -> Task<void> {
    bodies.push_back(exchange.request().body);
    if (requests < 3) {
      HttpReply reply{.status = 503, .headers = {{"Retry-After", "0"}}, .body = "busy"};
      (void)co_await exchange.respond(std::move(reply));
      co_return;
    }
    co_await begin(exchange);
    (void)co_await exchange.write(first_words + end_of_stream);
    (void)co_await exchange.end();
  };
  const auto answer = ask();
  ASSERT_TRUE(answer) << answer.error().message;
  ASSERT_EQ(bodies.size(), 3U);
  EXPECT_EQ(bodies[0], bodies[2]);
  EXPECT_EQ(chunks.trace, "<2><3>Hello");
}

TEST_F(OverHttp, AnUnreachableServerIsReportedAfterAllAttempts) {
  server.reset();
  settings.limits.attempts = 2;
  const auto answer = ask();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Errc::disconnected);
  EXPECT_THAT(answer.error().message, HasSubstr(settings.url));
  EXPECT_THAT(answer.error().message, HasSubstr("tried 2 times"));
}

TEST_F(OverHttp, CancellingEndsTheServersWork) {
  handler = [this](HttpExchange& exchange) -> Task<void> {
    co_await begin(exchange);
    (void)co_await exchange.write(first_words);
    co_await sleep_until(loop, never);
  };
  model = make_model(loop, settings).value();
  std::optional<Scope> scope(std::in_place, loop);
  const auto run = [&]() -> Task<void> {
    (void)co_await model->chat({.messages = {{.role = Role::user, .content = "hi"}}}, chunks);
  };
  scope->start(run());
  loop.run_until([&] { return !chunks.text.empty(); });
  EXPECT_EQ(handling, 1);
  scope.reset();
  loop.run_until([&] { return handling == 0; });
  EXPECT_EQ(handling, 0);
}

TEST_F(OverHttp, RedirectsAreReportedAndNotFollowed) {
  handler = [this](HttpExchange& exchange) -> Task<void> {
    HttpReply reply{.status = 307, .headers = {{"Location", settings.url + "/elsewhere"}}};
    (void)co_await exchange.respond(std::move(reply));
  };
  const auto answer = ask();
  ASSERT_FALSE(answer);
  EXPECT_EQ(requests, 1);
  EXPECT_THAT(answer.error().message, HasSubstr("307"));
}

TEST_F(OverHttp, AProxyOfTheEnvironmentIsUsed) {
  setenv("http_proxy", settings.url.c_str(), 1);
  settings.url = "http://model.invalid/v1";
  handler = [](HttpExchange& exchange) -> Task<void> {
    co_await begin(exchange);
    (void)co_await exchange.write(first_words + end_of_stream);
    (void)co_await exchange.end();
  };
  const auto answer = ask();
  unsetenv("http_proxy");
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(last_target, "http://model.invalid/v1/chat/completions");
}

}  // namespace
}  // namespace parlance::model
