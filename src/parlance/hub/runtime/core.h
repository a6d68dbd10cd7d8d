// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: loop, store, settings, agents and tasks of a hub, for all its parts. Core knows no part. Loop
// thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parlance/async/loop.h"
#include "parlance/async/scope.h"
#include "parlance/base/clock.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/hub/log/shared_store.h"
#include "parlance/hub/runtime/hub_settings.h"

namespace parlance::hub {

struct Core {
  Core(Loop& on, Store& in, HubSettings with)
      : loop(on), store(in), shared(in.shared()), settings(std::move(with)), scope(on), closing(on) {}

  std::shared_ptr<AgentProvider> provider(std::string_view id) const;  // null: no such agent; held across awaits
  // The present wall-clock time as RFC 3339, for rows and events; tests replace the clock.
  std::string time_text() const { return to_rfc3339(settings.wall_clock()); }

  Loop& loop;  // outlives the hub, like the store
  Store& store;
  SharedStore* const shared;  // the store, if other hubs share the store; otherwise null
  HubSettings settings;
  std::vector<std::shared_ptr<AgentProvider>> providers;  // in the order of Hub::add_agent
  std::vector<Rule> rules;                                // of the store, newest first
  // A commit of this hub has added a rule since the last read of the settings. Another hub may have revoked the rule before.
  bool rules_outdated = false;
  // The end of the hub. soon: no takeover of conversations. now: also no command of another hub, and no turn begins.
  enum class Leaving : std::uint8_t { no, soon, now } leaving = Leaving::no;
  bool ending = false;   // the hub is being destroyed
  Scope scope, closing;  // `closing`: agents that are closing
};

}  // namespace parlance::hub
