// SPDX-License-Identifier: Apache-2.0
// A single person's memory for tools of agents: in an open store, or behind an agent. Loop thread only; store and agent outlive
// this object.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "parlance/agent/backend.h"
#include "parlance/memory/store.h"

namespace parlance::server {

// Errors of memory::Store, or of the connection to the agent.
class MemoryOfOne {
 public:
  virtual ~MemoryOfOne() = default;
  virtual Task<Result<std::vector<memory::Hit>>> search(memory::Query query) = 0;
  virtual Task<Result<memory::Put>> put(memory::NewEntry entry) = 0;
  virtual Task<Result<void>> forget(std::string id) = 0;  // not_found
};

// `user`: the owner of the memory (memory/store.h).
std::shared_ptr<MemoryOfOne> memory_in_store(memory::Store& store, std::string user);
// New memories name this conversation as their source.
std::shared_ptr<MemoryOfOne> memory_of_agent(agent::AgentBackend& agent, std::string user, std::string conversation);
// The same memory, but `denied` while `closed` returns true. Checked at each call.
std::shared_ptr<MemoryOfOne> memory_unless(std::function<bool()> closed, std::shared_ptr<MemoryOfOne> memory);

}  // namespace parlance::server
