// SPDX-License-Identifier: Apache-2.0
// The gateway: an HTTP server on this machine with a table of routes, where every request first passes Host, Origin and token, before a
// byte of its body is read, and every answer carries the security headers. What the routes do is not known here (who makes it fills the
// table).
//
// Loop thread only. Routes and metrics are filled before `start`; what handlers refer to outlives the gateway.
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
  HostPort listen{.host = "127.0.0.1", .port = standard_port};  // port 0 picks a free one
  AuthSettings auth{};
  bool behind_proxy = false;  // one that speaks TLS with people stands before us, and brings their Host
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

  // Errors: an address that is not of this machine or is taken; a wider address than loopback without a token, or with no proxy before it.
  Result<void> start();
  // No new connections, running exchanges may end, then everything is closed. Answers 503 to what still comes.
  Task<void> drain(TimePoint deadline);

  unsigned short port() const { return server_->port(); }
  std::size_t connections() const { return server_->connections(); }
  bool is_draining() const { return draining_; }
  bool behind_proxy() const { return settings_.behind_proxy; }

  // Who may come from now on beside the person of this machine; whoever may no longer be here is cut off, at once and as time goes on.
  void set_team(hub::TeamPtr team);

  std::string address() const;     // "127.0.0.1:55003"
  std::string url() const;         // "http://127.0.0.1:55003/": where it listens
  std::string public_url() const;  // … or, behind a proxy, "https://NAME/", by which people reach that
  std::string page_url() const;    // that with the token behind '#', which browsers keep to themselves

 private:
  // What a request's head says: where it goes, and whether it may.
  struct Admission {
    Verdict source = Verdict::fine;  // Host and Origin
    Routes::Match match{};           // not looked for when the source is not fine
    Shown shown{.verdict = Verdict::fine};
    bool permitted = false;  // the role has the route's permission
    bool granted() const { return source == Verdict::fine && match.route != nullptr && permitted; }
  };
  Admission admit(const ServerRequest& head) const;
  Task<void> handle(HttpExchange& exchange);
  HttpReply refuse(Verdict verdict);
  Task<void> answer_session(HttpExchange& exchange);
  Task<void> watch_team();
  void let_go_of_gone();
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
  std::map<std::string, hub::CallerPtr, std::less<>> callers_;  // of users, who came in; by what connections are told by
  std::set<std::string, std::less<>> leaving_;                  // those of them who are about to be cut off
  std::unique_ptr<HttpServer> server_;                          // its exchanges use all of the above
  Scope scope_;                                                 // goes first
};

}  // namespace parlance::gateway
