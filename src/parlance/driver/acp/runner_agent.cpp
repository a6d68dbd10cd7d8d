// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/acp/runner_agent.h"

#include <algorithm>
#include <utility>

#include "parlance/base/utf8.h"
#include "parlance/codec/json/value.h"
#include "parlance/driver/acp/agent_via_acp.h"
#include "parlance/driver/acp/limits.h"
#include "parlance/driver/acp/offer.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/protocol/acp/version.h"
#include "parlance/workspace/limits.h"

namespace parlance::driver {
namespace {

std::string meta_of(const std::string& agent) {
  json::Object ours;
  ours.set("agent", agent);
  json::Object meta;
  meta.set("parlance", json::Value(std::move(ours)));
  return json::to_text(json::Value(std::move(meta)));
}

// Paths appear in a list and then in a message: each must be a single line, and the list has a limit, independent of the runner.
hub::FilesFound checked_files(acp::FoundFiles found) {
  hub::FilesFound files{.all = found.all};
  for (std::string& path : found.paths) {
    const bool is_line = !path.empty() && path.size() <= limits::runner_path_bytes && is_valid_utf8(path) &&
                         std::ranges::none_of(path, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
    if (is_line && files.paths.size() < limits::file_names_found) files.paths.push_back(std::move(path));
  }
  return files;
}

class RunnerAgent final : public hub::AgentProvider {
 public:
  RunnerAgent(Loop& loop, hub::Hub& hub, std::shared_ptr<KnownRunner> runner, const acp::OfferedAgent& agent,
              const std::string& version)
      : runner_(std::move(runner)), agent_(agent.id) {
    AcpAgentSettings settings{.id = runner_->offer.name + "/" + agent.id, .name = agent.name + " on " + runner_->offer.name};
    settings.connect = [at = runner_]() -> Task<Result<std::unique_ptr<Frames>>> { co_return at->connect(); };
    settings.files = settings.terminals = false;
    settings.history_quiet = {};  // a runner sends the whole history before its reply
    settings.runner = AcpRunner{.name = runner_->offer.name, .account = [at = runner_] { return account_of(at->offer); }};
    settings.session_meta = meta_of(agent.id);
    settings.version = version;
    settings.changed = [this, &hub](const hub::AgentInfo&) { hub.agent_changed(info()); };
    inner_ = agent_via_acp(loop, std::move(settings));
  }

  hub::AgentInfo info() const override {
    hub::AgentInfo info = inner_->info();
    info.runner = runner_->offer.name;
    info.user = runner_->user;
    info.folders = runner_->offer.folders;
    info.keeps_sessions.reset();
    info.detail = account_of(runner_->offer);
    const bool is_offered =
        std::ranges::find(runner_->offer.agents, agent_, &acp::OfferedAgent::id) != runner_->offer.agents.end();
    if (runner_->state == KnownRunner::State::disconnected) info.detail = runner_->why_not();
    else if (!is_offered) info.detail = "the runner " + runner_->offer.name + " no longer offers this agent";
    if (runner_->state == KnownRunner::State::disconnected || !is_offered) info.state = hub::Health::down;
    return info;
  }
  Task<Result<std::unique_ptr<hub::Agent>>> open(hub::SessionSetup setup, hub::AgentHost host) override {
    if (const hub::AgentInfo now = info(); now.state == hub::Health::down) co_return fail(Errc::disconnected, now.detail);
    co_return co_await inner_->open(std::move(setup), host);
  }
  Task<Result<hub::FilesFound>> find_files(hub::FilesWanted wanted) override {
    const auto at = runner_;  // the agent may be removed meanwhile
    acp::FindFiles asked{.folders = std::move(wanted.folders), .typed = std::move(wanted.typed)};
    if (!wanted.excluded.empty()) asked.excluded = std::move(wanted.excluded);
    PARLANCE_CO_TRY(found, co_await at->find_files(std::move(asked)));
    co_return checked_files(std::move(found));
  }

 private:
  std::shared_ptr<KnownRunner> runner_;
  std::string agent_;
  std::unique_ptr<hub::AgentProvider> inner_;
};

}  // namespace

std::string KnownRunner::why_not() const {
  return "the runner " + offer.name + " (" + account_of(offer) + ") is not connected since " + since +
         ": start it there with `parlance runner --name " + offer.name + "`";
}

acp::InitializeParams runner_client(const std::string& version) {
  acp::ClientCapabilities can;
  can.session = acp::ClientSessionCapabilities{.compaction = acp::Supported{},
                                               .config_options = acp::ConfigOptionCapabilities{.boolean = acp::Supported{}},
                                               .notices = acp::Supported{}};
  can.elicitation = acp::ElicitationCapabilities{.form = acp::Supported{}, .url = acp::Supported{}};
  return {.protocol_version = acp::highest_version,
          .capabilities = std::move(can),
          .client = acp::Implementation{.name = "parlance", .title = "parlance gateway", .version = version}};
}

std::unique_ptr<hub::AgentProvider> runner_agent(Loop& loop, hub::Hub& hub, std::shared_ptr<KnownRunner> runner,
                                                 const acp::OfferedAgent& agent, const std::string& version) {
  return std::make_unique<RunnerAgent>(loop, hub, std::move(runner), agent, version);
}

}  // namespace parlance::driver
