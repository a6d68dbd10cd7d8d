// SPDX-License-Identifier: Apache-2.0
#include "parlance/gateway/gateway.h"

#include <algorithm>
#include <sys/resource.h>
#include <utility>

#include "parlance/async/next_turn.h"
#include "parlance/base/log.h"
#include "parlance/gateway/http_errors.h"
#include "parlance/gateway/own_addresses.h"
#include "parlance/gateway/reply.h"
#include "parlance/gateway/security_headers.h"
#include "parlance/transport/http/http_source.h"

namespace parlance::gateway {
namespace {

constexpr auto expiry_look = std::chrono::seconds(1);

constexpr std::string_view metrics_media_type = "text/plain; version=0.0.4; charset=utf-8";

// The current user of a caller: a new connection with the same token and another role is not cut off together with the old.
std::string name_of(const hub::Caller& caller) {
  return caller.token.empty() ? "" : caller.token + ' ' + std::string(hub::to_string(caller.role)) + ' ' + caller.name;
}

// The only permission check for HTTP. The kind of a runner's token has been checked already.
bool permits(const Route& route, const hub::Caller* caller) {
  if (route.permission == hub::Permission::open) return true;
  if (caller == nullptr) return false;
  if (route.permission == hub::Permission::connect) return route.access == Access::runner;
  return hub::may_anywhere(caller->role, route.permission);
}

// Adds the common headers to each answer, and records its status.
class GuardedExchange final : public HttpExchange {
 public:
  explicit GuardedExchange(HttpExchange& inner) : inner_(inner) {}
  const ServerRequest& request() const override { return inner_.request(); }
  void trust(std::string who) override { inner_.trust(std::move(who)); }
  Task<Result<void>> respond(HttpReply reply) override {
    begin_answer(reply.status, reply.headers);
    return inner_.respond(std::move(reply));
  }
  Task<Result<void>> begin(int status, std::vector<HttpHeader> headers) override {
    begin_answer(status, headers);
    return inner_.begin(status, std::move(headers));
  }
  Task<Result<void>> write(std::string bytes) override { return inner_.write(std::move(bytes)); }
  Task<Result<void>> end() override { return inner_.end(); }
  Task<Result<std::unique_ptr<WebSocketFrames>>> upgrade(std::string_view subprotocol, std::vector<HttpHeader> headers) override {
    auto frames = co_await inner_.upgrade(subprotocol, std::move(headers));
    status_ = frames ? 101 : 400;
    co_return frames;
  }
  int status() const { return status_; }

 private:
  void begin_answer(int status, std::vector<HttpHeader>& headers) {
    status_ = status;
    // Only a well-formed Host may become part of a policy.
    const std::string* host = request().header("Host");
    add_security_headers(headers, host != nullptr && parse_authority(*host) ? std::string_view(*host) : std::string_view{});
  }
  HttpExchange& inner_;
  int status_ = 0;
};

// Counts early ends too: a disconnected client destroys the handler.
class Counted {
 public:
  Counted(RequestCounts& counts, const GuardedExchange& exchange) : counts_(counts), exchange_(exchange), began_(Clock::now()) {}
  ~Counted() { counts_.count(route, exchange_.status() != 0 ? exchange_.status() : client_closed, Clock::now() - began_); }
  std::string_view route = "none";

 private:
  static constexpr int client_closed = 499;  // nginx's code for a client that did not wait
  RequestCounts& counts_;
  const GuardedExchange& exchange_;
  TimePoint began_;
};

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::fine: return "fine";
    case Verdict::bad_host: return "bad_host";
    case Verdict::foreign_host: return "foreign_host";
    case Verdict::foreign_origin: return "foreign_origin";
    case Verdict::no_token: return "no_token";
    case Verdict::wrong_token: return "wrong_token";
    case Verdict::wrong_kind: return "wrong_kind";
  }
  return "";
}

// Shells start programs with 1024 descriptors and allow more on request. Besides connections, the store and the agents' pipes
// need descriptors. With a lower limit, the gateway accepts fewer connections: a descriptor for the store is worth more than
// another connection. The number stays below the limit, because containers may allow a thousand million, and programs of agents
// close all descriptors one by one.
std::size_t allowed_connections(std::size_t wanted) {
  constexpr rlim_t others = 1024;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  if (const rlim_t most = std::min<rlim_t>(wanted + others, limit.rlim_max); most > limit.rlim_cur) {
    rlimit more = limit;
    more.rlim_cur = most;
    if (::setrlimit(RLIMIT_NOFILE, &more) == 0) limit.rlim_cur = most;
  }
  return std::min<std::size_t>(wanted, limit.rlim_cur > 2 * others ? limit.rlim_cur - others : limit.rlim_cur / 2);
}

