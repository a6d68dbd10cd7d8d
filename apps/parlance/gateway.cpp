// SPDX-License-Identifier: Apache-2.0
// parlance gateway: HTTP, the page, and the hub behind them.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <unistd.h>

#include "apps/parlance/chat/chat_folders.h"
#include "apps/parlance/commands.h"
#include "apps/parlance/config/acp_agents.h"
#include "apps/parlance/config/check_settings.h"
#include "apps/parlance/config/deployed_settings.h"
#include "apps/parlance/config/doctor_flags.h"
#include "apps/parlance/config/embed_address.h"
#include "apps/parlance/config/iflow_agent.h"
#include "apps/parlance/config/mcp_servers.h"
#include "apps/parlance/config/own_model.h"
#include "apps/parlance/config/running_gateway.h"
#include "apps/parlance/config/trusting_agent.h"
#include "apps/parlance/config/working_folder.h"
#include "apps/parlance/gateway/frontends.h"
#include "apps/parlance/gateway_settings.h"
#include "apps/parlance/mcp/mcp_panel.h"
#include "apps/parlance/run/editor_server.h"
#include "apps/parlance/run/make_agent.h"
#include "apps/parlance/run/memory_server.h"
#include "apps/parlance/supervise/ready.h"
#include "apps/parlance/supervise/supervised.h"
#include "parlance/adapter/claude/mcp_servers.h"
#include "parlance/async/file_watch.h"
#include "parlance/base/check.h"
#include "parlance/base/log.h"
#include "parlance/base/text.h"
#include "parlance/codec/json/value.h"
#include "parlance/driver/acp/agent_via_acp.h"
#include "parlance/driver/gorpc/agent_via_gorpc.h"
#include "parlance/driver/gorpc/backend_via_gorpc.h"
#include "parlance/gateway/token_file.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/hub.h"
#include "parlance/model/connection/connections.h"
#include "parlance/model/settings.h"
#include "parlance/process/child_guard.h"
#include "parlance/push/sender.h"
#include "parlance/store/hub/hub_sqlite.h"
#include "parlance/store/hub_pg/hub_postgres.h"
#include "parlance/toolbox/agent_workspace.h"
#include "parlance/toolbox/builtin_tools.h"
#include "parlance/toolbox/command_runner.h"
#include "parlance/toolbox/mcp/tools_via_mcp.h"

namespace parlance::app {
namespace {

using namespace std::chrono_literals;

constexpr auto drain_time = 3s;   // running answers may end; then connections are closed
constexpr auto turns_time = 20s;  // … and running turns; another gateway continues unfinished turns

std::string ready_json(const gateway::Gateway& gateway, const std::string& token) {
  json::Object ready;
  ready.set("url", gateway.page_url());
  ready.set("token", token);
  ready.set("pid", static_cast<std::int64_t>(::getpid()));
  return json::to_text(json::Value(std::move(ready))) + "\n";
}

hub::Health health_of(driver::AgentLink::State state) {
  using State = driver::AgentLink::State;
  return state == State::ready ? hub::Health::ready : state == State::connecting ? hub::Health::starting : hub::Health::down;
}

// Renewed five times before the expiry: two renewals may be lost, and a third of the time is left for the next owner.
store::Lease::Settings lease_settings(const Settings& settings) {
  const std::chrono::milliseconds length = std::chrono::seconds(parse_number<int>(settings.text("lease")).value_or(15));
  return {.length = length, .own = length * 2 / 3, .renewal = length / 5};
}

// A hub with an expired lease stops at once, without a normal end: another gateway may own its conversations already.
[[noreturn]] void end_without_lease(const std::string& reason) {
  end_guarded_children();
  log(LogLevel::error, "the lease is lost, so this gateway ends", {{"why", reason}});
  ::_exit(ExitCode::lease_lost);
}

// The hub with its agents and tools, and the frontends.
class GatewayProcess {
 public:
  GatewayProcess(const Settings& settings, std::string token, std::vector<toolbox::McpServerSettings> servers)
      : settings_(settings),
        state_(state_folder(settings)),
        token_(std::move(token)),
        store_(make_store()),
        hub_(loop_, *store_,
             {.wall_clock = [this] { return shared_ == nullptr ? wall_now() : shared_->time(); },
              .workspace = toolbox::agent_workspaces(loop_),
              .find_agents = [this] { return find_agents(); },
              .runners_changed =
                  [this](const auto& runners) {
                    if (frontends_ != nullptr) frontends_->runners().take(runners);
                  },
              .session_unused =
                  [this](const std::string& runner) {
                    if (frontends_ != nullptr) frontends_->runners().delete_unused(runner);
                  },
              .team_changed =
                  [this](const hub::TeamPtr& team) {
                    if (frontends_ != nullptr) frontends_->set_team(team);
                  }}),
        link_(
            loop_, settings.text("agent-socket"),
            [this](driver::AgentLink::State state, const std::string& detail) { agent_is(state, detail); },
            agent_peers(settings)),
        own_model_(own_model(settings)),
        backend_(link_, {own_model_.name}),
        tools_(loop_, own_tools_, std::move(servers)) {}

