// parlance gateway: HTTP, the page, and the hub behind them (seed 001, 002).
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

#include "base/text.h"
#include "check_settings.h"
#include "codec/json/value.h"
#include "commands.h"
#include "deployed_settings.h"
#include "embed_address.h"
#include "hub/hub.h"
#include "mcp_servers.h"
#include "model/settings.h"
#include "ready.h"
#include "run.h"
#include "service/agent_via_gorpc.h"
#include "service/backend_via_gorpc.h"
#include "service/builtin_tools.h"
#include "service/claude_mcp_servers.h"
#include "service/command_runner.h"
#include "service/gateway_faces.h"
#include "service/token_file.h"
#include "service/tools_via_mcp.h"
#include "store/hub_sqlite.h"
#include "supervised.h"

namespace parlance::app {
namespace {

using namespace std::chrono_literals;

constexpr auto drain_time = 3s;  // running answers may end; then connections are closed

std::string home_folder() {
  const char* home = std::getenv("HOME");
  return home != nullptr ? home : "/";
}

std::string default_folder(const Settings& settings) {
  std::error_code error;
  const auto folder = settings.text("folder").empty() ? std::filesystem::current_path(error)
                                                      : std::filesystem::absolute(settings.text("folder"), error);
  return error ? home_folder() : folder.lexically_normal().string();
}

Result<service::GatewayFacesSettings> faces_settings(const Settings& settings, const std::string& token) {
  service::GatewayFacesSettings faces;
  const auto listen = parse_host_port(settings.text("listen"));
  if (!listen)
    return fail(Errc::invalid_params,
                "--listen: \"" + settings.text("listen") + "\" is no address; give ADDR:PORT, for example 127.0.0.1:55003");
  faces.gateway.listen = *listen;
  faces.gateway.http.both_loopbacks = settings["listen"].origin == default_origin;
  faces.gateway.auth.token = token;
  if (!settings.text("allow-host").empty()) faces.gateway.auth.hosts.push_back(settings.text("allow-host"));
  const auto ask_wait = parse_number<int>(settings.text("ask-wait"));
  if (!ask_wait || *ask_wait < 0)
    return fail(Errc::invalid_params,
                "--ask-wait: \"" + settings.text("ask-wait") + "\" is no number of seconds; give 0 or more, for example 300");
  faces.openai.ask_wait = std::chrono::seconds(*ask_wait);
  faces.page.version = PARLANCE_VERSION;
  faces.page.home = home_folder();
  faces.page.default_folder = default_folder(settings);
  return faces;
}

std::string ready_json(const gateway::Gateway& gateway, const std::string& token) {
  json::Object ready;
  ready.set("url", gateway.page_url());
  ready.set("token", token);
  ready.set("pid", static_cast<std::int64_t>(::getpid()));
  return json::to_text(json::Value(std::move(ready))) + "\n";
}

}  // namespace

int run_gateway(const Settings& settings) {
  const std::string state = state_folder(settings);
  if (const auto checked = check_settings(settings, {"listen", "folder", "claude-hooks", "agent-user"}); !checked)
    return complain(checked.error(), ExitCode::usage);
  if (const auto kept = keep_state_folder(settings); !kept) return complain(kept.error(), ExitCode::not_started);
  const auto token = service::resolve_token(settings.text("token"), state);
  if (!token) return complain(token.error(), ExitCode::usage);
  auto faces_wanted = faces_settings(settings, *token);
  if (!faces_wanted) return complain(faces_wanted.error(), ExitCode::usage);

  Loop loop;
  store::HubSqlite store(loop, state);
  hub::Hub hub(loop, store);

  const hub::AgentProvider* provider = nullptr;
  service::AgentLink link(
      loop, settings.text("agent-socket"),
      [&](service::AgentLink::State link_state, const std::string& detail) {
        using State = service::AgentLink::State;
        const hub::Health health = link_state == State::ready        ? hub::Health::ready
                                   : link_state == State::connecting ? hub::Health::starting
                                                                     : hub::Health::down;
        hub.service_changed({.name = "agent", .state = health, .detail = detail});
        if (provider != nullptr) hub.agent_changed(provider->info());
      },
      agent_peers(settings));
  // The agent's own connection shows whether it is there, and the supervisor whether it answers.
  const auto heard = [&](std::string_view line) {
    const auto news = read_news(line);
    if (!news) return;
    if (news->service == "agent" && news->up && link.state() != service::AgentLink::State::ready) return;
    hub.service_changed(
        {.name = news->service, .state = news->up ? hub::Health::ready : hub::Health::down, .detail = news->detail});
  };

  const bool scripted = settings.text("model") == "rehearsal";
  service::BackendViaGorpc backend(link,
                                   {settings.text("model-name").empty() ? settings.text("model") : settings.text("model-name")});
  const auto commands = service::command_runner(loop);
  service::BuiltinTools own_tools(loop, *commands, &backend);
  auto servers = mcp_servers(settings);
  if (!servers) return complain(servers.error(), ExitCode::usage);
  service::ToolsViaMcp tools(loop, own_tools, *std::move(servers));
  tools.on_change = [&](const service::ToolsViaMcp::Health& server) {
    hub.service_changed({.name = "mcp " + server.name,
                         .state = server.connected ? hub::Health::ready : hub::Health::down,
                         .detail = server.connected ? std::to_string(server.tools) + " tools" : server.problem});
  };
  auto agent =
      service::agent_via_gorpc(loop, link, tools, {.name = scripted ? "parlance (rehearsal)" : "parlance", .scripted = scripted});
  provider = agent.get();
  hub.add_agent(std::move(agent));
  // Offered where its program is; a command that a person named and that is not there is worth a word.
  if (auto claude = claude_settings(settings)) {
    claude->mcp_servers = [&tools] { return service::claude_mcp_config(tools.configured()); };
    claude->changed = [&hub](const hub::AgentInfo& info) { hub.agent_changed(info); };
    hub.add_agent(service::agent_via_claude(loop, *std::move(claude)));
  } else if (settings.text("claude-command") != spec_of("claude-command").fallback || claude.error().code != Errc::not_found) {
    complain(claude.error());
  }

  faces_wanted->embed_service = [&settings] { return embed_address(settings); };
  service::GatewayFaces faces(loop, hub, backend, backend, *std::move(faces_wanted));
  const auto live = [&]() -> Task<int> {
    if (const auto started = co_await hub.start(); !started)
      co_return complain(started.error().in("the conversations in " + state), ExitCode::failed);
    EndWatch end(loop);  // not before: opening the database may wait for another process, and a signal ends that at once
    if (const auto started = faces.start(); !started) co_return complain(started.error(), ExitCode::not_started);
    link.keep_connected();
    tools.start();
    announce_ready("gateway", faces.gateway().url(),
                   "parlance gateway: ready on " + faces.gateway().url() + "\n  Open  " + faces.gateway().page_url());
    // Under `parlance up` these are its own: it knows when all is ready. (The settings may come from the environment, which we share.)
    if (!is_supervised() && !settings.text("ready-file").empty())
      if (const auto written = write_ready_file(settings.text("ready-file"), ready_json(faces.gateway(), *token)); !written)
        complain(written.error());
    if (!is_supervised() && settings.is_on("open")) open_in_browser(faces.gateway().page_url());
    co_await end.wait(heard);
    co_await faces.drain(loop.now() + drain_time);
    co_await hub.stop_all();
    co_return ExitCode::done;
  };
  return loop.block_on(live());
}

}  // namespace parlance::app
