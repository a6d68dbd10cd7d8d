// SPDX-License-Identifier: Apache-2.0
// A Go net/rpc server: gob and JSON codecs (identified by the first bytes), also behind HTTP CONNECT, on Unix sockets and TCP.
// No input of a client ends the server. Loop thread only; the router must outlive the server.
#pragma once

#include <memory>
#include <string>

#include "parlance/async/scope.h"
#include "parlance/codec/gob/type_pool.h"
#include "parlance/peer/limits.h"
#include "parlance/peer/peer.h"
#include "parlance/transport/byte_stream.h"

namespace parlance::gorpc {

struct ServerSettings {
  std::size_t connections = 4096;                     // Further connections are closed at once, with a log line.
  std::size_t running_calls = limits::running_calls;  // Of one connection; at this number, reading pauses.
  std::string http_path = "/_goRPC_";
};

struct ServerStats {
  std::uint64_t connections = 0;  // Since the start.
  std::uint64_t open = 0;
  std::uint64_t requests = 0;  // Of ended connections.
  std::uint64_t refused = 0;   // gRPC, HTTP with another method, too many connections.
};

class Server {
 public:
  Server(Loop& loop, const Router& router, ServerSettings settings = {});
  ~Server();

  void serve(std::unique_ptr<ByteStream> stream);  // Returns at once.
  // Reads no further calls. Running calls may finish until the deadline, then everything is closed.
  Task<void> drain(TimePoint deadline);
  ServerStats stats() const;

 private:
  struct Connection;
  Task<void> run(std::unique_ptr<ByteStream> stream);
  Loop& loop_;
  const Router& router_;
  ServerSettings settings_;
  ServerStats stats_;
  std::shared_ptr<gob::TypePool> pool_ =
      std::make_shared<gob::TypePool>();  // Shared by its connections: Go clients send equal types.
  IntrusiveList<Connection> connections_;
  Signal closed_;
  Scope scope_;
};

// Registers a method under both service names.
template <class P, class R, class F>
void serve_method(Router& router, const wire::Call<P, R>& call, F handler) {
  router.on(std::string("RPCService.") + std::string(call.method), call, handler);
  router.on(std::string("Agent.") + std::string(call.method), call, handler);
}
// Go's own sentences for unknown methods: call once, after all methods.
void explain_unknown_methods(Router& router);

}  // namespace parlance::gorpc
