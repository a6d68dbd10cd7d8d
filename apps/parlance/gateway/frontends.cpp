// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/gateway/frontends.h"

#include <algorithm>

#include "apps/parlance/gateway/addresses.h"
#include "parlance/codec/json/typed.h"
#include "parlance/driver/acp/offer.h"
#include "parlance/gateway/http_errors.h"
#include "parlance/gateway/reply.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/runtime/snapshot.h"
#include "parlance/transport/http/http_source.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::app {
namespace {

using gateway::MetricsText;

// A runner in the form for `parlance doctor`.
struct RunnerBody {
  std::string name{};
  std::string account{};
  std::string state{};
  std::string since{};
  std::string version{};
  std::vector<std::string> agents{};
  std::vector<std::string> folders{};
  static constexpr auto wire = wire::fields(
      wire::field<&RunnerBody::name>("name", "Name of the runner."),
      wire::field<&RunnerBody::account>("account", "Account of the runner's agents, as user@host."),
      wire::field<&RunnerBody::state>("state", "State of the connection: here, elsewhere (at another gateway) or gone."),
      wire::field<&RunnerBody::since>("since", "Time of the last change of the state, RFC 3339 in UTC."),
      wire::field<&RunnerBody::version>("version", "Version of parlance on the runner. Empty: the runner reports no version."),
      wire::field<&RunnerBody::agents>("agents", "Ids of the agents that the runner offers."),
      wire::field<&RunnerBody::folders>("folders", "Offered folders. Agents work in these folders and below."));
};

// A runner's account, machine and folders are its user's to know, and an admin's.
std::vector<RunnerBody> bodies_of(const driver::Runners& runners, const hub::Caller& caller) {
  using State = driver::KnownRunner::State;
  std::vector<RunnerBody> all;
  for (const driver::KnownRunner* const runner : runners.all()) {
    if (runner->offer.name.empty()) continue;  // refused before its registration
    if (runner->user != caller.user && !hub::may_anywhere(caller.role, hub::Permission::administer)) continue;
    RunnerBody body{.name = runner->offer.name,
                    .account = driver::account_of(runner->offer),
                    .state = runner->state == State::connected             ? "here"
                             : runner->state == State::connected_elsewhere ? "elsewhere"
                                                                           : "gone",
                    .since = runner->since,
                    .version = runner->offer.version.value_or(""),
                    .folders = runner->offer.folders};
    for (const acp::OfferedAgent& agent : runner->offer.agents) body.agents.push_back(agent.id);
    all.push_back(std::move(body));
  }
  return all;
}

struct HealthBody {
  std::string status{};
  std::string version{};
  std::int64_t uptime_s = 0;
  std::vector<wire::Raw> services{};
  std::optional<SharedState> gateway{};
  std::vector<RunnerBody> runners{};
  static constexpr auto wire = wire::fields(
      wire::field<&HealthBody::status>("status", "State of the gateway: ok, or degraded while a service is down."),
      wire::field<&HealthBody::version>("version", "Version of the gateway."),
      wire::field<&HealthBody::uptime_s>("uptime_s", "Seconds since the start of the gateway."),
      wire::field<&HealthBody::services>("services", "Services of the gateway with their states."),
      wire::field<&HealthBody::gateway>(
          "gateway", "State of this gateway among the gateways of a shared database. Absent: the database is not shared."),
      wire::field<&HealthBody::runners>("runners", "Runners with their states. Users see their own runners, admins see all."));
};

// Addresses of the deployed gateway without an equivalent here: the answer says so, instead of "not found".
constexpr std::string_view no_processes =
    "Running processes by HTTP is not part of this gateway. Agents run commands as tools, under its rules.";
constexpr std::string_view no_scheduler =
    "A scheduler is not part of this gateway. Use the scheduler of the system, and /v1/chat/completions.";
constexpr std::string_view other_api =
    "This gateway serves the chat completions API: POST /v1/chat/completions, POST /v1/embeddings, GET /v1/models. Choose that API "
    "in the client (wire_api = chat in Codex). The Responses, Completions and Messages APIs are not served.";
constexpr std::string_view no_telegram = "Telegram is not part of this gateway.";

Task<void> answer_with(HttpExchange& exchange, HttpReply reply) { co_await exchange.respond(std::move(reply)); }

constexpr std::size_t recent_conversations = 1000;

// Of recent conversations: each folder once, the latest first.
std::vector<std::string> folders_of_conversations(const hub::UserHub& hub) {
  std::vector<std::string> folders;
  for (const hub::Conversation& conversation : hub.list("", recent_conversations).conversations)
    if (!conversation.runner && !conversation.folder.empty() && std::ranges::find(folders, conversation.folder) == folders.end())
      folders.push_back(conversation.folder);
  return folders;
}

// A program next to the gateway with the token of this machine, such as an editor. Browsers send an Origin in each handshake, and
// a proxy makes every client appear local.
face::WebviewPeer peer_of(const ServerRequest& request, const hub::Caller& caller, bool behind_proxy) {
  const bool near = request.peer.starts_with("127.") || request.peer.starts_with("[::1]:");
  const bool is_own = caller.user.empty() && caller.token.empty();
  return near && is_own && !behind_proxy && !has_header(request, "Origin") ? face::WebviewPeer::this_machine
                                                                           : face::WebviewPeer::network;
}

face::PageSettings with_capabilities(const GatewayFrontendsSettings& all) {
  face::PageSettings settings = all.page;
  settings.capabilities.emplace_back("memory");
  settings.capabilities.emplace_back("usage");
  if (!all.databases.helper.empty()) settings.capabilities.emplace_back("databases");
  if (!all.doctor.command.empty()) settings.capabilities.emplace_back("doctor");
  if (!settings.models.folder.empty()) settings.capabilities.emplace_back("models");
  if (settings.push.subscriptions != nullptr) settings.capabilities.emplace_back("push");
  if (settings.mcp != nullptr) settings.capabilities.emplace_back("mcp");
  settings.capabilities.emplace_back("setup");
  return settings;
}

double number(std::uint64_t value) { return static_cast<double>(value); }

}  // namespace

