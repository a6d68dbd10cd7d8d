// SPDX-License-Identifier: Apache-2.0
// Reports of a shared store to a hub about the commits of other hubs. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/log/runner_connection.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/hub/policy/spending.h"
#include "parlance/hub/team/team.h"

namespace parlance::hub {

// The stored state of a conversation.
struct ReplicatedConversation {
  Conversation row{};
  std::vector<Ask> asks{};  // open and orphaned
  bool has_owner = false;   // a live hub
  bool is_ours = false;     // this hub owns the row
};

// Changes of conversations of other hubs; own conversations may be included.
struct ReplicationUpdate {
  // New events of a conversation whose row is unchanged.
  struct NewEvents {
    std::string id{};
    std::uint64_t last_seq = 0;
  };
  struct Ownerless {
    std::string id{};
    bool has_commands = false;  // commands wait for an owner
  };
  std::vector<NewEvents> new_events{};            // conversations with new events, and without another change
  std::vector<ReplicatedConversation> changed{};  // new conversations too
  std::vector<std::string> removed{};             // ids of deleted conversations
  // Conversations without a live owner, and with a running turn, waiting commands, or an owner that has just ended.
  std::vector<Ownerless> ownerless{};
  std::vector<std::string> commands{};                     // own conversations with waiting commands
  bool settings_changed = false;                           // rules, limits, users or tokens have changed
  std::optional<std::vector<RunnerConnection>> runners{};  // the complete list, after any change
};

// Settings of all conversations.
struct SettingsSnapshot {
  std::uint64_t version = 0;
  std::vector<Rule> rules{};  // newest first
  SpendingLimits limits{};
  TeamPtr team{};  // null: the store keeps no users
};

}  // namespace parlance::hub
