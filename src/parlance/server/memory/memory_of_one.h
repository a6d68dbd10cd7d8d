// SPDX-License-Identifier: Apache-2.0
// One person's memory, as far as tools of agents use it: that of a store which is open here, or of an agent that has one. Loop thread only;
// store and agent outlive it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "parlance/agent/backend.h"
#include "parlance/memory/store.h"

namespace parlance::server {

// The errors are those of memory::Store, or of the way to the agent.
class MemoryOfOne {
 public:
  virtual ~MemoryOfOne() = default;
  virtual Task<Result<std::vector<memory::Hit>>> search(memory::Query query) = 0;
  virtual Task<Result<memory::Put>> put(memory::NewEntry entry) = 0;
  virtual Task<Result<void>> forget(std::string id) = 0;  // not_found
};

// `user`: whose memory it is (memory/store.h).
std::shared_ptr<MemoryOfOne> memory_in_store(memory::Store& store, std::string user);
// What is put there comes from this conversation.
std::shared_ptr<MemoryOfOne> memory_of_agent(agent::AgentBackend& agent, std::string user, std::string conversation);
// The same memory, but `denied` while `closed` says so. It is asked at each call.
std::shared_ptr<MemoryOfOne> memory_unless(std::function<bool()> closed, std::shared_ptr<MemoryOfOne> memory);

}  // namespace parlance::server
