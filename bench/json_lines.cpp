// SPDX-License-Identifier: Apache-2.0
// Measures JSON-RPC messages of 200 bytes over a pair of pipes. Both sides are parlance peers, each a separate process, with a
// JSON text on each line. The program bench/node/json_rpc.mjs measures the same with vscode-jsonrpc.
//
//   `json_lines sequential SECONDS`   One call after the other.
//   `json_lines flight SECONDS`       64 calls in flight at any time.
//   `json_lines notify SECONDS`       Notifications; the other side reports the count.
//   `json_lines child`                The other side, started by the first three.
#include <cstdlib>
#include <string>

#include "measure.h"
#include "parlance/async/scope.h"
#include "parlance/async/signals.h"
#include "parlance/peer/peer.h"
#include "parlance/process/child_process.h"
#include "parlance/protocol/jsonrpc/dialect.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/stdio.h"

namespace parlance {
namespace {

constexpr std::size_t text_bytes = 140;  // about 200 with the envelope
constexpr int calls_in_flight = 64;

struct Echo {
  std::string text{};
  static constexpr auto wire = wire::fields(wire::field<&Echo::text>("text", ""));
};
struct Counted {
  std::uint64_t count = 0;
  static constexpr auto wire = wire::fields(wire::field<&Counted::count>("count", ""));
};
inline constexpr auto methods = wire::methods(wire::call<Echo, Echo>("echo", ""),
                                              wire::call<wire::Nothing, Counted>("counted", ""), wire::notice<Echo>("tell", ""));

inline constexpr const auto& echo = wire::method<methods, "echo">;
inline constexpr const auto& counted = wire::method<methods, "counted">;
inline constexpr const auto& tell = wire::method<methods, "tell">;

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

Peer make_peer(Loop& loop, std::unique_ptr<ByteStream> stream, const Router& router) {
  return {loop, framed_stream(loop, std::move(stream), line_framing()), jsonrpc::dialect(), router};
}

int child() {
  Loop loop;
  Router router;
  std::uint64_t notices = 0;
  router.on(echo, [](Echo& e, Context&) -> Result<Echo> { return std::move(e); });
  router.on(tell, [&notices](Echo&, Context&) { ++notices; });
  router.on(counted, [&notices](wire::Nothing&, Context&) -> Result<Counted> { return Counted{notices}; });
  auto stream = stdio_stream(loop);
  if (!stream) give_up(stream.error().message);
  Peer peer = make_peer(loop, *std::move(stream), router);
  loop.block_on(peer.run());
  return 0;
}

Task<void> caller(Peer& peer, bench::Measurement& measurement) {
  const Echo message{std::string(text_bytes, 'x')};
  while (!measurement.over(peer.loop().now())) {
    const auto reply = co_await peer.call(echo, message);
    if (!reply || reply->text.size() != text_bytes) give_up(reply ? "a wrong answer" : reply.error().message);
    measurement.count(peer.loop().now());
  }
}

// The time ends after the other side has received the last message. A query between two rounds prevents an early count.
Task<void> notifier(Peer& peer, bench::Measurement& measurement) {
  constexpr std::uint64_t round = 10'000;
  const Echo message{std::string(text_bytes, 'x')};
  for (std::uint64_t sent = 0; !measurement.over(Clock::now());) {
    for (std::uint64_t i = 0; i < round; ++i, ++sent) {
      co_await peer.wait_writable();
      if (const auto notified = peer.notify(tell, message); !notified) give_up(notified.error().message);
    }
    const auto arrived = co_await peer.call(counted, {});
    if (!arrived || arrived->count != sent) give_up(arrived ? "notifications were lost" : arrived.error().message);
    measurement.count(Clock::now(), round);
  }
}

int parent(const char* self, const std::string& mode, double seconds) {
  Loop loop;
  const Router router;
  const auto run = [&]() -> Task<void> {
    auto other = ChildProcess::start(loop, {.command = {self, "child"}});
    if (!other) give_up(other.error().message);
    Peer peer = make_peer(loop, (*other)->take_stream(), router);
    Scope scope(loop);
    scope.start([](Peer& p) -> Task<void> { co_await p.run(); }(peer));
    bench::Measurement measurement(seconds);
    {
      Scope work(loop);
      if (mode == "notify") work.start(notifier(peer, measurement));
      else
        for (int i = 0; i < (mode == "flight" ? calls_in_flight : 1); ++i) work.start(caller(peer, measurement));
      co_await work.join();
    }
    measurement.stop();
    peer.close();
    co_await (*other)->stop();
    measurement.print();
  };
  loop.block_on(run());
  return 0;
}

}  // namespace
}  // namespace parlance

int main(int argc, char** argv) {
  parlance::ignore_sigpipe();
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "child" && argc == 2) return parlance::child();
  if ((what == "sequential" || what == "flight" || what == "notify") && argc == 3)
    return parlance::parent(argv[0], what, std::atof(argv[2]));
  std::fprintf(stderr, "usage: json_lines sequential|flight|notify SECONDS\n");
  return 2;
}
