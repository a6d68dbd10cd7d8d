// SPDX-License-Identifier: Apache-2.0
// A hub's connection state to notices of other hubs. Any thread.
#pragma once

#include <cstdint>
#include <string_view>

#include "parlance/base/clock.h"

namespace parlance::store {

enum class Following : std::uint8_t {
  off,        // the database does not answer
  comparing,  // behind a pooler, without notices
  notices,    // normal state
};

struct FollowingState {
  Following state = Following::off;
  WallTime since{};
};

// The name in the state of the gateway, which /ready compares.
constexpr std::string_view to_string(Following following) {
  switch (following) {
    case Following::off: return "off";
    case Following::comparing: return "comparing";
    case Following::notices: break;
  }
  return "notices";
}

}  // namespace parlance::store
