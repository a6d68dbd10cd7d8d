// SPDX-License-Identifier: Apache-2.0
// HTTP client on libcurl's multi interface, driven by the loop. libcurl provides proxies and no_proxy, system certificates,
// redirects, HTTP/2 and compression. Loop thread only; the client must outlive its requests.
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

  // Destroying the task cancels the request. Errors: disconnected (no connection, or a broken one, with the reason),
  // deadline_exceeded, invalid_request (bad URL), overloaded (too large). A status of 400 or 500 is a response, not an error. A
  // request with a body is never sent twice, because the server may have acted on the first.
  Task<Result<HttpResponse>> fetch(HttpRequest request);

  // As fetch, but passes a 2xx body to `on_body` in pieces as they arrive. An error of on_body ends the request. Other bodies
  // are collected in the response. `wait_writable`, if given, is awaited after each piece: the server waits meanwhile through TCP's
  // back-pressure.
  Task<Result<HttpResponse>> stream(HttpRequest request, std::function<Result<void>(BytesView)> on_body,
                                    std::function<Task<void>()> wait_writable = {});

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// Server-sent events (WHATWG HTML, section 9.2), sans-I/O: bytes in pieces become events.
struct SseEvent {
  std::string event{};  // Empty: the stream names no event.
  std::string data{};
  std::string id{};
};
class SseParser {
 public:
  explicit SseParser(std::size_t event_limit = 16 << 20) : limit_(event_limit) {}
  // Calls `on_event` for each complete event. Returns its error, or overloaded for an event beyond the limit.
  Result<void> feed(BytesView bytes, const std::function<Result<void>(SseEvent)>& on_event);
  const std::string& last_id() const { return event_.id; }                   // Id for a reconnect.
  std::optional<std::chrono::milliseconds> retry() const { return retry_; }  // Delay before a reconnect, if the server gives one.

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
