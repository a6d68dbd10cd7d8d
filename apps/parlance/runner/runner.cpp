// SPDX-License-Identifier: Apache-2.0
// parlance runner: offers the agents and folders of this machine to a remote gateway over an outgoing WebSocket. The gateway
// makes all decisions about the agents' actions.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <pwd.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "apps/parlance/commands.h"
#include "apps/parlance/config/acp_agents.h"
#include "apps/parlance/config/gateway_token.h"
#include "apps/parlance/config/iflow_agent.h"
#include "apps/parlance/run/make_agent.h"
#include "apps/parlance/serve_acp/session_folders.h"
#include "apps/parlance/supervise/back_off.h"
#include "parlance/async/signals.h"
#include "parlance/base/log.h"
#include "parlance/driver/acp/offer.h"
#include "parlance/face/acp/hub_over_acp.h"
#include "parlance/face/acp/runner_offer.h"
#include "parlance/process/program_words.h"
#include "parlance/protocol/acp/limits.h"
#include "parlance/transport/http/websocket_client.h"
#include "parlance/workspace/offered_folders.h"

namespace parlance::app {
namespace {

constexpr auto goodbye = std::chrono::seconds(10);  // for the announcement to the gateway, and the end of running work

struct RunnerWords {
  std::string to;
  std::string name;
  std::string token_file;
  Words folders;
  Words agents;
  int keep_days = 90;
};

std::string account() {
  const passwd* const user = ::getpwuid(::geteuid());
  return user != nullptr && user->pw_name != nullptr && *user->pw_name != '\0' ? user->pw_name : std::to_string(::geteuid());
}

std::string host() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 && name[0] != '\0' ? name : "localhost";
}

class RunnerProcess {
 public:
  RunnerProcess(Loop& loop, const Settings& settings, acp::Offer offer, GatewayAddress to, std::string token,
                std::chrono::days kept)
      : loop_(loop),
        offer_(std::move(offer)),
        to_(std::move(to)),
        token_(std::move(token)),
        folders_(loop, offer_.folders),
        names_(loop),
        sessions_(loop, settings,
                  {.folder = state_folder(settings) + "/runner-sessions",
                   .agent = offer_.agents.front().id,
                   .offered = ids(),
                   .find_folder = [this](std::string folder) { return folders_.find(std::move(folder)); },
                   .gateway = to_.url,
                   .kept = kept}),
        frontend_(loop, sessions_,
                  {.version = PARLANCE_VERSION,
                   .check_folder = [this](std::string, std::string folder) { return folders_.find(std::move(folder)); }}),
        over_(loop),
        scope_(loop) {}

  Task<int> live() {
    SignalWatch signals(loop_, {SIGINT, SIGTERM});
    scope_.start(stay());
    scope_.start([](RunnerProcess& self, SignalWatch& watch) -> Task<void> {
      static_cast<void>(co_await watch.next());
      self.ending_ = true;
      self.over_.notify_all();
    }(*this, signals));
    while (!ending_) co_await over_.wait();
    if (offered_ != nullptr) offered_->finish();  // announces the end to the gateway before any work on the connection ends
    static_cast<void>(co_await with_deadline(loop_, loop_.now() + goodbye, gone()));
    scope_.cancel();
    co_await sessions_.end();
    co_return why_ ? complain(*why_, ExitCode::not_started) : ExitCode::done;
  }

 private:
  Task<Result<void>> gone() {
    while (connected_) co_await over_.wait();
    co_return Result<void>{};
  }

  std::vector<std::string> ids() const {
    std::vector<std::string> all;
    for (const acp::OfferedAgent& agent : offer_.agents) all.push_back(agent.id);
    return all;
  }

  // Ends only if further attempts are useless.
  Task<void> stay() {
    BackOff pause;
    for (bool was_there = false; !ending_;) {
      bool taken = false;
      const Error end = co_await connection([&] { taken = was_there = true; });
      if (ending_) co_return;
      if (taken) pause = {};
      if (refused_ || is_final(end, was_there)) {
        why_ = refused_ ? *refused_ : end;
        why_->message += ": this runner ends";
        ending_ = true;
        over_.notify_all();
        co_return;
      }
      const Duration next = pause.next();
      std::fprintf(stderr, "parlance runner: %s; the next attempt in %.1f s\n", end.message.c_str(),
                   std::chrono::duration<double>(next).count());
      co_await sleep_for(loop_, next);
    }
  }

  static bool is_final(const Error& end, bool was_there) {
    return end.code == Errc::denied || end.code == Errc::invalid_request || (end.code == Errc::not_found && !was_there);
  }

  // Runs to its end; then stops the connection's work and waits for its programs.
  Task<Error> connection(std::function<void()> taken) {
    auto frames = co_await connect_websocket(loop_, {.url = to_.url,
                                                     .headers = {{.name = "Authorization", .value = "Bearer " + token_}},
                                                     .message_bytes = acp::limits::message_bytes});
    if (!frames) {
      Error error = std::move(frames).error();
      if (error.code == Errc::denied) error.message += " (check the token, and that this machine trusts the certificate)";
      co_return error;
    }
    face::RunnerOffer offer(offer_, stock(), [&] {
      taken();
      report_connected();
    });
    offered_ = &offer;
    connected_ = true;
    const Error end = co_await frontend_.serve(*std::move(frames), acp::Flavour::standard, &offer);
    offered_ = nullptr;
    refused_ = offer.refused();
    co_await sessions_.end();
    connected_ = false;
    over_.notify_all();
    co_return Error{.code = Errc::disconnected, .message = "the connection to " + to_.shown + " has ended: " + end.message};
  }

