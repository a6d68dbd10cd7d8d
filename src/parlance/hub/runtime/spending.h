// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: the limits of model use, and the sums that the limits need. The store has all sums. Loop thread
// only.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/policy/spending.h"
#include "parlance/hub/runtime/conversation_runtime.h"

namespace parlance::hub {

class Spending {
 public:
  explicit Spending(const Core& core) : core_(core) {}

  // Reads the sum of today. Call once. Errors: the store's.
  Task<Result<void>> load(SpendingLimits stored);
  // Reads the sums that the limits need before a turn: today's with the use of other hubs, and the sum of this conversation
  // unless known. Errors: the store's.
  Task<Result<void>> load_for(const ConversationRuntime& runtime);
  // Adds use to today and to the conversation, and writes the addition with the next commit. Empty use changes nothing.
  void count(ConversationRuntime& runtime, Spent spent);
  // After the removal of a conversation, and at its takeover: the next turn reads the sum again. Its use stays in the sum of the day.
  void forget(std::string_view conversation);
  // The reached limits, by the sum of the day and of this conversation; empty: a turn may begin. Call after `load_for`.
  std::vector<Reason> reached_in(const std::string& conversation) const;
  // In memory only; SpendingGate::set_limits also resumes held turns.
  void set_limits(SpendingLimits now) { limits_ = std::move(now); }
  // The limits in force, as stored; see `load` and `set_limits`.
  const SpendingLimits& limits() const { return limits_; }
  Spent today() const;  // of all conversations

 private:
  // The present local day, in the format of SpentOn::day.
  std::string day() const { return local_day(core_.settings.wall_clock()); }
  Task<Result<void>> load_today();

  const Core& core_;
  SpendingLimits limits_;
  std::string day_;  // the day of `today_`
  Spent today_;
  std::map<std::string, Spent, std::less<>> in_conversation_;  // only sums that a limit has needed
};

}  // namespace parlance::hub
