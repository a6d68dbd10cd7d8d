// SPDX-License-Identifier: Apache-2.0
// Our HTTP server and clients against Node's (README.md), over real sockets.
#include <array>
#include <filesystem>

#include <gtest/gtest.h>

#include "parlance/async/signals.h"
#include "parlance/process/child_process.h"
#include "parlance/transport/http/http_client.h"
#include "parlance/transport/http/http_server.h"
#include "parlance/transport/http/websocket_client.h"

namespace parlance {
namespace {

using namespace std::chrono_literals;
using Batch = std::vector<Bytes>;

class NodeHttp : public testing::Test {
 protected:
  void SetUp() override {
    ignore_sigpipe();
    if (std::string_view(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node here: apt-get install nodejs, then configure again";
    if (!std::filesystem::exists(PARLANCE_SOURCE_DIR "/apps/web/node_modules/ws"))
      GTEST_SKIP() << "no ws package here: npm ci in apps/web installs it";
  }
  void start(std::vector<std::string> arguments) {
    std::vector<std::string> command{PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/node-http/peer.mjs"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    auto started = ChildProcess::start(loop, {.command = std::move(command)});
    ASSERT_TRUE(started) << started.error().message;
    node = *std::move(started);
    output = node->take_stream();
  }
  std::string first_line() {
    const auto read = [this]() -> Task<std::string> {
      std::string line;
      std::array<char, 512> buffer{};
      while (line.find('\n') == std::string::npos) {
        const auto count = co_await read_some(*output, buffer);
        if (!count || *count == 0) break;
        line.append(buffer.data(), *count);
      }
      co_return line.substr(0, line.find('\n'));
    };
    return loop.block_on(read());
  }
  Result<Batch> read(Frames& frames) {
    const auto batch = [&]() -> Task<Result<Batch>> {
      const auto got = co_await read_frames(frames);
      if (!got) co_return fail(got.error());
      co_return Batch(got->begin(), got->end());
    };
    return loop.block_on(batch());
  }

  Task<void> answer(HttpExchange& exchange) {
    const std::string path = exchange.request().path;
    if (path == "/echo") {
      co_await exchange.respond({.body = exchange.request().body});
    } else if (path == "/events") {
      co_await exchange.begin(200, {{.name = "Content-Type", .value = "text/event-stream"}});
      for (int i = 0; i < 3; ++i) {
        co_await exchange.write("data: " + std::to_string(i) + "\n\n");
        co_await sleep_for(loop, 20ms);
      }
      co_await exchange.end();
    } else if (exchange.request().wants_websocket) {
      auto frames = co_await exchange.upgrade("v2");
      if (path == "/denied") (*frames)->close_with(4401, "no such token");
      for (;;) {
        const auto batch = co_await read_frames(**frames);
        if (!batch || batch->empty()) co_return;
        for (const BytesView frame : *batch) {
          if (frame == "bye") co_return;
          if (!(*frames)->send(frame)) co_return;
        }
        while ((*frames)->congested()) co_await (*frames)->drained().wait();
      }
    } else {
      co_await exchange.respond({.status = 404});
    }
  }

  Loop loop;
  std::unique_ptr<ChildProcess> node;
  std::unique_ptr<ByteStream> output;
};

TEST_F(NodeHttp, ItsClientsAreServed) {
  auto server =
      HttpServer::listen(loop, {.host = "127.0.0.1", .port = 0}, [this](HttpExchange& exchange) { return answer(exchange); },
                         {.websocket_message_bytes = 4 << 20});
  ASSERT_TRUE(server) << server.error().message;
  start({"visit", std::to_string((*server)->port())});
  EXPECT_EQ(first_line(), "ok");
  EXPECT_EQ(loop.block_on(node->wait()).describe(), "exit code 0");
}

TEST_F(NodeHttp, ItServesOurHttpClient) {
  start({"serve"});
  const std::string url = "http://127.0.0.1:" + first_line();
  HttpClient client(loop);
  EXPECT_EQ(loop.block_on(client.fetch({.method = "POST", .url = url + "/308", .body = "kept"}))->body, "kept");
  EXPECT_EQ(loop.block_on(client.fetch({.url = url + "/gzip"}))->body.size(), 7000U);
  SseParser parser;
  std::string seen;
  const auto streamed = loop.block_on(client.stream({.url = url + "/events"}, [&](BytesView bytes) {
    return parser.feed(bytes, [&](const SseEvent& event) -> Result<void> {
      seen += event.id + event.data + " ";
      return {};
    });
  }));
  ASSERT_TRUE(streamed) << streamed.error().message;
  EXPECT_EQ(seen, "00 11 22 33 44 ");
}

TEST_F(NodeHttp, ItServesOurWebSocketClient) {
  start({"serve"});
  const std::string url = "ws://127.0.0.1:" + first_line() + "/";
  const auto connect = [&] { return loop.block_on(connect_websocket(loop, {.url = url, .subprotocols = {"v1", "v2"}})); };
  const auto frames = connect();
  ASSERT_TRUE(frames) << frames.error().message;
  EXPECT_EQ((*frames)->subprotocol(), "v2");
  for (const std::size_t size : {0U, 1U, 125U, 126U, 65'535U, 65'536U, 2'000'000U}) {
    EXPECT_TRUE((*frames)->send(std::string(size, 'x')));
    EXPECT_TRUE(read(**frames) == Batch{std::string(size, 'x')}) << size;
  }
  EXPECT_TRUE((*frames)->send("fragments"));
  EXPECT_EQ(read(**frames), Batch{"abc"});
  EXPECT_TRUE((*frames)->send("ping"));
  EXPECT_EQ(read(**frames), Batch{"pong 42"});
  EXPECT_TRUE((*frames)->send("close"));
  EXPECT_FALSE(read(**frames));
  EXPECT_EQ((*frames)->close_code(), 4402);
  EXPECT_EQ((*frames)->close_reason(), "as you wish");

  const auto cut = connect();
  ASSERT_TRUE(cut);
  EXPECT_TRUE((*cut)->send("cut"));
  EXPECT_FALSE(read(**cut));
  EXPECT_EQ((*cut)->close_code(), 1006);

  const auto finished = connect();
  ASSERT_TRUE(finished);
  EXPECT_TRUE((*finished)->send("last"));
  (*finished)->finish();
  EXPECT_EQ(read(**finished), Batch{"last"});
  EXPECT_EQ(read(**finished), Batch{});
  EXPECT_EQ((*finished)->close_code(), 1000);
}

}  // namespace
}  // namespace parlance
