// SPDX-License-Identifier: Apache-2.0
// Changes of a hub, for its watchers. Values; any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/hub/team/user.h"

namespace parlance::hub {

struct Conversation;  // conversation/conversation.h

namespace change {
struct ConversationChanged {
  std::shared_ptr<const Conversation> conversation{};
  std::optional<Access> access_before{};  // set if the access changed
};  // new or changed
struct ConversationRemoved {
  std::string id{};
  std::shared_ptr<const Conversation> last{};  // last state: for owner and access only
};
// Opened, changed or settled.
struct AskChanged {
  Ask ask{};
};
// New, or with a changed count of uses.
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
