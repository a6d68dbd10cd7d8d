// SPDX-License-Identifier: Apache-2.0
// How many Chat calls of 200 bytes a second go over a Unix socket? Our net/rpc server and client, each a process of its own;
// bench/run pairs them with Go's (bench/go) and with a blocking C floor (bench/floor.cpp).
//
//   net_rpc server SOCKET
//   net_rpc client SOCKET CALLERS SECONDS
#include <csignal>
#include <cstdlib>
#include <string>

#include "measure.h"
#include "parlance/async/scope.h"
#include "parlance/async/signals.h"
#include "parlance/protocol/gorpc/client.h"
#include "parlance/protocol/gorpc/messages.h"
#include "parlance/protocol/gorpc/server.h"
#include "parlance/transport/sockets.h"

namespace parlance {
namespace {

int serve(const std::string& path) {
  Loop loop;
  Router router;
  gorpc::serve_method(router, gorpc::chat, [](gorpc::ChatArgs& args, Context&) -> Result<gorpc::ChatReply> {
    return gorpc::ChatReply{.content = std::move(args.messages.back().content)};
  });
  gorpc::explain_unknown_methods(router);
  gorpc::Server server(loop, router);
  auto listener = listen_unix(loop, path, [&](std::unique_ptr<ByteStream> stream) { server.serve(std::move(stream)); });
  if (!listener) {
    std::fprintf(stderr, "%s\n", listener.error().message.c_str());
    return 1;
  }
  SignalWatch signals(loop, {SIGTERM, SIGINT});
  std::puts("ready");
  std::fflush(stdout);
  loop.block_on(signals.next());
  return 0;
}

Task<void> caller(Peer& peer, bench::Measurement& measurement) {
  const gorpc::ChatArgs args{.messages = {{.role = "user", .content = std::string(200, 'x')}}};
  while (!measurement.over(peer.loop().now())) {
    const auto reply = co_await peer.call_named("RPCService.Chat", gorpc::chat, args);
    if (!reply || reply->content.size() != 200) {
      std::fprintf(stderr, "%s\n", reply ? "a wrong answer" : reply.error().message.c_str());
      std::exit(1);
    }
    measurement.count(peer.loop().now());
  }
}

int call(const std::string& path, int callers, double seconds) {
  Loop loop;
  const auto run = [&]() -> Task<int> {
    auto stream = co_await connect_unix(loop, path);
    if (!stream) co_return 1;
    auto peer = co_await gorpc::connect(loop, std::move(*stream));
    if (!peer) co_return 1;
    Scope scope(loop);
    scope.start([](Peer& p) -> Task<void> { co_await p.run(); }(**peer));
    bench::Measurement measurement(seconds);
    Scope work(loop);
    for (int i = 0; i < callers; ++i) work.start(caller(**peer, measurement));
    co_await work.join();
    measurement.print();
    co_return 0;
  };
  return loop.block_on(run());
}

}  // namespace
}  // namespace parlance

int main(int argc, char** argv) {
  parlance::ignore_sigpipe();
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "server" && argc == 3) return parlance::serve(argv[2]);
  if (what == "client" && argc == 5) return parlance::call(argv[2], std::atoi(argv[3]), std::atof(argv[4]));
  std::fprintf(stderr, "usage: net_rpc server SOCKET | net_rpc client SOCKET CALLERS SECONDS\n");
  return 2;
}
