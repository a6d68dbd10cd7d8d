// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: settings of all conversations: stored rules, and the team of a shared store. Decides actions by
// rules and mode, and what an author may do. Loop thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parlance/hub/runtime/conversation_runtime.h"
#include "parlance/hub/runtime/publisher.h"
#include "parlance/hub/team/rights.h"

namespace parlance::hub {

class SharedSettings {
 public:
  // For the parts above, after a read of a shared store.
  struct Callbacks {
    std::function<void(SpendingLimits now)> limits_read;  // also if they are unchanged
    std::function<void()> rules_added;                    // they may settle open requests
  };
  SharedSettings(Core& core, Publisher& publisher, Callbacks callbacks)
      : core_(core), publisher_(publisher), callbacks_(std::move(callbacks)) {}

  Task<Result<void>> load();                     // rules, limits and the team of a shared store
  Task<Result<void>> refresh();                  // like `load`, after a change by another hub
  const TeamPtr& team() const { return team_; }  // null: without a shared store

  std::vector<Rule> rules_for(const ConversationRuntime& runtime) const;  // in the order of evaluation
  // The decision by these rules and the mode. A hub for runners (HubSettings::asks_everything) never allows.
  Decision judge(const Action& action, const std::vector<Rule>& by) const;
  // `judge` by the rules known in memory, for a display or a first check. Rules that another hub revoked may still count.
  Decision decide(const ConversationRuntime& runtime, std::string_view tool, const ToolIntent& intent) const;
  // Like decide, without rules that another hub revoked, for an action that follows at once. Errors: the store's.
  Task<Result<Decision>> decide_now(const ConversationRuntime& runtime, std::string tool, const ToolIntent& intent);
  // Adds one use to the stored rule of the decision, with its purpose and time. Does nothing for decisions by mode or
  // configuration.
  void count_use(ConversationRuntime& runtime, const Decision& decision, const std::string& what);
  // Writes a rule, in a shared store with an audit entry, inside the operation of the answer. A guest's rule is limited to the
  // conversation.
  std::string grant(ConversationRuntime& runtime, Rule rule, const Submission& from);  // returns the id of the rule

  bool still_allowed(const ConversationRuntime& runtime, const std::string& by,
                     Permission permission) const;  // by: a name in the log
  // Whether this author differs from the conversation's owner. Always false without a shared store; true for a removed owner.
  bool is_guest(const ConversationRuntime& runtime, const std::string& by) const;

 private:
  // Stores a changed team and passes it to HubSettings::team_changed. Changed users restart all watchers, because frontends show
  // names.
  void take_team(TeamPtr now);

  Core& core_;
  Publisher& publisher_;
  Callbacks callbacks_;
  TeamPtr team_;
  std::uint64_t version_ = 0;      // of rules, limits and the team, in a shared store
  std::uint64_t reads_ = 0;        // begun reads of all settings
  std::uint64_t newest_read_ = 0;  // the number of the last begun read among the finished reads
};

}  // namespace parlance::hub
