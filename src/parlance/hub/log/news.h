// SPDX-License-Identifier: Apache-2.0
// Reports of a shared store to a hub about the commits of other hubs. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/log/place.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/hub/policy/spending.h"
#include "parlance/hub/team/team.h"

namespace parlance::hub {

// The stored state of a conversation.
struct SeenConversation {
  Conversation row{};
  std::vector<Ask> asks{};  // open and orphaned
  bool has_owner = false;   // a live hub
  bool is_ours = false;     // this hub owns the row
};

// Changes of conversations of other hubs; own conversations may be included.
struct News {
  // New events of a conversation whose row is unchanged.
  struct Longer {
    std::string id{};
    std::uint64_t last_seq = 0;
  };
  struct Left {
    std::string id{};
    bool has_commands = false;  // commands wait for an owner
  };
  std::vector<Longer> longer{};             // conversations with new events, and without another change
  std::vector<SeenConversation> changed{};  // new conversations too
  std::vector<std::string> removed{};       // ids of deleted conversations
  // Conversations without a live owner, and with a running turn, waiting commands, or an owner that has just ended.
  std::vector<Left> left{};
  std::vector<std::string> commands{};           // own conversations with waiting commands
  bool standing = false;                         // rules, limits, users or tokens have changed
  std::optional<std::vector<PlaceAt>> places{};  // the complete list, after any change
};

// Settings of all conversations.
struct Standing {
  std::uint64_t version = 0;
  std::vector<Rule> rules{};  // newest first
  SpendingLimits limits{};
  TeamPtr team{};  // null: the store keeps no users
};

}  // namespace parlance::hub
