// SPDX-License-Identifier: Apache-2.0
// The content of one write of a store, and the content of a store at the start. Values; any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/command.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/packed.h"
#include "parlance/hub/log/store.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/hub/policy/spending.h"
#include "parlance/hub/team/audit.h"

namespace parlance::hub {

struct Conversation;  // conversation/conversation.h

// One atomic change. An ask and its event, or an answer and its event, are part of the same commit, so no crash can separate
// them.
struct Commit {
  std::shared_ptr<const Conversation> conversation{};  // inserted or replaced; first, because events refer to it
  std::string events_of{};                             // conversation id of `events` and `attachments`
  std::vector<Event> events{};                         // consecutive numbers from the end of the log
  std::vector<Attachment> attachments{};               // inserted
  std::vector<Ask> asks{};                             // inserted or replaced
  std::vector<Rule> rules{};                           // inserted
  std::vector<Rule> used_rules{};                      // updates the use counters of existing rules
  std::vector<SpentOn> spent{};                        // added to the sums
  std::optional<SpendingLimits> limits{};              // replaces the limits
  std::vector<std::string> removed_rules{};            // ids; an unknown id is no error
  std::vector<std::string> removed_attachments{};      // also attachments of this change
  std::vector<CommandDone> done{};                     // commands of other hubs (SharedStore)
  std::vector<AuditEntry> audit{};                     // for a SharedStore: a single-user store has no audit
  // The log passes an empty commit to no store and to no observer.
  bool empty() const {
    return !conversation && events.empty() && attachments.empty() && asks.empty() && rules.empty() && used_rules.empty() &&
           spent.empty() && !limits && removed_rules.empty() && removed_attachments.empty() && done.empty() && audit.empty();
  }
};

// The state of a store for the start of a hub; logs stay in the store.
struct Stored {
  std::vector<PackedConversation> conversations{};  // in any order
  std::vector<Ask> asks{};                          // open and orphaned, oldest first
  std::vector<Rule> rules{};                        // newest first: evaluation starts with the latest decision of a person
  SpendingLimits limits{};
};

}  // namespace parlance::hub
