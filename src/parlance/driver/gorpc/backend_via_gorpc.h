// SPDX-License-Identifier: Apache-2.0
// The agent's interface for HTTP frontends, over Go net/rpc. Loop thread only; the link must outlive the object.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parlance/agent/backend.h"
#include "parlance/driver/gorpc/agent_link.h"

namespace parlance::driver {

class BackendViaGorpc final : public agent::ChatBackend, public agent::AgentBackend {
 public:
  BackendViaGorpc(AgentLink& link, std::vector<std::string> models) : link_(link), models_(std::move(models)) {}

  Task<Result<model::Completion>> chat(model::ChatRequest request, std::string user, model::ChunkSink& chunks) override;
  void set_parameters(const std::string& conversation, std::optional<agent::ModelParameters> parameters) override;
  std::vector<std::string> models() const override { return models_; }
  void set_models(std::vector<std::string> models) { models_ = std::move(models); }
  Task<Result<std::map<std::string, std::int64_t>>> stats(std::string user) override;
  Task<Result<std::string>> memory_search(agent::MemorySearch search) override;
  Task<Result<std::string>> memory_get(agent::MemoryPath memory) override;
  Task<Result<std::string>> memory_store(agent::MemoryItem item) override;
  Task<Result<std::string>> memory_list(agent::MemoryListing listing) override;
  Task<Result<std::string>> memory_forget(agent::MemoryPath memory) override;

 private:
  AgentLink& link_;
  std::vector<std::string> models_;
};

}  // namespace parlance::driver
