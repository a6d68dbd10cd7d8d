// SPDX-License-Identifier: Apache-2.0
// The agent's memory as tools that every agent of the gateway may call: memory_search, memory_store, memory_forget. What is kept
// carries the conversation and the message that it came from. Loop thread only; the backend outlives it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parlance/agent/backend.h"
#include "parlance/hub/tools.h"

namespace parlance::toolbox {

class MemoryTools {
 public:
  explicit MemoryTools(agent::AgentBackend& memory) : memory_(memory) {}

  static std::vector<hub::ToolSpec> specs();
  static bool has(std::string_view tool);
  static hub::MemoryUse use_of(std::string_view tool);  // of a tool that it has

  // On a guest's message all of it is denied: the memory is the conversation's user's. Looking is free. Keeping is, when the person's own message asks for it. What would be forgotten is fetched, so that a person
  // sees its words and not its id (not_found: there is no such memory).
  Task<Result<hub::ToolIntent>> intent(hub::ToolCall call);
  Task<Result<hub::ToolOutcome>> call(std::string conversation, hub::ToolCall call);

 private:
  Task<Result<hub::ToolOutcome>> search(hub::ToolCall call);
  Task<Result<hub::ToolOutcome>> store(std::string conversation, hub::ToolCall call);
  Task<Result<hub::ToolOutcome>> forget(hub::ToolCall call);

  agent::AgentBackend& memory_;
};

}  // namespace parlance::toolbox
