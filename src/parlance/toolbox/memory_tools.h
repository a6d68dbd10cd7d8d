// SPDX-License-Identifier: Apache-2.0
// The agent's memory as tools for every agent of the gateway: memory_search, memory_store, memory_forget. A stored memory names
// its conversation and message. Loop thread only; the backend must outlive the tools.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parlance/agent/backend.h"
#include "parlance/hub/agent/tools.h"

namespace parlance::toolbox {

class MemoryTools {
 public:
  explicit MemoryTools(agent::AgentBackend& memory) : memory_(memory) {}

  static std::vector<hub::ToolSpec> specs();
  static bool has(std::string_view tool);  // true: one of these tools
  static hub::MemoryUse use_of(std::string_view tool);

  // For a guest's message, everything is denied: the memory belongs to the conversation's user. Searching needs no approval.
  // Storing needs none after a request in the person's own message. The memory to forget is fetched, to show its text to the
  // person (not_found: no such memory).
  Task<Result<hub::ToolIntent>> intent(hub::ToolCall call);
  Task<Result<hub::ToolOutcome>> call(std::string conversation, hub::ToolCall call);

 private:
  Task<Result<hub::ToolOutcome>> search(hub::ToolCall call);
  Task<Result<hub::ToolOutcome>> store(std::string conversation, hub::ToolCall call);
  Task<Result<hub::ToolOutcome>> forget(hub::ToolCall call);

  agent::AgentBackend& memory_;
};

}  // namespace parlance::toolbox
