// SPDX-License-Identifier: Apache-2.0
// How a hub hears of the others. Any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace parlance::store {

enum class Following : std::uint8_t {
  off,        // not at the moment: the database does not answer
  comparing,  // behind a pooler, where no notice arrives
  notices,    // as it should be
};

constexpr std::string_view to_string(Following following) {
  switch (following) {
    case Following::off: return "off";
    case Following::comparing: return "comparing";
    case Following::notices: break;
  }
  return "notices";
}

}  // namespace parlance::store
