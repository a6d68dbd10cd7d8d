// SPDX-License-Identifier: Apache-2.0
// parlance doctor: checks the installation on this machine and recommends actions.
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
#include "apps/parlance/config/running_gateway.h"
#include "apps/parlance/doctor/doctor_model.h"
#include "apps/parlance/doctor/doctor_runners.h"
#include "apps/parlance/doctor/doctor_store.h"
#include "apps/parlance/doctor/report.h"
#include "apps/parlance/embedding.h"
#include "parlance/base/uri.h"
#include "parlance/codec/json/value.h"
#include "parlance/gateway/token_file.h"
#include "parlance/model/connection/detect.h"
#include "parlance/process/program_words.h"
#include "parlance/protocol/gorpc/client.h"
#include "parlance/protocol/gorpc/messages.h"
#include "parlance/store/state_parts.h"
#include "parlance/transport/http/http_client.h"
#include "parlance/transport/sockets.h"

namespace parlance::app {
namespace {

using namespace std::chrono_literals;

std::string existing_parent(const std::string& folder) {
  std::error_code none;
  std::filesystem::path parent = std::filesystem::absolute(folder, none).parent_path();
  while (parent.has_relative_path() && !std::filesystem::exists(parent, none)) parent = parent.parent_path();
  return parent.string();
}

void check_state_folder(DoctorReport& report, const std::string& folder) {
  using enum DoctorText;
  struct stat status{};
  if (::stat(folder.c_str(), &status) != 0) {
    const std::string parent = existing_parent(folder);
    if (::access(parent.c_str(), W_OK | X_OK) != 0)
      return report.bad(part_state_folder, report.text(folder_not_creatable, {folder, parent}),
                        report.text(folder_choose_another));
    return report.note(part_state_folder, report.text(folder_missing, {folder}));
  }
  if ((status.st_mode & 077) != 0)
    report.bad(part_state_folder, report.text(folder_open_to_others, {folder}), "chmod 700 " + folder);
  else if (::access(folder.c_str(), R_OK | W_OK | X_OK) != 0)
    report.bad(part_state_folder, report.text(folder_not_writable, {folder}),
               status.st_uid == ::getuid() ? "chmod 700 " + folder : report.text(folder_take_ownership, {folder}));
  else report.good(part_state_folder, folder);
  std::error_code error;
  const auto space = std::filesystem::space(folder, error);
  if (!error && space.available < (std::uintmax_t{64} << 20))
    report.bad(part_disk, report.text(disk_free, {std::to_string(space.available >> 20)}), report.text(disk_free_space));
}

void check_database(DoctorReport& report, const std::string& state, const std::string& file, DoctorText part) {
  using enum DoctorText;
  const std::string path = state + "/" + file;
  if (const auto there = store::check_part(state, file); !there)
    return report.bad(part, there.error().message, report.text(database_not_replaced));
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return;
  if (::access(path.c_str(), R_OK | W_OK) != 0)
    return report.bad(part, report.text(database_not_opened, {path}),
                      status.st_uid == ::getuid() ? "chmod 600 " + path : report.text(folder_take_ownership, {path}));
  sqlite3* database = nullptr;
  std::string fault = report.text(database_not_opened, {path});
  if (sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(database, "PRAGMA quick_check(1)", -1, &statement, nullptr) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
      const std::string verdict = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
      fault = verdict == "ok" ? "" : path + ": " + verdict;
    } else {
      fault = path + ": " + sqlite3_errmsg(database);
    }
    sqlite3_finalize(statement);
  }
  sqlite3_close(database);
  if (fault.empty()) report.good(part, path);
  else report.bad(part, fault, report.text(database_recover, {path}));
}

void check_model(DoctorReport& report, Loop& loop, const Settings& settings) {
  using enum DoctorText;
  if (settings.text("model") == "none") return report.note(part_model, report.text(model_none));
  if (settings.text("model") == "rehearsal") {
    report.note(part_model, report.text(model_rehearsal));
    for (const model::FoundModel& model : loop.block_on(model::find_models(loop, environment_variable)))
      report.note(part_model,
                  report.text(model_found, {model.vendor, model.key_variable.empty() ? model.url : model.key_variable}));
    return;
  }
  const ModelFinding found = look_at_model(report, loop, settings);
  if (found.good) report.good(part_model, found.detail);
  else report.bad(part_model, found.detail, found.cure);
}

Task<Result<gorpc::AbilitiesReply>> ask_agent(Loop& loop, std::string path, SocketPeers peers) {
  PARLANCE_CO_TRY(stream, co_await connect_unix(loop, path, std::move(peers)));
  PARLANCE_CO_TRY(peer, co_await gorpc::connect(loop, std::move(stream)));
  Scope scope(loop);
  scope.start([](Peer& p) -> Task<void> { static_cast<void>(co_await p.run()); }(*peer));
  co_return co_await peer->call_named("RPCService.Abilities", gorpc::abilities, {}, within(2s));
}

void check_agent(DoctorReport& report, Loop& loop, const Settings& settings) {
  using enum DoctorText;
  const std::string& path = settings.text("agent-socket");
  const auto abilities = loop.block_on(ask_agent(loop, path, agent_peers(settings)));
  if (abilities || abilities.error().code == Errc::failed) return report.good(part_agent, report.text(answers_on, {path}));
  const std::string& message = abilities.error().message;
  switch (abilities.error().code) {
    case Errc::not_found:
    case Errc::disconnected: return report.note(part_agent, report.text(not_running, {path}));
    case Errc::deadline_exceeded: return report.bad(part_agent, report.text(no_answer, {path}), report.text(hanging_restarts));
    case Errc::denied: return report.bad(part_agent, message, report.text(socket_of_other_user));
    default: report.bad(part_agent, message, report.text(socket_taken, {path}));
  }
}

// With a shared store, local files of conversations and memories are unused, also older ones.
void check_kept(DoctorReport& report, const Settings& settings, const std::string& state) {
  if (const std::string& address = settings.text("store"); !address.empty()) return check_store(report, address);
  check_database(report, state, "hub.db", DoctorText::part_conversations);
  check_database(report, state, "memory.db", DoctorText::part_memory);
}

// Reports the failed services in the gateway's /health. Without the token, the body has no services.
void report_services(DoctorReport& report, const std::string& body) {
  using enum DoctorText;
  const auto health = json::parse(body);
  const json::Value* services = health ? health->find("services") : nullptr;
  if (services == nullptr || services->array() == nullptr) return;
  for (const json::Value& service : *services->array()) {
    if (service.text_or("state", "") != "down") continue;
    report.bad(part_service, report.text(service_down, {service.text_or("name", ""), service.text_or("detail", "")}),
               report.text(service_read_output));
  }
}

void check_gateway(DoctorReport& report, Loop& loop, const std::string& address, const std::string& token) {
  using enum DoctorText;
  const auto listen = parse_host_port(address);
  if (!listen) return;  // The check of the settings reports this fault.
  if (!is_loopback(listen->host)) report.note(part_gateway, report.text(gateway_not_loopback, {address}));
  const auto fetch = [&]() -> Task<Result<HttpResponse>> {
    HttpClient client(loop);
    std::vector<HttpHeader> headers;
    if (!token.empty()) headers.push_back({.name = "Authorization", .value = "Bearer " + token});
    co_return co_await client.fetch({.url = "http://" + address + "/health",
                                     .headers = std::move(headers),
                                     .connect_timeout = 2000ms,
                                     .total_timeout = 3000ms});
  };
  const auto health = loop.block_on(fetch());
  if (!health && health.error().code == Errc::deadline_exceeded)
    report.bad(part_gateway, report.text(no_answer, {address}), report.text(hanging_restarts));
  else if (!health) report.note(part_gateway, report.text(not_running, {address}));
  else if (health->status == 401 || health->status == 200) {
    report.good(part_gateway, report.text(answers_on, {"http://" + address + "/"}));
    report_services(report, health->body);
    report_runners(report, health->body);
  } else
    report.bad(part_gateway, report.text(gateway_other_program, {address, std::to_string(health->status)}),
               report.text(gateway_free_port));
}

// The service's /info, which both our service and the deployed service answer with model and dimension.
void check_embed(DoctorReport& report, Loop& loop, const std::string& address) {
  using enum DoctorText;
  if (!parse_host_port(address)) return;  // The check of the settings reports this fault.
  const auto fetch = [&]() -> Task<Result<HttpResponse>> {
    HttpClient client(loop);
    co_return co_await client.fetch({.url = "http://" + address + "/info", .connect_timeout = 2000ms, .total_timeout = 5000ms});
  };
  const auto answer = loop.block_on(fetch());
  if (!answer) return report.note(part_embedding, report.text(embed_not_running, {address}));
  const std::string url = "http://" + address + "/";
  const auto info = json::parse(answer->body);
  if (answer->status == 200 && info && info->find("modelPath") != nullptr)
    report.good(part_embedding,
                report.text(embed_answers, {url, info->text_or("modelPath", ""), std::to_string(info->integer_or("dim", 0))}));
  else if (info && info->find("error") != nullptr && answer->status >= 500)
    report.bad(part_embedding, url + ": " + std::string(info->find("error")->text_or("message", "")),
               report.text(embed_check_back_end));
  else
    report.bad(part_embedding, report.text(embed_other_program, {address, std::to_string(answer->status)}),
               report.text(embed_free_port));
}

// The embedding service at the address of a setting.
void check_embedder(DoctorReport& report, Loop& loop, const Settings& settings, std::string_view name) {
  using enum DoctorText;
  if (settings.text(name).empty()) return;
  const auto chosen = choose_embedder(loop, settings, name);
  const auto info = chosen ? loop.block_on(chosen->embedder->info()) : Result<memory::EmbedderInfo>(fail(chosen.error()));
  if (info) report.good(std::string(name), report.text(embedder_works, {chosen->backend, info->id}));
  else report.bad(std::string(name), info.error().message, report.text(embedder_check));
}

// How to install a missing program. A preset's `install` is a command, and after a comma the login of its program.
std::string install_of(const DoctorReport& report, const driver::AcpAgentSettings& agent) {
  const std::size_t comma = agent.install.find(',');
  if (agent.install.empty()) return report.text(DoctorText::agent_install);
  if (comma == std::string::npos) return agent.install;
  return report.text(DoctorText::agent_then_sign_in, {agent.install.substr(0, comma), agent.command.front()});
}

std::string line_of(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

// Agents of other projects: finds the program of each, or the command to install the program.
void check_acp_agents(DoctorReport& report, Loop& loop, const Settings& settings) {
  using enum DoctorText;
  auto agents = acp_agents(settings);
  if (!agents) return report.bad(part_agents, agents.error().message, report.text(agents_correct_table));
  for (ConfiguredAgent& configured : *agents) {
    driver::AcpAgentSettings& agent = configured.settings;
    const std::string what = report.text(part_named_agent, {agent.id});
    if (const auto completed = complete_iflow(loop, settings, agent); !completed)
      report.bad(what, completed.error().message, report.text(agent_check_key_file));
    if (agent.command.empty()) {
      report.good(what, report.text(agent_at_address, {agent.name, agent.url}));
    } else if (const auto found =
                   agent.find ? loop.block_on(agent.find(true)) : Result<driver::AcpProgram>(fail(Errc::not_found, ""));
               found) {
      report.good(what, agent.name + ": " + line_of(found->command));
    } else if (const std::string program = find_program(agent.command.front()); !program.empty()) {
      report.good(what, agent.name + ": " + program);
    } else if (configured.named) {
      report.bad(what, report.text(agent_no_program, {agent.command.front()}), install_of(report, agent));
    } else {
      report.note(what, report.text(agent_not_installed, {install_of(report, agent)}));
    }
  }
}

struct Wanted {
  bool json = false;
  std::string language = "en";
  std::string to;  // Empty: no check of the way from a runner to its gateway.
  std::string token_file;
};

DoctorReport look_at_all(const Settings& settings, const Wanted& wanted) {
  using enum DoctorText;
  DoctorReport report(wanted.language == "zh" ? Language::chinese : Language::english);
  Loop loop;
  const std::string state = state_folder(settings);
  report.begin("storage");
  check_state_folder(report, state);
  check_kept(report, settings, state);
  report.begin("settings");
  for (const WrongSetting& wrong : wrong_settings(settings)) report.bad("--" + wrong.name, wrong.message, wrong.cure);
  for (const std::string& sentence : ignored_settings(settings)) report.note(part_settings, sentence);
  report.begin("model");
  check_model(report, loop, settings);
  report.begin("services");
  check_agent(report, loop, settings);
  report.begin("agents");
  check_acp_agents(report, loop, settings);
  report.begin("services");
  const std::string& token = settings.text("token");
  // Another program may listen there, and must not receive the token.
  const auto listen = parse_host_port(settings.text("listen"));
  const bool is_ours = listen && RunningGateway::find(state).ends_with(":" + std::to_string(listen->port));
  const std::string own = token.empty() || token == "auto" ? gateway::kept_token(state) : token;
  check_gateway(report, loop, settings.text("listen"), is_ours ? own : "");
  check_embed(report, loop, settings.text("embed-listen"));
  check_embedder(report, loop, settings, "embed-backend");
  check_embedder(report, loop, settings, "embed-url");
  if (!wanted.to.empty()) check_way_to_gateway(report, loop, settings, wanted.to, wanted.token_file);
  report.begin("settings");
  if (settings.files().empty()) report.note(part_configuration, report.text(settings_no_file));
  for (const ConfigFile& file : settings.files()) report.good(part_configuration, file.path);
  for (const std::string& sentence : untrusted_sentences(settings)) report.note(part_configuration, sentence);
  return report;
}

}  // namespace

Action declare_doctor(CLI::App& app) {
  auto wanted = std::make_shared<Wanted>();
  app.add_flag("--json", wanted->json, "Print one JSON object for programs, as GET /doctor of the gateway.");
  app.add_option("--language", wanted->language, "Language of the texts. Texts of other programs stay in their language.")
      ->check(CLI::IsMember({"en", "zh"}))
      ->capture_default_str();
  app.add_option("--to", wanted->to,
                 "On a runner's machine: address of its gateway, as for parlance runner. The check offers nothing.")
      ->type_name("URL");
  app.add_option("--token-file", wanted->token_file, "File with the token for --to. Default: PARLANCE_TOKEN.")->type_name("FILE");
  return [wanted](const Settings& settings, const Words&) {
    const DoctorReport report = look_at_all(settings, *wanted);
    std::fputs((wanted->json ? report.as_json() : report.as_text()).c_str(), stdout);
    return report.findings().bad == 0 ? ExitCode::done : ExitCode::failed;
  };
}

}  // namespace parlance::app
