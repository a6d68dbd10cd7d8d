// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/acp/acp_over_http.h"

#include <algorithm>
#include <array>
#include <utility>

#include "parlance/async/cancel.h"
#include "parlance/async/notified.h"
#include "parlance/base/secret.h"
#include "parlance/face/acp/limits.h"
#include "parlance/protocol/acp/errors.h"
#include "parlance/protocol/acp/messages.h"
#include "parlance/protocol/jsonrpc/dialect.h"
#include "parlance/transport/http/http_source.h"
#include "parlance/transport/http/limits.h"
#include "parlance/transport/passing_frames.h"

namespace parlance::face {
namespace {

using acp::connection_header;
using acp::session_header;

std::string header_or(const ServerRequest& request, std::string_view name) {
  const std::string* const value = request.header(name);
  return value == nullptr ? std::string() : *value;
}

HttpReply plain(int status, std::string text) {
  return HttpReply{.status = status, .body = std::move(text) + "\n"}.with("Content-Type", "text/plain; charset=utf-8");
}
HttpReply json_reply(int status, std::string body) {
  return HttpReply{.status = status, .body = std::move(body)}
      .with("Content-Type", "application/json")
      .with("Cache-Control", "no-store");
}

// Methods of a session: their header must name the session too.
bool is_of_session(std::string_view method) {
  static constexpr std::array own{acp::method::cancel.method,         acp::method::close_session.method,
                                  acp::method::delete_session.method, acp::method::load_session.method,
                                  acp::method::prompt.method,         acp::method::resume_session.method,
                                  acp::method::set_mode.method,       acp::method::set_config_option.method,
                                  acp::method::set_model.method};
  return std::ranges::find(own, method) != own.end();
}

// The fault of a message's headers; empty: none.
std::string_view header_fault(const acp::Outline& message, const std::string& named, const HttpLink& link) {
  if (message.method.empty()) {
    const auto asked = link.asked_in(message.id_json);
    if (!asked) return {};
    if (named.empty()) return "Missing Acp-Session-Id";
    return named == *asked ? std::string_view{} : "Mismatched Acp-Session-Id";
  }
  if (named.empty() && (is_of_session(message.method) || !message.session.empty())) return "Missing Acp-Session-Id";
  return named.empty() || message.session.empty() || named == message.session ? std::string_view{} : "Mismatched Acp-Session-Id";
}

// Keeps the link during an exchange.
struct InUse {
  HttpLink& link;
  Loop& loop;
  InUse(HttpLink& of, Loop& on) : link(of), loop(on) { ++link.exchanges; }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;
  ~InUse() {
    --link.exchanges;
    link.last_used = loop.now();
  }
};

class InitializeFirst final : public PassingFrames<WebSocketFrames> {
 public:
  using PassingFrames::PassingFrames;

 private:
  // Answers malformed messages and waits for the next one.
  FramesRead passed_on(FramesRead batch) override {
    if (!batch || begun_) return batch;
    for (const BytesView frame : *batch) {
      const auto outline = acp::outline(frame);
      if (begun_ || !outline || outline->method.empty()) continue;
      if (outline->method != acp::method::initialize.method) {
        inner().close_with(1002, "First message must be initialize");
        return FrameBatch{};
      }
      begun_ = true;
    }
    return batch;
  }

