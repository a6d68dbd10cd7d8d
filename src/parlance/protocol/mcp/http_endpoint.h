// SPDX-License-Identifier: Apache-2.0
// A server over Streamable HTTP, both eras on one address: POST, GET and DELETE of sessions up to 2025-11-25, single requests of
// 2026-07-28. The request's content shows the era. Answers are JSON if they consist of the reply only, otherwise streams of
// server-sent events. Loop thread only; the server and the HTTP server must outlive it.
//
//   mcp::HttpEndpoint endpoint(loop, server, {});
//   auto http = HttpServer::listen(loop, {"127.0.0.1", 0}, [&](HttpExchange& exchange) { return endpoint.handle(exchange); });
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "parlance/protocol/mcp/event_stream.h"
#include "parlance/protocol/mcp/http_headers.h"
#include "parlance/protocol/mcp/message_frames.h"
#include "parlance/protocol/mcp/server.h"

namespace parlance::mcp {

struct HttpEndpointSettings {
  std::string path = "/mcp";  // Empty: any path.
  // Permitted hosts in Host and Origin, in addition to loopback. A page of another site (DNS rebinding) names its own host.
  std::vector<std::string> hosts{};
  std::string token{};  // Not empty: requires "Authorization: Bearer …".
};

struct HttpSession;  // http_session.h

class HttpEndpoint {
 public:
  HttpEndpoint(Loop& loop, Server& server, HttpEndpointSettings settings = {});
  ~HttpEndpoint();
  HttpEndpoint(const HttpEndpoint&) = delete;
  HttpEndpoint& operator=(const HttpEndpoint&) = delete;

  // For the HTTP server, before it reads the body: the request comes from this machine and has the token.
  bool admits(const ServerRequest& request) const { return is_ours(request) && has_token(request); }
  Task<void> handle(HttpExchange& exchange);
  std::size_t sessions() const { return sessions_.size(); }

 private:
  using SessionPtr = std::shared_ptr<HttpSession>;

  bool is_ours(const ServerRequest& request) const;
  bool has_token(const ServerRequest& request) const;
  Task<void> preflight(HttpExchange& exchange);
  Task<void> post(HttpExchange& exchange);
  Task<void> modern_post(HttpExchange& exchange, Outline message);
  Task<void> legacy_post(HttpExchange& exchange, Outline message);
  Task<void> answer(HttpExchange& exchange, SessionPtr session, std::shared_ptr<EventStream> stream);
  Task<void> get(HttpExchange& exchange);
  Task<void> end_session(HttpExchange& exchange);
  Task<SessionPtr> session_for(HttpExchange& exchange);  // Null: already answered.
  SessionPtr begin_session();
  bool sweep();  // False: all sessions are in use.

  Loop& loop_;
  Server& server_;
  HttpEndpointSettings settings_;
  std::map<std::string, SessionPtr, std::less<>> sessions_;
};

}  // namespace parlance::mcp
