// SPDX-License-Identifier: Apache-2.0
// ACP at one address, as the reference SDK's remote transport speaks it: over a WebSocket (the answer to the upgrade names the connection
// in Acp-Connection-Id; the first message is `initialize`, or the socket is closed with 1002), and over HTTP:
//
//   POST  initialize                          200, its answer, Acp-Connection-Id
//   POST  any other message, with that header 202; what is answered to it comes in a stream
//   GET   with that header                    server-sent events: what is no session's
//   GET   with Acp-Session-Id as well         … of that session
//   DELETE                                    202: the connection is over
//
// What a POST says of a session it names in Acp-Session-Id too. Who vanishes without a DELETE is gone after limits::acp_http_idle. Whoever
// makes it checks who may come. Loop thread only; the face outlives
// it.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "parlance/async/scope.h"
#include "parlance/face/acp/http_link.h"
#include "parlance/face/acp/hub_over_acp.h"
#include "parlance/transport/http/http_exchange.h"

namespace parlance::face {

class AcpOverHttp : private Timer {
 public:
  AcpOverHttp(Loop& loop, AcpFace& face) : loop_(loop), face_(face), scope_(loop) {}
  ~AcpOverHttp();

  // `sessions` are those of the caller: one object for each user, role and token, by which their connections are told apart.
  Task<void> handle(HttpExchange& exchange, std::shared_ptr<AcpSessions> sessions);
  // The team has changed: connections end whose caller may not come in any more as they came.
  void end_of_gone();
  std::size_t connections() const { return links_.size(); }  // over HTTP; sockets are the face's

 private:
  using LinkPtr = std::shared_ptr<HttpLink>;

  using SessionsPtr = std::shared_ptr<AcpSessions>;
  Task<void> socket(HttpExchange& exchange, SessionsPtr sessions);
  Task<void> post(HttpExchange& exchange, SessionsPtr sessions);
  Task<void> begin(HttpExchange& exchange, SessionsPtr sessions);
  Task<void> fetch(HttpExchange& exchange, SessionsPtr sessions);
  Task<void> serve(LinkPtr link);
  LinkPtr find(const ServerRequest& request, const SessionsPtr& sessions) const;  // null: none, or another user's
  void sweep();
  void on_timer() override { sweep(); }

  Loop& loop_;
  AcpFace& face_;
  std::map<std::string, LinkPtr, std::less<>> links_;
  Scope scope_;  // goes first
};

// Frames of a WebSocket whose first message has to be `initialize`.
std::unique_ptr<Frames> initialize_first(std::unique_ptr<WebSocketFrames> frames);

}  // namespace parlance::face
