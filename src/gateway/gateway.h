// The gateway: an HTTP server on this machine with a table of routes, where every request first passes Host, Origin and token, and
// every answer carries the security headers. What the routes do is not known here (service/ fills the table).
//
// Loop thread only. Routes and metrics are filled before `start`; what handlers refer to outlives the gateway.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "async/loop.h"
#include "base/clock.h"
#include "base/result.h"
#include "base/uri.h"
#include "gateway/auth.h"
#include "gateway/metrics.h"
#include "gateway/routes.h"
#include "gateway/static_page.h"
#include "transport/http_server.h"

namespace parlance::gateway {

// 55003 is the port of seed 001.
inline constexpr unsigned short standard_port = 55003;

struct GatewaySettings {
  HostPort listen{.host = "127.0.0.1", .port = standard_port};  // port 0 picks a free one
  AuthSettings auth{};
  // A prompt with all that may come with it, in base64, is 31 MiB.
  HttpServerSettings http{.body_bytes = 32 << 20, .websocket_message_bytes = 32 << 20};
};

class Gateway {
 public:
  Gateway(Loop& loop, GatewaySettings settings);
  ~Gateway();
  Gateway(const Gateway&) = delete;
  Gateway& operator=(const Gateway&) = delete;

  Routes& routes() { return routes_; }
  Metrics& metrics() { return metrics_; }

  // Errors: an address that is not of this machine or is taken; a wider address than loopback without a token.
  Result<void> start();
  // No new connections, running exchanges may end, then everything is closed. Answers 503 to what still comes.
  Task<void> drain(TimePoint deadline);

  unsigned short port() const { return server_->port(); }
  std::size_t connections() const { return server_->connections(); }
  bool is_draining() const { return draining_; }
  std::string address() const;   // "127.0.0.1:55003"
  std::string url() const;       // "http://127.0.0.1:55003/"
  std::string page_url() const;  // … with the token behind '#', which browsers keep to themselves

 private:
  Task<void> handle(HttpExchange& exchange);
  HttpReply refuse(Verdict verdict);

  Loop& loop_;
  GatewaySettings settings_;
  Auth auth_;
  Routes routes_;
  Metrics metrics_;
  RequestCounts counts_;
  StaticPage page_;
  WallClock::time_point started_;
  bool draining_ = false;
  std::unique_ptr<HttpServer> server_;  // last: its exchanges use all of the above
};

}  // namespace parlance::gateway
