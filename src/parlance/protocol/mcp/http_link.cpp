// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/mcp/http_link.h"

#include <algorithm>

#include "parlance/base/log.h"
#include "parlance/base/text.h"
#include "parlance/codec/json/reader.h"
#include "parlance/codec/json/value.h"
#include "parlance/protocol/jsonrpc/call_id.h"
#include "parlance/protocol/jsonrpc/dialect.h"
#include "parlance/protocol/mcp/limits.h"
#include "parlance/protocol/mcp/methods.h"
#include "parlance/transport/http/presentable.h"
#include "parlance/transport/http/retry.h"
#include "parlance/transport/limits.h"

namespace parlance::mcp {
namespace {

bool is_reply_to(const std::string& message, const std::string& id_json) {
  const auto found = outline(message);
  if (!found || !found->method.empty()) return false;
  return found->id_json == id_json ||
         (jsonrpc::call_number(id_json) && jsonrpc::call_number(found->id_json) == jsonrpc::call_number(id_json));
}

// For a reply with a result.
bool has_result(const std::string& message) {
  const auto value = json::parse(message);
  return value && value->find("method") == nullptr && value->find("result") != nullptr;
}

}  // namespace

// A request and its received messages.
struct HttpLink::Exchange {
  std::string id_json{};  // "": a notification, or the stream of unrelated messages
  bool hold = false;      // until the headers are known: they name the session for the next message
  std::string collected{};
  bool json = false;
  bool decided = false;
  bool replied = false;
  std::size_t events = 0;
  std::vector<std::string> held{};
  std::string last_event{};
  std::optional<std::chrono::milliseconds> retry{};
};

HttpLink::HttpLink(Loop& loop, HttpLinkSettings settings)
    : loop_(loop),
      settings_(std::move(settings)),
      renewed_(loop),
      self_(std::make_shared<HttpLink*>(this)),
      http_(loop),
      scope_(loop) {}

HttpLink::~HttpLink() { *self_ = nullptr; }

std::unique_ptr<Frames> HttpLink::frames(std::shared_ptr<Route> route) {
  auto made = std::make_unique<MessageFrames>(loop_, presentable(settings_.url), std::move(route),
                                              [self = self_](const Route&, std::string frame) {
                                                if (*self != nullptr) (*self)->send(std::move(frame));
                                              });
  frames_ = made.get();
  return made;
}

void HttpLink::speak(Era era, std::string version) {
  era_ = era;
  version_ = std::move(version);
}

void HttpLink::send(std::string frame) {
  auto message = outline(frame);
  if (!message) return;
  if (message->method == method::cancelled) {
    if (const auto found = running_.find(message->cancelled_json); found != running_.end()) {
      Scope::Handle exchange = std::move(found->second);
      running_.erase(found);
      exchange.cancel();  // closing the answer is how 2026-07-28 cancels
    }
    if (era_ == Era::modern) return;
  }
  const std::string id = message->method.empty() ? std::string() : message->id_json;
  Scope::Handle exchange = scope_.start(post(std::move(frame), *std::move(message)));
  if (exchange && !id.empty()) running_[id] = std::move(exchange);
}

std::vector<HttpHeader> HttpLink::headers_for(const Outline& message) const {
  std::vector<HttpHeader> headers = settings_.headers;
  headers.push_back({"Accept", "application/json, text/event-stream"});
  if (era_ == Era::modern) {
    headers.push_back({"MCP-Protocol-Version", version_});
    if (!message.method.empty()) headers.push_back({"Mcp-Method", message.method});
    if (names_something(message.method) && message.has_name) headers.push_back({"Mcp-Name", header_text(message.name)});
    if (message.method == "tools/call" && mirror)
      for (HttpHeader& header : mirror(message.name, message.arguments)) headers.push_back(std::move(header));
  } else if (message.method != method::initialize.method) {
    if (!version_.empty()) headers.push_back({"MCP-Protocol-Version", version_});
    if (!session_.empty()) headers.push_back({"Mcp-Session-Id", session_});
  }
  return headers;
}

void HttpLink::deliver(std::string message) {
  if (frames_ != nullptr) frames_->receive(std::move(message));
}

void HttpLink::fail_request(const std::string& id_json, const Error& error) {
  if (id_json.empty()) {
    log(LogLevel::info, "a message could not be sent", {{"to", presentable(settings_.url)}, {"reason", error.message}});
    return;
  }
  const std::string address = presentable(settings_.url);
  const bool named = error.message.contains(address);
  deliver(jsonrpc::error_reply(id_json, jsonrpc::code_of(error.code), named ? error.message : address + ": " + error.message));
}

// A status of 400 or 500: a JSON-RPC error in the body has the best message.
void HttpLink::refused(const std::string& id_json, const HttpResponse& response, bool is_repeated) {
  was_refused_ = was_refused_ || response.status == 400 || response.status == 404 || response.status == 405;
  if (is_session_lost(response) && !is_repeated)
    return fail_request(id_json, {.code = Errc::disconnected, .message = "the server has forgotten this session"});
  if (const auto body = outline(response.body); body && body->is_object && response.body.find("\"error\"") != std::string::npos) {
    if (body->id_json == id_json) return deliver(response.body);
    // The server could not read the id of the request; this side knows the id.
    if (!id_json.empty() && (body->id_json.empty() || body->id_json == "null")) {
      json::Reader reader(response.body);
      std::string_view raw;
      for (bool more = reader.enter_object(); more; more = reader.next_member()) {
        if (reader.key() == "error") reader.skip(&raw);
        else reader.skip();
      }
      // {"error": "invalid_token"} of OAuth is no error of JSON-RPC.
      if (raw.starts_with('{') && response.status != 401)
        return deliver(R"({"jsonrpc":"2.0","id":)" + id_json + R"(,"error":)" + std::string(raw) + '}');
    }
  }
  Errc code = Errc::failed;
  std::string what = "HTTP status " + std::to_string(response.status);
  if (response.status == 401) what = "401: the server accepts no request without valid credentials";
  if (response.status == 401 || response.status == 403) code = Errc::denied;
  else if (response.status == 404 || response.status == 405) code = Errc::unknown_method;
  else if (response.status == 429 || response.status == 503) code = Errc::overloaded;
  fail_request(id_json, {.code = code, .message = std::move(what)});
}

Task<Result<HttpResponse>> HttpLink::read_answer(HttpRequest request, Exchange& exchange) {
  SseParser parser(limits::frame_bytes);
  const auto on_event = [&](SseEvent event) -> Result<void> {
    if (event.data.empty()) return {};  // says only where we are
    ++exchange.events;
    if (!exchange.id_json.empty() && is_reply_to(event.data, exchange.id_json)) exchange.replied = true;
    if (exchange.hold) exchange.held.push_back(std::move(event.data));
    else deliver(std::move(event.data));
    return {};
  };
  const auto on_body = [&](BytesView bytes) -> Result<void> {
    if (!exchange.decided) {
      const std::size_t first = bytes.find_first_not_of(" \t\r\n");
      if (first == BytesView::npos) return {};
      exchange.decided = true;
      exchange.json = bytes[first] == '{' || bytes[first] == '[';
    }
    if (exchange.json) {
      if (exchange.collected.size() + bytes.size() > limits::frame_bytes) return fail(Errc::overloaded, "the answer is too long");
      exchange.collected += bytes;
      return {};
    }
    Result<void> fed = parser.feed(bytes, on_event);
    if (!parser.last_id().empty()) exchange.last_event = parser.last_id();
    if (parser.retry()) exchange.retry = parser.retry();
    return fed;
  };
  exchange.decided = false;
  exchange.json = false;
  exchange.collected.clear();
  co_return co_await send_authorized(settings_.authorizer.get(), std::move(request),
                                     [&](HttpRequest http_request) { return http_.stream(std::move(http_request), on_body); });
}

Task<Result<HttpResponse>> HttpLink::post_once(std::string frame, const Outline& message, Exchange& exchange) {
  HttpRequest request{.method = "POST", .url = settings_.url, .headers = headers_for(message), .body = std::move(frame)};
  request.headers.push_back({"Content-Type", "application/json"});
  return read_answer(std::move(request), exchange);
}

Task<void> HttpLink::post(std::string frame, Outline message) {
  const bool begins = message.method == method::initialize.method;
  if (begins) initialize_ = frame;
  Exchange exchange{.id_json = message.method.empty() ? std::string() : message.id_json, .hold = begins};
  const std::uint64_t number = session_number_;
  const std::string kept = session_.empty() || begins ? std::string() : frame;
  Result<HttpResponse> response = co_await post_once(std::move(frame), message, exchange);
  // The server refused the message unread, so a repetition is safe.
  bool is_repeated = false;
  if (!kept.empty() && response && is_session_lost(*response) && co_await renew_session(number)) {
    is_repeated = true;
    response = co_await post_once(kept, message, exchange);
  }
  if (response && response->status / 100 == 2) {
    if (const std::string* session = find_header(response->headers, "Mcp-Session-Id"); session != nullptr && era_ != Era::modern)
      session_ = *session;
    for (std::string& held : exchange.held) deliver(std::move(held));
    if (exchange.json) {
      if (is_reply_to(exchange.collected, exchange.id_json)) exchange.replied = true;
      deliver(std::move(exchange.collected));
    }
  }
  if (!exchange.id_json.empty() && !exchange.replied) {
    if (response && response->status / 100 != 2) {
      refused(exchange.id_json, *response, is_repeated);
    } else if (!exchange.last_event.empty() && era_ != Era::modern) {
      co_await resume(exchange);
    } else {
      fail_request(exchange.id_json, response ? Error{.code = Errc::disconnected, .message = "the answer ended without a reply"}
                                              : response.error());
    }
  } else if (!response) {
    fail_request("", response.error());
  }
  if (!exchange.id_json.empty()) running_.erase(exchange.id_json);
}

// 404 by the specification. Servers of the official SDKs answer 400 "No valid session ID provided" after a restart, others 410.
bool HttpLink::is_session_lost(const HttpResponse& response) const {
  if (era_ == Era::modern || session_.empty()) return false;
  if (response.status == 400) return to_lower(response.body).contains("session");
  return response.status == 404 || response.status == 410;
}

Task<bool> HttpLink::renew_session(std::uint64_t lost) {
  while (is_renewing_) co_await renewed_.wait();
  if (session_number_ != lost) co_return true;
  struct Renewing {  // even if the renewing call is cancelled
    HttpLink& link;
    explicit Renewing(HttpLink& of) : link(of) { link.is_renewing_ = true; }
    ~Renewing() {
      link.is_renewing_ = false;
      link.renewed_.notify_all();
    }
  };
  const Renewing renewing(*this);
  co_return co_await begin_session();
}

Task<bool> HttpLink::begin_session() {
  const auto message = outline(initialize_);
  if (!message) co_return false;
  Exchange exchange{.id_json = message->id_json, .hold = true};
  const auto response = co_await post_once(initialize_, *message, exchange);
  exchange.held.push_back(std::move(exchange.collected));
  if (!response || response->status / 100 != 2 || std::ranges::none_of(exchange.held, has_result)) co_return false;
  const std::string* const session = find_header(response->headers, "Mcp-Session-Id");
  session_ = session == nullptr ? std::string() : *session;
  ++session_number_;
  Exchange initialized;
  static_cast<void>(co_await post_once(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", {}, initialized));
  open_stream();
  if (on_new_session) on_new_session();
  co_return true;
}

// The stream of an answer broke off, or the server asked to come back later.
Task<void> HttpLink::resume(Exchange& exchange) {
  Error last{.code = Errc::disconnected, .message = "the answer broke off"};
  for (int tries = 0; tries < limits::mcp_resumptions && !exchange.replied; ++tries) {
    co_await sleep_for(loop_, exchange.retry.value_or(limits::mcp_retry));
    HttpRequest request{.url = settings_.url, .headers = headers_for({})};
    request.headers.push_back({"Last-Event-ID", exchange.last_event});
    const std::size_t before = exchange.events;
    const auto response = co_await read_answer(std::move(request), exchange);
    if (exchange.events != before) tries = 0;
    if (!response) last = response.error();
    else if (response->status / 100 != 2) {
      last = {.code = Errc::disconnected, .message = "HTTP status " + std::to_string(response->status) + " when coming back"};
      break;
    }
  }
  if (!exchange.replied) fail_request(exchange.id_json, last);
}

void HttpLink::open_stream() { scope_.start(listen()); }

// Without events, the pauses become longer: a proxy may close idle streams, and a server may be restarting.
Task<void> HttpLink::listen() {
  Exchange exchange;
  const std::uint64_t session = session_number_;
  for (int tries = 0; session == session_number_;) {
    HttpRequest request{.url = settings_.url, .headers = headers_for({})};
    if (!exchange.last_event.empty()) request.headers.push_back({"Last-Event-ID", exchange.last_event});
    const std::size_t before = exchange.events;
    const TimePoint begin = loop_.now();
    const auto response = co_await read_answer(std::move(request), exchange);
    // 405: this server sends no unrelated messages. 404: the session is lost, and the next call begins another one.
    if (response && response->status / 100 != 2 && !may_retry(response->status)) co_return;
    tries = exchange.events != before || loop_.now() - begin > limits::mcp_longest_retry ? 1 : tries + 1;
    const Duration pause = back_off(tries, limits::mcp_retry, limits::mcp_longest_retry, 1);
    co_await sleep_for(loop_, std::max<Duration>(exchange.retry.value_or(limits::mcp_retry), pause));
  }
}

Task<void> HttpLink::end_session() {
  if (session_.empty()) co_return;
  HttpRequest request{
      .method = "DELETE", .url = settings_.url, .headers = headers_for({}), .total_timeout = limits::mcp_end_time};
  if (!settings_.authorizer || co_await settings_.authorizer->authorize(request))
    static_cast<void>(co_await http_.fetch(std::move(request)));
  session_.clear();
}

}  // namespace parlance::mcp
