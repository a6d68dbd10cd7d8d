// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/page/remote_hub.h"

#include <algorithm>
#include <utility>

#include "parlance/codec/json/typed.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/hub/policy/spending.h"
#include "parlance/wire_form/spending_tables.h"

namespace parlance::driver {

// The description of an agent that the gateway opens itself.
class RemoteHub::RemoteAgent final : public hub::AgentProvider {
 public:
  RemoteAgent(GatewayStore& store, std::string id) : store_(store), id_(std::move(id)) {}

  hub::AgentInfo info() const override {
    const auto& agents = store_.copy().agents();
    const auto found = std::ranges::find(agents, id_, &hub::AgentInfo::id);
    hub::AgentInfo info = found == agents.end() ? hub::AgentInfo{.id = id_} : *found;
    if (!info.runner) info.runner = "gateway";  // its folders are not on this machine
    return info;
  }
  Task<Result<std::vector<hub::KeptSession>>> sessions(std::string folder) override {
    return store_.sessions(id_, std::move(folder));
  }
  Task<Result<hub::FilesFound>> find_files(hub::FilesWanted wanted) override {
    if (wanted.folders.empty()) co_return hub::FilesFound{};
    page::FindFiles message{.folder = wanted.folders.front(), .typed = std::move(wanted.typed), .agent = id_};
    message.folders.emplace(wanted.folders.begin() + 1, wanted.folders.end());
    message.excluded = std::move(wanted.excluded);
    PARLANCE_CO_TRY(value, co_await store_.request(std::move(message)));
    co_return hub::FilesFound{.paths = std::move(value.paths), .all = value.all};
  }
  Task<Result<std::unique_ptr<hub::Agent>>> open(hub::SessionSetup, hub::AgentHost) override {
    co_return fail(Errc::internal, "the agent " + id_ + " runs at the gateway only");
  }

 private:
  GatewayStore& store_;
  std::string id_;
};

RemoteHub::RemoteHub(Loop& loop, GatewayStoreSettings settings)
    : store_(loop,
             [&] {
               settings.agent_changed = [this](const hub::AgentInfo& agent) { agent_changed(agent); };
               settings.agent_removed = [this](const std::string& agent) { hub_.remove_agent(agent); };
               settings.service_changed = [this, also = std::move(settings.service_changed)](hub::ServiceInfo service) {
                 if (also) also(service);
                 hub_.service_changed(std::move(service));
               };
               return std::move(settings);
             }()),
      hub_(loop, store_, {.failures_are_shown = true}) {}

Task<Result<void>> RemoteHub::start() { return hub_.start(); }

Task<Result<std::vector<hub::SearchHit>>> RemoteHub::search(std::string words) {
  PARLANCE_CO_TRY(value, co_await store_.request(page::Search{.words = std::move(words)}));
  std::vector<hub::SearchHit> hits;
  for (page::SearchHit& hit : value.hits)
    hits.push_back({.conversation = std::move(hit.conversation), .seq = hit.seq, .snippet = std::move(hit.snippet)});
  co_return hits;
}

Task<Result<hub::SpendingReport>> RemoteHub::spent(std::string since) {
  PARLANCE_CO_TRY(value, co_await store_.request(page::GetUsage{.since = std::move(since)}));
  PARLANCE_CO_TRY(limits, json::from_text<hub::SpendingLimits>(value.limits.json));
  hub::SpendingReport report{.today = std::move(value.today), .limits = std::move(limits)};
  for (const wire::Raw& raw : value.spent) {
    PARLANCE_CO_TRY(row, json::from_text<hub::SpentOn>(raw.json));
    report.rows.push_back(std::move(row));
  }
  co_return report;
}

void RemoteHub::agent_changed(const hub::AgentInfo& agent) {
  const auto known = hub_.agents();
  if (std::ranges::find(known, agent.id, &hub::AgentInfo::id) == known.end())
    hub_.add_agent(std::make_unique<RemoteAgent>(store_, agent.id));
  hub_.agent_changed(agent);
}

}  // namespace parlance::driver
