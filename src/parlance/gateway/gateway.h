// SPDX-License-Identifier: Apache-2.0
// The gateway: an HTTP server on this machine with a table of routes. Every request first passes the checks of Host, Origin and
// token, before any byte of its body is read, and every answer carries the security headers. The owner fills the table; the
// gateway does not know the routes' meaning.
//
// Loop thread only. Routes and metrics are filled before `start`; objects used by handlers outlive the gateway.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "parlance/async/loop.h"
#include "parlance/async/scope.h"
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
  HostPort listen{.host = "127.0.0.1", .port = standard_port};  // port 0 picks a free port
  AuthSettings auth{};
  bool behind_proxy = false;  // a proxy with TLS forwards requests, with the Host of its clients
  // A prompt with its largest attachments, in base64, is 31 MiB.
  HttpServerSettings http{.body_bytes = 32 << 20, .websocket_message_bytes = 32 << 20};
};

class Gateway {
 public:
  Gateway(Loop& loop, GatewaySettings settings);
  ~Gateway();
  Gateway(const Gateway&) = delete;
  Gateway& operator=(const Gateway&) = delete;

  // For the owner, before `start`; the gateway has added its own addresses (own_addresses.h).
  Routes& routes() { return routes_; }
  // For sources of figures, before `start`; each scrape of /metrics asks them.
  Metrics& metrics() { return metrics_; }

  // Errors: a foreign or used address; an address beyond loopback without a token, or without a proxy.
  Result<void> start();
  // Accepts no new connections, waits for running exchanges until `deadline`, then closes all connections. Later requests get 503.
  Task<void> drain(TimePoint deadline);

  // The listening port, also for a requested port 0. After a successful `start` only, like `connections`.
  unsigned short port() const { return server_->port(); }
  std::size_t connections() const { return server_->connections(); }
  // GatewaySettings::behind_proxy: addresses for people begin with https.
  bool behind_proxy() const { return settings_.behind_proxy; }

  // The permitted users from now on besides the person of this machine; users without permission are disconnected, at once and
  // after expiries.
  void set_team(hub::TeamPtr team);

  std::string address() const;     // "127.0.0.1:55003"
  std::string url() const;         // "http://127.0.0.1:55003/": the listening address
  std::string public_url() const;  // behind a proxy "https://NAME/", the address for people; otherwise like url()
  std::string page_url() const;    // public_url() with the token behind '#', which browsers do not send

 private:
  // The result of the checks of a request's head.
  struct Admission {
    Verdict source = Verdict::fine;  // Host and Origin
    Routes::Match match{};           // empty if `source` is not fine
    Shown shown{.verdict = Verdict::fine};
    bool permitted = false;  // the role has the route's permission
    // All checks passed. Otherwise the server reads no body, and the handler of the route does not run.
    bool granted() const { return source == Verdict::fine && match.route != nullptr && permitted; }
  };
  // The checks of a request's head alone. Called before any byte of the body, and again by `handle` for the answer.
  Admission admit(const ServerRequest& head) const;
  // Answers a request: refuses it, or runs its handler with the caller; counts the request at its end.
  Task<void> handle(HttpExchange& exchange);
  // The answer for a failed check, with the remedy; counts the refusal for /metrics.
  HttpReply refuse(Verdict verdict);
  // POST /session: gives a page with a token its cookie. Without a token the answer says "signed_in":false and is no error.
  Task<void> answer_session(HttpExchange& exchange);
  // Disconnects callers with expired tokens, every second, from the first team on.
  Task<void> watch_team();
  // Marks the connections of all callers without their previous rights, and starts `cut_off`.
  void disconnect_denied_callers();
  // Closes the marked connections in the next turn of the loop, because the sender of the change may use one of these
  // connections.
  Task<void> cut_off();

  Loop& loop_;
  GatewaySettings settings_;
  Auth auth_;
  Routes routes_;
  Metrics metrics_;
  RequestCounts counts_;
  StaticPage page_;
  WallClock::time_point started_;
  bool draining_ = false;
  std::map<std::string, hub::CallerPtr, std::less<>> callers_;  // of users with connections; by the name of the notification
  std::set<std::string, std::less<>> leaving_;                  // callers to be disconnected
  std::unique_ptr<HttpServer> server_;                          // its exchanges use all of the above
  Scope scope_;                                                 // goes first
};

}  // namespace parlance::gateway
