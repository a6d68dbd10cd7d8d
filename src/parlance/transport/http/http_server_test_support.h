// SPDX-License-Identifier: Apache-2.0
// For tests of the HTTP server: one on a free port, and clients that write and read bytes.
#pragma once

#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/transport/http/http_server.h"
#include "parlance/transport/tcp_connect.h"

namespace parlance::test {

struct ServerTest : testing::Test {
  // Starts a server; `handler` is kept for its time.
  void serve(HttpHandler handler, HttpServerSettings settings = {}, BodyWanted body_wanted = {}) {
    auto listening =
        HttpServer::listen(loop, {.host = "127.0.0.1", .port = 0}, std::move(handler), settings, std::move(body_wanted));
    ASSERT_TRUE(listening) << listening.error().message;
    server = *std::move(listening);
  }
  std::unique_ptr<ByteStream> connect() {
    auto stream = loop.block_on(tcp_connect(loop, "127.0.0.1", server->port()));
    EXPECT_TRUE(stream) << stream.error().message;
    return *std::move(stream);
  }
  void send(ByteStream& stream, BytesView bytes) {
    const auto write = [&]() -> Task<void> { EXPECT_TRUE(co_await write_all(stream, bytes)); };
    loop.block_on(write());
  }
  // Everything up to the end of the connection, or up to and with `until`.
  Bytes receive(ByteStream& stream, std::string_view until = {}) {
    Bytes all;
    const auto read = [&]() -> Task<void> {
      Bytes buffer(16 << 10, '\0');
      while (until.empty() || !all.ends_with(until)) {
        const auto count =
            co_await with_deadline<std::size_t>(loop, loop.now() + std::chrono::seconds(10), one_read(stream, buffer));
        if (!count || *count == 0) {
          if (!count) all += "<" + count.error().message + ">";
          co_return;
        }
        all.append(buffer, 0, *count);
      }
    };
    loop.block_on(read());
    return all;
  }
  static Task<Result<std::size_t>> one_read(ByteStream& stream, Bytes& buffer) { co_return co_await read_some(stream, buffer); }
  Bytes ask(BytesView request) {
    const auto stream = connect();
    send(*stream, request);
    return receive(*stream);
  }
  // Turns until the condition holds.
  template <class F>
  void wait_for(F condition) {
    loop.run_until(condition);
    EXPECT_TRUE(condition());
  }

  Loop loop;
  std::unique_ptr<HttpServer> server;
};

inline Task<void> echo(HttpExchange& exchange) {
  const ServerRequest& request = exchange.request();
  co_await exchange.respond(
      {.headers = {{.name = "X-Path", .value = request.path}}, .body = request.method + " " + request.body});
}

}  // namespace parlance::test