  face::RunnerStock stock() {
    return {.folders = folders_, .names = names_, .wanted = [this](std::vector<std::string> sessions, bool all) {
              return sessions_.wanted(std::move(sessions), all);
            }};
  }

  void report_connected() const {
    std::string agents;
    for (const acp::OfferedAgent& offered_agent : offer_.agents) agents += (agents.empty() ? "" : ", ") + offered_agent.id;
    std::string folders;
    for (const std::string& folder : offer_.folders) folders += (folders.empty() ? "" : ", ") + folder;
    std::fprintf(stderr, "parlance runner: %s (%s) is connected to %s, with %s in %s\n", offer_.name.c_str(),
                 driver::account_of(offer_).c_str(), to_.shown.c_str(), agents.c_str(), folders.c_str());
  }

  Loop& loop_;
  acp::Offer offer_;
  GatewayAddress to_;
  std::string token_;
  workspace::OfferedFolders folders_;
  workspace::FileNames names_;
  SessionFolders sessions_;
  face::AcpFrontend frontend_;
  face::RunnerOffer* offered_ = nullptr;  // during a connection …
  bool connected_ = false;                // … and until its work has ended
  bool ending_ = false;
  std::optional<Error> refused_;
  std::optional<Error> why_;
  Signal over_;
  Scope scope_;  // goes first
};

// The agents of this machine, or the named subset.
Task<Result<std::vector<acp::OfferedAgent>>> agents_here(Loop& loop, const Settings& settings, Words wanted) {
  std::vector<acp::OfferedAgent> all{
      {.id = "parlance", .name = settings.text("model") == "rehearsal" ? "parlance (rehearsal)" : "parlance"}};
  if (const auto claude = claude_settings(settings)) all.push_back({.id = "claude", .name = "Claude Code"});
  PARLANCE_CO_TRY(known, acp_agents(settings));
  for (ConfiguredAgent& configured_agent : known) {
    driver::AcpAgentSettings& agent = configured_agent.settings;
    if (!complete_iflow(loop, settings, agent)) continue;
    bool there = !agent.url.empty() || (!agent.command.empty() && !find_program(agent.command.front()).empty());
    if (!there && agent.find) there = (co_await agent.find(false)).has_value();
    if (there) all.push_back({.id = agent.id, .name = agent.name});
  }
  for (const std::string& folder : wanted)
    if (std::ranges::find(all, folder, &acp::OfferedAgent::id) == all.end()) {
      std::string names;
      for (const acp::OfferedAgent& has : all) names += (names.empty() ? "" : ", ") + has.id;
      co_return fail(Errc::invalid_params, "--agent: this machine has no " + folder + "; it has " + names);
    }
  if (!wanted.empty())
    std::erase_if(
        all, [&](const acp::OfferedAgent& offered_agent) { return std::ranges::find(wanted, offered_agent.id) == wanted.end(); });
  co_return all;
}

int run_runner(const Settings& settings, const RunnerWords& words) {
  Loop loop;
  const auto to = GatewayAddress::parse(words.to, runner_path);
  if (!to) return complain(to.error(), ExitCode::usage);
  if (to->in_clear)
    std::fprintf(stderr, "parlance runner: the token and all messages to %s are unencrypted: use wss://\n", to->shown.c_str());
  const auto token = token_for(*to, words.token_file, settings);
  if (!token) return complain(token.error(), ExitCode::usage);
  ::unsetenv("PARLANCE_TOKEN");  // started agents must not be able to answer in a person's place
  const auto folders = workspace::OfferedFolders::real(words.folders.empty() ? Words{std::string(".")} : words.folders);
  if (!folders) return complain(folders.error(), ExitCode::usage);
  const auto agents = loop.block_on(agents_here(loop, settings, words.agents));
  if (!agents) return complain(agents.error(), ExitCode::usage);
  acp::Offer offer{.name = words.name.empty() ? host() : words.name,
                   .account = account(),
                   .host = host(),
                   .agents = *agents,
                   .folders = *folders,
                   .version = PARLANCE_VERSION};
  if (const auto fine = driver::check_offer(offer); !fine) return complain(fine.error(), ExitCode::usage);
  RunnerProcess runner(loop, settings, std::move(offer), *to, *token, std::chrono::days(words.keep_days));
  return loop.block_on(runner.live());
}

}  // namespace

Action declare_runner(CLI::App& app) {
  auto words = std::make_shared<RunnerWords>();
  app.add_option("--to", words->to, "Address of the gateway: wss://HOST[:PORT]/runner, or ws:// within this machine or a tunnel.")
      ->type_name("URL")
      ->required();
  app.add_option("--name", words->name, "Name of this machine at the gateway. Default: its host name.")->type_name("NAME");
  app.add_option("--folder", words->folders,
                 "Where agents may work, and below; may be given several times. By default where you are.")
      ->type_name("DIR");
  app.add_option("--agent", words->agents, "Offer this agent only; may be repeated. Default: all agents of this machine.")
      ->type_name("NAME");
  app.add_option("--keep-days", words->keep_days,
                 "Days without use before sessions that the gateway no longer needs are deleted; 0: never.")
      ->check(CLI::Range(0, 36500))
      ->type_name("DAYS")
      ->capture_default_str();
  app.add_option("--token-file", words->token_file, "Holds the gateway's token (mode 0600); without it PARLANCE_TOKEN.")
      ->type_name("FILE");
  return [words](const Settings& settings, const Words&) { return run_runner(settings, *words); };
}

}  // namespace parlance::app
