// HTTP/1.1 and WebSocket server on Boost.Beast's parser, which only http1.cpp sees. It knows nothing of tokens or pages: a handler decides.
// Loop thread only. The server outlives its exchanges.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "async/loop.h"
#include "base/result.h"
#include "base/uri.h"
#include "transport/http_client.h"
#include "transport/websocket_frames.h"

namespace parlance {

struct HttpServerSettings {
  std::size_t header_bytes = 16 << 10;
  std::size_t body_bytes = 64 << 20;                 // A longer body is answered 413.
  std::chrono::milliseconds header_timeout{10'000};  // Slow-loris: from accept, or from the request's first byte.
  std::chrono::milliseconds body_timeout{60'000};
  std::chrono::milliseconds idle_timeout{90'000};  // Between requests of a kept connection.
  std::size_t connections = 12'000;                // More wait in the kernel's queue.
  // Waiting ones whose client has not shown yet that it may be here (HttpExchange::trust): above it the one that waited longest goes,
  // and before `connections` is full any of them. A thousand strangers cannot keep out those who belong here.
  std::size_t strangers = 1024;
  // A loopback address is listened on in both families, as far as the machine has them: "localhost" may mean either. Always so for
  // the name localhost itself.
  bool both_loopbacks = false;
  std::size_t websocket_message_bytes = 16 << 20;
  std::chrono::milliseconds websocket_ping{30'000};       // A page that answers no ping for two of these is gone.
  std::chrono::milliseconds write_stall = limits::stall;  // A client that takes nothing for so long is closed.
  // A client that ended its output may still read the answer, or may be gone: a handler has so long to begin one.
  std::chrono::milliseconds half_close_grace{1'000};
};

struct ServerRequest {
  std::string method{};
  std::string target{};  // as sent
  std::string path{};    // decoded, without the query
  QueryParameters query{};
  std::vector<HttpHeader> headers{};
  std::string body{};
  std::string peer{};  // "127.0.0.1:50412"
  bool wants_websocket = false;
  const std::string* header(std::string_view name) const { return find_header(headers, name); }
};

struct HttpReply {
  int status = 200;
  std::vector<HttpHeader> headers{};
  std::string body{};
  std::string_view static_body{};  // Used instead of `body` when it has data: bytes that live as long as the program.

  // The same with one header more. Not a list of headers: g++ 14 dies of an initializer list inside a co_await expression.
  HttpReply with(std::string name, std::string value) && {
    headers.push_back({.name = std::move(name), .value = std::move(value)});
    return std::move(*this);
  }
};

// Of server-sent events, which no proxy on the way may keep, change or hold back (nginx does unless told).
std::vector<HttpHeader> event_stream_headers(std::string media_type = "text/event-stream");

// The subprotocols a client offers, in its order; the views live as long as the request.
std::vector<std::string_view> offered_subprotocols(const ServerRequest& request);

// One request and the way to answer it: respond, or begin + write… + end, or upgrade; exactly one of them.
// A handler that returns without any of them is answered 500. When the client goes away the handler's coroutine is destroyed.
class HttpExchange {
 public:
  virtual ~HttpExchange() = default;
  virtual const ServerRequest& request() const = 0;
  virtual void trust() {}  // The client has shown that it may be here: its connection is no stranger's any more.
  virtual Task<Result<void>> respond(HttpReply reply) = 0;
  // Chunked body, for server-sent events. `write` waits while the client is slow.
  virtual Task<Result<void>> begin(int status, std::vector<HttpHeader> headers) = 0;
  virtual Task<Result<void>> write(std::string bytes) = 0;
  virtual Task<Result<void>> end() = 0;
  // Answers 101; text frames from then on (each message a frame). The frames may outlive the exchange, not the server.
  // `subprotocol` is named in the answer when the client offered it. A request that is no proper handshake is answered 400 or 426
  // here and comes back as invalid_request.
  virtual Task<Result<std::unique_ptr<WebSocketFrames>>> upgrade(std::string_view subprotocol) = 0;
};

using HttpHandler = std::function<Task<void>(HttpExchange&)>;

class HttpServer {
 public:
  virtual ~HttpServer() = default;
  virtual unsigned short port() const = 0;  // The real one, also when 0 was asked for.
  virtual std::size_t connections() const = 0;
  virtual std::uint64_t requests() const = 0;
  // No new connections; idle ones are closed, WebSockets get 1001, running exchanges may end until `deadline`, then all is closed.
  // Not from inside a handler, which may be cancelled by it.
  virtual Task<void> drain(TimePoint deadline) = 0;

  static Result<std::unique_ptr<HttpServer>> listen(Loop& loop, const HostPort& address, HttpHandler handler,
                                                    HttpServerSettings settings = {});
};

}  // namespace parlance
