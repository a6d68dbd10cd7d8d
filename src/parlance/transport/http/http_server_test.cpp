// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/http/http_server.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/transport/http/http_server_test_support.h"

namespace parlance {
namespace {

using namespace std::chrono_literals;
using test::echo;
using test::ServerTest;

int count_of(std::string_view text, std::string_view what) {
  int count = 0;
  for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

// ---- requests and answers ----------------------------------------------------------------------------------------------

TEST_F(ServerTest, AConnectionServesRequestsInSequence) {
  serve(echo);
  const auto stream = connect();
  send(*stream, "GET /a%20b?x=1 HTTP/1.1\r\nHost: h\r\n\r\n");
  Bytes answer = receive(*stream, "GET ");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\n")) << answer;
  EXPECT_NE(answer.find("\r\nX-Path: /a b\r\n"), Bytes::npos);
  EXPECT_NE(answer.find("\r\nContent-Length: 4\r\n"), Bytes::npos);
  EXPECT_NE(answer.find("\r\nDate: "), Bytes::npos);
  send(*stream, "\r\nPOST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc");
  EXPECT_TRUE(receive(*stream, "POST abc").ends_with("POST abc"));
  send(*stream,
       "PUT / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: "
       "chunked\r\n\r\n3;ext=1\r\nabc\r\n2\r\nde\r\n0\r\nTrailer: x\r\n\r\n");
  answer = receive(*stream);
  EXPECT_TRUE(answer.ends_with("PUT abcde")) << answer;
  EXPECT_NE(answer.find("\r\nConnection: close\r\n"), Bytes::npos);
  EXPECT_EQ(server->requests(), 3U);
}

TEST_F(ServerTest, PipelinedRequestsAreAnsweredInOrder) {
  serve([this](HttpExchange& exchange) -> Task<void> {
    if (exchange.request().path == "/slow") co_await sleep_for(loop, 5ms);
    co_await exchange.respond({.body = "<" + exchange.request().path + ">"});
  });
  const auto stream = connect();
  Bytes requests;
  for (int i = 0; i < 100; ++i)
    requests += "GET /" + std::string(i % 30 == 0 ? "slow" : std::to_string(i)) + " HTTP/1.1\r\nHost: h\r\n\r\n";
  send(*stream, requests + "GET /last HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  const Bytes answers = receive(*stream);
  EXPECT_EQ(count_of(answers, "HTTP/1.1 200 OK"), 101);
  std::size_t at = 0;
  for (int i = 0; i < 100; ++i) {
    const std::size_t next = answers.find("</" + std::string(i % 30 == 0 ? "slow" : std::to_string(i)) + ">", at);
    ASSERT_NE(next, Bytes::npos) << i;
    at = next;
  }
}

TEST_F(ServerTest, ARequestMayArriveByteForByte) {
  serve(echo);
  for (const auto& [body, echoed] : {std::pair<std::string, std::string>{"2\r\nhi\r\n0\r\n\r\n", "POST hi"},
                                     {"0\r\n\r\n", "POST "},
                                     {"0;ext=1\r\nTrailer: x\r\n\r\n", "POST "}}) {
    const auto stream = connect();
    for (const char c : "POST /p HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n" + body) {
      send(*stream, {&c, 1});
      loop.run_ready();
    }
    EXPECT_TRUE(receive(*stream).ends_with(echoed)) << body;
  }
}

TEST_F(ServerTest, HeadHasTheHeadOfGetAndNoBody) {
  serve(echo);
  const Bytes answer = ask("HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_NE(answer.find("Content-Length: 5\r\n"), Bytes::npos);
  EXPECT_TRUE(answer.ends_with("\r\n\r\n"));
}

TEST_F(ServerTest, Http10ClosesUnlessAskedNotTo) {
  serve(echo);
  EXPECT_TRUE(ask("GET / HTTP/1.0\r\n\r\n").ends_with("GET "));
  const auto stream = connect();
  send(*stream, "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_NE(receive(*stream, "GET ").find("Connection: keep-alive\r\n"), Bytes::npos);
  send(*stream, "GET / HTTP/1.0\r\n\r\n");
  EXPECT_TRUE(receive(*stream).ends_with("GET "));
}

TEST_F(ServerTest, AHalfClosedClientStillGetsItsAnswer) {
  serve([this](HttpExchange& exchange) -> Task<void> {
    co_await sleep_for(loop, 10ms);
    co_await exchange.respond({.body = "late"});
  });
  const auto stream = connect();
  send(*stream, "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  stream->close_output();
  EXPECT_TRUE(receive(*stream).ends_with("late"));
}

TEST_F(ServerTest, AnAnswerWithoutABodyHasNone) {
  serve([](HttpExchange& exchange) -> Task<void> { co_await exchange.respond({.status = 204}); });
  const Bytes answer = ask("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 204 No Content\r\n"));
  EXPECT_EQ(answer.find("Content-Length"), Bytes::npos);
}

TEST_F(ServerTest, AHeaderNeverBecomesTwo) {
  serve([](HttpExchange& exchange) -> Task<void> {
    co_await exchange.respond(
        {.headers = {
             {.name = "X-A", .value = "1\r\nX-B: 2"}, {.name = "X C", .value = "3"}, {.name = "Content-Length", .value = "7"}}});
  });
  const Bytes answer = ask("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_NE(answer.find("\r\nX-A: 1  X-B: 2\r\n"), Bytes::npos) << answer;
  EXPECT_EQ(answer.find("X C"), Bytes::npos);
  EXPECT_EQ(answer.find("Content-Length: 7"), Bytes::npos);
}

TEST_F(ServerTest, AHandlerWithoutAnAnswerOrWithAThrowGets500) {
  serve([](HttpExchange& exchange) -> Task<void> {
    if (exchange.request().path == "/throw") throw std::runtime_error("bug");
    co_return;
  });
  EXPECT_TRUE(ask("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").starts_with("HTTP/1.1 500 "));
  EXPECT_TRUE(ask("GET /throw HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").starts_with("HTTP/1.1 500 "));
}

TEST_F(ServerTest, ALargeAnswerArrivesWhole) {
  static const std::string page(5 << 20, 'p');
  serve([](HttpExchange& exchange) -> Task<void> { co_await exchange.respond({.static_body = page}); });
  const Bytes answer = ask("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(answer.ends_with(page));
}

// ---- refusals ------------------------------------------------------------------------------------------------------------

TEST_F(ServerTest, AMalformedRequestIsRefusedInWords) {
  serve(echo);
  const std::vector<std::pair<std::string, std::string>> cases{
      {"nonsense\r\n\r\n", "400"},
      {"GET / HTTP/1.1\r\n\r\n", "400"},
      {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400"},
      {"GET / HTTP/2.0\r\nHost: a\r\n\r\n", "505"},
      {"GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", "400"},
      {"GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n", "400"},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", "400"},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n", "400"},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "501"},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "400"},
      {"POST / HTTP/1.1\r\nHost: a\r\nExpect: cake\r\nContent-Length: 3\r\n\r\n", "417"},
      {"GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(20'000, 'x') + "\r\n\r\n", "431"},
      {"GET /" + std::string(20'000, 'x') + " HTTP/1.1\r\nHost: a\r\n\r\n", "431"},
  };
  for (const auto& [request, status] : cases) {
    const Bytes answer = ask(request);
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 " + status + " ")) << request.substr(0, 100) << " -> " << answer;
    EXPECT_NE(answer.find("\r\n\r\n" + status + " "), Bytes::npos) << answer;
  }
  EXPECT_EQ(server->requests(), 0U);
}

TEST_F(ServerTest, ManySmallHeadersCountTogether) {
  serve(echo);
  const auto stream = connect();
  send(*stream, "GET / HTTP/1.1\r\nHost: h\r\n");
  for (int i = 0; i < 40; ++i) {
    stream->try_write("X-Number: " + std::string(1000, 'x') + "\r\n");  // in pieces, each far below the limit
    loop.run_for(1ms);
  }
  EXPECT_TRUE(receive(*stream).starts_with("HTTP/1.1 431 "));
}

TEST_F(ServerTest, ASlowHeaderOrBodyIsRefusedAndAnIdleConnectionClosed) {
  serve(echo, {.header_timeout = 30ms, .body_timeout = 30ms, .idle_timeout = 30ms});
  EXPECT_TRUE(ask("GET / HT").starts_with("HTTP/1.1 408 "));
  EXPECT_TRUE(ask("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc").starts_with("HTTP/1.1 408 "));
  EXPECT_EQ(ask(""), "");
  const auto stream = connect();
  send(*stream, "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_TRUE(receive(*stream).ends_with("GET "));  // … and then the end
  wait_for([&] { return server->connections() == 0; });
}

// ---- streams -------------------------------------------------------------------------------------------------------------

TEST_F(ServerTest, AStreamArrivesInChunksDuringItsWrites) {
  Channel<std::string> words(loop, 10);
  serve([&](HttpExchange& exchange) -> Task<void> {
    co_await exchange.begin(200, {{.name = "Content-Type", .value = "text/event-stream"}});
    while (const auto word = co_await words.pop()) co_await exchange.write(*word);
    co_await exchange.end();
  });
  const auto stream = connect();
  send(*stream, "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_NE(receive(*stream, "\r\n\r\n").find("Transfer-Encoding: chunked"), Bytes::npos);
  words.try_push("data: one\n\n");
  EXPECT_EQ(receive(*stream, "\n\n\r\n"), "b\r\ndata: one\n\n\r\n");
  words.try_push("");
  words.try_push("two");
  EXPECT_EQ(receive(*stream, "two\r\n"), "3\r\ntwo\r\n");
  words.close();
  EXPECT_EQ(receive(*stream, "0\r\n\r\n"), "0\r\n\r\n");
  send(*stream, "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");  // the connection goes on
  EXPECT_TRUE(receive(*stream).ends_with("\r\n\r\n0\r\n\r\n"));
  EXPECT_EQ(ask("HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").find("\r\n\r\n0"), Bytes::npos);
  EXPECT_EQ(ask("GET / HTTP/1.0\r\n\r\n").find("chunked"), Bytes::npos);
}

TEST_F(ServerTest, ABrokenStreamIsNotComplete) {
  serve([](HttpExchange& exchange) -> Task<void> {
    co_await exchange.begin(200, {});
    co_await exchange.write("half");
  });
  const Bytes answer = ask("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_TRUE(answer.ends_with("4\r\nhalf\r\n")) << answer;
}

TEST_F(ServerTest, ASlowReaderDelaysItsStreamOnly) {
  std::size_t written = 0;
  serve([&](HttpExchange& exchange) -> Task<void> {
    if (exchange.request().path == "/quick") {
      co_await exchange.respond({.body = "quick"});
      co_return;
    }
    co_await exchange.begin(200, {});
    for (int i = 0; i < 400; ++i) {
      if (!co_await exchange.write(std::string(64 << 10, 'x'))) co_return;
      written += 64 << 10;
    }
    co_await exchange.end();
  });
  const auto slow = connect();
  send(*slow, "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  wait_for([&] { return written > 0; });
  std::size_t before = 0;
  do {
    before = written;
    loop.run_for(30ms);
  } while (written != before);
  EXPECT_LT(written, 20U << 20);  // the buffers of the kernel, and write_queue_bytes
  EXPECT_TRUE(ask("GET /quick HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").ends_with("quick"));
  EXPECT_GT(receive(*slow).size(), 400U * (64U << 10));
}

TEST_F(ServerTest, AStalledReaderIsClosed) {
  bool failed = false;
  serve(
      [&](HttpExchange& exchange) -> Task<void> {
        struct Gone {
          bool& flag;
          ~Gone() { flag = true; }
        };
        const Gone gone{failed};
        co_await exchange.begin(200, {});
        while (co_await exchange.write(std::string(64 << 10, 'x'))) {}
      },
      {.write_stall = 50ms});
  const auto stream = connect();
  send(*stream, "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  wait_for([&] { return failed && server->connections() == 0; });
}

TEST_F(ServerTest, AHandlerEndsWithItsClient) {
  for (const bool streams : {false, true}) {
    bool started = false;
    bool destroyed = false;
    serve(
        [&, streams](HttpExchange& exchange) -> Task<void> {
          struct Gone {
            bool& flag;
            ~Gone() { flag = true; }
          };
          const Gone gone{destroyed};
          started = true;
          if (streams) co_await exchange.begin(200, {});
          co_await sleep_for(loop, 1h);
        },
        {.half_close_grace = 10ms});
    auto stream = connect();
    send(*stream, "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    wait_for([&] { return started; });
    EXPECT_FALSE(destroyed);
    stream.reset();
    wait_for([&] { return destroyed && server->connections() == 0; });
  }
}

TEST_F(ServerTest, TheHostOfAnAbsoluteTargetCountsMoreThanTheHeader) {
  serve([](HttpExchange& exchange) -> Task<void> {
    const std::string* host = exchange.request().header("Host");
    static_cast<void>(
        co_await exchange.respond({.body = exchange.request().path + " of " + (host == nullptr ? "no host" : *host)}));
  });
  const auto answer = [&](const std::string& target) {
    return ask("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  };
  EXPECT_TRUE(answer("http://evil.example/x").ends_with("/x of evil.example"));
  EXPECT_TRUE(answer("http://evil.example:81").ends_with("/ of evil.example:81"));
  EXPECT_TRUE(answer("/x?to=http://evil.example/").ends_with("/x of localhost"));
}

}  // namespace
}  // namespace parlance
