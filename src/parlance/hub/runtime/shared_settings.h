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
    std::function<void(SpendingLimits now)> limits_read;
    std::function<void()> rules_added;  // they may settle open requests
  };
  SharedSettings(Core& core, Publisher& publisher, Callbacks callbacks)
      : core_(core), publisher_(publisher), callbacks_(std::move(callbacks)) {}

  Task<Result<void>> load();                     // rules, limits and the team of a shared store
  Task<Result<void>> refresh();                  // like `load`, after a change by another hub
  const TeamPtr& team() const { return team_; }  // null: without a shared store

  std::vector<Rule> rules_for(const ConversationRuntime& runtime) const;  // in the order of evaluation
  Decision judge(const Action& action, const std::vector<Rule>& by) const;
  Decision decide(const ConversationRuntime& runtime, std::string_view tool, const ToolIntent& intent) const;
  // Like decide, without rules that another hub revoked, for an action that follows at once. Errors: the store's.
  Task<Result<Decision>> decide_now(const ConversationRuntime& runtime, std::string tool, const ToolIntent& intent);
  void count_use(ConversationRuntime& runtime, const Decision& decision, const std::string& what);
  std::string grant(ConversationRuntime& runtime, Rule rule, const Submission& from);  // returns the id of the rule

  bool still_allowed(const ConversationRuntime& runtime, const std::string& by,
                     Permission permission) const;  // by: a name in the log
  bool is_guest(const ConversationRuntime& runtime, const std::string& by) const;

 private:
  void take_team(TeamPtr now);

  Core& core_;
  Publisher& publisher_;
  Callbacks callbacks_;
  TeamPtr team_;
  std::uint64_t version_ = 0;  // of rules, limits and the team, in a shared store
};

}  // namespace parlance::hub