GatewayFrontends::GatewayFrontends(Loop& loop, hub::Hub& hub, agent::ChatBackend& chat, agent::AgentBackend& agent,
                                   GatewayFrontendsSettings settings)
    : loop_(loop),
      hub_(hub),
      version_(settings.page.version),
      shared_(std::move(settings.shared)),
      started_(Clock::now()),
      models_(hub, chat),
      chats_(loop, {.folder = settings.page.default_folder,
                    .page_url = [this] { return gateway_.public_url(); },
                    .new_id = settings.openai.new_id,
                    .own = &chat}),
      openai_(loop, chats_, chat, models_, with_pages(std::move(settings.openai))),
      embeddings_(loop, std::move(settings.embed_service)),
      memory_(agent),
      doctor_(loop, settings.doctor, [this] { return gateway_.address(); }),
      gateway_(loop, std::move(settings.gateway)),
      pages_(loop, with_capabilities(settings), &agent),
      webviews_(loop, {.version = version_,
                       .home = settings.page.home,
                       .default_folder = settings.page.default_folder,
                       .agent = settings.default_agent,
                       .state_folder = settings.databases.own_folder,
                       .language = settings.language}),
      chat_sockets_(loop, chats_, models_),
      own_sessions_(hub),
      acp_(loop, own_sessions_,
           {.version = version_, .home = settings.page.home, .folder = settings.page.default_folder, .alone = false}),
      acp_http_(loop, acp_),
      subscriptions_(settings.page.push.subscriptions),
      sender_(settings.push_sender),
      runners_(loop, hub, version_),
      databases_(loop, std::move(settings.databases)) {
  add_routes();
  add_metrics();
}

Result<void> GatewayFrontends::start() {
  PARLANCE_TRY_DO(gateway_.start());
  update_notifiers();
  return {};
}

void GatewayFrontends::set_team(const hub::TeamPtr& team) {
  gateway_.set_team(team);
  acp_http_.end_of_gone();
  update_notifiers();
}

// Each user's notifications follow the current state of the user.
void GatewayFrontends::update_notifiers() {
  if (sender_ == nullptr || subscriptions_ == nullptr) return;
  std::map<std::string, hub::CallerPtr, std::less<>> wanted{{"", hub::person_of_this_machine()}};
  if (const hub::TeamPtr& team = hub_.team())
    for (const hub::User& user : team->users)
      if (!user.disabled)
        wanted[user.id] = std::make_shared<const hub::Caller>(hub::Caller{.user = user.id, .name = user.name, .role = user.role});
  std::erase_if(notifiers_, [&](const auto& notifier) {
    const auto is = wanted.find(notifier.first);
    return is == wanted.end() || *is->second != notifier.second.caller();
  });
  for (const auto& [user, caller] : wanted) {
    const auto is_page_visible = [this, user] { return pages_.is_page_visible(user); };
    const auto [notifier, is_new] = notifiers_.try_emplace(user, loop_, hub_of(caller), *subscriptions_, *sender_,
                                                           face::PushNotifierSettings{.is_page_visible = is_page_visible});
    if (is_new) notifier->second.start();
  }
}

