// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: sums of model use, as far as limits need, and the limits. At a reached limit no turn begins
// without a person's answer. The store has all sums. Loop thread only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/policy/spending.h"
#include "parlance/hub/room.h"

namespace parlance::hub {

class Spending {
 public:
  explicit Spending(Hub::Implementation& hub) : hub_(hub) {}

  Task<Result<void>> load(SpendingLimits stored);
  Task<Result<void>> load_in(std::string conversation);  // at the takeover of a conversation
  void count(Room& room, Spent spent);
  void forget(std::string_view conversation);
  // Whether a turn may begin. At a reached limit, the hub asks a person.
  Task<Result<bool>> may_begin(std::shared_ptr<Room> room, Prompt& prompt);
  void set_limits(SpendingLimits now);  // resumes turns below all limits
  const SpendingLimits& limits() const { return limits_; }
  Spent today() const;  // of all conversations

 private:
  Task<Result<void>> load_today();  // including use by other hubs
  std::vector<Reason> reached_in(const std::string& conversation) const;
  void let_go_on();
  Task<void> let_go_on_tomorrow();

  Hub::Implementation& hub_;
  SpendingLimits limits_;
  std::string day_;  // the day of `today_`
  Spent today_;
  std::map<std::string, Spent, std::less<>> in_conversation_;
};

}  // namespace parlance::hub
