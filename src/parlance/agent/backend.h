// SPDX-License-Identifier: Apache-2.0
// What the HTTP faces need of an agent: one step of a chat, and its memory and counts. Implemented over Go net/rpc by
// agent_via_gorpc, and by tests. Loop thread only; outlives the faces.
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

// What a client of the HTTP API wants of the model, beside messages and tools. Absent: the model's own default.
struct ModelParameters {
  std::optional<std::int64_t> max_tokens{};
  std::optional<double> temperature{};
  model::ChatParameters others{};
  friend bool operator==(const ModelParameters&, const ModelParameters&) = default;
};

class ChatBackend {
 public:
  virtual ~ChatBackend() = default;
  // One step: content or tool calls, nothing is kept between calls. `chunks` hears of the text while it comes (or never, if the agent
  // cannot tell it before its end) and outlives the task. Destroying the task cancels the chat. An empty model is the agent's own.
  // Token counts of 0 mean that the agent did not tell them. `user`: whose memory is put beside the messages (memory/store.h).
  virtual Task<Result<model::Completion>> chat(model::ChatRequest request, std::string user, model::ChunkSink& chunks) = 0;
  // Parameters for each model request of a conversation of the hub, until they are set to nothing. The agent may ignore them.
  virtual void set_parameters(const std::string& conversation, std::optional<ModelParameters> parameters) {
    static_cast<void>(conversation);
    static_cast<void>(parameters);
  }
  // Names that a client may ask for, the agent's own first. May be empty while the agent has not been reached.
  virtual std::vector<std::string> models() const = 0;
};

// Filters as the client gave them; what is absent is the agent's to decide (5 results, 0.7).
struct MemorySearch {
  std::string user{};  // whose memory; empty: that of the person of this machine
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
  // Where it comes from, so that a person can ask why it is there. Empty: somebody stored it by hand.
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

// The agent and its memory as a whole, for who passes on what others asked it.
class AgentBackend {
 public:
  virtual ~AgentBackend() = default;
  // `user`: whose memories are counted; chats are counted whoever had them.
  virtual Task<Result<std::map<std::string, std::int64_t>>> stats(std::string user) = 0;
  // Each answers the JSON document that the agent gave.
  virtual Task<Result<std::string>> memory_search(MemorySearch search) = 0;
  virtual Task<Result<std::string>> memory_get(MemoryPath path) = 0;  // not_found
  virtual Task<Result<std::string>> memory_store(MemoryItem item) = 0;
  virtual Task<Result<std::string>> memory_list(MemoryListing listing) = 0;
  virtual Task<Result<std::string>> memory_forget(MemoryPath path) = 0;  // not_found
};

}  // namespace parlance::agent
