// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/http/http_client.h"

#include <cstdlib>
#include <optional>

#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/transport/http/http_server.h"
#include "parlance/transport/sockets.h"

namespace parlance {
namespace {

using namespace std::chrono_literals;

struct ClientTest : testing::Test {
  ClientTest() {
    for (const char* name : {"http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY", "no_proxy", "NO_PROXY"})
      ::unsetenv(name);
    serve(server, [this](HttpExchange& exchange) { return route(exchange); });
    serve(other, [this](HttpExchange& exchange) { return report(exchange); });
  }
  void serve(std::unique_ptr<HttpServer>& into, HttpHandler handler) {
    auto listening = HttpServer::listen(loop, {.host = "127.0.0.1", .port = 0}, std::move(handler));
    if (!listening) throw std::runtime_error(listening.error().message);
    into = *std::move(listening);
  }
  std::string url(std::string_view path) const {
    return "http://127.0.0.1:" + std::to_string(server->port()) + std::string(path);
  }
  std::string other_url(std::string_view path) const {
    return "http://127.0.0.1:" + std::to_string(other->port()) + std::string(path);
  }
  Result<HttpResponse> fetch(HttpRequest request) { return loop.block_on(client.fetch(std::move(request))); }

  // Reports the received request: method, target, body, and the relevant headers.
  Task<void> report(HttpExchange& exchange) {
    const ServerRequest& request = exchange.request();
    std::string text = request.method + " " + request.target + " [" + request.body + "]";
    for (const char* name : {"Authorization", "X-Api-Key", "Content-Type", "Accept"})
      if (const std::string* value = request.header(name)) text += std::string(" ") + name + "=" + *value;
    co_await exchange.respond({.headers = {{.name = "Content-Type", .value = "text/plain"}}, .body = std::move(text)});
  }