std::shared_ptr<face::AcpSessions> GatewayFrontends::acp_sessions_of(const hub::CallerPtr& caller) {
  if (caller->user.empty()) return {std::shared_ptr<void>(), &own_sessions_};
  std::erase_if(acp_sessions_, [](const auto& acp_session) { return acp_session.second.expired(); });
  for (const auto& [whose, known] : acp_sessions_)
    if (whose == *caller) return known.lock();
  auto sessions = std::make_shared<face::HubSessions>(hub_of(caller));
  acp_sessions_.emplace_back(*caller, sessions);
  return sessions;
}

GatewayFrontends::~GatewayFrontends() = default;

face::OpenAiSettings GatewayFrontends::with_pages(face::OpenAiSettings settings) {
  settings.has_page = [this](const std::string& user) { return pages_.has_page(user); };
  return settings;
}

void GatewayFrontends::add_routes() {
  gateway::Routes& routes = gateway_.routes();
  routes.on(served("GET", "/ws"), [this](HttpExchange& exchange, hub::CallerPtr caller) -> Task<void> {
    auto frames = co_await exchange.upgrade(page::subprotocol);
    if (frames) pages_.serve(*std::move(frames), hub_of(std::move(caller)));
  });
  routes.on(served("GET", "/webview"), [this](HttpExchange& exchange, hub::CallerPtr caller) -> Task<void> {
    const face::WebviewPeer peer = peer_of(exchange.request(), *caller, gateway_.behind_proxy());
    auto frames = co_await exchange.upgrade(page::subprotocol);
    if (frames) webviews_.serve(*std::move(frames), hub_of(std::move(caller)), peer);
  });
  routes.on(served("GET", "/runner"), [this](HttpExchange& exchange, hub::CallerPtr caller) -> Task<void> {
    auto frames = co_await exchange.upgrade("");
    if (frames) runners_.serve(*std::move(frames), std::move(caller));
  });
  // Deployed clients offer no subprotocol; browsers that send the token as a subprotocol need ours in the answer.
  routes.on(served("GET", "/ws/chat"), [this](HttpExchange& exchange, hub::CallerPtr caller) -> Task<void> {
    auto frames = co_await exchange.upgrade(page::subprotocol);
    if (frames) chat_sockets_.serve(*std::move(frames), hub_of(std::move(caller)));
  });
  // A WebSocket, or single requests, with the same permissions.
  routes.on(served("*", "/acp"), [this](HttpExchange& exchange, const hub::CallerPtr& caller) {
    return acp_http_.handle(exchange, acp_sessions_of(caller));
  });
  routes.on(served("POST", "/v1/chat/completions"), [this](HttpExchange& exchange, hub::CallerPtr caller) {
    return openai_.create(exchange, hub_of(std::move(caller)));
  });
  routes.on(served("POST", "/v1/embeddings"), [this](HttpExchange& exchange) { return embeddings_.create(exchange); });
  routes.on(served("GET", "/v1/models"), [this](HttpExchange& exchange) { return openai_.list_models(exchange); });
  routes.on(served("GET", "/v1/models/*"), [this](HttpExchange& exchange) { return openai_.show_model(exchange); });
  routes.on(served("GET", "/attachments/*"), [this](HttpExchange& exchange, hub::CallerPtr caller) {
    return attachments_.get(exchange, hub_of(std::move(caller)));
  });
  add_memory_routes(routes);
  add_machine_routes(routes);
  add_left_out(routes);
}

void GatewayFrontends::add_left_out(gateway::Routes& routes) {
  const auto left_out = [&](const gateway::Address& address, std::string_view reason) {
    routes.on(address, [reason](HttpExchange& exchange) {
      return answer_with(exchange, gateway::error_reply(404, "not_served", reason));
    });
  };
  for (const gateway::Address& address : {served("*", "/v1/responses"), served("*", "/v1/responses/*"),
                                          served("*", "/v1/completions"), served("*", "/v1/messages")})
    left_out(address, other_api);
  left_out(served("*", "/process"), no_processes);
  left_out(served("*", "/process/*"), no_processes);
  left_out(served("*", "/cron"), no_scheduler);
  left_out(served("*", "/cron/*"), no_scheduler);
  left_out(served("*", "/telegram"), no_telegram);
  left_out(served("*", "/telegram/*"), no_telegram);
}

void GatewayFrontends::add_memory_routes(gateway::Routes& routes) {
  const auto of_caller = [&](const gateway::Address& address,
                             Task<void> (face::MemoryOverHttp::*answer)(HttpExchange&, std::string)) {
    routes.on(address, [this, answer](HttpExchange& exchange, const hub::CallerPtr& caller) {
      return (memory_.*answer)(exchange, caller->user);
    });
  };
  of_caller(served("GET", "/memory/search"), &face::MemoryOverHttp::search);
  of_caller(served("GET", "/memory/get"), &face::MemoryOverHttp::get);
  of_caller(served("POST", "/memory/store"), &face::MemoryOverHttp::store);
  of_caller(served("GET", "/memory/list"), &face::MemoryOverHttp::list);
  of_caller(served("DELETE", "/memory/forget"), &face::MemoryOverHttp::forget);
  of_caller(served("GET", "/storage/stats"), &face::MemoryOverHttp::stats);
}

