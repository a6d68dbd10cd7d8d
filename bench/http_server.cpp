// SPDX-License-Identifier: Apache-2.0
// Measures the HTTP server's memory for an idle WebSocket, and its rate of answers.
//
//   http_server serve                              prints its port and process id, then serves
//   http_server sockets PORT SERVER_PID COUNT      prints KiB a WebSocket, MiB of the server's process in total
//   http_server requests PORT SECONDS CONNECTIONS DEPTH   DEPTH requests are sent at once on each connection
#include "parlance/transport/http/http_server.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>
#include <vector>

#include "measure.h"
#include "parlance/async/scope.h"
#include "parlance/async/signals.h"
#include "parlance/base/text.h"
#include "parlance/transport/http/websocket_client.h"
#include "parlance/transport/tcp_connect.h"
#include "resident.h"

namespace parlance {
namespace {

using namespace std::chrono_literals;
using namespace bench;

Task<void> answer(HttpExchange& exchange) {
  if (!exchange.request().wants_websocket) {
    co_await exchange.respond({.headers = {{.name = "Content-Type", .value = "text/plain"}}, .body = "hello\n"});
    co_return;
  }
  auto frames = co_await exchange.upgrade("");
  if (!frames) co_return;
  for (;;) {
    const auto batch = co_await read_frames(**frames);
    if (!batch || batch->empty()) co_return;
    for (const BytesView frame : *batch)
      if (!(*frames)->send(frame)) co_return;
    while ((*frames)->congested()) co_await (*frames)->drained().wait();
  }
}

void serve(Loop& loop) {
  auto server = HttpServer::listen(loop, {.host = "127.0.0.1", .port = 0}, answer);
  if (!server) give_up(server.error().message);
  std::printf("%d %d\n", (*server)->port(), static_cast<int>(::getpid()));
  std::fflush(stdout);
  SignalWatch signals(loop, {SIGTERM, SIGINT});
  loop.block_on(signals.next());
}

Task<void> open_sockets(Loop& loop, const std::string& port, const std::string& pid, std::size_t count) {
  std::vector<std::unique_ptr<WebSocketFrames>> sockets;
  double before = 0;
  for (std::size_t i = 0; i < count + 16; ++i) {
    if (i == 16) before = resident_kib(pid);  // excludes the server's one-time allocations
    auto frames =
        co_await connect_websocket(loop, {.url = "ws://127.0.0.1:" + port + "/session?id=" + std::to_string(i), .ping = 0ms});
    if (!frames) give_up(frames.error().message);
    if (!(*frames)->send(std::string(200, 'x'))) give_up("cannot send");
    const auto echo = co_await read_frames(**frames);
    if (!echo || echo->size() != 1) give_up("no echo");
    sockets.push_back(*std::move(frames));
  }
  co_await sleep_for(loop, 500ms);
  const double after = resident_kib(pid);
  std::printf("%.2f KiB a WebSocket, %.1f MiB in all\n", (after - before) / static_cast<double>(count), after / 1024);
}

Task<void> ask(Loop& loop, unsigned short port, std::size_t depth, bench::Measurement& measurement) {
  auto stream = co_await tcp_connect(loop, "127.0.0.1", port);
  if (!stream) give_up(stream.error().message);
  std::string requests;
  for (std::size_t i = 0; i < depth; ++i) requests += "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
  std::string buffer(64 << 10, '\0');
  while (!measurement.over(Clock::now())) {
    if (!co_await write_all(**stream, requests)) give_up("cannot send");
    for (std::size_t answers = 0; answers < depth;) {
      const auto count = co_await read_some(**stream, buffer);
      if (!count || *count == 0) give_up("no answer");
      const std::string_view got(buffer.data(), *count);
      for (std::size_t at = got.find("hello\n"); at != std::string_view::npos; at = got.find("hello\n", at + 6)) ++answers;
    }
    measurement.count(Clock::now(), depth);
  }
}

}  // namespace
}  // namespace parlance

int main(int argc, char** argv) {
  using namespace parlance;
  ignore_sigpipe();
  allow_many_files();
  const std::string mode = argc > 1 ? argv[1] : "";
  Loop loop;
  if (mode == "serve" && argc == 2) {
    serve(loop);
  } else if (mode == "sockets" && argc == 5) {
    loop.block_on(open_sockets(loop, argv[2], argv[3], parse_number<std::size_t>(argv[4]).value_or(1)));
  } else if (mode == "requests" && argc == 6) {
    bench::Measurement measurement(std::atof(argv[3]));
    Scope scope(loop);
    for (std::size_t i = 0; i < parse_number<std::size_t>(argv[4]).value_or(1); ++i)
      scope.start(ask(loop, parse_number<unsigned short>(argv[2]).value_or(0), parse_number<std::size_t>(argv[5]).value_or(1),
                      measurement));
    loop.block_on(scope.join());
    measurement.stop();
    measurement.print();
  } else {
    std::fprintf(stderr, "usage: http_server serve | sockets PORT SERVER_PID COUNT | requests PORT SECONDS CONNECTIONS DEPTH\n");
    return 2;
  }
  return 0;
}
