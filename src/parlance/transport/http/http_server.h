// SPDX-License-Identifier: Apache-2.0
// HTTP/1.1 and WebSocket server on Boost.Beast's parser, which only http1.cpp sees. It knows nothing of tokens or pages: a handler decides.
// Loop thread only. The server outlives its exchanges. A client whose machine vanished without a word is noticed by the system, also when
// nothing is written to it (transport/tcp_options.h).
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
  virtual unsigned short port() const = 0;  // The real one, also when 0 was asked for.
  virtual std::size_t connections() const = 0;
  virtual std::uint64_t requests() const = 0;
  // No new connections; idle ones are closed, WebSockets get 1001, running exchanges may end until `deadline`, then all is closed.
  // Not from inside a handler, which may be cancelled by it.
  virtual Task<void> drain(TimePoint deadline) = 0;

  // At once, without a word: the exchanges and WebSockets of those whom `is_out` names, as HttpExchange::trust did. Not from inside a handler.
  virtual void cut_off(const std::function<bool(const std::string& who)>& is_out) = 0;

  static Result<std::unique_ptr<HttpServer>> listen(Loop& loop, const HostPort& address, HttpHandler handler,
                                                    HttpServerSettings settings = {}, BodyWanted body_wanted = {});
};

}  // namespace parlance