  bool begun_ = false;
};

}  // namespace

std::unique_ptr<Frames> initialize_first(std::unique_ptr<WebSocketFrames> frames) {
  return std::make_unique<InitializeFirst>(std::move(frames));
}

AcpOverHttp::~AcpOverHttp() {
  for (const auto& [id, link] : links_) link->close();
}

Task<void> AcpOverHttp::handle(HttpExchange& exchange, SessionsPtr sessions) {
  const ServerRequest& request = exchange.request();
  if (request.wants_websocket) {
    co_await socket(exchange, std::move(sessions));
  } else if (request.method == "POST") {
    co_await post(exchange, std::move(sessions));
  } else if (request.method == "GET") {
    co_await fetch(exchange, std::move(sessions));
  } else if (request.method == "DELETE") {
    const LinkPtr link = find(request, sessions);
    if (link) link->close();
    static_cast<void>(co_await exchange.respond(link ? HttpReply{.status = 202} : plain(404, "Unknown Acp-Connection-Id")));
  } else {
    static_cast<void>(co_await exchange.respond(HttpReply{.status = 405}.with("Allow", "GET, POST, DELETE")));
  }
}

Task<void> AcpOverHttp::socket(HttpExchange& exchange, SessionsPtr sessions) {
  std::vector<HttpHeader> headers(1, HttpHeader{.name = std::string(connection_header), .value = make_token()});
  auto frames = co_await exchange.upgrade("", std::move(headers));
  if (!frames) co_return;
  (*frames)->only_text();  // like the reference server
  scope_.start(frontend_.serve(initialize_first(*std::move(frames)), std::move(sessions)));
}

// ---- POST ---------------------------------------------------------------------------------------------------------------------

Task<void> AcpOverHttp::post(HttpExchange& exchange, SessionsPtr sessions) {
  const ServerRequest& request = exchange.request();
  if (!is_media_type(only_header(request, "Content-Type").value_or(""), "application/json")) {
    static_cast<void>(co_await exchange.respond(plain(415, "Content-Type must be application/json")));
    co_return;
  }
  const auto message = acp::outline(request.body);
  if (!message) {
    const bool batch = request.body.find_first_not_of(" \t\r\n") != std::string::npos &&
                       request.body[request.body.find_first_not_of(" \t\r\n")] == '[';
    static_cast<void>(co_await exchange.respond(
        batch ? json_reply(400, jsonrpc::error_reply("", acp::code::invalid_request,
                                                     "Invalid request: JSON-RPC batches are not supported"))
              : plain(400, "The body is no JSON-RPC message")));
    co_return;
  }
  const std::string session = header_or(request, session_header);
  if (message->id_json.size() > limits::acp_http_id_bytes || session.size() > limits::acp_http_id_bytes) {
    static_cast<void>(co_await exchange.respond(plain(400, "An id is too long")));
    co_return;
  }
  const bool begins = message->method == acp::method::initialize.method;
  const bool named = request.header(connection_header) != nullptr;
  if (begins && !named) {
    co_await begin(exchange, std::move(sessions));
    co_return;
  }
  const LinkPtr link = find(request, sessions);
  if (begins || !named || !link) {
    static_cast<void>(co_await exchange.respond(!named   ? plain(400, "Missing Acp-Connection-Id")
                                                : begins ? plain(400, "Initialize not allowed on existing connection")
                                                         : plain(404, "Unknown Acp-Connection-Id")));
    co_return;
  }
  const InUse use(*link, loop_);
  const std::string_view fault = header_fault(*message, session, *link);
  if (fault.empty()) link->receive(request.body, *message, session);
  static_cast<void>(co_await exchange.respond(fault.empty() ? HttpReply{.status = 202} : plain(400, std::string(fault))));
}

Task<void> AcpOverHttp::begin(HttpExchange& exchange, SessionsPtr sessions) {
  sweep();
  if (links_.size() >= limits::acp_http_connections) {
    static_cast<void>(co_await exchange.respond(plain(503, "Too many connections")));
    co_return;
  }
  const auto link = std::make_shared<HttpLink>(loop_, make_token(), std::move(sessions));
  links_.emplace(link->id, link);
  if (!running()) start(loop_, loop_.now() + limits::acp_http_sweep);
  const InUse use(*link, loop_);
  scope_.start(serve(link));
  const acp::Outline message = acp::outline(exchange.request().body).value_or(acp::Outline{});
  link->receive(exchange.request().body, message, "");
  std::string reply = co_await link->first_reply();
  if (reply.empty()) {
    static_cast<void>(co_await exchange.respond(plain(500, "Initialize failed")));
    co_return;
  }
  static_cast<void>(co_await exchange.respond(json_reply(200, std::move(reply)).with(std::string(connection_header), link->id)));
}

Task<void> AcpOverHttp::serve(LinkPtr link) {
  co_await frontend_.serve(link->frames(), link->sessions);
  link->close();
  links_.erase(link->id);
}

AcpOverHttp::LinkPtr AcpOverHttp::find(const ServerRequest& request, const SessionsPtr& sessions) const {
  const auto found = links_.find(header_or(request, connection_header));
  return found == links_.end() || found->second->closed() || found->second->sessions != sessions ? nullptr : found->second;
}

// Closes links of silent clients. A stream of a dead client ends by itself: its keep-alive write fails.
void AcpOverHttp::sweep() {
  for (const auto& [id, link] : links_)
    if (link->exchanges == 0 && loop_.now() - link->last_used >= limits::acp_http_idle) link->close();
  if (!links_.empty()) start(loop_, loop_.now() + limits::acp_http_sweep);
}

void AcpOverHttp::end_of_gone() {
  for (const auto& [id, link] : links_)
    if (!link->sessions->check(hub::Permission::enter)) link->close();
}

// ---- GET ----------------------------------------------------------------------------------------------------------------------

Task<void> AcpOverHttp::fetch(HttpExchange& exchange, SessionsPtr sessions) {
  const ServerRequest& request = exchange.request();
  const LinkPtr link = find(request, sessions);
  const std::string session = header_or(request, session_header);
  if (header_or(request, "Accept").find("text/event-stream") == std::string::npos) {
    static_cast<void>(co_await exchange.respond(plain(406, "Accept must name text/event-stream")));
    co_return;
  }
  if (!link || session.size() > limits::acp_http_id_bytes) {
    const bool named = request.header(connection_header) != nullptr;
    static_cast<void>(
        co_await exchange.respond(named ? plain(404, "Unknown Acp-Connection-Id") : plain(400, "Missing Acp-Connection-Id")));
    co_return;
  }
  const auto stream = link->stream(session);
  if (std::exchange(stream->read, true)) {
    static_cast<void>(co_await exchange.respond(plain(409, "Outbound stream already has an active receiver")));
    co_return;
  }
  struct Reading {
    HttpLinkStream& stream;
    ~Reading() { stream.read = false; }
  };
  const Reading reading{*stream};
  const InUse use(*link, loop_);
  if (!co_await exchange.begin(200, event_stream_headers())) co_return;
  // Keep-alive: proxies close a silent stream.
  while (!link->closed() || !stream->waiting.empty()) {
    if (stream->waiting.empty()) {
      if (co_await notified(stream->changed, loop_.now() + limits::sse_keep_alive)) continue;
      if (!co_await exchange.write(": keep-alive\n\n")) co_return;
      continue;
    }
    // After a failure, the next reader receives the message.
    if (!co_await exchange.write("data: " + stream->waiting.front() + "\n\n")) co_return;
    link->taken(stream->waiting.front().size());
    stream->waiting.pop_front();
  }
  static_cast<void>(co_await exchange.end());
}

}  // namespace parlance::face
