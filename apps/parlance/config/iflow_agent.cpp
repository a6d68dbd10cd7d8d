// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/iflow_agent.h"

#include <utility>

#include "parlance/base/text.h"
#include "parlance/base/uri.h"
#include "parlance/driver/iflow/installation.h"
#include "parlance/driver/iflow/process_manager.h"
#include "parlance/model/settings.h"
#include "parlance/process/child_environment.h"

namespace parlance::app {
namespace {

using driver::AcpProgram;
using driver::IflowInstallation;

constexpr std::string_view usual_program = "iflow";  // may be outside of PATH

bool is_of_this_machine(const std::string& url) {
  const std::size_t host = url.find("://");
  if (host == std::string::npos) return false;
  const auto parts = parse_host_port(std::string_view(url).substr(host + 3, url.find('/', host + 3) - host - 3));
  return parts && is_loopback(parts->host);
}

Task<Result<AcpProgram>> find(std::shared_ptr<IflowInstallation> installation, std::string node,
                              std::vector<std::string> arguments, bool refresh) {
  AcpProgram program;
  if (refresh) {
    installation->forget();
    program.detail = (co_await installation->availability()).diagnosis;
  }
  PARLANCE_CO_TRY(start, co_await installation->start(std::move(node)));
  program.command = start.words();
  program.command.insert(program.command.end(), arguments.begin(), arguments.end());
  co_return program;
}

Task<void> stop_process(std::shared_ptr<driver::ProcessManager> process) { co_await process->stop(); }

// As its own SDK starts it: on the first free port, over WebSocket.
Task<Result<driver::ListeningAgent>> start_listening(Loop& loop, std::shared_ptr<IflowInstallation> installation,
                                                     driver::StartInfo info, std::string node, std::string folder) {
  const auto process = std::make_shared<driver::ProcessManager>(loop, std::move(installation));
  if (auto found = co_await process->resolve_start_mode(std::move(node), info.port)) {
    info.program = std::move(found->program);
    info.script = std::move(found->script);
  } else {
    const auto program = co_await process->auto_detect();
    if (!program) co_return fail(driver::no_iflow());
    info.program = program->program;
  }
  PARLANCE_CO_TRY(started, co_await process->start(std::move(info), std::move(folder)));
  co_return driver::ListeningAgent{
      .connect = [&loop, process, url = started.url] { return acp::connect_to_agent(loop, url, {}); },
      .stop = [process] { return stop_process(process); }};
}

std::string write_settings(IflowInstallation& installation, const std::string& path, const std::string& model) {
  const auto written = installation.write_settings(model);
  if (!written) return "iFlow's settings could not be written, so it may use another model: " + written.error().message;
  if (written->kept_at) return path + " could not be read; it was kept as " + *written->kept_at;
  return "";
}

}  // namespace

Result<void> complete_iflow(Loop& loop, const Settings& settings, driver::AcpAgentSettings& agent) {
  if (agent.flavour != acp::Flavour::iflow || (agent.command.empty() && !is_of_this_machine(agent.url))) return {};
  driver::IflowInstallationSettings wanted;
  if (!agent.command.empty() && agent.command.front() != usual_program) wanted.program = agent.command.front();
  wanted.settings_path =
      driver::iflow_settings_path(environment_variable("IFLOW_HOME").value_or(""), environment_variable("HOME").value_or(""));
  wanted.base_url = settings.text("iflow-base-url");
  if (const std::string& file = settings.text("iflow-key-file"); !file.empty()) {
    PARLANCE_TRY(key,
                 model::find_api_key(model::Kind::openai, [](std::string_view) { return std::optional<std::string>(); }, file));
    wanted.api_key = std::move(key.text);
  }
  const std::string path = wanted.settings_path;
  const auto installation = std::make_shared<IflowInstallation>(loop, std::move(wanted));
  agent.write_settings = [installation, path](const std::string& model) { return write_settings(*installation, path, model); };
  if (agent.command.empty()) return {};
  agent.find = [installation, node = settings.text("iflow-node"),
                arguments = std::vector(agent.command.begin() + 1, agent.command.end())](bool refresh) {
    return find(installation, node, arguments, refresh);
  };
  driver::StartInfo on_port{.environment = agent.environment};
  if (const auto port = parse_number<unsigned short>(settings.text("iflow-port")); port && *port > 0) on_port.port = *port;
  agent.start_listening = [&loop, installation, on_port, node = settings.text("iflow-node")](std::string folder) {
    return start_listening(loop, installation, on_port, node, std::move(folder));
  };
  return {};
}

}  // namespace parlance::app
