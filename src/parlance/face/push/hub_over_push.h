// SPDX-License-Identifier: Apache-2.0
// Notifies the browsers of a user without an open page that requests wait in the user's own conversations: with their number,
// without content. Loop thread only; all arguments must outlive the object.
//
// Notifies of new requests that wait for some time: requests decided by a rule or mode never open, and quickly answered requests
// need no notification. A visible page suppresses notifications; a request seen there without an answer is notified later.
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

struct PushNotifierSettings {
  std::chrono::milliseconds patience{2'000};             // time for an answer, or for a page to reconnect
  std::chrono::milliseconds after_page_visible{60'000};  // a person who has just left the page knows the request
  std::function<bool()> is_page_visible{};               // whether a page is visible
};

class PushNotifier {
 public:
  PushNotifier(Loop& loop, hub::UserHub hub, push::Subscriptions& subscriptions, push::Sender& sender,
               PushNotifierSettings settings);
  ~PushNotifier();

  void start();                                                 // after the hub's start
  const hub::Caller& caller() const { return *hub_.caller(); }  // the notified user

  struct Statistics {
    std::uint64_t accepted = 0;  // messages accepted by a service
    std::uint64_t failed = 0;    // … refused by all services
  };
  Statistics statistics() const { return statistics_; }

 private:
  Task<void> listen();
  Task<bool> is_unseen(hub::Watcher& watcher);  // false: no request waits any longer
  void take(const hub::Change& change);
  void take(const hub::Ask& ask);
  bool still_waits() const;  // some fresh requests are open
  bool is_own(const hub::Ask& ask) const;
  std::size_t waiting() const;  // for this user
  void notify();
  Task<void> send(std::string browser, std::string text);

  Loop& loop_;
  hub::UserHub hub_;
  push::Subscriptions& subscriptions_;
  push::Sender& sender_;
  PushNotifierSettings settings_;
  Statistics statistics_;
  std::set<std::string> known_;                        // open asks
  std::set<std::string> fresh_;                        // … without a notification so far
  std::map<std::string, Scope::Handle> on_their_way_;  // by browser: a newer message replaces an older one
  Scope scope_;
};

}  // namespace parlance::face
