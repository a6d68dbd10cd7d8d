// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/deployed_settings.h"

#include <array>
#include <cstdlib>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "parlance/base/text.h"
#include "parlance/model/connection/connections.h"
#include "parlance/model/settings.h"

namespace parlance::app {
namespace {

constexpr std::string_view socket_name = "/parlance/agent.sock";

std::string variable(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  return value != nullptr ? value : "";
}

bool is_given(const Settings& settings, std::string_view name) { return settings[name].origin != default_origin; }

// OPENCLAW_HOST and OPENCLAW_PORT, each of which may be missing. Our own variable and flags count more, a file less.
void complete_listen(Settings& settings) {
  const std::string host = variable("OPENCLAW_HOST");
  const std::string port = variable("OPENCLAW_PORT");
  const Setting& given = settings["listen"];
  if ((host.empty() && port.empty()) || given.origin.starts_with("flag ") || given.origin.starts_with("environment ")) return;
  const std::size_t colon = given.value.find_last_of(':');
  std::string address = host.empty() ? given.value.substr(0, colon) : host;
  if (!host.empty() && host.contains(':') && !host.starts_with('[')) address = "[" + host + "]";
  address += port.empty() ? given.value.substr(std::min(colon, given.value.size())) : ":" + port;
  const std::string names = host.empty() ? "OPENCLAW_PORT" : port.empty() ? "OPENCLAW_HOST" : "OPENCLAW_HOST and OPENCLAW_PORT";
  settings.set("listen", {address, "environment " + names});
}

// Keys with the name of parlance or of the deployed program select a model. OPENAI_API_KEY and similar variables may belong to
// other programs, so that parlance sends nothing to a vendor because of such a variable alone.
std::string key_for_us(const Settings& settings) {
  if (is_given(settings, "model-key-file")) return settings["model-key-file"].origin;
  for (const std::string_view name : {"PARLANCE_API_KEY", "OPENCLAW_API_KEY"})
    if (!variable(name).empty()) return "environment " + std::string(name);
  return "";
}

// The used connection of `parlance model`. Commands with a model report a fault; other commands ignore the fault.
void complete_from_connection(Settings& settings) {
  const auto stored = model::read_connections(state_folder(settings));
  if (!stored) return settings.set_connections_fault(stored.error().message);
  const model::Connection* const used = stored->used();
  if (used == nullptr) return;
  const std::string origin = std::string(stored_origin) + used->name;
  settings.set("model", {std::string(to_string(used->kind)), origin});
  settings.set("model-url", {used->url, origin});
  if (!is_given(settings, "model-name") && !used->model.empty()) settings.set("model-name", {used->model, origin});
}

void complete_model(Settings& settings) {
  if (is_given(settings, "model")) return;
  const Setting& url = settings["model-url"];
  const bool url_is_for_us = is_given(settings, "model-url") && !url.origin.ends_with(" OPENAI_BASE_URL") && !url.value.empty();
  const std::string key = key_for_us(settings);
  if (!url_is_for_us && key.empty()) return complete_from_connection(settings);
  const bool anthropic = url_is_for_us && to_lower(url.value).contains("anthropic");
  settings.set("model", {anthropic ? "anthropic" : "openai", "because of " + (url_is_for_us ? url.origin : key)});
}

}  // namespace

std::string usual_agent_socket() {
  const std::string folder = variable("XDG_RUNTIME_DIR");
  struct stat status{};
  const bool ours = folder.starts_with('/') && ::stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
                    status.st_uid == ::geteuid() && folder.size() + socket_name.size() < sizeof(sockaddr_un::sun_path);
  return ours ? folder + std::string(socket_name) : std::string(seed_agent_socket);
}

void complete_settings(Settings& settings) {
  if (!is_given(settings, "agent-socket")) settings.set("agent-socket", {usual_agent_socket(), std::string(default_origin)});
  complete_listen(settings);
  complete_model(settings);
}

SocketPeers agent_peers(const Settings& settings) {
  SocketPeers peers;
  if (const auto user = user_id(settings.text("agent-user")); user) peers.users.push_back(*user);
  return peers;
}

std::string model_key_origin(const Settings& settings) {
  const auto kind = model::kind_from(settings.text("model"));
  if (!kind || *kind == model::Kind::rehearsal) return "";
  if (is_stored_connection(settings["model"])) {
    const auto stored = model::read_connections(state_folder(settings));
    const bool has_key = stored && stored->used() != nullptr && !stored->used()->key.empty();
    return has_key ? settings["model"].origin : "";
  }
  if (!settings.text("model-key-file").empty()) return "--model-key-file";
  for (const std::string_view name : model::api_key_variables(*kind))
    if (!trim(variable(name)).empty()) return std::string(name);
  return "";
}

std::vector<std::string> ignored_settings(const Settings& settings) {
  std::vector<std::string> sentences;
  const std::string used = model_key_origin(settings);
  const std::string& model = settings.text("model");
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> keys{{{"PARLANCE_API_KEY", "openai or anthropic"},
                                                                               {"OPENCLAW_API_KEY", "openai or anthropic"},
                                                                               {"OPENAI_API_KEY", "openai"},
                                                                               {"ANTHROPIC_API_KEY", "anthropic"}}};
  for (const auto& [name, kinds] : keys) {
    if (variable(name).empty() || name == used || kinds.contains(model)) continue;
    sentences.push_back("The key in " + std::string(name) + " is not used by the model " + model + "; --model " +
                        std::string(kinds) + " would.");
  }
  if (used == "--model-key-file")
    for (const auto& [name, kinds] : keys)
      if (!variable(name).empty() && kinds.contains(model))
        sentences.push_back("The key in " + std::string(name) + " is not used: --model-key-file counts more.");
  if (model == "rehearsal")
    for (const std::string_view name : {"model-url", "model-name", "model-key-file"})
      if (is_given(settings, name))
        sentences.push_back("--" + std::string(name) + " (" + settings[name].origin + ") is not used by the model rehearsal.");
  return sentences;
}

}  // namespace parlance::app
