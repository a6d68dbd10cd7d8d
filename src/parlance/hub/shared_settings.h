// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: settings of all conversations. Stored rules, and the team of a shared store. Decides actions by
// rules and mode. Loop thread only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/room.h"
#include "parlance/hub/team/rights.h"

namespace parlance::hub {

class SharedSettings {
 public:
  explicit SharedSettings(Hub::Implementation& hub) : hub_(hub) {}

  Task<Result<void>> load();     // rules, limits and the team of a shared store
  Task<Result<void>> refresh();  // like `load`, after a change by another hub

  std::vector<Rule> rules_for(const Room& room) const;  // in the order of evaluation
  Decision judge(const Action& action, const std::vector<Rule>& by) const;
  Decision decide(const Room& room, std::string_view tool, const ToolIntent& intent) const;
  // Like decide, without rules that another hub revoked, for an action that follows at once. Errors: the store's.
  Task<Result<Decision>> decide_now(const Room& room, std::string tool, const ToolIntent& intent);
  void count_use(Room& room, const Decision& decision, const std::string& what);
  std::string grant(Room& room, Rule rule, const Submission& from);  // returns the id of the rule

  std::vector<Rule> rules;  // of the store, newest first
  TeamPtr team;             // null: without a shared store

 private:
  void take_team(TeamPtr now);

  Hub::Implementation& hub_;
  std::uint64_t version_ = 0;  // of rules, limits and the team, in a shared store
};

}  // namespace parlance::hub
