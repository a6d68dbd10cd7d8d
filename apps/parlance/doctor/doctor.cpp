// SPDX-License-Identifier: Apache-2.0
// parlance doctor: looks at everything that has to be right on this machine, and says what to do about what is not.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <sqlite3.h>

#include "apps/parlance/commands.h"
#include "apps/parlance/config/acp_agents.h"
#include "apps/parlance/config/check_settings.h"
#include "apps/parlance/config/deployed_settings.h"
#include "apps/parlance/config/iflow_agent.h"
#include "apps/parlance/config/resolve_settings.h"
#include "apps/parlance/doctor/doctor_model.h"
#include "apps/parlance/doctor/doctor_runners.h"
#include "apps/parlance/doctor/doctor_store.h"
#include "apps/parlance/doctor/report.h"
#include "apps/parlance/embedding.h"
#include "parlance/base/uri.h"
#include "parlance/codec/json/value.h"
#include "parlance/gateway/token_file.h"
#include "parlance/process/program_words.h"
#include "parlance/protocol/gorpc/client.h"
#include "parlance/protocol/gorpc/messages.h"
#include "parlance/store/state_parts.h"
#include "parlance/transport/http/http_client.h"
#include "parlance/transport/sockets.h"

namespace parlance::app {
namespace {

using namespace std::chrono_literals;

void check_state_folder(DoctorReport& report, const std::string& folder) {
  struct stat status{};
  if (::stat(folder.c_str(), &status) != 0) {
    report.note("state folder", folder + " (not there yet; made at the first start)");
    return;
  }
  if ((status.st_mode & 077) != 0) report.bad("state folder", folder + ": other users may look into it", "chmod 700 " + folder);
  else if (::access(folder.c_str(), R_OK | W_OK | X_OK) != 0)
    report.bad("state folder", folder + ": cannot be written",
               "make it yours: sudo chown -R $(id -u) " + folder + ", or choose another with --state");
  else report.good("state folder", folder);
  std::error_code error;
  const auto space = std::filesystem::space(folder, error);
  if (!error && space.available < (std::uintmax_t{64} << 20))
    report.bad("disk", std::to_string(space.available >> 20) + " MiB free",
               "free some space: conversations are written before they are shown");
}

void check_database(DoctorReport& report, const std::string& state, const std::string& file, const std::string& what) {
  const std::string path = state + "/" + file;
  if (const auto there = store::check_part(state, file); !there)
    return report.bad(what, there.error().message, "parlance begins no new one by itself, so that nothing is taken for empty");
  if (::access(path.c_str(), F_OK) != 0) return;
  sqlite3* database = nullptr;
  std::string verdict = "cannot be opened";
  if (sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(database, "PRAGMA quick_check(1)", -1, &statement, nullptr) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
      verdict = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
    else verdict = sqlite3_errmsg(database);
    sqlite3_finalize(statement);
  }
  sqlite3_close(database);
  if (verdict == "ok") report.good(what, path);
  else
    report.bad(what, path + ": " + verdict,
               "move the file away to begin anew, or restore a copy; sqlite3 \"" + path + "\" .recover reads what is left");
}

void check_model(DoctorReport& report, Loop& loop, const Settings& settings) {
  if (settings.text("model") == "none") return report.note("model", "none: the agent is memory alone");
  if (settings.text("model") == "rehearsal") {
    report.note("model", "rehearsal: scripted, no language model answers (--model openai or anthropic for a real one)");
    return;
  }
  const ModelFinding found = look_at_model(loop, settings);
  if (found.good) report.good("model", found.detail);
  else report.bad("model", found.detail, found.cure);
}

Task<Result<gorpc::AbilitiesReply>> ask_agent(Loop& loop, std::string path, SocketPeers peers) {
  PARLANCE_CO_TRY(stream, co_await connect_unix(loop, path, std::move(peers)));
  PARLANCE_CO_TRY(peer, co_await gorpc::connect(loop, std::move(stream)));
  Scope scope(loop);
  scope.start([](Peer& p) -> Task<void> { static_cast<void>(co_await p.run()); }(*peer));
  co_return co_await peer->call_named("RPCService.Abilities", gorpc::abilities, {}, within(2s));
}

void check_agent(DoctorReport& report, Loop& loop, const Settings& settings) {
  const std::string& path = settings.text("agent-socket");
  const auto told = loop.block_on(ask_agent(loop, path, agent_peers(settings)));
  if (told || told.error().code == Errc::failed) report.good("agent", "answers on " + path);
  else if (told.error().code == Errc::not_found || told.error().code == Errc::disconnected)
    report.note("agent", "does not run (" + path + "); parlance up starts it");
  else if (told.error().code == Errc::deadline_exceeded)
    report.bad("agent", "gives no answer on " + path,
               "parlance up starts one that hangs again after some seconds; without it: stop that process and start it again");
  else if (told.error().code == Errc::denied)
    report.bad("agent", told.error().message, "choose another path with --agent-socket, or trust that user with --agent-user");
  else report.bad("agent", told.error().message, "stop what listens on " + path + ", or choose another path with --agent-socket");
}

void check_store(DoctorReport& report, const Settings& settings) {
  const std::string& address = settings.text("store");
  if (address.empty()) return;
  const auto found = look_at_store(address);
  if (!found)
    return report.bad("store", found.error().message, "check the address, and that the database lets this machine and user in");
  report.good("store", shown_value("store", address));
  for (const std::string& sentence : found->gateways) report.good("store", sentence);
  for (const std::string& sentence : found->warnings) report.note("store", sentence);
  const auto memory = look_at_shared_memory(address);
  if (memory) report.good("memory", *memory);
  else report.bad("memory", memory.error().message, "agents answer without memory until it can be read");
}

// What is shared is in no file of this machine; one that lies there from before is nobody's now.
void check_kept(DoctorReport& report, const Settings& settings, const std::string& state) {
  if (!settings.text("store").empty()) return check_store(report, settings);
  check_database(report, state, "hub.db", "conversations");
  check_database(report, state, "memory.db", "memory");
}

// What the gateway says of the services behind it; nothing without the token, which is in the state folder of whoever started it.
void tell_services(DoctorReport& report, const std::string& body) {
  const auto health = json::parse(body);
  const json::Value* services = health ? health->find("services") : nullptr;
  if (services == nullptr || services->array() == nullptr) return;
  for (const json::Value& one : *services->array()) {
    if (one.text_or("state", "") != "down") continue;
    report.bad("service", std::string(one.text_or("name", "")) + " is down: " + std::string(one.text_or("detail", "")),
               "what parlance up prints, and --log-level info, say more");
  }
}

void check_gateway(DoctorReport& report, Loop& loop, const std::string& address, const std::string& token) {
  const auto listen = parse_host_port(address);
  if (!listen) return;  // told with the settings
  if (!is_loopback(listen->host))
    report.note("gateway", address + " is not a loopback address: everyone on the network who has the token can use it");
  const auto fetch = [&]() -> Task<Result<HttpResponse>> {
    HttpClient client(loop);
    co_return co_await client.fetch({.url = "http://" + address + "/health",
                                     .headers = {{.name = "Authorization", .value = "Bearer " + token}},
                                     .connect_timeout = 2000ms,
                                     .total_timeout = 3000ms});
  };
  const auto health = loop.block_on(fetch());
  if (!health && health.error().code == Errc::deadline_exceeded)
    report.bad("gateway", "gives no answer on " + address,
               "parlance up starts one that hangs again after some seconds; without it: stop that process and start it again");
  else if (!health) report.note("gateway", "does not run (" + address + "); parlance up starts it");
  else if (health->status == 401 || health->status == 200) {
    report.good("gateway", "answers on http://" + address + "/");
    tell_services(report, health->body);
    tell_runners(report, health->body);
  } else
    report.bad("gateway", address + " answers with status " + std::to_string(health->status) + ": some other program",
               "stop it, or choose another port with --listen");
}

// The service's own /info: ours, and the deployed one, tell their port and dimension there.
void check_embed(DoctorReport& report, Loop& loop, const std::string& address) {
  if (!parse_host_port(address)) return;  // told with the settings
  const auto fetch = [&]() -> Task<Result<HttpResponse>> {
    HttpClient client(loop);
    co_return co_await client.fetch({.url = "http://" + address + "/info", .connect_timeout = 2000ms, .total_timeout = 5000ms});
  };
  const auto answer = loop.block_on(fetch());
  if (!answer) {
    report.note("embedding", "the service does not run (" + address + "); parlance up or parlance embed starts it");
    return;
  }
  const auto info = json::parse(answer->body);
  if (answer->status == 200 && info && info->find("modelPath") != nullptr)
    report.good("embedding", "answers on http://" + address + "/, " + std::string(info->text_or("modelPath", "")) +
                                 ", dimension " + std::to_string(info->integer_or("dim", 0)));
  else if (info && info->find("error") != nullptr && answer->status >= 500)
    report.bad("embedding", "http://" + address + "/: " + std::string(info->find("error")->text_or("message", "")),
               "see what is wrong with its back end (--embed-backend)");
  else
    report.bad("embedding", address + " is used by another program (status " + std::to_string(answer->status) + ")",
               "stop it, or choose another port with --embed-listen; parlance up takes a free one meanwhile");
}

// A service elsewhere that the settings name: does it embed, and how long are its vectors?
void check_embedder(DoctorReport& report, Loop& loop, const Settings& settings, std::string_view name) {
  if (settings.text(name).empty()) return;
  const auto chosen = choose_embedder(loop, settings, name);
  const auto info = chosen ? loop.block_on(chosen->embedder->info()) : Result<memory::EmbedderInfo>(fail(chosen.error()));
  if (info) report.good(std::string(name), chosen->backend + " embeds: " + info->id);
  else report.bad(std::string(name), info.error().message, "check the address, --embed-model and the key");
}

// Other agents: is the program there, and how does one get it?
void check_acp_agents(DoctorReport& report, Loop& loop, const Settings& settings) {
  auto agents = acp_agents(settings);
  if (!agents) return report.bad("agents", agents.error().message, "mend the table, or take it out");
  for (ConfiguredAgent& one : *agents) {
    driver::AcpAgentSettings& agent = one.settings;
    const std::string what = "agent " + agent.id;
    if (const auto completed = complete_iflow(loop, settings, agent); !completed)
      report.bad(what, completed.error().message, "check --iflow-key-file");
    if (agent.command.empty()) {
      report.good(what, agent.name + " at " + agent.url);
    } else if (const auto found =
                   agent.find ? loop.block_on(agent.find(true)) : Result<driver::AcpProgram>(fail(Errc::not_found, ""));
               found) {
      report.good(what, found->detail);
    } else if (const std::string program = find_program(agent.command.front()); !program.empty()) {
      report.good(what, agent.name + ": " + program);
    } else if (one.named) {
      report.bad(what, "no program \"" + agent.command.front() + "\"", agent.install.empty() ? "install it" : agent.install);
    } else {
      report.note(what, "not installed: " + agent.install);
    }
  }
}

}  // namespace

namespace {

struct Wanted {
  bool json = false;
  std::string language = "en";
  std::string to;  // empty: this machine is no runner's
  std::string token_file;
};

DoctorReport look_at_all(const Settings& settings, const Wanted& wanted) {
  DoctorReport report;
  Loop loop;
  const std::string state = state_folder(settings);
  report.begin("storage");
  check_state_folder(report, state);
  check_kept(report, settings, state);
  report.begin("settings");
  for (const WrongSetting& wrong : wrong_settings(settings)) report.bad("--" + wrong.name, wrong.message, wrong.cure);
  for (const std::string& sentence : ignored_settings(settings)) report.note("settings", sentence);
  report.begin("model");
  check_model(report, loop, settings);
  report.begin("services");
  check_agent(report, loop, settings);
  report.begin("agents");
  check_acp_agents(report, loop, settings);
  report.begin("services");
  const std::string& token = settings.text("token");
  check_gateway(report, loop, settings.text("listen"), token.empty() || token == "auto" ? gateway::kept_token(state) : token);
  check_embed(report, loop, settings.text("embed-listen"));
  check_embedder(report, loop, settings, "embed-backend");
  check_embedder(report, loop, settings, "embed-url");
  if (!wanted.to.empty()) check_way_to_gateway(report, loop, settings, wanted.to, wanted.token_file);
  report.begin("settings");
  if (settings.files().empty()) report.note("configuration", "no parlance.toml; defaults, environment and flags");
  for (const ConfigFile& file : settings.files()) report.good("configuration", file.path);
  for (const std::string& sentence : untrusted_sentences(settings)) report.note("configuration", sentence);
  return report;
}

}  // namespace

Action declare_doctor(CLI::App& app) {
  auto wanted = std::make_shared<Wanted>();
  app.add_flag("--json", wanted->json, "For programs: one JSON object, as GET /doctor of the gateway answers it.");
  app.add_option("--language", wanted->language, "What is said by parlance itself.")
      ->check(CLI::IsMember({"en", "zh"}))
      ->capture_default_str();
  app.add_option("--to", wanted->to, "On a runner's machine: its gateway, as for parlance runner. Nothing is offered to it.")
      ->type_name("URL");
  app.add_option("--token-file", wanted->token_file, "… and its token; without it PARLANCE_TOKEN.")->type_name("FILE");
  return [wanted](const Settings& settings, const Words&) {
    DoctorReport report = look_at_all(settings, *wanted);
    if (wanted->language == "zh") report.speak_chinese();
    std::fputs((wanted->json ? report.as_json() : report.as_text()).c_str(), stdout);
    return report.told().bad == 0 ? ExitCode::done : ExitCode::failed;
  };
}

}  // namespace parlance::app
