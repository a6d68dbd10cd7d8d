// SPDX-License-Identifier: Apache-2.0
// ACP at one address, as in the remote transport of the reference SDK. Over a WebSocket: the answer to the upgrade has
// Acp-Connection-Id; a first message other than `initialize` closes the socket with 1002. Over HTTP:
//
//   POST  initialize                          200, its answer, Acp-Connection-Id.
//   POST  any other message, with that header 202. A stream delivers the answer.
//   GET   with that header                    Server-sent events of the connection.
//   GET   with Acp-Session-Id as well         Server-sent events of the session.
//   DELETE                                    202. The connection ends.
//
// A POST about a session names the session in Acp-Session-Id too. A silent client is removed after limits::acp_http_idle. The
// caller authenticates requests. Loop thread only; the frontend must outlive the object.
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
  AcpOverHttp(Loop& loop, AcpFrontend& frontend) : loop_(loop), frontend_(frontend), scope_(loop) {}
  ~AcpOverHttp();

  // `sessions` belongs to the caller: one object for each user, role and token separates their connections.
  Task<void> handle(HttpExchange& exchange, std::shared_ptr<AcpSessions> sessions);
  // The team has changed: closes connections of callers with revoked or changed access.
  void end_of_gone();
  std::size_t connections() const { return links_.size(); }  // over HTTP; the frontend counts sockets

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
  AcpFrontend& frontend_;
  std::map<std::string, LinkPtr, std::less<>> links_;
  Scope scope_;  // destroyed first
};

// Frames of a WebSocket that require `initialize` as first message.
std::unique_ptr<Frames> initialize_first(std::unique_ptr<WebSocketFrames> frames);

}  // namespace parlance::face
