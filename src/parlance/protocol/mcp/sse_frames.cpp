// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/mcp/sse_frames.h"

#include <deque>
#include <utility>

#include "parlance/async/channel.h"
#include "parlance/protocol/jsonrpc/dialect.h"
#include "parlance/protocol/mcp/routing.h"
#include "parlance/transport/http/presentable.h"
#include "parlance/transport/limits.h"

namespace parlance::mcp {
namespace {

// Owned by the frames, through their sink.
class SseLink {
 public:
  SseLink(Loop& loop, HttpLinkSettings settings) : settings_(std::move(settings)), changed_(loop), http_(loop), scope_(loop) {}
  ~SseLink() { scope_.cancel(); }

  void start(MessageFrames& frames) {
    frames_ = &frames;
    scope_.start(listen());
    scope_.start(post_all());
  }
  void send(std::string frame) {
    waiting_.push_back(std::move(frame));
    changed_.notify_all();
  }

 private:
  Task<void> listen() {
    SseParser parser(limits::frame_bytes);
    const auto on_event = [&](SseEvent event) -> Result<void> {
      if (event.event == "endpoint") {
        PARLANCE_TRY(address, sse_endpoint(settings_.url, event.data));
        endpoint_ = std::move(address);
        changed_.notify_all();
      } else if (event.event.empty() || event.event == "message") {
        if (!event.data.empty()) frames_->receive(std::move(event.data));
      }
      return {};
    };
    HttpRequest request{.url = settings_.url, .headers = settings_.headers};
    request.headers.push_back({"Accept", "text/event-stream"});
    const auto response = co_await send_authorized(settings_.authorizer.get(), std::move(request), [&](HttpRequest http_request) {
      return http_.stream(std::move(http_request), [&](BytesView bytes) { return parser.feed(bytes, on_event); });
    });
    Error error{.code = Errc::disconnected, .message = "the stream of the server ended"};
    if (!response) error = response.error();
    else if (response->status == 401 || response->status == 403)
      error = {.code = Errc::denied, .message = status_text(*response)};
    else if (response->status / 100 != 2) error = {.code = Errc::failed, .message = status_text(*response)};
    frames_->fail(std::move(error).in(presentable(settings_.url)));
  }

  // One after the other, because a server may take them in the order of their arrival.
  Task<void> post_all() {
    for (;;) {
      while (endpoint_.empty() || waiting_.empty()) co_await changed_.wait();
      std::string frame = std::move(waiting_.front());
      waiting_.pop_front();
      const auto message = outline(frame);
      HttpRequest request{.method = "POST", .url = endpoint_, .headers = settings_.headers, .body = std::move(frame)};
      request.headers.push_back({"Content-Type", "application/json"});
      const auto response =
          co_await send_authorized(settings_.authorizer.get(), std::move(request),
                                   [&](HttpRequest http_request) { return http_.fetch(std::move(http_request)); });
      if (response && response->status / 100 == 2) continue;
      const Error error = response ? Error{.code = Errc::failed, .message = status_text(*response)} : response.error();
      if (message && !message->method.empty() && !message->id_json.empty()) refuse(message->id_json, error);
    }
  }
  // A request that did not arrive is answered here: the stream will bring nothing for it.
  void refuse(const std::string& id_json, const Error& error) {
    frames_->receive(jsonrpc::error_reply(id_json, jsonrpc::code_of(error.code), presentable(endpoint_) + ": " + error.message));
  }
  static std::string status_text(const HttpResponse& response) { return "HTTP status " + std::to_string(response.status); }

  HttpLinkSettings settings_;
  MessageFrames* frames_ = nullptr;
  std::string endpoint_;
  std::deque<std::string> waiting_;
  Signal changed_;
  HttpClient http_;
  Scope scope_;
};

// "http://host:port", or empty.
std::string_view origin_of(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == url.npos) return {};
  return url.substr(0, std::min(url.find_first_of("/?#", scheme + 3), url.size()));
}

}  // namespace

Result<std::string> sse_endpoint(std::string_view stream, std::string_view named) {
  const std::string_view origin = origin_of(stream);
  if (named.starts_with("//") || (named.find("://") != named.npos && named.find("://") < named.find_first_of("/?#"))) {
    const std::string whole =
        named.starts_with("//") ? std::string(stream.substr(0, stream.find(':') + 1)) + std::string(named) : std::string(named);
    if (origin_of(whole) != origin)
      return fail(Errc::denied, "the server wants messages at another place: " + std::string(named));
    return whole;
  }
  if (named.starts_with('/')) return std::string(origin) + std::string(named);
  std::string_view folder = stream.substr(0, std::min(stream.find_first_of("?#"), stream.size()));
  if (named.starts_with('?')) return std::string(folder) + std::string(named);
  folder = folder.substr(0, std::max(folder.rfind('/') + 1, origin.size()));
  return std::string(folder) + (folder.ends_with('/') ? "" : "/") + std::string(named);
}

std::unique_ptr<Frames> sse_frames(Loop& loop, HttpLinkSettings settings) {
  const std::string name = presentable(settings.url);
  auto link = std::make_shared<SseLink>(loop, std::move(settings));
  auto frames = std::make_unique<MessageFrames>(loop, name, std::make_shared<Route>(),
                                                [link](const Route&, std::string frame) { link->send(std::move(frame)); });
  link->start(*frames);
  return frames;
}

}  // namespace parlance::mcp
