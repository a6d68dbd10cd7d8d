// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/mcp/http_endpoint.h"

#include <algorithm>
#include <utility>

#include "parlance/base/secret.h"
#include "parlance/base/text.h"
#include "parlance/protocol/mcp/http_session.h"
#include "parlance/protocol/mcp/limits.h"
#include "parlance/transport/http/http_source.h"

namespace parlance::mcp {
namespace {

HttpReply json_reply(int status, std::string body) {
  return HttpReply{.status = status, .body = std::move(body)}
      .with("Content-Type", "application/json")
      .with("Cache-Control", "no-store");
}
HttpReply refusal(int status, const std::string& id_json, long number, std::string_view message) {
  return json_reply(status, jsonrpc::error_reply(id_json, number, message));
}
HttpReply refusal(int status, const std::string& id_json, const Error& error) {
  return json_reply(status, jsonrpc::error_reply(id_json, jsonrpc::exact_code(error).value_or(jsonrpc::code_of(error.code)),
                                                 error.message, jsonrpc::exact_data(error)));
}

std::vector<HttpHeader> stream_headers(const std::string& session) {
  std::vector<HttpHeader> headers = event_stream_headers();
  if (!session.empty()) headers.push_back({"Mcp-Session-Id", session});
  return headers;
}

std::string_view header_or(const ServerRequest& request, std::string_view name) {
  const std::string* value = request.header(name);
  return value == nullptr ? std::string_view{} : trim(*value);
}

// Clients should accept both forms; a client that names only JSON gets JSON.
bool accepts_streams(const ServerRequest& request) {
  const std::string* accept = request.header("Accept");
  return accept == nullptr || accept->find("text/event-stream") != std::string::npos || accept->find("*/*") != std::string::npos;
}

bool is_request_id(std::string_view json) {
  return json.starts_with('"') || (json.find_first_not_of("-0123456789") == std::string_view::npos && !json.empty());
}

// The HTTP status of an error reply of 2026-07-28.
int status_of(long error_code, bool refused_envelope) {
  switch (error_code) {
    case 0: return 200;
    case code::method_not_found: return 404;
    case code::parse_error:
    case code::invalid_request:
    case code::header_mismatch:
    case code::missing_capability:
    case code::unsupported_version: return 400;
    default: return refused_envelope ? 400 : 200;
  }
}

// Permits the requesting page to read the answers.
class OpenToOrigin final : public HttpExchange {
 public:
  OpenToOrigin(HttpExchange& inner, bool open) : inner_(inner) {
    const auto origin = only_header(inner.request(), "Origin");
    if (!open || !origin) return;
    headers_.push_back({"Access-Control-Allow-Origin", std::string(*origin)});
    headers_.push_back({"Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate"});
    headers_.push_back({"Vary", "Origin"});
  }
  const ServerRequest& request() const override { return inner_.request(); }
  void trust(std::string who) override { inner_.trust(std::move(who)); }
  Task<Result<void>> respond(HttpReply reply) override {
    reply.headers.insert(reply.headers.end(), headers_.begin(), headers_.end());
    return inner_.respond(std::move(reply));
  }
  Task<Result<void>> begin(int status, std::vector<HttpHeader> headers) override {
    headers.insert(headers.end(), headers_.begin(), headers_.end());
    return inner_.begin(status, std::move(headers));
  }
  Task<Result<void>> write(std::string bytes) override { return inner_.write(std::move(bytes)); }
  Task<Result<void>> end() override { return inner_.end(); }
  Task<Result<std::unique_ptr<WebSocketFrames>>> upgrade(std::string_view subprotocol, std::vector<HttpHeader> headers) override {
    return inner_.upgrade(subprotocol, std::move(headers));
  }

