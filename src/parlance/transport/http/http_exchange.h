// SPDX-License-Identifier: Apache-2.0
// A request at the server, and the methods for an answer. Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/transport/http/http_message.h"
#include "parlance/transport/http/websocket_frames.h"

namespace parlance {

// Headers of server-sent events. Proxies then refrain from storing, changing and buffering the events (nginx buffers by
// default).
std::vector<HttpHeader> event_stream_headers(std::string media_type = "text/event-stream");

// The subprotocols that a client offers, in its order. The views live as long as the request.
std::vector<std::string_view> offered_subprotocols(const ServerRequest& request);

// A request and its answer: respond, or begin + write… + end, or upgrade; exactly one. A handler that returns without an answer
// causes 500. If the client disconnects, the handler's coroutine is destroyed.
class HttpExchange {
 public:
  virtual ~HttpExchange() = default;
  virtual const ServerRequest& request() const = 0;
  // Records the caller `who` after authentication: the connection counts as trusted, and visible to HttpServer::cut_off.
  virtual void trust(std::string who) { static_cast<void>(who); }
  virtual Task<Result<void>> respond(HttpReply reply) = 0;
  // Chunked body, for server-sent events. `write` waits while the client is slow.
  virtual Task<Result<void>> begin(int status, std::vector<HttpHeader> headers) = 0;
  virtual Task<Result<void>> write(std::string bytes) = 0;
  virtual Task<Result<void>> end() = 0;
  // Answers 101, then exchanges text frames (each message is a frame). The frames may outlive the exchange, not the server. The
  // answer names `subprotocol` if the client offered it, and contains `headers`. An invalid handshake is answered with 400 or
  // 426 and returned as invalid_request.
  virtual Task<Result<std::unique_ptr<WebSocketFrames>>> upgrade(std::string_view subprotocol,
                                                                 std::vector<HttpHeader> headers) = 0;
  Task<Result<std::unique_ptr<WebSocketFrames>>> upgrade(std::string_view subprotocol) { return upgrade(subprotocol, {}); }
};

using HttpHandler = std::function<Task<void>(HttpExchange&)>;

// Whether to read a request's body, called after its head if a body follows. If not, the handler runs at once with an empty
// body, and the connection ends with its answer: unauthorized callers cost no memory and no waiting time.
using BodyWanted = std::function<bool(const ServerRequest& head)>;

}  // namespace parlance