  int run(app::GatewayFrontendsSettings wanted, std::vector<ConfiguredMcpServer> configured) {
    McpPanel panel(loop_, state_, tools_, std::move(configured),
                   [this](hub::ServiceInfo server) { hub_.service_changed(std::move(server)); });
    wanted.page.mcp = &panel;
    std::vector<driver::AcpAgentSettings> elsewhere = add_agents();
    if (shared_ != nullptr) wanted.gateway.auth.clock = [this] { return shared_->time(); };
    wanted.embed_service = [this] { return embed_address(settings_); };
    wanted.language = language_of_locale();
    wanted.default_agent = settings_.text("default-agent");
    if (shared_ != nullptr) wanted.shared = [this] { return shared_state(); };
    add_push(wanted);
    app::GatewayFrontends frontends(loop_, hub_, backend_, backend_, std::move(wanted));
    frontends_ = &frontends;
    const int code = loop_.block_on(live(frontends, std::move(elsewhere)));
    frontends_ = nullptr;
    return code;
  }

 private:
  std::unique_ptr<hub::Store> make_store() {
    if (settings_.text("store").empty()) return std::make_unique<store::HubSqlite>(loop_, state_);
    auto shared = std::make_unique<store::HubPostgres>(loop_, store::HubPostgresSettings{.address = settings_.text("store"),
                                                                                         .version = PARLANCE_VERSION,
                                                                                         .lease = lease_settings(settings_),
                                                                                         .on_lost = end_without_lease});
    shared_ = shared.get();
    return shared;
  }

  std::string store_name() const {
    return shared_ == nullptr ? "the conversations in " + state_
                              : "the conversations in " + shown_value("store", settings_.text("store"));
  }

  app::SharedState shared_state() const {
    const hub::Hub::Statistics counts = hub_.statistics();
    const store::FollowingState following = shared_->following();
    return {.hub = shared_->hub(),
            .following = std::string(to_string(following.state)),
            .since = to_rfc3339(following.since),
            .owned = static_cast<std::int64_t>(counts.owned),
            .followed = static_cast<std::int64_t>(counts.conversations - counts.owned),
            .lease_s = shared_->lease_left().count()};
  }

  // Problems for the database's operator appear beside the other services.
  Task<void> report_store() {
    if (shared_ == nullptr) co_return;
    const auto warnings = co_await shared_->warnings();
    std::string all = warnings ? "" : warnings.error().message;
    if (warnings)
      for (const std::string& sentence : *warnings) all += (all.empty() ? "" : "; ") + sentence;
    hub_.service_changed({.name = "store", .state = hub::Health::ready, .detail = all});
  }

  void agent_is(driver::AgentLink::State state, const std::string& detail) {
    hub_.service_changed({.name = "agent", .state = health_of(state), .detail = detail});
    if (own_agent_ != nullptr) hub_.agent_changed(own_agent_->info());
  }

  // The agent's connection shows its presence, and the supervisor shows its health.
  void receive(std::string_view line) {
    const auto update = read_update(line);
    if (!update) return;
    if (update->service == "agent" && update->up && link_.state() != driver::AgentLink::State::ready) return;
    hub_.service_changed(
        {.name = update->service, .state = update->up ? hub::Health::ready : hub::Health::down, .detail = update->detail});
  }

  // Frontends begin conversations without a named agent with the first available agent, so the agent of default-agent comes
  // first. Without a choice of a person, installed agents precede the rehearsal.
  std::vector<driver::AcpAgentSettings> add_agents() {
    const std::string& first = settings_.text("default-agent");
    const bool is_rehearsal_last = first.empty() && own_model_.scripted && settings_["model"].origin == default_origin;
    if (first == "claude" || is_rehearsal_last) add_claude();
    else if (!first.empty() && first != "parlance") static_cast<void>(add_acp_agents(first));
    std::vector<driver::AcpAgentSettings> elsewhere;
    if (is_rehearsal_last) elsewhere = add_acp_agents();
    add_own_agent();
    if (is_rehearsal_last) return elsewhere;
    if (!has_agent("claude")) add_claude();
    return add_acp_agents();
  }

