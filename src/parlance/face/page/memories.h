// SPDX-License-Identifier: Apache-2.0
// Requests of pages about the built-in agent's memories. The agent sends JSON documents (net/rpc transmits JSON as text); members
// that another agent omits are empty. Loop thread only; the agent must outlive the object, and the object its tasks.
#pragma once

#include "parlance/agent/backend.h"
#include "parlance/face/page/answered.h"
#include "parlance/protocol/page/memory_messages.h"

namespace parlance::hub {
class UserHub;
}

namespace parlance::face {

class PageMemories {
 public:
  explicit PageMemories(agent::AgentBackend* memory) : memory_(memory) {}  // null: the requests fail

  Answered<page::SearchMemories> perform(page::SearchMemories& m, hub::UserHub& hub);
  Answered<page::ListMemories> perform(page::ListMemories& m, hub::UserHub& hub);
  Answered<page::ForgetMemory> perform(page::ForgetMemory& m, hub::UserHub& hub);

 private:
  agent::AgentBackend* memory_;
};

}  // namespace parlance::face
