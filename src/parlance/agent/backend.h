// SPDX-License-Identifier: Apache-2.0
// The agent for the HTTP frontends: a step of a chat, and its memory and counts. Implemented over Go net/rpc by agent_via_gorpc,
// and by tests. Loop thread only; outlives the frontends.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/model/model.h"

namespace parlance::agent {

// An HTTP client's parameters for the model, besides messages and tools. Absent: the model's own default.
struct ModelParameters {
  std::optional<std::int64_t> max_tokens{};
  std::optional<double> temperature{};
  model::ChatParameters others{};
  friend bool operator==(const ModelParameters&, const ModelParameters&) = default;
};

class ChatBackend {
 public:
  virtual ~ChatBackend() = default;
  // A step: content or tool calls, without state between calls. `chunks` receives the text during the stream (or never, if the
  // agent cannot stream) and outlives the task. Destroying the task cancels the chat. An empty model is the agent's own. Token
  // counts of 0 mean unreported. `user`: owner of the added memories (memory/store.h).
  virtual Task<Result<model::Completion>> chat(model::ChatRequest request, std::string user, model::ChunkSink& chunks) = 0;
  // Parameters for each model request of a conversation of the hub, until cleared. The agent may ignore them.
  virtual void set_parameters(const std::string& conversation, std::optional<ModelParameters> parameters) {
    static_cast<void>(conversation);
    static_cast<void>(parameters);
  }
  // Model names for clients, the agent's own first. May be empty before the first connection to the agent.
  virtual std::vector<std::string> models() const = 0;
};

// The client's filters; the agent sets defaults for absent filters (5 results, 0.7).
struct MemorySearch {
  std::string user{};  // owner of the memory; empty: the person of this machine
  std::string query{};
  std::string category{};  // empty: all
  std::optional<std::int64_t> limit{};
  std::optional<double> min_score{};
};
struct MemoryItem {
  std::string user{};
  std::string text{};
  std::string category{};  // empty: other
  std::optional<double> importance{};
  // The source, so that a person can ask for the reason. Empty: stored by hand.
  std::string source{};
  std::string conversation{};
  std::uint64_t event = 0;
};
struct MemoryListing {
  std::string user{};
  std::string category{};      // empty: all
  std::string conversation{};  // empty: of all
  std::string before{};        // `next` of the page before; empty: from the newest
  std::optional<std::int64_t> limit{};
};
struct MemoryPath {
  std::string user{};
  std::string path{};  // its id
};

// The complete agent with its memory, for programs that pass on requests.
class AgentBackend {
 public:
  virtual ~AgentBackend() = default;
  // `user`: owner of the counted memories; chats are counted for all users.
  virtual Task<Result<std::map<std::string, std::int64_t>>> stats(std::string user) = 0;
  // Each returns the agent's JSON document.
  virtual Task<Result<std::string>> memory_search(MemorySearch search) = 0;
  virtual Task<Result<std::string>> memory_get(MemoryPath path) = 0;  // not_found
  virtual Task<Result<std::string>> memory_store(MemoryItem item) = 0;
  virtual Task<Result<std::string>> memory_list(MemoryListing listing) = 0;
  virtual Task<Result<std::string>> memory_forget(MemoryPath path) = 0;  // not_found
};

}  // namespace parlance::agent
