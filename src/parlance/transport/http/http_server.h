// SPDX-License-Identifier: Apache-2.0
// HTTP/1.1 and WebSocket server on Boost.Beast's parser, which only http1.cpp includes. It has no tokens or pages: a handler
// decides. Loop thread only. The server must outlive its exchanges. The system detects clients on vanished machines, also
// without output to them (transport/tcp_options.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "parlance/async/loop.h"
#include "parlance/base/result.h"
#include "parlance/base/uri.h"
#include "parlance/transport/http/http_exchange.h"
#include "parlance/transport/http/http_server_settings.h"

namespace parlance {

class HttpServer {
 public:
  virtual ~HttpServer() = default;
  virtual unsigned short port() const = 0;  // The real port, also for a requested port of 0.
  virtual std::size_t connections() const = 0;
  virtual std::uint64_t requests() const = 0;
  // Accepts no new connections. Closes idle ones, sends 1001 to WebSockets, lets running exchanges end until `deadline`, then
  // closes all. Not from inside a handler, because this may cancel the handler.
  virtual Task<void> drain(TimePoint deadline) = 0;

  // Closes at once the exchanges and WebSockets of callers with `is_out`, as given to HttpExchange::trust. Not from inside a
  // handler.
  virtual void cut_off(const std::function<bool(const std::string& who)>& is_out) = 0;

  static Result<std::unique_ptr<HttpServer>> listen(Loop& loop, const HostPort& address, HttpHandler handler,
                                                    HttpServerSettings settings = {}, BodyWanted body_wanted = {});
};

}  // namespace parlance
