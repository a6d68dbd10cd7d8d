// SPDX-License-Identifier: Apache-2.0
// What a hub knows of the conversations that it owns: enough to prove to the database that the next commit is its own. Used by the thread that commits,
// alone.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace parlance::store {

struct Held {
  std::int64_t number = 0;  // of the row
  std::int64_t epoch = 0;
  std::int64_t revision = 0;
  std::uint64_t last_seq = 0;
};
using HeldConversations = std::map<std::string, Held, std::less<>>;

}  // namespace parlance::store