  void add_own_agent() {
    const bool no_model = settings_.text("model") == "none";
    const auto complete = [this](hub::AgentInfo info) {
      info.scripted = own_model_.scripted;
      if (info.scripted) info.name += " (rehearsal)";
      return info;
    };
    driver::GorpcAgentSettings own{.complete = complete,
                                   .unavailable = no_model ? "no model is set up (--model none)" : "",
                                   .continues_turns = true,
                                   .titles = settings_.is_on("titles")};
    PARLANCE_CHECK(complete_own_agent(settings_, tools_, own), "settings that were checked");
    auto agent = driver::agent_via_gorpc(loop_, link_, tools_, std::move(own));
    own_agent_ = agent.get();
    hub_.add_agent(std::move(agent));
  }

  // `parlance model` or a page changed the stored connections. The agent reads them itself, before its next turn.
  void connections_changed() {
    own_model_ = own_model(settings_);
    backend_.set_models({own_model_.name});
    if (own_agent_ != nullptr) hub_.agent_changed(own_agent_->info());
  }

  bool has_agent(const std::string& id) const {
    const std::vector<hub::AgentInfo> all = hub_.agents();
    return std::ranges::find(all, id, &hub::AgentInfo::id) != all.end();
  }

  void add_acp_agent(driver::AcpAgentSettings agent) {
    agent.version = PARLANCE_VERSION;
    agent.mcp_servers = [this] { return tools_.configured(); };
    agent.changed = [this](const hub::AgentInfo& info) { hub_.agent_changed(info); };
    hub_.add_agent(in_trusted_folders(driver::agent_via_acp(loop_, std::move(agent)), state_folder(settings_)));
  }

  // Adds the configured agents, and known agents in PATH; `only`: this agent, even without its program. Returns the other agents.
  std::vector<driver::AcpAgentSettings> add_acp_agents(std::string_view only = {}) {
    std::vector<driver::AcpAgentSettings> elsewhere;
    auto agents = acp_agents(settings_);
    if (!agents) {
      log(LogLevel::warn, "the agents of the configuration are left out", {{"why", agents.error().message}});
      return elsewhere;
    }
    for (ConfiguredAgent& agent : *agents) {
      if (has_agent(agent.settings.id) || (!only.empty() && agent.settings.id != only)) continue;
      if (const auto done = complete_iflow(loop_, settings_, agent.settings); !done) {
        complain(done.error().in("the agent " + agent.settings.id));
        continue;
      }
      if (agent.named || !only.empty() || agent.settings.command.empty() || !find_program(agent.settings.command.front()).empty())
        add_acp_agent(std::move(agent.settings));
      else if (agent.settings.find) elsewhere.push_back(std::move(agent.settings));
    }
    return elsewhere;
  }

  // Searches like a login shell, which takes a moment.
  Task<void> add_from_elsewhere(std::vector<driver::AcpAgentSettings> agents) {
    for (driver::AcpAgentSettings& agent : agents)
      if (co_await agent.find(false) && !has_agent(agent.id)) add_acp_agent(std::move(agent));
  }

  Task<void> find_agents() {
    if (!has_agent("claude")) add_claude();
    co_await add_from_elsewhere(add_acp_agents());
  }

  // Offered if its program exists; a missing program of a person's command is reported.
  void add_claude() {
    if (auto claude = claude_settings(settings_)) {
      claude->mcp_servers = [this] { return adapter::claude_mcp_config(tools_.configured()); };
      claude->changed = [this](const hub::AgentInfo& info) { hub_.agent_changed(info); };
      if (shared_ != nullptr) serve_shared_memory(*claude, loop_, backend_, hub_);
      hub_.add_agent(in_trusted_folders(driver::agent_via_claude(loop_, *std::move(claude)), state_folder(settings_)));
    } else if (settings_.text("claude-command") != spec_of("claude-command").fallback || claude.error().code != Errc::not_found) {
      complain(claude.error());
    }
  }

  // Optional: problems with its files are reported, and pages do not offer push.
  void add_push(app::GatewayFrontendsSettings& wanted) {
    auto services = push::PushServices::parse(settings_.text("push-services"));
    auto key = services ? push::keep_push_key(state_) : std::unexpected(services.error());
    if (!key) {
      complain(key.error().in("push messages"));
      return;
    }
    browsers_.emplace(loop_, state_, *std::move(services));
    if (const auto loaded = browsers_->load(); !loaded) {
      complain(loaded.error().in("push messages"));
      return browsers_.reset();
    }
    sender_.emplace(loop_, *browsers_, push::Vapid(*std::move(key), settings_.text("push-contact")));
    wanted.page.push = {.subscriptions = &*browsers_, .public_key = sender_->public_key()};
    wanted.push_sender = &*sender_;
  }