std::string bracketed(const std::string& host) { return host.find(':') == std::string::npos ? host : '[' + host + ']'; }

}  // namespace

Gateway::Gateway(Loop& loop, GatewaySettings settings)
    : loop_(loop), settings_(std::move(settings)), auth_(settings_.auth), started_(WallClock::now()), scope_(loop) {
  const auto page = [this](HttpExchange& exchange) -> Task<void> { co_await exchange.respond(page_.answer(exchange.request())); };
  routes_.on(address_in(own_addresses, "GET", "/"), page);
  routes_.on(address_in(own_addresses, "GET", "/assets/*"), page);
  routes_.on(address_in(own_addresses, "GET", "/sw.js"), page);
  routes_.on(address_in(own_addresses, "POST", "/session"), [this](HttpExchange& exchange) { return answer_session(exchange); });
  routes_.on(address_in(own_addresses, "DELETE", "/session"), [](HttpExchange& exchange) -> Task<void> {
    co_await exchange.respond(HttpReply{.status = 204}.with("Set-Cookie", PageCookie::taken_from(exchange.request())));
  });
  routes_.on(address_in(own_addresses, "GET", "/metrics"), [this](HttpExchange& exchange) -> Task<void> {
    co_await exchange.respond(HttpReply{.body = metrics_.text()}.with("Content-Type", std::string(metrics_media_type)));
  });
  metrics_.add([this](MetricsText& out) {
    out.gauge("parlance_http_connections", "Open connections.", static_cast<double>(server_->connections()));
    counts_.report(out);
    report_process(out, started_);
  });
}

Gateway::~Gateway() = default;

Task<void> Gateway::answer_session(HttpExchange& exchange) {
  const Shown shown = auth_.check_token(exchange.request(), Access::token);
  if (shown.verdict == Verdict::no_token) {
    co_await exchange.respond(json_reply(R"({"signed_in":false})"));
    co_return;
  }
  if (shown.verdict != Verdict::fine) {
    co_await exchange.respond(refuse(shown.verdict));
    co_return;
  }
  HttpReply reply = json_reply(R"({"signed_in":true})");
  if (auto cookie = auth_.cookie_for(exchange.request())) reply = std::move(reply).with("Set-Cookie", *std::move(cookie));
  else log(LogLevel::warn, "the page gets no cookie", {{"why", cookie.error().message}});
  co_await exchange.respond(std::move(reply));
}

// ---- the team ------------------------------------------------------------------------------------------------------------------

void Gateway::set_team(hub::TeamPtr team) {
  const bool first = !auth_.has_team();
  auth_.set_team(std::move(team));
  if (first && auth_.has_team()) scope_.start(watch_team());
  disconnect_denied_callers();
}

// An expiry is a change without a message.
Task<void> Gateway::watch_team() {
  for (;;) {
    co_await sleep_for(loop_, expiry_look);
    disconnect_denied_callers();
  }
}

void Gateway::disconnect_denied_callers() {
  const bool waits = !leaving_.empty();
  std::erase_if(callers_, [&](const auto& entry) {
    const bool gone = !auth_.is_current(*entry.second);
    if (gone) leaving_.insert(entry.first);
    return gone;
  });
  if (!waits && !leaving_.empty()) scope_.start(cut_off());
}

// In the next turn, because the sender of the change may work for one of the connections.
Task<void> Gateway::cut_off() {
  co_await next_turn(loop_);
  const auto out = std::exchange(leaving_, {});
  if (server_) server_->cut_off([&](const std::string& who) { return out.contains(who); });
}

Result<void> Gateway::start() {
  if (!is_loopback_name(settings_.listen.host)) {
    if (settings_.auth.token.empty())
      return fail(Errc::invalid_params,
                  "listening on " + settings_.listen.host + " needs a token: other machines can reach this address");
    if (!settings_.behind_proxy)
      return fail(Errc::invalid_params,
                  "listening on " + settings_.listen.host +
                      " would send tokens and messages unencrypted over the network: listen on 127.0.0.1, or put a TLS "
                      "proxy before the gateway and set --behind-proxy");
  }
  if (settings_.behind_proxy && settings_.auth.hosts.empty())
    return fail(Errc::invalid_params, "--behind-proxy needs the name of the proxy: --allow-host=NAME");
  auth_.answers_to(settings_.listen.host);
  settings_.http.connections = allowed_connections(settings_.http.connections);
  PARLANCE_TRY(server, HttpServer::listen(
                           loop_, settings_.listen, [this](HttpExchange& exchange) { return handle(exchange); }, settings_.http,
                           [this](const ServerRequest& head) { return !draining_ && admit(head).granted(); }));
  server_ = std::move(server);
  return {};
}

