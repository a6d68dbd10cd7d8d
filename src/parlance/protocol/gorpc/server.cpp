// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/gorpc/server.h"

#include <algorithm>
#include <array>

#include "parlance/base/log.h"
#include "parlance/base/text.h"
#include "parlance/codec/gob/limits.h"
#include "parlance/protocol/gorpc/dialect.h"
#include "parlance/protocol/gorpc/framing.h"
#include "parlance/protocol/gorpc/opening.h"
#include "parlance/transport/framed_stream.h"

namespace parlance::gorpc {
namespace {

constexpr std::size_t sniff_bytes = 64;

struct Opened {
  Opening kind = Opening::gob;
  Bytes rest{};  // read, not used
};

// Reads until the kind of the connection is known. Errors: it ended first, or is none that we serve (answered where HTTP allows).
Task<Result<Opened>> open_connection(ByteStream& stream, const std::string& http_path) {
  Opened opened;
  bool connected = false;
  for (;;) {
    opened.kind = recognise(opened.rest);
    if (opened.kind == Opening::gob || opened.kind == Opening::json) co_return opened;
    if (opened.kind == Opening::grpc)
      co_return fail(Errc::invalid_request,
                     "the client speaks gRPC (HTTP/2); this socket serves Go net/rpc: use a client of the RPC version");
    if (opened.kind == Opening::http || opened.kind == Opening::http_other) {
      const HttpOpening head = read_http_head(opened.rest);
      if (head.broken) co_return fail(Errc::invalid_request, "a broken HTTP request");
      if (head.complete) {
        std::string_view answer = "HTTP/1.0 200 Connected to Go RPC\n\n";
        if (head.method != "CONNECT")
          answer = "HTTP/1.0 405 Method Not Allowed\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n405 must CONNECT\n";
        else if (head.path != http_path || connected)
          answer = "HTTP/1.0 404 Not Found\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n404 page not found\n";
        if (const auto written = co_await write_all(stream, answer); !written) co_return std::unexpected(written.error());
        if (!answer.starts_with("HTTP/1.0 200")) co_return fail(Errc::invalid_request, "HTTP " + head.method + " " + head.path);
        connected = true;
        opened.rest.erase(0, head.consumed);
        continue;
      }
    }
    std::array<char, sniff_bytes> buffer;
    const auto got = co_await read_some(stream, buffer);
    if (!got) co_return std::unexpected(got.error());
    if (*got == 0) co_return fail(Errc::disconnected, "closed before the first call");
    opened.rest.append(buffer.data(), *got);
  }
}

}  // namespace

struct Server::Connection : ListHook {
  Connection(Server& server, Peer& p) : peer(p), owner(server) { owner.connections_.push_back(*this); }
  ~Connection() {
    unlink();
    owner.stats_.requests += peer.stats().requests;
  }
  Peer& peer;
  Server& owner;
};

Server::Server(Loop& loop, const Router& router, ServerSettings settings)
    : loop_(loop), router_(router), settings_(std::move(settings)), closed_(loop), scope_(loop) {}

Server::~Server() { scope_.cancel(); }

void Server::serve(std::unique_ptr<ByteStream> stream) {
  ++stats_.connections;
  if (stats_.open >= settings_.connections) {
    ++stats_.refused;
    log(LogLevel::warn, "turned away a connection",
        {{"reason", "connections"}, {"limit", std::to_string(settings_.connections)}});
    return;
  }
  scope_.start(run(std::move(stream)));
}

Task<void> Server::run(std::unique_ptr<ByteStream> stream) {
  struct Open {
    Server& server;
    explicit Open(Server& s) : server(s) { ++server.stats_.open; }
    ~Open() {
      --server.stats_.open;
      server.closed_.notify_all();
    }
  } open(*this);

  std::unique_ptr<Peer> peer;
  {
    Result<Opened> opened = co_await open_connection(*stream, settings_.http_path);
    if (!opened) {
      if (opened.error().code != Errc::disconnected) {
        ++stats_.refused;
        log(LogLevel::warn, opened.error().message, {{"connection", stream->name()}});
      }
      co_return;
    }
    const bool json = opened->kind == Opening::json;
    auto frames = framed_stream(loop_, std::move(stream), json ? json_object_framing(limits::gob_message_bytes) : gob_framing(),
                                {.already_read = std::move(opened->rest)});
    peer = std::make_unique<Peer>(loop_, std::move(frames), json ? json_dialect(Role::server) : gob_dialect(Role::server, pool_),
                                  router_, PeerSettings{.running_calls = settings_.running_calls});
  }
  const Connection connection(*this, *peer);
  const Error end = co_await peer->run();
  if (log_enabled(LogLevel::debug)) log(LogLevel::debug, "connection ended", {{"reason", end.message}});
}

Task<void> Server::drain(TimePoint deadline) {
  connections_.each([](Connection& connection) {
    if (connection.peer.running_calls() == 0) connection.peer.finish();
  });
  while (stats_.open != 0 && loop_.now() < deadline) {
    std::size_t running = 0;
    connections_.each([&](Connection& connection) { running += connection.peer.running_calls(); });
    if (running == 0) break;
    co_await sleep_for(loop_, std::chrono::milliseconds(5));
  }
  connections_.each([](Connection& connection) { connection.peer.finish(); });
}

ServerStats Server::stats() const { return stats_; }

void explain_unknown_methods(Router& router) {
  std::vector<std::string> services;
  for (const std::string_view method : router.methods()) services.emplace_back(method.substr(0, method.rfind('.')));
  router.on_unknown([services = std::move(services)](std::string_view method) {
    const std::size_t dot = method.rfind('.');
    std::string text;
    if (dot == std::string_view::npos) text = "rpc: service/method request ill-formed: ";
    else if (std::find(services.begin(), services.end(), method.substr(0, dot)) == services.end())
      text = "rpc: can't find service ";
    else text = "rpc: can't find method ";
    return Error{.code = Errc::unknown_method, .message = text + std::string(method)};
  });
}

}  // namespace parlance::gorpc
