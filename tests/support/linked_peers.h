// SPDX-License-Identifier: Apache-2.0
// Two peers joined by a pair of streams: in memory with virtual time, over a Unix socket, or over pipes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

#include "parlance/peer/peer.h"
#include "parlance/protocol/jsonrpc/dialect.h"
#include "parlance/transport/fd_stream.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"

namespace parlance::test {

enum class Link { memory, memory_one_byte, unix_socket, pipes };

inline std::pair<std::unique_ptr<ByteStream>, std::unique_ptr<ByteStream>> make_link(Loop& loop, Link link) {
  switch (link) {
    case Link::memory: return memory_pair(loop);
    case Link::memory_one_byte: return memory_pair(loop, {.one_byte_reads = true});
    case Link::unix_socket: {
      int fds[2];
      PARLANCE_CHECK(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0, "a socket pair");
      return {fd_stream(loop, fds[0], "near"), fd_stream(loop, fds[1], "far")};
    }
    case Link::pipes: {
      int there[2];
      int back[2];
      PARLANCE_CHECK(::pipe(there) == 0 && ::pipe(back) == 0, "two pipes");
      return {fd_stream(loop, back[0], there[1], "near"), fd_stream(loop, there[0], back[1], "far")};
    }
  }
  return {};
}

// Cancels by "$/cancelRequest", as editors and ACP do.
inline std::unique_ptr<Dialect> jsonrpc_with_cancel() { return jsonrpc::dialect({.cancel_method = "$/cancelRequest"}); }

class LinkedPeers {
 public:
  explicit LinkedPeers(Link link = Link::memory, PeerSettings far_settings = {}, PeerSettings near_settings = {})
      : loop(link == Link::memory || link == Link::memory_one_byte ? Loop::Time::virtual_ : Loop::Time::real), scope_(loop) {
    auto [a, b] = make_link(loop, link);
    near.emplace(loop, framed_stream(loop, std::move(a), line_framing()), jsonrpc_with_cancel(), near_router,
                 std::move(near_settings));
    far.emplace(loop, framed_stream(loop, std::move(b), line_framing()), jsonrpc_with_cancel(), far_router,
                std::move(far_settings));
    scope_.start(watch(*near, near_end));
    scope_.start(watch(*far, far_end));
  }
  ~LinkedPeers() {
    scope_.cancel();
    near.reset();
    far.reset();
  }

  Loop loop;
  Router near_router;
  Router far_router;
  std::optional<Peer> near;
  std::optional<Peer> far;
  std::optional<Error> near_end;
  std::optional<Error> far_end;

 private:
  static Task<void> watch(Peer& peer, std::optional<Error>& end) { end = co_await peer.run(); }
  Scope scope_;
};

}  // namespace parlance::test
