// parlance up: gateway, agent and embedding service as supervised child processes, one line for each, one URL with the token.
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

#include "async/cancel.h"
#include "async/signals.h"
#include "base/secret.h"
#include "base/uri.h"
#include "check_settings.h"
#include "codec/json/value.h"
#include "commands.h"
#include "deployed_settings.h"
#include "ready.h"
#include "running.h"
#include "service/token_file.h"
#include "supervised.h"
#include "supervisor.h"

namespace parlance::app {
namespace {

// What every service needs to know goes on as it was resolved here, so that all of them agree.
std::vector<std::string> command_for(std::string_view service, const Settings& settings,
                                     std::initializer_list<std::string_view> names) {
  std::vector<std::string> command{own_program(), std::string(service)};
  for (const std::string_view name : names) {
    if (settings.text(name).empty()) continue;
    command.push_back("--" + std::string(name) + "=" + settings.text(name));
  }
  if (!settings.given_file().empty()) command.push_back("--config=" + settings.given_file());
  command.push_back("--state=" + state_folder(settings));
  command.push_back("--log-level=" + settings.text("log-level"));
  if (settings.is_on("log-json")) command.push_back("--log-json");
  return command;
}

std::string port_in(const std::string& address) {
  const std::size_t colon = address.find_last_of(':');
  std::string port = colon == std::string::npos ? "" : address.substr(colon + 1);
  while (port.ends_with('/')) port.pop_back();
  return port;
}

// The same place again, where the first start picked a port.
Settings listening_where_it_did(Settings settings, std::string_view name, const std::string& address) {
  if (settings[name].origin == default_origin && name == "listen") return settings;
  const std::string listen = settings.text(name);
  const std::string port = port_in(address);
  if (!parse_host_port(listen) || port.empty()) return settings;
  settings.set(name, {listen.substr(0, listen.find_last_of(':') + 1) + port, "where it was"});
  return settings;
}

ServiceSpec agent_service(Loop& loop, Settings settings, const Supervisor& supervisor) {
  // Texts go to a back end through one place, which joins requests and keeps to the rules of that back end.
  if (!settings.text("embed-backend").empty() && settings.text("embed-url").empty())
    for (const auto& state : supervisor.services())
      if (state->name == "embed") settings.set("embed-url", {state->address, "the embedding service"});
  return {.name = "agent",
          .command = command_for(
              "agent", settings,
              {"agent-socket", "agent-socket-link", "agent-socket-group", "embed-url", "embed-model", "embed-key-file", "model",
               "model-url", "model-name", "model-key-file", "scenario", "rehearsal-pace-ms", "recall"}),
          .alive = [&loop](const ServiceState& state) { return ask_over_rpc(loop, state.address); }};
}

ServiceSpec gateway_service(Loop& loop, const Settings& settings, const std::string& token) {
  const auto command = [](const Settings& from) {
    std::vector<std::string> words = command_for("gateway", from,
                                                 {"agent-socket", "agent-user", "folder", "model", "model-name", "claude-command",
                                                  "claude-hooks", "allow-host", "ask-wait", "databases"});
    // Its usual address is not given on: the gateway then knows that nobody chose it, and answers at the other loopback address, too.
    if (from["listen"].origin != default_origin) words.push_back("--listen=" + from.text("listen"));
    return words;
  };
  return {.name = "gateway",
          .command = command(settings),
          // Never on a command line, where every user of the machine could read it.
          .set = {{"PARLANCE_TOKEN", token}},
          .command_again =
              [command, settings](const ServiceState& state) {
                return command(listening_where_it_did(settings, "listen", state.address));
              },
          .alive = [&loop, token](const ServiceState& state) { return ask_over_http(loop, state.address, "/health", token); },
          // 3 s for answers that run, 5 s for turns that are stopped, 10 s for agents to end in order.
          .term_grace = std::chrono::seconds(20)};
}

ServiceSpec embed_service(Loop& loop, const Settings& settings) {
  const auto command = [](const Settings& from) {
    // Its usual port is not given on: the service then knows that nobody chose it, and may take another when it is not free.
    if (from["embed-listen"].origin == default_origin)
      return command_for("embed", from, {"embed-backend", "embed-model", "embed-key-file"});
    return command_for("embed", from, {"embed-listen", "embed-backend", "embed-model", "embed-key-file"});
  };
  return {.name = "embed",
          .command = command(settings),
          .command_again =
              [command, settings](const ServiceState& state) {
                return command(listening_where_it_did(settings, "embed-listen", state.address));
              },
          // Not /health, which asks the back end as well: that one may take its time.
          .alive = [&loop](const ServiceState& state) { return ask_over_http(loop, state.address, "/", ""); }};
}

// Programs that were told to use the usual port reach somebody else there: that has to be said.
void tell_taken_port(const Settings& settings, const std::string& address) {
  const auto wanted = parse_host_port(settings.text("embed-listen"));
  if (!wanted || wanted->port == 0 || port_in(address) == std::to_string(wanted->port)) return;
  std::printf(
      "  Note  %s belongs to another program: the embedding service listens on %s instead. Whatever is set to send texts to %s\n"
      "        sends them to that other program. --embed-listen chooses an address.\n",
      settings.text("embed-listen").c_str(), address.c_str(), settings.text("embed-listen").c_str());
}

void print_state(const ServiceState& state) {
  if (state.ready)
    std::printf("  %-8s ready   %s  (process %d)%s\n", state.name.c_str(), state.address.c_str(), static_cast<int>(state.pid),
                state.restarts != 0 ? "  started again" : "");
  else std::printf("  %-8s down    %s. Starting it again.\n", state.name.c_str(), state.last_end.c_str());
  std::fflush(stdout);
}

std::string ready_json(const Supervisor& supervisor, const std::string& page, const std::string& token) {
  json::Object ready;
  ready.set("url", page);
  ready.set("token", token);
  ready.set("pid", static_cast<std::int64_t>(::getpid()));
  json::Object services;
  for (const auto& state : supervisor.services()) {
    json::Object service;
    service.set("address", state->address);
    service.set("pid", static_cast<std::int64_t>(state->pid));
    services.set(state->name, std::move(service));
  }
  ready.set("services", std::move(services));
  return json::to_text(json::Value(std::move(ready))) + "\n";
}

}  // namespace

namespace {

// What the gateway hears of the others, for the page and /health. Of the agent only what its own connection cannot show.
void tell_gateway(Supervisor& supervisor, const ServiceState& state) {
  if (state.name == "gateway") {
    if (!state.ready || !state.late.empty()) return;
    for (const auto& other : supervisor.services())
      if (other->name != "gateway" && other->ready) tell_gateway(supervisor, *other);
    return;
  }
  if (state.name == "agent" && !state.ready) return;
  const bool up = state.ready && state.late.empty();
  supervisor.tell("gateway", news_line({.service = state.name,
                                        .up = up,
                                        .detail = up                    ? state.address
                                                  : !state.late.empty() ? state.late
                                                                        : state.last_end}));
}

int tell_running(const Settings& settings, const AlreadyRunning& other) {
  const std::string who = "already running (process " + std::to_string(other.pid) + ")";
  if (!other.url.empty() && settings.is_on("open")) {
    std::printf("parlance up: %s\n", who.c_str());
    open_in_browser(other.url);
    return ExitCode::done;
  }
  return complain({.code = Errc::denied, .message = who + (other.url.empty() ? ", and still starting" : ": open " + other.url)},
                  ExitCode::not_started);
}

}  // namespace

int run_up(const Settings& settings) {
  if (const auto checked = check_settings(settings); !checked) return complain(checked.error(), ExitCode::usage);
  if (const auto kept = keep_state_folder(settings); !kept) return complain(kept.error(), ExitCode::not_started);
  auto claimed = claim_running(state_folder(settings));
  if (!claimed) return complain(claimed.error(), ExitCode::not_started);
  if (const auto* other = std::get_if<AlreadyRunning>(&*claimed)) return tell_running(settings, *other);
  RunningUp& running = std::get<RunningUp>(*claimed);
  const std::string ready_file = settings.text("ready-file");
  if (const auto removed = remove_ready_file(ready_file); !removed) return complain(removed.error(), ExitCode::not_started);
  auto token = service::resolve_token(settings.text("token"), state_folder(settings));
  if (!token) return complain(token.error(), token.error().code == Errc::invalid_params ? ExitCode::usage : ExitCode::failed);

  Loop loop;
  std::printf("parlance up\n");
  std::fflush(stdout);
  SignalWatch signals(loop, {SIGINT, SIGTERM, SIGHUP});  // before anything runs that would have to be stopped
  std::string page;                                      // its address, once all were ready
  Supervisor* services = nullptr;
  const auto tell_ready_file = [&] {
    if (ready_file.empty()) return;
    if (const auto written = write_ready_file(ready_file, ready_json(*services, page, *token)); !written)
      complain(written.error());
  };
  Supervisor supervisor(loop, [&](const ServiceState& state) {
    // Before all were ready, a service that ends ends us, and is told of then.
    if (!state.ready && page.empty()) return;
    tell_gateway(*services, state);
    if (state.late.empty() || !state.ready) print_state(state);
    if (state.ready && !page.empty()) tell_ready_file();  // another process id
  });
  services = &supervisor;
  supervisor.start(gateway_service(loop, settings, *token));
  supervisor.start(embed_service(loop, settings));
  const auto all_ready = [&]() -> Task<Result<void>> {
    // An agent that goes through the embedding service has to know where that is.
    if (!settings.text("embed-backend").empty()) PARLANCE_CO_TRY_DO(co_await supervisor.all_ready());
    supervisor.start(agent_service(loop, settings, supervisor));
    co_return co_await supervisor.all_ready();
  };

  const auto live = [&]() -> Task<int> {
    CancelSource told(loop);
    const auto watch_signals = [](SignalWatch& watch, CancelSource& source) -> Task<void> {
      static_cast<void>(co_await watch.next());
      source.cancel();
    };
    Scope watching(loop);
    watching.start(watch_signals(signals, told));
    if (const auto ready = co_await under(told, all_ready()); !ready) {
      co_await supervisor.stop_all();
      co_return told.cancelled() ? int{ExitCode::done} : complain(ready.error(), ExitCode::not_started);
    }
    std::string address;
    std::string embed_address;
    for (const auto& state : supervisor.services()) {
      if (state->name == "gateway") address = state->address;
      if (state->name == "embed") embed_address = state->address;
    }
    page = address + "#token=" + percent_encode(*token);
    std::printf("\n  Open  %s\n\n", page.c_str());
    if (settings.text("model") == "rehearsal")
      std::printf(
          "  The agent is a rehearsal: scripted, no language model answers. For a real one set --model and a key (parlance up "
          "--help).\n");
    for (const std::string& sentence : ignored_settings(settings)) std::printf("  Note  %s\n", sentence.c_str());
    tell_taken_port(settings, embed_address);
    std::printf("  Ctrl-C stops everything.\n");
    std::fflush(stdout);
    tell_ready_file();
    running.tell(page);
    if (settings.is_on("open")) open_in_browser(page);
    co_await watching.join();
    std::printf("\nStopping.\n");
    std::fflush(stdout);
    co_await supervisor.stop_all();
    co_return ExitCode::done;
  };
  return loop.block_on(live());
}

}  // namespace parlance::app
