// SPDX-License-Identifier: Apache-2.0
// Changes of a hub, for its watchers. Values; any thread.
#pragma once

#include <optional>
#include <string>

#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/policy/policy.h"

namespace parlance::hub {

namespace change {
struct ConversationChanged {
  Conversation conversation{};
  std::optional<Access> access_before{};  // set if the access changed
};  // new or changed
struct ConversationRemoved {
  std::string id{};
  Conversation last{};  // last state: for owner and access only
};
struct AskChanged {
  Ask ask{};
};
struct RuleAdded {
  Rule rule{};
};
struct RuleRemoved {
  std::string id{};
  std::optional<std::string> user{};  // Rule::user
};
struct AgentChanged {
  AgentInfo agent{};
};
struct ServiceChanged {
  ServiceInfo service{};
};
struct Resync {};  // changes were lost: read a new snapshot
}  // namespace change

}  // namespace parlance::hub
