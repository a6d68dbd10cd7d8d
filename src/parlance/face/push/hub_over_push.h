// SPDX-License-Identifier: Apache-2.0
// Tells the browsers of one user whose page is closed that something waits for them, in their own conversations: that, and how much, and
// nothing of what. Loop thread only; what it is given outlives it.
//
// Told is what was asked a moment ago and waits still: what a rule or a mode answers never becomes an ask, and what somebody answers at
// once needs no bell. While a page is looked at nobody is told; what was seen there and left alone is told some time after.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "parlance/async/loop.h"
#include "parlance/async/scope.h"
#include "parlance/async/task.h"
#include "parlance/hub/user_hub.h"
#include "parlance/push/sender.h"
#include "parlance/push/subscriptions.h"

namespace parlance::face {

struct PushBellSettings {
  std::chrono::milliseconds patience{2'000};       // for somebody to answer, or a page that comes back after a cut
  std::chrono::milliseconds after_a_look{60'000};  // who looks away for a moment knows of it
  std::function<bool()> looked_at{};               // a page is
};

class PushBell {
 public:
  PushBell(Loop& loop, hub::UserHub hub, push::Subscriptions& subscriptions, push::Sender& sender, PushBellSettings settings);
  ~PushBell();

  void start();                                                 // after the hub has
  const hub::Caller& caller() const { return *hub_.caller(); }  // whose it is

  struct Statistics {
    std::uint64_t rung = 0;    // messages that a service took
    std::uint64_t failed = 0;  // … that none took
  };
  Statistics statistics() const { return statistics_; }

 private:
  Task<void> listen();
  Task<bool> nobody_looks(hub::Watcher& watcher);  // false: nothing waits any more
  void hear(const hub::Change& change);
  void hear(const hub::Ask& ask);
  bool waits_still() const;  // some of what is fresh
  bool is_own(const hub::Ask& ask) const;
  std::size_t waiting() const;  // for this user
  void ring();
  Task<void> tell(std::string browser, std::string text);

  Loop& loop_;
  hub::UserHub hub_;
  push::Subscriptions& subscriptions_;
  push::Sender& sender_;
  PushBellSettings settings_;
  Statistics statistics_;
  std::set<std::string> known_;                        // asks that wait
  std::set<std::string> fresh_;                        // … of which nobody has been told
  std::map<std::string, Scope::Handle> on_their_way_;  // by browser: a newer message takes the place of an older one
  Scope scope_;
};

}  // namespace parlance::face