Task<void> Gateway::drain(TimePoint deadline) {
  draining_ = true;
  if (server_) co_await server_->drain(deadline);
}

std::string Gateway::address() const { return bracketed(settings_.listen.host) + ':' + std::to_string(port()); }
std::string Gateway::url() const {
  // Clients cannot open "0.0.0.0"; this machine answers to its loopback name too.
  const bool any = settings_.listen.host == "0.0.0.0" || settings_.listen.host == "::";
  return "http://" + (any ? "localhost:" + std::to_string(port()) : address()) + '/';
}
std::string Gateway::public_url() const {
  return settings_.behind_proxy && !settings_.auth.hosts.empty() ? "https://" + settings_.auth.hosts.front() + '/' : url();
}
std::string Gateway::page_url() const {
  return settings_.auth.token.empty() ? public_url() : public_url() + "#token=" + percent_encode(settings_.auth.token);
}

HttpReply Gateway::refuse(Verdict verdict) {
  counts_.refused(name_of(verdict));
  switch (verdict) {
    case Verdict::bad_host: return error_reply(400, "bad_host", "The request has no usable Host header.");
    case Verdict::foreign_host:
      return error_reply(403, "host_not_allowed",
                         "The gateway does not answer to this host name. Use localhost, or add the name to its settings.");
    case Verdict::foreign_origin: return error_reply(403, "origin_not_allowed", "Pages of other sites may not use the gateway.");
    default: break;
  }
  if (verdict == Verdict::wrong_kind)
    return error_reply(403, "token_of_another_kind",
                       "This token is of the wrong kind for this address: a runner's token opens /runner only, a person's "
                       "token opens all other addresses. `parlance tokens list` shows the kinds.");
  return error_reply(
             401, verdict == Verdict::no_token ? "token_missing" : "token_wrong",
             "The gateway's token is required: Authorization: Bearer TOKEN. The printed address of the page contains the token.")
      .with("WWW-Authenticate", "Bearer realm=parlance");
}

Gateway::Admission Gateway::admit(const ServerRequest& head) const {
  Admission admission{.match = routes_.find(head.method, head.path)};
  const Route* const route = admission.match.route;
  admission.source = route != nullptr && route->access == Access::probe ? Verdict::fine : auth_.check_source(head);
  if (admission.source != Verdict::fine) return admission;
  if (route == nullptr) return admission;
  admission.shown = auth_.check_token(head, route->access);
  admission.permitted = admission.shown.verdict == Verdict::fine && permits(*route, admission.shown.caller.get());
  return admission;
}

Task<void> Gateway::handle(HttpExchange& bare) {
  GuardedExchange exchange(bare);
  Counted counted(counts_, exchange);
  const ServerRequest& request = exchange.request();
  const auto answer = [&exchange](HttpReply reply) { return exchange.respond(std::move(reply)); };

  const Admission admission = admit(request);
  if (admission.source != Verdict::fine) {
    log(LogLevel::warn, "turned away a request", {{"why", std::string(name_of(admission.source))}, {"peer", request.peer}});
    co_await answer(refuse(admission.source));
    co_return;
  }
  const Route* const route = admission.match.route;
  if (route == nullptr) {
    co_await answer(unrouted_reply(request.method, admission.match.allow, "No such address."));
    co_return;
  }
  counted.route = route->path;
  if (admission.shown.verdict != Verdict::fine) {
    co_await answer(refuse(admission.shown.verdict));
    co_return;
  }
  const hub::CallerPtr caller = admission.shown.caller;
  if (!admission.permitted) {
    const hub::TeamRole role = caller == nullptr ? hub::TeamRole::viewer : caller->role;
    co_await answer(error_reply({.code = Errc::denied, .message = std::string(hub::refusal_for(role, route->permission))}));
    co_return;
  }
  if (caller != nullptr) bare.trust(name_of(*caller));
  if (caller != nullptr && !caller->token.empty()) callers_.insert_or_assign(name_of(*caller), caller);
  if (draining_) {
    co_await answer(error_reply(503, "draining", "The gateway is ending.").with("Retry-After", "1"));
    co_return;
  }
  if (route->is_socket && !request.wants_websocket) {
    co_await answer(error_reply(426, "websocket_needed", "This address speaks WebSocket.")
                        .with("Upgrade", "websocket")
                        .with("Connection", "Upgrade"));
    co_return;
  }
  co_await route->handler(exchange, caller);
}

}  // namespace parlance::gateway