 private:
  HttpExchange& inner_;
  std::vector<HttpHeader> headers_;
};

}  // namespace

HttpEndpoint::HttpEndpoint(Loop& loop, Server& server, HttpEndpointSettings settings)
    : loop_(loop), server_(server), settings_(std::move(settings)) {}

HttpEndpoint::~HttpEndpoint() {
  for (auto& [id, session] : sessions_) session->close();
}

// Pages of this machine have their own ports (for example the Inspector): only the host names are compared.
bool HttpEndpoint::is_ours(const ServerRequest& request) const {
  const auto known = [&](const Authority& at) {
    return is_loopback_name(at.name) || std::any_of(settings_.hosts.begin(), settings_.hosts.end(),
                                                    [&](const auto& name) { return equal_ignoring_case(name, at.name); });
  };
  const auto host = parse_authority(only_header(request, "Host").value_or(""));
  if (!host || !known(*host)) return false;
  if (!has_header(request, "Origin")) return true;
  const auto origin = parse_origin(only_header(request, "Origin").value_or(""));
  return origin && known(origin->at);
}

bool HttpEndpoint::has_token(const ServerRequest& request) const {
  return settings_.token.empty() || equal_in_constant_time(header_or(request, "Authorization"), "Bearer " + settings_.token);
}

// A browser asks first before a page of another port may speak. Pages without a token get no leave: any program's page on this machine
// could write to the databases.
Task<void> HttpEndpoint::preflight(HttpExchange& exchange) {
  if (settings_.token.empty()) {
    static_cast<void>(co_await exchange.respond(refusal(403, "", -32000, "pages in browsers need a server with a token")));
    co_return;
  }
  HttpReply reply{.status = 204};
  reply.headers.push_back({"Access-Control-Allow-Methods", "GET, POST, DELETE"});
  reply.headers.push_back({"Access-Control-Allow-Headers",
                           "Accept, Authorization, Content-Type, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, "
                           "Mcp-Session-Id"});
  static_cast<void>(co_await exchange.respond(std::move(reply)));
}

Task<void> HttpEndpoint::handle(HttpExchange& outer) {
  OpenToOrigin exchange(outer, !settings_.token.empty());
  const ServerRequest& request = exchange.request();
  if (!is_ours(request)) {
    static_cast<void>(co_await exchange.respond(refusal(403, "", -32000, "this host or origin may not speak to this server")));
  } else if (!settings_.path.empty() && request.path != settings_.path) {
    static_cast<void>(co_await exchange.respond({.status = 404, .body = "not found\n"}));
  } else if (request.method == "OPTIONS") {
    co_await preflight(exchange);
  } else if (!has_token(request)) {
    static_cast<void>(
        co_await exchange.respond(HttpReply{.status = 401, .body = "a token is required\n"}.with("WWW-Authenticate", "Bearer")));
  } else if (request.method == "POST") {
    co_await post(exchange);
  } else if (request.method == "GET") {
    co_await get(exchange);
  } else if (request.method == "DELETE") {
    co_await end_session(exchange);
  } else {
    static_cast<void>(co_await exchange.respond(HttpReply{.status = 405}.with("Allow", "GET, POST, DELETE")));
  }
}

Task<void> HttpEndpoint::post(HttpExchange& exchange) {
  const ServerRequest& request = exchange.request();
  if (!is_media_type(only_header(request, "Content-Type").value_or(""), "application/json")) {
    static_cast<void>(co_await exchange.respond(refusal(415, "", -32000, "Content-Type must be application/json")));
    co_return;
  }
  if (request.body.size() > limits::mcp_body_bytes) {
    static_cast<void>(co_await exchange.respond(refusal(413, "", code::invalid_request, "the message is too long")));
    co_return;
  }
  Result<Outline> message = outline(request.body);
  if (!message) {
    static_cast<void>(co_await exchange.respond(refusal(400, "", code::parse_error, message.error().message)));
    co_return;
  }
  if (!message->is_object) {
    static_cast<void>(
        co_await exchange.respond(refusal(400, "", code::invalid_request, "one message a request: batches are not taken")));
    co_return;
  }
  if (message->has_id() && !message->method.empty() && !is_request_id(message->id_json)) {
    static_cast<void>(co_await exchange.respond(refusal(400, "", code::invalid_request, "\"id\" must be text or an integer")));
    co_return;
  }
  // 202 would let the client wait for a reply.
  if (message->method.empty() && !message->is_reply) {
    const std::string id = is_request_id(message->id_json) ? message->id_json : "";
    static_cast<void>(co_await exchange.respond(
        refusal(400, id, code::invalid_request, "neither a request nor a reply: \"method\" must be text")));
    co_return;
  }
  const std::string_view version = header_or(request, "MCP-Protocol-Version");
  const bool session = request.header("Mcp-Session-Id") != nullptr;
  const bool modern =
      version == modern_version ||
      (message->method != "initialize" && (message->version || (!session && !version.empty() && !is_legacy_version(version)) ||
                                           (!session && request.header("Mcp-Method") != nullptr && !is_legacy_version(version))));
  if (modern) co_await modern_post(exchange, *std::move(message));
  else co_await legacy_post(exchange, *std::move(message));
}

// ---- 2026-07-28 --------------------------------------------------------------------------------------------------------------

Task<void> HttpEndpoint::modern_post(HttpExchange& exchange, Outline message) {
  const ServerRequest& request = exchange.request();
  const std::string_view version = header_or(request, "MCP-Protocol-Version");
  const auto check = [&]() -> Result<void> {
    if (version.empty()) return fail(jsonrpc::with_code(code::header_mismatch, "the header MCP-Protocol-Version is missing"));
    if (message.version && *message.version != version)
      return fail(jsonrpc::with_code(code::header_mismatch, "the header MCP-Protocol-Version says " + std::string(version) +
                                                                ", the body " + *message.version));
    if (version != modern_version) return fail(unsupported_version(version));
    if (!message.has_id()) return {};  // notifications need nothing else
    if (message.method == method::initialize.method)
      return fail(Errc::unknown_method, "initialize is not part of " + std::string(modern_version));
    const Tool* tool = message.method == "tools/call" ? server_.find_tool(message.name) : nullptr;
    return check_headers(request.headers, message, tool == nullptr ? nullptr : &tool->input_schema);
  };
  if (const Result<void> fine = check(); !fine) {
    const int status = fine.error().code == Errc::unknown_method ? 404 : 400;
    static_cast<void>(co_await exchange.respond(refusal(status, message.id_json, fine.error())));
    co_return;
  }
  if (!message.has_id() || message.method.empty()) {  // without a session, the message has no target
    static_cast<void>(co_await exchange.respond({.status = 202}));
    co_return;
  }

  EventStream stream(loop_, "");
  long error_code = 0;
  auto route = std::make_shared<Route>();
  auto frames = std::make_unique<MessageFrames>(loop_, "http " + request.peer, route, [&](const Route& to, std::string frame) {
    const bool reply = to.what == Route::What::reply;
    if (reply) error_code = to.error_code;
    stream.add(std::move(frame), reply);
    if (reply) stream.finish();
  });
  // The input stays open during the call: otherwise the call could not report its progress.
  frames->receive(request.body);
  Session session(loop_, server_, std::move(frames), server_.router(), {.era = Era::modern, .route = route});
  Scope scope(loop_);
  const auto run = [](Session& session, EventStream& to) -> Task<void> {
    static_cast<void>(co_await session.run());
    to.finish();
  };
  scope.start(run(session, stream));
  co_await stream.wait(loop_.now() + limits::mcp_begin_stream);
  if (!accepts_streams(request))
    while (!stream.finished()) co_await stream.wait_for_end();
  if (const std::string* reply = accepts_streams(request) ? stream.lone_reply() : stream.reply()) {
    static_cast<void>(co_await exchange.respond(json_reply(status_of(error_code, session.refused_envelope()), *reply)));
  } else if (co_await exchange.begin(200, stream_headers(""))) {
    static_cast<void>(co_await stream.send(exchange, 0, false));
  }
}

// ---- sessions up to 2025-11-25 -------------------------------------------------------------------------------------------------

HttpEndpoint::SessionPtr HttpEndpoint::begin_session() {
  if (!sweep()) return nullptr;
  auto session = std::make_shared<HttpSession>(loop_, server_, make_token());
  sessions_.emplace(session->id, session);
  return session;
}

// Removes long unused sessions, and above the limit the longest idle session.
bool HttpEndpoint::sweep() {
  std::erase_if(sessions_, [&](const auto& entry) {
    if (entry.second->exchanges != 0 || loop_.now() - entry.second->last_used < limits::mcp_http_session_idle) return false;
    entry.second->close();
    return true;
  });
  while (sessions_.size() >= limits::mcp_http_sessions) {
    const auto order = [](const auto& entry) { return std::pair(entry.second->exchanges != 0, entry.second->last_used); };
    const auto oldest = std::ranges::min_element(sessions_, {}, order);
    if (oldest->second->exchanges != 0) return false;
    oldest->second->close();
    sessions_.erase(oldest);
  }
  return true;
}

Task<HttpEndpoint::SessionPtr> HttpEndpoint::session_for(HttpExchange& exchange) {
  const ServerRequest& request = exchange.request();
  const std::string_view id = header_or(request, "Mcp-Session-Id");
  const std::string_view version = header_or(request, "MCP-Protocol-Version");
  SessionPtr found;
  if (id.empty()) {
    static_cast<void>(co_await exchange.respond(refusal(400, "", -32000, "the header Mcp-Session-Id is required")));
  } else if (const auto at = sessions_.find(id); at == sessions_.end()) {
    static_cast<void>(co_await exchange.respond(refusal(404, "", -32001, "no such session")));
  } else if (!version.empty() && !is_legacy_version(version)) {
    static_cast<void>(co_await exchange.respond(
        refusal(400, "", -32000, "unsupported MCP-Protocol-Version " + std::string(version) + " in a session")));
  } else {
    found = at->second;
    found->last_used = loop_.now();
  }
  co_return found;
}

Task<void> HttpEndpoint::legacy_post(HttpExchange& exchange, Outline message) {
  const ServerRequest& request = exchange.request();
  SessionPtr session;
  if (message.method != "initialize" || request.header("Mcp-Session-Id") != nullptr) session = co_await session_for(exchange);
  else if (session = begin_session(); session == nullptr)
    static_cast<void>(
        co_await exchange.respond(refusal(503, message.id_json, -32000, "too many sessions are in use: try again later")));
  if (session == nullptr) co_return;
  if (!message.has_id() || message.method.empty()) {
    session->frames->receive(request.body);
    // A cancelled request gets no reply; its stream ends here.
    if (message.method == method::cancelled && !message.has_id()) session->end_stream(message.cancelled_json);
    static_cast<void>(co_await exchange.respond({.status = 202}));
    co_return;
  }
  auto stream = session->begin_stream(message.id_json);
  if (!stream) {
    static_cast<void>(co_await exchange.respond(refusal(400, message.id_json, stream.error())));
    co_return;
  }
  session->frames->receive(request.body);
  co_await answer(exchange, session, *std::move(stream));
}

Task<void> HttpEndpoint::answer(HttpExchange& exchange, SessionPtr session, std::shared_ptr<EventStream> stream) {
  HttpSession::Use use(*session);
  co_await stream->wait(loop_.now() + limits::mcp_begin_stream);
  const bool streams = accepts_streams(exchange.request());
  if (!streams)
    while (!stream->finished()) co_await stream->wait_for_end();
  if (const std::string* reply = streams ? stream->lone_reply() : stream->reply()) {
    const std::string text = *reply;
    static_cast<void>(co_await exchange.respond(json_reply(200, text).with("Mcp-Session-Id", session->id)));
    // A lost client could return for the reply; this client has received the reply.
    session->forget(stream);
  } else if (co_await exchange.begin(200, stream_headers(session->id))) {
    // Clients of older revisions take an event without data for a broken message.
    const bool sent = (co_await stream->send(exchange, 0, session->peer->version() >= "2025-11-25")).has_value();
    if (sent && stream->finished()) session->forget(stream);
  }
}

Task<void> HttpEndpoint::get(HttpExchange& exchange) {
  const ServerRequest& request = exchange.request();
  if (header_or(request, "MCP-Protocol-Version") == modern_version) {
    static_cast<void>(co_await exchange.respond(HttpReply{.status = 405}.with("Allow", "POST")));
    co_return;
  }
  const SessionPtr session = co_await session_for(exchange);
  if (session == nullptr) co_return;
  if (!accepts_streams(request)) {
    static_cast<void>(
        co_await exchange.respond(refusal(406, "", -32000, "this is a stream: Accept must have text/event-stream")));
    co_return;
  }
  auto [stream, from] = session->find_stream(header_or(request, "Last-Event-ID"));
  HttpSession::Use use(*session);
  if (!co_await exchange.begin(200, stream_headers(session->id))) co_return;
  const bool sent = (co_await stream->send(exchange, from, session->peer->version() >= "2025-11-25")).has_value();
  if (sent && stream->finished()) session->forget(stream);
}

Task<void> HttpEndpoint::end_session(HttpExchange& exchange) {
  if (header_or(exchange.request(), "MCP-Protocol-Version") == modern_version) {
    static_cast<void>(co_await exchange.respond(HttpReply{.status = 405}.with("Allow", "POST")));
    co_return;
  }
  const SessionPtr session = co_await session_for(exchange);
  if (session == nullptr) co_return;
  sessions_.erase(session->id);
  session->close();
  static_cast<void>(co_await exchange.respond({.status = 200}));
}

}  // namespace parlance::mcp
