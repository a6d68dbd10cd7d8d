// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/gateway_settings.h"

#include <chrono>
#include <filesystem>

#include "apps/parlance/config/deployed_settings.h"
#include "apps/parlance/config/doctor_flags.h"
#include "apps/parlance/config/embed_address.h"
#include "apps/parlance/config/own_model.h"
#include "apps/parlance/config/working_folder.h"
#include "apps/parlance/gateway/agent_setups.h"
#include "parlance/base/text.h"
#include "parlance/base/uri.h"

namespace parlance::app {
namespace {

// Databases for the page, each behind `parlance sqlite`. Our own are only read.
server::DatabaseViewsSettings database_views(const Settings& settings) {
  server::DatabaseViewsSettings views{.helper = {own_program(), "sqlite"}, .own_folder = state_folder(settings)};
  for (const std::string_view path : split(settings.text(databases_setting), ':')) {
    std::error_code error;
    if (!path.empty()) views.named.push_back(std::filesystem::absolute(path, error).lexically_normal().string());
  }
  return views;
}

// HOST:PORT of "http://HOST:PORT/".
std::string host_and_port(const std::string& url) {
  const std::size_t begin = url.find("://");
  if (begin == std::string::npos) return "";
  return url.substr(begin + 3, url.find('/', begin + 3) - begin - 3);
}

DoctorSettings doctor_settings(const Settings& settings, const std::string& token) {
  DoctorSettings doctor{.command = {own_program(), "doctor", "--json"},
                        .set = {{"PARLANCE_TOKEN", token}, {"PARLANCE_STORE", settings.text("store")}}};
  for (std::string& flag : take_doctor_flags(settings)) {
    const std::size_t equals = std::min(flag.find('='), flag.size() - 1);
    const std::string value = flag.substr(equals + 1);
    if (!may_hold_secret(value)) doctor.command.push_back(std::move(flag));
    else doctor.set.emplace_back(std::string(spec_of(flag.substr(2, equals - 2)).environment), value);
  }
  doctor.embed_listen = [&settings] {
    const auto url = embed_address(settings);
    return url ? host_and_port(*url) : std::string();
  };
  return doctor;
}

}  // namespace

Result<GatewayFrontendsSettings> frontends_settings(const Settings& settings, const std::string& token) {
  GatewayFrontendsSettings frontends;
  const auto listen = parse_host_port(settings.text("listen"));
  if (!listen)
    return fail(Errc::invalid_params,
                "--listen: \"" + settings.text("listen") + "\" is no address; give ADDR:PORT, for example 127.0.0.1:55003");
  frontends.gateway.listen = *listen;
  frontends.gateway.http.both_loopbacks = settings["listen"].origin == default_origin;
  frontends.gateway.auth.token = token;
  frontends.gateway.behind_proxy = settings.is_on("behind-proxy");
  if (!settings.text("allow-host").empty()) frontends.gateway.auth.hosts.push_back(settings.text("allow-host"));
  const auto ask_wait = parse_number<int>(settings.text("ask-wait"));
  if (!ask_wait || *ask_wait < 0)
    return fail(Errc::invalid_params,
                "--ask-wait: \"" + settings.text("ask-wait") + "\" is no number of seconds; give 0 or more, for example 300");
  frontends.openai.ask_wait = std::chrono::seconds(*ask_wait);
  frontends.page.version = PARLANCE_VERSION;
  frontends.page.home = home_folder();
  frontends.page.default_folder = working_folder(settings);
  frontends.page.models.folder = state_folder(settings);
  if (!follows_connections(settings)) frontends.page.models.fixed_by = settings["model"].origin;
  const bool own_claude = settings.text("claude-command") != spec_of("claude-command").fallback;
  // The agent of default-agent stays the default, whether or not a sign-in is found.
  frontends.page.setups = [machine = this_machine(home_folder()), own_claude, chosen = settings.text("default-agent")] {
    std::vector<page::AgentSetup> setups = agent_setups(machine, own_claude);
    std::erase_if(setups, [&](const page::AgentSetup& agent_setup) { return agent_setup.installed && agent_setup.id == chosen; });
    return setups;
  };
  frontends.databases = database_views(settings);
  frontends.doctor = doctor_settings(settings, token);
  return frontends;
}

}  // namespace parlance::app