  void report_ready(const gateway::Gateway& gateway) const {
    announce_ready("gateway", gateway.url(),
                   "parlance gateway: ready on " + gateway.url() + "\n  Open  " +
                       for_readers(gateway.page_url(), STDOUT_FILENO, state_folder(settings_)));
    // Under `parlance up`, these belong to `up`, which knows the readiness of all services. (The settings may come from the
    // shared environment.)
    if (is_supervised()) return;
    if (const std::string& file = settings_.text("ready-file"); !file.empty())
      if (const auto written = write_ready_file(file, ready_json(gateway, token_)); !written) complain(written.error());
    if (settings_.is_on("open")) open_in_browser(gateway.page_url());
  }

  // A program that looks for a gateway holds the lock for a moment, and a disk may be full for a while.
  Task<void> announce(int port) {
    const auto listen = parse_host_port(settings_.text("listen"));
    if (!listen) co_return;
    for (Duration pause = std::chrono::milliseconds(20); !announced_;
         pause = std::min<Duration>(2 * pause, std::chrono::minutes(1))) {
      if (auto announced = RunningGateway::announce(state_, listen->host, port)) announced_.emplace(*std::move(announced));
      else co_await sleep_for(loop_, pause);
    }
  }

  Task<int> live(app::GatewayFrontends& frontends, std::vector<driver::AcpAgentSettings> elsewhere) {
    if (const std::size_t taken = shared_ == nullptr ? take_in_chats(state_) : 0; taken != 0)
      log(LogLevel::info, "took over the conversations of terminals", {{"conversations", std::to_string(taken)}});
    if (const auto started = co_await hub_.start(); !started)
      co_return complain(started.error().in(store_name()), ExitCode::failed);
    EndWatch end(loop_);  // not earlier: opening the database may wait for another process, and a signal ends this wait at once
    if (const auto started = frontends.start(); !started) co_return complain(started.error(), ExitCode::not_started);
    link_.keep_connected();
    if (follows_connections(settings_))
      connections_.emplace(loop_, state_, std::string(model::connections_file), [this] { connections_changed(); });
    tools_.start();
    co_await report_store();
    report_ready(frontends.gateway());
    Scope background(loop_);
    background.start(add_from_elsewhere(std::move(elsewhere)));
    background.start(announce(frontends.gateway().port()));
    co_await end.wait([this](std::string_view line) { receive(line); });
    frontends.refuse_new();
    if (shared_ != nullptr) co_await hub_.drain_turns(loop_.now() + turns_time);
    co_await frontends.drain(loop_.now() + drain_time);
    co_await hub_.stop_all();
    if (shared_ != nullptr) static_cast<void>(co_await shared_->leave());  // the next gateway takes over at once
    co_return ExitCode::done;
  }

  const Settings& settings_;
  std::string state_;
  std::string token_;
  Loop loop_;
  store::HubPostgres* shared_ = nullptr;        // the store, if shared with other gateways
  app::GatewayFrontends* frontends_ = nullptr;  // while frontends exist
  std::unique_ptr<hub::Store> store_;
  hub::Hub hub_;
  std::optional<push::Subscriptions> browsers_;
  std::optional<push::Sender> sender_;
  const hub::AgentProvider* own_agent_ = nullptr;
  driver::AgentLink link_;
  OwnModel own_model_;
  driver::BackendViaGorpc backend_;
  std::unique_ptr<workspace::CommandRunner> commands_{toolbox::command_runner(loop_)};
  toolbox::BuiltinTools own_tools_{loop_, *commands_, &backend_};
  toolbox::ToolsViaMcp tools_;
  std::optional<RunningGateway> announced_;
  std::optional<FileWatch> connections_;  // none: settings with precedence name the model
};

}  // namespace

int run_gateway(const Settings& settings) {
  if (const auto checked =
          check_settings(settings, {"listen", "folder", "store", "lease", "claude-hooks", "agent-user", "tool-rounds"});
      !checked)
    return complain(checked.error(), ExitCode::usage);
  keep_store_to_ourselves();
  if (const auto kept = keep_state_folder(settings); !kept) return complain(kept.error(), ExitCode::not_started);
  auto token = gateway::resolve_token(settings.text("token"), state_folder(settings));
  if (!token) return complain(token.error(), ExitCode::usage);
  auto frontends = frontends_settings(settings, *token);
  if (!frontends) return complain(frontends.error(), ExitCode::usage);
  auto configured = configured_mcp_servers(settings);
  if (!configured) return complain(configured.error(), ExitCode::usage);
  auto servers = with_near_editor(tool_settings(*configured));
  if (!servers) return complain(servers.error(), ExitCode::usage);
  return GatewayProcess(settings, *std::move(token), *std::move(servers)).run(*std::move(frontends), *std::move(configured));
}

}  // namespace parlance::app
