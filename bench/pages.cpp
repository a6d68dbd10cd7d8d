// SPDX-License-Identifier: Apache-2.0
// Measures the gateway's memory for idle pages: connected, and following after `ready`.
//
//   pages WS_URL TOKEN SERVER_PID COUNT      prints KiB of the server before, with all connected, with all following; KiB a page
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "parlance/async/signals.h"
#include "parlance/transport/http/websocket_client.h"
#include "resident.h"

namespace parlance {
namespace {

using namespace bench;

Task<void> measure(Loop& loop, std::string url, std::string token, std::string pid, std::size_t count) {
  const WebSocketClientSettings settings{.url = url, .subprotocols = {"parlance.v1", "token." + token}};
  std::vector<std::unique_ptr<WebSocketFrames>> pages;
  pages.reserve(count);
  const auto connect = [&]() -> Task<void> {
    auto page = co_await connect_websocket(loop, settings);
    if (!page) give_up(page.error().message);
    pages.push_back(*std::move(page));
  };
  const auto be_ready = [&](Frames& page) -> Task<void> {
    if (!page.send(R"({"type":"ready"})")) give_up("a page could not speak");
    const auto snapshot = co_await read_frames(page);
    if (!snapshot || snapshot->empty()) give_up("a page got no snapshot");
  };
  // excludes the server's one-time allocations
  co_await connect();
  co_await be_ready(*pages[0]);
  const double empty = co_await settled_kib(loop, pid);
  const TimePoint began = Clock::now();
  while (pages.size() < count) co_await connect();
  const double connected = co_await settled_kib(loop, pid);
  for (std::size_t i = 1; i < pages.size(); ++i) co_await be_ready(*pages[i]);
  const double following = co_await settled_kib(loop, pid);
  const double n = static_cast<double>(count - 1);
  std::printf("%zu pages: %.0f KiB before, %.0f connected, %.0f following; %.2f and %.2f KiB a page; %.1f s\n", count, empty,
              connected, following, (connected - empty) / n, (following - empty) / n,
              std::chrono::duration<double>(Clock::now() - began).count());
}

}  // namespace
}  // namespace parlance

int main(int argc, char** argv) {
  using namespace parlance;
  if (argc != 5) give_up("usage: pages WS_URL TOKEN SERVER_PID COUNT");
  ignore_sigpipe();
  allow_many_files();
  Loop loop;
  loop.block_on(measure(loop, argv[1], argv[2], argv[3], static_cast<std::size_t>(std::atoll(argv[4]))));
}
