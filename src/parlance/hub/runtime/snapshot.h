// SPDX-License-Identifier: Apache-2.0
// The state of a hub at a moment, for a frontend that begins to follow it. Values; any thread.
#pragma once

#include <string>
#include <vector>

#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/policy/policy.h"

namespace parlance::hub {

// One page of conversations (Hub::list).
struct ConversationList {
  std::vector<Conversation> conversations{};  // newest change first; fewer than a page at the end of the list
  std::string older{};                        // cursor of the next page; empty: there is none
};

struct Snapshot {
  std::vector<AgentInfo> agents{};
  std::vector<ServiceInfo> services{};
  std::vector<Conversation> conversations{};  // newest change first
  std::string older{};                        // ConversationList::older
  std::vector<Ask> asks{};                    // open and orphaned, oldest first
  std::vector<Rule> rules{};
};

}  // namespace parlance::hub
