// SPDX-License-Identifier: Apache-2.0
// Finds the origin of a memory: its conversation and event, from the hub's database. The database may be in use. Blocking; any
// thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/memory/store.h"

namespace parlance::store {

struct MemoryOrigin {
  bool conversation_found = false;  // false: deleted, or no conversation
  std::string title{};
  std::string agent{};
  bool event_found = false;
  std::string event_time{};
  std::string event_kind{};    // "user_message", …
  std::string event_text{};    // text of the event; "" for an event without text
  std::string user_message{};  // the person's message before the event, unless the event is a message
};

// Error: the hub's database exists and cannot be read. Without a database the result is empty.
Result<MemoryOrigin> find_origin(const std::string& state_folder, const memory::Source& source);

// Called with a conversation's row, then with its events, newest first, until true. `wanted`: the number of the event with the
// memory.
void add_conversation(MemoryOrigin& origin, std::string_view body);
bool add_event(MemoryOrigin& origin, std::uint64_t wanted, std::uint64_t seq, std::string_view body);

}  // namespace parlance::store
