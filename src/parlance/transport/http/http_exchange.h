// SPDX-License-Identifier: Apache-2.0
// A request at our server and the way to answer it. Loop thread only.
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

// Of server-sent events, which no proxy on the way may keep, change or hold back (nginx does unless told).
std::vector<HttpHeader> event_stream_headers(std::string media_type = "text/event-stream");

// The subprotocols a client offers, in its order; the views live as long as the request.
std::vector<std::string_view> offered_subprotocols(const ServerRequest& request);

// One request and the way to answer it: respond, or begin + write… + end, or upgrade; exactly one of them.
// A handler that returns without any of them is answered 500. When the client goes away the handler's coroutine is destroyed.
class HttpExchange {
 public:
  virtual ~HttpExchange() = default;
  virtual const ServerRequest& request() const = 0;
  // The client has shown that it may be here, as `who`: its connection is no stranger's any more, and HttpServer::cut_off finds it.
  virtual void trust(std::string who) { static_cast<void>(who); }
  virtual Task<Result<void>> respond(HttpReply reply) = 0;
  // Chunked body, for server-sent events. `write` waits while the client is slow.
  virtual Task<Result<void>> begin(int status, std::vector<HttpHeader> headers) = 0;
  virtual Task<Result<void>> write(std::string bytes) = 0;
  virtual Task<Result<void>> end() = 0;
  // Answers 101; text frames from then on (each message a frame). The frames may outlive the exchange, not the server.
  // `subprotocol` is named in the answer when the client offered it, and `headers` stand in it. A request that is no proper handshake is
  // answered 400 or 426 here and comes back as invalid_request.
  virtual Task<Result<std::unique_ptr<WebSocketFrames>>> upgrade(std::string_view subprotocol,
                                                                 std::vector<HttpHeader> headers) = 0;
  Task<Result<std::unique_ptr<WebSocketFrames>>> upgrade(std::string_view subprotocol) { return upgrade(subprotocol, {}); }
};

using HttpHandler = std::function<Task<void>(HttpExchange&)>;

// Whether a request's body is to be read, asked when its head is there and something follows it. If not, the handler runs at once, with
// an empty body, and the connection ends with its answer: whoever may not be here costs no memory and no minute of waiting.
using BodyWanted = std::function<bool(const ServerRequest& head)>;

}  // namespace parlance
