// SPDX-License-Identifier: Apache-2.0
// Measures the gateway's cost of a long message while many pages follow the conversation without reading.
//
//   `page_burst HTTP_URL TOKEN SERVER_PID PAGES MEGABYTES FOLDER`.
//
// Prints the duration of /health meanwhile (the longest and the median), and the largest growth of the server's memory. The agent
// is the rehearsal, without pauses (`parlance up --rehearsal-pace-ms 0`); its answer is part of the pages' traffic.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "parlance/async/scope.h"
#include "parlance/async/signals.h"
#include "parlance/transport/http/http_client.h"
#include "parlance/transport/http/websocket_client.h"
#include "resident.h"

namespace parlance {
namespace {

using namespace bench;
using namespace std::chrono_literals;

constexpr auto watched = 4s;  // after the message: the slowest earlier server was finished by then
constexpr auto between_asks = 1ms;

double peak_kib(const std::string& pid) {
  std::ifstream status("/proc/" + pid + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::atof(line.c_str() + 6);
  give_up("no process " + pid);
}
void forget_peak(const std::string& pid) { std::ofstream("/proc/" + pid + "/clear_refs") << "5"; }

struct Wanted {
  std::string url;  // with its slash
  std::string token;
  std::string pid;
  std::size_t pages = 100;
  std::size_t bytes = 3 << 20;
  std::string folder;
};

Task<std::string> next_with(Frames& page, std::string_view mark) {
  for (;;) {
    const auto batch = co_await read_frames(page);
    if (!batch || batch->empty()) give_up("a page was closed");
    for (const BytesView frame : *batch)
      if (frame.find(mark) != BytesView::npos) co_return std::string(frame);
  }
}

Task<std::unique_ptr<WebSocketFrames>> ready_page(Loop& loop, const Wanted& wanted) {
  const WebSocketClientSettings settings{.url = "ws" + wanted.url.substr(4) + "ws",
                                         .subprotocols = {"parlance.v1", "token." + wanted.token}};
  auto page = co_await connect_websocket(loop, settings);
  if (!page) give_up(page.error().message);
  if (!(*page)->send(R"({"type":"ready"})")) give_up("a page could not speak");
  static_cast<void>(co_await next_with(**page, "\"snapshot\""));
  co_return *std::move(page);
}

Task<double> health_ms(Loop& loop, HttpClient& client, const Wanted& wanted) {
  const TimePoint began = Clock::now();
  const auto answer = co_await client.fetch({.url = wanted.url + "health",
                                             .headers = {{.name = "Authorization", .value = "Bearer " + wanted.token}},
                                             .total_timeout = 60s});
  if (!answer || answer->status != 200) give_up("/health failed");
  static_cast<void>(loop);
  co_return std::chrono::duration<double, std::milli>(Clock::now() - began).count();
}

Task<void> measure(Loop& loop, Wanted wanted) {
  const auto driver = co_await ready_page(loop, wanted);
  if (!driver->send(R"({"type":"new","request":"1","agent":"parlance","folder":")" + wanted.folder + R"("})"))
    give_up("no driver");
  const std::string made = co_await next_with(*driver, R"("request":"1")");
  const std::size_t at = made.find("conv_");
  if (at == std::string::npos) give_up("no conversation: " + made);
  const std::string id = made.substr(at, made.find('"', at) - at);

  std::vector<std::unique_ptr<WebSocketFrames>> deaf;
  while (deaf.size() < wanted.pages) {
    deaf.push_back(co_await ready_page(loop, wanted));
    if (!deaf.back()->send(R"({"type":"open","request":"1","conversation":")" + id + R"(","after":0})")) give_up("no page");
    static_cast<void>(co_await next_with(*deaf.back(), R"("request":"1")"));
  }
  HttpClient client(loop);
  std::vector<double> before;
  for (int i = 0; i < 100; ++i) before.push_back(co_await health_ms(loop, client, wanted));
  const double resident = co_await settled_kib(loop, wanted.pid);
  forget_peak(wanted.pid);

  const std::string prompt =
      R"({"type":"prompt","request":"2","conversation":")" + id + R"(","text":"help )" + std::string(wanted.bytes, 'x') + R"("})";
  if (!driver->send(prompt)) give_up("no prompt");
  std::vector<double> meanwhile;
  for (const TimePoint end = Clock::now() + watched; Clock::now() < end;) {
    meanwhile.push_back(co_await health_ms(loop, client, wanted));
    co_await sleep_for(loop, between_asks);
  }
  const double grown = peak_kib(wanted.pid) - resident;
  std::ranges::sort(before);
  std::ranges::sort(meanwhile);
  std::printf(
      "%zu deaf pages, %.1f MB: /health %.1f ms at most, %.2f in the middle (%.2f before); memory grew by %.1f MiB at most\n",
      wanted.pages, static_cast<double>(wanted.bytes) / 1e6, meanwhile.back(), meanwhile[meanwhile.size() / 2],
      before[before.size() / 2], grown / 1024);
}

}  // namespace
}  // namespace parlance

int main(int argc, char** argv) {
  using namespace parlance;
  if (argc != 7) give_up("usage: page_burst HTTP_URL TOKEN SERVER_PID PAGES MEGABYTES FOLDER");
  ignore_sigpipe();
  allow_many_files();
  Loop loop;
  loop.block_on(measure(loop, {.url = argv[1],
                               .token = argv[2],
                               .pid = argv[3],
                               .pages = static_cast<std::size_t>(std::atoll(argv[4])),
                               .bytes = static_cast<std::size_t>(std::atof(argv[5]) * 1e6),
                               .folder = argv[6]}));
}
