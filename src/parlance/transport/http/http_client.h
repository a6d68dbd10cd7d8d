// SPDX-License-Identifier: Apache-2.0
// HTTP client on libcurl's multi interface, driven by the loop: proxies and no_proxy, the system's certificates, redirects,
// HTTP/2 and compression come from there. Loop thread only; the client outlives its requests.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parlance/async/loop.h"
#include "parlance/base/bytes.h"
#include "parlance/base/result.h"
#include "parlance/transport/http/http_message.h"

namespace parlance {

class HttpClient {
 public:
  explicit HttpClient(Loop& loop);
  ~HttpClient();

  // Destroying the task cancels the request. Errors: disconnected (cannot connect, cut off; the text says which), deadline_exceeded,
  // invalid_request (bad URL), overloaded (too large). A status of 400 or 500 is a response, not an error. A request with a body is
  // never sent twice: the server may have acted on the first.
  Task<Result<HttpResponse>> fetch(HttpRequest request);

  // Like fetch, but a 2xx body goes to `on_body` piece by piece as it arrives (an error from it ends the request with that error);
  // other bodies are collected in the response.
  // `room`, if given, is awaited after each piece; the server is made to wait meanwhile (TCP's way; nothing grows here).
  Task<Result<HttpResponse>> stream(HttpRequest request, std::function<Result<void>(BytesView)> on_body,
                                    std::function<Task<void>()> room = {});

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// Server-sent events (WHATWG HTML, section 9.2), sans-I/O: bytes in any pieces in, events out.
struct SseEvent {
  std::string event{};  // "" when the stream names none
  std::string data{};
  std::string id{};
};
class SseParser {
 public:
  explicit SseParser(std::size_t event_limit = 16 << 20) : limit_(event_limit) {}
  // Calls `on_event` for each complete event; its error, or overloaded for an event beyond the limit, comes back.
  Result<void> feed(BytesView bytes, const std::function<Result<void>(SseEvent)>& on_event);
  const std::string& last_id() const { return event_.id; }                   // what to come back with
  std::optional<std::chrono::milliseconds> retry() const { return retry_; }  // … and after how long, if the server says so

 private:
  Result<void> line(BytesView text, const std::function<Result<void>(SseEvent)>& on_event);
  std::size_t limit_;
  std::string partial_;
  SseEvent event_;
  std::optional<std::chrono::milliseconds> retry_;
  bool has_data_ = false;
  bool last_was_cr_ = false;
  bool at_start_ = true;
};

}  // namespace parlance
