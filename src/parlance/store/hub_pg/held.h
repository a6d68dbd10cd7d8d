// SPDX-License-Identifier: Apache-2.0
// A hub's knowledge of its own conversations: the values that a fence compares for the next commit. Used only by the committing
// thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace parlance::store {

struct Held {
  std::int64_t number = 0;     // number of the row
  std::int64_t epoch = 0;      // number of claims: an older owner fails at the fence
  std::int64_t revision = 0;   // number of commits and claims
  std::uint64_t last_seq = 0;  // number of the last event
};
using HeldConversations = std::map<std::string, Held, std::less<>>;

}  // namespace parlance::store
