// The gateway: an HTTP server on this machine with a table of routes, where every request first passes Host, Origin and token, before a
// byte of its body is read, and every answer carries the security headers. What the routes do is not known here (who makes it fills the
// table).
//
// Loop thread only. Routes and metrics are filled before `start`; what handlers refer to outlives the gateway.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "parlance/async/loop.h"
#include "parlance/base/clock.h"
#include "parlance/base/result.h"
#include "parlance/base/uri.h"
#include "parlance/gateway/auth.h"
#include "parlance/gateway/metrics.h"
#include "parlance/gateway/routes.h"
#include "parlance/gateway/static_page.h"
#include "parlance/transport/http/http_server.h"

namespace parlance::gateway {

// 55003 is the port of the deployed gateway.
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
  // What a request's head says: where it goes, and whether it may.
  struct Admission {
    Verdict source = Verdict::fine;  // Host and Origin
    Routes::Match match{};           // not looked for when the source is not fine
    Verdict token = Verdict::fine;
    bool granted() const { return source == Verdict::fine && match.route != nullptr && token == Verdict::fine; }
  };
  Admission admit(const ServerRequest& head) const;
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