  Task<void> route(HttpExchange& exchange) {
    const std::string path = exchange.request().path;
    const auto lead = [&](int status, std::string to) {
      return exchange.respond({.status = status, .headers = {{.name = "Location", .value = std::move(to)}}, .body = "elsewhere"});
    };
    if (path == "/308") co_await lead(308, "/report");
    else if (path == "/303") co_await lead(303, "/report");
    else if (path == "/302-other") co_await lead(302, other_url("/there"));
    else if (path == "/307-other") co_await lead(307, other_url("/there"));
    else if (path == "/circle") co_await lead(302, "/circle");
    else if (path == "/file") co_await lead(302, "file:///etc/passwd");
    else if (path == "/large") co_await exchange.respond({.body = std::string(100'000, 'x')});
    else if (path == "/gzip")
      co_await exchange.respond({.headers = {{.name = "Content-Encoding", .value = "gzip"}}, .body = gzip});
    else if (path == "/error") co_await exchange.respond({.status = 503, .body = "busy"});
    else if (path == "/hang") {
      hanging = true;
      const Hanging guard{hanging};
      co_await sleep_for(loop, 1h);
    } else if (path == "/events") co_await events(exchange);
    else co_await report(exchange);
  }
  struct Hanging {
    bool& flag;
    ~Hanging() { flag = false; }
  };
  Task<void> events(HttpExchange& exchange) {
    co_await exchange.begin(200, {{.name = "Content-Type", .value = "text/event-stream"}});
    hanging = true;
    const Hanging guard{hanging};
    for (int i = 0; exchange.request().query.find("endless") != nullptr || i < 5; ++i) {
      co_await exchange.write("data: " + std::to_string(i) + "\n\n");
      co_await sleep_for(loop, 2ms);
      if (exchange.request().query.find("stop") != nullptr && i == 2) co_await sleep_for(loop, 1h);
    }
    co_await exchange.end();
  }
  template <class F>
  void wait_for(F condition) {
    loop.run_until(condition);
    EXPECT_TRUE(condition());
  }

  // printf 'hello, hello, hello' | gzip -n
  const std::string gzip{
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\x48\xcd\xc9\xc9\xd7\x51\xc8\x40\xa2\x00\x9f\xa1\xca\x09\x13\x00\x00\x00", 29};
  bool hanging = false;
  Loop loop;
  HttpClient client{loop};
  std::unique_ptr<HttpServer> server;
  std::unique_ptr<HttpServer> other;
};

TEST_F(ClientTest, SendsOnlyTheGivenHeaders) {
  const auto got = fetch({.url = url("/a?b=1")});
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(got->status, 200);
  EXPECT_EQ(got->body, "GET /a?b=1 [] Accept=*/*");
  EXPECT_EQ(*find_header(got->headers, "content-TYPE"), "text/plain");
  EXPECT_EQ(fetch({.method = "POST", .url = url("/"), .body = "{}"})->body, "POST / [{}] Accept=*/*");
  EXPECT_EQ(fetch({.method = "POST", .url = url("/")})->body, "POST / [] Accept=*/*");
  EXPECT_EQ(fetch({.method = "DELETE", .url = url("/x")})->body, "DELETE /x [] Accept=*/*");
  EXPECT_EQ(
      fetch({.method = "PUT", .url = url("/x"), .headers = {{.name = "Content-Type", .value = "text/x"}}, .body = "y"})->body,
      "PUT /x [y] Content-Type=text/x Accept=*/*");
  EXPECT_EQ(fetch({.method = "HEAD", .url = url("/")})->body, "");
  const std::string large(3 << 20, 'u');  // no wait for a 100
  EXPECT_EQ(fetch({.method = "POST", .url = url("/"), .body = large, .total_timeout = 900ms})->body.size(), large.size() + 20);
}

TEST_F(ClientTest, AnErrorStatusIsAResponse) {
  const auto got = fetch({.url = url("/error")});
  ASSERT_TRUE(got);
  EXPECT_EQ(got->status, 503);
  EXPECT_EQ(got->body, "busy");
}

TEST_F(ClientTest, FollowsRedirectsWithTheRightMethod) {
  EXPECT_EQ(fetch({.method = "POST", .url = url("/308"), .headers = {{.name = "X-Api-Key", .value = "k"}}, .body = "b"})->body,
            "POST /report [b] X-Api-Key=k Accept=*/*");
  EXPECT_EQ(fetch({.method = "POST", .url = url("/303"), .headers = {{.name = "Content-Type", .value = "t"}}, .body = "b"})->body,
            "GET /report [] Accept=*/*");
  EXPECT_EQ(fetch({.url = url("/303"), .follow_redirects = false})->status, 303);
}

TEST_F(ClientTest, CredentialsGoToTheFirstHostOnly) {
  const std::vector<HttpHeader> secrets{{.name = "Authorization", .value = "Bearer s"},
                                        {.name = "x-api-key", .value = "s"},
                                        {.name = "Content-Type", .value = "t"}};
  EXPECT_EQ(fetch({.url = url("/302-other"), .headers = secrets})->body, "GET /there [] Content-Type=t Accept=*/*");
  EXPECT_EQ(fetch({.method = "POST", .url = url("/307-other"), .headers = secrets, .body = "b"})->body,
            "POST /there [b] Content-Type=t Accept=*/*");
}

TEST_F(ClientTest, ARedirectLeadsNowhereElse) {
  EXPECT_EQ(fetch({.url = url("/circle")}).error().message, "GET " + url("/circle") + ": too many redirects");
  EXPECT_EQ(fetch({.url = url("/file")}).error().code, Errc::invalid_request);
}

TEST_F(ClientTest, AnImpossibleRequestFailsAtOnce) {
  EXPECT_EQ(fetch({.url = "ftp://h/"}).error().code, Errc::invalid_request);
  EXPECT_EQ(fetch({.url = "no url"}).error().code, Errc::invalid_request);
  EXPECT_EQ(fetch({.url = url("/"), .headers = {{.name = "X", .value = "a\r\nY: b"}}}).error().code, Errc::invalid_request);
}

TEST_F(ClientTest, ARefusedConnectionIsExplainedWithoutSecrets) {
  const unsigned short port = other->port();
  loop.block_on(other->drain(Clock::now()));
  const auto got = fetch({.url = "http://user:password@127.0.0.1:" + std::to_string(port) + "/x?key=secret"});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, Errc::disconnected);
  const std::size_t words = got.error().message.find("nobody listens there");
  ASSERT_NE(words, std::string::npos) << got.error().message;
  EXPECT_GT(got.error().message.find("Connection refused"), words) << "the system's words come last";
  EXPECT_EQ(got.error().message.find("secret"), std::string::npos);
  EXPECT_EQ(got.error().message.find("password"), std::string::npos);
}

TEST_F(ClientTest, ABodyBeyondTheLimitIsAnError) {
  EXPECT_EQ(fetch({.url = url("/large"), .body_limit = 99'999}).error().code, Errc::overloaded);
  EXPECT_EQ(fetch({.url = url("/large"), .body_limit = 100'000})->body.size(), 100'000U);
}

TEST_F(ClientTest, DecompressesBodies) { EXPECT_EQ(fetch({.url = url("/gzip")})->body, "hello, hello, hello"); }

TEST_F(ClientTest, SilenceEndsARequest) {
  auto got = fetch({.url = url("/hang"), .idle_timeout = 30ms});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, Errc::deadline_exceeded);
  EXPECT_EQ(got.error().message, "GET " + url("/hang") + ": nothing came for 30 ms");
  wait_for([&] { return !hanging; });
  EXPECT_EQ(fetch({.url = url("/hang"), .total_timeout = 30ms}).error().code, Errc::deadline_exceeded);
  // A continuing stream is not silent, regardless of its duration.
  EXPECT_TRUE(
      loop.block_on(client.stream({.url = url("/events"), .idle_timeout = 500ms}, [](BytesView) -> Result<void> { return {}; })));
}

TEST_F(ClientTest, AStreamOfEventsArrivesInPieces) {
  SseParser parser;
  std::string seen;
  bool running = false;
  const auto got = loop.block_on(client.stream({.url = url("/events")}, [&](BytesView bytes) {
    running = running || hanging;
    return parser.feed(bytes, [&](const SseEvent& event) -> Result<void> {
      seen += event.data;
      return {};
    });
  }));
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(got->status, 200);
  EXPECT_EQ(got->body, "");
  EXPECT_EQ(seen, "01234");
  EXPECT_TRUE(running);  // the first came before the last was written
}

TEST_F(ClientTest, AnErrorBodyOfAStreamIsCollected) {
  const auto got = loop.block_on(
      client.stream({.url = url("/error")}, [](BytesView) -> Result<void> { return fail(Errc::failed, "not asked"); }));
  ASSERT_TRUE(got);
  EXPECT_EQ(got->body, "busy");
}

TEST_F(ClientTest, TheReceiverMayEndAStream) {
  const auto got = loop.block_on(client.stream({.url = url("/events?endless=1")},
                                               [](BytesView) -> Result<void> { return fail(Errc::cancelled, "enough"); }));
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().message, "enough");
  wait_for([&] { return !hanging; });
}

TEST_F(ClientTest, DestroyingTheTaskCancelsTheRequest) {
  std::string seen;
  {
    Scope scope(loop);
    const auto run = [&]() -> Task<void> {
      co_await client.stream({.url = url("/events?stop=1")}, [&](BytesView bytes) -> Result<void> {
        seen += bytes;
        return {};
      });
      seen = "ended";
    };
    scope.start(run());
    wait_for([&] { return seen.ends_with("data: 2\n\n"); });
    EXPECT_TRUE(hanging);
  }
  wait_for([&] { return !hanging; });
  EXPECT_EQ(seen, "data: 0\n\ndata: 1\n\ndata: 2\n\n");
  EXPECT_EQ(fetch({.url = url("/")})->status, 200);
}

TEST_F(ClientTest, ManyRequestsRunAtOnceAndConnectionsAreKept) {
  Scope scope(loop);
  int good = 0;
  const auto run = [&]() -> Task<void> {
    for (int i = 0; i < 5; ++i) {
      const auto got = co_await client.fetch({.url = url("/")});
      if (got && got->status == 200) ++good;
    }
  };
  for (int i = 0; i < 20; ++i) scope.start(run());
  loop.block_on(scope.join());
  EXPECT_EQ(good, 100);
  EXPECT_LE(server->connections(), 20U);
}

TEST_F(ClientTest, ARequestWithABodyIsNeverSentTwice) {
  // Answers the first request of a connection, and closes the connection at the second: a server that died during its work.
  int received = 0;
  const auto serve_twice = [&](std::unique_ptr<ByteStream> stream) -> Task<void> {
    std::string buffer(4096, '\0');
    std::string request;
    for (int own = 1;; request.clear()) {
      while (!request.ends_with("{}")) {
        const auto count = co_await read_some(*stream, buffer);
        if (!count || *count == 0) co_return;
        request += buffer.substr(0, *count);
      }
      ++received;
      if (own++ == 2) co_return;
      (void)co_await write_all(*stream, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    }
  };
  Scope scope(loop);
  auto listener = listen_tcp(loop, {.host = "127.0.0.1", .port = 0},
                             [&](std::unique_ptr<ByteStream> stream) { scope.start(serve_twice(std::move(stream))); });
  ASSERT_TRUE(listener);
  const std::string at = "http://127.0.0.1:" + std::to_string((*listener)->port()) + "/mcp";
  EXPECT_EQ(fetch({.method = "POST", .url = at, .body = "{}"})->body, "ok");
  const auto second = fetch({.method = "POST", .url = at, .body = "{}"});
  ASSERT_FALSE(second) << second->body;
  EXPECT_EQ(second.error().code, Errc::disconnected);
  EXPECT_EQ(received, 2);
  EXPECT_EQ(fetch({.method = "POST", .url = at, .body = "{}"})->body, "ok") << "the next one has a connection of its own";
}

TEST_F(ClientTest, AProxyOfTheEnvironmentIsUsedButNotForThisMachine) {
  ::setenv("http_proxy", other_url("").c_str(), 1);
  EXPECT_EQ(fetch({.url = "http://models.invalid/v1?x=1"})->body, "GET http://models.invalid/v1?x=1 [] Accept=*/*");
  EXPECT_EQ(fetch({.url = url("/direct")})->body, "GET /direct [] Accept=*/*");
  ::setenv("no_proxy", "models.invalid", 1);
  EXPECT_EQ(fetch({.url = "http://models.invalid/v1"}).error().code, Errc::disconnected);
  ::unsetenv("http_proxy");
  ::unsetenv("no_proxy");
}

}  // namespace
}  // namespace parlance