// Routes of this machine, independent of conversations.
void GatewayFrontends::add_machine_routes(gateway::Routes& routes) {
  routes.on(served("GET", "/databases"), [this](HttpExchange& exchange, hub::CallerPtr caller) {
    return databases_.list(exchange, folders_of_conversations(hub_of(std::move(caller))));
  });
  // Only the person of this machine may open the state folder.
  routes.on(served("GET", "/sqlite"), [this](HttpExchange& exchange, const hub::CallerPtr& caller) {
    return databases_.open(exchange, caller->user.empty() ? server::OwnFolder::read : server::OwnFolder::closed);
  });
  routes.on(served("GET", "/doctor"), [this](HttpExchange& exchange) { return doctor_.get(exchange); });
  // For load balancers: says only whether to send clients here.
  routes.on(served("GET", "/ready"), [this](HttpExchange& exchange) -> Task<void> {
    const bool is_cut_off = shared_ && shared_().following == "off";
    co_await exchange.respond({.status = draining_ || is_cut_off ? 503 : 200});
  });
  routes.on(served("GET", "/health"),
            [this](HttpExchange& exchange, hub::CallerPtr caller) { return health(exchange, std::move(caller)); });
}

void GatewayFrontends::add_metrics() {
  gateway_.metrics().add([this](MetricsText& out) {
    const hub::Hub::Statistics hub = hub_.statistics();
    out.gauge("parlance_conversations", "Conversations.", number(hub.conversations));
    out.gauge("parlance_running_turns", "Turns that run.", number(hub.running_turns));
    out.gauge("parlance_open_asks", "Open requests.", number(hub.open_asks));
    out.counter("parlance_events_total", "Events written.", number(hub.events));
    out.counter("parlance_commits_total", "Commits to the store.", number(hub.commits));
    out.counter("parlance_face_resyncs_total", "Frontends that were too slow and started again with a snapshot.",
                number(hub.resyncs));
    const face::PageServer::Statistics pages = pages_.statistics();
    out.gauge("parlance_pages", "Connected pages.", number(pages.pages));
    out.counter("parlance_page_requests_total", "Messages of pages.", number(pages.requests));
    out.counter("parlance_page_malformed_total", "Unreadable messages of pages.", number(pages.malformed));
    out.counter("parlance_page_snapshots_total", "Snapshots sent to pages.", number(pages.snapshots));
    out.counter("parlance_page_deltas_total", "Deltas sent to pages.", number(pages.deltas));
    const face::WebviewStatistics& webviews = webviews_.statistics();
    out.gauge("parlance_webviews", "Connections of /webview.", number(webviews.webviews));
    out.counter("parlance_webview_messages_total", "Messages of webviews.", number(webviews.messages));
    out.counter("parlance_webview_malformed_total", "Unreadable messages of webviews.", number(webviews.malformed));
    if (sender_ != nullptr) {
      std::uint64_t accepted = 0;
      std::uint64_t failed = 0;
      for (const auto& [user, notifier] : notifiers_) {
        accepted += notifier.statistics().accepted;
        failed += notifier.statistics().failed;
      }
      out.counter("parlance_push_sent_total", "Messages accepted by push services.", number(accepted));
      out.counter("parlance_push_failed_total", "Messages refused by push services.", number(failed));
    }
    out.gauge("parlance_http_conversations", "Running chats of HTTP clients.", number(chats_.running()));
    out.gauge("parlance_chat_sockets", "Connections of /ws/chat.", number(chat_sockets_.connections()));
    out.gauge("parlance_database_views", "Databases open on pages.", number(databases_.open_views()));
    out.gauge("parlance_runners", "Connected runners.", number(runners_.connected()));
    out.gauge("parlance_acp_clients", "Connections of /acp.", number(acp_.connections()));
  });
}

Task<void> GatewayFrontends::health(HttpExchange& exchange, hub::CallerPtr caller) {
  HealthBody body{.status = "ok",
                  .version = version_,
                  .uptime_s = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - started_).count()};
  for (const hub::ServiceInfo& service : hub_.services()) {
    if (service.state == hub::Health::down) body.status = "degraded";
    body.services.push_back({.json = wire_form::service_json(service)});
  }
  if (shared_) body.gateway = shared_();
  body.runners = bodies_of(runners_, *caller);
  co_await exchange.respond(gateway::json_reply(json::to_text(body)));
}

}  // namespace parlance::app
