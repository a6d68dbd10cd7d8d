// SPDX-License-Identifier: Apache-2.0
// parlance up: gateway, agent and embedding service as supervised child processes, with a line for each and a URL with the token.
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <span>
#include <unistd.h>

#include "apps/parlance/commands.h"
#include "apps/parlance/config/check_settings.h"
#include "apps/parlance/config/deployed_settings.h"
#include "apps/parlance/config/doctor_flags.h"
#include "apps/parlance/config/service_secrets.h"
#include "apps/parlance/supervise/ready.h"
#include "apps/parlance/supervise/running.h"
#include "apps/parlance/supervise/supervised.h"
#include "apps/parlance/supervise/supervisor.h"
#include "parlance/async/cancel.h"
#include "parlance/async/signals.h"
#include "parlance/base/secret.h"
#include "parlance/base/uri.h"
#include "parlance/codec/json/value.h"
#include "parlance/gateway/token_file.h"

namespace parlance::app {
namespace {

constexpr auto slow_start = std::chrono::seconds(2);

using Variables = std::vector<std::pair<std::string, std::string>>;

Variables secrets_for(const Settings& settings, std::span<const std::string_view> names, Variables more = {}) {
  for (const std::string_view name : names)
    if (may_hold_secret(settings.text(name))) more.emplace_back(std::string(spec_of(name).environment), settings.text(name));
  return more;
}

// Common settings are passed in resolved form, so that all services agree.
std::vector<std::string> command_for(std::string_view service, const Settings& settings,
                                     std::span<const std::string_view> names) {
  std::vector<std::string> command{own_program(), std::string(service)};
  for (const std::string_view name : names) {
    // Default values are not passed, so that a service knows them as defaults. With defaults, a gateway also listens on the other
    // loopback address, an embedding service may choose another port, and an agent makes a link only to its usual socket.
    // Values of a stored connection are not passed either, so that the agent follows its changes.
    if (settings.text(name).empty() || settings[name].origin == default_origin || is_stored_connection(settings[name]) ||
        may_hold_secret(settings.text(name)))
      continue;
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

ServiceSpec agent_service(Settings settings, const Supervisor& supervisor) {
  // A single service sends texts to a back end: this service batches requests and follows the back end's rules.
  if (!settings.text("embed-backend").empty() && settings.text("embed-url").empty())
    for (const auto& state : supervisor.services())
      if (state->name == "embed") settings.set("embed-url", {state->address, "the embedding service"});
  return {.name = "agent",
          .command = command_for("agent", settings, agent_settings),
          .set = secrets_for(settings, agent_settings, {{"PARLANCE_STORE", settings.text("store")}}),
          .passed = agent_secrets(state_folder(settings))};
}

// Settings of the command `gateway`, except those that concern `up` itself or are secret.
std::vector<std::string_view> settings_of_gateway() {
  constexpr std::array<std::string_view, 5> of_up{"token", "open", "ready-file", "store", "embed-listen"};
  const std::span<const Command> commands = all_commands();
  const auto gateway = std::ranges::find(commands, "gateway", &Command::name);
  std::vector<std::string_view> names(gateway->settings.begin(), gateway->settings.end());
  std::erase_if(names, [&](std::string_view name) { return std::ranges::find(of_up, name) != of_up.end(); });
  return names;
}

ServiceSpec gateway_service(const Settings& settings, const std::string& token) {
  const auto command = [](const Settings& from) { return command_for("gateway", from, settings_of_gateway()); };
  return {
      .name = "gateway",
      .command = command(settings),
      // Never on a command line, readable for every user of the machine.
      .set = secrets_for(settings, settings_of_gateway(),
                         {{"PARLANCE_TOKEN", token},
                          {"PARLANCE_STORE", settings.text("store")},
                          {std::string(doctor_flags_variable), doctor_flags_text(settings)}}),
      .withheld = Withheld::nothing,
      .command_again =
          [command, settings](const ServiceState& state) {
            return command(listening_where_it_did(settings, "listen", state.address));
          },
      // 3 s for running answers, 5 s for stopped turns, 10 s for agents to end; with other gateways, first 20 s for turns to end.
      .term_grace = std::chrono::seconds(settings.text("store").empty() ? 20 : 40)};
}

ServiceSpec embed_service(const Settings& settings) {
  const auto command = [](const Settings& from) { return command_for("embed", from, embed_settings); };
  return {.name = "embed",
          .command = command(settings),
          .set = secrets_for(settings, embed_settings),
          .passed = embed_secrets(),
          .command_again = [command, settings](const ServiceState& state) {
            return command(listening_where_it_did(settings, "embed-listen", state.address));
          }};
}

// Programs with the usual port would reach another program: the person must know.
void report_taken_port(const Settings& settings, const std::string& address) {
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

// The gateway's information about other services, for the page and /health. For the agent, only facts beyond its own connection.
void notify_gateway(Supervisor& supervisor, const ServiceState& state) {
  if (state.name == "gateway") {
    if (!state.ready || !state.late.empty()) return;
    for (const auto& service : supervisor.services())
      if (service->name != "gateway" && service->ready) notify_gateway(supervisor, *service);
    return;
  }
  if (state.name == "agent" && !state.ready) return;
  const bool up = state.ready && state.late.empty();
  supervisor.send("gateway", update_line({.service = state.name,
                                          .up = up,
                                          .detail = up                    ? state.address
                                                    : !state.late.empty() ? state.late
                                                                          : state.last_end}));
}

int report_running(const Settings& settings, const AlreadyRunning& other) {
  const std::string who = "already running (process " + std::to_string(other.pid) + ")";
  if (!other.url.empty() && settings.is_on("open")) {
    std::printf("parlance up: %s\n", who.c_str());
    open_in_browser(other.url);
    return ExitCode::done;
  }
  return complain(
      {.code = Errc::denied,
       .message = who + (other.url.empty() ? ", and still starting"
                                           : ": open " + for_readers(other.url, STDERR_FILENO, state_folder(settings)))},
      ExitCode::not_started);
}

// The services, from the first start to the last end.
class Up {
 public:
  Up(const Settings& settings, std::string token, RunningUp& running)
      : settings_(settings), token_(std::move(token)), ready_file_(settings.text("ready-file")), running_(running) {}

  int run() {
    std::printf("parlance up\n");
    std::fflush(stdout);
    return loop_.block_on(live());
  }

 private:
  void changed(const ServiceState& state) {
    // The first states are printed together, once all services are ready. If one fails, `up` reports that failure alone.
    if (page_.empty()) {
      if (!state.ready) return;
      notify_gateway(supervisor_, state);
      if (is_slow_start_) print_state(state);
      return;
    }
    notify_gateway(supervisor_, state);
    if (state.late.empty() || !state.ready) print_state(state);
    if (state.ready) write_ready();  // another process id
  }

  void write_ready() const {
    if (ready_file_.empty()) return;
    if (const auto written = write_ready_file(ready_file_, ready_json(supervisor_, page_, token_)); !written)
      complain(written.error());
  }

  std::string address_of(std::string_view service) const {
    for (const auto& state : supervisor_.services())
      if (state->name == service) return state->address;
    return "";
  }

  Task<Result<void>> start_all() {
    supervisor_.start(gateway_service(settings_, token_));
    supervisor_.start(embed_service(settings_));
    // An agent with the embedding service needs its address.
    if (!settings_.text("embed-backend").empty()) PARLANCE_CO_TRY_DO(co_await supervisor_.all_ready());
    supervisor_.start(agent_service(settings_, supervisor_));
    co_return co_await supervisor_.all_ready();
  }

  void report_ready() {
    const bool behind_proxy = settings_.is_on("behind-proxy");
    page_ = (behind_proxy ? "https://" + settings_.text("allow-host") + "/" : address_of("gateway")) +
            "#token=" + percent_encode(token_);
    if (!is_slow_start_)
      for (const auto& state : supervisor_.services()) print_state(*state);
    std::printf("\n  Open  %s\n\n", for_readers(page_, STDOUT_FILENO, state_folder(settings_)).c_str());
    if (settings_.text("model") == "rehearsal")
      std::printf(
          "  The agent is a rehearsal: scripted, no language model answers. To connect a model: parlance model "
          "add --help.\n");
    for (const std::string& sentence : ignored_settings(settings_)) std::printf("  Note  %s\n", sentence.c_str());
    report_taken_port(settings_, address_of("embed"));
    std::printf("  Ctrl-C stops everything.\n");
    std::fflush(stdout);
    running_.publish(page_);  // before the file: a reader of the file may start a second `up` at once
    write_ready();
    if (settings_.is_on("open")) open_in_browser(page_);
  }

  // A service may wait, for example for its key file: the person sees the services that are ready.
  Task<void> report_slow_start() {
    co_await sleep_for(loop_, slow_start);
    if (!page_.empty()) co_return;
    is_slow_start_ = true;
    for (const auto& state : supervisor_.services())
      if (state->ready) print_state(*state);
  }

  Task<void> watch_signals(CancelSource& stop) {
    static_cast<void>(co_await signals_.next());
    stop.cancel();
  }

  Task<int> live() {
    CancelSource stop(loop_);
    Scope watching(loop_);
    watching.start(watch_signals(stop));
    Scope slow(loop_);
    slow.start(report_slow_start());
    if (const auto ready = co_await under(stop, start_all()); !ready) {
      co_await supervisor_.stop_all();
      co_return stop.cancelled() ? int{ExitCode::done} : complain(ready.error(), ExitCode::not_started);
    }
    report_ready();
    co_await watching.join();
    std::printf("\nStopping.\n");
    std::fflush(stdout);
    co_await supervisor_.stop_all();
    co_return ExitCode::done;
  }

  const Settings& settings_;
  std::string token_;
  std::string ready_file_;
  RunningUp& running_;
  std::string page_;  // its address, once all were ready
  bool is_slow_start_ = false;
  Loop loop_;
  SignalWatch signals_{loop_, {SIGINT, SIGTERM, SIGHUP}};  // before the start of any service that would need a stop
  Supervisor supervisor_{loop_, [this](const ServiceState& state) { changed(state); }};
};

}  // namespace

int run_up(const Settings& settings) {
  if (const auto checked = check_settings(settings); !checked) return complain(checked.error(), ExitCode::usage);
  if (const auto kept = keep_state_folder(settings); !kept) return complain(kept.error(), ExitCode::not_started);
  keep_store_to_ourselves();
  auto claimed = claim_running(state_folder(settings));
  if (!claimed) return complain(claimed.error(), ExitCode::not_started);
  if (const auto* other = std::get_if<AlreadyRunning>(&*claimed)) return report_running(settings, *other);
  if (const auto possible = prepare_ready_file(settings.text("ready-file")); !possible)
    return complain(possible.error(), ExitCode::not_started);
  auto token = gateway::resolve_token(settings.text("token"), state_folder(settings));
  if (!token) return complain_of_use(token.error(), ExitCode::failed);
  return Up(settings, *std::move(token), std::get<RunningUp>(*claimed)).run();
}

}  // namespace parlance::app
