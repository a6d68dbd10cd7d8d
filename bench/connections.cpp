// SPDX-License-Identifier: Apache-2.0
// Measures a net/rpc server's memory for an idle connection, before its first call and after one Chat. Works with any server with
// Chat: ours (bench_net_rpc server) or Go's.
//
//   connections SOCKET SERVER_PID COUNT     prints KiB a connection before, after
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "parlance/async/scope.h"
#include "parlance/async/signals.h"
#include "parlance/base/text.h"
#include "parlance/protocol/gorpc/client.h"
#include "parlance/protocol/gorpc/messages.h"
#include "parlance/transport/sockets.h"
#include "resident.h"

namespace parlance {
namespace {

using namespace bench;

struct Client {
  Client(Loop& loop, std::unique_ptr<Peer> p) : peer(std::move(p)), scope(loop) {
    scope.start([](Peer& running) -> Task<void> { co_await running.run(); }(*peer));
  }
  std::unique_ptr<Peer> peer;
  Scope scope;
};

Task<std::unique_ptr<Client>> chat_once(Loop& loop, std::unique_ptr<ByteStream> stream) {
  auto peer = co_await gorpc::connect(loop, std::move(stream));
  if (!peer) give_up(peer.error().message);
  auto client = std::make_unique<Client>(loop, *std::move(peer));
  const gorpc::ChatArgs args{.messages = {{.role = "user", .content = std::string(200, 'x')}}};
  const auto reply = co_await client->peer->call_named("RPCService.Chat", gorpc::chat, args);
  if (!reply || reply->content.size() != 200) give_up(reply ? "a wrong answer" : reply.error().message);
  co_return client;
}

Task<std::unique_ptr<ByteStream>> open(Loop& loop, const std::string& path) {
  auto stream = co_await connect_unix(loop, path);
  if (!stream) give_up(stream.error().message);
  co_return *std::move(stream);
}

Task<void> measure(Loop& loop, const std::string& path, const std::string& pid, std::size_t count) {
  // excludes the server's one-time allocations (types, plans, its first memory)
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 16; ++i) clients.push_back(co_await chat_once(loop, co_await open(loop, path)));
  const double empty = co_await settled_kib(loop, pid);

  std::vector<std::unique_ptr<ByteStream>> streams;
  for (std::size_t i = 0; i < count; ++i) streams.push_back(co_await open(loop, path));
  // accepted in order: after this answer, the server has accepted all
  clients.push_back(co_await chat_once(loop, co_await open(loop, path)));
  const double opened = co_await settled_kib(loop, pid);

  for (auto& stream : streams) clients.push_back(co_await chat_once(loop, std::move(stream)));
  const double used = co_await settled_kib(loop, pid);
  std::printf("%.2f %.2f\n", (opened - empty) / static_cast<double>(count), (used - empty) / static_cast<double>(count));
}

}  // namespace
}  // namespace parlance

int main(int argc, char** argv) {
  parlance::ignore_sigpipe();
  const auto count = argc == 4 ? parlance::parse_number<std::size_t>(argv[3]) : std::nullopt;
  if (!count || *count == 0) {
    std::fprintf(stderr, "usage: connections SOCKET SERVER_PID COUNT\n");
    return 2;
  }
  parlance::bench::allow_many_files();
  parlance::Loop loop;
  loop.block_on(parlance::measure(loop, argv[1], argv[2], *count));
  return 0;
}
